"""CTM: a line for each word, as NIST's scoring tools read them.

A line is the name of the audio, its channel, the start and the duration of a word in
seconds, the word, and its confidence if it is known. Blanks part the columns and
nothing is quoted, so names are percent-encoded where they have to be.
"""

import math

from oasr.engine import request as requests
from oasr.formats import base
from oasr.formats import clock

_CHANNEL = "1"


class Ctm(base.Format):
    """Writes the words of each output."""

    needs_words = True

    def render(self, output: requests.RequestOutput) -> str:
        """Returns the lines of the words of an output, none where nothing is said."""
        if not output.text.strip() and not output.words:
            return ""
        if output.words is None:
            raise ValueError(
                f"The output of {output.request_id!r} has no words; ask for them with"
                " word_timestamps=True."
            )
        name = _encoded(output.request_id)
        return "".join(f"{name} {_CHANNEL} {_columns(word)}\n" for word in output.words)


def _columns(word: requests.WordTiming) -> str:
    if word.word.split() != [word.word]:
        raise ValueError(
            f"The word {word.word!r} holds a blank or nothing; blanks part the columns"
            " of ctm."
        )
    start = clock.milliseconds(word.start)
    duration = max(0, clock.milliseconds(word.end) - start)
    columns = [clock.decimal(start), clock.decimal(duration), word.word]
    if word.confidence is not None and math.isfinite(word.confidence):
        columns.append(f"{word.confidence:.3f}")
    return " ".join(columns)


def _encoded(name: str) -> str:
    """Returns a name without blanks, from which `urllib.parse.unquote` gets it back.

    Of a name that is no Unicode it does with `errors="surrogatepass"`.

    Raises:
      ValueError: if it is empty.
    """
    if not name:
        raise ValueError("A line of ctm names its audio; the output has no request_id.")
    # A line that begins with ;; is a comment.
    encoded = "".join(map(_encoded_character, name))
    return f"%3B{encoded[1:]}" if encoded.startswith(";") else encoded


def _encoded_character(character: str) -> str:
    if character != "%" and character.isprintable() and not character.isspace():
        return character
    return "".join(
        f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass")
    )
