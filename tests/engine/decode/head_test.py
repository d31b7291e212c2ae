"""Tests for head: labels without an id are said, a blank without a label refused."""

import pytest

from oasr.engine.decode import head


@pytest.mark.parametrize(
    ("vocab_size", "blank_id", "labels", "said"),
    [
        (5, 0, 5, False),
        (5, 0, 4, False),
        (5, 0, 6, True),
        (5, 5, 6, False),  # Blank behind the vocabulary has no id of its own.
        (5, 5, 7, True),
        (5, None, 5, False),
        (5, None, 6, True),
        (None, 0, 100, False),
    ],
)
def test_labels_behind_the_vocabulary_are_said_once(
    vocab_size, blank_id, labels, said, caplog
):
    checked = head.Head(vocab_size, blank_id)
    for _ in range(3):
        checked.check(labels)
    texts = [record.getMessage() for record in caplog.records]
    expected = (
        f"The scores have {labels} labels and the tokenizer 5 ids; the labels from 5 on"
        " render to nothing."
    )
    assert texts == [expected] * said


def test_blank_is_one_of_the_labels():
    head.Head(None, 4).check(5)
    with pytest.raises(
        ValueError, match=r"^blank_id 5 is outside the 5 labels .* one of 0 to 4\.$"
    ):
        head.Head(None, 5).check(5)
