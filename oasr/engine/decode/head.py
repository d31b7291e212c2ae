"""The labels of a model's head beside the ids of the vocabulary."""

import logging

_logger = logging.getLogger("oasr.engine")


class Head:
    """Checks how many labels a model scores.

    Args:
      vocab_size: of the tokenizer, if there is one; labels from there on render to
        nothing.
      blank_id: the label that stands for no token, if there is one.
    """

    def __init__(self, vocab_size: int | None, blank_id: int | None = None) -> None:
        self._vocab_size = vocab_size
        self._blank_id = blank_id

    def check(self, labels: int) -> None:
        """Warns once of labels that have no id, as padded heads have; blank is none.

        Args:
          labels: how many a row of scores has.

        Raises:
          ValueError: if blank is none of them.
        """
        blank = self._blank_id
        if blank is not None and blank >= labels:
            raise ValueError(
                f"blank_id {blank} is outside the {labels} labels of the scores;"
                f" expected one of 0 to {labels - 1}."
            )
        size = self._vocab_size
        if size is None:
            return
        beside = blank is not None and blank >= size
        if labels - beside > size:
            self._vocab_size = None
            _logger.warning(
                "The scores have %d labels and the tokenizer %d ids; the labels from %d"
                " on render to nothing.",
                labels,
                size,
                size,
            )
