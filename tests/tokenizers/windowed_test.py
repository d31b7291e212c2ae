"""Tests for windowed: the laws over small runtimes, and what a delta costs."""

import itertools
import pickle
import random

import pytest

from tests import conftest
from tests.tokenizers import fake_runtimes
from tests.tokenizers import laws

KINDS = [fake_runtimes.ByteLevel, fake_runtimes.Stripped, fake_runtimes.Undoing]


class FakeLaws(laws.TokenizerLaws):
    kind = fake_runtimes.ByteLevel

    @pytest.fixture(scope="class")
    def tokenizer(self):
        return self.kind()

    @pytest.fixture
    def special_ids(self):
        return fake_runtimes.SPECIAL

    def continuations(self, tokenizer):
        ids = [[i] for i in range(min(tokenizer.vocab_size, 40))]
        pairs = [a + b for a, b in itertools.product(ids, ids)]
        return [*ids, *pairs]


class TestByteLevel(FakeLaws):
    pass


class TestStripped(FakeLaws):
    kind = fake_runtimes.Stripped


class TestUndoing(FakeLaws):
    kind = fake_runtimes.Undoing

    def favourites(self, tokenizer):
        content = bytes.fromhex("E4 BD A0 F0 9F 98 80 20 61 C0 ED A0 E2 96 81 E0 F4")
        return [*(byte + 2 for byte in content), *range(258, tokenizer.vocab_size)]

    def continuations(self, tokenizer):
        # A bad byte undoes a run of whole characters; others complete one.
        ids = [[byte + 2] for byte in bytes.fromhex("80 90 A0 BF")]
        pairs = [a + b for a, b in itertools.product(ids, ids)]
        triples = [a + b for a, b in itertools.product(pairs, ids)]
        return [[0xFF + 2], *ids, *pairs, *triples]


class TestFollowing(FakeLaws):
    kind = fake_runtimes.Following


class TestNotWindowed(FakeLaws):
    kind, constant_cost = fake_runtimes.NotWindowed, False

    # The defaults hold back every mark at the end, also one that is final.
    test_what_is_held_back_can_still_change = None
    test_a_delta_copies_no_earlier_text = None


def byte_pieces(tokenizer, ids):
    """Law 5 by its words, for bytes that are read together."""
    kept = [place for place, is_text in enumerate(tokenizer.is_text(ids)) if is_text]
    owners = [place for place in kept for _ in tokenizer.parts[ids[place]]]
    content = b"".join(tokenizer.parts[ids[place]] for place in kept)
    pieces, start = [""] * len(ids), 0
    while start < len(content):
        try:
            character = content[start:].decode()[0]
            end = start + len(character.encode())
        except UnicodeDecodeError as error:
            # Whole characters before the first broken one, or that itself.
            whole = content[start : start + error.start].decode()
            character = whole[:1] or "\ufffd"
            end = start + (len(character.encode()) if whole else error.end)
        pieces[owners[end - 1]] += character
        start = end
    return pieces


def run_pieces(tokenizer, ids):
    """Law 5 by its words, where a bad byte undoes its run."""
    pieces, runs = [""] * len(ids), [[]]
    kept = [place for place, is_text in enumerate(tokenizer.is_text(ids)) if is_text]
    for place in kept:
        if ids[place] in tokenizer.BYTES:
            runs[-1].append(place)
        else:
            pieces[place] = tokenizer.parts[ids[place]].decode()
            runs.append([])
    for run in runs:
        content = bytes(ids[place] - 2 for place in run)
        try:
            text, end = content.decode(), 0
            for character in text:
                end += len(character.encode())
                pieces[run[end - 1]] = character
        except UnicodeDecodeError:
            for place in run:
                pieces[place] = "\ufffd"
    if kept and pieces[kept[0]].startswith(" "):
        pieces[kept[0]] = pieces[kept[0]][1:]
    return pieces


