"""What may be asked for has limits, and one over a limit is an error that says so."""

import numpy as np
import pytest

from oasr import engine
from oasr import tokenizers
from oasr.engine import limits
from oasr.models import recorded
from tests.engine import families


def refusal(function, *arguments, **options):
    with pytest.raises(ValueError, match=r"\.$") as caught:
        function(*arguments, **options)
    return str(caught.value)


ASKED = {
    "n_best": limits.MAX_N_BEST,
    "max_new_tokens": limits.MAX_NEW_TOKENS,
}


@pytest.mark.parametrize("name", ASKED)
def test_a_request_may_ask_for_the_limit_and_no_more(name):
    most = ASKED[name]
    assert getattr(engine.DecodingOptions(**{name: most}), name) == most
    for more in (most + 1, 2**70):
        said = refusal(engine.DecodingOptions, **{name: more})
        assert said == f"DecodingOptions.{name} must be at most {most}, got {more}."


@pytest.mark.parametrize("name", ["prompt", "task", "language"])
def test_the_texts_of_a_request_are_not_long(name):
    most = limits.MAX_PROMPT_CHARACTERS
    assert engine.DecodingOptions(**{name: "你" * most})
    said = refusal(engine.DecodingOptions, **{name: "a" * (most + 1)})
    assert said == (
        f"DecodingOptions.{name} must have at most {most} characters, got {most + 1}."
    )


def test_a_batch_has_a_limit():
    most = limits.MAX_BATCH_SIZE
    assert engine.EngineConfig(max_batch_size=most)
    said = refusal(engine.EngineConfig, max_batch_size=most + 1)
    assert said == f"EngineConfig.max_batch_size must be at most {most}, got 65537."


BEAMS = ["aed", "ctc", "ctc_aed_rescoring", "llm", "transducer"]


@pytest.mark.parametrize("family", BEAMS)
def test_a_beam_has_a_limit(family):
    most = limits.MAX_BEAM_SIZE
    said = refusal(families.build, family, decode_options={"beam_size": most + 1})
    assert f"decode_options['beam_size'] must be at most {most}, got 1048577." in said


def test_hotwords_have_limits():
    most = limits.MAX_HOTWORDS
    many = [([k % 3 + 1], 1.0) for k in range(most + 1)]
    assert f"may have {most} phrases, got {most + 1}." in refusal(
        families.build, "ctc", decode_options={"hotwords": many}
    )
    most = limits.MAX_HOTWORD_TOKENS
    families.build("ctc", decode_options={"hotwords": [([1] * most, 1.0)]}).close()
    said = refusal(
        families.build, "ctc", decode_options={"hotwords": [([1] * (most + 1), 1.0)]}
    )
    assert f"A phrase may have {most} tokens, got {most + 1}." in said


def test_as_many_hotwords_as_there_may_be_are_searched_for(tmp_path):
    rows = families.scores_of(1)
    many = [
        ([1 + k // 4**place % 4 for place in range(7)], 0.1)
        for k in range(limits.MAX_HOTWORDS)
    ]
    with families.build("ctc", decode_options={"hotwords": many}) as asr:
        [output] = asr.transcribe([engine.Request("a", rows)])
    assert output.error is None


@pytest.mark.parametrize("family", families.FAMILIES)
def test_as_many_hypotheses_as_may_be_asked_for(family):
    options = {"n_best": limits.MAX_N_BEST, "max_new_tokens": 2}
    request = engine.Request("a", families.FAMILIES[family].inputs(3), options)
    with families.build(family) as asr:
        [output] = asr.transcribe([request])
    assert output.error is None
    assert 1 <= len(output.tokens) <= limits.MAX_N_BEST


KINDS = {
    "funasr_char": tokenizers.FunASRCharTokenizer,
    "huggingface": tokenizers.HuggingFaceTokenizer,
    "sentencepiece": tokenizers.SentencePieceTokenizer,
    "symbol_table": tokenizers.SymbolTableTokenizer,
    "whisper": tokenizers.WhisperTokenizer,
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_a_tokenizer_has_a_limit(tmp_path, kind):
    path = tmp_path / "vocabulary"
    with open(path, "wb") as file:
        file.truncate(2**40)  # A terabyte of nothing.
    with pytest.raises(tokenizers.AssetError, match=r"vocabulary: .*1099511627776"):
        KINDS[kind](path)


@pytest.mark.parametrize("name", ["a.npy", "a.json"])
def test_scores_have_a_limit(tmp_path, name):
    path = tmp_path / name
    if name == "a.npy":
        np.lib.format.open_memmap(path, mode="w+", shape=(2**18, 2**10), dtype="f4")
    with open(path, "ab") as file:
        file.truncate(2**31)
    with pytest.raises(tokenizers.AssetError, match=r"expected (at most )?\d+ bytes"):
        recorded.read_recording(path)


def test_an_id_has_a_limit(tmp_path):
    path = tmp_path / "units.txt"
    path.write_text(f"a {10**9}\n", encoding="utf-8")
    with pytest.raises(tokenizers.AssetError, match="the largest allowed"):
        tokenizers.SymbolTableTokenizer(path)
