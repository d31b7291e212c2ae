"""Tests for ctm, read back by the definition of its columns."""

import dataclasses
import itertools
import math
import random
from urllib import parse

import pytest

from oasr import engine
from oasr import formats
from oasr.engine import request as requests
from tests import conftest
from tests.formats import transcripts


def written(output):
    writer = formats.build_format("ctm")
    return writer.header() + writer.render(output)


def read_back(text):
    """Returns (name, channel, start, duration, word, confidence or None).

    A line that begins with ";;" is a comment, and blanks part the columns, as the
    description of the format in NIST's SCTK has it.
    """
    rows = []
    for line in text.split("\n"):
        if line.startswith(";;") or not line.strip():
            continue
        name, channel, start, duration, word, *confidence = line.split()
        assert len(confidence) <= 1
        rows.append(
            (
                parse.unquote(name),
                channel,
                float(start),
                float(duration),
                word,
                float(confidence[0]) if confidence else None,
            )
        )
    return rows


def test_the_form_is_that_of_the_format():
    output = transcripts.output((" ever", 0.04, 0.3004), (" tried", 3661.0, 3662.5))
    assert written(output) == (
        "a 1 0.040 0.260 ever 0.500\na 1 3661.000 1.500 tried 0.500\n"
    )


@pytest.mark.parametrize("confidence", [None, math.nan, math.inf])
def test_a_confidence_that_is_not_known_is_left_out(confidence):
    words = [requests.WordTiming("ever", 0.0, 1.0, confidence)]
    output = engine.RequestOutput("a", text="ever", words=words)
    assert written(output) == "a 1 0.000 1.000 ever\n"


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("a.wav", "a.wav"),
        ("my dir/a b.wav", "my%20dir/a%20b.wav"),
        ("100%", "100%25"),
        (";;a", "%3B;a"),
        ("a;;b", "a;;b"),
        ("模型\u3000x", "模型%E3%80%80x"),
        ("a\nb\tc\u2028d", "a%0Ab%09c%E2%80%A8d"),
        ("-", "-"),
    ],
)
def test_a_name_is_one_column_and_can_be_read_back(name, column):
    words = [requests.WordTiming("ever", 0.0, 1.0)]
    line = written(engine.RequestOutput(name, text="ever", words=words))
    assert line == f"{column} 1 0.000 1.000 ever\n"
    assert read_back(line)[0][0] == name


@pytest.mark.parametrize("seed", range(200 * conftest.SCALE))
def test_a_reader_reads_the_words(seed):
    output = transcripts.random_output(seed)
    expected = [
        ("a", "1", word.word, 0.5, round(word.start, 3), round(word.end, 3))
        for word in output.words
    ]
    found = read_back(written(output))
    assert [row[:2] + row[4:] for row in found] == [row[:4] for row in expected]
    for (_, _, start, duration, _, _), (*_, begin, end) in zip(
        found, expected, strict=True
    ):
        assert start == begin
        assert duration == pytest.approx(end - begin, abs=1e-9)
    for (_, _, start, *_), (_, _, after, *_) in itertools.pairwise(found):
        assert start <= after


@pytest.mark.parametrize("seed", range(50 * conftest.SCALE))
def test_any_name_can_be_read_back(seed):
    draw = random.Random(seed)
    alphabet = [*" \t\n;%-/.a模é\u3000\u2028\x00😀", "%20"]
    name = "".join(draw.choices(alphabet, k=draw.randrange(1, 9)))
    words = [requests.WordTiming("x", 0.0, 1.0)]
    (row,) = read_back(written(engine.RequestOutput(name, text="x", words=words)))
    assert row[0] == name


def test_names_that_are_no_unicode_stay_apart():
    names = ["\ud800.wav", "\udcfe.wav", "\udcff.wav"]
    words = [requests.WordTiming("x", 0.0, 1.0)]
    lines = [written(engine.RequestOutput(n, text="x", words=words)) for n in names]
    columns = [line.split()[0] for line in lines]
    assert [parse.unquote(one, errors="surrogatepass") for one in columns] == names


def test_many_utterances_stand_in_one_file():
    assert formats.build_format("ctm").header() == ""
    assert written(engine.RequestOutput.failed("a", "not audio")) == ""
    assert written(engine.RequestOutput("a", text="")) == ""


@pytest.mark.parametrize("word", ["a b", "a\nb", " a", "", "\u3000"])
def test_a_word_with_blanks_is_refused(word):
    words = [requests.WordTiming(word, 0.0, 1.0)]
    with pytest.raises(ValueError, match="blanks part the columns of ctm"):
        written(engine.RequestOutput("a", text=word, words=words))


def test_no_name_is_refused():
    with pytest.raises(ValueError, match="has no request_id"):
        written(dataclasses.replace(transcripts.spoken("ever"), request_id=""))


def test_a_time_that_is_none_is_refused():
    words = [requests.WordTiming("a", math.nan, 1.0)]
    with pytest.raises(ValueError, match="A time of a transcript is nan"):
        written(engine.RequestOutput("a", text="a", words=words))


def test_words_are_needed():
    for output in (
        engine.RequestOutput("a", text="hello"),
        transcripts.segmented(("hello", 0, 1)),
    ):
        with pytest.raises(ValueError, match="has no words"):
            written(output)
