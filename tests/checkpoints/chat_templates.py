"""Published chat templates, and vocabularies that have their control tokens."""

import dataclasses
import json

from oasr import tokenizers
from tests.tokenizers import package_files
from tests.tokenizers import qwen2_audio
from tests.tokenizers import small_tokenizers as small

CONTROLS = {
    "chatml": ["<|im_start|>", "<|im_end|>"],
    "gemma": ["<bos>", "<start_of_turn>", "<end_of_turn>"],
    "llama3": [
        "<|begin_of_text|>",
        "<|start_header_id|>",
        "<|end_header_id|>",
        "<|eot_id|>",
    ],
    "qwen_25": ["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
    "qwen2_audio": qwen2_audio.NAMES[:6],
}
BOS = {"gemma": "<bos>", "llama3": "<|begin_of_text|>"}
AUDIO = "<|AUDIO|>"
LISTENING = [AUDIO, "<|audio_bos|>", "<|audio_eos|>"]


@dataclasses.dataclass(frozen=True)
class Published:
    """A template, and the file of a vocabulary for it."""

    source: str
    variables: dict
    path: str
    tokenizer: tokenizers.Tokenizer


def load(name, base, folder):
    """Returns a published template with Qwen's pieces and its own control tokens.

    Args:
      name: of `CONTROLS`.
      base: a tokenizer.json of Qwen's pieces.
      folder: where the vocabulary is written.
    """
    content = json.loads(base.read_text(encoding="utf-8"))
    names = [*dict.fromkeys([*CONTROLS[name], *LISTENING])]
    first = qwen2_audio.FIRST
    content["added_tokens"] = [small.added(first + n, c) for n, c in enumerate(names)]
    path = folder / f"{name}.json"
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    variables = {"bos_token": BOS[name]} if name in BOS else {}
    return Published(
        source(name), variables, str(path), tokenizers.HuggingFaceTokenizer(path)
    )


def source(name):
    """Returns the text of a template."""
    if name == "qwen2_audio":
        from transformers.models.qwen2_audio import processing_qwen2_audio

        # The default of a class that needs no instance to say it.
        return processing_qwen2_audio.Qwen2AudioProcessor.default_chat_template.fget(
            None
        )
    repository = f"{name.replace('_', '')}_template"
    return package_files.find(repository, f"{name}.jinja").read_text(encoding="utf-8")
