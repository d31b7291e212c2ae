"""Tests for token_search: greedy and beam against exhaustive search."""

import itertools

import numpy as np
import pytest

from oasr.engine.decode import beam_search
from oasr.engine.decode import sampling
from oasr.engine.decode import token_search
from tests import conftest
from tests.engine.decode import token_models

END = frozenset({0})


def run(search, after):
    """Runs a search to its end; returns its rows."""
    histories = [()]
    while search.live:
        log_probs = np.stack([after(history) for history in histories])
        rows, ids = search.advance(log_probs.astype(np.float32))
        histories = [
            (*histories[row], token_id)
            for row, token_id in zip(rows.tolist(), ids.tolist(), strict=True)
        ]
        assert histories == [tuple(row.ids) for row in search.live]
    return search.best()


def limits(**fields):
    return token_search.Limits(
        **{"end_ids": END, "max_new_tokens": 4, "n_best": 1} | fields
    )


def scores_of(seed, labels=4, sharpness=2.0):
    model = token_models.HistoryModel(labels, seed, sharpness)
    return lambda ids: model.after(0, (1,), ids)


def check_rows(rows, after):
    for row in rows:
        steps = [after(tuple(row.ids[:k]))[i] for k, i in enumerate(row.ids)]
        np.testing.assert_allclose(row.confidences, np.exp(steps), rtol=1e-6)


@pytest.mark.parametrize("seed", range(20 * conftest.SCALE))
def test_greedy_is_the_best_token_of_each_step(seed):
    after = scores_of(seed, 6)
    (row,) = run(token_search.SampleSearch(limits(max_new_tokens=12)), after)
    ids, score = token_models.greedy(after, end_ids=END, max_new_tokens=12)
    assert (tuple(row.ids), row.cut_off) == (ids, len(ids) == 12)
    assert row.score == pytest.approx(score)
    check_rows([row], after)


@pytest.mark.parametrize("seed", range(20 * conftest.SCALE))
def test_a_beam_of_one_is_greedy(seed):
    after = scores_of(seed, 6)
    (row,) = run(token_search.SampleSearch(limits(max_new_tokens=12)), after)
    (beam,) = run(beam_search.BeamSearch(limits(max_new_tokens=12), 1), after)
    assert (beam.ids, beam.cut_off) == (row.ids, row.cut_off)
    assert beam.score == pytest.approx(row.score)
    assert beam.confidences == row.confidences


@pytest.mark.parametrize("end_ids", [{0}, {0, 2}])
@pytest.mark.parametrize("seed", range(10 * conftest.SCALE))
def test_a_wide_beam_finds_the_best_of_all(seed, end_ids):
    after = scores_of(seed)
    asked = limits(n_best=5, end_ids=frozenset(end_ids))
    rows = run(beam_search.BeamSearch(asked, 200), after)
    wanted = token_models.exhaustive(
        after, 4, end_ids=end_ids, max_new_tokens=4, n_best=5
    )
    assert [tuple(row.ids) for row in rows] == [ids for ids, _ in wanted]
    np.testing.assert_allclose([r.score for r in rows], [s for _, s in wanted])
    check_rows(rows, after)


@pytest.mark.parametrize("seed", range(10 * conftest.SCALE))
def test_a_narrow_beam_stops_where_nothing_better_can_come(seed):
    """Beside the same beam that runs on to the limit."""
    after = scores_of(seed)
    asked = limits(n_best=3, max_new_tokens=6)
    rows = run(beam_search.BeamSearch(asked, 3), after)
    patient = beam_search.BeamSearch(asked, 3)
    patient._is_settled = lambda live: not live
    wanted = run(patient, after)
    assert [(r.ids, r.score) for r in rows] == [(r.ids, r.score) for r in wanted]


def test_equal_continuations_are_ordered_by_row_and_id():
    search = beam_search.BeamSearch(limits(n_best=3), 3)
    even = np.log(np.full((1, 5), 0.2, np.float32))
    rows, ids = search.advance(even)
    assert (rows.tolist(), ids.tolist()) == ([0, 0, 0], [1, 2, 3])


