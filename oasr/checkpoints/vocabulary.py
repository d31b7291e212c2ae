"""The text of each id of a tokenizer, as its files write it."""

from oasr import tokenizers
from oasr.checkpoints import tables
from oasr.checkpoints import tokenizer_files
from oasr.tokenizers import symbol_table_file
from oasr.tokenizers import token_list_file

# Settings of BPE models by which texts of several letters are found without merges.
_FOUND_WITHOUT_MERGES = (
    "byte_fallback",
    "continuing_subword_prefix",
    "end_of_word_suffix",
    "ignore_merges",
)


def read_pieces(
    spec: tokenizers.TokenizerSpec,
    files: tokenizer_files.TokenizerFiles | None = None,
) -> dict[int, str]:
    """Returns the piece of each id; nothing for a kind of another package.

    Args:
      spec: of the tokenizer.
      files: has read what is there of Hugging Face's files, if anybody has.

    Raises:
      AssetError: if a file is absent or malformed.
    """
    match spec.kind:
        case "symbol_table":
            return symbol_table_file.read_symbol_table(spec.file("table"))
        case "sentencepiece":
            return tables.sentencepieces(spec.file("model"))
        case "funasr_char":
            return dict(enumerate(token_list_file.read_token_list(spec.file("tokens"))))
        case "huggingface" | "whisper":
            return _huggingface(spec, files or tokenizer_files.TokenizerFiles())
    return {}


def _huggingface(
    spec: tokenizers.TokenizerSpec, files: tokenizer_files.TokenizerFiles
) -> dict[int, str]:
    """Returns the vocabulary of the model and the added tokens, as declared."""
    path = spec.file("tokenizer")
    declared = [*files.added(path), *files.declared(spec.files.get("tokenizer_config"))]
    return {
        **{token_id: text for text, token_id in files.ids(path).items()},
        **{token.id: token.content for token in declared},
    }


def unreachable(
    spec: tokenizers.TokenizerSpec,
    files: tokenizer_files.TokenizerFiles | None = None,
) -> list[int]:
    """Returns the ids of a byte-level vocabulary that no text becomes.

    A text of several letters that no merge makes is never found, unless it is an
    added token. Other kinds of model find all of their pieces.

    Args:
      spec: of the tokenizer.
      files: as for `read_pieces`.

    Raises:
      AssetError: if a file is absent or malformed.
    """
    if spec.kind not in ("huggingface", "whisper"):
        return []
    files, path = files or tokenizer_files.TokenizerFiles(), spec.file("tokenizer")
    model = files.content(path).get("model")
    if not isinstance(model, dict) or model.get("type") != "BPE":
        return []
    if any(map(model.get, _FOUND_WITHOUT_MERGES)):
        return []
    made = {token.content for token in files.added(path)}
    for merge in model.get("merges", []):
        made.add(merge.replace(" ", "") if isinstance(merge, str) else "".join(merge))
    ids = files.ids(path)
    return sorted(i for text, i in ids.items() if len(text) != 1 and text not in made)
