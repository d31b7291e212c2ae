"""How the tests build sentencepiece tokenizers, and the laws as they keep them."""

import itertools

import pytest

from oasr import tokenizers
from tests.tokenizers import laws
from tests.tokenizers import sentencepiece_models

# Lead bytes of every length, continuation bytes, U+2581 as bytes, whitespace that is
# several bytes long, and byte values that begin nothing.
_BYTES = bytes.fromhex("E2 96 81 E3 80 80 C2 A0 F0 9F 98 80 C0 FF E0 ED 20 41 F4 90")


def build(folder, content, special_ids=None):
    path = folder / "bpe.model"
    path.write_bytes(content)
    options = {} if special_ids is None else {"special_ids": list(special_ids)}
    spec = tokenizers.TokenizerSpec("sentencepiece", {"model": str(path)}, options)
    return tokenizers.build_tokenizer(spec)


def byte_ids(processor, content):
    """The ids of the pieces of these bytes; none in a model without byte fallback."""
    ids = [processor.piece_to_id(f"<0x{byte:02X}>") for byte in content]
    return [i for i in ids if processor.is_byte(i)]


class SentencePieceLaws(laws.TokenizerLaws):
    name, special = "", None

    @pytest.fixture(scope="class")
    def tokenizer(self, tmp_path_factory):
        folder = tmp_path_factory.mktemp("model")
        return build(folder, sentencepiece_models.model(self.name), self.special)

    @pytest.fixture
    def special_ids(self):
        return {0, 1, 2} if self.special is None else self.special

    @property
    def processor(self):
        return sentencepiece_models.reference(sentencepiece_models.model(self.name))

    def favourites(self, tokenizer):
        processor = self.processor
        ids = [processor.piece_to_id("\u2581")] * 3 + [0, 1, 2, 3, 4]
        return ids + byte_ids(processor, _BYTES)

    def continuations(self, tokenizer):
        singles = super().continuations(tokenizer)
        content = bytes.fromhex("80 84 90 96 98 9A A0 AF")
        ids = [[i] for i in byte_ids(self.processor, content)]
        pairs = [a + b for a, b in itertools.product(ids, ids)]
        return pairs + [a + b for a, b in itertools.product(pairs, ids)] + singles

    def normal_form(self, text):
        processor = self.processor
        ids = [i for i in processor.encode(text) if i not in (self.special or range(3))]
        return processor.decode(ids)

    def control_texts(self, tokenizer):
        processor = self.processor
        ids = {0, 1, 2, *tokenizer.special_ids}
        return [processor.id_to_piece(i) for i in ids if i < len(processor)]