@pytest.mark.parametrize("make", [0, 1, 3])
def test_a_partial_of_a_beam_never_takes_final_ids_back(make):
    for seed in range(20):
        search = (
            beam_search.BeamSearch(limits(n_best=2, max_new_tokens=8), make)
            if make
            else token_search.SampleSearch(limits(max_new_tokens=8))
        )
        after, seen = scores_of(seed, 5), []

        def watched(history, after=after, search=search, seen=seen):
            stands = search.partial()
            seen.append(stands.best.ids[: stands.final_ids])
            return after(history)

        best = run(search, watched)[0]
        for final in seen:
            assert tuple(best.ids[: len(final)]) == final
        if not make:
            assert seen[-1] == tuple(best.ids[: len(seen) - 1])


def test_samples_are_apart_and_repeat():
    after = scores_of(3, 6, 0.5)
    asked = limits(n_best=4, max_new_tokens=6)

    def sampled(seed):
        rows = run(
            token_search.SampleSearch(asked, sampling.Sampling(seed=seed)), after
        )
        return [(tuple(row.ids), row.score) for row in rows]

    found = sampled(1)
    assert found == sampled(1) != sampled(2)
    assert len({ids for ids, _ in found}) == len(found) > 1
    assert [score for _, score in found] == sorted((s for _, s in found), reverse=True)
    for ids, score in found:
        steps = [after(ids[:k])[i] for k, i in enumerate(ids)]
        end = after(ids)[0] if len(ids) < 6 else 0
        assert score == pytest.approx(float(sum(steps) + end), rel=1e-5)


def test_a_cold_sample_is_greedy():
    after = scores_of(5, 6)
    cold = sampling.Sampling(temperature=1e-4)
    (row,) = run(token_search.SampleSearch(limits(), cold), after)
    (wanted,) = run(token_search.SampleSearch(limits()), after)
    assert row.ids == wanted.ids


@pytest.mark.parametrize("search_type", ["greedy", "beam"])
def test_rules_say_what_may_follow(search_type):
    after = scores_of(2, 5)
    seen = []

    def rule(histories, log_probs):
        seen.append([tuple(history) for history in histories])
        allowed = log_probs.copy()
        for row, history in enumerate(histories):
            if history:  # No token twice in a row.
                allowed[row, history[-1]] = -np.inf
        return allowed

    asked = limits(rules=(rule,), max_new_tokens=8, end_ids=frozenset({4}))
    search = (
        token_search.SampleSearch(asked)
        if search_type == "greedy"
        else beam_search.BeamSearch(asked, 2)
    )
    (row,) = run(search, after)
    assert all(a != b for a, b in itertools.pairwise(row.ids))
    assert seen[0] == [()]

    def ruled(ids):
        log_probs = after(ids).astype(np.float64)
        if ids:
            log_probs[ids[-1]] = -np.inf
        return token_models.log_softmax(log_probs)

    if search_type == "greedy":
        ids, score = token_models.greedy(ruled, end_ids={4}, max_new_tokens=8)
        assert tuple(row.ids) == ids
        assert row.score == pytest.approx(score, rel=1e-5)


@pytest.mark.parametrize("beam", [False, True])
def test_what_cannot_go_on_says_why(beam):
    def new(**fields):
        asked = limits(**fields)
        if beam:
            return beam_search.BeamSearch(asked, 2)
        return token_search.SampleSearch(asked)

    nothing = np.full((1, 4), -np.inf, np.float32)
    with pytest.raises(ValueError, match="No token may follow"):
        new().advance(nothing)
    with pytest.raises(ValueError, match=r"token 9 that ends .* outside the 4 labels"):
        new(end_ids=frozenset({9})).advance(np.zeros((1, 4), np.float32))


def test_rows_are_normalised():
    rows = np.array([[0, -np.inf, 1], [-np.inf] * 3], np.float32)
    found = token_search.normalised(rows)
    assert np.exp(found[0]).sum() == pytest.approx(1)
    assert (found[1] == -np.inf).all()
