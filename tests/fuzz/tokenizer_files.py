"""The files of `tokenizers` and SentencePiece: refused, or the laws hold."""

import functools
import json

from oasr import tokenizers
from tests.fuzz import files
from tests.fuzz import mutations
from tests.fuzz import quick_laws
from tests.fuzz import target
from tests.tokenizers import sentencepiece_models
from tests.tokenizers import small_tokenizers as small

_IDS = [*range(-1, 12), 2, 5, 2**40, 3, 3, 258, 259, 270, 276, 277, 278, 280, 281, 262]
_TEXT = "hello  world <s> naïve你<|eot|><tool> 😀[CLS]"


def _laws(built: tokenizers.Tokenizer) -> None:
    quick_laws.check_text(built, _TEXT)
    try:
        quick_laws.check_ids(built, _IDS, cut=2)
    except RuntimeError as error:
        # What a stream says of a decoder that nobody published, in place of a lie.
        if "that its settled() had called final" not in str(error):
            raise


def _tokenizer_json(data: bytes) -> None:
    path = files.put("tokenizer.json", data)
    _laws(tokenizers.HuggingFaceTokenizer(path))


def _whisper_json(data: bytes) -> None:
    path = files.put("tokenizer.json", data)
    _laws(tokenizers.WhisperTokenizer(path))


def _tokenizer_config(data: bytes) -> None:
    """Reads a configuration beside a whole tokenizer.json."""
    config = files.put("tokenizer_config.json", data)
    how = ("warn", "error", "fill")[sum(data[:64]) % 3]
    _laws(
        tokenizers.HuggingFaceTokenizer(
            _whole_file(), tokenizer_config_path=config, on_id_mismatch=how
        )
    )


def _sentencepiece_model(data: bytes) -> None:
    path = files.put("bpe.model", data)
    _laws(tokenizers.SentencePieceTokenizer(path))


@functools.cache
def _whole_file() -> str:
    return files.put("whole/tokenizer.json", _content(small.byte_level(), [3, 4]))


def _content(built, ids=(), **sections) -> bytes:
    """Returns a file of few added tokens, at ids that the vocabulary has or follow."""
    content = json.loads(built.to_str()) | sections
    size = built.get_vocab_size()
    added = [
        small.added(size + n, f"<{n}>", special=n % 2 == 0) for n, _ in enumerate(ids)
    ]
    content["added_tokens"] = added
    return json.dumps(content, ensure_ascii=False).encode()


def _tokenizer_jsons() -> list[bytes]:
    made = [
        small.metaspace("always"),
        small.metaspace("never"),
        small.word_piece(),
        small.word_level(),
        small.ctc(),
        small.end_of_word(),
        small.byte_level(),
        small.byte_fallback(),
    ]
    return [_content(built, [1, 2, 3]) for built in made]


def _whisper_jsons() -> list[bytes]:
    content = json.loads(small.byte_level().to_str())
    size = len(content["model"]["vocab"])
    names = ["<|endoftext|>", "<|startoftranscript|>", "<|en|>", "<|0.00|>"]
    content["added_tokens"] = [small.added(size + n, t) for n, t in enumerate(names)]
    return [json.dumps(content, ensure_ascii=False).encode()]


def _configs() -> list[bytes]:
    size = small.byte_level().get_vocab_size()
    entries = {
        str(size + 2 + n): {"content": text, "special": n == 0, "lstrip": n == 1}
        for n, text in enumerate(["<|audio|>", "<a b>", "naïve"])
    }
    return [
        json.dumps({"added_tokens_decoder": entries, "bos_token": "<0>"}).encode(),
        b"{}",
    ]


def _sentencepiece_models() -> list[bytes]:
    # The rules of the usual normalizer would be nearly all of a model.
    plain = {"normalization_rule_name": "identity", "vocab_size": 200}
    made = [
        {},
        {"model_type": "bpe", "user_defined_symbols": ["<blk>", "<tool>"]},
        {"byte_fallback": True, "vocab_size": 450, "treat_whitespace_as_suffix": True},
        {"model_type": "char", "remove_extra_whitespaces": False},
    ]
    # Compiled, these rules are a trie of bytes.
    rules = "".join(
        f"{a:X} {b:X}\t{c:X}\n{b:X}\t{a:X} {c:X}\n"
        for a, b, c in ((0x41, 0x42, 0x61), (0x3000, 0xFF21, 0x20), (0xE9, 0x301, 0x65))
    )
    made.append({"normalization_rule_tsv": files.put("rules.tsv", rules.encode())})
    return [sentencepiece_models.train(**(plain | one)) for one in made]


TOKENIZER_JSON = target.Target(
    run=_tokenizer_json,
    seeds=_tokenizer_jsons,
    mutate=mutations.of_json,
    short=600,
)
WHISPER_JSON = target.Target(
    run=_whisper_json, seeds=_whisper_jsons, mutate=mutations.of_json, short=300
)
TOKENIZER_CONFIG = target.Target(
    run=_tokenizer_config, seeds=_configs, mutate=mutations.of_json, short=600
)
SENTENCEPIECE_MODEL = target.Target(
    run=_sentencepiece_model, seeds=_sentencepiece_models, short=600
)
