"""CTC searches beside numpy and the peers, on real and synthetic scores.

./tools/bazel run //benchmarks:ctc -- --json=ctc.json
"""

from collections.abc import Iterator, Sequence
import math

from absl import app
from absl import flags
import numpy as np

from benchmarks import contest
from benchmarks import ctc_peers
from benchmarks import ctc_scores
from oasr._native import ctc_prefix_beam

_LIBRI = flags.DEFINE_string(
    "libri", None, "The file libri_logits.json.", required=True
)
_JSON = flags.DEFINE_string("json", None, "Where to write the table.")
_ROUNDS = flags.DEFINE_integer("rounds", 7, "How often each contender is sampled.")
_BEAM = flags.DEFINE_integer("beam_size", 10, "The width of every beam.")


def _cases() -> Iterator[tuple[str, ctc_scores.Float32]]:
    yield "LibriSpeech T=371 V=29", ctc_scores.librispeech(_LIBRI.value)
    for labels in (32, 500, 5000):
        for frames in (500, 1500):
            name = f"synthetic T={frames} V={labels}"
            yield name, ctc_scores.synthetic(frames, labels)


def _greedy(name: str, log_probs: ctc_scores.Float32) -> list[contest.Result]:
    contenders = {
        "numpy argmax alone": lambda: log_probs.argmax(axis=1),
        "oasr greedy, frames, confidences": lambda: ctc_prefix_beam.greedy(log_probs),
        "numpy check of NaN and infinity": lambda: np.isfinite(log_probs).all(),
    }
    return contest.run(f"greedy, {name}", contenders, rounds=_ROUNDS.value)


def _beam(name: str, log_probs: ctc_scores.Float32) -> list[contest.Result]:
    size = _BEAM.value
    # fast-ctc-decode takes no cut from 1 / V on.
    cut = min(1e-3, 0.9 / log_probs.shape[1])
    best = {
        f"oasr, {size}-best with frames": lambda: list(
            ctc_prefix_beam.search(log_probs, n_best=size, beam_size=size)[0].ids
        ),
        # What fast-ctc-decode leaves out at that cut, this leaves out, too.
        f"the same, margin {-math.log(cut):.1f} nats": lambda: list(
            ctc_prefix_beam.search(
                log_probs,
                n_best=size,
                beam_size=size,
                candidate_margin=-math.log(cut),
            )[0].ids
        ),
        f"flashlight, best {size + 2} labels": ctc_peers.flash(
            log_probs, size, size + 2
        ),
        "pyctcdecode": ctc_peers.py(log_probs, size),
    }
    if log_probs.shape[1] <= 500:  # Beyond that it takes seconds a call.
        best[f"fast-ctc-decode, cut {cut:.1g}"] = ctc_peers.fast(log_probs, size, cut)
    own, *_ = likelihoods = [
        ctc_scores.likelihood(log_probs, search()) for search in best.values()
    ]
    notes = {
        name: f"log-likelihood {value:.4f}"
        + (f", above ours by {value - own:.2g}" if value > own + 1e-6 else "")
        for name, value in zip(best, likelihoods, strict=True)
    }
    return contest.run(f"beam, {name}", best, rounds=_ROUNDS.value, notes=notes)


def main(argv: Sequence[str]) -> None:
    """Runs all cases."""
    if len(argv) > 1:
        raise app.UsageError(f"Unexpected arguments {argv[1:]!r}.")
    results = []
    for name, log_probs in _cases():
        results += _greedy(name, log_probs)
        results += _beam(name, log_probs)
    contest.report("CTC searches", results, _JSON.value)


if __name__ == "__main__":
    app.run(main)
