"""Tests for inspection and lint: the truth about a directory, with its fixes."""

import dataclasses
import json

import pytest

from oasr import checkpoints
from oasr import tokenizers
from oasr.checkpoints import finding
from tests.checkpoints import layouts
from tests.tokenizers import small_tokenizers as small


def inspect(folder, files):
    return checkpoints.inspect_checkpoint(layouts.lay(folder, files))


def found(inspection):
    return [(f.rule, f.severity, f.ids) for f in inspection.findings]


def test_a_sound_directory(tmp_path):
    inspection = inspect(tmp_path, {"units.txt": layouts.WENET})
    assert inspection.path == str(tmp_path)
    assert inspection.detected == "wenet"
    assert inspection.reasons == ("units.txt has the blank at 0",)
    assert inspection.checkpoint == checkpoints.convert_checkpoint(tmp_path)
    assert inspection.specials == {"<blank>": 0, "<unk>": 1, "<sos/eos>": 6}
    assert inspection.vocab_size == 7
    assert inspection.supports_encode is False
    assert inspection.findings == ()
    assert inspection.claims[0].converter == "wenet"


def test_all_of_it_is_json(tmp_path):
    files = {"units.txt": layouts.WENET.replace("你", "llo")}
    inspection = inspect(tmp_path, files)
    said = json.loads(json.dumps(inspection.to_dict()))
    assert said["detected"] == "wenet"
    assert said["tokenizer"]["kind"] == "symbol_table"
    assert said["claims"][0]["strength"] == "likely"
    assert said["findings"][0]["rule"] == "duplicate_piece"
    assert said["model_vocab_size"] == said["vocab_size"] == 7
    fields = {field.name for field in dataclasses.fields(inspection)}
    assert fields - {"checkpoint"} <= said.keys()


def test_a_saved_checkpoint_says_itself_what_it_is(tmp_path):
    layouts.lay(tmp_path, {"units.txt": layouts.WENET})
    checkpoints.convert_checkpoint(tmp_path).save(tmp_path)
    for path in (tmp_path, tmp_path / "oasr.json"):
        inspection = checkpoints.inspect_checkpoint(path)
        assert inspection.detected == "oasr.json"
        assert inspection.claims == ()
        assert inspection.specials["<sos/eos>"] == 6


def test_a_named_converter_is_used(tmp_path):
    files = {"tokens.txt": layouts.ICEFALL, "units.txt": layouts.WENET}
    layouts.lay(tmp_path, files)
    inspection = checkpoints.inspect_checkpoint(tmp_path, converter="wenet")
    assert inspection.detected == "wenet"
    with pytest.raises(tokenizers.AssetError, match="claim this directory equally"):
        checkpoints.inspect_checkpoint(tmp_path)
    with pytest.raises(ValueError, match="Unknown converter 'x'"):
        checkpoints.inspect_checkpoint(tmp_path, converter="x")


def test_what_is_not_known_is_refused(tmp_path):
    with pytest.raises(tokenizers.AssetError, match="no converter knows"):
        checkpoints.inspect_checkpoint(tmp_path)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        pytest.param(
            "<blank> 0\nx 1\nx 2\nx 3\n",
            [("duplicate_piece", "note", (2, 3))],
            id="CASE-006 duplicates",
        ),
        pytest.param(
            "<blank> 0\nx 2\n😀 5\n", [("gap", "warning", (1, 3, 4))], id="gaps"
        ),
        pytest.param(
            "<blank> 0\n<0x41> 1\n<0x42> 2\n",
            [("byte_guess", "warning", (1, 2))],
            id="part of a run of bytes",
        ),
        pytest.param(
            "<blank> 0\na 1\n#0 2\n", [("unreachable_id", "note", (2,))], id="#N"
        ),
    ],
)
def test_tables(tmp_path, table, expected):
    assert found(inspect(tmp_path, {"units.txt": table})) == expected


@pytest.mark.parametrize(
    ("dimension", "expected"),
    [
        (7, []),
        (9, [("head_mismatch", "note", (7,))]),
        (6, [("unreachable_id", "note", (6,))]),
        (4, [("head_mismatch", "error", (4, 5))]),
    ],
)
def test_the_model_and_the_vocabulary(tmp_path, dimension, expected):
    recipe = layouts.TRAIN_YAML.replace("output_dim: 7", f"output_dim: {dimension}")
    files = {"units.txt": layouts.WENET, "train.yaml": recipe}
    assert found(inspect(tmp_path, files)) == expected


def test_a_blank_behind_the_last_piece_is_no_padding(tmp_path):
    spec = layouts.lay(tmp_path, {"units.txt": "a 0\nb 1\n"}) / "units.txt"
    checkpoints.ConvertedCheckpoint(
        family="ctc",
        tokenizer=tokenizers.TokenizerSpec(
            "symbol_table", {"table": str(spec)}, {"special_ids": []}
        ),
        vocab_size=3,
        blank_id=2,
    ).save(tmp_path)
    assert checkpoints.inspect_checkpoint(tmp_path).findings == ()


