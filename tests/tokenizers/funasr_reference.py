"""FunASR's own rules for text, from the published file, and lists to try them on."""

import importlib.util
import os


def _load():
    # Set by the test's target, which has the file in its data.
    path = os.environ["FUNASR_POSTPROCESS"]
    spec = importlib.util.spec_from_file_location("funasr_postprocess_utils", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.sentence_postprocess


sentence_postprocess = _load()

HAN = ["\u4f60", "\u597d", "\u4e16", "5", "0", "@", "@@", "5@@", "0@@", "\u9fff"]
WORDS = ["hello", "World", "don't", "'s", "'", "\u00e9t\u00e9", "\u3053", "\ud55c"]
LETTERS = ["a", "b", "i", "C", "Z"]
PARTS = ["he@@", "wo@@", "X@@", "'@@", "-@@"]
MARKS = ["\uff0c", "\u3002", "&", ".", "\U0001f600", "<blank>", "\u3000", "3d"]
NAMES = ["<s>", "</s>", "<unk>", "<OOV>"]

# Tokens that one kind of list reads as the other does not; none is known from a
# published vocabulary, all of them are strings that a file may hold.
ODD = ["", " ", "5a@@", "\u4e2da@@", " \u4f60", "5 ", "5a", "9a", "9@@", "\u4e2da"]
ODD += ["a b", "<s>a", " a", " x@@", "x ", "a\u4e2d", "\u9fff\u9fff", "</s>5", "\u00b2"]
ODD += ["\u30005", "\u4f60\u3000", "\u3000\u4f60 ", " @@", "@@x@@", "\u017f"]

USUAL = [*HAN, *WORDS, *LETTERS, *PARTS, *MARKS, *NAMES]


def random_words(rng, longest=14):
    """Returns a list of tokens: of all sorts, or of a few that meet more often."""
    pool = USUAL if rng.random() < 0.5 else [*USUAL, *ODD]
    if rng.random() < 0.7:
        pool = rng.sample(pool, rng.randrange(1, 9))
    return rng.choices(pool, k=rng.randrange(longest))
