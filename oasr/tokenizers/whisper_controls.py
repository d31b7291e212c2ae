"""The names of Whisper's control tokens, and their ids."""

from collections.abc import Mapping
import reprlib

END_OF_TEXT = "<|endoftext|>"

# One role, two spellings: large-v3 and the reference have the first, most published
# files the second.
NO_SPEECH = ("<|nospeech|>", "<|nocaptions|>")

# Every 0.02 s from 0 to 30 s, right behind <|notimestamps|> (whisper/tokenizer.py).
TIMESTAMPS = [f"<|{n / 50:.2f}|>" for n in range(1501)]


def read(
    texts: Mapping[int, str | None], *, eot_id: int, vocab_size: int
) -> dict[str, int]:
    """Returns the id of each control token.

    Args:
      texts: the text of each id of the vocabulary, None in a gap.
      eot_id: where the control tokens begin.
      vocab_size: the model's; timestamps that the file stops short of have ids, too.
    """
    named = {
        name: token_id
        for token_id, name in texts.items()
        if token_id >= eot_id and name is not None
    }
    if "<|notimestamps|>" in named:
        taken, first = set(named.values()), named["<|notimestamps|>"] + 1
        for token_id, name in enumerate(TIMESTAMPS, start=first):
            if token_id < vocab_size and token_id not in taken:
                named.setdefault(name, token_id)
    for spelling, other in (NO_SPEECH, NO_SPEECH[::-1]):
        if other in named:
            named.setdefault(spelling, named[other])
    return named


def find(named: Mapping[str, int], name: str, path: str) -> int:
    """Returns the id of a control token.

    Raises:
      TypeError: if `name` is no text.
      ValueError: if there is none of that name in the vocabulary at `path`.
    """
    if not isinstance(name, str):
        raise TypeError(
            "Expected the name of a control token, e.g. '<|en|>', got"
            f" {reprlib.repr(name)} of type {type(name).__name__}."
        )
    if name in named:
        return named[name]
    core = name.strip("<|>")
    close = [other for other in named if core and core in other][:3]
    raise ValueError(
        f"{path}: the vocabulary has no control token {name!r}"
        + (f"; {close} have it in their names." if close else ".")
    )
