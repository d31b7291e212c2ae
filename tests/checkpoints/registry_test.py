"""Tests for registry: claims are ranked, explained, and never a guess."""

import logging
import sys

import pytest

from oasr import checkpoints
from oasr import tokenizers
from oasr.checkpoints import registry
from tests.checkpoints import layouts

THIRD_PARTY = """
from oasr import checkpoints
from oasr import tokenizers


class Labels(checkpoints.CheckpointConverter):
    looks_for = "labels.txt"

    def claim(self, directory):
        if "labels.txt" not in directory:
            return checkpoints.Claim(checkpoints.Strength.NONE, ("no labels.txt",))
        return checkpoints.Claim(checkpoints.Strength.LIKELY, ("labels.txt is there",))

    def convert(self, directory):
        spec = tokenizers.TokenizerSpec(
            "symbol_table", {"table": directory.file("labels.txt")}
        )
        return checkpoints.ConvertedCheckpoint(
            family="ctc", tokenizer=spec, vocab_size=3
        )
"""


class Claims(checkpoints.CheckpointConverter):
    """Claims any directory."""

    looks_for = "anything"
    strength = checkpoints.Strength.CERTAIN

    def claim(self, directory):
        return checkpoints.Claim(self.strength, ("I know it",))

    def convert(self, directory):
        return checkpoints.ConvertedCheckpoint(
            family="ctc", tokenizer=tokenizers.TokenizerSpec("claimed"), vocab_size=1
        )


class Fails(Claims):
    def claim(self, directory):
        raise KeyError("oops")


@pytest.fixture(autouse=True)
def _no_trace(monkeypatch):
    monkeypatch.setattr(registry, "_registered_converters", {})
    registry._entry_points.cache_clear()
    yield
    registry._entry_points.cache_clear()


def install(folder, monkeypatch, entry_points):
    """Lays a package out as pip does, and puts it on the path."""
    info = "third_party_converter-1.0.dist-info"
    layouts.lay(
        folder,
        {
            "third_party_converter.py": THIRD_PARTY,
            f"{info}/METADATA": "Metadata-Version: 2.1\nName: third-party-converter\n",
            f"{info}/entry_points.txt": f"[oasr.checkpoints]\n{entry_points}\n",
        },
    )
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "third_party_converter", raising=False)


def test_claims_are_ranked_and_explained(tmp_path):
    layouts.lay(tmp_path, {"tokens.txt": layouts.ICEFALL})
    said = checkpoints.rank_claims(tmp_path)
    assert said[0].converter == "icefall"
    assert said[0].strength is checkpoints.Strength.LIKELY
    assert said[0].reasons == ("tokens.txt has the blank at 0, and <sos/eos>",)
    assert sorted(claim.converter for claim in said) == checkpoints.list_converters()
    for claim in said[1:]:
        assert claim.strength is checkpoints.Strength.NONE
        assert all(claim.reasons)
    assert str(said[0]).startswith("icefall (likely): tokens.txt has the blank")


def test_nothing_found_names_what_was_looked_for(tmp_path):
    layouts.lay(tmp_path, {"README.md": "hello", "weights.bin": b"\0"})
    with pytest.raises(tokenizers.AssetError) as caught:
        checkpoints.convert_checkpoint(tmp_path)
    message = str(caught.value)
    assert message.startswith(f"{tmp_path}: no converter knows this directory. Looked")
    for name in checkpoints.list_converters():
        assert name in message
    for name in ("tokens.txt", "units.txt", "tokenizer.json", "tokens.json"):
        assert name in message


@pytest.mark.parametrize(
    ("files", "faults"),
    [
        ({"units.txt": "<blank> zero\n"}, ["paraformer: {}/units.txt:1: expected"]),
        (
            {"units.txt": layouts.WENET, "train.yaml": "{"},
            ["paraformer: {}/train.yaml:1: expected YAML"],
        ),
        (
            {"tokens.json": "[]", "units.txt": ""},
            ["paraformer: {}/tokens.json: expected", "wenet: {}/units.txt: expected"],
        ),
        ({"config.json": "[]"}, ["moonshine: {}/config.json: expected a JSON object"]),
    ],
)
def test_files_that_cannot_be_read_are_said_first(tmp_path, files, faults):
    layouts.lay(tmp_path, files)
    with pytest.raises(tokenizers.AssetError) as caught:
        checkpoints.convert_checkpoint(tmp_path)
    said, _, looked_for = str(caught.value).partition(" Looked for ")
    assert said.startswith(f"{tmp_path}: no converter knows this directory. ")
    places = [said.index(fault.format(tmp_path)) for fault in faults]
    assert places == sorted(places)
    # Each is said once, however many converters read the file.
    assert said.count(str(tmp_path)) == 1 + len(faults)
    assert str(tmp_path) not in looked_for


