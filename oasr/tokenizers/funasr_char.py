"""FunASR vocabularies: Chinese characters, English words and their "@@" parts."""

from collections.abc import Iterable
import logging
import os

from oasr.tokenizers import base
from oasr.tokenizers import decode_state
from oasr.tokenizers import funasr_encoding
from oasr.tokenizers import funasr_pieces
from oasr.tokenizers import funasr_stream
from oasr.tokenizers import funasr_text
from oasr.tokenizers import funasr_tokens
from oasr.tokenizers import spec as tokenizer_spec
from oasr.tokenizers import token_ids
from oasr.tokenizers import token_list_file

_OPTIONS = frozenset({"special_ids", "unk_symbol"})
_EMPTY = (funasr_tokens.MARK, "")
_NOTHING = funasr_tokens.Token(funasr_tokens.MIXED, _EMPTY, _EMPTY, stable=True)
_logger = logging.getLogger("oasr.tokenizers")


class FunASRCharTokenizer(base.Tokenizer):
    """Renders ids as FunASR's `sentence_postprocess` does; encodes as well as it can.

    Args:
      tokens_file: a JSON array of strings; the id of each is its index.
      special_ids: the ids `decode` drops. "<s>", "</s>", "<unk>" and "<OOV>" render
        to nothing under any id.
      unk_symbol: the token of text that the vocabulary lacks, if it is there.

    Raises:
      AssetError: if the file is absent or malformed, naming the place.
      ValueError: if `unk_symbol` is no token's name.
    """

    def __init__(
        self,
        tokens_file: str | os.PathLike[str],
        special_ids: Iterable[int] = tokenizer_spec.DEFAULT_SPECIAL_IDS,
        unk_symbol: str = "<unk>",
    ) -> None:
        if not isinstance(unk_symbol, str) or not unk_symbol:
            raise ValueError(f"unk_symbol must be a token, got {unk_symbol!r}.")
        tokens = token_list_file.read_token_list(tokens_file)
        self._special_ids = token_ids.as_set(special_ids)
        found = list(map(funasr_tokens.read_token, tokens))
        self._tokens = [_NOTHING if token is None else token for token in found]
        # Names render to nothing, as special ids do, but are not declared special.
        names = frozenset(i for i, token in enumerate(found) if token is None)
        self._dropped = self._special_ids | names
        # By id: what all lists, and the text of the two common ones, are made of.
        self._families = [token.family for token in self._tokens]
        self._mixed = [token.mixed for token in self._tokens]
        self._chinese = [token.pure[1] for token in self._tokens]
        self._keeps_marks = not any(
            kind == funasr_tokens.HAN and token_id not in self._dropped
            for token_id, (kind, _) in enumerate(self._mixed)
        )
        if unk_symbol in tokens:
            self.unk_id = tokens.index(unk_symbol)
        self._encoder = _encoder(tokens, self._special_ids, self.unk_id)
        self._warned = False

    @classmethod
    def from_spec(cls, spec: tokenizer_spec.TokenizerSpec) -> "FunASRCharTokenizer":
        """Builds the tokenizer from the file `tokens` and this kind's options."""
        spec.check(files=frozenset({"tokens"}), options=_OPTIONS)
        options = {n: v for n, v in spec.options.items() if n != "special_ids"}
        return cls(spec.file("tokens"), spec.special_ids(), **options)

    @property
    def vocab_size(self) -> int:
        """How many tokens the file lists."""
        return len(self._tokens)

    @property
    def special_ids(self) -> frozenset[int]:
        """The ids `decode` drops."""
        return self._special_ids

    def decode(self, ids: token_ids.TokenIds) -> str:
        """Returns FunASR's sentence of the tokens of `ids`."""
        ids = self._shown(ids)
        family = self._family(ids)
        if family == funasr_tokens.HAN:
            chinese = self._chinese
            return "".join([chinese[i] for i in ids]).strip()
        return funasr_text.text(self._entries(ids, family))

    def encode(self, text: str, *, split_special_tokens: bool = False) -> list[int]:
        """Returns the ids of `text`, best effort: see `encode_with_report`."""
        ids, uncovered = self.encode_with_report(
            text, split_special_tokens=split_special_tokens
        )
        if uncovered and not self._warned:
            self._warned = True
            _logger.warning(
                "The vocabulary of this funasr_char tokenizer does not cover all text:"
                " %d character(s), the first %r at %d. encode_with_report() names"
                " them; this is said once.",
                len(uncovered),
                uncovered[0][1],
                uncovered[0][0],
            )
        return ids

    def encode_with_report(
        self, text: str, *, split_special_tokens: bool = False
    ) -> tuple[list[int], list[tuple[int, str]]]:
        """Returns the ids of `text`, and what of it the vocabulary does not cover.

        Words become their token, their "@@" parts or their letters, anything else
        the tokens of its characters; blanks become nothing. The ids may render to
        another text, as FunASR's rules rewrite it.

        Args:
          text: any text.
          split_special_tokens: whether "<s>" and the like are text in it, too.

        Returns:
          The ids, and `(position, character)` of each character that became
          `unk_id`, or nothing in a vocabulary without one.
        """
        return self._encoder.encode(text, with_controls=not split_special_tokens)

    def settled(self, ids: token_ids.TokenIds) -> int:
        """Returns how many characters of `decode(ids)` no later id can change."""
        return len(self.decode_incremental(ids, self.new_decode_state()))

    def new_decode_state(self) -> funasr_stream.FunASRStream:
        """Returns the state of a stream of which nothing was decoded."""
        return funasr_stream.FunASRStream(keeps_marks=self._keeps_marks)

    def decode_incremental(
        self, new_ids: token_ids.TokenIds, state: decode_state.DecodeState
    ) -> str:
        """Returns the text that `new_ids` settle; looks at no earlier id."""
        stream = self._open_state(state, funasr_stream.FunASRStream)
        return stream.feed_tokens([self._tokens[i] for i in self._shown(new_ids)])

    def token_pieces(self, ids: token_ids.TokenIds) -> list[str]:
        """Returns the text each id adds; the pieces join to `decode(ids)`."""
        ids = token_ids.as_list(ids)
        shown = self._shown(ids)
        pieces = funasr_pieces.pieces(self._entries(shown, self._family(shown)))
        if len(shown) == len(ids):
            return pieces
        rest, size, dropped = iter(pieces), len(self._tokens), self._dropped
        return [next(rest) if 0 <= i < size and i not in dropped else "" for i in ids]

    def _shown(self, ids: token_ids.TokenIds) -> list[int]:
        """Returns the ids that the text is made of, checked."""
        return token_ids.select(ids, 0, len(self._tokens), self._dropped)

    def _family(self, ids: list[int]) -> int:
        families = self._families
        return funasr_tokens.common_family([families[i] for i in ids])

    def _entries(self, ids: list[int], family: int) -> list[funasr_tokens.Entry]:
        if family == funasr_tokens.MIXED:
            mixed = self._mixed
            return [mixed[i] for i in ids]
        return [self._tokens[i].pure for i in ids]


def _encoder(
    tokens: list[str], special_ids: frozenset[int], unk_id: int | None
) -> funasr_encoding.Encoder:
    ids: dict[str, int] = {}
    controls = {} if unk_id is None else {tokens[unk_id]: unk_id}
    for token_id, token in enumerate(tokens):
        if token_id not in special_ids and token_id != unk_id:
            ids.setdefault(token, token_id)
        elif token.startswith("<") and token.endswith(">") and len(token) > 2:
            controls.setdefault(token, token_id)
    return funasr_encoding.Encoder(ids, controls, unk_id)
