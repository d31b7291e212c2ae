"""Hotwords: phrases that a search is asked to prefer, as ids of the vocabulary."""

from collections.abc import Sequence
from typing import Any

from oasr import tokenizers
from oasr._native import ctc_prefix_beam
from oasr.engine import checks
from oasr.tokenizers import token_ids

# A list of phrases is compiled for each deployment, and looked at for each token.
MAX_HOTWORDS = 10_000


def build_context(
    hotwords: Sequence[tuple[Any, float]], tokenizer: tokenizers.Tokenizer | None
) -> ctc_prefix_beam.ContextGraph | None:
    """Returns the phrases as the search takes them, None if there are none.

    Args:
      hotwords: (phrase, boost) pairs. A phrase is a text, which the tokenizer
        encodes as a user's; or a list of token ids; or a list of pieces of a symbol
        table. The boost, above 0, is what each token of it adds to the
        log-probability of a hypothesis while it is ranked.
      tokenizer: of the deployment.

    Raises:
      ValueError: naming every phrase that has no ids, and why.
    """
    if not hotwords:
        return None
    if len(hotwords) > MAX_HOTWORDS:
        raise ValueError(
            f"decode_options['hotwords'] may have {MAX_HOTWORDS} phrases, got"
            f" {len(hotwords)}."
        )
    phrases, faults = [], []
    for place, pair in enumerate(hotwords):
        try:
            phrase, boost = pair
            checks.number("Its boost", boost, above=0)
            phrases.append((_ids_of(phrase, tokenizer), float(boost)))
        except (NotImplementedError, TypeError, ValueError) as error:
            faults.append(f"hotword {place}, {pair!r}: {error}")
    if faults:
        raise ValueError("; ".join(faults))
    return ctc_prefix_beam.ContextGraph(phrases)


def _ids_of(phrase: Any, tokenizer: tokenizers.Tokenizer | None) -> list[int]:
    """Returns the ids of one phrase; raises if it has none."""
    if isinstance(phrase, str):
        ids = _encoded(phrase, tokenizer)
    elif isinstance(phrase, Sequence) and all(isinstance(p, str) for p in phrase):
        ids = _looked_up(phrase, tokenizer)
    else:
        ids = token_ids.as_list(phrase)
    if not ids:
        raise ValueError("A phrase must have at least one token.")
    return ids


def _encoded(phrase: str, tokenizer: tokenizers.Tokenizer | None) -> list[int]:
    if tokenizer is None or not tokenizer.supports_encode:
        raise ValueError(
            "This deployment's tokenizer cannot encode text; give the phrase as a list"
            " of token ids or of pieces."
        )
    ids = tokenizer.encode(phrase, split_special_tokens=True)
    if tokenizer.unk_id is not None and tokenizer.unk_id in ids:
        raise ValueError("The vocabulary lacks a part of it.")
    return ids


def _looked_up(
    pieces: Sequence[str], tokenizer: tokenizers.Tokenizer | None
) -> list[int]:
    if not isinstance(tokenizer, tokenizers.SymbolTableTokenizer):
        raise ValueError("Only the pieces of a symbol_table can be looked up.")
    return [tokenizer.piece_id(piece) for piece in pieces]
