"""Tests for directory: what may be read, and what is refused."""

import os

import pytest

from oasr import checkpoints
from oasr import tokenizers
from oasr.checkpoints import directory as directories
from tests.checkpoints import layouts


def refused(match):
    return pytest.raises(tokenizers.AssetError, match=match)


def test_files_are_found_by_name_and_pattern(tmp_path):
    layouts.lay(tmp_path, {"a.model": "", "exp/joiner.onnx": "", "data/lang_x/t": ""})
    directory = directories.CheckpointDirectory(tmp_path)
    assert "a.model" in directory
    assert "b.model" not in directory
    assert directory.find("*.model") == ["a.model"]
    assert directory.find("exp/*joiner*") == ["exp/joiner.onnx"]
    assert directory.find("none/*") == []
    assert directory.folders("data/lang_*") == ["data/lang_x"]
    assert directory.folders("*.model") == []


def test_a_directory_must_be_one(tmp_path):
    layouts.lay(tmp_path, {"file": ""})
    with refused("no such directory"):
        directories.CheckpointDirectory(tmp_path / "absent")
    with refused("expected a directory, found a file"):
        directories.CheckpointDirectory(tmp_path / "file")


def test_no_name_is_not_where_the_process_stands(tmp_path, monkeypatch):
    layouts.lay(tmp_path, {"units.txt": layouts.WENET})
    monkeypatch.chdir(tmp_path)
    checkpoints.convert_checkpoint(".").save(".")
    for function in (checkpoints.convert_checkpoint, checkpoints.inspect_checkpoint):
        with refused(r"Expected the path of a directory, got ''\."):
            function("")


def test_a_directory_that_may_be_listed_and_not_entered(tmp_path, monkeypatch):
    stat = os.stat

    def deny(path, *args, **kwargs):
        if os.path.dirname(os.fspath(path)) == str(tmp_path):
            raise PermissionError(13, "Permission denied", path)
        return stat(path, *args, **kwargs)

    # Who runs the tests may be allowed to enter anything.
    monkeypatch.setattr(os, "stat", deny)
    with refused("cannot be read: Permission denied"):
        directories.CheckpointDirectory(tmp_path)


def test_a_loop_of_links_is_refused(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    with refused("cannot be read: Too many levels"):
        directories.CheckpointDirectory(tmp_path / "loop")
    with refused("loop: cannot be read: Too many levels"):
        directories.CheckpointDirectory(tmp_path).file("loop")


@pytest.mark.parametrize(
    "name", ["../secret", "/etc/hostname", "a/../../secret", "a\0b"]
)
def test_a_name_stays_inside(tmp_path, name):
    layouts.lay(tmp_path, {"secret": "", "checkpoint/a/b": ""})
    with refused("expected the path of a file inside"):
        directories.CheckpointDirectory(tmp_path / "checkpoint").file(name)


@pytest.mark.parametrize("target", ["../secret", "/etc/hostname", "../checkpoint2/a"])
def test_a_link_that_leads_out_is_refused(tmp_path, target):
    layouts.lay(tmp_path, {"secret": "", "checkpoint/a": "", "checkpoint2/a": ""})
    (tmp_path / "checkpoint" / "link").symlink_to(target)
    with refused("link: leads out of the checkpoint, to '/"):
        directories.CheckpointDirectory(tmp_path / "checkpoint").file("link")


def test_a_folder_that_leads_out_is_refused(tmp_path):
    layouts.lay(tmp_path, {"outside/t": "", "checkpoint/a": ""})
    (tmp_path / "checkpoint" / "lang_x").symlink_to("../outside")
    directory = directories.CheckpointDirectory(tmp_path / "checkpoint")
    assert directory.folders("lang_*") == []
    with refused("leads out of the checkpoint"):
        directory.file("lang_x/t")


def test_a_link_inside_is_followed(tmp_path):
    layouts.lay(tmp_path, {"a/b": "text"})
    (tmp_path / "link").symlink_to("a/b")
    assert directories.CheckpointDirectory(tmp_path).text("link") == "text"


def test_the_directory_itself_may_be_a_link(tmp_path):
    layouts.lay(tmp_path, {"real/a": "text"})
    (tmp_path / "link").symlink_to("real")
    assert directories.CheckpointDirectory(tmp_path / "link").text("a") == "text"


def test_the_links_of_a_hub_cache_are_followed(tmp_path):
    snapshot = layouts.hub_cache(tmp_path, {"a.txt": "text", "sub/b.txt": "more"})
    directory = directories.CheckpointDirectory(snapshot)
    assert directory.text("a.txt") == "text"
    assert directory.text("sub/b.txt") == "more"
    assert directories.CheckpointDirectory(snapshot / "sub").text("b.txt") == "more"


def test_a_hub_cache_ends_at_its_model(tmp_path):
    snapshot = layouts.hub_cache(tmp_path, {"a.txt": "text"})
    layouts.lay(tmp_path, {"models--other/blobs/secret": ""})
    (snapshot / "link").symlink_to("../../../models--other/blobs/secret")
    with refused("leads out of the checkpoint"):
        directories.CheckpointDirectory(snapshot).file("link")


def test_other_folders_have_no_cache(tmp_path):
    # The same layout under another name.
    layouts.lay(tmp_path, {"any/blobs/b": "", "any/snapshots/s/a": ""})
    (tmp_path / "any/snapshots/s/link").symlink_to("../../blobs/b")
    with refused("leads out of the checkpoint"):
        directories.CheckpointDirectory(tmp_path / "any/snapshots/s").file("link")


def test_only_regular_files_are_read(tmp_path):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    directory = directories.CheckpointDirectory(tmp_path)
    for name in ("folder", "pipe"):
        with refused(f"{name}: expected a file, found something else"):
            directory.file(name)
    with refused("dangling: no such file"):
        (tmp_path / "dangling").symlink_to("nothing")
        directory.file("dangling")


def test_a_file_in_the_way_of_a_folder_is_refused(tmp_path):
    layouts.lay(tmp_path, {"data": ""})
    directory = directories.CheckpointDirectory(tmp_path)
    assert directory.folders("data/lang_*") == []
    with refused("cannot be read: Not a directory"):
        directory.file("data/tokens.txt")


def test_a_file_is_no_larger_than_its_kind(tmp_path):
    with open(tmp_path / "huge", "wb") as file:
        file.truncate(directories.MAX_BYTES + 1)
    with open(tmp_path / "long", "wb") as file:
        file.truncate(directories.MAX_TEXT_BYTES + 1)
    directory = directories.CheckpointDirectory(tmp_path)
    with refused("huge: the file has 67108865 bytes; none of its kind has over"):
        directory.file("huge")
    with refused("huge: the file has"):
        directory.json("huge")
    assert directory.file("long")
    with refused("long: the file has 8388609 bytes"):
        directory.text("long")


def test_json_and_yaml_are_objects(tmp_path):
    layouts.lay(tmp_path, {"a.json": {"b": 1}, "a.yaml": "b: 1", "c.json": "[1]"})
    directory = directories.CheckpointDirectory(tmp_path)
    assert directory.json("a.json") == directory.yaml("a.yaml") == {"b": 1}
    with refused("c.json: expected a JSON object"):
        directory.json("c.json")


def test_names_need_not_be_utf8(tmp_path):
    with open(os.fsencode(tmp_path) + b"/\xff.model", "wb"):
        pass
    assert directories.CheckpointDirectory(tmp_path).find("*.model") == ["\udcff.model"]
