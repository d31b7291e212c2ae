"""The end of a byte string that may be the beginning of a character in UTF-8.

Looks at bytes, never at U+FFFD: a mark may stand in the text itself, and a broken
byte that no later byte can complete is as final as a letter.
"""

LONGEST = 3  # Bytes of an incomplete character, at most.

# How many bytes a character has, by its first one; 1 for bytes that begin none of
# several: ASCII, continuation bytes, C0, C1, F5 and above.
_LENGTH = [
    2 if 0xC2 <= lead < 0xE0 else 3 if 0xE0 <= lead < 0xF0 else 4 if lead >= 0xF0 else 1
    for lead in range(0xF5)
] + [1] * 11
_CONTINUATION = range(0x80, 0xC0)
# The second byte that may follow a lead byte (Unicode 16.0, table 3-7); after other
# lead bytes any continuation byte may.
_SECOND = {
    0xE0: range(0xA0, 0xC0),
    0xED: range(0x80, 0xA0),
    0xF0: range(0x90, 0xC0),
    0xF4: range(0x80, 0x90),
}


def incomplete_tail(content: bytes) -> bytes:
    """Returns the last 1 to 3 bytes if a later byte may complete them, else b""."""
    for length in range(1, min(LONGEST, len(content)) + 1):
        if content[-length] not in _CONTINUATION:
            tail = content[-length:]
            return tail if begins_character(tail) else b""
    return b""


def begins_character(content: bytes) -> bool:
    """Returns whether `content` is a proper beginning of one character."""
    size = len(content)
    if size == 0 or size >= _LENGTH[content[0]]:
        return False
    if size == 1:
        return True
    second = _SECOND.get(content[0], _CONTINUATION)
    return content[1] in second and (size == 2 or content[2] in _CONTINUATION)


def continues(beginning: bytes, byte: int) -> bool:
    """Returns whether `byte` is the next of the character that `beginning` begins."""
    if len(beginning) == 1:
        return byte in _SECOND.get(beginning[0], _CONTINUATION)
    return byte in _CONTINUATION