def test_two_equally_good_claims_are_refused(tmp_path):
    layouts.lay(tmp_path, {"tokens.txt": layouts.ICEFALL, "units.txt": layouts.WENET})
    with pytest.raises(tokenizers.AssetError) as caught:
        checkpoints.convert_checkpoint(tmp_path)
    message = str(caught.value)
    assert "2 converters claim this directory equally" in message
    assert "icefall (likely): tokens.txt has the blank at 0" in message
    assert "wenet (likely): units.txt has the blank at 0" in message
    assert "Name one, e.g. converter='icefall'" in message


@pytest.mark.parametrize(
    ("name", "table"), [("icefall", "tokens.txt"), ("wenet", "units.txt")]
)
def test_a_converter_can_be_named(tmp_path, name, table):
    layouts.lay(tmp_path, {"tokens.txt": layouts.ICEFALL, "units.txt": layouts.WENET})
    converted = checkpoints.convert_checkpoint(tmp_path, converter=name)
    assert converted.tokenizer.files == {"table": str(tmp_path / table)}


def test_the_surer_claim_wins(tmp_path):
    layouts.lay(
        tmp_path,
        {
            "tokens.txt": layouts.ICEFALL,
            "units.txt": layouts.WENET,
            "train.yaml": layouts.TRAIN_YAML,
        },
    )
    assert checkpoints.rank_claims(tmp_path)[0].converter == "wenet"
    converted = checkpoints.convert_checkpoint(tmp_path)
    assert converted.tokenizer.files == {"table": str(tmp_path / "units.txt")}


def test_an_unknown_converter_is_named(tmp_path):
    with pytest.raises(
        ValueError, match="Unknown converter 'nothing'; expected one of"
    ):
        checkpoints.convert_checkpoint(tmp_path, converter="nothing")


def test_a_converter_is_registered_in_code(tmp_path):
    checkpoints.register_converter("any", Claims)
    assert "any" in checkpoints.list_converters()
    assert checkpoints.convert_checkpoint(tmp_path).tokenizer.kind == "claimed"


def test_a_converter_is_registered_by_entry_point(tmp_path, monkeypatch):
    install(tmp_path / "site", monkeypatch, "labels = third_party_converter:Labels")
    folder = layouts.lay(tmp_path / "checkpoint", {"labels.txt": "a 0\nb 5\nc 6\n"})
    assert "labels" in checkpoints.list_converters()
    assert "third_party_converter" not in sys.modules  # It loads for a claim.
    converted = checkpoints.convert_checkpoint(folder)
    assert tokenizers.build_tokenizer(converted.tokenizer).decode([5, 6]) == "bc"


def test_an_entry_point_takes_no_built_in_name(tmp_path, monkeypatch, caplog):
    install(tmp_path, monkeypatch, "icefall = third_party_converter:Labels")
    with caplog.at_level(logging.WARNING, "oasr.checkpoints"):
        assert checkpoints.list_converters().count("icefall") == 1
    assert "third_party_converter:Labels is ignored: the converter is" in caplog.text


@pytest.mark.parametrize("factory", [Fails, lambda: None, lambda: 1 // 0])
def test_one_that_fails_harms_no_other(tmp_path, caplog, factory):
    checkpoints.register_converter("broken", factory)
    layouts.lay(tmp_path, {"tokens.txt": layouts.ICEFALL})
    assert checkpoints.convert_checkpoint(tmp_path).vocab_size == 7
    assert "The converter broken failed" in caplog.text
    (tmp_path / "tokens.txt").unlink()
    with pytest.raises(tokenizers.AssetError, match=r"broken: .*it failed: "):
        checkpoints.convert_checkpoint(tmp_path)


def test_an_interrupt_passes(tmp_path):
    class Interrupted(Claims):
        def claim(self, directory):
            raise KeyboardInterrupt

    checkpoints.register_converter("interrupted", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        checkpoints.rank_claims(tmp_path)


def test_a_converter_must_return_a_checkpoint(tmp_path):
    class Wrong(Claims):
        def convert(self, directory):
            return "a checkpoint"

    checkpoints.register_converter("wrong", Wrong)
    with pytest.raises(TypeError, match="'wrong' returned 'a checkpoint', which is no"):
        checkpoints.convert_checkpoint(tmp_path)


def test_a_taken_name_is_refused_unless_replaced(tmp_path):
    with pytest.raises(ValueError, match="'icefall' is already registered"):
        checkpoints.register_converter("icefall", Claims)
    checkpoints.register_converter("icefall", Claims, replace=True)
    assert checkpoints.convert_checkpoint(tmp_path).tokenizer.kind == "claimed"


def test_a_converter_has_a_name_and_a_factory():
    with pytest.raises(ValueError, match="non-empty name, got ''"):
        checkpoints.register_converter("", Claims)
    with pytest.raises(TypeError, match="'three' must be callable without arg"):
        checkpoints.register_converter("three", 3)


def test_every_public_name_loads_and_unknown_ones_do_not():
    for name in checkpoints.__all__:
        assert getattr(checkpoints, name) is not None
    assert set(checkpoints.__all__) <= set(dir(checkpoints))
    with pytest.raises(AttributeError, match="no attribute 'Checkpoint'"):
        checkpoints.Checkpoint  # noqa: B018
