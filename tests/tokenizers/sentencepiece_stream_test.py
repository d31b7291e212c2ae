"""Streams and pieces of sentencepiece on random ids, against the library itself."""

import itertools
import pickle
import random

import pytest

from oasr import tokenizers
from tests import conftest
from tests.tokenizers import law_checks
from tests.tokenizers import package_files
from tests.tokenizers import sentencepiece_checks
from tests.tokenizers import sentencepiece_laws
from tests.tokenizers import sentencepiece_models

# Sequences of each model; fifteen models and a published one make 200,000 in all.
_COUNT = 125 * conftest.SCALE


class Counting(tokenizers.SentencePieceTokenizer):
    """Counts the ids that are handed to the runtime."""

    handed = 0

    def _render(self, ids):
        self.handed += len(ids)
        return super()._render(ids)


@pytest.fixture
def counting(tmp_path):
    def build(name, special_ids=None):
        path = tmp_path / "bpe.model"
        path.write_bytes(sentencepiece_models.model(name))
        return Counting(path, special_ids)

    return build


def content_of(name):
    if name in sentencepiece_models.OPTIONS:
        return sentencepiece_models.model(name)
    return package_files.find("mistral_model", "tokenizer.model.v1").read_bytes()


@pytest.mark.parametrize("special_ids", [None, []], ids=["special", "none special"])
@pytest.mark.parametrize("name", [*sentencepiece_models.OPTIONS, "published"])
def test_random_ids(tmp_path, name, special_ids):
    content = content_of(name)
    tokenizer = sentencepiece_laws.build(tmp_path, content, special_ids)
    processor = sentencepiece_models.reference(content)
    twin = pickle.loads(pickle.dumps(tokenizer))
    rng = random.Random(f"{name} {special_ids}")
    for _ in range(_COUNT // 2):
        ids = sentencepiece_checks.random_ids(rng, processor)
        cuts = sorted(rng.choices(range(len(ids) + 1), k=rng.randrange(8)))
        sentencepiece_checks.check_stream(tokenizer, processor, ids, cuts)
        sentencepiece_checks.check_stream(tokenizer, processor, ids, range(len(ids)))
        sentencepiece_checks.check_pieces(tokenizer, processor, ids)
        law_checks.check_all(tokenizer, twin, ids, cuts)


def long_streams(tokenizer):
    """Id sequences of 50,200 that are hard to hold a bounded window over."""
    processor = sentencepiece_models.reference(sentencepiece_models.model("bytes"))
    count = 50_200
    text = [i for i in range(300, tokenizer.vocab_size) if tokenizer.decode([i])]
    han = sentencepiece_laws.byte_ids(processor, "你".encode())
    blank = processor.piece_to_id("\u2581")
    return {
        "text": list(itertools.islice(itertools.cycle(text), count)),
        "byte run": list(itertools.islice(itertools.cycle(han), count)),
        "lead bytes": [han[0]] * count,
        "stray bytes": [han[1]] * count,
        "blanks": [blank] * count,
        "special": [han[0], *[1] * (count - 1)],
        "text and bytes": list(itertools.islice(itertools.cycle(han + text), count)),
    }


@pytest.mark.parametrize("name", ["text", "byte run", "lead bytes", "stray bytes"])
@pytest.mark.parametrize("model", ["bytes", "bytes_extra_whitespace", "no_start_rule"])
def test_a_delta_hands_few_ids_to_the_runtime(counting, model, name):
    tokenizer = counting(model)
    ids = long_streams(tokenizer)[name]
    state, most, handed = tokenizer.new_decode_state(), {}, 0
    for place, token_id in enumerate(ids):
        before = tokenizer.handed
        tokenizer.decode_incremental([token_id], state)
        handed = tokenizer.handed - before
        # The first ids ask for the rule of the start as well.
        stretch = "start" if place < 3 else "early" if place < 200 else "late"
        most[stretch] = max(most.get(stretch, 0), handed)
    # A new id is asked about once, and then never again.
    assert most["early"] <= 8
    assert most["late"] == 0
    assert most["start"] <= 20


def test_a_delta_of_many_ids_hands_each_to_the_runtime_once(counting):
    tokenizer = counting("bytes")
    for ids in long_streams(tokenizer).values():
        state = tokenizer.new_decode_state()
        tokenizer.decode_incremental(ids[:10_000], state)
        before = tokenizer.handed
        tokenizer.decode_incremental(ids[10_000:20_000], state)
        assert tokenizer.handed - before <= 10_000 + 5


def test_the_state_holds_nothing_per_id_beside_the_text(counting):
    tokenizer = counting("bytes")
    for name, ids in long_streams(tokenizer).items():
        sizes = []
        for length in (1_000, 50_000):
            state = tokenizer.new_decode_state()
            tokenizer.decode_incremental(ids[:length], state)
            sizes.append(len(pickle.dumps(state)) - len(state["text"].encode()))
        assert abs(sizes[1] - sizes[0]) < 16, name


def test_pieces_hand_each_id_to_the_runtime_a_few_times(counting):
    for name, ids in long_streams(counting("bytes")).items():
        tokenizer = counting("bytes")
        before = tokenizer.handed
        pieces = tokenizer.token_pieces(ids)
        assert "".join(pieces) == tokenizer._runtime.decode(tokenizer._kept(ids)), name
        assert tokenizer.handed - before <= 5 * len(ids), name


def test_ids_that_render_nothing_stand_between_halves_of_a_character(counting):
    tokenizer = counting("bytes")
    processor = tokenizer._runtime
    first, *others = sentencepiece_laws.byte_ids(processor, "你".encode())
    nothing = [1, 2, -1, 100_000] * 2_500
    state = tokenizer.new_decode_state()
    assert tokenizer.decode_incremental([first], state) == ""
    assert tokenizer.decode_incremental(nothing, state) == ""
    assert state["text"] == "\ufffd"
    assert tokenizer.decode_incremental(others, state) == "你"
    pieces = tokenizer.token_pieces([first, *nothing, *others])
    assert pieces[-1] == "".join(pieces) == "你"


def test_a_control_id_that_is_not_special_ends_a_run_of_bytes(counting):
    # As the library has it: the halves are two broken characters.
    tokenizer = counting("bytes", [])
    first, *others = sentencepiece_laws.byte_ids(tokenizer._runtime, "你".encode())
    state = tokenizer.new_decode_state()
    assert tokenizer.decode_incremental([first], state) == ""
    assert tokenizer.decode_incremental([1], state) == "\ufffd"
    assert tokenizer.decode_incremental(others, state) == "\ufffd\ufffd"
    assert state["text"] == tokenizer._runtime.decode([first, 1, *others])


def test_forty_blanks_at_once_are_given_out(counting):
    for name in ("bytes", "bytes_extra_whitespace", "no_start_rule"):
        tokenizer = counting(name)
        blank = tokenizer._runtime.piece_to_id("\u2581")
        letter = tokenizer._runtime.piece_to_id("h")
        for ids in ([letter, *[blank] * 40, letter], [blank] * 40 + [letter]):
            state = tokenizer.new_decode_state()
            deltas = [tokenizer.decode_incremental([i], state) for i in ids]
            assert "".join(deltas) == tokenizer._runtime.decode(ids)
            state = tokenizer.new_decode_state()
            assert tokenizer.decode_incremental(ids, state) == "".join(deltas)


def test_a_mark_that_is_in_the_text_does_not_stall_a_stream(tmp_path):
    content = sentencepiece_models.train(
        model_type="bpe",
        byte_fallback=True,
        vocab_size=420,
        user_defined_symbols=["\ufffd"],
    )
    tokenizer = sentencepiece_laws.build(tmp_path, content)
    processor = sentencepiece_models.reference(content)
    mark = processor.piece_to_id("\ufffd")
    state = tokenizer.new_decode_state()
    assert tokenizer.decode_incremental([mark], state) == "\ufffd"
    *first, last = sentencepiece_laws.byte_ids(processor, "\ufffd".encode())
    assert tokenizer.decode_incremental(first, state) == ""
    assert tokenizer.decode_incremental([last], state) == "\ufffd"


def test_bytes_that_nothing_can_complete_are_given_out_at_once(counting):
    tokenizer = counting("bytes")
    for content in ("80", "C0", "FF", "F5", "E0 80", "ED A0", "F0 8F", "F4 90"):
        ids = sentencepiece_laws.byte_ids(tokenizer._runtime, bytes.fromhex(content))
        state = tokenizer.new_decode_state()
        given = [tokenizer.decode_incremental([i], state) for i in ids]
        assert "".join(given) == "\ufffd" * len(ids)
        assert tokenizer.settled(ids) == len(ids)


def test_marks_are_no_words_and_repeat_no_transcript(counting):
    # Differences of texts that end in a mark once carried the mark as a word, and
    # then sent the whole transcript again.
    tokenizer = counting("bytes")
    processor = tokenizer._runtime
    ids = processor.encode("hello 𠮷 world 👩‍👩‍👧‍👦 hello 👍🏽")
    assert sum(map(processor.is_byte, ids)) > 30
    deltas = [
        tokenizer.decode_incremental([i], state)
        for state in [tokenizer.new_decode_state()]
        for i in ids
    ]
    assert "".join(deltas) == "hello 𠮷 world 👩‍👩‍👧‍👦 hello 👍🏽"
    assert "\ufffd" not in "".join(deltas)
    assert "\ufffd" not in "".join(tokenizer.token_pieces(ids))
    assert max(map(len, deltas)) < 12
