"""Tests for the memory that it takes to refuse a tokenizer.json, at the bounds."""

import json
import re

import pytest

from tests.tokenizers import refusal_cost
from tests.tokenizers import small_tokenizers as small
from tests.tokenizers import tokenizer_jsons

_BPE = {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]}
_TWO = {"type": "Unigram", "unk_id": 0, "vocab": [["a", 0.0], ["b", -1.0]]}

_MOST = 200_000_000


def document(model, **sections):
    content = {"version": "1.0"} | sections | {"model": model}
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def vocab(count, **more):
    return {f"a{n}": n for n in range(count)} | more


def pairs():
    """Near half a million texts and as many merges: as many keys as are parsed."""
    parts = [f"{n:03x}" for n in range(700)]
    merges = [[left, right] for left in parts for right in parts]
    texts = [*parts, *(left + right for left, right in merges)]
    return _BPE | {"vocab": {t: n for n, t in enumerate(texts)}, "merges": merges}


def with_merge(merge):
    model = pairs()
    return model | {"merges": [*model["merges"], merge]}


def pieces(count, *more):
    return _TWO | {"vocab": [*([f"a{n}", -n / 7] for n in range(count)), *more]}


def long_pieces(count, *more):
    """As many bytes as are parsed, all but in as many pieces."""
    vocab = [[f"{n:x>42}", -n / 7] for n in range(count)]
    return _TWO | {"vocab": [*vocab, *more]}


_HALF = 2**19 - 100

