"""Tests for checkpoint: a value, and the same value from `oasr.json`."""

import json
import math
import os
import pickle

import pytest

from oasr import checkpoints
from oasr import tokenizers
from oasr.checkpoints import whole_file
from tests.checkpoints import layouts


def refused(match):
    return pytest.raises(tokenizers.AssetError, match=match)


@pytest.fixture
def folder(tmp_path):
    return layouts.lay(tmp_path / "checkpoint", {"sub/tokens.txt": layouts.ICEFALL})


@pytest.fixture
def checkpoint(folder):
    return checkpoints.ConvertedCheckpoint(
        family="ctc",
        tokenizer=tokenizers.TokenizerSpec(
            "symbol_table",
            {"table": str(folder / "sub" / "tokens.txt")},
            {"special_ids": {0, 1, 2, 7, 8}},
        ),
        vocab_size=7,
        blank_id=0,
        seconds_per_frame=0.04,
        extras={"names": ("<blk>", "你", "\u2028", '"'), "weight": 0.3, "none": None},
    )


def manifest(folder):
    return json.loads((folder / "oasr.json").read_text(encoding="utf-8"))


def test_a_saved_checkpoint_is_loaded_equal(checkpoint, folder):
    saved = checkpoint.save(folder)
    assert saved == checkpoint
    assert checkpoints.ConvertedCheckpoint.load(folder) == checkpoint
    assert checkpoints.ConvertedCheckpoint.load(folder / "oasr.json") == checkpoint
    assert checkpoints.convert_checkpoint(folder) == checkpoint
    assert hash(saved) == hash(checkpoint)


def test_it_decodes_equally_before_and_after(checkpoint, folder):
    before = tokenizers.build_tokenizer(checkpoint.tokenizer)
    loaded = checkpoint.save(folder).load(folder)
    after = tokenizers.build_tokenizer(loaded.tokenizer)
    for ids in ([], [3, 4, 5, 6], [0, 3, 7, 4, 8, 99]):
        assert after.decode(ids) == before.decode(ids)
    assert after.decode([3, 4, 5, 6]) == "hello 你😀"


def test_the_file_holds_relative_paths_and_hashes(checkpoint, folder):
    checkpoint.save(folder)
    content = manifest(folder)
    assert content["format_version"] == 1
    entry = content["tokenizer"]["files"]["table"]
    assert entry["path"] == "sub/tokens.txt"
    assert len(entry["sha256"]) == 64
    assert str(folder) not in (folder / "oasr.json").read_text(encoding="utf-8")


def test_the_whole_directory_can_move(checkpoint, folder):
    checkpoint.save(folder)
    moved = folder.rename(folder.parent / "moved 你好")
    loaded = checkpoints.ConvertedCheckpoint.load(moved)
    assert tokenizers.build_tokenizer(loaded.tokenizer).decode([3, 4]) == "hello"


def test_files_from_elsewhere_are_copied(checkpoint, tmp_path):
    output = tmp_path / "new" / "output"
    saved = checkpoint.save(output)
    assert sorted(os.listdir(output)) == ["oasr.json", "tokens.txt"]
    assert saved.tokenizer.files == {"table": str(output / "tokens.txt")}
    assert checkpoints.ConvertedCheckpoint.load(output) == saved
    assert checkpoint.save(output) == saved  # Again, over itself.


def test_a_file_of_others_is_not_overwritten(checkpoint, tmp_path):
    output = layouts.lay(tmp_path / "output", {"tokens.txt": "mine"})
    with refused("output/tokens.txt: is not overwritten, as it differs from"):
        checkpoint.save(output)
    assert (output / "tokens.txt").read_text() == "mine"
    assert os.listdir(output) == ["tokens.txt"]


@pytest.mark.parametrize("fails", ["tokens.txt", "oasr.json"])
def test_nothing_is_left_of_what_cannot_be_written(
    checkpoint, tmp_path, monkeypatch, fails
):
    write = whole_file.write

    def full(path, content):
        if path.endswith(fails):
            raise OSError(28, "No space left on device")
        write(path, content)

    monkeypatch.setattr(whole_file, "write", full)
    with pytest.raises(OSError, match="No space left"):
        checkpoint.save(tmp_path / "output")
    assert not (tmp_path / "output").exists()


def test_no_folder_is_left_of_what_cannot_be_written(checkpoint, tmp_path, monkeypatch):
    def fail(descriptor):
        raise OSError(28, "No space left on device")

    (tmp_path / "there").mkdir()
    before = sorted(tmp_path.rglob("*"))
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        for name in ("new", "there", "there/a/b"):
            with pytest.raises(OSError, match="No space left"):
                checkpoint.save(tmp_path / name)
    assert sorted(tmp_path.rglob("*")) == before
    checkpoint.save(tmp_path / "there" / "a" / "b")
    assert (tmp_path / "there" / "a" / "b" / "oasr.json").is_file()


