"""The progress of one stream: text given out, text held back, a kind's own fields."""

import collections.abc
from collections.abc import Iterator
import copy
from typing import Any

# Text is kept as UTF-8: a bytearray grows in place, so a delta copies itself only.
# Lone surrogates, which a Python string may hold, survive the round trip.
_ENCODING, _ERRORS = "utf-8", "surrogatepass"


class DecodeState(dict[str, Any]):
    """A dictionary that belongs to one stream.

    `state["text"]` is the text of all ids so far: what the deltas gave out and, at
    the end, what is still held back. It is joined when read; nothing else about a
    delta costs more late in a stream than early. Kinds keep fields of their own
    under other keys. A state can be pickled and copied; a copy is a stream of its
    own.

    Attributes:
      finished: whether the stream was flushed.
    """

    def __init__(self, **fields: Any) -> None:
        super().__init__(**fields)
        self._given_out = bytearray()
        self._held = ""
        self.finished = False

    @property
    def given_out(self) -> str:
        """The deltas so far, joined."""
        return self._given_out.decode(_ENCODING, _ERRORS)

    @property
    def held(self) -> str:
        """How `decode` renders what is held back now; a later id may change it."""
        return "" if self.finished else self._unsettled()

    def _unsettled(self) -> str:
        """Returns `held` of a stream that is not finished; kinds know better ways."""
        return self._held

    def give_out(self, delta: str, held: str = "") -> str:
        """Records a delta and what is held back behind it; returns the delta."""
        self._given_out += delta.encode(_ENCODING, _ERRORS)
        self._held = held
        return delta

    def finish(self) -> str:
        """Gives out what is held back, and ends the stream."""
        rest = "" if self.finished else self.give_out(self.held)
        self.finished = True
        return rest

    def __getitem__(self, key: str) -> Any:
        if key == "text":
            return self.given_out + self.held
        return super().__getitem__(key)

    def __setitem__(self, key: str, value: Any) -> None:
        if key == "text":
            raise ValueError(
                "state['text'] is joined from what a stream gave out; it cannot be set."
            )
        super().__setitem__(key, value)

    def __iter__(self) -> Iterator[str]:
        yield "text"
        yield from super().__iter__()

    def __len__(self) -> int:
        return 1 + super().__len__()

    def __contains__(self, key: object) -> bool:
        return key == "text" or super().__contains__(key)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__getstate__() == other.__getstate__()

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def get(self, key: str, default: Any = None) -> Any:
        """Returns `self[key]`, or `default` without such a key."""
        try:
            return self[key]
        except KeyError:
            return default

    # The views of a dictionary would not see "text".
    keys = collections.abc.Mapping.keys  # type: ignore[assignment]
    values = collections.abc.Mapping.values  # type: ignore[assignment]
    items = collections.abc.Mapping.items  # type: ignore[assignment]

    def copy(self) -> "DecodeState":
        """Returns an independent state at the same place of the stream."""
        return self.__deepcopy__({})

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> "DecodeState":
        twin = type(self)()
        twin.__setstate__(copy.deepcopy(self.__getstate__(), memo))
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (), self.__getstate__()

    def __getstate__(self) -> dict[str, Any]:
        return {"fields": dict.copy(self), "attributes": dict(self.__dict__)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.update(state["fields"])
        self.__dict__.update(state["attributes"])
