"""The files of a `tokenizers` vocabulary, read, merged and checked."""

from collections.abc import Set
import dataclasses
import itertools
import logging
import os
from typing import TYPE_CHECKING, Any

from oasr.tokenizers import added_tokens
from oasr.tokenizers import character_map
from oasr.tokenizers import errors
from oasr.tokenizers import model_checks
from oasr.tokenizers import model_vocabulary
from oasr.tokenizers import runtime
from oasr.tokenizers import text_growth
from oasr.tokenizers import tokenizer_json

if TYPE_CHECKING:
    import tokenizers

ON_ID_MISMATCH = ("error", "fill", "warn")

_logger = logging.getLogger("oasr.tokenizers")


@dataclasses.dataclass(frozen=True)
class Vocabulary:
    """What the files say, as the runtime took it.

    Attributes:
      path: of the tokenizer.json.
      content: what it holds, with all added tokens.
      added: the added tokens, under the ids they really have.
      texts: the text of each id, added tokens included; None in a gap.
      unk_id: the id of text that the vocabulary lacks, if the model has one.
      built: the runtime.
    """

    path: str
    content: dict[str, Any]
    added: list[added_tokens.AddedToken]
    texts: list[str | None]
    unk_id: int | None
    built: "tokenizers.Tokenizer"

    @property
    def size(self) -> int:
        """One more than the largest id."""
        return len(self.texts)

    @property
    def special_ids(self) -> frozenset[int]:
        """The ids of the tokens that the files mark special."""
        return frozenset(token.id for token in self.added if token.special)

    def build_text_only(self, control_ids: Set[int]) -> "tokenizers.Tokenizer":
        """Returns a runtime in which no text becomes a control id.

        The runtime's own switch, `encode_special_tokens`, is not enough: it keeps
        added tokens from being found, and the model finds "<s>" in a text all the
        same where "<s>" is a piece of its vocabulary (Unigram models, WordLevel
        models that split at blanks).
        """
        inside = (i for i in control_ids if 0 <= i < self.size)
        hidden = {
            text for text in map(self.texts.__getitem__, inside) if text is not None
        }
        if not hidden:
            return self.built
        kept = [token for token in self.added if token.id not in control_ids]
        content = model_vocabulary.copied(self.content)
        content["added_tokens"] = added_tokens.to_json(kept)
        model_vocabulary.hide(content, hidden)
        # In the vocabulary they keep their ids, though others before them are gone.
        texts = model_vocabulary.texts(content)
        for token in kept:
            if token.content not in texts:
                model_vocabulary.add(content, token.content, token.id)
        return runtime.build(content, self.path)


def load(
    path: str | os.PathLike[str],
    config_path: str | os.PathLike[str] | None = None,
    *,
    on_id_mismatch: str = "warn",
) -> Vocabulary:
    """Returns the vocabulary of a `tokenizer.json`.

    Args:
      path: the tokenizer.json.
      config_path: the tokenizer_config.json that may declare more added tokens.
      on_id_mismatch: what to do about an added token that the runtime would give
        another id than the declared one: "warn" takes the runtime's, "error"
        refuses, "fill" makes the runtime take the declared one.

    Raises:
      AssetError: if a file is malformed, or contradicts itself or the other.
    """
    path = os.fspath(path)
    content = tokenizer_json.read_object(path)
    model_checks.check(content, path)
    texts = model_vocabulary.text_of_each_id(content)
    declared = {path: added_tokens.read_tokenizer(content, path)}
    if config_path is not None:
        config_path = os.fspath(config_path)
        config = tokenizer_json.read_object(config_path)
        declared[config_path] = added_tokens.read_config(config, config_path)
    added = added_tokens.merge(declared, texts)
    _check_growth(content, texts, added, path)
    if on_id_mismatch == "fill":
        _fill(content, added, texts, path)
    content["added_tokens"] = added_tokens.to_json(added)
    content["post_processor"] = None  # Its template may repeat a text or drop it.
    if content["model"].get("dropout"):
        content["model"]["dropout"] = None  # Of training: encoding is no lottery.
    built = runtime.build(content, path)
    added = [_placed(token, built, path, on_id_mismatch) for token in added]
    for token in added:
        _place(token, texts, path)
    unk_id = model_vocabulary.unknown_id(content)
    return Vocabulary(path, content, added, texts, unk_id, built)


def _check_growth(
    content: dict[str, Any],
    texts: list[str | None],
    added: list[added_tokens.AddedToken],
    path: str,
) -> None:
    """Refuses sections that take gigabytes, before a text runs through them."""
    character_map.check_all(content.get("normalizer"), f"{path}: normalizer")
    added_texts = [token.content for token in added]
    text_growth.check(
        runtime.describe(content, model_vocabulary.sample(content), path),
        texts=itertools.chain(filter(None, texts), added_texts),
        added=added_texts,
        path=path,
    )


def _fill(
    content: dict[str, Any],
    added: list[added_tokens.AddedToken],
    texts: list[str | None],
    path: str,
) -> None:
    """Puts the added tokens into the model's vocabulary, under their declared ids.

    The runtime numbers added tokens one after the other, but those that the model
    knows keep the model's id.
    """
    model_ids = model_vocabulary.ids_of(content, (token.content for token in added))
    kept = [token.id for token in added if token.content not in model_ids]
    largest = max([len(texts) - 1, *kept])
    count = len(texts) - texts.count(None) + len(kept)
    model_checks.check_density(largest, count, path)
    for token in added:
        found = model_ids.get(token.content)
        if found is None:
            model_vocabulary.add(content, token.content, token.id)
        elif found != token.id:
            raise errors.AssetError(
                f"{path}: the added token {token.content!r} declares the id"
                f" {token.id}; in model.vocab it has the id {found}."
            )


def _placed(
    token: added_tokens.AddedToken,
    built: "tokenizers.Tokenizer",
    path: str,
    on_id_mismatch: str,
) -> added_tokens.AddedToken:
    """Returns the token under the id that the runtime gave it."""
    actual = built.token_to_id(token.content)
    assert actual is not None  # The runtime has just taken it.
    if actual == token.id:
        return token
    message = (
        f"{path}: the added token {token.content!r} declares the id {token.id}, and"
        f" would get the id {actual}"
    )
    if on_id_mismatch == "error":
        raise errors.AssetError(
            f"{message}; on_id_mismatch='fill' keeps the declared ids."
        )
    _logger.warning(
        "%s: the added token %r declares the id %d, but the runtime gives it the id"
        " %d; on_id_mismatch='fill' keeps the declared ids.",
        path,
        token.content,
        token.id,
        actual,
    )
    return dataclasses.replace(token, id=actual)


def _place(token: added_tokens.AddedToken, texts: list[str | None], path: str) -> None:
    """Adds the text of a token; refuses an id that has another.

    The runtime numbers by a count, which is no free id where numbers are left out.
    """
    texts += [None] * (token.id + 1 - len(texts))
    other = texts[token.id]
    if other is None:
        texts[token.id] = other = token.content
    if other != token.content:
        raise errors.AssetError(
            f"{path}: the id {token.id} would be both {other!r} and"
            f" {token.content!r}, as model.vocab leaves ids out;"
            " on_id_mismatch='fill' keeps the declared ids."
        )
