"""A runtime of Whisper's in place of `ctranslate2.models.Whisper`: it writes a script.

What it writes of a window depends on the audio, the prompt and the temperature alone.
"""

import dataclasses
import hashlib
import random

import numpy as np

from oasr.checkpoints import whisper_languages as names
from oasr.models import ctranslate2_whisper_vocabulary as vocabularies

# Of the English-only models: text, then control tokens, then timestamps.
END = 50256
CONTROLS = names.controls(names.OLD_LANGUAGES)
TEXTS = [chr(0x61 + k % 26) for k in range(END)]
NAMES = [*TEXTS, *CONTROLS, *names.TIMESTAMPS]
IDS = {name: token_id for token_id, name in enumerate(NAMES)}
START = IDS[names.START]
PREVIOUS = IDS[names.PREVIOUS]
PLAIN = IDS[names.NO_TIMESTAMPS]
ZERO = IDS[names.TIMESTAMPS[0]]


def vocabulary():
    """Returns its vocabulary."""
    return vocabularies.Vocabulary(
        texts=NAMES,
        end_id=END,
        start_id=START,
        previous_id=PREVIOUS,
        no_timestamps_id=PLAIN,
        languages={code: IDS[f"<|{code}|>"] for code in names.LANGUAGES[:99]},
    )


def at(seconds):
    """Returns the timestamp of a time in the window."""
    return ZERO + round(seconds * 50)


@dataclasses.dataclass
class Result:
    """As `ctranslate2.models.WhisperGenerationResult`."""

    sequences_ids: list
    scores: list
    no_speech_prob: float = 0.0


@dataclasses.dataclass
class Alignment:
    """As `ctranslate2.models.WhisperAlignmentResult`."""

    alignments: list
    text_token_probs: list


@dataclasses.dataclass
class Call:
    """One call of `generate`."""

    window: bytes
    prompt: tuple
    options: dict

    @property
    def temperature(self):
        if self.options["beam_size"] > 1 or "sampling_temperature" not in self.options:
            return 0.0
        return self.options["sampling_temperature"]


class FakeWhisper:
    """Writes what `script(call)` returns for each call.

    Args:
      script: gives a `Result`, or the ids of one.
      language: what it takes speech for; None for a model that knows only English.
    """

    device = "cpu"
    compute_type = "float32"

    def __init__(self, script, *, language=None, n_mels=80):
        self._script = script
        self.n_mels = n_mels
        self.shapes = set()
        self._language = language
        self.calls = []
        self.encoded = 0
        self.aligned = []

    @property
    def is_multilingual(self):
        return self._language is not None

    def encode(self, features, to_cpu=False):
        del to_cpu
        self.encoded += 1
        self.shapes.add(np.asarray(features).shape)
        return hashlib.sha256(np.asarray(features).tobytes()).digest()

    def detect_language(self, encoded):
        return [[(f"<|{self._language}|>", 0.9), ("<|en|>", 0.1)]]

    def generate(self, encoded, prompts, **options):
        [prompt] = prompts
        call = Call(encoded, tuple(prompt), options)
        self.calls.append(call)
        found = self._script(call)
        if not isinstance(found, Result):
            count = options.get("num_hypotheses", 1)
            found = Result([list(found)] * count, [-0.1] * count)
        return [found]

    def align(self, encoded, start, texts, frames, median_filter_width=7):
        del encoded
        self.aligned.append((tuple(start), frames, median_filter_width))
        found = []
        for ids in texts:
            # Ten frames of 20 ms to a token.
            path = [(k // 10, k) for k in range(10 * len(ids) + 1)]
            found.append(Alignment(path, [0.5] * len(ids)))
        return found


def random_script(seed, *, failing=0.2):
    """Returns a script of random phrases, some of which no one would believe."""

    def script(call):
        content = repr((seed, call.window, call.prompt, call.temperature)).encode()
        generator = random.Random(hashlib.sha256(content).digest())
        timed = call.prompt[-1] != PLAIN
        ids, time = [], 0.0
        while not ids or (len(ids) < 60 and generator.random() < 0.75):
            time = round(min(29.9, time + generator.choice([0, 0.4, 2.0])), 2)
            start = at(time)
            # The first one is long and has words, or faster-whisper never ends.
            length = generator.choice([0.02, 0.5, 3.0, 7.0]) if ids else 5.0
            time = round(min(30.0, time + length), 2)
            count = generator.randrange(6) if ids else 3
            words = [generator.randrange(END) for _ in range(count)]
            if generator.random() < 0.05:
                words = [5] * 60  # Which repeats itself.
            ids += [start, *words, at(time)]
        ending = generator.random()
        if ending < 0.3:
            ids.append(at(time))  # A pair at the end.
        elif ending < 0.5:
            ids += [at(time), generator.randrange(END)]  # An unfinished phrase.
        elif ending < 0.6:
            ids = [i for i in ids if i < ZERO] or [7]
        if not timed:
            ids = [i for i in ids if i < END]
        score = -3.0 if generator.random() < failing else -0.2
        return Result(
            [ids] * call.options.get("num_hypotheses", 1),
            [score * (len(ids) + 1) / max(1, len(ids))] * 5,
            generator.choice([0.0, 0.0, 0.9]),
        )

    return script
