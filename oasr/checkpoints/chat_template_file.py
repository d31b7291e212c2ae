"""Finds the chat template of a checkpoint, in whichever file it is."""

from collections.abc import Mapping
import dataclasses
from typing import Any

from oasr.checkpoints import directory as directories
from oasr.checkpoints import huggingface_files as files
from oasr.tokenizers import errors

_TEMPLATE = "chat_template.jinja"
_TEMPLATE_JSON = "chat_template.json"
# The names by which templates know control tokens.
_VARIABLES = ("bos_token", "eos_token", "pad_token", "unk_token")


@dataclasses.dataclass(frozen=True)
class ChatTemplate:
    """A template as the files have it.

    Attributes:
      source: in Jinja.
      place: the file it is in.
      variables: the control tokens that it may name.
    """

    source: str
    place: str
    variables: Mapping[str, str]


def find(directory: directories.CheckpointDirectory) -> ChatTemplate | None:
    """Returns the template, None if there is none; of several, the default one.

    Raises:
      AssetError: if a file is malformed.
    """
    config = files.optional(directory, files.TOKENIZER_CONFIG)
    variables = _variables(config)
    if _TEMPLATE in directory:
        place = f"{directory.path}/{_TEMPLATE}"
        return ChatTemplate(directory.text(_TEMPLATE), place, variables)
    name = files.TOKENIZER_CONFIG
    if _TEMPLATE_JSON in directory:
        name, config = _TEMPLATE_JSON, directory.json(_TEMPLATE_JSON)
    given = config.get("chat_template")
    if given is None:
        return None
    place = f"{directory.path}/{name}"
    return ChatTemplate(_default(given, place), place, variables)


def _default(given: Any, place: str) -> str:
    """Returns the template itself, or the one named "default" of a list."""
    if isinstance(given, list):
        named = [one for one in given if isinstance(one, dict)]
        given = next(
            (one.get("template") for one in named if one.get("name") == "default"),
            given,
        )
    if not isinstance(given, str):
        raise errors.AssetError(
            f"{place}: expected chat_template to be a text, or a list with one named"
            f" 'default', found {type(given).__name__}."
        )
    return given


def _variables(config: Mapping[str, Any]) -> dict[str, str]:
    """Returns the control tokens by name; an entry is a text, or has one."""
    found = {}
    for name in _VARIABLES:
        value = config.get(name)
        if isinstance(value, dict):
            value = value.get("content")
        if isinstance(value, str):
            found[name] = value
    return found
