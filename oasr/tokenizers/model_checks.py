"""Checks of the vocabulary of the model in a `tokenizer.json`, in little memory."""

import array
import math
from typing import Any, NoReturn

import numpy as np
from numpy import typing as npt

from oasr.tokenizers import errors
from oasr.tokenizers import tokenizer_json

# Twice what the largest published vocabularies have: XLM-V 901,629 pieces (MAX_ID is
# just above that), Gemma 514,906 merges.
_MAX_MERGES = 2**20

# Numberings are dense but for a few ids: padding, or a block of control tokens. What
# is built takes memory for each id, whether a text has it or not.
_MAX_SPARSENESS = 4
_ANY_SIZE = 2**16

# "##" and "</w>" are the ones that are published.
_MAX_AFFIX = 64


def check(content: dict[str, Any], path: str) -> None:
    """Checks the vocabulary, and takes little memory for that.

    Args:
      content: what a tokenizer.json holds.
      path: the file that errors name.

    Raises:
      AssetError: if there is no vocabulary, an empty one, one that gives an id to two
        texts, an absurd id, or far more ids than texts, or if a merge is there twice
        or names what is not in it.
    """
    vocab = _vocab(content, path)
    if not vocab:
        raise errors.AssetError(f"{path}: model.vocab is empty.")
    if isinstance(vocab, list):
        _check_pieces(content["model"], path)
        return
    _check_ids(vocab, path)
    check_density(max(vocab.values()), len(vocab), path)
    _check_affixes(content["model"], path)
    _check_merges(content["model"], vocab, path)


def most_ids(texts: int) -> int:
    """Returns how many ids a vocabulary of that many texts may have."""
    return max(_MAX_SPARSENESS * texts, _ANY_SIZE)


def check_density(largest: int, texts: int, path: str) -> None:
    """Refuses a numbering that leaves out most of its ids.

    Args:
      largest: the largest id.
      texts: how many ids have a text.
      path: the file that errors name.
    """
    if largest >= most_ids(texts):
        raise errors.AssetError(
            f"{path}: the vocabulary has {texts} texts and ids up to {largest};"
            f" expected at least one id in {_MAX_SPARSENESS} to have a text."
        )


def _vocab(content: dict[str, Any], path: str) -> dict[str, Any] | list[Any]:
    model = content.get("model")
    vocab = model.get("vocab") if isinstance(model, dict) else None
    if not isinstance(vocab, dict | list):
        raise errors.AssetError(
            f"{path}: expected a tokenizer, with its texts in model.vocab; found the"
            f" keys {tokenizer_json.shown(list(content))} and the vocabulary"
            f" {tokenizer_json.shown(vocab)}."
        )
    return vocab


def _check_pieces(model: dict[str, Any], path: str) -> None:
    """Checks the vocabulary of a Unigram model."""
    vocab = model["vocab"]
    if len(vocab) > tokenizer_json.MAX_ID + 1:
        raise errors.AssetError(
            f"{path}: model.vocab has {len(vocab)} entries; no vocabulary has over"
            f" {tokenizer_json.MAX_ID + 1}."
        )
    some: set[str] = set()  # As many as are enough.
    enough = (len(vocab) - 1) // _MAX_SPARSENESS + 1
    for place, entry in enumerate(vocab):
        if not _is_piece(entry):
            raise errors.AssetError(
                f"{path}: expected a text and its score at model.vocab[{place}], found"
                f" {tokenizer_json.shown(entry)}."
            )
        if len(some) < enough:
            some.add(entry[0])
    check_density(len(vocab) - 1, len(some), path)
    unk_id = model.get("unk_id")
    if unk_id is not None and not (type(unk_id) is int and 0 <= unk_id < len(vocab)):
        raise errors.AssetError(
            f"{path}: model.unk_id is {tokenizer_json.shown(unk_id)}; expected null or"
            f" the place of one of the {len(vocab)} entries of model.vocab."
        )


def _is_piece(entry: Any) -> bool:
    if not isinstance(entry, list) or len(entry) != 2:
        return False
    text, score = entry
    if not isinstance(text, str) or type(score) not in (int, float):
        return False
    return math.isfinite(score)


