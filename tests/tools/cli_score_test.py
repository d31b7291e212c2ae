"""Tests for `oasr score`: errors counted, and shown where they are."""

import functools
import json
import pathlib
import random
import sys
import unicodedata

import pytest

from tests import conftest
from tests.checkpoints import layouts
from tests.tools.command_line import run_here


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def score(capfd, ref, hyp, *arguments):
    """Scores lines of text against each other."""
    layouts.lay(pathlib.Path(), {"ref.txt": ref, "hyp.txt": hyp})
    return run_here(capfd, "score", "ref.txt", "hyp.txt", *arguments)


def counts(capfd, ref, hyp, *arguments):
    """Returns the object of `--json`."""
    code, out, err = score(capfd, ref, hyp, "--json", *arguments)
    assert (code, err) == (0, "")
    assert out.count("\n") == 1
    return json.loads(out)


def test_the_alignment_and_the_counts_are_shown(folder, capfd):
    ref = "ever tried\never failed no matter\ntry again\n"
    hyp = "ever tried\nnever failed matter\ntry it again\n"
    assert score(capfd, ref, hyp) == (
        0,
        """\
2: 50.00 % (S=1 D=1 I=0 of 4 words)
REF  ever  failed no matter
HYP  never failed ** matter
     S            D

3: 50.00 % (S=0 D=0 I=1 of 2 words)
REF  try ** again
HYP  try it again
         I

words in the reference  8
right                   6    75.00 %
substituted (S)         1    12.50 %
deleted (D)             1    12.50 %
inserted (I)            1    12.50 %
utterances              3
without an error        1    33.33 %
WER 37.50 %
""",
        "",
    )


def test_characters_are_compared_if_asked(folder, capfd):
    code, out, err = score(capfd, "我爱 你们\n", "我很爱 你\n", "--cer")
    assert (code, err) == (0, "")
    assert out.startswith(
        "1: 40.00 % (S=0 D=1 I=1 of 5 characters)\n"
        "REF  我**爱␣你们\n"
        "HYP  我很爱␣你**\n"
        "       I      D\n\n"
        "characters in the reference  5\n"
    )
    assert out.endswith("CER 40.00 %\n")


@pytest.mark.parametrize(
    ("which", "shown"), [("errors", ["2"]), ("all", ["1", "2"]), ("none", [])]
)
def test_what_is_shown_can_be_chosen(folder, capfd, which, shown):
    out = score(capfd, "a\nb\n", "a\nc\n", "--alignment", which)[1]
    assert [line[0] for line in out.splitlines() if " % (S=" in line] == shown


