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

    None of them is empty, and all of them are no longer than a prompt may be.

    Attributes:
      prompt: what the user says now, beside the audio.
      system: what the model is told first, if anything.
      turns: what the user said before, each with the reply to it.
    """

    prompt: str
    system: str | None = None
    turns: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        checks.text("Conversation.prompt", self.prompt)
        if self.system is not None:
            checks.text("Conversation.system", self.system)
        texts = [self.prompt, self.system or "", *self._said_before()]
        count = sum(map(len, texts))
        if count > limits.MAX_PROMPT_CHARACTERS:
            raise ValueError(
                f"A conversation must have at most {limits.MAX_PROMPT_CHARACTERS}"
                f" characters in all, got {count}."
            )

    def _said_before(self) -> list[str]:
        """Returns the texts of the turns, checked."""
        if not isinstance(self.turns, tuple):
            raise ValueError(
                "Conversation.turns must be a tuple of pairs, got"
                f" {showing.shown(self.turns)}."
            )
        found = []
        for place, turn in enumerate(self.turns):
            if not isinstance(turn, tuple) or len(turn) != 2:
                raise ValueError(
                    f"Conversation.turns[{place}] must be what the user said and the"
                    f" reply to it, got {showing.shown(turn)}."
                )
            for text in turn:
                checks.text(f"A text of Conversation.turns[{place}]", text)
                found.append(text)
        return found

    @classmethod
    def from_messages(cls, name: str, messages: object) -> "Conversation":
        """Returns the conversation of a list of messages.

        Args:
          name: of the setting.
          messages: mappings with a "role" and a "content": first, if at all, "system";
            then "user" and "assistant" in turn, a "user" last.

        Raises:
          ValueError: naming the message that cannot be, or for too much text.
        """
        if not isinstance(messages, Sequence) or isinstance(messages, str | bytes):
            raise ValueError(
                f"{name} must be a list of messages, got {showing.shown(messages)}."
            )
        given = [
            _message(f"{name}[{place}]", message)
            for place, message in enumerate(messages)
        ]
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
    if not isinstance(message, Mapping) or set(message) != set(_FIELDS):
        raise ValueError(
            f"{place} must have a 'role' and a 'content' and nothing else, got"
            f" {showing.shown(message)}."
        )
    fields: Mapping[Any, Any] = message
    checks.text(f"{place}['role']", fields["role"])
    checks.text(f"{place}['content']", fields["content"])
    return fields["role"], fields["content"]
