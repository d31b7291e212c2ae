"""Outputs with timed words or segments, written down or drawn at random."""

import random

from oasr import engine
from oasr.engine import request as requests

# Words with what stands before them: scripts with and without blanks, wide letters,
# marks that end phrases, tags, and a word that is wider than a line.
_VOCABULARY = [
    *[" the", " remember", " mind,", " achieve.", ' "Go!"', " 1984", " don't", " —"],
    *["你", "好", "世", "界", "，界", "。", "は", "カ", " 你好！", "。」"],
    *[" สวัสดี", " привет", " 안녕하세요", " ναι;", " é́", " 😀", " 👨‍👩‍👧"],
    *[
        " <b>",
        " </i>",
        " a<b",
        " {\\an8}",
        " \\N",
        " -->",
        " &amp;",
        " &",
        " x>y",
        " <",
        " b",
        " >",
    ],
    " " + "long" * 12,
    "\u3000全",
    "\nnext",
    *[" שלום", " مرحبا،", " \u202eabc", "\tcell", " &lt;", " WEBVTT", " NOTE", " ;;"],
    *["\n\n2", " 00:00:01,000", " STYLE", ' "', " 'tis", "\u2028line", "\x85more"],
]


def output(*words, text=None, **fields):
    """Returns an output of (word, start, end), blanks before the word as in the text.

    Args:
      *words: of each what stands before it and the word, and its times in seconds.
      text: by default all of them joined and stripped.
      **fields: further ones of the output.
    """
    text = "".join(word for word, _, _ in words).strip() if text is None else text
    timings = [
        requests.WordTiming(word.strip(), start, end, 0.5) for word, start, end in words
    ]
    return engine.RequestOutput("a", text=text, words=timings, **fields)


def spoken(text, seconds=0.3):
    """Returns the output of blank-separated words of the same length each."""
    words = text.split()
    return output(
        *((" " + w, k * seconds, (k + 1) * seconds) for k, w in enumerate(words))
    )


def segmented(*segments, text=None, **fields):
    """Returns an output of (text, start, end), blanks before it as in the text.

    Args:
      *segments: of each what stands before it and its text, and its times in seconds.
      text: by default all of them joined and stripped.
      **fields: further ones of the output.
    """
    text = "".join(part for part, _, _ in segments).strip() if text is None else text
    parts = [
        requests.Segment(text=part.strip(), start=start, end=end, tokens=[7, 8])
        for part, start, end in segments
    ]
    return engine.RequestOutput("a", text=text, segments=parts, **fields)


def random_segments(seed):
    """Returns an output of up to 12 segments, without words."""
    draw = random.Random(seed)
    segments, start = [], draw.choice([0.0, 0.2, 3599.7])
    for _ in range(draw.randrange(12)):
        part = "".join(draw.choices(_VOCABULARY, k=draw.randrange(1, 30)))
        length = draw.choice([0.0, 0.02, draw.random() * 10, draw.random() * 30])
        segments.append((part, start, start + length))
        # Models may let two overlap.
        start += length * draw.choice([0.7, 1, 1]) + draw.choice([0, 0, 0.3, 4])
    return segmented(*segments)


def random_output(seed):
    """Returns an output of up to 60 words whose starts never run backwards."""
    draw = random.Random(seed)
    words, start = [], draw.choice([0.0, 0.2, 3599.7])
    pace = draw.choice([0.0004, 0.02, 0.3, 1.5])
    for _ in range(draw.randrange(60)):
        length = draw.random() * pace
        words.append((draw.choice(_VOCABULARY), start, start + length))
        start += draw.choice([0, length / 2, length, length, length + 2 * pace])
    return output(*words)
