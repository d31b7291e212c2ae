"""What was said before an answer: who said what, in order."""

from collections.abc import Mapping, Sequence
import dataclasses
from typing import Any

from oasr import showing
from oasr.engine import checks
from oasr.engine import limits

_FIELDS = ("role", "content")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Conversation:
    """The messages of a request whose last is answered.

    Attributes:
      prompt: what the user says now, beside the audio.
      system: what the model is told first, if anything.
      turns: what the user said before, each with the reply to it.
    """

    prompt: str
    system: str | None = None
    turns: tuple[tuple[str, str], ...] = ()

    @classmethod
    def from_messages(cls, name: str, messages: object) -> "Conversation":
        """Returns the conversation of a list of messages.

        Args:
          name: of the setting.
          messages: mappings with a "role" and a "content": first, if at all, "system";
            then "user" and "assistant" in turn, a "user" last.

        Raises:
          ValueError: naming the message that cannot be.
        """
        if not isinstance(messages, Sequence) or isinstance(messages, str | bytes):
            raise ValueError(
                f"{name} must be a list of messages, got {showing.shown(messages)}."
            )
        given = [
            _message(f"{name}[{place}]", message)
            for place, message in enumerate(messages)
        ]
        if sum(len(text) for _, text in given) > limits.MAX_PROMPT_CHARACTERS:
            raise ValueError(
                f"{name} must have at most {limits.MAX_PROMPT_CHARACTERS} characters in"
                f" all, got {sum(len(text) for _, text in given)}."
            )
        roles = [role for role, _ in given]
        has_system = roles[:1] == ["system"]
        said = [text for _, text in given[has_system:]]
        wanted = [("user", "assistant")[place % 2] for place in range(len(said))]
        if roles[has_system:] != wanted or len(said) % 2 == 0:
            raise ValueError(
                f"{name} must be one of 'system' or none, then 'user' and 'assistant'"
                f" in turn, a 'user' last; got the roles {showing.shown(roles)}."
            )
        return cls(
            prompt=said[-1],
            system=given[0][1] if has_system else None,
            turns=tuple(zip(said[:-1:2], said[1::2], strict=True)),
        )


def _message(place: str, message: object) -> tuple[str, str]:
    """Returns the role and the content of a message."""
    if not isinstance(message, Mapping) or sorted(map(str, message)) != sorted(_FIELDS):
        raise ValueError(
            f"{place} must have a 'role' and a 'content' and nothing else, got"
            f" {showing.shown(message)}."
        )
    fields: Mapping[Any, Any] = message
    checks.text(f"{place}['role']", fields["role"])
    checks.text(f"{place}['content']", fields["content"])
    return fields["role"], fields["content"]