def saved(folder, table, **options):
    """Saves a checkpoint written by hand; returns what the inspection finds."""
    path = layouts.lay(folder, {"units.txt": table}) / "units.txt"
    spec = tokenizers.TokenizerSpec("symbol_table", {"table": str(path)}, options)
    size = max(int(line.split()[-1]) for line in table.splitlines()) + 1
    checkpoints.ConvertedCheckpoint(family="ctc", tokenizer=spec, vocab_size=size).save(
        folder
    )
    return checkpoints.inspect_checkpoint(folder)


HEX = "".join(f"<0x{byte:02X}> {byte}\n" for byte in range(256))
LETTERS = "<blk> 0\n▁Ƌţ 1\nŅƌ 2\n"


@pytest.mark.parametrize(
    ("table", "byte_pieces", "fix"),
    [
        (HEX, "none", "byte_pieces='hex'"),
        (LETTERS, "none", "byte_pieces='bbpe'"),
        (LETTERS, "hex", "byte_pieces='bbpe'"),
        (HEX, "bbpe", "byte_pieces='hex'"),
        ("<blk> 0\n你 1\n", "bbpe", "byte_pieces='none'"),
        (HEX, "hex", None),
        (LETTERS, "bbpe", None),
        ("<blk> 0\nhi 1\n", "bbpe", None),
    ],
)
def test_a_wrong_byte_guess(tmp_path, table, byte_pieces, fix):
    special_ids = [0] if "<blk>" in table else []
    inspection = saved(
        tmp_path, table, byte_pieces=byte_pieces, special_ids=special_ids
    )
    fixes = [f.fix for f in inspection.findings if f.rule == "byte_guess"]
    assert len(fixes) == (fix is not None)
    assert fix is None or fix in fixes[0]


def test_special_ids_by_number_are_found(tmp_path):
    # WeNet's table, and the ids 0, 1 and 2 as it never has them.
    inspection = saved(tmp_path, layouts.WENET, special_ids=[0, 1, 2])
    assert found(inspection) == [
        ("special_id", "error", (6,)),
        ("special_id", "error", (2,)),
    ]
    messages = [str(finding) for finding in inspection.findings]
    assert (
        "decode shows 1 pieces that are no text, e.g. '<sos/eos>' of 6" in messages[0]
    )
    assert "decode strips the text of 1 ids, e.g. '▁he' of 2" in messages[1]


@pytest.mark.parametrize(
    ("special_ids", "expected"), [([0], []), ([], [("special_id", "error", (0,))])]
)
def test_a_blank_of_any_name_is_no_text(tmp_path, special_ids, expected):
    path = layouts.lay(tmp_path, {"labels.txt": "_ 0\n[UNK] 1\na 2\n"}) / "labels.txt"
    spec = tokenizers.TokenizerSpec(
        "symbol_table", {"table": str(path)}, {"special_ids": [*special_ids, 1]}
    )
    checkpoints.ConvertedCheckpoint(
        family="ctc", tokenizer=spec, vocab_size=3, blank_id=0
    ).save(tmp_path)
    assert found(checkpoints.inspect_checkpoint(tmp_path)) == expected


def test_special_ids_of_one_name_are_all_there(tmp_path):
    inspection = saved(tmp_path, "<s> 0\na 1\n<s> 2\n", special_ids=[0, 2, 5])
    assert inspection.specials == {"<s>": 0, "<s> (id 2)": 2, "id 5": 5}


def qwen(folder, change):
    """Writes files like Qwen2-Audio's, changed; returns what the inspection finds."""
    path = small.write(folder / "tokenizer.json", small.byte_level())
    content = json.loads(path.read_text(encoding="utf-8"))
    names = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    names += ["<|AUDIO|>", "<|audio_bos|>", "<|audio_eos|>"]
    first = len(content["model"]["vocab"])
    tokens = {first + n: small.added(first + n, name) for n, name in enumerate(names)}
    content["added_tokens"] = list(tokens.values())
    config = {str(i): {**token} for i, token in tokens.items()}
    for entry in config.values():
        del entry["id"]
    change(content, config, first)
    files = {"tokenizer.json": content}
    files["tokenizer_config.json"] = {"added_tokens_decoder": config}
    return inspect(folder, files), first


def test_sound_added_tokens(tmp_path):
    inspection, first = qwen(tmp_path, lambda content, config, first: None)
    assert found(inspection) == []
    assert inspection.supports_encode
    assert inspection.specials["<|AUDIO|>"] == first + 3