def test_two_files_of_one_name_are_refused(tmp_path):
    files = {"a/t.json": "{}", "b/t.json": "[]"}
    layouts.lay(tmp_path, files)
    paths = {
        "tokenizer": f"{tmp_path}/a/t.json",
        "tokenizer_config": f"{tmp_path}/b/t.json",
    }
    made = checkpoints.ConvertedCheckpoint(
        family="llm", tokenizer=tokenizers.TokenizerSpec("x", paths), vocab_size=1
    )
    with refused(r"output/t.json: is not overwritten, as it differs from .*/b/t.json"):
        made.save(tmp_path / "output")
    assert not (tmp_path / "output").exists()
    (tmp_path / "b" / "t.json").write_text("{}")
    assert len(set(made.save(tmp_path / "output").tokenizer.files.values())) == 1


def test_links_of_a_hub_cache_are_kept(tmp_path):
    snapshot = layouts.hub_cache(tmp_path, {"tokens.txt": layouts.ICEFALL})
    converted = checkpoints.convert_checkpoint(snapshot)
    assert converted.save(snapshot) == converted
    assert checkpoints.ConvertedCheckpoint.load(snapshot) == converted


def test_relative_paths_mean_the_folder_of_the_process(folder, monkeypatch):
    monkeypatch.chdir(folder.parent)
    converted = checkpoints.convert_checkpoint("checkpoint/sub")
    converted.save("checkpoint/sub")
    monkeypatch.chdir("/")
    assert checkpoints.ConvertedCheckpoint.load(folder / "sub") == converted


def test_it_can_be_pickled(checkpoint):
    assert pickle.loads(pickle.dumps(checkpoint)) == checkpoint


def test_a_changed_file_is_refused(checkpoint, folder):
    checkpoint.save(folder)
    (folder / "sub" / "tokens.txt").write_text(layouts.ICEFALL.replace("llo", "lla"))
    with refused(r"tokenizer.files\['table'\]: .*tokens.txt was changed since"):
        checkpoints.ConvertedCheckpoint.load(folder)
    os.unlink(folder / "sub" / "tokens.txt")
    with refused(r"tokenizer.files\['table'\]: .*tokens.txt: no such file"):
        checkpoints.ConvertedCheckpoint.load(folder)


def test_a_link_that_leads_out_is_refused(checkpoint, folder):
    checkpoint.save(folder)
    path = folder / "sub" / "tokens.txt"
    path.rename(folder.parent / "tokens.txt")
    path.symlink_to("../../tokens.txt")
    with refused("leads out of the checkpoint"):
        checkpoints.ConvertedCheckpoint.load(folder)


@pytest.mark.parametrize("path", ["../tokens.txt", "/etc/passwd", "sub/../../t", "\0"])
def test_a_path_that_leads_out_is_refused(checkpoint, folder, path):
    checkpoint.save(folder)
    layouts.lay(folder.parent, {"tokens.txt": layouts.ICEFALL, "t": layouts.ICEFALL})
    content = manifest(folder)
    content["tokenizer"]["files"]["table"]["path"] = path
    layouts.lay(folder, {"oasr.json": content})
    with refused(r"oasr.json: tokenizer.files\['table'\]: .*the path of a file inside"):
        checkpoints.ConvertedCheckpoint.load(folder)


