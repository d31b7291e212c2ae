"""Holds the ids of segments to those of the whole text of a prompt.

Control tokens part a text before it is cut into pieces. So what lies between two of
them, slots and plain text, is encoded as one: a vocabulary may have pieces over the
border of a slot.
"""

from collections.abc import Iterator, Sequence
import itertools

from oasr import tokenizers
from oasr.checkpoints import prompt_template as prompts

# Prompts without markup, which begin and end in every way that matters to a border.
_PROBES = (
    "What is said?",
    "transcribe the speech",
    "\n\nnew line",
    "  two blanks  ",
    "tab\t",
    "'s not; 1 2 34.",
    "语音识别。",
    "é😀",
    "ends with a line\n",
    "\u00a0\u3000wide",
)


def refine(
    tokenizer: tokenizers.Tokenizer, segments: Sequence[prompts.Segment]
) -> tuple[prompts.Segment, ...]:
    """Returns the segments with plain text cut from the ends of markup.

    Args:
      tokenizer: of the model.
      segments: whose literals are all markup.
    """
    return tuple(
        part
        for segment in segments
        for part in (
            _parts(tokenizer, segment.text) if segment.kind == "markup" else [segment]
        )
    )


def difference(
    tokenizer: tokenizers.Tokenizer,
    segments: Sequence[prompts.Segment],
    slots: Sequence[str],
    audio_token: str,
) -> str | None:
    """Returns why the ids of segments are not those of the text, None if they are.

    Args:
      tokenizer: of the model.
      segments: of one prompt.
      slots: their names.
      audio_token: stands for the recording in the text.
    """
    audio_ids = tokenizer.encode(audio_token) if audio_token else []
    if audio_token and len(audio_ids) != 1:
        return f"{audio_token} is no token of the vocabulary"
    for probes in _assignments(slots):
        whole = tokenizer.encode(prompts.write(segments, probes, audio_token))
        ids = prompts.encode(tokenizer, segments, probes)
        if whole != [audio_ids[0] if i is prompts.AUDIO else i for i in ids]:
            return (
                f"with {dict(probes)!r} the ids of its segments are not those of the"
                " whole text"
            )
    return None


def _assignments(slots: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yields what to try: all pairs; of more slots, of each two that follow."""
    count = len(_PROBES)
    if len(slots) <= 2:
        rows = itertools.product(_PROBES, repeat=len(slots))
        yield from (dict(zip(slots, row, strict=True)) for row in rows)
        return
    for start, step in itertools.product(range(count), repeat=2):
        yield {
            slot: _PROBES[(start + place * step) % count]
            for place, slot in enumerate(slots)
        }


def _parts(tokenizer: tokenizers.Tokenizer, text: str) -> list[prompts.Segment]:
    """Returns plain text, markup that begins and ends in control tokens, plain text."""
    ids = tokenizer.encode(text)
    if not tokenizer.special_ids.intersection(ids):
        return [prompts.Segment("plain", text)]
    end = _last_control_end(tokenizer, text, ids)
    start = _first_control_start(tokenizer, text[:end], tokenizer.encode(text[:end]))
    parts = [
        prompts.Segment("plain", text[:start]),
        prompts.Segment("markup", text[start:end]),
        prompts.Segment("plain", text[end:]),
    ]
    return [part for part in parts if part.text]


def _last_control_end(
    tokenizer: tokenizers.Tokenizer, text: str, ids: list[int]
) -> int:
    """Returns where the last control token ends, if the text behind it is plain."""
    found = len(text)
    for end in range(len(text), 0, -1):
        tail = tokenizer.encode(text[end:], split_special_tokens=True)
        if tokenizer.special_ids.intersection(tokenizer.encode(text[end:])):
            break
        head = ids[: len(ids) - len(tail)]
        if head + tail != ids or not head or head[-1] not in tokenizer.special_ids:
            continue
        if tokenizer.encode(text[:end]) == head:
            found = end
    return found


def _first_control_start(
    tokenizer: tokenizers.Tokenizer, text: str, ids: list[int]
) -> int:
    """Returns where the first control token begins, if the text before it is plain."""
    found = 0
    for start in range(len(text)):
        head = tokenizer.encode(text[:start], split_special_tokens=True)
        if tokenizer.special_ids.intersection(tokenizer.encode(text[:start])):
            break
        tail = ids[len(head) :]
        if head + tail != ids or not tail or tail[0] not in tokenizer.special_ids:
            continue
        if tokenizer.encode(text[start:]) == tail:
            found = start
    return found
