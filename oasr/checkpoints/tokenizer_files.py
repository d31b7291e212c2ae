"""The files of Hugging Face tokenizers: each is read, checked and built once.

A published one has some megabytes, and claims, conversions and inspections all ask for
the same.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from oasr import tokenizers
from oasr.tokenizers import added_tokens
from oasr.tokenizers import model_vocabulary
from oasr.tokenizers import tokenizer_json

_FoundT = TypeVar("_FoundT")


class TokenizerFiles:
    """Remembers what it read; what it returns is shared, and must stay as it is.

    A file that changes meanwhile is not noticed, so one of these lives as long as one
    question about a directory.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], Any] = {}
        self._built: list[tuple[tokenizers.TokenizerSpec, tokenizers.Tokenizer]] = []

    def content(self, path: str) -> dict[str, Any]:
        """Returns the JSON object in a file.

        Raises:
          AssetError: if it is absent, or no JSON object.
        """
        return self._once("content", path, lambda: tokenizer_json.read_object(path))

    def ids(self, path: str) -> dict[str, int]:
        """Returns the id of each text of the model in a `tokenizer.json`.

        Raises:
          AssetError: if the file is absent or malformed.
        """
        content = self.content(path)
        return self._once("ids", path, lambda: model_vocabulary.read_ids(content, path))

    def added(self, path: str) -> list[added_tokens.AddedToken]:
        """Returns the added tokens of a `tokenizer.json`.

        Raises:
          AssetError: if the file is absent or malformed.
        """
        content = self.content(path)
        return self._once(
            "added", path, lambda: added_tokens.read_tokenizer(content, path)
        )

    def declared(self, path: str | None) -> list[added_tokens.AddedToken]:
        """Returns the added tokens of a `tokenizer_config.json`, by id; none of None.

        Raises:
          AssetError: if the file is absent or malformed.
        """
        if path is None:
            return []
        content = self.content(path)
        return self._once(
            "declared", path, lambda: added_tokens.read_config(content, path)
        )

    def build(self, spec: tokenizers.TokenizerSpec) -> tokenizers.Tokenizer:
        """Returns the tokenizer of a spec.

        Raises:
          AssetError: if a file is absent or malformed.
          ImportError: if the kind needs a library that is not installed.
        """
        for known, built in self._built:
            if known == spec:
                return built
        built = tokenizers.build_tokenizer(spec)
        self._built.append((spec, built))
        return built

    def _once(self, what: str, path: str, make: Callable[[], _FoundT]) -> _FoundT:
        if (what, path) not in self._found:
            self._found[what, path] = make()
        found: _FoundT = self._found[what, path]
        return found
