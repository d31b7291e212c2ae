"""Prompts as segments: what a chat template writes, with slots for what users type.

A shape is the list of segments for one choice of what is there: a system text or
none, a prompt or none. A segment of markup is written with control tokens; plain
segments and slots are text, in which no control token is ever seen.
"""

from collections.abc import Mapping, Sequence
import dataclasses
import itertools
from typing import Any, Literal

from oasr import tokenizers

Kind = Literal["markup", "plain", "slot", "audio"]
Strip = Literal["", "both", "end"]

# What a user may type, in the order of a prompt.
SLOTS = ("system", "prompt")
# Where the audio goes, among ids.
AUDIO = None

_KINDS = ("markup", "plain", "slot", "audio")


@dataclasses.dataclass(frozen=True)
class Segment:
    """A part of a prompt.

    Attributes:
      kind: "markup" and "plain" are written as they are, the latter as text; a "slot"
        is what a user typed; "audio" is the recording.
      text: of the part, or the name of the slot; empty for audio.
      strip: where the slot loses whitespace, if it does: at both ends or at its end.
    """

    kind: Kind
    text: str = ""
    strip: Strip = ""


@dataclasses.dataclass(frozen=True)
class PromptTemplate:
    """The segments of each shape.

    Attributes:
      shapes: the segments, by what is in its slots, e.g. ("system", "prompt").
      refused: why there are no segments, for the other shapes.
    """

    shapes: Mapping[tuple[str, ...], tuple[Segment, ...]]
    refused: Mapping[tuple[str, ...], str] = dataclasses.field(default_factory=dict)

    def segments(self, slots: Mapping[str, str]) -> tuple[Segment, ...]:
        """Returns the segments of the shape with these slots.

        Raises:
          ValueError: if the template cannot write that, saying why.
        """
        shape = shape_of(slots)
        if shape not in self.shapes:
            reason = self.refused.get(shape, "it was not compiled")
            raise ValueError(
                f"The chat template has no prompt with {named(shape)}: {reason}; it"
                f" has prompts with {[named(known) for known in self.shapes]}."
            )
        return self.shapes[shape]

    def encode(
        self, tokenizer: tokenizers.Tokenizer, slots: Mapping[str, str]
    ) -> list[int | None]:
        """Returns the ids of a prompt, `AUDIO` where the recording goes.

        No id of a control token comes from a slot, whatever is in it.

        Raises:
          ValueError: as `segments`.
        """
        return encode(tokenizer, self.segments(slots), slots)

    def to_json(self) -> dict[str, Any]:
        """Returns what `from_json` reads."""
        shapes = {
            "+".join(shape): [_segment_to_json(segment) for segment in segments]
            for shape, segments in self.shapes.items()
        }
        refused = {"+".join(shape): reason for shape, reason in self.refused.items()}
        return {"shapes": shapes, "refused": refused}

    @classmethod
    def from_json(cls, value: object) -> "PromptTemplate":
        """Returns the template that `to_json` gave.

        Raises:
          ValueError: if it is none.
        """
        try:
            given: Any = value
            shapes = {
                tuple(name.split("+")) if name else (): tuple(
                    _segment_from_json(segment) for segment in segments
                )
                for name, segments in given["shapes"].items()
            }
            refused = {
                tuple(name.split("+")) if name else (): str(reason)
                for name, reason in given.get("refused", {}).items()
            }
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(
                "Expected the segments of a prompt as a checkpoint's oasr.json has"
                f" them: {type(error).__name__}: {error}."
            ) from error
        return cls(shapes, refused)


def shape_of(slots: Mapping[str, str]) -> tuple[str, ...]:
    """Returns the shape that has these slots."""
    return tuple(name for name in SLOTS if name in slots)


def named(shape: Sequence[str]) -> str:
    """Returns the name of a shape, in words."""
    return " and ".join(shape) or "neither system nor prompt"


def encode(
    tokenizer: tokenizers.Tokenizer,
    segments: Sequence[Segment],
    slots: Mapping[str, str],
) -> list[int | None]:
    """Returns the ids of segments.

    Plain text and the slots beside it are encoded together, as a vocabulary may
    have pieces over the border; markup is text of its own, as control tokens part
    the text before it is cut into pieces.
    """
    ids: list[int | None] = []
    for kind, group in itertools.groupby(segments, lambda s: _way(s.kind)):
        if kind == "audio":
            ids += [AUDIO for _ in group]
            continue
        text = "".join(_text(segment, slots) for segment in group)
        if text:
            ids += tokenizer.encode(text, split_special_tokens=kind == "text")
    return ids


def write(segments: Sequence[Segment], slots: Mapping[str, str], audio: str) -> str:
    """Returns what the template writes, with `audio` where the recording goes."""
    return "".join(
        audio if segment.kind == "audio" else _text(segment, slots)
        for segment in segments
    )


def _way(kind: Kind) -> str:
    return kind if kind in ("audio", "markup") else "text"


def _text(segment: Segment, slots: Mapping[str, str]) -> str:
    if segment.kind != "slot":
        return segment.text
    text = slots[segment.text]
    if segment.strip:
        return text.strip() if segment.strip == "both" else text.rstrip()
    return text


def _segment_to_json(segment: Segment) -> dict[str, Any]:
    if segment.kind == "audio":
        return {"audio": True}
    if segment.strip:
        return {segment.kind: segment.text, "strip": segment.strip}
    return {segment.kind: segment.text}


def _segment_from_json(value: Any) -> Segment:
    kinds = [kind for kind in _KINDS if kind in value]
    if len(kinds) != 1 or set(value) - {*kinds, "strip"}:
        raise ValueError(f"a segment has one of {list(_KINDS)}, got {value!r}")
    kind = kinds[0]
    if kind == "audio":
        return Segment("audio")
    text, strip = value[kind], value.get("strip", "")
    if not isinstance(text, str) or strip not in ("", "both", "end"):
        raise ValueError(f"a segment has a text, got {value!r}")
    if kind == "slot" and text not in SLOTS:
        raise ValueError(f"a slot is one of {list(SLOTS)}, got {text!r}")
    return Segment(kind, text, strip)  # type: ignore[arg-type]