@pytest.mark.parametrize("kind", KINDS)
def test_pieces_belong_to_the_ids_that_render_them(kind):
    tokenizer, rng = kind(), random.Random(0)
    favourites = [*range(2, 40), 0xE4 + 2, 0xBD + 2, 0xA0 + 2, 0x20 + 2, 258, 260]
    for _ in range(3_000 * conftest.SCALE):
        ids = [
            rng.choice(favourites) if rng.random() < 0.7 else rng.randrange(-1, 265)
            for _ in range(rng.randrange(10))
        ]
        if kind is fake_runtimes.Undoing:
            expected = run_pieces(tokenizer, ids)
        else:
            expected = byte_pieces(tokenizer, ids)
        if kind is fake_runtimes.Stripped:
            text = "".join(expected)
            start, end = len(text) - len(text.lstrip()), len(text.rstrip())
            edges = [0, *itertools.accumulate(map(len, expected))]
            expected = [
                text[max(a, start) : max(min(b, end), start)]
                for a, b in itertools.pairwise(edges)
            ]
        assert tokenizer.token_pieces(ids) == expected


def part(tokenizer, spelled):
    return tokenizer.parts.index(bytes.fromhex(spelled))


def adversarial(tokenizer, count):
    """Sequences of `count` ids that no window of fixed length could settle."""
    if isinstance(tokenizer, fake_runtimes.Undoing):
        han = [byte + 2 for byte in "你".encode()]
        return {
            "valid run": list(itertools.islice(itertools.cycle(han), count)),
            "run of letters": [0x61 + 2] * count,
            "broken run": [0xFF + 2] * count,
            "runs": list(itertools.islice(itertools.cycle([*han, 258, 5]), count)),
        }
    lead, chain = part(tokenizer, "E4 BD"), part(tokenizer, "A0 E4")
    nothing = tokenizer.vocab_size - 1
    return {
        "chain of halves": [
            *itertools.islice(itertools.cycle([chain, part(tokenizer, "BD")]), count)
        ],
        "lead bytes": [lead] * count,
        "stray bytes": [part(tokenizer, "80")] * count,
        "nothing between halves": [lead, *[nothing, -1, 0] * (count // 3)],
        "blanks": [part(tokenizer, "20 20")] * count,
    }


@pytest.mark.parametrize("kind", KINDS)
def test_a_delta_hands_few_ids_to_the_runtime_however_late(kind):
    tokenizer = kind()
    for name, ids in adversarial(tokenizer, 20_000).items():
        state, handed = tokenizer.new_decode_state(), []
        for token_id in ids:
            before = tokenizer.handed
            tokenizer.decode_incremental([token_id], state)
            handed.append(tokenizer.handed - before)
        assert max(handed) <= 9, name
        assert sum(handed[-1_000:]) <= sum(handed[100:1_100]) + 9, name


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_kept_beside_the_text_does_not_grow(kind):
    tokenizer = kind()
    for name, ids in adversarial(tokenizer, 20_000).items():
        state, sizes = tokenizer.new_decode_state(), {}
        for place, token_id in enumerate(ids):
            tokenizer.decode_incremental([token_id], state)
            if place in (999, 19_998):
                # Blanks that a strip may take are text held back.
                blanks = len(getattr(state, "blanks", b""))
                text = len(state["text"].encode()) + blanks
                sizes[place] = len(pickle.dumps(state)) - text
        # A broken run is one byte of state and three of text: no less than nothing.
        assert sizes[19_998] <= sizes[999] + 16, name


def test_a_run_of_a_hundred_thousand_bytes_is_held_and_then_given_out():
    tokenizer = fake_runtimes.Undoing()
    han = [byte + 2 for byte in "你".encode()]
    for last, expected in ((258, "你" * 40_000 + " a"), (0xFF + 2, "\ufffd" * 120_001)):
        state = tokenizer.new_decode_state()
        assert tokenizer.decode_incremental(han * 20_000, state) == ""
        for token_id in han * 20_000:
            assert tokenizer.decode_incremental([token_id], state) == ""
        assert state["text"] == "你" * 40_000
        assert tokenizer.decode_incremental([last], state) == expected
        assert state["text"] == expected


def test_a_run_that_is_known_bad_is_given_out_byte_by_byte():
    tokenizer = fake_runtimes.Undoing()
    state = tokenizer.new_decode_state()
    deltas = [
        tokenizer.decode_incremental([byte + 2], state)
        for byte in bytes.fromhex("E4 BD A0 80 61 E4 BD A0")
    ]
    assert deltas == ["", "", "", "\ufffd" * 4, *["\ufffd"] * 4]
    assert tokenizer.decode_incremental([258], state) == " a"
    assert tokenizer.decode_incremental([0x61 + 2], state) == ""
    assert tokenizer.flush_incremental(state) == "a"


def test_half_of_a_surrogate_undoes_a_run_at_once():
    tokenizer = fake_runtimes.Undoing()
    state = tokenizer.new_decode_state()
    assert tokenizer.decode_incremental([0xED + 2], state) == ""
    assert tokenizer.decode_incremental([0xA0 + 2], state) == "\ufffd\ufffd"


def test_a_blank_behind_a_broken_run_is_not_at_the_start():
    tokenizer = fake_runtimes.Undoing()
    for ids in ([0xE4 + 2, 258], [0x20 + 2, 258], [0x20 + 2, 0xE4 + 2, 258]):
        deltas, rest = laws.stream(tokenizer, ids, range(len(ids)))
        assert "".join(deltas) + rest == tokenizer.decode(ids)
        assert "".join(tokenizer.token_pieces(ids)) == tokenizer.decode(ids)
    assert tokenizer.decode([0xE4 + 2, 258]) == "\ufffd a"


def test_a_blank_and_half_a_character_in_one_id():
    tokenizer = fake_runtimes.ByteLevel()
    ids = [part(tokenizer, spelled) for spelled in ("20 E4", "BD A0", "61")]
    state = tokenizer.new_decode_state()
    deltas = [tokenizer.decode_incremental([i], state) for i in ids]
    assert deltas == [" ", "你", "a"]
    assert tokenizer.token_pieces(ids) == [" ", "你", "a"]


def test_each_id_ends_one_character_and_begins_the_next():
    tokenizer = fake_runtimes.ByteLevel()
    chain = part(tokenizer, "A0 E4")
    ids = [part(tokenizer, "E4 BD"), *[chain, part(tokenizer, "BD")] * 500]
    state = tokenizer.new_decode_state()
    deltas = [tokenizer.decode_incremental([i], state) for i in ids]
    assert deltas == ["", *["你", ""] * 500]
    assert tokenizer.flush_incremental(state) == "\ufffd"


def test_whitespace_is_held_where_the_end_is_stripped():
    tokenizer = fake_runtimes.Stripped()
    spelled = ["20 20", "61", "20", "E3 80", "80", "C2 A0", "61", "20 E4", "09"]
    ids = [part(tokenizer, s) for s in spelled]
    state = tokenizer.new_decode_state()
    deltas = [tokenizer.decode_incremental([i], state) for i in ids]
    assert deltas == ["", "a", "", "", "", "", " \u3000\u00a0a", " ", "\ufffd"]
    assert tokenizer.flush_incremental(state) == ""


@pytest.mark.parametrize("kind", [*KINDS, fake_runtimes.Following])
def test_cuts_and_copies_change_nothing(kind):
    tokenizer, rng = kind(), random.Random(0)
    for _ in range(1_000 * conftest.SCALE):
        ids = [rng.randrange(-1, 40) for _ in range(rng.randrange(12))]
        cuts = sorted(rng.choices(range(len(ids) + 1), k=3))
        state, given = tokenizer.new_decode_state(), ""
        for start, end in itertools.pairwise([0, *cuts, len(ids)]):
            state = rng.choice([state, state.copy(), pickle.loads(pickle.dumps(state))])
            given += tokenizer.decode_incremental(ids[start:end], state)
            assert tokenizer.settled(ids[:end]) == len(given)
        assert given + tokenizer.flush_incremental(state) == tokenizer.decode(ids)
