"""Tests for icefall: tables, the models they were made from, bytes."""

import pytest

from oasr import checkpoints
from oasr import tokenizers
from tests.checkpoints import layouts
from tests.tokenizers import sentencepiece_models


def convert(folder, files):
    converted = checkpoints.convert_checkpoint(layouts.lay(folder, files))
    return converted, tokenizers.build_tokenizer(converted.tokenizer)


def model_files(name, prefix="", extra=""):
    """Returns a model as icefall's recipes write it, and its table."""
    model = sentencepiece_models.model(name)
    reference = sentencepiece_models.reference(model)
    size = reference.get_piece_size()
    lines = [f"{reference.id_to_piece(i)} {i}\n" for i in range(size)]
    files = {f"{prefix}tokens.txt": "".join(lines) + extra, f"{prefix}bpe.model": model}
    return files, reference


def test_a_table_alone_is_a_symbol_table(tmp_path):
    converted, tokenizer = convert(tmp_path, {"tokens.txt": layouts.ICEFALL})
    assert converted.family == "ctc"
    assert converted.tokenizer == tokenizers.TokenizerSpec(
        "symbol_table",
        {"table": str(tmp_path / "tokens.txt")},
        {"special_ids": [0, 1, 2, 7, 8]},
    )
    assert (converted.vocab_size, converted.blank_id) == (7, 0)
    assert converted.seconds_per_frame == 0.04
    assert converted.extras["special_tokens"]["<sos/eos>"] == 1
    assert tokenizer.decode([0, 3, 4, 1, 5, 6, 7, 99]) == "hello 你😀"


def test_disambiguation_symbols_are_special_case_014(tmp_path):
    table = "<blk> 0\n<sos/eos> 1\n<unk> 2\na 3\n#0 4\n#1 5\n"
    converted, tokenizer = convert(tmp_path, {"tokens.txt": table})
    assert tokenizer.decode([3, 4, 3]) == "aa"
    assert converted.vocab_size == 4
    assert converted.tokenizer.options["special_ids"] == [0, 1, 2, 4, 5]


@pytest.mark.parametrize("name", ["icefall", "icefall_bytes"])
@pytest.mark.parametrize("prefix", ["", "data/lang_bpe_500/", "lang_bpe_120/"])
def test_a_model_that_agrees_is_used(tmp_path, name, prefix):
    files, reference = model_files(name, prefix, extra="#0 9999\n")
    converted, tokenizer = convert(tmp_path, files)
    assert converted.tokenizer.kind == "sentencepiece"
    assert converted.tokenizer.files == {"model": str(tmp_path / f"{prefix}bpe.model")}
    assert converted.tokenizer.options == {"special_ids": [0, 1, 2, 9999]}
    assert converted.vocab_size == reference.get_piece_size()
    ids = reference.encode("hello world, 你好")
    kept = [i for i in ids if i != reference.unk_id()]
    assert tokenizer.decode([0, *ids, 1]) == reference.decode(kept)
    assert tokenizer.encode("hello world") == reference.encode("hello world")
    why = checkpoints.rank_claims(tmp_path)[0].reasons[-1]
    assert why == f"{prefix}bpe.model agrees with {prefix}tokens.txt"


def test_a_model_that_disagrees_is_not_used(tmp_path):
    files, _ = model_files("icefall")
    lines = files["tokens.txt"].splitlines(keepends=True)
    files["tokens.txt"] = "".join([*lines[:-1], f"other {len(lines) - 1}\n"])
    converted, tokenizer = convert(tmp_path, files)
    assert converted.tokenizer.kind == "symbol_table"
    assert tokenizer.decode([len(lines) - 1]) == "other"
    why = checkpoints.rank_claims(tmp_path)[0].reasons[-1]
    assert why.startswith("bpe.model is not the vocabulary of tokens.txt: the id ")


@pytest.mark.parametrize("model", ["bpe.model", "bbpe.model"])
def test_byte_letters_are_read_case_013(tmp_path, model):
    table = "<blk> 0\n<sos/eos> 1\n<unk> 2\n▁Ƌţ 3\nŅƌ 4\nŋţ 5\n▁hi 6\n"
    files, _ = model_files("icefall")
    folder = "data/lang_bbpe_500/"
    converted, tokenizer = convert(
        tmp_path,
        {f"{folder}tokens.txt": table, f"{folder}{model}": files["bpe.model"]},
    )
    assert converted.tokenizer.options["byte_pieces"] == "bbpe"
    assert tokenizer.decode([3, 4, 5, 6]) == "你好 hi"
    why = checkpoints.rank_claims(tmp_path)[0].reasons[-1]
    assert why == "its pieces are written in icefall's letters for bytes"


