"""Makes the `tokenizer.json` of a Whisper model that comes without one."""

from collections.abc import Iterable, Mapping
import json
import re
from typing import Any

from oasr.checkpoints import byte_ranks
from oasr.checkpoints import whisper_languages as names
from oasr.tokenizers import errors

_TIMESTAMP = re.compile(r"<\|[0-9]+\.[0-9]{2}\|>")


def from_ranks(path: str, vocab_size: int) -> dict[str, Any]:
    """Returns the content for a rank file, equal to what is published for the model.

    Args:
      path: OpenAI's .tiktoken file.
      vocab_size: the model's; how many languages it has follows from it.

    Raises:
      AssetError: if the file is malformed, or the size is of no Whisper model.
    """
    tokens = byte_ranks.read(path)
    languages = names.languages_of(vocab_size, len(tokens))
    if languages not in (names.OLD_LANGUAGES, len(names.LANGUAGES)):
        sizes = [
            vocab_size - languages + known
            for known in (names.OLD_LANGUAGES, len(names.LANGUAGES))
        ]
        raise errors.AssetError(
            f"{path}: the model's vocabulary size is {vocab_size}; with these"
            f" {len(tokens)} ranks Whisper's are {sizes[0]} and {sizes[1]}."
        )
    letter = byte_ranks.letters()
    written = {token: "".join(letter[byte] for byte in token) for token in tokens}
    vocab = {text: rank for rank, text in enumerate(written.values())}
    pairs = [
        f"{written[left]} {written[right]}"
        for left, right in byte_ranks.merges(tokens, path)
    ]
    controls = [*names.controls(languages), *names.TIMESTAMPS]
    added = added_tokens(
        dict(zip(controls, range(len(tokens), vocab_size), strict=True))
    )
    return content(vocab, pairs, added)


def added_tokens(ids: Mapping[str, int]) -> list[dict[str, Any]]:
    """Returns added tokens as published files have them: timestamps count as text."""
    return [
        {
            "id": token_id,
            "content": name,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": bool(_TIMESTAMP.fullmatch(name)),
            "special": not _TIMESTAMP.fullmatch(name),
        }
        for name, token_id in sorted(ids.items(), key=lambda item: item[1])
    ]


def content(
    vocab: Mapping[str, int],
    merges: Iterable[str],
    added: list[dict[str, Any]],
) -> dict[str, Any]:
    """Returns the content of a `tokenizer.json`.

    Args:
      vocab: the id of each text.
      merges: as "<left> <right>".
      added: the added tokens, by id.

    Raises:
      KeyError: if a control token of the template is not among `added`.
    """
    ids = {token["content"]: token["id"] for token in added}
    byte_level = {"type": "ByteLevel", "trim_offsets": True, "use_regex": True}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": None,
        "pre_tokenizer": {**byte_level, "add_prefix_space": False},
        "post_processor": _template(ids),
        "decoder": {**byte_level, "add_prefix_space": True},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": "",
            "end_of_word_suffix": "",
            "fuse_unk": False,
            "byte_fallback": False,
            # The end of text is in the vocabulary as well.
            "vocab": {**vocab, names.END_OF_TEXT: ids[names.END_OF_TEXT]},
            "merges": list(merges),
        },
    }


def as_bytes(found: Mapping[str, Any]) -> bytes:
    """Returns the file of a content."""
    return json.dumps(found, ensure_ascii=False).encode("utf-8", "backslashreplace")


def _template(ids: Mapping[str, int]) -> dict[str, Any]:
    """Returns what the runtime puts around a text when it is asked to."""
    end = names.END_OF_TEXT
    used = sorted((end, names.NO_TIMESTAMPS, names.START))
    return {
        "type": "TemplateProcessing",
        "single": [*_start(), _text("A", 0), _control(end, 0)],
        "pair": [*_start(), _text("A", 0), _text("B", 1), _control(end, 1)],
        "special_tokens": {
            name: {"id": name, "ids": [ids[name]], "tokens": [name]} for name in used
        },
    }


def _start() -> list[dict[str, Any]]:
    return [_control(names.START, 0), _control(names.NO_TIMESTAMPS, 0)]


def _control(name: str, type_id: int) -> dict[str, Any]:
    return {"SpecialToken": {"id": name, "type_id": type_id}}


def _text(name: str, type_id: int) -> dict[str, Any]:
    return {"Sequence": {"id": name, "type_id": type_id}}
