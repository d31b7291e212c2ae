"""Reads one checkpoint in a process of its own, which may be killed.

It reads a JSON object from its input, `{"what", "path", "converter", "made", "answer",
"reads", "seconds", "bytes"}`, and writes to the file `answer` another one: `{"found"}`
or `{"error", "message"}`, and `{"log"}`, the records that were logged. `what` is
"convert" or "inspect"; files that a converter makes go to the folder `made`. The file
`reads` holds the path of the file of the checkpoint that was opened last.
"""

from collections.abc import Mapping
import json
import logging
import os
import pathlib
import resource
import sys
import traceback
from typing import Any

from oasr.checkpoints import apart_answers
from oasr.checkpoints import generated
from oasr.checkpoints import inspection
from oasr.checkpoints import registry
from oasr.tokenizers import errors

# Twice the largest file that is read here; what is written is made of those.
_MAX_FILE_BYTES = 128 << 20


class _Log(logging.Handler):
    """Keeps what is logged.

    Attributes:
      records: (logger, level, message) of each record.
    """

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[tuple[str, int, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps one record."""
        self.records.append((record.name, record.levelno, record.getMessage()))


def main() -> None:
    """Answers the one question on the input."""
    asked = json.load(sys.stdin)
    _limit(asked["seconds"], asked["bytes"])
    _note_reads(asked["path"], asked["reads"])
    generated.make_in(asked["made"])
    log = _Log()
    logger = logging.getLogger("oasr")
    logger.addHandler(log)
    logger.propagate = False
    answer = _answer(asked, f"{asked['bytes'] >> 20} MiB")
    pathlib.Path(asked["answer"]).write_text(json.dumps({**answer, "log": log.records}))
    os._exit(0)  # What libraries do at the end can change nothing of the answer.


def _limit(seconds: int, max_bytes: int) -> None:
    # The clock of the parent is the other limit of the time.
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (max_bytes, max_bytes))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_MAX_FILE_BYTES, _MAX_FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _note_reads(path: str, place: str) -> None:
    """Writes the path of each file of the checkpoint to `place` when it is opened.

    A library that ends the process says nothing of which file it was.
    """
    folder = os.path.abspath(path)
    folder = os.path.dirname(folder) if os.path.isfile(folder) else folder
    notes = os.open(place, os.O_CREAT | os.O_WRONLY)

    def note(event: str, arguments: tuple[Any, ...]) -> None:
        if event != "open" or not isinstance(arguments[0], str):
            return
        opened = os.path.abspath(arguments[0])
        if opened.startswith(folder + os.sep):
            name = os.fsencode(opened)
            os.ftruncate(notes, 0)
            os.pwrite(notes, name, 0)

    sys.addaudithook(note)


def _answer(asked: Mapping[str, Any], memory: str) -> dict[str, Any]:
    path, converter = asked["path"], asked["converter"]
    try:
        if asked["what"] == "inspect":
            inspected = inspection.inspect_checkpoint(path, converter=converter)
            return {"found": apart_answers.of_inspection(inspected)}
        converted = registry.convert_checkpoint(path, converter=converter)
        return {"found": apart_answers.of_checkpoint(converted)}
    except errors.AssetError as error:
        return {"error": "AssetError", "message": str(error)}
    except MemoryError:
        message = f"{path}: expected a checkpoint that can be read within {memory}."
        return {"error": "AssetError", "message": message}
    except (ImportError, OSError, ValueError) as error:
        # Python's own ImportError, which names a module, is a defect of OASR.
        if getattr(error, "name", None) is None:
            return {"error": _class_of(error), "message": str(error)}
        return {"error": "RuntimeError", "message": traceback.format_exc()}
    except BaseException:
        return {"error": "RuntimeError", "message": traceback.format_exc()}


def _class_of(error: Exception) -> str:
    known = (ImportError, OSError, ValueError)
    return next(one.__name__ for one in known if isinstance(error, one))


if __name__ == "__main__":
    main()
