"""Tests for scores: what is accepted, and what the refusal says."""

import numpy as np
import pytest

from oasr.engine.decode import scores
from tests import conftest

FORMS = ("log_probs", "probs", "logits")


def random_logits(seed):
    generator = np.random.default_rng(seed)
    shape = generator.integers(1, 60, 2)
    return generator.normal(scale=4, size=shape)


def log_softmax(logits):
    """Returns the definition, in the widest type."""
    wide = logits.astype(np.longdouble)
    return wide - np.log(np.exp(wide).sum(axis=1, keepdims=True))


@pytest.mark.parametrize(
    "dtype", ["float16", "float32", "float64", "longdouble", ">f4"]
)
@pytest.mark.parametrize("seed", range(10 * conftest.SCALE))
def test_every_form_gives_the_same_log_probabilities(seed, dtype):
    expected = log_softmax(random_logits(seed))
    for form, values in zip(
        FORMS, (expected, np.exp(expected), expected + 3), strict=True
    ):
        found = scores.as_log_probs(values.astype(dtype), form)
        assert found.dtype == np.float32
        assert found.flags.c_contiguous
        # Half precision has eleven bits, and few of them near zero.
        if dtype == "float16":
            np.testing.assert_allclose(np.exp(found), np.exp(expected), atol=2e-3)
        else:
            np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("labels", [1, 3, 40_000])
def test_rows_of_any_width_are_looked_at(labels):
    logits = np.random.default_rng(0).normal(size=(5, labels))
    found = scores.as_log_probs(logits, "logits")
    np.testing.assert_allclose(found, log_softmax(logits), rtol=1e-4, atol=1e-4)
    found[4, -1] = np.nan
    with pytest.raises(ValueError, match=f"row 4, column {labels - 1} is nan"):
        scores.as_log_probs(found, "log_probs")


def test_log_probabilities_in_float32_are_not_copied():
    given = scores.as_log_probs(random_logits(1), "logits")
    assert scores.as_log_probs(given, "log_probs") is given


@pytest.mark.parametrize("form", FORMS)
def test_what_is_given_is_not_written_to(form):
    given = np.full((3, 4), 0.25, np.float32)
    given = np.log(given) if form == "log_probs" else given
    given.flags.writeable = False
    scores.as_log_probs(given, form)


@pytest.mark.parametrize("order", [np.asfortranarray, lambda a: a[:, ::-1], list])
def test_any_layout_is_read(order):
    probs = np.array([[0.25, 0.75], [0.5, 0.5]])
    found = scores.as_log_probs(order(probs), "probs")
    np.testing.assert_allclose(np.exp(found), np.asarray(order(probs)), rtol=1e-6)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("labels", [0, 5])
def test_no_frames_are_allowed(form, labels):
    assert scores.as_log_probs(np.empty((0, labels)), form).shape == (0, labels)


def test_an_impossible_label_is_allowed():
    expected = np.array([[-np.inf, 0.0]], np.float32)
    for form, values in zip(
        FORMS, ([[-np.inf, 0.0]], [[0.0, 1.0]], [[-np.inf, 9.0]]), strict=True
    ):
        np.testing.assert_array_equal(scores.as_log_probs(values, form), expected)


def test_large_logits_do_not_overflow():
    found = scores.as_log_probs([[3e38, 3e38], [-3e38, 0.0]], "logits")
    np.testing.assert_allclose(found, [[-np.log(2), -np.log(2)], [-3e38, 0.0]])


def test_half_a_thousandth_is_rounding():
    scores.as_log_probs([[0.5, 0.5005]], "probs")
    with pytest.raises(ValueError, match=r"sums to 1\.002"):
        scores.as_log_probs([[0.5, 0.502]], "probs")


@pytest.mark.parametrize("form", ["log_probs", "probs"])
@pytest.mark.parametrize("labels", [2, 1000, 1023, 5000, 8192, 15_000, 20_000, 60_000])
@pytest.mark.parametrize("sharpness", [0, 0.1, 1, 4, 30])
def test_half_precision_may_round_what_sums_to_one(form, labels, sharpness):
    logits = np.random.default_rng(labels).normal(size=(4, labels)) * sharpness
    exact = log_softmax(logits)
    given = (exact if form == "log_probs" else np.exp(exact)).astype(np.float16)
    found = scores.as_log_probs(given, form)
    assert np.isfinite(found).any(axis=1).all()


def test_half_precision_is_no_excuse_for_other_types():
    rounded = np.log(np.full((1, 1000), 1e-3)).astype(np.float16)
    scores.as_log_probs(rounded, "log_probs")
    for dtype in (np.float32, np.float64, np.longdouble):
        with pytest.raises(
            ValueError, match=r"sums to 1\.001\d*, not to 1 within 0\.001"
        ):
            scores.as_log_probs(rounded.astype(dtype), "log_probs")
        for form in ("log_probs", "probs"):
            assert scores.tolerance(np.dtype(dtype), form, 1_000_000) == 1e-3


