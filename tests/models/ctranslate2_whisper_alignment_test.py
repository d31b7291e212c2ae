"""Tests for ctranslate2_whisper_alignment, over paths that are written out."""

import math

import pytest

from oasr.models import ctranslate2_whisper_alignment as alignment
from oasr.models import ctranslate2_whisper_vocabulary as vocabularies
from tests.models import fake_whisper

TEXTS = [
    "Ġhello",
    "Ġworld",
    ".",
    "Ġ(",
    '"',
    "Ġ-",
    ",",
    "-",
    "Â¿",
    "'s",
    "Ġ",
    "...",
    "ĠÂ«",
]
VOCABULARY = vocabularies.Vocabulary(
    texts=[*TEXTS, "<|endoftext|>"],
    end_id=len(TEXTS),
    start_id=90,
    previous_id=91,
    no_timestamps_id=92,
    languages={},
)
ID = {text: token_id for token_id, text in enumerate(TEXTS)}


class Runtime:
    def __init__(self, path, probabilities):
        self.found = fake_whisper.Alignment(path, probabilities)

    def align(self, encoded, start, texts, frames, median_filter_width):
        del encoded, start, texts, frames, median_filter_width
        return [self.found]


def path(*ends):
    """Returns pairs of a path on which token k, and the end, go on to `ends[k]`."""
    pairs, begin = [], 0
    for token, end in enumerate(ends):
        pairs += [(token, frame) for frame in range(begin, end + 1)]
        begin = end
    return pairs


def align(texts, ends, *, size=3000, probabilities=None):
    ids = [ID[text] for text in texts]
    runtime = Runtime(path(*ends, 1499), probabilities or [0.5] * len(ids))
    aligner = alignment.Aligner(runtime, VOCABULARY)
    return aligner.align(None, [90], ids, size)


def test_a_token_lasts_until_the_next_one_begins():
    found = align(["Ġhello", "Ġworld"], [20, 50])
    assert found.ids == (0, 1)
    assert found.spans == ((0, 20), (20, 50))


def test_marks_take_no_time():
    found = align(["Ġhello", ".", '"', "Ġworld"], [20, 30, 60, 90])
    assert found.spans == ((0, 20), (20, 20), (20, 20), (60, 90))
    found = align(["Ġhello", "Ġ(", "ĠÂ«", "Ġworld", ","], [20, 30, 40, 90, 95])
    assert found.spans == ((0, 20), (40, 40), (40, 40), (40, 90), (90, 90))
    found = align(["Â¿", "Ġhello", "'s", "-", "Ġworld"], [5, 20, 25, 30, 60])
    assert found.spans[1:] == ((5, 20), (20, 25), (25, 25), (30, 60))


def test_nothing_lies_behind_the_audio():
    found = align(["Ġhello", "Ġworld"], [20, 50], size=60)
    assert found.spans == ((0, 20), (20, 30))


def test_no_text_is_not_asked_for():
    found = alignment.Aligner(None, VOCABULARY).align(None, [90], [], 3000)
    assert (found.ids, found.spans, found.score) == ((), (), 0)


def test_the_score_is_the_log_probability():
    found = align(["Ġhello", "Ġworld"], [20, 50], probabilities=[0.5, 0.25])
    assert found.confidences == (0.5, 0.25)
    assert found.score == pytest.approx(math.log(0.125))
    assert align(["."], [3], probabilities=[0.0]).score < -60
    assert align(["."], [3], probabilities=[1.0000001]).confidences == (1.0,)


@pytest.mark.parametrize(
    ("text", "opens", "closes"),
    [
        (".", False, True),
        ("...", False, True),
        ('"', False, True),
        ("Ġ(", True, False),
        ("ĠÂ«", True, False),
        ("Ġ-", True, False),
        ("Ġhello", False, False),
        ("'s", False, False),
        ("Ġ", False, False),
    ],
)
def test_what_a_mark_is(text, opens, closes):
    assert VOCABULARY.is_opening_mark(ID[text]) == opens
    assert VOCABULARY.is_closing_mark(ID[text]) == closes
