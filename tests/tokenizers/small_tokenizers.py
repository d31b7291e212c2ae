"""Small `tokenizer.json` files of every make, built with the library itself."""

import json

import tokenizers
from tokenizers import decoders
from tokenizers import models
from tokenizers import normalizers
from tokenizers import pre_tokenizers

# The section of a file, as a decoder and, without the blank, as a pre-tokenizer.
BYTE_LEVEL = {
    "type": "ByteLevel",
    "add_prefix_space": True,
    "trim_offsets": True,
    "use_regex": True,
}


def added(token_id, content, *, special=True, **flags):
    """Returns an entry of `added_tokens`."""
    defaults = {"single_word": False, "lstrip": False, "rstrip": False}
    defaults |= {"normalized": False, "special": special}
    return {"id": token_id, "content": content} | defaults | flags


def write(path, tokenizer, added_tokens=(), **sections):
    """Writes a tokenizer, with sections of the file replaced; returns the path."""
    content = json.loads(tokenizer.to_str())
    content["added_tokens"] = list(added_tokens)
    content |= sections
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return path


def byte_letters(text):
    """Returns `text`, or bytes, in the letters of byte-level vocabularies."""
    content = text.encode() if isinstance(text, str) else text
    return "".join(LETTER_OF[byte] for byte in content)


def _letter_of():
    # Written from the definition: printable Latin-1 is itself, the rest follows.
    itself = [*range(33, 127), *range(161, 173), *range(174, 256)]
    rest = [byte for byte in range(256) if byte not in itself]
    return {b: chr(b) for b in itself} | {b: chr(256 + n) for n, b in enumerate(rest)}


LETTER_OF = _letter_of()

# Pieces beyond the bytes: words, cut characters, blanks with half of a character,
# marks that are in the text, bytes that begin nothing.
_PARTS = [" h", " he", " hel", " hell", " hello", " w", b" \xe4", b"\xe4\xbd", "你"]
_PARTS += ["  ", "\n", b"\xef\xbf", "\ufffd", b"\xf0\x9f", b"\xf0\x9f\x98", "😀"]
_PARTS += [b"\xbf\x20", b"\xa0\xe4", b"\xff\xff", b"\xe3\x80", "\u3000"]
BYTE_LEVEL_ADDED = [
    added(276, "<|eot|>"),
    added(277, "<tool>", special=False),
    added(278, "<L>", special=False, lstrip=True, rstrip=True),
    added(279, "naïve 你", special=False),
    added(280, "naïve", special=False),
    added(281, "<|audio|>", normalized=True),
]


def byte_level(*, use_regex=False, decoder=None):
    """Byte letters by their byte (ids 0 to 255), then a few pieces of more bytes."""
    vocab = {LETTER_OF[byte]: byte for byte in range(256)}
    merges = []
    for part in _PARTS:
        letters = byte_letters(part)
        if letters in vocab:
            continue
        ends = [k for k in range(1, len(letters)) if _known(letters, k, vocab)]
        merges.append((letters[: ends[-1]], letters[ends[-1] :]))
        vocab[letters] = len(vocab)
    tokenizer = tokenizers.Tokenizer(models.BPE(vocab=vocab, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(
        add_prefix_space=False, use_regex=use_regex
    )
    tokenizer.decoder = decoder or decoders.ByteLevel()
    return tokenizer


def _known(letters, k, vocab):
    return letters[:k] in vocab and letters[k:] in vocab


_WORDS = ["▁", "▁hello", "▁wor", "ld", "lo", "hel", "▁▁", "a▁b", "▁你", "好", "h", "e"]
_WORDS += ["l", "o", "w", "r", "d", "!", "<", ">", "s", "/", "\ufffd", "\u3000", "😀"]


def metaspace(prepend_scheme):
    """A Unigram vocabulary with words marked by ▁."""
    pieces = [("<unk>", 0.0), ("<s>", 0.0), ("</s>", 0.0)]
    pieces += [(word, -float(n)) for n, word in enumerate(_WORDS, start=1)]
    tokenizer = tokenizers.Tokenizer(models.Unigram(pieces, unk_id=0))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=prepend_scheme)
    tokenizer.decoder = decoders.Metaspace(prepend_scheme=prepend_scheme)
    return tokenizer


CONTROLS = [added(0, "<unk>"), added(1, "<s>"), added(2, "</s>")]


def byte_fallback(*, strip=True, normalizer=True):
    """Llama's make: <0xNN> pieces at 3 to 258, words behind them."""
    vocab = {"<unk>": 0, "<s>": 1, "</s>": 2}
    vocab |= {f"<0x{byte:02X}>": 3 + byte for byte in range(256)}
    for word in [*_WORDS, "he", "ll", "hell", "hello"]:
        vocab.setdefault(word, len(vocab))
    merges = [("h", "e"), ("l", "l"), ("he", "ll"), ("hell", "o"), ("▁", "hello")]
    tokenizer = tokenizers.Tokenizer(
        models.BPE(
            vocab=vocab,
            merges=merges,
            unk_token="<unk>",
            fuse_unk=True,
            byte_fallback=True,
        )
    )
    if normalizer:
        tokenizer.normalizer = normalizers.Sequence(
            [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
        )
    steps = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    tokenizer.decoder = decoders.Sequence(
        steps + ([decoders.Strip(" ", 1, 0)] if strip else [])
    )
    return tokenizer


def word_piece(**options):
    """BERT's make."""
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "hello", "##ing", "##s", "world", "."]
    words += [",", "'", "do", "n", "##'", "t", "你", "##好", "\ufffd", "##", "go"]
    vocab = {word: n for n, word in enumerate(words)}
    tokenizer = tokenizers.Tokenizer(models.WordPiece(vocab, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece(**options)
    return tokenizer


WORD_PIECE_ADDED = [added(0, "[PAD]"), added(1, "[UNK]"), added(2, "[CLS]")]


def word_level(decoder=None):
    """Whole words; with no decoder they are joined by blanks."""
    words = [
        "[UNK]",
        "[CLS]",
        "hello",
        "world",
        "你好",
        ".",
        "",
        "\ufffd",
        " ",
        "hello",
    ]
    vocab = {word: n for n, word in enumerate(dict.fromkeys(words))}
    tokenizer = tokenizers.Tokenizer(models.WordLevel(vocab, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.decoder = decoder
    return tokenizer


WORD_LEVEL_ADDED = [added(0, "[UNK]"), added(1, "[CLS]")]


def ctc(**options):
    """Letters of a CTC model, as wav2vec 2.0 has them."""
    words = ["<pad>", "<s>", "</s>", "<unk>", "|", *"ETAONIHSRDLU'.,?", "\ufffd", "你"]
    vocab = {word: n for n, word in enumerate(words)}
    tokenizer = tokenizers.Tokenizer(models.WordLevel(vocab, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    tokenizer.decoder = decoders.CTC(**options)
    return tokenizer


CTC_ADDED = [added(1, "<s>"), added(2, "</s>"), added(3, "<unk>")]


def end_of_word(suffix="</w>", words=()):
    """GPT's first make: the suffix ends a word."""
    letters = ["<unk>", *"helowrd", f"o{suffix}", f"d{suffix}", suffix, f"你{suffix}"]
    vocab = {word: n for n, word in enumerate([*letters, *words])}
    merges = []
    tokenizer = tokenizers.Tokenizer(
        models.BPE(
            vocab=vocab, merges=merges, unk_token="<unk>", end_of_word_suffix=suffix
        )
    )
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.decoder = decoders.BPEDecoder(suffix=suffix)
    return tokenizer
