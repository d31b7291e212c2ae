"""The errors of the tokenizer axis that callers catch by name."""


class AssetError(ValueError):
    """A file is absent, unreadable, malformed or contradicts another.

    The text names the file, the place, what was found and what would be right.
    """


class UnknownKindError(KeyError):
    """No tokenizer is registered under the kind of a spec."""

    def __str__(self) -> str:
        # KeyError shows the repr of its argument, which is no sentence.
        return str(self.args[0]) if self.args else ""
