"""Tests for `oasr inspect` and `oasr convert`."""

import json
import os

import pytest

from oasr import checkpoints
from oasr import tokenizers
from tests.checkpoints import layouts
from tests.tools import command_line
from tests.tools.command_line import run_here

# Directories that no converter knows, or whose files are not what they should be.
BAD = {
    "empty": {},
    "unrelated": {"notes.txt": "nothing of use", "model.bin": b"\x00\xff"},
    "no numbers": {"units.txt": "<blank> zero\n"},
    "not UTF-8": {"units.txt": b"<blank> 0\n\xff\xfe 1\n"},
    "a bomb": {"config.yaml": "a: &a [x,x]\nb: &b [*a,*a]\ntoken_list: *b\n"},
    "no manifest": {"oasr.json": "{}"},
    "a newer manifest": {"oasr.json": '{"format_version": 99}'},
    "deep": {"oasr.json": "[" * 100_000},
}


def test_the_page_says_what_why_and_what_looks_wrong(tmp_path, capfd):
    units = "<blank> 0\n<unk> 1\na 2\na 4\n<sos/eos> 5\n"
    folder = layouts.lay(tmp_path / "wenet", {"units.txt": units})
    code, page, err = run_here(capfd, "inspect", folder)
    assert (code, err) == (0, "")
    for text in (
        "detected    wenet",
        "because     units.txt has the blank at 0",
        "tokenizer   symbol_table, decodes only",
        f"files       table: {folder}/units.txt",
        "options     special_ids: 0, 1, 5",
        "vocabulary  6 ids; 6 labels of the model",
        "blank       0 <blank>",
        "frame       not known",
        "specials    <blank> = 0, <unk> = 1, <sos/eos> = 5",
        "warning: 1 ids below the largest have no piece, e.g. 3 (gap)",
        "note: 1 ids have a piece that an earlier id has",
    ):
        assert f"{text}\n" in page or text in page
    assert page.index("(gap)") < page.index("(duplicate_piece)")


def test_every_finding_comes_with_its_fix(tmp_path, capfd):
    folder = layouts.lay(tmp_path, {"units.txt": "<blank> 0\na 1\nb 3\n<0x41> 4\n"})
    findings = checkpoints.inspect_checkpoint(folder).findings
    assert findings
    page = run_here(capfd, "inspect", folder)[1]
    for finding in findings:
        assert f"{finding.severity}: {finding.message} ({finding.rule})\n" in page
        assert f"\n  {finding.fix}\n" in page


def test_json_is_all_that_is_known(tmp_path, capfd):
    folder = layouts.lay(tmp_path / "模型", {"units.txt": layouts.WENET})
    code, out, _ = run_here(capfd, "inspect", folder, "--json")
    assert code == 0
    assert json.loads(out) == checkpoints.inspect_checkpoint(folder).to_dict()
    assert "模型" in out


def test_an_error_among_the_findings_is_an_exit_code(tmp_path, capfd):
    folder = layouts.lay(tmp_path, {"letters.txt": "_ 0\na 1\nb 2\n"})
    spec = {"table": str(folder / "letters.txt")}
    by_hand = checkpoints.ConvertedCheckpoint(
        family="ctc",
        tokenizer=tokenizers.TokenizerSpec(
            "symbol_table", spec, {"special_ids": [0, 1]}
        ),
        vocab_size=2,
        blank_id=0,
    )
    by_hand.save(folder)
    findings = checkpoints.inspect_checkpoint(folder).findings
    wrong = any(finding.severity == "error" for finding in findings)
    assert wrong
    code, page, _ = run_here(capfd, "inspect", folder)
    assert code == 1
    assert "error: " in page


def test_nothing_wrong_is_said_so(tmp_path, capfd):
    folder = command_line.wenet(tmp_path)
    assert run_here(capfd, "inspect", folder)[1].endswith("\nNothing looks wrong.\n")


def test_what_would_steer_a_terminal_is_shown_as_escapes(tmp_path, capfd):
    units = "<blank> 0\n\x1b[2J 1\n<\x07> 2\n"
    folder = layouts.lay(tmp_path, {"units.txt": units})
    _, page, err = run_here(capfd, "inspect", folder)
    assert "\x1b" not in page + err
    assert "\x07" not in page + err


