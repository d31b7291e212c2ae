"""Tests for sampling, against what temperature, top_k and top_p say of a token."""

import numpy as np
import pytest

from oasr.engine import request
from oasr.engine.decode import sampling
from tests import conftest


def allowed(probs, temperature, top_k, top_p):
    """Returns the probability of each token that may be drawn, by definition."""
    order = sorted(range(len(probs)), key=lambda i: (-probs[i], i))
    kept = [i for i in order[:top_k] if probs[i] > 0]
    sharp = {i: probs[i] ** (1 / temperature) for i in kept}
    total = sum(sharp.values())
    found, reached = {}, 0.0
    for i in kept:
        if top_p is not None and reached >= top_p:
            break
        found[i] = sharp[i] / total
        reached += sharp[i] / total
    return {i: p / sum(found.values()) for i, p in found.items()}


@pytest.mark.parametrize("seed", range(40 * conftest.SCALE))
def test_the_candidates_are_those_of_the_definition(seed):
    source = np.random.default_rng(seed)
    probs = source.dirichlet(np.ones(9))
    probs[source.random(9) < 0.2] = 0
    probs[0] += 1 - probs.sum()
    temperature = source.choice([0.3, 1.0, 2.5])
    top_k = [None, 1, 3, 20][source.integers(4)]
    top_p = [None, 0.05, 0.613, 1.0][source.integers(4)]
    drawn = sampling.Sampling(temperature=temperature, top_k=top_k, top_p=top_p)
    with np.errstate(divide="ignore"):
        log_probs = np.log(probs).astype(np.float32)
    ids, weights = drawn.candidates(log_probs)
    wanted = allowed(np.exp(log_probs.astype(np.float64)), temperature, top_k, top_p)
    assert ids.tolist() == list(wanted)
    np.testing.assert_allclose(
        weights / weights.sum(), list(wanted.values()), rtol=1e-6
    )


def test_tokens_are_drawn_as_often_as_they_are_probable():
    probs = np.array([0.5, 0.3, 0.15, 0.05])
    drawn = sampling.Sampling(temperature=0.7, top_p=0.9, seed=4)
    generator = drawn.generator(0)
    count = 20_000
    log_probs = np.log(probs).astype(np.float32)
    ids = [drawn.draw(log_probs, generator) for _ in range(count)]
    wanted = allowed(probs, 0.7, None, 0.9)
    for token_id in range(4):
        share = wanted.get(token_id, 0.0)
        # Five standard deviations of a count.
        margin = 5 * np.sqrt(share * (1 - share) / count)
        assert abs(ids.count(token_id) / count - share) <= margin


def test_equal_tokens_are_ordered_by_their_ids():
    log_probs = np.log(np.full(4, 0.25, np.float32))
    ids, _ = sampling.Sampling(top_k=2).candidates(log_probs)
    assert ids.tolist() == [0, 1]


def test_a_token_without_probability_is_never_drawn():
    log_probs = np.array([-np.inf, 0, -np.inf], np.float32)
    drawn = sampling.Sampling(temperature=100.0)
    generator = drawn.generator(0)
    assert {drawn.draw(log_probs, generator) for _ in range(100)} == {1}


def test_a_seed_and_a_number_give_the_same_draws():
    log_probs = np.log(np.full(50, 0.02, np.float32))

    def draws(seed, sample):
        drawn = sampling.Sampling(seed=seed)
        generator = drawn.generator(sample)
        return [drawn.draw(log_probs, generator) for _ in range(8)]

    assert draws(1, 0) == draws(1, 0)
    assert draws(1, 0) != draws(2, 0)
    assert draws(1, 0) != draws(1, 1)


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({}, None),
        ({"temperature": 0}, None),
        ({"temperature": 0, "top_k": 5, "seed": 1}, None),
        ({"temperature": 0.5}, sampling.Sampling(temperature=0.5)),
        ({"top_k": 3}, sampling.Sampling(top_k=3)),
        ({"top_p": 0.5}, sampling.Sampling(top_p=0.5)),
        ({"seed": 0}, sampling.Sampling()),
        ({"seed": 7}, sampling.Sampling(seed=7)),
    ],
)
def test_what_a_request_asks(options, wanted):
    assert sampling.Sampling.of(request.DecodingOptions(**options)) == wanted


@pytest.mark.filterwarnings("error")
def test_a_temperature_next_to_0_takes_the_best():
    log_probs = np.log([0.2, 0.5, 0.3]).astype(np.float32)
    drawn = sampling.Sampling(temperature=5e-324, seed=1)
    assert {drawn.draw(log_probs, drawn.generator(0)) for _ in range(20)} == {1}
