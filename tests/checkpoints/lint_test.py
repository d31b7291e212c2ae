"""Tests for lint: what it suggests puts right what it found.

Each case is a checkpoint by hand with one fault, the ids of a text, and the same
checkpoint after the suggestion was followed.
"""

import dataclasses
from typing import Any

import pytest

from oasr import checkpoints
from oasr import tokenizers
from tests.checkpoints import layouts
from tests.tokenizers import sentencepiece_models
from tests.tokenizers import small_tokenizers as small

HEX = "".join(f"<0x{byte:02X}> {byte}\n" for byte in range(256))
LETTERS = "<blk> 0\n▁Ƌţ 1\nŅƌ 2\nŋţ 3\n"
WENET = "<blank> 0\n<unk> 1\n▁he 2\nllo 3\n<sos/eos> 4\n"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Case:
    """A fault and its remedy.

    Attributes:
      kind: of the tokenizer, with `role` and `name` of its file.
      content: of the file.
      options: of the tokenizer.
      labels: of the model.
      rule: the finding, with its `severity`, its `ids` and a part of its `fix`.
      remedy: fields of a `Case` that the suggestion changes.
      given: ids, which say `text` when all is right.
    """

    kind: str = "symbol_table"
    role: str = "table"
    name: str = "units.txt"
    content: Any = WENET
    options: dict[str, Any] = dataclasses.field(default_factory=dict)
    labels: int = 5
    rule: str = ""
    severity: str = "error"
    ids: tuple[int, ...] | None = None
    fix: str = ""
    remedy: dict[str, Any] = dataclasses.field(default_factory=dict)
    given: tuple[int, ...] = ()
    text: str = ""


def special(*ids, **options):
    return {"special_ids": list(ids), **options}


CASES = {
    "a piece twice": Case(
        content="<blank> 0\nx 1\nx 2\n",
        options=special(0),
        labels=3,
        rule="duplicate_piece",
        severity="note",
        ids=(2,),
        fix="none is needed where the model was trained so",
        given=(1, 2),
        text="xx",
    ),
    "a line that is lost": Case(
        content=WENET.replace("llo 3\n", ""),
        options=special(0, 1, 4),
        rule="gap",
        severity="warning",
        ids=(3,),
        fix="look for the lines that the file lost",
        remedy={"content": WENET},
        given=(2, 3),
        text="hello",
    ),
    "ids that the model does not have": Case(
        options=special(0, 1, 4),
        labels=3,
        rule="head_mismatch",
        ids=(3,),
        fix="take both from one checkpoint",
        remedy={"labels": 5},
        given=(2, 3),
        text="hello",
    ),
    "labels that the vocabulary does not have": Case(
        options=special(0, 1, 4),
        labels=8,
        rule="head_mismatch",
        severity="note",
        ids=(5,),
        fix="none is needed if the model's output is padded",
        given=(2, 3, 7),
        text="hello",
    ),
    "special ids that no model emits": Case(
        content=WENET + "#0 5\n",
        options=special(0, 1, 4, 5),
        rule="unreachable_id",
        severity="note",
        ids=(5,),
        fix="none is needed",
        given=(2, 3, 5),
        text="hello",
    ),
    "bytes read as text": Case(
        content=HEX,
        options=special(),
        labels=256,
        rule="byte_guess",
        fix="set the option byte_pieces='hex'",
        remedy={"options": special(byte_pieces="hex")},
        given=tuple("你好".encode()),
        text="你好",
    ),
    "letters for bytes read as text": Case(
        content=LETTERS,
        options=special(0),
        labels=4,
        rule="byte_guess",
        fix="set the option byte_pieces='bbpe'",
        remedy={"options": special(0, byte_pieces="bbpe")},
        given=(1, 2, 3),
        text="你好",
    ),
    "text read as letters for bytes": Case(
        content="<blk> 0\nĀ 1\n你 2\n",
        options=special(0, byte_pieces="bbpe"),
        labels=3,
        rule="byte_guess",
        fix="set the option byte_pieces='none'",
        remedy={"options": special(0, byte_pieces="none")},
        given=(1, 2),
        text="Ā你",
    ),
    "part of the bytes": Case(
        content="".join(HEX.splitlines(keepends=True)[:-1]),
        options=special(),
        labels=255,
        rule="byte_guess",
        severity="warning",
        ids=tuple(range(255)),
        fix="if they are bytes, look for the lines that the file lost, or set",
        remedy={"options": special(byte_pieces="hex")},
        given=tuple("你好".encode()),
        text="你好",
    ),
    "names in the text": Case(
        options=special(0, 1),
        rule="special_id",
        ids=(4,),
        fix="add their ids to the option special_ids",
        remedy={"options": special(0, 1, 4)},
        given=(4, 2, 3, 4),
        text="hello",
    ),
    "text among the names": Case(
        options=special(0, 1, 2, 4),
        rule="special_id",
        ids=(2,),
        fix="leave their ids out of the option special_ids",
        remedy={"options": special(0, 1, 4)},
        given=(2, 3),
        text="hello",
    ),
    "names in the text of a list": Case(
        kind="funasr_char",
        role="tokens",
        name="tokens.json",
        content=["<blank>", "<s>", "</s>", "你", "<unk>"],
        options=special(1, 2),  # FunASR itself leaves out all but the blank.
        rule="special_id",
        ids=(0,),
        fix="add their ids to the option special_ids",
        remedy={"options": special(0, 1, 2)},
        given=(0, 3, 4, 2),
        text="你",
    ),
    "text among the names of a list": Case(
        kind="funasr_char",
        role="tokens",
        name="tokens.json",
        content=["<blank>", "<s>", "</s>", "你", "<unk>"],
        options=special(0, 1, 2, 3, 4),
        rule="special_id",
        ids=(3,),
        fix="leave their ids out of the option special_ids",
        remedy={"options": special(0, 1, 2, 4)},
        given=(1, 3, 4, 2),
        text="你",
    ),
}


