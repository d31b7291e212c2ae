"""Whisper's `tokenizer.json` files and its own tokenizer, from the package's ranks."""

import importlib.util
import sys

from tests.tokenizers import package_files
from tests.tokenizers import rank_files
from tests.tokenizers import small_tokenizers as small

# By name: the ranks, languages, how the published file spells "no speech".
FAMILIES = {
    "en": ("gpt2", 99, "<|nocaptions|>"),
    "v2": ("multilingual", 99, "<|nocaptions|>"),
    "v3": ("multilingual", 100, "<|nospeech|>"),
}
EOT = {"en": 50256, "v2": 50257, "v3": 50257}
VOCAB_SIZE = {"en": 51864, "v2": 51865, "v3": 51866}


def ranks_path(name):
    """Returns the path of the ranks "gpt2" or "multilingual"."""
    return package_files.find(f"whisper_{name}_ranks", f"{name}.tiktoken")


def reference(folder, family):
    """Returns the tokenizer of the package itself, run from a copy in `folder`."""
    ranks, languages, _ = FAMILIES[family]
    source = package_files.find("whisper_tokenizer", "tokenizer.py")
    (folder / "assets").mkdir(exist_ok=True)
    for path in (source, ranks_path(ranks)):
        place = folder if path == source else folder / "assets"
        (place / path.name).write_bytes(path.read_bytes())
    name = f"whisper_tokenizer_{family}"
    spec = importlib.util.spec_from_file_location(name, folder / source.name)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.get_tokenizer(family != "en", num_languages=languages)


def write(folder, family, *, timestamps=True):
    """Writes the file of a family as it is published; returns its path.

    Timestamps are no special tokens there, and normalised; the English-only files and
    the first multilingual ones stop short of them.
    """
    ranks_name, _, no_speech = FAMILIES[family]
    named = reference(folder, family).encoding._special_tokens
    names = sorted(named, key=named.get)
    entries = []
    for name in names:
        is_time = name[2].isdigit()
        entry = small.added(named[name], name, special=not is_time, normalized=is_time)
        if name == "<|nospeech|>":
            entry["content"] = no_speech
        if timestamps or not is_time:
            entries.append(entry)
    return rank_files.write(
        folder / f"{family}.json",
        ranks_path(ranks_name),
        entries,
        vocab=[("<|endoftext|>", EOT[family])],
        pre_tokenizer=small.BYTE_LEVEL | {"add_prefix_space": False},
    )
