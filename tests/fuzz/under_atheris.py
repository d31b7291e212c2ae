"""Runs one fuzz target under atheris: NAME SECONDS FOLDER.

Findings are written to FOLDER, and so are the inputs that reached something new.
"""

import logging
import os
import pathlib
import random
import sys

import atheris

with atheris.instrument_imports(include=["oasr"]):
    from tests.fuzz import corpus
    from tests.fuzz import registry

    _NAME = sys.argv[1]
    _TARGET = registry.load(_NAME)
    _INPUTS = corpus.inputs(_NAME, _TARGET)
    for _data in _INPUTS:  # Loads what loads late, to be instrumented, too.
        _TARGET.execute(_data)


def _mutate(data: bytes, max_size: int, seed: int) -> bytes:
    """Returns another input: by libFuzzer, who knows no format, or by the target."""
    if seed % 3 == 0:
        found: bytes = atheris.Mutate(data, max_size)
        return found
    return _TARGET.mutate(data, random.Random(seed))[:max_size]


def _try(data: bytes) -> None:
    _TARGET.execute(data)


def main() -> None:
    """Fuzzes; ends with the process."""
    logging.disable()  # A line for each input would be all that there is to see.
    seconds, folder = int(sys.argv[2]), pathlib.Path(sys.argv[3])
    reached = folder / "corpus"
    reached.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(_INPUTS):
        (reached / f"seed{number}").write_bytes(data)
    arguments = [
        sys.argv[0],
        os.fspath(reached),
        f"-max_total_time={seconds}",
        f"-max_len={max(4096, 2 * max(map(len, _INPUTS)))}",
        f"-artifact_prefix={folder}/",
        "-print_final_stats=1",
        "-rss_limit_mb=3000",
        "-timeout=60",
        "-verbosity=0",
    ]
    atheris.Setup(arguments, _try, custom_mutator=_mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
