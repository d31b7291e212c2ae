"""The native modules from Python: any arguments, right ones or not."""

import itertools
import json

import numpy as np

from oasr._native import ctc_prefix_beam
from oasr._native import json_reader
from oasr._native import piece_table
from oasr._native import symbol_table
from oasr._native import token_ids
from oasr._native import word_grouping
from tests.fuzz import choices
from tests.fuzz import mutations
from tests.fuzz import target

_REFUSALS = (ValueError, TypeError, IndexError, OverflowError)
_OTHERS = (None, True, "a", b"a", 0.5, [1], {}, -1, 2**70, float("nan"), np.int64(3))
_DTYPES = ("float64", "float32", "float16", "int64", "uint8", "bool", "object", "<U3")


def _strange_ids(chosen: choices.Choices) -> list:
    ids = chosen.ids(12)
    return [chosen.one_of(_OTHERS) if chosen.byte() > 250 else i for i in ids]


def _array(chosen: choices.Choices, size: int, dtype: str) -> np.ndarray:
    """Returns mostly `size` numbers of the type, in any layout."""
    if chosen.byte() > 245:
        dtype, size = chosen.one_of(_DTYPES), chosen.up_to(9)
    with np.errstate(all="ignore"):
        numbers = np.array([chosen.number() for _ in range(size)])
        numbers = np.nan_to_num(numbers) if dtype[0] in "iu" else numbers
        found = numbers.clip(-1e9, 1e9).astype(dtype) if dtype[0] != "f" else numbers
        found = found.astype(dtype)
    match chosen.up_to(40):
        case 0:
            return np.repeat(found, 2)[::2]
        case 1:
            return found.reshape(-1, 1)
        case 2:
            return found[::-1]
    return found


def _words(data: bytes) -> None:
    chosen = choices.Choices(data)
    text = chosen.bytes(48)
    size = chosen.up_to(10)
    steps = [chosen.up_to(6) for _ in range(size)]
    ends = np.minimum(np.cumsum(steps), len(text)).astype(np.int64)
    if size and chosen.byte() < 230:
        ends[-1] = len(text)
    lends = _array(chosen, size, chosen.one_of(("bool", "uint8")))
    starts = _array(chosen, size, "float64")
    stops = starts + 1 if chosen.byte() < 200 else _array(chosen, size, "float64")
    sure = _array(chosen, size, "float64") if chosen.byte() < 128 else None
    spans = word_grouping.word_spans(text, ends, lends)
    assert all(0 <= first <= last < size for _, first, last in spans)
    words = word_grouping.group_words(text, ends, lends, starts, stops, sure)
    assert [word[0] for word in words] == [span[0] for span in spans]
    shown = text.decode("utf-8", "replace")
    if shown.encode() == text:
        place = 0
        for word, *_ in words:
            place = shown.index(word, place) + len(word)
    word_grouping.grapheme_ends(text)


def _pieces(data: bytes) -> None:
    chosen = choices.Choices(data)
    size = chosen.up_to(12)
    table = piece_table.PieceTable(
        size, marks_each_byte=chosen.byte() % 2 == 0, strips_ends=chosen.byte() % 2 == 0
    )
    known = {}
    for token_id in range(size):
        piece = chosen.bytes(5)
        known[token_id] = piece
        table.set(token_id, piece, piece, chosen.byte() % 2 == 0)
    ids = _strange_ids(chosen)
    stream = table.new_stream()
    given = table.feed(ids, stream)
    pieces = table.token_pieces(ids)
    assert (given is None) == (pieces is None)
    if given is not None:
        assert given + stream.finish() == "".join(pieces)
    plain = [i for i in ids if type(i) is int and abs(i) < 2**63]
    table = symbol_table.SymbolTable(known)
    joined, ends = table.joined_pieces(plain)
    cuts = [0, *ends.tolist()]
    cut = [joined[a:b].decode() for a, b in itertools.pairwise(cuts)]
    assert cut == table.token_pieces(plain)
    assert table.is_text(plain).tolist() == [i in known for i in plain]


