"""SentencePiece's rule for the start of a text, asked of the runtime.

Most models drop the word mark of the first visible piece of whatever they decode.
Which ids end that rule is not told from the types of pieces: an id ends it if a mark
behind the id keeps its blank.
"""

from collections.abc import Callable, Iterable

_SPACE = "\u2581"  # SentencePiece's mark for the start of a word.


class StartRule:
    """The rule of one model.

    Args:
      render: the runtime's text of some ids.
      pieces: the pieces that may render as text, by id.
    """

    def __init__(
        self, render: Callable[[list[int]], str], pieces: dict[int, str]
    ) -> None:
        self._render = render
        self._ends: dict[int, bool] = {}
        marked = (i for i, piece in pieces.items() if piece.startswith(_SPACE))
        self._probe = next(marked, None)
        if self._probe is not None:
            whole = pieces[self._probe].replace(_SPACE, " ")
            if self._render([self._probe]) == whole:
                self._probe = None  # A blank at the start is kept: there is no rule.

    def primer(self, ids: Iterable[int]) -> tuple[int, ...]:
        """Returns the first of `ids` that is visible and ends the rule, if one must."""
        if self._probe is None:
            return ()
        visible = (i for i in ids if self._render([i]).strip())
        return next(((i,) for i in visible if self.ends_with(i)), ())

    def ends_with(self, token_id: int) -> bool:
        """Returns whether a word mark behind this id keeps its blank, asked once."""
        if self._probe is None:
            return True
        if token_id not in self._ends:
            apart = self._render([token_id]) + self._render([self._probe])
            self._ends[token_id] = self._render([token_id, self._probe]) != apart
        return self._ends[token_id]
