"""Tests for ASREngine.from_checkpoint: a directory as it was downloaded, to text."""

import json

import numpy as np
import pytest

from oasr import checkpoints
from oasr import engine
from oasr import tokenizers
from tests.engine import invariants

UNITS = "<blank> 0\n<unk> 1\n▁he 2\nllo 3\n▁你 4\n😀 5\n<sos/eos> 6\n"
RECIPE = """
encoder: conformer
encoder_conf: {input_layer: conv2d}
dataset_conf: {fbank_conf: {frame_shift: 10}}
"""
LAST = "<unk> 0\n▁he 1\nllo 2\n<blk> 3\n"


def lay(folder, **files):
    for name, text in files.items():
        path = folder / name.replace("_", ".")
        path.write_text(text, encoding="utf-8")
    return folder


def scores(*path, labels):
    """Returns log-probabilities in which `path` is all but certain."""
    rows = np.full((len(path), labels), 0.001 / (labels - 1))
    rows[np.arange(len(path)), path] = 0.999
    return np.log(rows)


def transcribe(built, recording, **options):
    request = engine.Request("a", recording, engine.DecodingOptions(**options))
    (output,) = built.transcribe([request])
    assert output.error is None
    return output


def test_a_directory_becomes_text_and_times(tmp_path):
    lay(tmp_path, units_txt=UNITS, train_yaml=RECIPE)
    with invariants.CheckedEngine.from_checkpoint(tmp_path) as built:
        output = transcribe(
            built, scores(0, 2, 3, 0, 4, 5, 6, labels=7), word_timestamps=True
        )
    assert output.text == "hello 你😀"
    assert [word.word for word in output.words] == ["hello", "你", "😀"]
    assert output.words[-1].end <= 7 * 0.04


def test_the_blank_is_that_of_the_table(tmp_path):
    built = invariants.CheckedEngine.from_checkpoint(lay(tmp_path, tokens_txt=LAST))
    assert transcribe(built, scores(3, 1, 3, 2, 3, labels=4)).text == "hello"


def test_a_saved_checkpoint_is_the_same(tmp_path):
    lay(tmp_path, tokens_txt=LAST)
    output = tmp_path / "output"
    checkpoints.convert_checkpoint(tmp_path).save(output)
    for path in (output, output / "oasr.json"):
        built = invariants.CheckedEngine.from_checkpoint(path)
        assert transcribe(built, scores(1, 2, 3, labels=4)).text == "hello"


def test_overrides_count_before_the_checkpoint(tmp_path):
    lay(tmp_path, tokens_txt=LAST)
    recording = np.exp(scores(3, 1, 2, labels=4))
    built = invariants.CheckedEngine.from_checkpoint(
        tmp_path, scores="probs", seconds_per_frame=0.08
    )
    output = transcribe(built, recording, word_timestamps=True)
    assert (output.text, output.words[0].end) == ("hello", pytest.approx(0.24))
    other = invariants.CheckedEngine.from_checkpoint(
        tmp_path, blank_id=0, tokenizer=None
    )
    assert transcribe(other, scores(3, labels=4)).text == "3"


def test_a_model_is_passed_on(tmp_path):
    class Model:
        def scores(self, inputs):
            return [scores(1, *given, labels=4) for given in inputs]

    lay(tmp_path, tokens_txt=LAST)
    built = invariants.CheckedEngine.from_checkpoint(tmp_path, model=Model())
    assert transcribe(built, [3, 2]).text == "hello"


def test_what_is_wrong_is_said(tmp_path):
    with pytest.raises(tokenizers.AssetError, match="no converter knows"):
        invariants.CheckedEngine.from_checkpoint(tmp_path)
    lay(tmp_path, tokens_txt=LAST)
    with pytest.raises(TypeError, match="unheard_of"):
        invariants.CheckedEngine.from_checkpoint(tmp_path, unheard_of=1)
    with pytest.raises(ValueError, match="Unknown decode family 'x'"):
        invariants.CheckedEngine.from_checkpoint(tmp_path, family="x")


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("tokenizer", "kind"), "x", "tokenizer: Unknown tokenizer kind 'x'"),
        (("tokenizer", "options", "x"), 1, "tokenizer: .* no option 'x'; valid"),
        (("tokenizer", "files"), {}, "tokenizer: .* needs the file 'table'"),
        (("tokenizer", "kind"), "whisper", "tokenizer: .* no file role 'table'"),
        (("tokenizer", "options", "special_ids"), "0", "tokenizer: Token ids must be"),
        (("vocab_size",), 10**30, "vocab_size must be an integer"),
        (("family",), "x", "family: Unknown decode family 'x'; expected one of"),
        (("extras", "decode_options"), [1], r"decode_options: .* object, found \[1\]"),
        (
            ("extras", "decode_options"),
            {"x": 1},
            "extras.decode_options: .* 'x' is unk",
        ),
    ],
)
def test_a_manifest_that_was_tampered_with_is_named(tmp_path, place, value, message):
    lay(tmp_path, tokens_txt=LAST)
    checkpoints.convert_checkpoint(tmp_path).save(tmp_path)
    path = tmp_path / "oasr.json"
    content = field = json.loads(path.read_text(encoding="utf-8"))
    for step in place[:-1]:
        field = field[step]
    field[place[-1]] = value
    path.write_text(json.dumps(content), encoding="utf-8")
    for given in (tmp_path, path):
        with pytest.raises(tokenizers.AssetError, match=message) as refusal:
            invariants.CheckedEngine.from_checkpoint(given)
        assert str(refusal.value).startswith(f"{path}: ")


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"decode_options": {"x": 1}}, "Decode option of family 'ctc' 'x'"),
        ({"mode": "x"}, "mode"),
        ({"max_batch_size": 0}, "max_batch_size"),
    ],
)
def test_a_mistake_of_the_caller_is_not_the_checkpoints(tmp_path, overrides, message):
    lay(tmp_path, tokens_txt=LAST)
    checkpoints.convert_checkpoint(tmp_path).save(tmp_path)
    with pytest.raises(ValueError, match=message) as refusal:
        invariants.CheckedEngine.from_checkpoint(tmp_path, **overrides)
    assert not isinstance(refusal.value, tokenizers.AssetError)
