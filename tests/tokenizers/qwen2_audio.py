"""Files like Qwen2-Audio's: a tokenizer.json that lacks most of its added tokens."""

import json

import tiktoken

from tests.tokenizers import package_files
from tests.tokenizers import rank_files
from tests.tokenizers import small_tokenizers as small

FIRST = 151643

# The first six are Qwen2-Audio's; the names of the others are ours, in its number.
NAMES = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|AUDIO|>", "<|audio_bos|>"]
NAMES += ["<|audio_eos|>", *(f"<|extra_{n}|>" for n in range(3282))]

# Where Qwen2 cuts text before it looks for pieces.
_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def _ranks():
    return package_files.find("qwen_ranks", "qwen.tiktoken")


def reference():
    """Returns tiktoken with the ranks, the pattern and all added tokens."""
    return tiktoken.Encoding(
        "qwen2_audio",
        pat_str=_PATTERN,
        mergeable_ranks=rank_files.read(_ranks()),
        special_tokens={name: FIRST + n for n, name in enumerate(NAMES)},
    )


def write(folder):
    """Writes both files; returns their paths."""
    split = {"type": "Split", "pattern": {"Regex": _PATTERN}, "behavior": "Isolated"}
    letters = small.BYTE_LEVEL | {"add_prefix_space": False, "use_regex": False}
    steps = [split | {"invert": False}, letters]
    path = rank_files.write(
        folder / "tokenizer.json",
        _ranks(),
        [small.added(FIRST + n, name) for n, name in enumerate(NAMES[:3])],
        normalizer={"type": "NFC"},
        pre_tokenizer={"type": "Sequence", "pretokenizers": steps},
    )
    entries = {str(FIRST + n): small.added(0, name) for n, name in enumerate(NAMES)}
    for entry in entries.values():
        del entry["id"]
    config = folder / "tokenizer_config.json"
    config.write_text(json.dumps({"added_tokens_decoder": entries}))
    return path, config


def prompt(*questions):
    """Returns a prompt that asks about one recording after the other."""
    turns = ["<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n"]
    for number, question in enumerate(questions, start=1):
        audio = "<|audio_bos|>" + "<|AUDIO|>" * 101 + "<|audio_eos|>"
        turns.append(
            f"<|im_start|>user\nAudio {number}: {audio}\n{question}<|im_end|>\n"
        )
    return "".join(turns) + "<|im_start|>assistant\n"
