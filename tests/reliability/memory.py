"""How much memory this process holds."""

import gc
import os
import pathlib

_PAGE = os.sysconf("SC_PAGE_SIZE")


def resident() -> int:
    """Returns the bytes in use, after what is garbage was collected."""
    gc.collect()
    pages = pathlib.Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * _PAGE
