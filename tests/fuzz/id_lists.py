"""Any ids and any texts for a tokenizer of each kind: the laws hold."""

import functools

import numpy as np

from oasr import tokenizers
from oasr.tokenizers import sentence_postprocess
from tests.fuzz import choices
from tests.fuzz import files
from tests.fuzz import kinds
from tests.fuzz import quick_laws
from tests.fuzz import target


@functools.cache
def _kinds() -> list[tokenizers.Tokenizer]:
    return list(kinds.build(files.folder() / "kinds").values())


def _ids(data: bytes) -> None:
    chosen = choices.Choices(data)
    built = chosen.one_of(_kinds())
    cut = 1 + chosen.up_to(4)
    ids = chosen.ids(built.vocab_size)
    quick_laws.check_ids(built, ids, cut)
    found = built.is_text(ids)
    assert (found.dtype, found.shape) == (np.bool_, (len(ids),))


def _texts(data: bytes) -> None:
    chosen = choices.Choices(data)
    built = chosen.one_of([kind for kind in _kinds() if kind.supports_encode])
    text = (
        chosen.text(255)
        if len(data) < 300
        else chosen.rest().decode("utf-8", "replace")
    )
    quick_laws.check_text(built, text)


def _funasr_text(data: bytes) -> None:
    """Makes sentences of words, as FunASR does."""
    words = data.decode("utf-8", "replace").split("\n")
    text, *_ = sentence_postprocess(words)
    assert isinstance(text, str)


def _seeds() -> list[bytes]:
    ids = bytes([3, 0, 4, 0, 5, 250, 1, 0, 3, 0, 6, 0, 250, 6, 0, 2])
    return [bytes([kind, 1, 12]) + ids for kind in range(len(_kinds()))]


def _text_seeds() -> list[bytes]:
    text = "hello <s> <0> naïve  你好▁<|endoftext|>\n😀 <0xE4>".encode()
    return [bytes([kind, len(text)]) + text for kind in range(12)]


ID_LIST = target.Target(run=_ids, seeds=_seeds, short=2500)
TEXT = target.Target(
    run=_texts,
    seeds=_text_seeds,
    refusals=(ValueError,),  # Half of a surrogate pair.
    short=3000,
)
FUNASR_TEXT = target.Target(
    run=_funasr_text,
    seeds=lambda: [
        "a\nb\n你\nhel@@\nlo\n，\n<unk>\n▁x".encode(),
        "c@@\nd\n\n 好".encode(),
    ],
    refusals=(),
    short=5000,
)
