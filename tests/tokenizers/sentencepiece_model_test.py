"""Tests for sentencepiece_model, against what the library reads."""

import itertools

import pytest
import sentencepiece

from oasr.tokenizers import sentencepiece_model
from tests.tokenizers import sentencepiece_models


def types(content):
    """The type of each piece as the library reads it."""
    processor = sentencepiece_models.reference(content)
    checks = (processor.is_control, processor.is_byte, processor.is_unknown)
    return [
        tuple(check(i) for check in checks) for i in range(processor.get_piece_size())
    ]


@pytest.mark.parametrize("name", ["unigram", "icefall_bytes", "symbols"])
def test_only_the_given_pieces_become_controls(name):
    content = sentencepiece_models.model(name)
    retyped = {0, 1, 5, 17} if name == "icefall_bytes" else {0, 1, 40, 99}
    retyped -= {i for i, (_, byte, unknown) in enumerate(types(content)) if byte}
    retyped -= {i for i, (_, byte, unknown) in enumerate(types(content)) if unknown}
    found = types(sentencepiece_model.ModelFile(content).with_controls(retyped))
    for token_id, (before, after) in enumerate(zip(types(content), found, strict=True)):
        expected = (True, False, False) if token_id in retyped else before
        assert after == expected


def test_pieces_and_scores_stay():
    content = sentencepiece_models.model("unigram")
    changed = sentencepiece_model.ModelFile(content).with_controls({4, 5})
    before, after = map(sentencepiece_models.reference, (content, changed))
    for token_id in range(before.get_piece_size()):
        assert before.id_to_piece(token_id) == after.id_to_piece(token_id)
        assert before.get_score(token_id) == after.get_score(token_id)


def test_without_pieces_to_change_the_file_is_the_same():
    content = sentencepiece_models.model("bytes")
    assert sentencepiece_model.ModelFile(content).with_controls(set()) == content


def field(number, value):
    """A short field of text."""
    return bytes([number << 3 | 2, len(value)]) + value


def test_samples_of_encoding_are_left_out():
    # Some versions of the library refuse a model that fails its own samples.
    plain = sentencepiece_models.model("unigram")
    sample = field(1, b"hello") + field(2, "\u2581he llo".encode())
    content = plain + field(4, field(1, sample)) + field(5, b"")
    changed = sentencepiece_model.ModelFile(content).with_controls(set())
    assert changed == plain + field(5, b"")


def test_a_denormalizer_is_seen(tmp_path):
    rules = tmp_path / "rules.tsv"
    rules.write_text("68 65\t58\n")  # "he" becomes "X".
    content = sentencepiece_models.train(denormalization_rule_tsv=str(rules))
    assert "X" in sentencepiece_models.reference(content).decode(
        sentencepiece_models.reference(content).encode("hello")
    )
    assert sentencepiece_model.ModelFile(content).denormalizes()
    plain = sentencepiece_models.model("unigram")
    assert not sentencepiece_model.ModelFile(plain).denormalizes()


@pytest.mark.parametrize("name", list(sentencepiece_models.OPTIONS))
def test_the_fields_are_the_whole_file(name):
    content = sentencepiece_models.model(name)
    fields = list(sentencepiece_model.read_fields(content))
    assert fields[0][1] == 0
    assert fields[-1][3] == len(content)
    for (*_, end), (_, start, _, _) in itertools.pairwise(fields):
        assert end == start
    pieces = [field for field in fields if field[0] == 1]
    processor = sentencepiece.SentencePieceProcessor(model_proto=content)
    assert len(pieces) == processor.get_piece_size()
    for token_id, (_, _, first, last) in enumerate(pieces):
        parts = list(sentencepiece_model.read_fields(content[first:last]))
        text = content[first:last][parts[0][2] : parts[0][3]]
        assert text.decode() == processor.id_to_piece(token_id)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        pytest.param(b"", [], id="empty"),
        pytest.param(b"\x08\x05", [(1, 0, 1, 2)], id="number"),
        pytest.param(b"\x08\xac\x02", [(1, 0, 1, 3)], id="number of two bytes"),
        pytest.param(b"\x12\x02hi", [(2, 0, 2, 4)], id="text"),
        pytest.param(b"\x12\x00", [(2, 0, 2, 2)], id="empty text"),
        pytest.param(b"\x1d\0\0\0\0", [(3, 0, 1, 5)], id="float"),
        pytest.param(b"\x21" + bytes(8), [(4, 0, 1, 9)], id="double"),
        pytest.param(b"\xa2\x06\x01x", [(100, 0, 3, 4)], id="large number of field"),
        pytest.param(
            b"\x08\x01\x12\x01x", [(1, 0, 1, 2), (2, 2, 4, 5)], id="two fields"
        ),
    ],
)
def test_read_fields(message, expected):
    assert list(sentencepiece_model.read_fields(message)) == expected


@pytest.mark.parametrize(
    ("message", "fault"),
    [
        pytest.param(b"\x12\x05hi", "byte 0 goes beyond the end", id="cut text"),
        pytest.param(b"\x1d\0\0", "byte 0 goes beyond the end", id="cut float"),
        pytest.param(b"\x08\x01\x12", "number at byte 3 has no end", id="no length"),
        pytest.param(b"\x08\x80", "number at byte 1 has no end", id="cut number"),
        pytest.param(b"\x08" + b"\x80" * 11, "at byte 1 has no end", id="long number"),
        pytest.param(b"\x00\x01", "byte 0 begins no field", id="field zero"),
        pytest.param(b"[[[[", "byte 0 begins no field", id="brackets"),
        pytest.param(b"\x08\x01\x0f", "byte 2 begins no field", id="no wire type"),
    ],
)
def test_what_is_no_message_is_refused(message, fault):
    with pytest.raises(ValueError, match=fault):
        list(sentencepiece_model.read_fields(message))
