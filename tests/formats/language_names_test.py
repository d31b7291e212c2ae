"""Tests for language_names, against the table in OpenAI's package."""

import ast
import re

from oasr.formats import language_names
from tests.tokenizers import package_files


def test_the_names_are_those_of_whisper():
    source = package_files.find("whisper_tokenizer", "tokenizer.py").read_text("utf-8")
    table = re.search(r"^LANGUAGES = (\{.*?^\})", source, re.DOTALL | re.MULTILINE)
    names = ast.literal_eval(table[1])
    assert len(names) == 100
    assert {code: language_names.name_of(code) for code in names} == names
    assert all(language_names.code_of(name) == code for code, name in names.items())


def test_a_code_that_is_not_one_of_them_stays():
    assert language_names.name_of("tlh") == "tlh"
    for name in ("tlh", "en", ""):
        assert language_names.code_of(name) == name
    assert language_names.code_of("Haitian Creole") == "ht"


def test_case_is_of_no_matter():
    for name in ("EN", "En", "ENGLISH", "English"):
        assert language_names.code_of(name) == "en"
