"""Tests for registry."""

import logging
import pickle
import sys

import pytest

from oasr import tokenizers
from oasr.tokenizers import registry

THIRD_PARTY = """
from oasr import tokenizers


class Echo(tokenizers.Tokenizer):
    vocab_size = 10
    special_ids = frozenset()

    @classmethod
    def from_spec(cls, spec):
        return cls()

    def decode(self, ids):
        return "".join(str(i) for i in ids if 0 <= i < 10)

    def encode(self, text, *, split_special_tokens=False):
        return [int(c) for c in text if c in "0123456789"]


def make_echo(spec):
    return Echo()
"""


@pytest.fixture(autouse=True)
def _no_trace(monkeypatch):
    monkeypatch.setattr(registry, "_registered_kinds", {})
    registry._entry_points.cache_clear()
    yield
    registry._entry_points.cache_clear()


def install(folder, monkeypatch, entry_points):
    """Lays a package out as pip does, and puts it on the path."""
    (folder / "third_party_kind.py").write_text(THIRD_PARTY)
    info = folder / "third_party_kind-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: third-party-kind\n")
    (info / "entry_points.txt").write_text(f"[oasr.tokenizers]\n{entry_points}\n")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "third_party_kind", raising=False)


def build(kind, **options):
    return tokenizers.build_tokenizer(tokenizers.TokenizerSpec(kind, {}, options))


def test_an_unknown_kind_is_named_in_a_plain_sentence():
    with pytest.raises(tokenizers.UnknownKindError) as caught:
        build("bpe")
    assert str(caught.value).startswith("Unknown tokenizer kind 'bpe'; expected one of")
    assert "symbol_table" in str(caught.value)
    assert isinstance(caught.value, KeyError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_a_kind_is_registered_in_code(tmp_path, monkeypatch):
    install(tmp_path, monkeypatch, "")
    import third_party_kind

    for kind, factory in [
        ("echo", third_party_kind.Echo.from_spec),
        ("echo of a class", third_party_kind.Echo),
        ("echo of a function", third_party_kind.make_echo),
    ]:
        tokenizers.register_tokenizer(kind, factory)
        assert kind in tokenizers.list_tokenizers()
        assert build(kind).decode([1, 2]) == "12"


@pytest.mark.parametrize(
    "value", ["third_party_kind:Echo", "third_party_kind:make_echo"]
)
def test_a_kind_is_registered_by_entry_point(tmp_path, monkeypatch, value):
    install(tmp_path, monkeypatch, f"echo = {value}")
    assert "echo" in tokenizers.list_tokenizers()
    assert "third_party_kind" not in sys.modules  # It loads when it is built.
    assert build("echo").decode([1, 2]) == "12"


def test_an_entry_point_takes_no_built_in_kind(tmp_path, monkeypatch, caplog):
    install(tmp_path, monkeypatch, "symbol_table = third_party_kind:Echo")
    with caplog.at_level(logging.WARNING, "oasr.tokenizers"):
        assert tokenizers.list_tokenizers().count("symbol_table") == 1
    assert "third_party_kind:Echo is ignored" in caplog.text


def test_a_broken_entry_point_harms_no_other_kind(tmp_path, monkeypatch):
    install(tmp_path, monkeypatch, "a = no_such_module:A\nb = third_party_kind:Echo")
    assert build("b").decode([1]) == "1"
    with pytest.raises(ImportError, match="no_such_module"):
        build("a")


def test_a_taken_kind_is_refused_unless_replaced():
    def factory(spec):
        raise AssertionError(spec.kind)

    with pytest.raises(ValueError, match="'symbol_table' is already registered"):
        tokenizers.register_tokenizer("symbol_table", factory)
    tokenizers.register_tokenizer("symbol_table", factory, replace=True)
    with pytest.raises(AssertionError, match="symbol_table"):
        build("symbol_table")


def test_a_factory_must_make_tokenizers():
    with pytest.raises(TypeError, match="must be callable with a TokenizerSpec, got 3"):
        tokenizers.register_tokenizer("three", 3)
    tokenizers.register_tokenizer("text", lambda spec: "no tokenizer")
    with pytest.raises(TypeError, match="'text' returned 'no tokenizer'"):
        build("text")


def test_a_kind_has_a_name():
    with pytest.raises(ValueError, match="non-empty name, got ''"):
        tokenizers.register_tokenizer("", lambda spec: None)


def test_every_public_name_loads_and_unknown_ones_do_not():
    for name in tokenizers.__all__:
        assert getattr(tokenizers, name) is not None
    assert set(tokenizers.__all__) <= set(dir(tokenizers))
    with pytest.raises(AttributeError, match="no attribute 'Tokeniser'"):
        tokenizers.Tokeniser  # noqa: B018
