"""The SentencePiece model file, as far as the runtime does not show or change it.

The file is a serialised `ModelProto` (`sentencepiece_model.proto`). Its wire format
is walked here field by field, since SentencePiece needs no protobuf to run.
"""

from collections.abc import Iterator, Set

# Fields of ModelProto.
_PIECES, _TRAINER_SPEC, _NORMALIZER_SPEC, _SELF_TEST, _DENORMALIZER_SPEC = range(1, 6)
# Field of NormalizerSpec: the rules, compiled.
_CHARSMAP = 2
# Field 3 of SentencePiece, `type`, set to 3, CONTROL. The last value given counts.
_TYPE_CONTROL = bytes([3 << 3, 3])
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5  # Wire types in use.
# Twice the pieces of the largest vocabulary in use. A file of line ends alone reads
# as a field every twelve bytes, so a large one must be refused early.
_MAX_FIELDS = 500_000

# One field of a message: its number, the byte it begins at, the bytes between which
# its value lies.
Field = tuple[int, int, int, int]


class ModelFile:
    """The fields of one model file.

    Raises:
      ValueError: if `content` is no model, or only the beginning of one.
    """

    def __init__(self, content: bytes) -> None:
        if not content:
            raise ValueError("the file is empty")
        self._content = content
        self._fields: list[Field] = []
        for field in read_fields(content):
            if field[0] == _PIECES:
                self._check_piece(field)
            self._fields.append(field)
            if len(self._fields) > _MAX_FIELDS:
                raise ValueError(f"it holds over {_MAX_FIELDS} pieces")
        numbers = {number for number, *_ in self._fields}
        # The trainer writes them in this order, so a file cut between two fields
        # lacks the last; SentencePiece would take defaults and render otherwise.
        for number, name in (
            (_PIECES, "pieces"),
            (_TRAINER_SPEC, "trainer_spec"),
            (_NORMALIZER_SPEC, "normalizer_spec"),
        ):
            if number not in numbers:
                raise ValueError(f"it holds no {name}")

    def denormalizes(self) -> bool:
        """Returns whether the model rewrites the text that it decoded."""
        specs = [
            self._content[first:last]
            for number, _, first, last in self._fields
            if number == _DENORMALIZER_SPEC
        ]
        return any(
            number == _CHARSMAP and first < last
            for spec in specs
            for number, _, first, last in read_fields(spec)
        )

    def _check_piece(self, field: Field) -> None:
        """Raises ValueError for a piece without a text in UTF-8, its field 1.

        What the library says of text that is not UTF-8 cannot always be read.
        """
        _, start, first, last = field
        if last - first > 2 and self._content[first] == 1 << 3 | _BYTES:
            length = self._content[first + 1]
            if length < 0x80 and first + 2 + length <= last:
                # As the trainer writes it: the text first, and not long.
                self._check_text(start, self._content[first + 2 : first + 2 + length])
                return
        piece = self._content[first:last]
        texts = [piece[a:b] for number, _, a, b in read_fields(piece) if number == 1]
        if not texts:
            raise ValueError(f"the piece at byte {start} has no text")
        for text in texts:
            self._check_text(start, text)

    @staticmethod
    def _check_text(start: int, text: bytes) -> None:
        try:
            text.decode()
        except UnicodeDecodeError as error:
            raise ValueError(
                f"the piece at byte {start} is not UTF-8: it holds the byte"
                f" 0x{text[error.start]:02x}"
            ) from error

    def with_controls(self, ids: Set[int]) -> bytes:
        """Returns the model with the pieces `ids` retyped CONTROL: no text is one."""
        parts, token_id = [], 0
        for number, start, first, last in self._fields:
            if number == _SELF_TEST:
                continue  # Samples of encoding, which the retyped model may fail.
            if number == _PIECES and token_id in ids:
                value = self._content[first:last] + _TYPE_CONTROL
                parts.append(_varint(_PIECES << 3 | _BYTES) + _varint(len(value)))
                parts.append(value)
            else:
                parts.append(self._content[start:last])
            token_id += number == _PIECES
        return b"".join(parts)


def read_fields(message: bytes) -> Iterator[Field]:
    """Yields the fields of a serialised message.

    Raises:
      ValueError: at the first byte that is no protocol buffer, naming it.
    """
    place, size = 0, len(message)
    while place < size:
        start = place
        tag, place = _read_varint(message, place)
        number, wire_type = tag >> 3, tag & 7
        if wire_type == _BYTES:
            length, place = _read_varint(message, place)
        elif wire_type == _VARINT:
            _, end = _read_varint(message, place)
            length = end - place
        elif wire_type in (_FIXED64, _FIXED32):
            length = 8 if wire_type == _FIXED64 else 4
        else:
            raise ValueError(f"byte {start} begins no field")
        if number == 0:
            raise ValueError(f"byte {start} begins no field")
        if place + length > size:
            raise ValueError(f"the field at byte {start} goes beyond the end")
        yield number, start, place, place + length
        place += length


def _read_varint(message: bytes, place: int) -> tuple[int, int]:
    """Returns the number at `place`, and the place behind it."""
    if place < len(message) and message[place] < 0x80:
        return message[place], place + 1
    value = 0
    # A number has 64 bits, so ten groups of seven at most, low ones first.
    for count, byte in enumerate(message[place : place + 10]):
        value |= (byte & 0x7F) << 7 * count
        if byte < 0x80:
            return value, place + count + 1
    raise ValueError(f"the number at byte {place} has no end")


def _varint(value: int) -> bytes:
    """Returns seven bits a byte, the high bit set in all but the last."""
    groups = [value & 0x7F]
    while value := value >> 7:
        groups.append(value & 0x7F)
    return bytes([group | 0x80 for group in groups[:-1]] + groups[-1:])
