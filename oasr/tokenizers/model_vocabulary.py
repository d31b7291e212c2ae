"""The vocabulary of the model in a `tokenizer.json`: which text has which id.

BPE, WordPiece and WordLevel models write it as an object of ids; a Unigram model
writes a list of texts with scores, where the place is the id.
"""

from collections.abc import Iterable
from typing import Any

from oasr.tokenizers import model_checks

# At the place of an id that no text may become. A Unigram model finds its pieces by
# their letters, and this one has none.
_NO_TEXT = ""


def read_ids(content: dict[str, Any], path: str) -> dict[str, int]:
    """Returns the id of each text, the last of several.

    Args:
      content: what a tokenizer.json holds.
      path: the file that errors name.

    Raises:
      AssetError: as for `model_checks.check`.
    """
    model_checks.check(content, path)
    vocab = content["model"]["vocab"]
    if isinstance(vocab, dict):
        return vocab
    return {text: place for place, (text, _) in enumerate(vocab)}


def text_of_each_id(content: dict[str, Any]) -> list[str | None]:
    """Returns the text of each id of a vocabulary that `check` accepted.

    A Unigram model may have a text twice, under two ids; in a gap of the ids is None.
    """
    vocab = content["model"]["vocab"]
    if isinstance(vocab, list):
        return [text for text, _ in vocab]
    texts: list[str | None] = [None] * (max(vocab.values()) + 1)
    for text, token_id in vocab.items():
        texts[token_id] = text
    return texts


def ids_of(content: dict[str, Any], wanted: Iterable[str]) -> dict[str, int]:
    """Returns the ids of those of the wanted texts that the vocabulary has."""
    vocab, some = content["model"]["vocab"], set(wanted)
    if isinstance(vocab, dict):
        return {text: vocab[text] for text in some if text in vocab}
    return {text: place for place, (text, _) in enumerate(vocab) if text in some}


def sample(content: dict[str, Any]) -> dict[str, Any]:
    """Returns the model with a vocabulary of one text, its other fields as they are.

    Whether the library takes those is found out at little cost with it.
    """
    model = dict(content["model"])
    if isinstance(model["vocab"], list):
        model |= {"vocab": model["vocab"][:1], "unk_id": None}
    else:
        unknown = model.get("unk_token")  # Of any type, until the library sees it.
        known = isinstance(unknown, str) and unknown
        model["vocab"] = {unknown if known else "a": 0}
    return model | ({"merges": []} if "merges" in model else {})


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
            merge
            for merge in model["merges"]
            if texts.isdisjoint(model_checks.parts(merge, model))
        ]


def unknown_id(content: dict[str, Any]) -> int | None:
    """Returns the id of text that the vocabulary lacks, if the model has one."""
    model = content["model"]
    if isinstance(model["vocab"], list):
        unk_id = model.get("unk_id")
        return unk_id if isinstance(unk_id, int) else None
    found: int | None = model["vocab"].get(model.get("unk_token"))
    return found
