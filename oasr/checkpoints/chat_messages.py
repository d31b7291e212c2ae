"""What a chat template is asked to write: a turn, with or without what goes before."""

from collections.abc import Mapping
import dataclasses
from typing import Any

# Stands for the address of the recording. A template that writes it took the list of
# parts for a text.
ADDRESS = "file:Mark3Of4Address"


@dataclasses.dataclass(frozen=True)
class AudioMarkup:
    """How a recording stands in a prompt.

    Attributes:
      token: the control token that is repeated for its length, e.g. "<|AUDIO|>".
      before: what stands before it where the template does not write it.
      after: what stands behind it there.
    """

    token: str
    before: str = ""
    after: str = ""


def shapes(audio: AudioMarkup | None) -> list[tuple[str, ...]]:
    """Returns what may be in the slots of a turn that is not empty."""
    with_prompt: list[tuple[str, ...]] = [("prompt",), ("system", "prompt")]
    return [*with_prompt, (), ("system",)] if audio else with_prompt


def styles(audio: AudioMarkup | None) -> list[str]:
    """Returns the forms of a message's content, the first understood of which counts.

    "parts" is a list of a recording and a text, "text" has the markup of the
    recording before the text.
    """
    return ["parts", "text"] if audio else ["text"]


def context(
    style: str,
    shape: tuple[str, ...],
    values: Mapping[str, str],
    audio: AudioMarkup | None,
    turns: int = 0,
) -> dict[str, Any]:
    """Returns the variables of one rendering.

    Args:
      style: of `styles`.
      shape: which slots there are.
      values: what is in them.
      audio: how a recording stands in a prompt.
      turns: how many turns go before; there is no recording in them.
    """
    messages: list[dict[str, Any]] = []
    if "system" in shape:
        messages.append({"role": "system", "content": values["system"]})
    for number in range(1, turns + 1):
        said: Any = values[f"user {number}"]
        if audio and style == "parts":
            said = [{"type": "text", "text": said}]
        messages.append({"role": "user", "content": said})
        reply = values[f"reply {number}"]
        messages.append({"role": "assistant", "content": reply})
    prompt = values["prompt"] if "prompt" in shape else ""
    content: Any = prompt
    if audio and style == "parts":
        content = [{"type": "audio", "audio": ADDRESS, "audio_url": ADDRESS}]
        if "prompt" in shape:
            content.append({"type": "text", "text": prompt})
    elif audio:
        content = f"{audio.before}{audio.token}{audio.after}{prompt}"
    messages.append({"role": "user", "content": content})
    return {
        "messages": messages,
        "tools": None,
        "documents": None,
        "add_generation_prompt": True,
    }
