"""Tests for transducer_prefixes: equal ids are one object, while anyone needs it."""

import gc
import math
import os
import random
import weakref

import pytest

from oasr.engine.decode import transducer_prefixes as prefixes
from tests import conftest


def grown(root, ids):
    prefix = root
    for token_id in ids:
        prefix = prefix.child(token_id)
    return prefix


@pytest.mark.parametrize("seed", range(50 * conftest.SCALE))
def test_equal_ids_are_the_same_prefix(seed):
    rng, root = random.Random(seed), prefixes.Prefix()
    rows = [tuple(rng.choices(range(2), k=rng.randrange(6))) for _ in range(8)]
    found = [grown(root, row) for row in rows]
    assert [prefix.ids() for prefix in found] == rows
    assert [prefix.length for prefix in found] == [len(row) for row in rows]
    for row, prefix in zip(rows, found, strict=True):
        assert grown(root, row) is prefix
    assert len(set(map(id, found))) == len(set(rows))
    shared = prefixes.common_prefix(found)
    assert shared.ids() == os.path.commonprefix(rows)


def test_a_prefix_that_nobody_needs_is_gone():
    root = prefixes.Prefix()
    kept, dropped = grown(root, [1, 2, 3]), grown(root, [1, 2, 4])
    shared, gone = weakref.ref(kept.parent), weakref.ref(dropped)
    del dropped
    gc.collect()
    assert gone() is None
    assert shared() is kept.parent
    assert grown(root, [1, 2]) is kept.parent


def test_ways_to_one_prefix_add_up_and_the_best_says_when():
    prefix = prefixes.Prefix().child(3)
    early = prefixes.Live(prefix, math.log(0.5), math.log(0.2), (None, 0, 0.5))
    late = prefixes.Live(prefix, math.log(0.3), math.log(0.3), (None, 1, 0.75))
    for merged in (early.merged(late), late.merged(early)):
        found = merged.hypothesis()
        assert found.score == pytest.approx(math.log(0.8))
        assert (found.ids, found.frames, found.confidences) == ((3,), (1,), (0.75,))
