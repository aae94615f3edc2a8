"""Memory that only starting needed is given back."""

import ctypes
import gc
import logging
import sys
from pathlib import Path

log = logging.getLogger("azulejos.server")
_COMPILER = "libllvmlite"  # links the rules that were compiled before; after that it has nothing to do here
_DONTNEED = 4  # of madvise: the pages are read from their file again should they be needed


def settle() -> None:
    """Everything is loaded, and stays: to look through it for garbage again and again would make everybody wait."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    if sys.platform == "linux":
        _give_back()


def _give_back() -> None:
    """What was freed, and the pages of the compiler's code: never written to, so nothing can be lost."""
    system = ctypes.CDLL(None)
    system.madvise.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    try:
        system.malloc_trim(0)
        for line in Path("/proc/self/maps").read_text().splitlines():
            place, access, *_, name = line.split()
            if access == "r-xp" and _COMPILER in name:
                begin, end = (int(part, 16) for part in place.split("-"))
                system.madvise(begin, end - begin, _DONTNEED)
    except (OSError, AttributeError) as error:  # a system without one of these: it keeps its memory
        log.debug("no memory was given back: %s", error)