def test_added_tokens_of_one_file(tmp_path):
    def change(content, config, first):
        del content["added_tokens"][3:]

    inspection, first = qwen(tmp_path, change)
    ids = (first + 3, first + 4, first + 5)
    assert found(inspection) == [("added_token_drift", "note", ids)]
    assert "a runtime that reads tokenizer.json alone" in str(inspection.findings[0])


def test_added_tokens_with_other_ids(tmp_path):
    def change(content, config, first):
        config[str(first + 9)] = {**small.added(0, "<late>")}
        del config[str(first + 9)]["id"]

    inspection, first = qwen(tmp_path, change)
    assert ("added_token_drift", "note", (first + 9,)) in found(inspection)
    assert ("gap", "warning", (first + 6, first + 7, first + 8)) in found(inspection)
    spec = inspection.checkpoint.tokenizer
    assert spec.options["on_id_mismatch"] == "fill"
    # By hand, and without what keeps the ids.
    bare = tokenizers.TokenizerSpec(spec.kind, spec.files)
    dataclasses.replace(inspection.checkpoint, tokenizer=bare).save(tmp_path)
    again = checkpoints.inspect_checkpoint(tmp_path)
    drift = [f for f in again.findings if f.severity == "error"]
    assert [f.ids for f in drift] == [(first + 9,)]
    assert drift[0].fix == "set the option on_id_mismatch='fill'"


def test_added_tokens_that_disagree_on_special(tmp_path):
    def change(content, config, first):
        content["added_tokens"][4]["special"] = False

    inspection, first = qwen(tmp_path, change)
    assert found(inspection) == [("added_token_drift", "warning", (first + 4,))]


def test_texts_that_no_merge_makes(tmp_path):
    def change(content, config, first):
        merged = content["model"]["merges"].pop()
        change.lost = content["model"]["vocab"]["".join(merged)]

    inspection, _ = qwen(tmp_path, change)
    assert ("unreachable_id", "note", (change.lost,)) in found(inspection)
    tokenizer = tokenizers.build_tokenizer(inspection.checkpoint.tokenizer)
    assert change.lost not in tokenizer.encode(tokenizer.decode([change.lost]))


def test_the_graver_come_first():
    made = [
        finding.Finding(rule, severity, "m", "f")
        for rule in ("b", "a")
        for severity in finding.SEVERITIES
    ]
    ordered = sorted(made, key=lambda one: one.order)
    assert [one.severity[0] + one.rule for one in ordered] == [
        *("ea", "eb", "wa", "wb", "na", "nb")
    ]
    assert str(ordered[0]) == "error: m (a); f."


def test_a_kind_that_is_not_installed_is_named(tmp_path):
    checkpoints.ConvertedCheckpoint(
        family="ctc", tokenizer=tokenizers.TokenizerSpec("another"), vocab_size=1
    ).save(tmp_path)
    message = r"oasr.json: tokenizer: Unknown tokenizer kind 'another'; expected"
    for path in (tmp_path, tmp_path / "oasr.json"):
        with pytest.raises(tokenizers.AssetError, match=message) as refusal:
            checkpoints.inspect_checkpoint(path)
        assert str(refusal.value).startswith(f"{tmp_path / 'oasr.json'}: ")
        assert isinstance(refusal.value.__cause__, tokenizers.UnknownKindError)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("tokenizer", "options", "x"), 1, "tokenizer: .* no option 'x'; valid"),
        (("tokenizer", "options", "byte_pieces"), {}, "tokenizer: byte_pieces must"),
        (("tokenizer", "options", "special_ids"), 3.5, "tokenizer: Token ids must be"),
        (("tokenizer", "files"), {}, "tokenizer: .* needs the file 'table'"),
        (("tokenizer", "kind"), "whisper", "tokenizer: .* no file role 'table'"),
        (
            ("vocab_size",),
            10**30,
            r"vocab_size .* in \[1, 2147483647\]",
        ),
        (("seconds_per_frame",), 10**400, "seconds_per_frame must be a finite number"),
    ],
)
def test_a_manifest_that_was_tampered_with_is_named(tmp_path, place, value, message):
    saved(tmp_path, layouts.WENET)
    path = tmp_path / "oasr.json"
    content = field = json.loads(path.read_text(encoding="utf-8"))
    for step in place[:-1]:
        field = field[step]
    field[place[-1]] = value
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(tokenizers.AssetError, match=message) as refusal:
        checkpoints.inspect_checkpoint(tmp_path)
    assert str(refusal.value).startswith(f"{path}: ")


@pytest.mark.parametrize("special_ids", [[0, None], "0", [[1]]])
def test_options_that_cannot_be_name_the_directory(tmp_path, special_ids):
    with pytest.raises(tokenizers.AssetError, match=r"oasr\.json: tokenizer: "):
        saved(tmp_path, layouts.WENET, special_ids=special_ids)