def inspect(folder, case):
    """Saves a case as a checkpoint; returns its inspection."""
    path = layouts.lay(folder, {case.name: case.content}) / case.name
    spec = tokenizers.TokenizerSpec(case.kind, {case.role: str(path)}, case.options)
    checkpoints.ConvertedCheckpoint(
        family="ctc", tokenizer=spec, vocab_size=case.labels
    ).save(folder)
    return checkpoints.inspect_checkpoint(folder)


@pytest.mark.parametrize("name", CASES)
def test_what_is_suggested_puts_it_right(tmp_path, name):
    case = CASES[name]
    found = inspect(tmp_path / "fault", case)
    (finding,) = found.findings
    assert (finding.rule, finding.severity) == (case.rule, case.severity)
    assert case.ids is None or finding.ids == case.ids
    assert case.fix in finding.fix
    mended = inspect(tmp_path / "mended", dataclasses.replace(case, **case.remedy))
    errors = [f for f in mended.findings if f.severity == "error"]
    assert errors == []
    assert not case.remedy or finding not in mended.findings
    before = tokenizers.build_tokenizer(found.checkpoint.tokenizer)
    after = tokenizers.build_tokenizer(mended.checkpoint.tokenizer)
    assert after.decode(case.given) == case.text
    # An error is one because texts come out wrong; scores have no label 3 there.
    if case.rule != "head_mismatch" and case.severity in ("error", "note"):
        assert (before.decode(case.given) != case.text) == (case.severity == "error")


def test_every_rule_is_in_a_case():
    rules = {case.rule for case in CASES.values()} | {"added_token_drift"}
    assert rules == {
        "added_token_drift",
        "byte_guess",
        "duplicate_piece",
        "gap",
        "head_mismatch",
        "special_id",
        "unreachable_id",
    }


@pytest.mark.parametrize("name", ["icefall", "symbols", "unigram"])
def test_special_ids_of_a_model_by_their_numbers(tmp_path, name):
    model = sentencepiece_models.model(name)
    reference = sentencepiece_models.reference(model)
    size = reference.get_piece_size()
    case = Case(
        kind="sentencepiece",
        role="model",
        name="bpe.model",
        content=model,
        labels=size,
        options=special(*range(5)),
    )
    pieces = [reference.id_to_piece(i) for i in range(size)]
    names = [i for i in range(size) if pieces[i][0] + pieces[i][-1] in ("<>", "[]")]
    text = [i for i in range(5) if i not in names]
    stripped = [f.ids for f in inspect(tmp_path, case).findings]
    assert stripped == ([tuple(text)] if text else [])
    # Its mark for what it does not know, and what it drops itself, may be left out.
    seen = [i for i in names if reference.decode([i]) and i != reference.unk_id()]
    case = dataclasses.replace(case, options=special())
    shown = [f.ids for f in inspect(tmp_path, case).findings]
    seen = [i for i in seen if pieces[i] in ("<blk>", "<sos/eos>", "<pad>")]
    assert shown == ([tuple(seen)] if seen else [])


def added(folder, declared, options):
    """Saves a tokenizer.json with one added token, declared under another id."""
    path = small.write(layouts.lay(folder, {}) / "tokenizer.json", small.byte_level())
    config = small.added(0, "<|late|>")
    del config["id"]
    layouts.lay(
        folder,
        {"tokenizer_config.json": {"added_tokens_decoder": {str(declared): config}}},
    )
    files = {
        "tokenizer": str(path),
        "tokenizer_config": str(path)[:-5] + "_config.json",
    }
    spec = tokenizers.TokenizerSpec("huggingface", files, options)
    made = checkpoints.ConvertedCheckpoint(
        family="llm", tokenizer=spec, vocab_size=declared + 1
    )
    made.save(folder)
    return checkpoints.inspect_checkpoint(folder)


def test_added_tokens_that_are_renumbered_are_kept_by_the_suggestion(tmp_path):
    found = added(tmp_path / "fault", 400, {})
    (drift,) = [f for f in found.findings if f.severity == "error"]
    assert (drift.rule, drift.ids) == ("added_token_drift", (400,))
    assert drift.fix == "set the option on_id_mismatch='fill'"
    before = tokenizers.build_tokenizer(found.checkpoint.tokenizer)
    assert before.encode("<|late|>") != [400]
    mended = added(tmp_path / "mended", 400, {"on_id_mismatch": "fill"})
    assert not [f for f in mended.findings if f.severity == "error"]
    after = tokenizers.build_tokenizer(mended.checkpoint.tokenizer)
    assert after.encode("<|late|>") == [400]
