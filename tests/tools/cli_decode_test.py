"""Tests for `oasr decode`: recorded scores in, transcripts out."""

import dataclasses
import json
import os

import numpy as np
import pytest

from oasr import engine
from tests.checkpoints import layouts
from tests.tools import command_line
from tests.tools.command_line import run_here
from tests.tools.command_line import scores


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Lays out a checkpoint and scores, and goes there."""
    command_line.wenet(tmp_path / "模型")
    monkeypatch.chdir(tmp_path)
    np.save("a b.npy", scores(2, 0, 3, 4))
    np.savez("many.npz", first=scores(4), second=scores(5, 0, 0))
    np.save("wide.npy", scores(2, 3, 9, size=12))
    np.save("narrow.npy", scores(0, size=1))
    np.save("no scores.npy", np.arange(4))
    np.save("logits.npy", scores(2) * 3)
    layouts.lay(tmp_path, {"text.npy": "not numpy", "rows.json": "[[1, 2], [3]]"})
    return tmp_path


def decode(capfd, *arguments):
    return run_here(capfd, "decode", "--checkpoint", "模型", *arguments)


TIMED = ("--seconds_per_frame", "0.5")


def test_a_transcript_is_a_line(folder, capfd):
    assert decode(capfd, "a b.npy", "many.npz") == (0, "hello你\n你\n😀\n", "")


def test_jsonl_is_what_the_engine_says(folder, capfd):
    arguments = ("--format", "jsonl", "--word_timestamps", *TIMED, "--n_best", "3")
    code, out, err = decode(capfd, "a b.npy", "many.npz", *arguments)
    assert (code, err) == (0, "")
    options = engine.DecodingOptions(n_best=3, word_timestamps=True)
    names = ["a b.npy", "many.npz:first", "many.npz:second"]
    with engine.ASREngine.from_checkpoint("模型", seconds_per_frame=0.5) as asr:
        outputs = asr.transcribe(engine.Request(n, n, options) for n in names)
    expected = [json.loads(json.dumps(dataclasses.asdict(o))) for o in outputs]
    assert command_line.read_jsonl(out) == expected
    assert [row["request_id"] for row in expected] == names
    assert len(expected[0]["nbest_texts"]) == 3
    assert [set(word) for word in expected[0]["words"]] == [
        {"word", "start", "end", "confidence"}
    ] * 2
    assert "hello你" in out


def test_srt_and_vtt_time_the_words(folder, capfd):
    assert decode(capfd, "a b.npy", "--format", "srt", *TIMED) == (
        0,
        "1\n00:00:00,000 --> 00:00:02,000\nhello你\n\n",
        "",
    )
    assert decode(capfd, "a b.npy", "--format", "vtt", *TIMED) == (
        0,
        "WEBVTT\n\n00:00:00.000 --> 00:00:02.000\nhello你\n\n",
        "",
    )


def test_the_frames_of_the_checkpoint_count_unless_others_are_given(folder, capfd):
    layouts.lay(folder / "模型", {"train.yaml": layouts.TRAIN_YAML})
    srt = decode(capfd, "a b.npy", "--format", "srt")[1]
    assert "00:00:00,000 --> 00:00:00,833" in srt
    assert "-> 00:00:02,000" in decode(capfd, "a b.npy", "--format", "srt", *TIMED)[1]


def test_times_without_frames_are_refused_by_the_flag(folder, capfd):
    for arguments in (("--format", "srt"), ("--word_timestamps",)):
        code, out, err = decode(capfd, "a b.npy", *arguments, "--output", "o")
        assert (code, out) == (1, "")
        assert "--seconds_per_frame" in err
        assert "EngineConfig" not in err
        assert not os.path.exists("o")


BAD = {
    "absent.npy": "no such file",
    "absent": "no such file",
    "text.npy": "expected one array as numpy.save writes it",
    "no scores.npy": "expected a [T, V] array of floats",
    "rows.json": "row 1: expected 2 values",
    "logits.npy": "set --scores probs",
    "模型": "expected a file of scores",
    "many.npz:third": "third",
}


def test_what_fails_is_named_and_the_others_are_done(folder, capfd):
    code, out, err = decode(capfd, *BAD, "a b.npy", "many.npz")
    assert code == 1
    assert out == "\n" * len(BAD) + "hello你\n你\n😀\n"
    said = err.splitlines()
    assert len(said) == len(BAD)
    for (name, reason), message in zip(BAD.items(), said, strict=True):
        assert message.startswith(f"oasr: error: {name}: ")
        if name != "logits.npy":
            assert reason in message
        else:
            assert "not to 1 within 0.001" in message


def test_jsonl_says_what_failed(folder, capfd):
    code, out, _ = decode(capfd, "a b.npy", *BAD, "--format", "jsonl")
    rows = command_line.read_jsonl(out)
    assert code == 1
    assert [row["request_id"] for row in rows] == ["a b.npy", *BAD]
    assert [row["finish_reason"] for row in rows] == ["stop"] + ["error"] * len(BAD)
    assert all(row["error"] for row in rows[1:])


def test_scores_of_another_width(folder, capfd):
    code, out, err = decode(capfd, "wide.npy", "narrow.npy", "a b.npy")
    assert (code, out) == (1, "hello\n\nhello你\n")
    assert err == (
        "oasr: warning: The scores have 12 labels and the tokenizer 7 ids; the labels"
        " from 7 on render to nothing.\n"
        "oasr: error: narrow.npy: expected scores of 7 labels, which is how many the"
        " checkpoint says its model has, found 1: they are another model's.\n"
    )


def test_disambiguation_symbols_of_the_table_are_no_labels(folder, capfd):
    table = layouts.WENET + "#0 7\n#1 8\n"
    layouts.lay(folder / "模型", {"units.txt": table})
    assert decode(capfd, "a b.npy") == (0, "hello你\n", "")


def test_scores_narrower_than_the_vocabulary_of_a_spec_are_said_once(folder, capfd):
    spec = {"kind": "symbol_table", "files": {"table": "模型/units.txt"}}
    layouts.lay(folder, {"spec.json": spec})
    asked = ("decode", "--spec", "spec.json", "narrow.npy", "narrow.npy", "a b.npy")
    code, out, err = run_here(capfd, *asked)
    assert (code, out.splitlines()[:2]) == (0, ["", ""])
    assert err == (
        "oasr: warning: The scores have 1 labels and the tokenizer 7 ids; if they are"
        " another model's, the text is wrong.\n"
    )
    code, _, err = run_here(capfd, *asked, "--blank_id", "5")
    assert code == 1
    assert "narrow.npy: scores: blank_id 5 is outside the 1 labels" in err


def test_a_beam_finds_what_no_single_path_spells(folder, capfd):
    np.save("two.npy", np.array([[0.6, 0.0, 0.0, 0.0, 0.4, 0, 0]] * 2))
    forms = ("two.npy", "--scores", "probs")
    assert decode(capfd, *forms)[1] == "\n"
    assert decode(capfd, *forms, "--beam_size", "4")[1] == "你\n"
    rows = decode(capfd, *forms, "--n_best", "2", "--format", "jsonl")[1]
    assert json.loads(rows)["nbest_texts"] == ["你", ""]


def test_a_spec_needs_no_checkpoint(folder, capfd):
    spec = {"kind": "symbol_table", "files": {"table": "模型/units.txt"}}
    spec["options"] = {"special_ids": [5]}
    layouts.lay(folder, {"spec.json": spec})
    code, out, _ = run_here(
        capfd, "decode", "--spec", "spec.json", "a b.npy", "--blank_id", "5"
    )
    assert (code, out) == (0, "he<blank>llo你\n")


@pytest.mark.parametrize("name", ["srt", "vtt"])
def test_times_of_two_recordings_do_not_go_into_one_file(folder, capfd, name):
    arguments = ("many.npz", "--format", name, *TIMED, "--output", "o")
    code, out, err = decode(capfd, *arguments)
    assert (code, out) == (1, "")
    assert f"The format {name} holds one recording" in err
    assert not os.path.exists("o")


@pytest.mark.parametrize("name", ["txt", "jsonl", "srt", "vtt"])
def test_where_all_fails_a_file_stays_as_it_was(folder, capfd, name):
    layouts.lay(folder, {"o": "before"})
    arguments = ("--format", name, *TIMED, "--output", "o")
    code, out, _ = decode(capfd, "absent.npy", *arguments)
    assert (code, out) == (1, "")
    assert (folder / "o").read_text() == "before"
    assert decode(capfd, "a b.npy", *arguments) == (0, "", "")
    assert "hello" in (folder / "o").read_text("utf-8")


def test_a_failed_recording_is_no_subtitle(folder, capfd):
    code, out, _ = decode(capfd, "absent.npy", "--format", "vtt", *TIMED)
    assert (code, out) == (1, "")


def test_no_recordings_are_no_results(folder, capfd):
    np.savez("none.npz")
    said = "oasr: note: none.npz holds no recordings\n"
    assert decode(capfd, "none.npz") == (0, "", said)


def test_a_recording_may_be_asked_for_twice(folder, capfd):
    assert decode(capfd, "a b.npy", "a b.npy")[:2] == (0, "hello你\n" * 2)


def paraformer_scores(*labels):
    """Returns `[U, V]` log-probabilities for the tokens of a Paraformer."""
    return scores(*labels, size=len(layouts.PARAFORMER))


def test_a_paraformer_is_decoded_from_a_row_per_token(folder, capfd):
    command_line.paraformer(folder / "paraformer")
    np.save("tokens.npy", paraformer_scores(1, 5, 6, 3, 3, 2))
    asked = ("decode", "--checkpoint", "paraformer", "tokens.npy")
    # No label is a blank, and equal ones in a row are two tokens.
    assert run_here(capfd, *asked) == (0, "hello你你\n", "")
    code, out, _ = run_here(capfd, *asked, "--format", "jsonl")
    (row,) = command_line.read_jsonl(out)
    assert (code, row["tokens"], row["words"]) == (0, [[5, 6, 3, 3]], None)
    assert row["timestamps"] is None
    assert row["confidence"] == pytest.approx(0.92)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--format", "srt"), "p.npy: decoding: Word timings need the fires of the"),
        (("--word_timestamps",), "p.npy: decoding: Word timings need the fires of the"),
        (("--beam_size", "4"), "paraformer: --beam_size is for CTC, its family is"),
        (("n.npy",), "n.npy: expected scores of 9 labels, which is how many the"),
    ],
)
def test_what_a_paraformer_cannot_do_is_named(folder, capfd, arguments, reason):
    command_line.paraformer(folder / "paraformer")
    np.save("p.npy", paraformer_scores(3))
    np.save("n.npy", scores(3, size=8))
    asked = ("decode", "--checkpoint", "paraformer", "p.npy", *arguments)
    code, _, err = run_here(capfd, *asked)
    assert code == 1
    assert err.startswith(f"oasr: error: {reason}")


WHISPER = {
    "vocab.json": {"h": 0, "i": 1, "hi": 2},
    "merges.txt": "h i\n",
    "added_tokens.json": {
        "<|endoftext|>": 3,
        "<|startoftranscript|>": 4,
        "<|startofprev|>": 5,
        "<|notimestamps|>": 6,
    },
}


@pytest.mark.parametrize(
    ("files", "family"),
    [
        ({"tokens.txt": layouts.ICEFALL, "joiner.onnx": ""}, "transducer"),
        (WHISPER, "aed"),
    ],
    ids=["transducer", "aed"],
)
def test_a_family_that_needs_a_network_is_refused(folder, capfd, files, family):
    layouts.lay(folder / "network", files)
    arguments = ("decode", "--checkpoint", "network", "a b.npy", "--output", "o")
    code, out, err = run_here(capfd, *arguments)
    assert (code, out) == (1, "")
    assert err.startswith(
        "oasr: error: network: recorded scores are not enough for its family,"
        f" {family}: the scores of each "
    )
    assert "detokenize" in err  # What to use instead.
    assert "ASREngine.from_checkpoint(DIR, model=...)" in err
    assert not os.path.exists("o")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--n_best", "0"),
        ("--beam_size", "-1"),
        ("--beam_size", "x"),
        ("--blank_id", "-1"),
        ("--seconds_per_frame", "0"),
        ("--seconds_per_frame", "nan"),
        ("--seconds_per_frame", "inf"),
        ("--scores", "odds"),
        ("--format", "ass"),
        ("--spec", "also.json"),
        ("--unknown",),
    ],
)
def test_a_wrong_command_line_is_refused(folder, capfd, arguments):
    code, out, err = decode(capfd, "a b.npy", *arguments)
    assert (code, out) == (2, "")
    assert "oasr decode: error: " in err or "oasr: error: " in err
    assert "Traceback" not in err
