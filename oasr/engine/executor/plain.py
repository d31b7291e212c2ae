"""What strategies found, in the plain types that outputs promise: checked, copied."""

from collections.abc import Sequence
import numbers

from oasr import showing
from oasr.engine.decode import base
from oasr.tokenizers import token_ids


def ids_of(hypothesis: base.Hypothesis) -> list[int]:
    """Returns the ids of a hypothesis as a list of its own.

    Raises:
      TypeError: naming the first that is no integer.
    """
    found = token_ids.as_list(hypothesis.ids)
    # What was a list is handed back itself.
    return found if isinstance(hypothesis.ids, tuple) else list(found)


def score_of(hypothesis: base.Hypothesis) -> float:
    """Returns the score of a hypothesis.

    Raises:
      ValueError: if it is no number.
    """
    score = hypothesis.score
    if type(score) is not float:
        # A boolean is no score, though Python has it so.
        if isinstance(score, bool) or not isinstance(score, numbers.Real):
            raise ValueError(f"A score is a number, got {showing.shown(score)}.")
        score = float(score)
    if score != score:
        raise ValueError("A score is a number, got nan.")
    return score


def rows_of(hypotheses: Sequence[base.Hypothesis]) -> list[list[int]]:
    """Returns the ids of the hypotheses of one utterance.

    Raises:
      TypeError: as `ids_of`.
      ValueError: if two of them have the same ids.
    """
    rows = [ids_of(hypothesis) for hypothesis in hypotheses]
    if len(rows) > 1 and len(set(map(tuple, rows))) < len(rows):
        twice = next(row for place, row in enumerate(rows) if row in rows[:place])
        raise ValueError(
            "The hypotheses of an utterance have different ids, got"
            f" {showing.shown(twice)} twice."
        )
    return rows
