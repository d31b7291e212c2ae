"""The control tokens of Whisper's vocabularies, in the order of their ids."""

from oasr.tokenizers import whisper_controls

# Of whisper/tokenizer.py; the models from large-v3 on have all 100, the others 99.
_CODES = """
    en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu
    ta no th ur hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn
    bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn
    mt sa lb my bo tl mg as tt haw ln ha ba jw su yue
"""
LANGUAGES = _CODES.split()
OLD_LANGUAGES = 99

END_OF_TEXT = whisper_controls.END_OF_TEXT
TIMESTAMPS = whisper_controls.TIMESTAMPS
START = "<|startoftranscript|>"
PREVIOUS = "<|startofprev|>"
NO_TIMESTAMPS = "<|notimestamps|>"


def controls(languages: int) -> list[str]:
    """Returns the names of the control tokens of a model, without timestamps."""
    return [
        END_OF_TEXT,
        START,
        *(f"<|{code}|>" for code in LANGUAGES[:languages]),
        "<|translate|>",
        "<|transcribe|>",
        "<|startoflm|>",
        PREVIOUS,
        # Files of the models before large-v3 have the second spelling.
        whisper_controls.NO_SPEECH[languages <= OLD_LANGUAGES],
        NO_TIMESTAMPS,
    ]


def languages_of(vocab_size: int, ranks: int) -> int:
    """Returns how many languages a model of that size has.

    Args:
      vocab_size: the model's.
      ranks: how many tokens its text has.
    """
    return vocab_size - ranks - len(TIMESTAMPS) - len(controls(0))
