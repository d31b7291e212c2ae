"""Lines of text files."""


def split(text: str) -> list[str]:
    r"""Returns the lines; only "\n" and "\r\n" end one, since others are in pieces."""
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")
