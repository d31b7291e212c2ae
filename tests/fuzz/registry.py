"""The fuzz targets, by name."""

import importlib

from tests.fuzz import target

TARGETS = {
    "audio": "tests.fuzz.audio_files:AUDIO",
    "chat_template": "tests.fuzz.chat_templates:CHAT_TEMPLATE",
    "checkpoint": "tests.fuzz.checkpoint_files:CHECKPOINT",
    "funasr_text": "tests.fuzz.id_lists:FUNASR_TEXT",
    "id_list": "tests.fuzz.id_lists:ID_LIST",
    "manifest": "tests.fuzz.checkpoint_files:MANIFEST",
    "native_beam": "tests.fuzz.native_modules:NATIVE_BEAM",
    "native_ids": "tests.fuzz.native_modules:NATIVE_IDS",
    "native_json": "tests.fuzz.native_modules:NATIVE_JSON",
    "native_pieces": "tests.fuzz.native_modules:NATIVE_PIECES",
    "native_words": "tests.fuzz.native_modules:NATIVE_WORDS",
    "scores": "tests.fuzz.score_files:SCORES",
    "sentencepiece_model": "tests.fuzz.tokenizer_files:SENTENCEPIECE_MODEL",
    "spec": "tests.fuzz.checkpoint_files:SPEC",
    "symbol_table": "tests.fuzz.table_files:SYMBOL_TABLE",
    "text": "tests.fuzz.id_lists:TEXT",
    "token_list": "tests.fuzz.table_files:TOKEN_LIST",
    "tokenizer_config": "tests.fuzz.tokenizer_files:TOKENIZER_CONFIG",
    "tokenizer_json": "tests.fuzz.tokenizer_files:TOKENIZER_JSON",
    "whisper_json": "tests.fuzz.tokenizer_files:WHISPER_JSON",
}


def load(name: str) -> target.Target:
    """Returns the target of that name."""
    module, _, attribute = TARGETS[name].partition(":")
    found = getattr(importlib.import_module(module), attribute)
    assert isinstance(found, target.Target)
    return found
