"""The published Paraformer vocabulary, against FunASR and published results.

The folder is `OASR_FIELD_DATA`, laid out as `<checkpoint>/<file>`.
"""

import json
import os
import pathlib
import random

import pytest

from oasr import tokenizers
from tests import conftest
from tests.tokenizers import funasr_reference as reference
from tests.tokenizers import laws

_FOLDER = os.environ.get("OASR_FIELD_DATA", "")

pytestmark = pytest.mark.skipif(
    not _FOLDER, reason="OASR_FIELD_DATA names no folder of checkpoints"
)


def field_path(name):
    return pathlib.Path(_FOLDER, name)


@pytest.fixture(scope="module")
def names():
    return json.loads(field_path("paraformer/tokens.json").read_text("utf-8"))


class TestParaformer(laws.TokenizerLaws):
    @pytest.fixture(scope="class")
    def tokenizer(self):
        return tokenizers.FunASRCharTokenizer(field_path("paraformer/tokens.json"))

    @pytest.fixture
    def special_ids(self, names):
        return {names.index(name) for name in ("<blank>", "<s>", "</s>")}

    def favourites(self, tokenizer):
        tokens = ["&", ".", "a", "b", "too", "and@@", "'@@", "'", "5", "@", "\u4f60"]
        return [i for token in tokens for i in tokenizer.encode(token)]

    def continuations(self, tokenizer):
        return [[i] for i in range(3, tokenizer.vocab_size)]

    def control_texts(self, tokenizer):
        return ["<blank>", "<s>", "</s>", "<unk>"]

    def test_encoding_round_trips(self, tokenizer, names):
        """No round trip is promised, but every covered character is that again."""
        for token_id, token in enumerate(names):
            if len(token) == 1:
                assert tokenizer.encode(token) == [token_id]
                assert tokenizer.decode([token_id]) == token

    def test_random_hypotheses_are_as_funasr_writes_them(self, tokenizer, names):
        rng = random.Random(7)
        english = [i for i, token in enumerate(names) if token[0].isascii()]
        for _ in range(2_000 * conftest.SCALE):
            ids = rng.choices(rng.choice([english, range(len(names))]), k=20)
            ids += rng.choices(rng.sample(english, 5), k=10)
            words = [names[i] for i in ids if i > 2]
            expected, _ = reference.sentence_postprocess(words)
            assert tokenizer.decode(ids) == expected
            given, rest = laws.one_by_one(tokenizer, ids)
            assert given + rest == expected
            assert "".join(tokenizer.token_pieces(ids)) == expected

    def test_published_results(self, tokenizer, names):
        path = field_path("decoded_tokens/sherpa_docs_results.json")
        tested = 0
        for result in json.loads(path.read_text("utf-8")):
            tokens, text = result["tokens"], result["text"]
            if result["family"] == "paraformer" and set(tokens) <= set(names):
                ids = [names.index(token) for token in tokens]
                # That program puts blanks between Chinese and English; FunASR none.
                assert tokenizer.decode(ids).replace(" ", "") == text.replace(" ", "")
                tested += 1
        assert tested >= 5

    def test_words_are_cut_as_funasrs_dictionary_cuts_them(self, tokenizer, names):
        other = {}
        lines = field_path("paraformer/seg_dict_mini").read_text("utf-8").split("\n")
        for word, *parts in filter(None, map(str.split, lines)):
            found = [names[i] for i in tokenizer.encode(word)]
            if found != parts:
                other[word] = (len(found), len(parts))
        # Of several ways with the fewest parts, the dictionary has another one.
        assert other == {"dishonoured": (5, 5), "squalid": (3, 3)}

    def test_wenets_table_is_the_same_vocabulary(self, tokenizer, names, tmp_path):
        path = field_path("paraformer/wenet_paraformer.words.txt")
        rows = [line.split() for line in path.read_text("utf-8").split("\n") if line]
        assert [int(row[1]) for row in rows] == list(range(len(names)))
        listed = tmp_path / "tokens.json"
        listed.write_text(json.dumps([row[0] for row in rows]))
        twin = tokenizers.FunASRCharTokenizer(listed)
        ids = list(range(len(names)))
        assert twin.decode(ids) == tokenizer.decode(ids)
        assert twin.token_pieces(ids) == tokenizer.token_pieces(ids)