def _ids(data: bytes) -> None:
    chosen = choices.Choices(data)
    ids = _strange_ids(chosen)
    dropped = frozenset(chosen.ids(12, most=4))
    plain = [type(i) is int for i in ids]
    assert token_ids.all_int(ids) == all(plain)
    assert token_ids.in_range(ids, 9) == all(
        is_int and 0 <= i < 9 for i, is_int in zip(ids, plain, strict=True)
    )
    found = token_ids.select(ids, 0, 9, dropped)
    if all(plain):
        kept = [0 <= i < 9 and i not in dropped for i in ids]
        assert found == list(itertools.compress(ids, kept))
        assert token_ids.mask(ids, 0, 9, dropped).tolist() == kept
    else:
        assert found is None


def _json(data: bytes) -> None:
    """Compares with Python's own reader, which nests deeper."""

    def twice(key, *_):
        raise ValueError(f"The key {key!r} is there twice.")

    def unique(pairs):
        if len(dict(pairs)) < len(pairs):
            raise ValueError("A key is there twice.")
        return dict(pairs)

    found, fault = json_reader.read(data, twice)
    if fault and fault[0] == "depth":
        return
    expected, refused = None, False
    try:
        expected = json.loads(data.decode(), object_pairs_hook=unique)
    except (ValueError, RecursionError):
        refused = True
    assert bool(fault) == refused
    assert fault is None or 0 <= fault[1] <= len(data)
    assert repr(found) == repr(expected)  # As NaN is not equal to itself.


def _beam(data: bytes) -> None:
    chosen = choices.Choices(data)
    frames, labels = chosen.up_to(12), 1 + chosen.up_to(8)
    scores = _array(chosen, frames * labels, "float32")
    scores = -np.abs(scores) if scores.dtype.kind == "f" else scores
    if scores.size == frames * labels and chosen.byte() < 250:
        scores = scores.reshape(frames, labels)
    options = {"blank_id": chosen.up_to(labels), "beam_size": chosen.up_to(12)}
    if chosen.byte() > 128:
        options["candidates_per_frame"] = chosen.one_of((None, 0, 1, 5, -1, 2**40))
    if chosen.byte() > 128:
        options["candidate_margin"] = chosen.number()
    if chosen.byte() > 128:
        phrases = [
            (_strange_ids(chosen), chosen.number()) for _ in range(chosen.up_to(3))
        ]
        options["context"] = ctc_prefix_beam.ContextGraph(phrases)
    found = ctc_prefix_beam.search(scores, n_best=options["beam_size"], **options)
    assert found
    assert len({one.ids for one in found}) == len(found)
    for one in found:
        assert len(one.ids) == len(one.frames) == len(one.confidences)
        assert all(0 <= value <= 1 for value in one.confidences)
    ctc_prefix_beam.greedy(scores, blank_id=options["blank_id"])


def _json_seeds() -> list[bytes]:
    content = {"a": [1, -2.5e3, None, True, "é\n\ud800", float("nan")], "": {"b": []}}
    return [json.dumps(content).encode(), b'["\xe4\xbd\xa0", 1e999, -0, {"k": 12}]']


def _seeds() -> list[bytes]:
    count = bytes((7 * k + 3) % 256 for k in range(160))
    text = "\x1e hello 你好, (foo) d’or.  ".encode()
    return [text + count, count, count[::-1], bytes(range(0, 240, 3)), bytes(64)]


NATIVE_WORDS = target.Target(run=_words, seeds=_seeds, refusals=_REFUSALS, short=8000)
NATIVE_PIECES = target.Target(run=_pieces, seeds=_seeds, refusals=_REFUSALS, short=8000)
NATIVE_IDS = target.Target(run=_ids, seeds=_seeds, refusals=_REFUSALS, short=8000)
NATIVE_JSON = target.Target(
    run=_json,
    seeds=_json_seeds,
    refusals=(ValueError,),  # A key that is there twice.
    mutate=lambda data, rng: rng.choice([mutations.of_json, mutations.of_bytes])(
        data, rng
    ),
    short=8000,
)
NATIVE_BEAM = target.Target(run=_beam, seeds=_seeds, refusals=_REFUSALS, short=5000)