DELETED = object()


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        ("format_version", 2, "the format 2 is newer than this OASR, which reads"),
        ("format_version", "1", "expected the number of a format"),
        ("format_version", True, "expected the number of a format"),
        ("format_version", DELETED, "expected the number of a format"),
        ("family", DELETED, "the field 'family' is missing"),
        ("family", 5, "family must be a name, got 5"),
        ("vocab_size", DELETED, "the field 'vocab_size' is missing"),
        ("vocab_size", 0, r"vocab_size must be an integer in \[1, \d+\], got 0"),
        ("vocab_size", 7.0, "vocab_size must be an integer"),
        ("blank_id", 7, r"blank_id must be a label in \[0, 7\) or None, got 7"),
        ("blank_id", "0", "blank_id must be a label"),
        ("seconds_per_frame", 0, "seconds_per_frame must be a finite number above 0"),
        ("extras", [], r"extras must be a mapping, got \[\]"),
        ("tokenizer", DELETED, "expected an object with 'kind', 'files' and 'options'"),
        ("tokenizer", {"kind": "x"}, "expected an object with 'kind', 'files'"),
        ("tokenizer", {"files": {}}, "A TokenizerSpec is a mapping with a 'kind'"),
        ("tokenizer", {"kind": 1, "files": {}}, "kind must be a kind's name"),
        ("tokenizer", {"kind": "x", "files": {}, "a": 1}, "has no field 'a'"),
        ("tokenizer", {"kind": "x", "files": {"table": "t"}}, "'path' and 'sha256'"),
        ("surplus", 1, "the field 'surplus' is unknown; valid are"),
    ],
)
def test_a_malformed_file_is_refused(checkpoint, folder, place, value, message):
    checkpoint.save(folder)
    content = manifest(folder)
    content.pop(place, None)
    if value is not DELETED:
        content[place] = value
    layouts.lay(folder, {"oasr.json": content})
    with refused(f"oasr.json: .*{message}"):
        checkpoints.ConvertedCheckpoint.load(folder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "oasr.json:1: expected JSON"),
        ("[]", "oasr.json: expected a JSON object"),
        ('{"a": 1,\n', "oasr.json:2: expected JSON"),
        ('{"a": 1, "a": 2}', "'a' is given twice"),
        ('{"a": ' + "[" * 10**5, "nested"),
        (b"\xff\xfe", "oasr.json:1: expected UTF-8"),
    ],
)
def test_what_is_no_json_is_refused(folder, text, message):
    layouts.lay(folder, {"oasr.json": text})
    with refused(message):
        checkpoints.ConvertedCheckpoint.load(folder)
    with refused(message):
        checkpoints.convert_checkpoint(folder)


def test_depth_that_json_just_reads_is_refused_or_kept(checkpoint, folder):
    checkpoint.save(folder)
    content = (folder / "oasr.json").read_text(encoding="utf-8")
    for depth in range(100, 1100, 50):
        deep = "[" * depth + "]" * depth
        changed = content.replace(
            '"special_ids": [', f'"deep": {deep}, "special_ids": ['
        )
        layouts.lay(folder, {"oasr.json": changed})
        try:
            loaded = checkpoints.ConvertedCheckpoint.load(folder)
        except tokenizers.AssetError:
            continue  # Any other error fails the test.
        assert json.dumps(loaded.tokenizer.options["deep"]) == deep


def test_a_large_file_is_refused(folder):
    with open(folder / "oasr.json", "wb") as file:
        file.truncate(2**24)
    with refused("oasr.json: the file has 16777216 bytes"):
        checkpoints.ConvertedCheckpoint.load(folder)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("seconds_per_frame", math.nan, "seconds_per_frame must be a finite number"),
        ("seconds_per_frame", True, "seconds_per_frame must be a finite number"),
        ("extras", {"a": math.inf}, "extras must hold what JSON can"),
        ("extras", {"a": object()}, "extras must hold what JSON can"),
        ("tokenizer", "symbol_table", "tokenizer must be a TokenizerSpec"),
    ],
)
def test_bad_values_are_refused(checkpoint, field, value, message):
    fields = {"family": "ctc", "tokenizer": checkpoint.tokenizer, "vocab_size": 7}
    with pytest.raises(ValueError, match=message):
        checkpoints.ConvertedCheckpoint(**{**fields, field: value})


def test_extras_are_the_receiver_s_own(checkpoint):
    given = {"a": [1]}
    made = checkpoints.ConvertedCheckpoint(
        family="ctc", tokenizer=checkpoint.tokenizer, vocab_size=7, extras=given
    )
    given["a"].append(2)
    assert made.extras == {"a": [1]}


def test_a_name_that_json_cannot_hold_is_refused(tmp_path):
    folder = layouts.lay(tmp_path / "checkpoint", {})
    name = os.fsencode(folder) + b"/\xff.txt"
    with open(name, "w", encoding="utf-8") as file:
        file.write(layouts.ICEFALL)
    spec = tokenizers.TokenizerSpec("symbol_table", {"table": os.fsdecode(name)})
    made = checkpoints.ConvertedCheckpoint(family="ctc", tokenizer=spec, vocab_size=7)
    with refused("is no UTF-8, which JSON must be"):
        made.save(folder)
    assert "oasr.json" not in os.listdir(folder)


def test_text_that_no_utf8_holds_survives(checkpoint, folder):
    made = checkpoints.ConvertedCheckpoint(
        family="ctc",
        tokenizer=checkpoint.tokenizer,
        vocab_size=7,
        extras={"a": "\udc80 é \\udc80"},
    )
    made.save(folder)
    assert checkpoints.ConvertedCheckpoint.load(folder) == made
