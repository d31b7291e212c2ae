"""Cases from public bug reports, each as somebody meets it: a directory in, text out.

Those of one kind of file are with the tests of its converter.
"""

import json

import pytest

from oasr import checkpoints
from oasr import tokenizers
from oasr.checkpoints import prompt_template
from tests.checkpoints import layouts
from tests.tokenizers import sentencepiece_models
from tests.tokenizers import small_tokenizers as small
from tests.tokenizers import whisper_assets

NAMES = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
NAMES += ["<|AUDIO|>", "<|audio_bos|>", "<|audio_eos|>"]


def inspect(folder, files):
    """Returns the inspection of a directory, and its tokenizer."""
    found = checkpoints.inspect_checkpoint(layouts.lay(folder, files))
    return found, tokenizers.build_tokenizer(found.checkpoint.tokenizer)


@pytest.fixture
def chat(tmp_path):
    """Files like Qwen2-Audio's, and the id of the first added token."""
    path = small.write(tmp_path / "written.json", small.byte_level())
    content = json.loads(path.read_text(encoding="utf-8"))
    path.unlink()
    first = len(content["model"]["vocab"])
    content["added_tokens"] = [
        small.added(first + n, name) for n, name in enumerate(NAMES)
    ]
    return {"tokenizer.json": content, "tokenizer_config.json": {}}, first


def declare(files, token_id, name, **flags):
    """Declares an added token in tokenizer_config.json."""
    entry = small.added(token_id, name, **flags)
    del entry["id"]
    config = files["tokenizer_config.json"]
    config.setdefault("added_tokens_decoder", {})[str(token_id)] = entry


def test_case_016_characters_keep_the_blanks_of_words(tmp_path):
    letters = ["<blank>", *"howareyu", "\u2581"]
    table = "".join(f"{letter} {i}\n" for i, letter in enumerate(letters))
    _, tokenizer = inspect(tmp_path, {"units.txt": table})
    ids = [letters.index(letter) for letter in "how\u2581are\u2581you"]
    assert tokenizer.decode(ids) == "how are you"


@pytest.mark.parametrize("name", ["icefall", "icefall_bytes"])
def test_case_040_a_model_that_prints_its_symbols(tmp_path, name):
    model = sentencepiece_models.model(name)
    reference = sentencepiece_models.reference(model)
    size = reference.get_piece_size()
    lines = [f"{reference.id_to_piece(i)} {i}\n" for i in range(size)]
    files = {"tokens.txt": "".join(lines), "bpe.model": model}
    found, tokenizer = inspect(tmp_path, files)
    assert found.checkpoint.tokenizer.kind == "sentencepiece"
    first, *rest = reference.encode("hello world")
    ids = [1, first, 0, *rest, 0]
    assert "<blk>" in reference.decode(ids)
    assert tokenizer.decode(ids) == "hello world"


def test_case_051_a_gap_within_tokenizer_json(tmp_path, chat):
    files, first = chat
    files["tokenizer.json"]["added_tokens"].append(small.added(first + 16, "<|b|>"))
    found, tokenizer = inspect(tmp_path, files)
    assert found.checkpoint.tokenizer.options == {"on_id_mismatch": "fill"}
    assert tokenizer.encode("<|b|>") == [first + 16]
    (drift,) = [f for f in found.findings if f.rule == "added_token_drift"]
    assert (drift.severity, drift.ids) == ("note", (first + 16,))
    (gap,) = [f for f in found.findings if f.rule == "gap"]
    assert gap.ids == tuple(range(first + 6, first + 16))


def test_case_052_an_id_that_has_a_text_already(tmp_path, chat):
    files, _ = chat
    taken = files["tokenizer.json"]["model"]["vocab"]["\u0120hello"]
    declare(files, taken, "<|y|>")
    with pytest.raises(tokenizers.AssetError) as refusal:
        inspect(tmp_path, files)
    for said in (f"{tmp_path}", "tokenizer_config.json", f"{taken}", "<|y|>", "hello"):
        assert said in str(refusal.value)


@pytest.mark.parametrize(
    ("in_json", "in_config"), [(False, True), (True, False), (False, False)]
)
def test_case_053_files_that_disagree_on_what_is_special(
    tmp_path, chat, in_json, in_config
):
    files, first = chat
    files["tokenizer.json"]["added_tokens"].append(
        small.added(first + 6, "<|note|>", special=in_json)
    )
    declare(files, first + 6, "<|note|>", special=in_config)
    found, tokenizer = inspect(tmp_path, files)
    hello, world = tokenizer.encode(" hello"), tokenizer.encode(" world")
    text = tokenizer.decode([*hello, first + 6, *world])
    special = in_json or in_config
    assert text == (" hello world" if special else " hello<|note|> world")
    drift = [f for f in found.findings if f.rule == "added_token_drift"]
    assert [f.ids for f in drift] == [(first + 6,)] * (in_json != in_config)
    assert all(f.severity == "warning" for f in drift)
    assert all(f.fix == 'make "special" equal in both files' for f in drift)


def test_case_059_a_prompt_begins_once(tmp_path, chat):
    files, first = chat
    # A runtime that is asked to puts the token before any text.
    start = {"SpecialToken": {"id": NAMES[0], "type_id": 0}}
    files["tokenizer.json"]["post_processor"] = {
        "type": "TemplateProcessing",
        "single": [start, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [start, {"Sequence": {"id": "A", "type_id": 0}}],
        "special_tokens": {
            NAMES[0]: {"id": NAMES[0], "ids": [first], "tokens": [NAMES[0]]}
        },
    }
    files["tokenizer_config.json"] = {
        "bos_token": NAMES[0],
        "chat_template": "{{ bos_token }}{{ messages[0].content }}",
    }
    found, tokenizer = inspect(tmp_path, files)
    stored = found.checkpoint.extras["decode_options"]["prompts"]
    template = prompt_template.PromptTemplate.from_json(stored)
    ids = template.encode(tokenizer, {"prompt": " hello"})
    audio = [first + 4, prompt_template.AUDIO, first + 5]
    assert ids == [first, *audio, *tokenizer.encode(" hello")]
    assert ids.count(first) == 1


@pytest.mark.parametrize(("family", "expected"), [("v2", 50361), ("v3", 50362)])
def test_case_068_the_token_of_what_was_said_before(tmp_path, family, expected):
    path = whisper_assets.write(tmp_path, family)
    found, tokenizer = inspect(tmp_path / "here", {"tokenizer.json": path.read_bytes()})
    specials = found.checkpoint.extras["special_tokens"]
    assert specials["<|startofprev|>"] == expected
    assert tokenizer.encode("<|startofprev|>") == [expected]
    assert "<|prev|>" not in specials
    with pytest.raises(ValueError, match=r"no control token '<\|prev\|>'"):
        tokenizer.control_id("<|prev|>")


def test_case_110_what_the_list_lacks_is_the_unknown_token(tmp_path):
    tokens = ["<blank>", "<s>", "</s>", "你", "<unk>"]
    _, tokenizer = inspect(tmp_path, {"tokens.json": tokens})
    assert tokenizer.encode("仏N") == [4, 4]


def test_case_126_the_first_ids_are_letters(tmp_path, chat):
    files, first = chat
    found, tokenizer = inspect(tmp_path, files)
    ids = tokenizer.encode('!"#')
    assert tokenizer.decode(ids) == '!"#'
    assert not {0, 1, 2, *ids} & tokenizer.special_ids
    assert found.specials == {name: first + n for n, name in enumerate(NAMES)}
    assert tokenizer.decode([0, 1, 2]) != ""
