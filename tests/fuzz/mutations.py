"""Makes inputs of inputs: bytes, lines and JSON with something changed in them."""

from collections.abc import Sequence
import json
import random
from typing import Any

# Other types, numbers out of range, bytes that are no text, what readers look for.
_PARTS = [b"null", b"-1", b"1e999", b"NaN", b"[]", b"{}", b'""', b"9" * 20, b"true"]
_PARTS += [b"\xff", b"\0", b"\n", b"\r", b" ", b"\t", b"\xef\xbb\xbf", b"\xe2\x96\x81"]
_PARTS += [b"<blk>", b"<unk>", b"<0xE4>", b"@@", b": ", b"- ", b"&a ", b"*a", b"!!int "]
_PARTS += [b'"\\ud800"', b"0.5", b"[" * 60, b"\xf0\x9f\x98\x80", b"\xe3\x80\x80"]
_PARTS += [b"../", b"/", b"<|endoftext|>", b"{{", b"}}", b"{%", b"%}", b"#"]

_VALUES: list[Any] = [None, True, False, 0, 1, -1, 2**31, 2**63, 2**70, 0.5, 1e308]
_VALUES += ["", " ", "\u2581", "\ud800", "\0", "a" * 300, "<unk>", "\u3000", "😀"]
_VALUES += [[], {}, [[]], {"": ""}, [None], ["a", "b"], [1, 2], {"type": "BPE"}]
_TYPES = ["BPE", "Unigram", "WordPiece", "WordLevel", "ByteLevel", "Metaspace", "Strip"]
_TYPES += ["Sequence", "ByteFallback", "Fuse", "Replace", "Split", "Prepend", "CTC"]
_TYPES += ["Lowercase", "NFKC", "Precompiled", "BertPreTokenizer", "Digits", "Nmt"]
_TYPES += ["TemplateProcessing", "BPEDecoder", "Punctuation", "FixedLength"]


def of_bytes(data: bytes, rng: random.Random) -> bytes:
    """Returns `data` with one to four changes."""
    for _ in range(rng.randint(1, 4)):
        start = rng.randrange(len(data) + 1)
        end = min(len(data), start + rng.choice([0, 0, 1, 1, 2, 4, 12, 100]))
        before, middle, after = data[:start], data[start:end], data[end:]
        part = rng.choice(_PARTS)
        data = rng.choice(
            [
                before + after,
                before + part + middle + after,
                before + part + after,
                before + middle * 3 + after,
                before + bytes([rng.randrange(256)]) + after,
                before + bytes(byte ^ 1 << rng.randrange(8) for byte in middle) + after,
            ]
        )
    return data


def of_lines(data: bytes, rng: random.Random) -> bytes:
    """Returns `data` with lines moved, or with changes of bytes."""
    if rng.random() < 0.7:
        return of_bytes(data, rng)
    lines = data.split(b"\n")
    first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[first] = rng.choice([lines[second], lines[first] + lines[second], b""])
    return b"\n".join(lines)


def of_json(data: bytes, rng: random.Random) -> bytes:
    """Returns `data` with some of its values replaced, moved, added or dropped."""
    if rng.random() < 0.1:
        return of_bytes(data, rng)
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return of_bytes(data, rng)
    values = list(_walk(content))
    for _ in range(rng.randint(1, 3)):
        _change(rng.choice(values), values, rng)
    try:
        text = json.dumps(content, ensure_ascii=rng.random() < 0.5)
    except (ValueError, RecursionError):  # A value that holds itself.
        return of_bytes(data, rng)
    return text.encode("utf-8", "surrogatepass")[: 1 << 20]


def _walk(content: Any) -> list[Any]:
    """Returns the objects and arrays in a value, at least one."""
    found, left = [], [content]
    while left:
        value = left.pop()
        if isinstance(value, dict | list):
            found.append(value)
            left += value.values() if isinstance(value, dict) else value
    return found or [[content]]


def _change(value: Any, others: Sequence[Any], rng: random.Random) -> None:
    new = rng.choice([rng.choice(_VALUES), rng.choice(_TYPES), rng.randrange(-3, 400)])
    if isinstance(value, dict):
        keys = [*value, "type", "id", "content", "vocab"]
        key = rng.choice(keys)
        if key in value and rng.random() < 0.3:
            del value[key]
        elif rng.random() < 0.3:
            other = rng.choice(others)
            value[key] = _copied(other)
        else:
            value[key] = new
    elif value and rng.random() < 0.3:
        del value[rng.randrange(len(value))]
    elif value and rng.random() < 0.5:
        value[rng.randrange(len(value))] = new
    else:
        item = rng.choice(value) if value and rng.random() < 0.5 else new
        value.insert(rng.randrange(len(value) + 1), item)


def _copied(value: Any) -> Any:
    try:
        return json.loads(json.dumps(value))
    except (ValueError, RecursionError):
        return None