def test_half_precision_has_bounds_too():
    given = np.full((1, 1000), 1.01e-3, np.float16)
    with pytest.raises(ValueError, match=r"sums to 1\.0\d+, not to 1 within 0\.001,"):
        scores.as_log_probs(given, "probs")
    with pytest.raises(ValueError, match=r"not to 1 within 0\.00337,"):
        scores.as_log_probs(np.log(given), "log_probs")


@pytest.mark.parametrize(
    ("form", "row", "message"),
    [
        (
            "log_probs",
            [0.5, 0.5],
            "sums to 3.29744, not to 1 within 0.001, as log_probs: these look like"
            " probabilities; set scores='probs'.",
        ),
        (
            "log_probs",
            [2.0, 2.5],
            "sums to 19.5716, not to 1 within 0.001, as log_probs: these look like"
            " logits; set scores='logits'.",
        ),
        ("log_probs", [200.0, 0.0], "set scores='logits'."),
        (
            "probs",
            np.log([0.5, 0.5]),
            "Row 3, column 0 is -0.6931471805599453, and no probability is negative:"
            " these look like log-probabilities; set scores='log_probs'.",
        ),
        (
            "probs",
            [2.0, -1.0],
            "Row 3, column 1 is -1.0, and no probability is negative: these look like"
            " logits; set scores='logits'.",
        ),
        (
            "probs",
            [1.0 + 1e-9, -1e-9],
            "Row 3, column 1 is -1e-09, and no probability is negative: no other form"
            " fits either; what is below 0 by rounding must be 0.",
        ),
        ("probs", [-np.inf, 0.0], "column 0 is -inf, and no probability is negative"),
        ("probs", [3.0, 2.0], "these look like logits; set scores='logits'."),
        (
            "probs",
            [0.4, 0.4],
            "sums to 0.8, not to 1 within 0.001, as probs: no other form fits either;"
            " divide each row by its sum.",
        ),
        ("probs", [0.0, 0.0], "sums to 0, not to 1"),
        (
            "log_probs",
            [-np.inf, -np.inf],
            "is -inf in every column and sums to 0; log_probs leave at least one label"
            " possible.",
        ),
        ("logits", [-np.inf, -np.inf], "is -inf in every column"),
        ("log_probs", [0.0, np.nan], "row 3, column 1 is nan."),
        ("log_probs", [np.inf, 0.0], "row 3, column 0 is inf."),
        ("probs", [np.nan, 1.0], "row 3, column 0 is nan."),
        ("probs", [1.0, np.inf], "row 3, column 1 is inf."),
        ("logits", [0.0, np.nan], "row 3, column 1 is nan."),
        ("logits", [0.0, np.inf], "row 3, column 1 is inf."),
        (
            "logits",
            [0.0, 1e300],
            "Row 3, column 1 is 1e+300, more than a float32 can hold.",
        ),
        ("log_probs", [1e39, 0.0], "Row 3, column 0 is 1e+39, more than a float32"),
        ("probs", [0.0, 1e39], "Row 3, column 1 is 1e+39, more than a float32"),
        (
            "logits",
            [-1e300, -np.inf],
            "Row 3, column 0 is -1e+300, less than a float32 can hold.",
        ),
    ],
)
def test_a_bad_row_is_named(form, row, message):
    good = {"log_probs": np.log([0.5, 0.5]), "probs": [0.5, 0.5], "logits": [1.0, 5.0]}
    rows = np.array([good[form]] * 3 + [row] + [good[form]])
    with pytest.raises(ValueError, match=r"[Rr]ow 3") as caught:
        scores.as_log_probs(rows, form)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (np.zeros(3), r"2 dimensions, \[T, V\]; got shape \(3,\)"),
        (np.zeros((1, 2, 3)), r"got shape \(1, 2, 3\)"),
        (np.float32(1), r"got shape \(\)"),
        ([[1.0], [1.0, 2.0]], r"must be a \[T, V\] array"),
        (np.zeros((2, 3), int), "float type, got int64"),
        (np.zeros((2, 3), complex), "float type, got complex128"),
        (np.zeros((2, 3), bool), "float type, got bool"),
        ([["a", "b"]], "float type, got <U1"),
        (None, r"got shape \(\)"),
        (np.zeros((2, 0)), r"shape \(2, 0\) have no labels"),
    ],
)
@pytest.mark.parametrize("form", FORMS)
def test_what_is_no_matrix_of_floats_is_refused(given, message, form):
    with pytest.raises(ValueError, match=message):
        scores.as_log_probs(given, form)