def _check_ids(ids: dict[str, Any], path: str) -> None:
    seen = bytearray(tokenizer_json.MAX_ID + 1)
    for text, token_id in ids.items():
        if type(token_id) is not int or not 0 <= token_id <= tokenizer_json.MAX_ID:
            raise errors.AssetError(
                f"{path}: model.vocab[{tokenizer_json.shown(text)}] is"
                f" {tokenizer_json.shown(token_id)}; expected an id in"
                f" [0, {tokenizer_json.MAX_ID}]."
            )
        if seen[token_id]:
            first = next(other for other, its in ids.items() if its == token_id)
            raise errors.AssetError(
                f"{path}: model.vocab gives the id {token_id} twice, to"
                f" {tokenizer_json.shown(first)} and to {tokenizer_json.shown(text)}."
            )
        seen[token_id] = True


def _check_affixes(model: dict[str, Any], path: str) -> None:
    """Refuses what the library would write at each letter of a text, if it is long."""
    for name in ("continuing_subword_prefix", "end_of_word_suffix"):
        affix = model.get(name)
        if affix is not None and not (
            isinstance(affix, str) and len(affix) <= _MAX_AFFIX
        ):
            raise errors.AssetError(
                f"{path}: expected at most {_MAX_AFFIX} characters as model.{name},"
                f" found {tokenizer_json.shown(affix)}."
            )


def _check_merges(model: dict[str, Any], ids: dict[str, int], path: str) -> None:
    merges = model.get("merges", [])
    if not isinstance(merges, list):
        raise errors.AssetError(
            f"{path}: expected a list as model.merges, found"
            f" {tokenizer_json.shown(merges)}."
        )
    if len(merges) > _MAX_MERGES:
        raise errors.AssetError(
            f"{path}: model.merges has {len(merges)} entries; no vocabulary has over"
            f" {_MAX_MERGES}."
        )
    # Both ids in one number: pairs of texts would take ten times the memory.
    pairs = array.array("q", [-1]) * len(merges)
    prefix = model.get("continuing_subword_prefix") or ""
    for place, merge in enumerate(merges):
        try:
            left, right = merge.split(" ") if isinstance(merge, str) else merge
            pairs[place] = ids[left] << 32 | ids[right]
            ids[left + (_behind(prefix, right) if prefix else right)]
        except (TypeError, ValueError, AttributeError, KeyError) as error:
            _refuse_merge(model, place, ids, path, error)
    _check_pairs(np.frombuffer(pairs, np.int64), merges, path)


def _refuse_merge(
    model: dict[str, Any], place: int, ids: dict[str, int], path: str, cause: Exception
) -> NoReturn:
    merge = model["merges"][place]
    try:
        missing = next(text for text in parts(merge, model) if text not in ids)
    except (TypeError, ValueError, AttributeError, StopIteration):
        raise errors.AssetError(
            f"{path}: expected two texts at model.merges[{place}], found"
            f" {tokenizer_json.shown(merge)}."
        ) from cause
    raise errors.AssetError(
        f"{path}: model.merges[{place}] is {tokenizer_json.shown(merge)}, but"
        f" {tokenizer_json.shown(missing)} is not in model.vocab."
    ) from cause


def _check_pairs(pairs: npt.NDArray[np.int64], merges: list[Any], path: str) -> None:
    """Refuses a merge that is there twice; the library would count one of its ranks."""
    order = np.argsort(pairs, kind="stable")
    again = np.flatnonzero(pairs[order[1:]] == pairs[order[:-1]])
    if len(again):
        place = order[1:][again].min()
        first = int(np.flatnonzero(pairs == pairs[place])[0])
        raise errors.AssetError(
            f"{path}: model.merges[{place}] is {tokenizer_json.shown(merges[place])},"
            f" which model.merges[{first}] is already."
        )


def parts(merge: Any, model: dict[str, Any]) -> tuple[str, str, str]:
    """Returns both parts of a BPE merge, and what they become."""
    left, right = merge.split(" ") if isinstance(merge, str) else merge
    prefix = model.get("continuing_subword_prefix") or ""
    return left, right, left + _behind(prefix, right)


def _behind(prefix: str, right: str) -> str:
    """Returns what the library leaves of the right part of a merge.

    It counts the characters of the prefix, and leaves out as many bytes.

    Raises:
      ValueError: where it would panic.
    """
    content = right.encode()
    if len(content) < len(prefix):
        raise ValueError(f"{right!r} is shorter than the prefix")
    return content[len(prefix) :].decode()
