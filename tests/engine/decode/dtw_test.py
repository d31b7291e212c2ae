"""Tests for dtw: the textbook recurrence, all paths, and the median by definition."""

import math
import statistics

import numpy as np
import pytest

from oasr.engine.decode import dtw
from tests import conftest


def textbook(costs):
    """Returns the cost of the cheapest path, and that path."""
    rows, columns = costs.shape
    total = np.full((rows + 1, columns + 1), math.inf)
    total[0, 0] = 0
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            ways = total[i - 1, j - 1], total[i - 1, j], total[i, j - 1]
            total[i, j] = costs[i - 1, j - 1] + min(ways)
    i, j, path = rows, columns, []
    while i > 0 and j > 0:
        path.append((i - 1, j - 1))
        steps = [(i - 1, j - 1), (i - 1, j), (i, j - 1)]
        i, j = min(steps, key=lambda cell: total[cell])
    return total[rows, columns], path[::-1]


def all_paths(rows, columns):
    """Yields each path through the cells."""
    if (rows, columns) == (1, 1):
        yield [(0, 0)]
        return
    for row, column in (
        (rows - 1, columns - 1),
        (rows - 1, columns),
        (rows, columns - 1),
    ):
        if row and column:
            for path in all_paths(row, column):
                yield [*path, (rows - 1, columns - 1)]


@pytest.mark.parametrize("seed", range(60 * conftest.SCALE))
def test_the_path_is_that_of_the_textbook(seed):
    source = np.random.default_rng(seed)
    costs = source.normal(size=source.integers(1, 15, size=2))
    if seed % 2:  # With many that are equal.
        costs = costs.round()
    path = list(zip(*dtw.cheapest_path(costs), strict=True))
    total, wanted = textbook(costs)
    assert sum(costs[cell] for cell in path) == pytest.approx(total)
    assert path == wanted


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1), (2, 3), (4, 4), (3, 6)])
def test_no_path_is_cheaper(shape):
    costs = np.random.default_rng(1).normal(size=shape)
    path = list(zip(*dtw.cheapest_path(costs), strict=True))
    cheapest = min(all_paths(*shape), key=lambda one: sum(costs[c] for c in one))
    assert path == cheapest


@pytest.mark.parametrize("width", [1, 3, 7])
@pytest.mark.parametrize("count", [1, 2, 3, 4, 9, 20])
def test_the_median_is_that_of_the_neighbours(width, count):
    values = np.random.default_rng(count).normal(size=(2, 3, count))
    found = dtw.running_median(values, width)
    half = width // 2
    if count <= half:
        np.testing.assert_array_equal(found, values)
        return
    for place in np.ndindex(2, 3, count):
        row, at = values[place[:2]], place[2]
        mirrored = [abs(k) for k in range(at - half, at + half + 1)]
        mirrored = [k if k < count else 2 * (count - 1) - k for k in mirrored]
        assert found[place] == statistics.median(row[k] for k in mirrored)


def attention(bounds, frames, heads=2):
    """Returns weights in which row k looks at the frames from bounds[k] on."""
    found = np.full((heads, len(bounds), frames), 0.01)
    for row, (begin, end) in enumerate(zip(bounds, [*bounds[1:], frames], strict=True)):
        found[:, row, begin:end] = 1.0
    return found / found.sum(axis=2, keepdims=True)


def test_tokens_begin_where_attention_moves_on():
    found = dtw.token_spans(
        attention([0, 20, 35, 60], 80), frame_count=80, median_width=7
    )
    assert found == [(0.0, 20.0), (20.0, 35.0), (35.0, 60.0)]


def test_frames_behind_the_audio_do_not_count():
    weights = attention([0, 20, 35], 80)
    weights[:, 0, 50:] = 1.0  # Where there is silence that pads the window.
    found = dtw.token_spans(weights, frame_count=45, median_width=7)
    assert found == [(0.0, 20.0), (20.0, 35.0)]


@pytest.mark.parametrize("seed", range(20))
def test_spans_follow_each_other_inside_the_audio(seed):
    source = np.random.default_rng(seed)
    heads, rows, frames = source.integers(1, 12, size=3)
    weights = source.random((heads, rows, frames))
    found = dtw.token_spans(weights, frame_count=int(frames), median_width=3)
    assert len(found) == rows - 1
    edges = [edge for span in found for edge in span]
    assert edges == sorted(edges)
    assert all(0 <= edge <= frames for edge in edges)


@pytest.mark.parametrize(
    ("weights", "frames"),
    [
        (np.zeros((2, 3)), 3),
        (np.zeros((0, 3, 3)), 3),
        (np.zeros((1, 3, 3)), 0),
        (np.full((1, 2, 3), np.nan), 3),
    ],
)
def test_what_is_no_attention_is_said(weights, frames):
    with pytest.raises(ValueError, match="Attention must be"):
        dtw.token_spans(weights, frame_count=frames, median_width=7)


@pytest.mark.parametrize(
    ("spans", "is_text", "wanted"),
    [
        ([], [], ()),
        ([], [False, False], ((0.0, 0.0), (0.0, 0.0))),
        ([(1.0, 2.0)], [True], ((1.0, 2.0),)),
        (
            [(1.0, 2.0), (2.0, 5.0)],
            [False, True, False, False, True, False],
            ((1, 1), (1, 2), (2, 2), (2, 2), (2, 5), (5, 5)),
        ),
    ],
)
def test_tokens_without_text_lie_between(spans, is_text, wanted):
    assert dtw.spread_spans(spans, is_text) == wanted
