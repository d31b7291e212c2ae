"""The text of each id of a tokenizer, as its files write it."""

from oasr import tokenizers
from oasr.checkpoints import tables
from oasr.tokenizers import added_tokens
from oasr.tokenizers import model_vocabulary
from oasr.tokenizers import symbol_table_file
from oasr.tokenizers import token_list_file
from oasr.tokenizers import tokenizer_json

# Settings of BPE models by which texts of several letters are found without merges.
_FOUND_WITHOUT_MERGES = (
    "byte_fallback",
    "continuing_subword_prefix",
    "end_of_word_suffix",
    "ignore_merges",
)


def read_pieces(spec: tokenizers.TokenizerSpec) -> dict[int, str]:
    """Returns the piece of each id; nothing for a kind of another package.

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
            return _huggingface(spec)
    return {}


def _huggingface(spec: tokenizers.TokenizerSpec) -> dict[int, str]:
    """Returns the vocabulary of the model and the added tokens, as declared."""
    path = spec.file("tokenizer")
    content = tokenizer_json.read_object(path)
    declared = added_tokens.read_tokenizer(content, path)
    config_path = spec.files.get("tokenizer_config")
    if config_path is not None:
        config = tokenizer_json.read_object(config_path)
        declared += added_tokens.read_config(config, config_path)
    ids = model_vocabulary.read_ids(content, path)
    return {
        **{token_id: text for text, token_id in ids.items()},
        **{token.id: token.content for token in declared},
    }


def unreachable(spec: tokenizers.TokenizerSpec) -> list[int]:
    """Returns the ids of a byte-level vocabulary that no text becomes.

    A text of several letters that no merge makes is never found, unless it is an
    added token. Other kinds of model find all of their pieces.

    Raises:
      AssetError: if a file is absent or malformed.
    """
    if spec.kind not in ("huggingface", "whisper"):
        return []
    content = tokenizer_json.read_object(spec.file("tokenizer"))
    model = content.get("model")
    if not isinstance(model, dict) or model.get("type") != "BPE":
        return []
    if any(map(model.get, _FOUND_WITHOUT_MERGES)):
        return []
    path = spec.file("tokenizer")
    ids = model_vocabulary.read_ids(content, path)
    made = {token.content for token in added_tokens.read_tokenizer(content, path)}
    for merge in model.get("merges", []):
        made.add("".join(merge.split(" ") if isinstance(merge, str) else merge))
    return sorted(i for text, i in ids.items() if len(text) != 1 and text not in made)
