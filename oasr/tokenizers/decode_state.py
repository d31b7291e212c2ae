"""The progress of one stream: text given out, text held back, a kind's own fields."""

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

    def __missing__(self, key: str) -> str:
        if key == "text":
            return self.given_out + ("" if self.finished else self.held)
        raise KeyError(key)

    def __contains__(self, key: object) -> bool:
        return key == "text" or super().__contains__(key)

    def get(self, key: str, default: Any = None) -> Any:
        """Returns `self[key]`, or `default` without such a key."""
        try:
            return self[key]
        except KeyError:
            return default

    def copy(self) -> "DecodeState":
        """Returns an independent state at the same place of the stream."""
        twin = type(self)()
        twin.__setstate__(_unshared(self.__getstate__()))
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> "DecodeState":
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (), self.__getstate__()

    def __getstate__(self) -> dict[str, Any]:
        return {"fields": dict(self), "attributes": dict(self.__dict__)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.update(state["fields"])
        self.__dict__.update(state["attributes"])


def _unshared(value: Any) -> Any:
    """Returns `value` with its own dictionaries, lists and bytearrays."""
    if type(value) is dict:
        return {name: _unshared(item) for name, item in value.items()}
    if type(value) is list:
        return [_unshared(item) for item in value]
    return bytearray(value) if type(value) is bytearray else value
