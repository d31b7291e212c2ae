"""Finds what a chat template writes for each earlier turn, in prompts behind some."""

from collections.abc import Sequence
import dataclasses

from oasr.checkpoints import prompt_template as prompts

# So many turns show whether each is written like the one before it.
TRIED = 3
# And so many, whether older ones are left out of a long conversation.
MANY = 32


def slots(shape: Sequence[str], turns: int) -> tuple[str, ...]:
    """Returns the slots of a prompt behind so many turns, in order."""
    before = [name for name in shape if name == "system"]
    behind = [name for name in shape if name != "system"]
    earlier = [
        f"{name} {number}"
        for number in range(1, turns + 1)
        for name in prompts.TURN_SLOTS
    ]
    return (*before, *earlier, *behind)


def find(
    one: tuple[prompts.Segment, ...],
    two: tuple[prompts.Segment, ...],
    three: tuple[prompts.Segment, ...],
) -> prompts.Turns | None:
    """Returns the parts that prompts behind one, two and three turns are made of.

    Returns:
      None if what is written of a turn depends on more than which is the first.
    """
    replies = [k for k, segment in enumerate(one) if _is(segment, "reply 1")]
    if not replies:
        return None
    first, last = one[: replies[0] + 1], one[replies[0] + 1 :]
    again = two[len(first) : len(two) - len(last)]
    turns = prompts.Turns(_unnumbered(first, 1), _unnumbered(again, 2), last)
    written = tuple(turns.segments(count) for count in range(1, TRIED + 1))
    return turns if again and written == (one, two, three) else None


def _is(segment: prompts.Segment, slot: str) -> bool:
    return segment.kind == "slot" and segment.text == slot


def _unnumbered(
    segments: tuple[prompts.Segment, ...], number: int
) -> tuple[prompts.Segment, ...]:
    """Returns the segments of a turn without its number in the names of its slots."""
    names = {f"{name} {number}": name for name in prompts.TURN_SLOTS}
    return tuple(
        dataclasses.replace(segment, text=names[segment.text])
        if segment.kind == "slot" and segment.text in names
        else segment
        for segment in segments
    )