# A file that is malformed, and what is said of it; made when it is written.
COSTLY = {
    "brackets": (lambda: b"[" * 100_000_000, "no tokenizer has over 50331648"),
    "pairs of brackets": (
        lambda: b"[" + b"[]," * 33_000_000 + b"[]]",
        "no tokenizer has over 50331648",
    ),
    "braces": (lambda: b'{"a":' * 20_000_000, "no tokenizer has over 50331648"),
    "brackets within the size": (lambda: b"[" * 40_000_000, "of the marks '"),
    "the most brackets that are parsed": (
        lambda: b"[" + b"[]," * 1_040_000 + b"[]]",
        "expected a JSON object",
    ),
    "the most keys that are parsed": (
        lambda: b"{%s}" % b",".join(b'"%d":0' % n for n in range(2**19)),
        "expected a tokenizer",
    ),
    "the most objects that are parsed": (
        lambda: b"[" + b",".join([b'{"a":[{}]}'] * 520_000) + b"]",
        "expected a JSON object",
    ),
    "a long text": (lambda: b'{"a": "' + b"x" * 48_000_000 + b'"}', "model.vocab"),
    "a long text with an emoji": (
        lambda: '{"a": "😀'.encode() + b"x" * 48_000_000,
        "Unterminated string",
    ),
    "a long number": (lambda: b'{"a": ' + b"9" * 48_000_000 + b"}", "4300 digits"),
    "blanks": (lambda: b" " * 48_000_000, "Expecting value"),
    "zeros": (lambda: bytes(48_000_000), "Expecting value"),
    "cut short": (
        lambda: document(_BPE | {"vocab": vocab(_HALF, **{"x" * 38_000_000: 2**19})})[
            :-2
        ],
        "Expecting ',' delimiter",
    ),
    "cut short, with an emoji": (
        lambda: document(_BPE | {"vocab": vocab(_HALF, **{"😀" * 9_000_000: 2**19})})[
            :-2
        ],
        "Expecting ',' delimiter",
    ),
    "many pieces, cut short": (
        lambda: document(pieces(690_000))[:-2],
        "Expecting ',' delimiter",
    ),
    "many long pieces, cut short": (
        lambda: document(long_pieces(690_000))[:-2],
        "Expecting ',' delimiter",
    ),
    "many long pieces, the last without a score": (
        lambda: document(long_pieces(690_000, ["a"])),
        r"a text and its score at model.vocab\[690000\], found \['a'\]",
    ),
    "a merge 690,000 times": (
        lambda: document(_BPE | {"merges": [["a", "b"]] * 690_000}),
        r"model.merges\[1\] is \['a', 'b'\], which model.merges\[0\] is already",
    ),
    "2.9 million merges": (
        lambda: document(_BPE | {"merges": ["a b"] * 2_900_000}),
        "no tokenizer has over",
    ),
    "1.1 million merges": (
        lambda: document(_BPE | {"merges": ["a b"] * 1_100_000}),
        "model.merges has 1100000 entries; no vocabulary has over 1048576",
    ),
    "a merge that names no entry, the last": (
        lambda: document(with_merge(["zz", "zz"])),
        r"model.merges\[490000\] is \['zz', 'zz'\], but 'zz' is not in model.vocab",
    ),
    "a merge that is shorter than the prefix": (
        lambda: document(with_merge("000 001") | {"continuing_subword_prefix": "####"}),
        r"two texts at model.merges\[0\]",
    ),
    "a piece 690,000 times": (
        lambda: document(_TWO | {"vocab": [["a", 0.0]] * 690_000}),
        "has 1 texts and ids up to 689999",
    ),
    "a piece without a score, the last": (
        lambda: document(pieces(690_000, ["a"])),
        r"a text and its score at model.vocab\[690000\], found \['a'\]",
    ),
    "an unk_id that is no place": (
        lambda: document(pieces(690_000) | {"unk_id": 690_000}),
        "model.unk_id is 690000; expected null or the place of one of the 690000",
    ),
    "an id twice, the last": (
        lambda: document(_BPE | {"vocab": vocab(_HALF, z=7), "merges": []}),
        "gives the id 7 twice, to 'a7' and to 'z'",
    ),
    "a text twice, the last": (
        lambda: document(_BPE | {"vocab": vocab(_HALF, zz=7)}).replace(b"zz", b"a9"),
        "the key 'a9' is given twice, as 9 and as 7",
    ),
    "the largest id": (
        lambda: document(_BPE | {"vocab": _BPE["vocab"] | {"z": 2**20}}),
        "has 4 texts and ids up to 1048576",
    ),
    "the largest id added": (
        lambda: document(_TWO, added_tokens=[small.added(2**20, "x")]),
        "has 3 texts and ids up to 1048576; expected at least one id in 4",
    ),
    "an added id that is taken": (
        lambda: document(pairs(), added_tokens=[small.added(5, "x")]),
        "declares the id 5, which is '005' already",
    ),
    "an added id that is taken by a piece": (
        lambda: document(pieces(690_000), added_tokens=[small.added(5, "x")]),
        "declares the id 5, which is 'a5' already",
    ),
    "many added tokens, the last a number": (
        lambda: document(
            _BPE,
            added_tokens=[
                *({"id": n + 3, "content": str(n)} for n in range(170_000)),
                3,
            ],
        ),
        r"added_tokens\[170000\]: expected an object",
    ),
    "a model of no known type": (
        lambda: document(_BPE | {"vocab": vocab(_HALF), "merges": [], "type": "X"}),
        "is no tokenizer",
    ),
    "a decoder of no known type": (
        lambda: document(
            _BPE | {"vocab": vocab(_HALF), "merges": []}, decoder={"type": "X"}
        ),
        "is no tokenizer",
    ),
}


@pytest.mark.parametrize(("make", "message"), COSTLY.values(), ids=COSTLY)
def test_a_refusal_takes_less_than_200_megabytes(tmp_path, make, message):
    good, bad = tmp_path / "good.json", tmp_path / "tokenizer.json"
    good.write_text(tokenizer_jsons.GOOD)
    bad.write_bytes(make())
    options = {"on_id_mismatch": "fill"}
    ((found, memory, _),) = refusal_cost.measure(
        "HuggingFaceTokenizer", good, [bad], **options
    )
    assert found.startswith(f"{bad}:")
    assert re.search(message, found), found
    assert memory < _MOST


# Whatever holds no objects, or no JSON: any other object declares nothing.
NO_CONFIGS = [*list(COSTLY)[:5], "a long text with an emoji", "blanks", "zeros"]


@pytest.mark.parametrize("name", NO_CONFIGS)
def test_so_does_the_refusal_of_a_configuration(tmp_path, name):
    make, _ = COSTLY[name]
    good, bad = tmp_path / "good.json", tmp_path / "tokenizer_config.json"
    good.write_text(tokenizer_jsons.GOOD)
    bad.write_bytes(make())
    ((found, memory, _),) = refusal_cost.measure(
        "HuggingFaceTokenizer", good, [good], tokenizer_config_path=str(bad)
    )
    assert found.startswith(f"{bad}:")
    assert memory < _MOST
