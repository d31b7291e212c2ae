"""Hotwords: phrases that a search is asked to prefer, as ids of the vocabulary."""

from collections.abc import Sequence
from typing import Any
import unicodedata

from oasr import showing
from oasr import tokenizers
from oasr._native import ctc_prefix_beam
from oasr.engine import checks
from oasr.engine import limits
from oasr.tokenizers import token_ids

# A list of phrases is compiled for each deployment, and looked at for each token.
MAX_HOTWORDS = limits.MAX_HOTWORDS


def build_context(
    hotwords: Sequence[tuple[Any, float]],
    tokenizer: tokenizers.Tokenizer | None,
    *,
    blank_id: int | None = None,
) -> ctc_prefix_beam.ContextGraph | None:
    """Returns the phrases as the search takes them, None if there are none.

    Args:
      hotwords: (phrase, boost) pairs. A phrase is a text, which the tokenizer
        encodes as a user's, both as a text of its own and as it stands behind a
        blank; or a list of token ids; or a list of pieces of a symbol table. The
        boost, above 0, is what each token of it adds to the log-probability of a
        hypothesis while it is ranked.
      tokenizer: of the deployment.
      blank_id: the label that no phrase can hold.

    Raises:
      ValueError: naming every phrase that has no ids, and why.
    """
    if not isinstance(hotwords, Sequence) or isinstance(hotwords, str | bytes):
        raise ValueError(
            "decode_options['hotwords'] must be a list of (phrase, boost) pairs, got"
            f" {showing.shown(hotwords)}."
        )
    if len(hotwords) > MAX_HOTWORDS:
        raise ValueError(
            f"decode_options['hotwords'] may have {MAX_HOTWORDS} phrases, got"
            f" {len(hotwords)}."
        )
    phrases: dict[tuple[int, ...], float] = {}
    faults = []
    for place, pair in enumerate(hotwords):
        try:
            phrase, boost = pair
            checks.number("Its boost", boost, above=0)
            for ids in _ids_of(phrase, tokenizer):
                _check_ids(ids, tokenizer, blank_id)
                phrases[tuple(ids)] = float(boost)
        except (NotImplementedError, TypeError, ValueError) as error:
            shown = showing.shown(pair)
            faults.append(f"decode_options['hotwords'][{place}], {shown}: {error}")
    if faults:
        raise ValueError("; ".join(faults))
    if not phrases:
        return None
    return ctc_prefix_beam.ContextGraph([(list(i), b) for i, b in phrases.items()])


def _ids_of(phrase: Any, tokenizer: tokenizers.Tokenizer | None) -> list[list[int]]:
    """Returns each sequence of ids that writes a phrase; raises if there is none."""
    if isinstance(phrase, str):
        return _encoded(phrase, tokenizer)
    if isinstance(phrase, Sequence) and any(isinstance(p, str) for p in phrase):
        return [_looked_up(phrase, tokenizer)]
    return [token_ids.as_list(phrase)]


def _check_ids(
    ids: list[int], tokenizer: tokenizers.Tokenizer | None, blank_id: int | None
) -> None:
    if not ids:
        raise ValueError("A phrase must have at least one token.")
    if len(ids) > limits.MAX_HOTWORD_TOKENS:
        raise ValueError(
            f"A phrase may have {limits.MAX_HOTWORD_TOKENS} tokens, got {len(ids)}."
        )
    size = tokenizer.vocab_size if tokenizer else None
    for token_id in ids:
        if token_id == blank_id:
            raise ValueError(f"The id {token_id} is blank, which writes nothing.")
        if token_id < 0 or (size is not None and token_id >= size):
            raise ValueError(f"The id {token_id} is outside the vocabulary.")


def _encoded(phrase: str, tokenizer: tokenizers.Tokenizer | None) -> list[list[int]]:
    if tokenizer is None or not tokenizer.supports_encode:
        raise ValueError(
            "This deployment's tokenizer cannot encode text; give the phrase as a list"
            " of token ids or of pieces."
        )
    found = []
    # A byte-level vocabulary writes a word in another way behind a blank.
    for text in (phrase, f" {phrase.lstrip()}"):
        ids = tokenizer.encode(text, split_special_tokens=True)
        lacks = tokenizer.unk_id is not None and tokenizer.unk_id in ids
        # Not every vocabulary has an id for what it lacks; then it is just left out.
        if lacks or _visible(tokenizer.decode(ids)) != _visible(phrase):
            raise ValueError("The vocabulary lacks a part of it.")
        found.append(ids)
    return found


def _visible(text: str) -> str:
    """Returns a text as far as kinds keep it: without blanks, case and form."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def _looked_up(
    pieces: Sequence[str], tokenizer: tokenizers.Tokenizer | None
) -> list[int]:
    if not isinstance(tokenizer, tokenizers.SymbolTableTokenizer):
        raise ValueError("Only the pieces of a symbol_table can be looked up.")
    return [tokenizer.piece_id(piece) for piece in pieces]