def cells(text):
    """The width of a text by its definition in Unicode, for text without joiners."""
    return sum(
        0
        if unicodedata.category(c) in ("Mn", "Me", "Cf")
        else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


WORDS = ["a", "matter", "我们", "カ", "é", "e\u0301", "שלום", "😀", "<b>", "สวัสดี"]


def as_lines(texts):
    return "".join(f"{text}\n" for text in texts)


def draw_lines(draw):
    return [
        " ".join(draw.choices(WORDS, k=draw.randrange(0, 25)))
        for _ in range(draw.randrange(1, 5))
    ]


def from_cell(line, at):
    """Returns what of a line stands from a cell on."""
    for place in range(len(line)):
        if cells(line[:place]) == at and cells(line[place]):
            return line[place:]
    raise AssertionError(f"{line!r} has no character that begins at cell {at}")


def marked(out):
    """Yields each mark, and what of the reference and the hypothesis is above it."""
    for block in out.split("REF  ")[1:]:
        above, below, under, *_ = block.split("\n")
        below = below.removeprefix("HYP  ")
        assert max(cells(above), cells(below)) + 5 <= 80
        for at, mark in enumerate(under[5:]):
            if mark != " ":
                yield mark, from_cell(above, at), from_cell(below, at)


@pytest.mark.parametrize("seed", range(60 * conftest.SCALE))
@pytest.mark.parametrize("unit", [(), ("--cer",)], ids=["words", "characters"])
def test_a_mark_stands_below_what_is_wrong(folder, capfd, unit, seed):
    draw = random.Random(seed)
    ref = ["a", *draw_lines(draw)]
    hyp = [" ".join(draw.choices(WORDS, k=draw.randrange(0, 25))) for _ in ref]
    out = score(capfd, as_lines(ref), as_lines(hyp), "--alignment", "all", *unit)[1]
    marks = []
    for mark, one, other in marked(out):
        marks.append(mark)
        assert (mark == "I") == one.startswith("*")
        assert (mark == "D") == other.startswith("*")
        if not unit:
            assert one.split()[0] != other.split()[0]
    asked = ("score", "ref.txt", "hyp.txt", "--json", *unit)
    total = json.loads(run_here(capfd, *asked)[1])
    assert marks.count("S") == total["substitutions"]
    assert marks.count("D") == total["deletions"]
    assert marks.count("I") == total["insertions"]


def distance(one, other):
    """Returns the fewest edits between two sequences, by the recursion itself."""

    @functools.cache
    def rest(i, j):
        if i == len(one) or j == len(other):
            return len(one) - i + len(other) - j
        if one[i] == other[j]:
            return rest(i + 1, j + 1)
        return 1 + min(rest(i + 1, j), rest(i, j + 1), rest(i + 1, j + 1))

    return rest(0, 0)


@pytest.mark.parametrize("seed", range(60 * conftest.SCALE))
@pytest.mark.parametrize("unit", ["words", "characters"])
def test_the_errors_are_the_fewest(folder, capfd, unit, seed):
    draw = random.Random(seed)
    ref = ["a", *draw_lines(draw)]
    hyp = [" ".join(draw.choices(WORDS, k=draw.randrange(0, 25))) for _ in ref]
    split, flags = (str.split, ()) if unit == "words" else (list, ("--cer",))
    found = counts(capfd, as_lines(ref), as_lines(hyp), *flags)
    for one, other, row in zip(ref, hyp, found["utterances"], strict=True):
        one, other = split(one), split(other)
        errors = row["substitutions"] + row["deletions"] + row["insertions"]
        assert errors == distance(tuple(one), tuple(other))
        steps = row["alignment"]
        assert [s["reference"] for s in steps if s["kind"] != "insert"] == one
        assert [s["hypothesis"] for s in steps if s["kind"] != "delete"] == other
        assert row["reference"] == len(one)
        assert row["rate"] == (errors / len(one) if one else None)
        for step in steps:
            same = step["reference"] == step["hypothesis"]
            assert same == (step["kind"] == "equal")
    fields = ("substitutions", "deletions", "insertions", "hits", "reference")
    for field in fields:
        assert found[field] == sum(row[field] for row in found["utterances"])
    assert (
        found["rate"] == sum(found[field] for field in fields[:3]) / found["reference"]
    )


@pytest.mark.parametrize(
    ("ref", "hyp", "alike"),
    [
        ("Ever tried.", "ever TRIED", True),
        ("“Don’t!”", "don't", True),
        ("rock 'n' roll", "rock n roll", True),
        ("well-known", "well known", True),
        ("ｶﾞ １２", "ガ 12", True),
        ("STRASSE", "straße", True),
        ("e\u0301", "é", True),
        ("你好，世界。", "你好 世界", True),
        ("a\u00adb\ufeff", "ab", True),
        ("no 👨\u200d👩 <b>", "no b", True),
        ("می\u200cخواهم", "می خواهم", False),
        ("किताब", "कतब", False),  # Vowel signs are no punctuation.
        ("cant", "can't", False),
        ("a", "b", False),
    ],
)
def test_basic_normalization_leaves_words(folder, capfd, ref, hyp, alike):
    found = counts(capfd, f"{ref}\n", f"{hyp}\n", "--normalize", "basic")
    assert (found["rate"] == 0) == alike
    if ref != hyp and alike:
        assert counts(capfd, f"{ref}\n", f"{hyp}\n")["rate"] > 0


def test_whitespace_of_any_kind_parts_words(folder, capfd):
    assert counts(capfd, "a\u3000b\u00a0 c\t d\n", "a b c d")["rate"] == 0


def test_an_empty_reference_counts_what_was_inserted(folder, capfd):
    code, out, _ = score(capfd, "\na\n", "thank you\na\n")
    assert code == 0
    assert "1: - (S=0 D=0 I=2 of 0 words)\nREF  ***** ***\nHYP  thank you\n" in out
    assert out.endswith("WER 200.00 %\n")


@pytest.mark.parametrize("ref", ["", "\n", " \n\n"])
def test_a_reference_without_words_has_no_rate(folder, capfd, ref):
    code, out, err = score(capfd, ref, ref, "--output", "out")
    assert (code, out) == (1, "")
    assert err.startswith("oasr: error: ref.txt: there are no words in it")
    assert not (folder / "out").exists()


def test_what_would_steer_a_terminal_is_shown_as_an_escape(folder, capfd):
    out = score(capfd, "\x1b[2Jx a\n", "\x1b[2Jy a\n")[1]
    assert "\x1b" not in out
    assert "REF  \\x1b[2Jx a\n" in out


def test_the_page_may_go_into_a_file(folder, capfd):
    assert score(capfd, "a\n", "b\n", "--output", "out 1") == (0, "", "")
    assert (folder / "out 1").read_text().endswith("WER 100.00 %\n")


def test_an_absent_library_is_named(folder, capfd, monkeypatch):
    monkeypatch.setitem(sys.modules, "jiwer", None)
    code, out, err = score(capfd, "a\n", "a\n")
    assert (code, out) == (1, "")
    assert "pip install 'oasr-server[score]'" in err
