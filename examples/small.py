"""What the examples share: a small vocabulary, made-up evidence, a printed output."""

import pathlib

import numpy as np
from numpy import typing as npt

from oasr import engine
from oasr import tokenizers

PIECES = ("<blank>", "\u2581hello", "\u2581yellow", "\u2581world", "\u2581word")
SECONDS_PER_FRAME = 0.04
CONFUSED = (0, 2, 1, 4, 3)  # What each label is mistaken for.


def symbol_table(folder: str) -> tokenizers.TokenizerSpec:
    """Returns the tokenizer of `PIECES`, whose file is written to `folder`."""
    table = pathlib.Path(folder, "tokens.txt")
    rows = (f"{piece} {token_id}\n" for token_id, piece in enumerate(PIECES))
    table.write_text("".join(rows), encoding="utf-8")
    return tokenizers.TokenizerSpec(
        "symbol_table", {"table": str(table)}, {"special_ids": [0]}
    )


def evidence(path: list[int]) -> npt.NDArray[np.float32]:
    """Returns `[T, V]` probabilities in which the labels of `path` are likely.

    Each is a little like another word of the vocabulary.
    """
    found = np.full((len(path), len(PIECES)), 0.02)
    for frame, label in enumerate(path):
        found[frame, CONFUSED[label]] = 0.2
        found[frame, label] = 0.0
        found[frame, label] = 1 - found[frame].sum()
    return found.astype(np.float32)


def show(output: engine.RequestOutput) -> None:
    """Prints a transcript, its alternatives and its words."""
    print(f"transcript  {output.text}")
    texts = output.nbest_texts or [output.text]
    for score, text in zip(output.scores, texts, strict=False):
        print(f"n-best      {score:6.2f}  {text}")
    for word in output.words or []:
        times = f"{word.start:.2f}-{word.end:.2f}"
        print(f"word        {times}  {word.confidence:.2f}  {word.word}")
