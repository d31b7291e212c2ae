"""The vocabulary of the model in a `tokenizer.json`: which text has which id.

BPE, WordPiece and WordLevel models write it as an object of ids; a Unigram model
writes a list of texts with scores, where the place is the id.
"""

import array
from typing import Any, NoReturn

import numpy as np
from numpy import typing as npt

from oasr.tokenizers import errors
from oasr.tokenizers import tokenizer_json

# At the place of an id that no text may become. A Unigram model finds its pieces by
# their letters, and this one has none.
_NO_TEXT = ""

# Twice what the largest published vocabularies have: XLM-V 901,629 pieces (MAX_ID is
# just above that), Gemma 514,906 merges.
_MAX_MERGES = 2**20

# Numberings are dense but for a few ids: padding, or a block of control tokens. What
# is built takes memory for each id, whether a text has it or not.
_MAX_SPARSENESS = 4
_ANY_SIZE = 2**16

# "##" and "</w>" are the ones that are published.
_MAX_AFFIX = 64


def read_ids(content: dict[str, Any], path: str) -> dict[str, int]:
    """Returns the id of each text.

    Args:
      content: what a tokenizer.json holds.
      path: the file that errors name.

    Raises:
      AssetError: if there is no vocabulary, an empty one, one that gives an id to two
        texts, an absurd id, or far more ids than texts, or if a merge is there twice
        or names what is not in it.
    """
    vocab = _vocab(content, path)
    if isinstance(vocab, list):
        if len(vocab) > tokenizer_json.MAX_ID + 1:
            raise errors.AssetError(
                f"{path}: model.vocab has {len(vocab)} entries; no vocabulary has over"
                f" {tokenizer_json.MAX_ID + 1}."
            )
        ids = {_piece(entry, place, path): place for place, entry in enumerate(vocab)}
    else:
        ids = vocab
        _check_ids(ids, path)
    if not ids:
        raise errors.AssetError(f"{path}: model.vocab is empty.")
    largest = max(ids.values()) if isinstance(vocab, dict) else len(vocab) - 1
    check_density(largest, len(ids), path)
    _check_affixes(content["model"], path)
    _check_merges(content["model"], ids, path)
    return ids


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


def text_of_each_id(content: dict[str, Any]) -> dict[int, str]:
    """Returns the text of each id of a vocabulary that `read_ids` accepted.

    A Unigram model may have a text twice, under two ids.
    """
    vocab = content["model"]["vocab"]
    if isinstance(vocab, dict):
        return {token_id: text for text, token_id in vocab.items()}
    return {place: text for place, (text, _) in enumerate(vocab)}


def texts(content: dict[str, Any]) -> set[str]:
    """Returns the texts of a vocabulary that `read_ids` accepted."""
    vocab = content["model"]["vocab"]
    return set(vocab) if isinstance(vocab, dict) else {text for text, _ in vocab}


def copied(content: dict[str, Any]) -> dict[str, Any]:
    """Returns a copy whose vocabulary can be changed alone."""
    model = dict(content["model"])
    model["vocab"] = model["vocab"].copy()
    return {**content, "model": model}


def add(content: dict[str, Any], text: str, token_id: int) -> None:
    """Gives `token_id` to `text`, in a vocabulary that has neither."""
    vocab = content["model"]["vocab"]
    if isinstance(vocab, dict):
        vocab[text] = token_id
        return
    # As unlikely as the least likely piece: whatever the score of a piece, it has no
    # part in how other texts are cut.
    score = min(score for _, score in vocab)
    vocab += [[_NO_TEXT, score]] * (token_id + 1 - len(vocab))
    vocab[token_id] = [text, score]


def hide(content: dict[str, Any], texts: set[str]) -> None:
    """Takes `texts` from the model, so that it finds none of them in a user's text.

    What stands for text that the vocabulary lacks stays, under no name.
    """
    model = content["model"]
    if isinstance(model["vocab"], list):
        model["vocab"] = [
            [_NO_TEXT if text in texts else text, score]
            for text, score in model["vocab"]
        ]
        return
    if texts.isdisjoint(model["vocab"]):
        return
    unknown = model.get("unk_token")
    if unknown in texts and unknown in model["vocab"]:
        model["unk_token"] = _NO_TEXT
        model["vocab"][_NO_TEXT] = model["vocab"].pop(unknown)
    model["vocab"] = {t: i for t, i in model["vocab"].items() if t not in texts}
    if "merges" in model:
        model["merges"] = [
            merge for merge in model["merges"] if texts.isdisjoint(_parts(merge, model))
        ]


def unknown_id(content: dict[str, Any]) -> int | None:
    """Returns the id of text that the vocabulary lacks, if the model has one."""
    model = content["model"]
    if isinstance(model["vocab"], list):
        unk_id = model.get("unk_id")
        return unk_id if isinstance(unk_id, int) else None
    found: int | None = model["vocab"].get(model.get("unk_token"))
    return found


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


def _piece(entry: Any, place: int, path: str) -> str:
    if isinstance(entry, list) and len(entry) == 2:
        text, score = entry
        if isinstance(text, str) and isinstance(score, int | float):
            return text
    raise errors.AssetError(
        f"{path}: expected a text and its score at model.vocab[{place}], found"
        f" {tokenizer_json.shown(entry)}."
    )


def _check_ids(ids: dict[str, Any], path: str) -> None:
    text_of: dict[int, str] = {}
    for text, token_id in ids.items():
        if type(token_id) is not int or not 0 <= token_id <= tokenizer_json.MAX_ID:
            raise errors.AssetError(
                f"{path}: model.vocab[{tokenizer_json.shown(text)}] is"
                f" {tokenizer_json.shown(token_id)}; expected an id in"
                f" [0, {tokenizer_json.MAX_ID}]."
            )
        if token_id in text_of:
            raise errors.AssetError(
                f"{path}: model.vocab gives the id {token_id} twice, to"
                f" {tokenizer_json.shown(text_of[token_id])} and to"
                f" {tokenizer_json.shown(text)}."
            )
        text_of[token_id] = text


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
    skip = len(model.get("continuing_subword_prefix") or "")
    for place, merge in enumerate(merges):
        try:
            left, right = merge.split(" ") if isinstance(merge, str) else merge
            pairs[place] = ids[left] << 32 | ids[right]
            ids[left + right[skip:]]
        except (TypeError, ValueError, AttributeError, KeyError) as error:
            _refuse_merge(model, place, ids, path, error)
    _check_pairs(np.frombuffer(pairs, np.int64), merges, path)


def _refuse_merge(
    model: dict[str, Any], place: int, ids: dict[str, int], path: str, cause: Exception
) -> NoReturn:
    merge = model["merges"][place]
    try:
        missing = next(text for text in _parts(merge, model) if text not in ids)
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


def _parts(merge: Any, model: dict[str, Any]) -> tuple[str, str, str]:
    """Returns both parts of a BPE merge, and what they become."""
    left, right = merge.split(" ") if isinstance(merge, str) else merge
    prefix = model.get("continuing_subword_prefix") or ""
    return left, right, left + right[len(prefix) :]
