"""A small vocabulary like Whisper's, and models that write in it."""

import numpy as np

from oasr import engine
from oasr import tokenizers
from tests.engine.decode import token_models
from tests.tokenizers import small_tokenizers as small

NAMES = ["<|endoftext|>", "<|startoftranscript|>", "<|en|>", "<|zh|>", "<|de|>"]
NAMES += ["<|translate|>", "<|transcribe|>", "<|startoflm|>", "<|startofprev|>"]
NAMES += ["<|nospeech|>", "<|notimestamps|>"]
TIMES = 101  # Two seconds.


def write(folder):
    """Writes the vocabulary; returns what a checkpoint says of it."""
    library = small.byte_level()
    first = len(library.get_vocab())
    added = [small.added(first + n, name) for n, name in enumerate(NAMES)]
    path = small.write(folder / "tokenizer.json", library, added)
    return tokenizers.TokenizerSpec(
        "whisper",
        {"tokenizer": path},
        {"vocab_size": first + len(NAMES) + TIMES},
    )


class Model(token_models.HistoryModel):
    """Keeps the prompts; its scores like text and timestamps as well."""

    def __init__(self, tokenizer, **options):
        super().__init__(tokenizer.vocab_size, **options)
        self.eot_id = tokenizer.eot_id
        self.prompts = []

    def prefill(self, encoded, prompts):
        self.prompts += [prompt.tolist() for prompt in prompts]
        return super().prefill(encoded, prompts)

    def log_probs(self, start, history):
        found = super().log_probs(start, history).astype(np.float64)
        found[self.eot_id] += 1.5  # So that transcripts end now and then.
        return token_models.log_softmax(found).astype(np.float32)


class Aligned(Model):
    """Looks at eight frames for each token, from the first on, and the rest at last."""

    def attention(self, encoded, prompt, ids):
        found = np.full((2, len(ids) + 1, 200), 0.01)
        for row in range(len(ids)):
            found[:, row, 8 * row : 8 * row + 8] = 1
        found[:, -1, 8 * len(ids) :] = 1
        return found


def build(spec, model, *, seconds_per_frame=0.02, **options):
    config = engine.EngineConfig(
        family="aed",
        tokenizer=spec,
        seconds_per_frame=seconds_per_frame,
        decode_options={"max_new_tokens": 12} | options,
    )
    return engine.ASREngine(config, model)


def ask(built, audio=100, **options):
    (output,) = built.transcribe([engine.Request("a", audio, options)])
    return output


def ids_of(tokenizer, *names):
    return [tokenizer.control_id(f"<|{name}|>") for name in names]
