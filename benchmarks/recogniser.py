"""Whisper tiny.en beside faster-whisper: speed, memory, errors, where the time goes.

./tools/bazel run //benchmarks:recogniser -- --json=recogniser.json

With OASR_FIELD_DATA, the recordings in its folder `audio` are transcribed, too.
"""

from collections.abc import Callable, Mapping, Sequence
import json
import os
import pathlib
import re
import subprocess
import sys

from absl import app
from absl import flags
import jiwer
import numpy as np
from numpy import typing as npt

from benchmarks import contest
from benchmarks import recogniser_contenders as contenders
from oasr.features import audio
from oasr.features import log_mel

_MODEL = flags.DEFINE_string(
    "model", None, "The file config.json of the model.", required=True
)
_CLIP = flags.DEFINE_string("clip", None, "The file beckett.wav.", required=True)
_JSON = flags.DEFINE_string("json", None, "Where to write the table.")
_ROUNDS = flags.DEFINE_integer("rounds", 5, "How often each contender is sampled.")
_THREADS = flags.DEFINE_integer("threads", 2, "Of the runtime.")
_COMPUTE_TYPE = flags.DEFINE_string("compute_type", "int8", "Of the runtime.")
_LONG = flags.DEFINE_integer("long", 120, "Seconds of the long recording.")
_PEAK = flags.DEFINE_string(
    "peak", None, "Transcribes the long recording by one contender; says its memory."
)

Samples = npt.NDArray[np.float32]

_SAID = "Ever tried. Ever failed. No matter. Try again. Fail again. Fail better."
# The recordings by their names in libri_trans.txt.
_ENGLISH = {"0.wav": "libri_0", "1.wav": "libri_1", "8k.wav": "libri_8k"}


def _recordings() -> tuple[dict[str, Samples], dict[str, str]]:
    """Returns samples by name, and what was said in those of which it is known."""
    clip = audio.read(_CLIP.value).samples
    found, said = {"beckett": clip}, {"beckett": _SAID}
    folder = os.environ.get("OASR_FIELD_DATA")
    if folder:
        lines = pathlib.Path(folder, "audio", "libri_trans.txt").read_text("utf-8")
        for line in lines.splitlines():
            file, _, text = line.partition(" ")
            said[_ENGLISH[file]] = text
        for name in _ENGLISH.values():
            path = pathlib.Path(folder, "audio", f"{name}.flac")
            found[name] = audio.read(path).samples
    found[f"{_LONG.value} s"] = _long(list(found.values()))
    return found, said


def _long(clips: Sequence[Samples]) -> Samples:
    """Returns clips with half a second between them, again and again."""
    pause = np.zeros(audio.SAMPLE_RATE // 2, np.float32)
    once = np.concatenate([part for clip in clips for part in (clip, pause)])
    count = _LONG.value * audio.SAMPLE_RATE
    return np.tile(once, count // len(once) + 1)[:count]


def _built() -> dict[str, contenders.Transcriber]:
    return {name: _build(name) for name in contenders.BUILDERS}


def _build(name: str) -> contenders.Transcriber:
    return contenders.BUILDERS[name](
        os.path.dirname(os.path.realpath(_MODEL.value)),
        threads=_THREADS.value,
        compute_type=_COMPUTE_TYPE.value,
    )


def _speed(
    transcribers: Mapping[str, contenders.Transcriber], recordings: dict[str, Samples]
) -> list[contest.Result]:
    results = []
    for name, samples in recordings.items():
        calls = {who: _call(does, samples) for who, does in transcribers.items()}
        seconds = len(samples) / audio.SAMPLE_RATE
        for result in contest.run(name, calls, rounds=_ROUNDS.value):
            note = f"real-time factor {result.seconds / seconds:.4f}"
            results.append(_noted(result, note))
    return results


def _call(transcribe: contenders.Transcriber, samples: Samples) -> Callable[[], object]:
    return lambda: transcribe(samples)


def _noted(result: contest.Result, note: str) -> contest.Result:
    return contest.Result(
        result.case, result.contender, result.seconds, result.ratio, note
    )


def _errors(
    transcribers: Mapping[str, contenders.Transcriber],
    recordings: dict[str, Samples],
    said: Mapping[str, str],
) -> list[contest.Result]:
    results = []
    references = [_words(text) for text in said.values()]
    for who, transcribe in transcribers.items():
        found = [_words(transcribe(recordings[name])) for name in said]
        rate = jiwer.wer(references, found)
        note = f"word error rate {100 * rate:.2f} % of {len(said)} recording(s)"
        results.append(contest.Result("errors", who, 0, 0, note))
    return results


def _words(text: str) -> str:
    return " ".join(re.findall(r"[a-z']+", text.lower()))


def _shares(recordings: dict[str, Samples]) -> list[contest.Result]:
    """Returns which part of the time is not the model's, and what it goes to."""
    runtime, spectrogram = contenders.Clock(), contenders.Clock()
    contenders.time_runtime(runtime)
    plain = log_mel.log_mel
    log_mel.log_mel = spectrogram.around(plain)
    results = []
    for who, transcribe in _built().items():
        whole = contenders.Clock()
        runtime.seconds = spectrogram.seconds = 0
        for samples in recordings.values():
            with whole.running():
                transcribe(samples)
        rest = 1 - runtime.seconds / whole.seconds
        note = f"{100 * rest:.2f} % of the time is not the model's"
        if who == "oasr":
            share = spectrogram.seconds / whole.seconds
            note += (
                f": {100 * share:.2f} % the spectrogram's,"
                f" {100 * (rest - share):.2f} % windows and text"
            )
        results.append(contest.Result("share", who, 0, 0, note))
    log_mel.log_mel = plain
    return results


def _peaks() -> list[contest.Result]:
    """Returns the peak memory of each, in a process of its own."""
    found = {}
    for who in contenders.BUILDERS:
        command = [sys.executable, *sys.argv, f"--peak={who}"]
        answer = subprocess.run(command, check=True, capture_output=True, text=True)
        found[who] = json.loads(answer.stdout.splitlines()[-1])
    first = next(iter(found.values()))
    return [
        contest.Result(
            f"peak memory, {_LONG.value} s",
            who,
            0,
            0,
            f"{peak / 2**20:.0f} MiB, {peak / first:.2f}x",
        )
        for who, peak in found.items()
    ]


def _say_peak(who: str) -> None:
    recordings, _ = _recordings()
    transcribe = _build(who)
    transcribe(list(recordings.values())[-1])
    # What a process reports of itself otherwise counts its parent's, too.
    status = pathlib.Path("/proc/self/status").read_text("ascii")
    peak = re.search(r"^VmHWM:\s*(\d+) kB$", status, re.M)
    assert peak
    print(json.dumps(int(peak[1]) * 1024))


def main(argv: Sequence[str]) -> None:
    """Runs all cases."""
    if len(argv) > 1:
        raise app.UsageError(f"Unexpected arguments {argv[1:]!r}.")
    if _PEAK.value:
        _say_peak(_PEAK.value)
        return
    recordings, said = _recordings()
    transcribers = _built()
    results = _speed(transcribers, recordings)
    results += _errors(transcribers, recordings, said)
    results += _shares(recordings)
    results += _peaks()
    contest.report("Whisper tiny.en, beam 5, word timings", results, _JSON.value)


if __name__ == "__main__":
    app.run(main)