def test_byte_letters_are_read_wherever_the_table_is(tmp_path):
    table = "<blk> 0\n<sos/eos> 1\n<unk> 2\n▁Ƌţ 3\nŅƌ 4\nŋţ 5\n▁hi 6\n"
    _, tokenizer = convert(tmp_path, {"tokens.txt": table})
    assert tokenizer.decode([3, 4, 5, 6]) == "你好 hi"


def test_a_name_that_the_pieces_belie_is_refused(tmp_path):
    folder = layouts.lay(tmp_path / "lang_bbpe_500", {"tokens.txt": layouts.ICEFALL})
    with pytest.raises(
        tokenizers.AssetError,
        match=r"says byte-level BPE, but the piece '▁你' with .* 5",
    ):
        checkpoints.convert_checkpoint(folder)


def test_letters_that_show_nothing_are_read_as_the_name_says(tmp_path):
    table = "<blk> 0\n<sos/eos> 1\n<unk> 2\n▁hi 3\n"
    converted, tokenizer = convert(tmp_path / "lang_bbpe_1", {"tokens.txt": table})
    assert converted.tokenizer.options["byte_pieces"] == "bbpe"
    assert tokenizer.decode([3]) == "hi"


def test_a_whole_run_of_hex_pieces_is_bytes(tmp_path):
    run = "".join(f"<0x{byte:02X}> {3 + byte}\n" for byte in range(256))
    table = "<blk> 0\n<sos/eos> 1\n<unk> 2\n" + run + "▁a 259\n"
    converted, tokenizer = convert(tmp_path, {"tokens.txt": table})
    assert converted.tokenizer.options["byte_pieces"] == "hex"
    assert tokenizer.decode([259, *(3 + byte for byte in "你😀".encode())]) == "a你😀"


def test_part_of_a_run_is_text_case_012(tmp_path):
    table = "<blk> 0\n<sos/eos> 1\n<unk> 2\na 3\n<0x41> 4\nb 5\n"
    _, tokenizer = convert(tmp_path, {"tokens.txt": table})
    assert tokenizer.decode([3, 4, 5]) == "a<0x41>b"


@pytest.mark.parametrize("joiner", ["joiner-epoch-30.onnx", "exp/joiner_jit.pt"])
def test_a_joiner_makes_a_transducer(tmp_path, joiner):
    converted, _ = convert(tmp_path, {"tokens.txt": layouts.ICEFALL, joiner: ""})
    assert converted.family == "transducer"


def test_phones_have_epsilon_as_their_blank(tmp_path):
    converted, _ = convert(tmp_path, {"tokens.txt": "<eps> 0\nSIL 1\nAH0 2\n"})
    assert converted.blank_id == 0


def test_a_list_of_words_is_no_table(tmp_path):
    # icefall's lang folders hold one, of a language model.
    words = "<eps> 0\n!SIL 1\n<UNK> 2\nhello 3\n#0 4\n<s> 5\n</s> 6\n"
    files = {"tokens.txt": layouts.ICEFALL, "words.txt": words}
    converted, _ = convert(tmp_path, files)
    assert converted.vocab_size == 7


def test_two_lang_folders_are_refused(tmp_path):
    table = {f"data/lang_bpe_{n}/tokens.txt": layouts.ICEFALL for n in (500, 5000)}
    with pytest.raises(
        tokenizers.AssetError, match="there are 2 tables: data/lang_bpe"
    ):
        convert(tmp_path, table)
    chosen = checkpoints.convert_checkpoint(tmp_path / "data" / "lang_bpe_500")
    assert chosen.vocab_size == 7


def test_a_column_of_scores_is_refused_case_004(tmp_path):
    table = "<unk>\t0\n<pad>\t0\nka\t-0\nra\t-1\n▁s\t-2\n"
    with pytest.raises(
        tokenizers.AssetError, match=r"tokens.txt:2: the id 0 is given tw"
    ):
        convert(tmp_path, {"tokens.txt": table})


def test_a_hub_snapshot_is_converted(tmp_path):
    files, reference = model_files("icefall", "data/lang_bpe_500/")
    snapshot = layouts.hub_cache(tmp_path, files)
    converted = checkpoints.convert_checkpoint(snapshot)
    assert converted.tokenizer.kind == "sentencepiece"
    assert converted.vocab_size == reference.get_piece_size()
