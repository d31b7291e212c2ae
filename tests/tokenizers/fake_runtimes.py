"""Windowed tokenizers over runtimes of a few lines, each written from a definition."""

import itertools

from oasr import tokenizers

# Beginnings and ends of characters, alone, behind a blank, in a chain, and broken.
FRAGMENTS = [
    bytes.fromhex(spelled)
    for spelled in (
        *("E4", "BD", "A0", "E4 BD", "BD A0", "20 E4", "A0 E4", "A0 61 F0", "F0 9F"),
        *("9F 98", "98 80", "80 20", "E3 80", "80", "C2", "ED", "A0 80", "C0", "FF"),
        *("F4", "90", "EF BF BD", "20", "20 20", "09", "C2 A0", "61", "E4 BD A0"),
    )
]
SPECIAL = frozenset({0, 1})


class ByteLevel(tokenizers.WindowedIncrementalTokenizer):
    """Joins the bytes of ids and reads them as UTF-8."""

    supports_encode = False
    special_ids = SPECIAL

    def __init__(self):
        self.parts = [b"<0>", b"<1>", *FRAGMENTS, b""]
        self.handed = 0
        self._bytes = {
            i: part for i, part in enumerate(self.parts) if not self._is_text(part)
        }
        # The last id renders nothing.
        self._set_kept(len(self.parts), SPECIAL | {len(self.parts) - 1})

    @staticmethod
    def _is_text(part):
        return part.decode("utf-8", "ignore").encode() == part

    @property
    def vocab_size(self):
        return len(self.parts)

    def encode(self, text, *, split_special_tokens=False):
        raise NotImplementedError("A kind that can is sentencepiece.")

    def _render(self, ids):
        self.handed += len(ids)
        return b"".join(self.parts[i] for i in ids).decode("utf-8", "replace")


class Stripped(ByteLevel):
    """The same, both ends stripped."""

    _strips_ends = True


class Undoing(ByteLevel):
    """Byte ids by the run: one bad byte makes a mark of every byte.

    As in the decoders of Llama a blank at the start of the text is dropped.
    """

    BYTES = range(2, 258)

    def __init__(self):
        self.handed = 0
        texts = [" a", "b", " ", " \u4f60", "\ufffd"]
        self.parts = [b"<0>", b"<1>", *(bytes([b]) for b in range(256))]
        self.parts += [text.encode() for text in texts]
        self._bytes = {i: self.parts[i] for i in self.BYTES}
        self._undoes_runs = True
        self._primer = (self.BYTES.stop,)
        self._set_kept(len(self.parts), SPECIAL)

    def _render(self, ids):
        self.handed += len(ids)
        texts = []
        for in_run, group in itertools.groupby(ids, self.BYTES.__contains__):
            content = b"".join(self.parts[i] for i in group)
            try:
                texts.append(content.decode())
            except UnicodeDecodeError:
                assert in_run
                texts.append("\ufffd" * len(content))
        return "".join(texts).removeprefix(" ")


class Following(ByteLevel):
    """Joins with blanks, and merges repeats: a text depends on the id before."""

    def __init__(self):
        self.parts = [b"<0>", b"<1>", b"a", b"b", b"\xe4\xbd\xa0", b"c"]
        self.handed = 0
        self._set_kept(len(self.parts), SPECIAL)

    def _render(self, ids):
        self.handed += len(ids)
        return " ".join(self.parts[i].decode() for i, _ in itertools.groupby(ids))

    def _context_behind(self, ids):
        return (ids[-1],)


class NotWindowed(ByteLevel):
    """Takes the defaults of the base class: what it renders is the same."""

    def __init__(self):
        super().__init__()
        self._windowed = False
