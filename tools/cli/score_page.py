"""What `oasr score` shows: alignments for a terminal, and a summary."""

from collections.abc import Iterator, Sequence
import unicodedata

from rich import cells

from tools.cli import messages
from tools.cli import score_counts

_MARKS = {
    score_counts.EQUAL: "",
    score_counts.SUBSTITUTE: "S",
    score_counts.DELETE: "D",
    score_counts.INSERT: "I",
}
_LABELS = ("REF", "HYP", "")
_LABEL_CELLS = 5

# What is above the other, and the mark below both.
_Column = tuple[str, str, str]


def alignment(scored: score_counts.Scored, *, characters: bool, width: int) -> str:
    """Returns one alignment: reference above hypothesis, and a mark below each error.

    Args:
      scored: the utterance.
      characters: whether its steps are characters, which stand close.
      width: of the terminal, in cells; what is longer goes on below.
    """
    columns = [_column(step) for step in scored.steps]
    blank = "" if characters else " "
    blocks = _blocks(columns, width - _LABEL_CELLS, len(blank))
    heading = _heading(scored, "characters" if characters else "words")
    return "\n".join([heading, *(_block(block, blank) for block in blocks)])


def _heading(scored: score_counts.Scored, what: str) -> str:
    counts = " ".join(
        f"{mark}={scored.count(kind)}" for kind, mark in _MARKS.items() if mark
    )
    name = messages.printable(scored.name)
    return f"{name}: {percent(scored.rate)} ({counts} of {scored.expected} {what})"


def _column(step: score_counts.Step) -> _Column:
    texts = [_visible(step.reference), _visible(step.hypothesis)]
    widest = max(map(cells.cell_len, texts))
    ours, theirs = (
        text + " " * (widest - cells.cell_len(text)) if text else "*" * widest
        for text in texts
    )
    return ours, theirs, _MARKS[step.kind].ljust(widest)


def _visible(text: str) -> str:
    if text == " ":
        return "␣"
    if text and unicodedata.category(text[0]).startswith("M"):
        text = f"◌{text}"  # A mark alone would sit on what stands before it.
    return messages.printable(text)


def _blocks(
    columns: Sequence[_Column], width: int, between: int
) -> Iterator[Sequence[_Column]]:
    """Yields the columns that fit one line each, at least one."""
    block: list[_Column] = []
    used = 0
    for column in columns:
        needed = cells.cell_len(column[0]) + between
        if block and used + needed - between > width:
            yield block
            block, used = [], 0
        block.append(column)
        used += needed
    if block:
        yield block


def _block(columns: Sequence[_Column], blank: str) -> str:
    rows = zip(_LABELS, zip(*columns, strict=True), strict=True)
    lines = [
        f"{label:<{_LABEL_CELLS}}{blank.join(row)}".rstrip() for label, row in rows
    ]
    return "\n".join([*lines, ""] if lines[-1] else [*lines[:-1], ""])


def summary(scored: Sequence[score_counts.Scored], *, characters: bool) -> str:
    """Returns the counts and the rates of all utterances."""
    all_of_it = score_counts.total(scored)
    what = "characters" if characters else "words"
    right = sum(not one.errors for one in scored)
    expected = all_of_it.expected
    rows = [
        (f"{what} in the reference", expected, None),
        ("right", all_of_it.count(score_counts.EQUAL), expected),
        ("substituted (S)", all_of_it.count(score_counts.SUBSTITUTE), expected),
        ("deleted (D)", all_of_it.count(score_counts.DELETE), expected),
        ("inserted (I)", all_of_it.count(score_counts.INSERT), expected),
        ("utterances", len(scored), None),
        ("without an error", right, len(scored)),
    ]
    label_cells = max(len(label) for label, _, _ in rows)
    count_cells = max(len(str(count)) for _, count, _ in rows)
    lines = [
        f"{label:<{label_cells}}  {count:>{count_cells}}"
        + (f"  {percent(count / whole):>9}" if whole else "")
        for label, count, whole in rows
    ]
    rate = percent(all_of_it.rate)
    name = "CER" if characters else "WER"
    return "\n".join([*lines, f"{name} {rate}", ""])


def percent(rate: float | None) -> str:
    """Returns a rate as people read it; "-" for one that is not defined."""
    return "-" if rate is None else f"{100 * rate:.2f} %"
