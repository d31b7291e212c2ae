"""Files of scores: refused, or arrays of floats that an engine takes or refuses."""

import io
import json

import numpy as np

from oasr import engine
from oasr.models import recorded
from tests.fuzz import choices
from tests.fuzz import files
from tests.fuzz import mutations
from tests.fuzz import target

_NAMES = ("a.npy", "a.npz", "a.json")


def _scores(data: bytes) -> None:
    """Reads the bytes behind the first as scores, and decodes what is there."""
    chosen = choices.Choices(data)
    path = files.put(f"scores/{chosen.one_of(_NAMES)}", chosen.rest())
    for name in recorded.list_recordings(path):
        found = recorded.read_recording(name)
        assert found.ndim == 2
        assert np.issubdtype(found.dtype, np.floating)
        if found.size <= 10_000:
            _decode(found)


def _decode(scores: np.ndarray) -> None:
    for form in ("log_probs", "probs", "logits"):
        with engine.ASREngine(engine.EngineConfig(scores=form)) as asr:
            options = {"n_best": 3}
            [output] = asr.transcribe([engine.Request("a", scores, options)])
            assert output.finished
            if output.error is None:
                assert all(np.isfinite(output.scores))


def _archive(**arrays: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def _array(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def _seeds() -> list[bytes]:
    rows = np.log(np.full((3, 4), 0.25, np.float32))
    skewed = np.log(np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1]]))
    return [
        *(b"\0" + _array(a) for a in (rows, skewed.astype(np.float16), rows[:0])),
        b"\1" + _archive(first=rows[:2], second=skewed),
        b"\2" + json.dumps(skewed.tolist()).encode(),
        b"\2[[-0.1, -Infinity], [-1e-3, -7.5]]",
    ]


def _mutate(data, rng):
    how = mutations.of_json if data[:1] == b"\2" else mutations.of_bytes
    return data[:1] + how(data[1:], rng) if rng.random() < 0.95 else how(data, rng)


SCORES = target.Target(run=_scores, seeds=_seeds, mutate=_mutate, short=1500)
