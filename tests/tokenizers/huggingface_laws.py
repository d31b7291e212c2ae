"""The laws for the kind huggingface: files are built here, the library the oracle."""

import pytest
import tokenizers as reference

from oasr import tokenizers
from tests.tokenizers import laws
from tests.tokenizers import small_tokenizers as small


def build(folder, tokenizer, added_tokens=(), **options):
    path = small.write(folder / "tokenizer.json", tokenizer, added_tokens)
    spec = tokenizers.TokenizerSpec("huggingface", {"tokenizer": str(path)}, options)
    return tokenizers.build_tokenizer(spec)


class HuggingFaceLaws(laws.TokenizerLaws):
    added_tokens, specials, options, favoured = [], (), {}, []

    def make(self):
        raise NotImplementedError

    @pytest.fixture(scope="class")
    @classmethod
    def tokenizer(cls, tmp_path_factory):
        folder = tmp_path_factory.mktemp("vocabulary")
        tokenizer = build(folder, cls().make(), cls.added_tokens, **cls.options)
        path = str(folder / "tokenizer.json")
        cls.reference = reference.Tokenizer.from_file(path)
        return tokenizer

    @pytest.fixture
    def special_ids(self):
        return set(self.specials)

    def favourites(self, tokenizer):
        return self.favoured

    def normal_form(self, text):
        # What the library makes of the text, in both directions.
        ids = self.reference.encode(text, add_special_tokens=False).ids
        return self.reference.decode(ids, skip_special_tokens=True)

    def control_texts(self, tokenizer):
        return [entry["content"] for entry in self.added_tokens]
