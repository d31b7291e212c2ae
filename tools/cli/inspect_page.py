"""An inspection as a page for people."""

from collections.abc import Iterator, Mapping
import json
from typing import Any

from oasr import checkpoints
from tools.cli import messages

_MOST_ITEMS = 12  # Whisper has 1,500 special ids.
_MOST_CHARACTERS = 200  # A chat template has thousands.


def page(found: "checkpoints.Inspection") -> str:
    """Returns the page; what has no shape on a terminal is shown as escapes."""
    rows = [(label, messages.printable(text)) for label, text in _rows(found)]
    width = max(len(label) for label, _ in rows) + 2
    lines = [f"{label:{width}}{text}" for label, text in rows]
    return "".join(f"{line.rstrip()}\n" for line in [*lines, *_findings(found)])


def _rows(found: "checkpoints.Inspection") -> Iterator[tuple[str, str]]:
    """Yields the labels and what is said under each."""
    checkpoint = found.checkpoint
    spec = checkpoint.tokenizer
    yield "directory", found.path
    yield "detected", found.detected
    yield from _labelled("because", found.reasons)
    yield "family", checkpoint.family
    encodes = "decodes and encodes" if found.supports_encode else "decodes only"
    yield "tokenizer", f"{spec.kind}, {encodes}"
    yield from _labelled("files", [f"{role}: {p}" for role, p in spec.files.items()])
    yield from _labelled("options", _items(spec.options))
    yield (
        "vocabulary",
        f"{found.vocab_size} ids; {checkpoint.vocab_size} labels of the model",
    )
    yield "blank", _blank(found)
    seconds = checkpoint.seconds_per_frame
    yield "frame", "not known" if seconds is None else f"{seconds} s"
    specials = [f"{name} = {token_id}" for name, token_id in found.specials.items()]
    yield "specials", _joined(specials)
    yield from _labelled("extras", _items(checkpoint.extras))
    others = [claim for claim in found.claims if claim.converter != found.detected]
    yield from _labelled("others", [str(claim) for claim in others])


def _findings(found: "checkpoints.Inspection") -> Iterator[str]:
    yield ""
    if not found.findings:
        yield "Nothing looks wrong."
    for finding in found.findings:
        message = f"{finding.severity}: {finding.message} ({finding.rule})"
        yield messages.printable(message)
        yield f"  {messages.printable(finding.fix)}"


def _labelled(label: str, texts: Any) -> Iterator[tuple[str, str]]:
    """Yields each text, the first one with the label."""
    for k, text in enumerate(texts):
        yield "" if k else label, text


def _items(values: Mapping[str, Any]) -> list[str]:
    return [f"{name}: {_value(value)}" for name, value in values.items()]


def _value(value: Any) -> str:
    """Returns a value as JSON, of a long one the beginning."""
    if isinstance(value, dict):
        return _joined([f"{name} = {_value(item)}" for name, item in value.items()])
    if isinstance(value, list):
        return _joined([_value(item) for item in value])
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]}..."


def _joined(items: list[str]) -> str:
    if not items:
        return "none"
    more = len(items) - _MOST_ITEMS
    shown = ", ".join(items[:_MOST_ITEMS])
    return f"{shown} and {more} more (see --json)" if more > 0 else shown


def _blank(found: "checkpoints.Inspection") -> str:
    blank = found.checkpoint.blank_id
    names = [name for name, token_id in found.specials.items() if token_id == blank]
    return "none" if blank is None else " ".join([str(blank), *names])
