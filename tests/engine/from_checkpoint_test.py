"""Tests for ASREngine.from_checkpoint: a directory as it was downloaded, to text."""

import numpy as np
import pytest

from oasr import checkpoints
from oasr import engine
from oasr import tokenizers

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
    with engine.ASREngine.from_checkpoint(tmp_path) as built:
        output = transcribe(
            built, scores(0, 2, 3, 0, 4, 5, 6, labels=7), word_timestamps=True
        )
    assert output.text == "hello 你😀"
    assert [word.word for word in output.words] == ["hello", "你", "😀"]
    assert output.words[-1].end <= 7 * 0.04


def test_the_blank_is_that_of_the_table(tmp_path):
    built = engine.ASREngine.from_checkpoint(lay(tmp_path, tokens_txt=LAST))
    assert transcribe(built, scores(3, 1, 3, 2, 3, labels=4)).text == "hello"


def test_a_saved_checkpoint_is_the_same(tmp_path):
    lay(tmp_path, tokens_txt=LAST)
    output = tmp_path / "output"
    checkpoints.convert_checkpoint(tmp_path).save(output)
    for path in (output, output / "oasr.json"):
        built = engine.ASREngine.from_checkpoint(path)
        assert transcribe(built, scores(1, 2, 3, labels=4)).text == "hello"


def test_overrides_count_before_the_checkpoint(tmp_path):
    lay(tmp_path, tokens_txt=LAST)
    recording = np.exp(scores(3, 1, 2, labels=4))
    built = engine.ASREngine.from_checkpoint(
        tmp_path, scores="probs", seconds_per_frame=0.08
    )
    output = transcribe(built, recording, word_timestamps=True)
    assert (output.text, output.words[0].end) == ("hello", pytest.approx(0.24))
    other = engine.ASREngine.from_checkpoint(tmp_path, blank_id=0, tokenizer=None)
    assert transcribe(other, scores(3, labels=4)).text == "3"


def test_a_model_is_passed_on(tmp_path):
    class Model:
        def scores(self, inputs):
            return [scores(1, *given, labels=4) for given in inputs]

    lay(tmp_path, tokens_txt=LAST)
    built = engine.ASREngine.from_checkpoint(tmp_path, model=Model())
    assert transcribe(built, [3, 2]).text == "hello"


def test_what_is_wrong_is_said(tmp_path):
    with pytest.raises(tokenizers.AssetError, match="no converter knows"):
        engine.ASREngine.from_checkpoint(tmp_path)
    lay(tmp_path, tokens_txt=LAST)
    with pytest.raises(TypeError, match="unheard_of"):
        engine.ASREngine.from_checkpoint(tmp_path, unheard_of=1)
    with pytest.raises(ValueError, match="Unknown decode family 'x'"):
        engine.ASREngine.from_checkpoint(tmp_path, family="x")