def test_long_lists_are_cut_in_the_page_and_whole_in_json(tmp_path, capfd):
    rows = ["<blank> 0", *(f"#{k} {k + 1}" for k in range(99))]
    folder = layouts.lay(tmp_path, {"tokens.txt": "\n".join(rows) + "\na 100\n"})
    arguments = ("inspect", folder, "--converter", "icefall")
    _, page, _ = run_here(capfd, *arguments)
    assert "#10 = 11 and 88 more (see --json)\n" in page
    found = json.loads(run_here(capfd, *arguments, "--json")[1])
    assert len(found["specials"]) == 100


@pytest.mark.parametrize("command", ["inspect", "convert"])
@pytest.mark.parametrize("name", BAD)
def test_a_bad_directory_is_named(tmp_path, capfd, command, name):
    folder = layouts.lay(tmp_path / "bad", BAD[name])
    target = tmp_path / "out"
    code, out, err = run_here(capfd, command, folder, "--output", target)
    assert (code, out) == (1, "")
    assert err.startswith("oasr: error: ")
    assert str(folder) in err
    assert err.count("\n") == 1
    assert not target.exists()


@pytest.mark.parametrize("command", ["inspect", "convert"])
def test_a_directory_that_two_claim_is_refused_by_the_flag(tmp_path, capfd, command):
    files = {"tokens.txt": layouts.ICEFALL, "units.txt": layouts.WENET}
    folder, target = layouts.lay(tmp_path / "two", files), tmp_path / "out"
    asked = (command, folder, "--output", target)
    code, out, err = run_here(capfd, *asked)
    assert (code, out) == (1, "")
    assert "2 converters claim this directory equally" in err
    assert "Name one to inspect or convert, e.g. --converter icefall; " in err
    assert run_here(capfd, *asked, "--converter", "icefall")[0] == 0
    assert target.exists()


@pytest.mark.parametrize("command", ["inspect", "convert"])
def test_no_directory_is_named(tmp_path, capfd, command):
    layouts.lay(tmp_path, {"a file": "x"})
    for path in (tmp_path / "absent", tmp_path / "a file", ""):
        arguments = (command, path, "--output", tmp_path / "out")
        code, out, err = run_here(capfd, *arguments)
        assert (code, out) == (1, "")
        assert err.startswith("oasr: error: ")
    assert os.listdir(tmp_path) == ["a file"]


def test_a_link_that_leads_out_is_refused(tmp_path, capfd):
    folder = layouts.lay(tmp_path / "bad", {})
    layouts.lay(tmp_path, {"secret": layouts.WENET})
    (folder / "units.txt").symlink_to("../secret")
    os.mkfifo(folder / "tokens.txt")
    code, _, err = run_here(capfd, "inspect", folder)
    assert code == 1
    assert "units.txt" in err


def test_convert_writes_what_the_other_commands_read(tmp_path, capfd, monkeypatch):
    command_line.wenet(tmp_path / command_line.FOLDER)
    monkeypatch.chdir(tmp_path)
    code, out, err = run_here(
        capfd, "convert", command_line.FOLDER, "--output", "new 新"
    )
    assert (code, out) == (0, "new 新/oasr.json\n")
    assert "'ctc'" in err
    loaded = checkpoints.ConvertedCheckpoint.load("new 新")
    before = checkpoints.convert_checkpoint(command_line.FOLDER)
    assert loaded.tokenizer.options == before.tokenizer.options
    assert sorted(os.listdir("new 新")) == ["oasr.json", "units.txt"]
    assert run_here(capfd, "inspect", "new 新")[0] == 0


def test_convert_overwrites_no_other_file(tmp_path, capfd):
    folder = command_line.wenet(tmp_path / "a")
    target = layouts.lay(tmp_path / "b", {"units.txt": "mine"})
    code, out, err = run_here(capfd, "convert", folder, "--output", target)
    assert (code, out) == (1, "")
    assert "is not overwritten" in err
    assert os.listdir(target) == ["units.txt"]
    assert (target / "units.txt").read_text() == "mine"


def test_a_converter_can_be_named(tmp_path, capfd):
    folder = command_line.wenet(tmp_path)
    code, _, err = run_here(capfd, "inspect", folder, "--converter", "nobody")
    assert code == 1
    assert "Unknown converter 'nobody'" in err
    assert run_here(capfd, "inspect", folder, "--converter", "wenet")[0] == 0
