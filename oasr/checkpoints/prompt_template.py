"""Prompts as segments: what a chat template writes, with slots for what users type.

A shape is the list of segments for one choice of what is there: a system text or
none, a prompt or none. A segment of markup is written with control tokens; plain
segments and slots are text, in which no control token is ever seen. Before the prompt
there may be turns, each what a user said and the reply to it.
"""

from collections.abc import Collection, Mapping, Sequence
import dataclasses
import itertools
from typing import Any, Literal

from oasr import tokenizers

Kind = Literal["markup", "plain", "slot", "audio"]
Strip = Literal["", "both", "end"]

# What a user may type, in the order of a prompt.
SLOTS = ("system", "prompt")
# The slots of an earlier turn; with its number behind them in a whole prompt.
TURN_SLOTS = ("user", "reply")
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
class Turns:
    """The segments of a shape behind earlier turns.

    Attributes:
      first: up to the first reply.
      again: from there to the next reply, as often as there is one.
      last: from the last reply to the end.
    """

    first: tuple[Segment, ...]
    again: tuple[Segment, ...]
    last: tuple[Segment, ...]

    def segments(self, count: int) -> tuple[Segment, ...]:
        """Returns the segments of a prompt behind `count` turns, at least one."""
        found = [*numbered(self.first, 1)]
        for number in range(2, count + 1):
            found += numbered(self.again, number)
        return (*found, *self.last)


@dataclasses.dataclass(frozen=True)
class PromptTemplate:
    """The segments of each shape.

    Attributes:
      shapes: the segments, by what is in its slots, e.g. ("system", "prompt").
      refused: why there are no segments, for the other shapes.
      turns: those behind earlier turns, of the shapes with a prompt.
      refused_turns: why there are none, for the others of them.
    """

    shapes: Mapping[tuple[str, ...], tuple[Segment, ...]]
    refused: Mapping[tuple[str, ...], str] = dataclasses.field(default_factory=dict)
    turns: Mapping[tuple[str, ...], Turns] = dataclasses.field(default_factory=dict)
    refused_turns: Mapping[tuple[str, ...], str] = dataclasses.field(
        default_factory=dict
    )

    def segments(self, slots: Mapping[str, str], turns: int = 0) -> tuple[Segment, ...]:
        """Returns the segments of the shape with these slots.

        Args:
          slots: what is in them.
          turns: how many turns go before.

        Raises:
          ValueError: if the template cannot write that, saying why.
        """
        shape = shape_of(slots)
        if turns:
            if shape not in self.turns:
                refused = {**self.refused, **self.refused_turns}
                reason = refused.get(shape, "it was not compiled")
                raise ValueError(
                    f"The chat template has no prompt with {named(shape)} behind"
                    f" earlier turns: {reason}."
                )
            return self.turns[shape].segments(turns)
        if shape not in self.shapes:
            reason = self.refused.get(shape, "it was not compiled")
            raise ValueError(
                f"The chat template has no prompt with {named(shape)}: {reason}; it"
                f" has prompts with {[named(known) for known in self.shapes]}."
            )
        return self.shapes[shape]

    def encode(
        self,
        tokenizer: tokenizers.Tokenizer,
        slots: Mapping[str, str],
        turns: Sequence[tuple[str, str]] = (),
    ) -> list[int | None]:
        """Returns the ids of a prompt, `AUDIO` where the recording goes.

        No id of a control token comes from a slot, whatever is in it.

        Args:
          tokenizer: of the model.
          slots: what is in them.
          turns: what was said before, and the replies.

        Raises:
          ValueError: as `segments`.
        """
        segments = self.segments(slots, len(turns))
        return encode(tokenizer, segments, {**slots, **turn_slots(turns)})

    def to_json(self) -> dict[str, Any]:
        """Returns what `from_json` reads."""
        found: dict[str, Any] = {
            "shapes": {_name(key): _to_json(own) for key, own in self.shapes.items()},
            "refused": {_name(key): reason for key, reason in self.refused.items()},
        }
        if self.turns or self.refused_turns:
            found["turns"] = {
                _name(shape): {
                    field.name: _to_json(getattr(turns, field.name))
                    for field in dataclasses.fields(Turns)
                }
                for shape, turns in self.turns.items()
            }
            found["refused_turns"] = {
                _name(key): reason for key, reason in self.refused_turns.items()
            }
        return found

    @classmethod
    def from_json(cls, value: object) -> "PromptTemplate":
        """Returns the template that `to_json` gave.

        Raises:
          ValueError: if it is none.
        """
        try:
            given: Any = value
            shapes = {
                _shape(name): _from_json(segments, shape_of(_shape(name)))
                for name, segments in given["shapes"].items()
            }
            turns = {
                _shape(name): _turns_from_json(parts, shape_of(_shape(name)))
                for name, parts in given.get("turns", {}).items()
            }
            refused, refused_turns = (
                {_shape(name): str(why) for name, why in given.get(key, {}).items()}
                for key in ("refused", "refused_turns")
            )
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(
                "Expected the segments of a prompt as a checkpoint's oasr.json has"
                f" them: {type(error).__name__}: {error}."
            ) from error
        return cls(shapes, refused, turns, refused_turns)


def numbered(segments: Sequence[Segment], number: int) -> tuple[Segment, ...]:
    """Returns the segments of a turn with its number in the names of its slots."""
    return tuple(
        dataclasses.replace(segment, text=f"{segment.text} {number}")
        if segment.kind == "slot" and segment.text in TURN_SLOTS
        else segment
        for segment in segments
    )


def turn_slots(turns: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Returns what is in the slots of turns, by their numbered names."""
    return {
        f"{name} {number}": text
        for number, turn in enumerate(turns, start=1)
        for name, text in zip(TURN_SLOTS, turn, strict=True)
    }


def shape_of(slots: Collection[str]) -> tuple[str, ...]:
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


def _name(shape: tuple[str, ...]) -> str:
    return "+".join(shape)


def _shape(name: str) -> tuple[str, ...]:
    return tuple(name.split("+")) if name else ()


def _to_json(segments: Sequence[Segment]) -> list[dict[str, Any]]:
    return [_segment_to_json(segment) for segment in segments]


def _from_json(segments: Any, slots: Sequence[str]) -> tuple[Segment, ...]:
    return tuple(_segment_from_json(segment, slots) for segment in segments)


def _turns_from_json(parts: Any, shape: tuple[str, ...]) -> Turns:
    return Turns(
        **{
            part: _from_json(segments, shape if part == "last" else shape + TURN_SLOTS)
            for part, segments in parts.items()
        }
    )


def _segment_to_json(segment: Segment) -> dict[str, Any]:
    if segment.kind == "audio":
        return {"audio": True}
    if segment.strip:
        return {segment.kind: segment.text, "strip": segment.strip}
    return {segment.kind: segment.text}


def _segment_from_json(value: Any, slots: Sequence[str]) -> Segment:
    kinds = [kind for kind in _KINDS if kind in value]
    if len(kinds) != 1 or set(value) - {*kinds, "strip"}:
        raise ValueError(f"a segment has one of {list(_KINDS)}, got {value!r}")
    kind = kinds[0]
    if kind == "audio":
        return Segment("audio")
    text, strip = value[kind], value.get("strip", "")
    if not isinstance(text, str) or strip not in ("", "both", "end"):
        raise ValueError(f"a segment has a text, got {value!r}")
    if kind == "slot" and text not in slots:
        raise ValueError(f"a slot is one of {list(slots)}, got {text!r}")
    return Segment(kind, text, strip)  # type: ignore[arg-type]
