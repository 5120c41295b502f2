"""Locks on files, which are released when their process ends, however it ends."""

from __future__ import annotations

import sys
from typing import BinaryIO

if sys.platform == "win32":
    import msvcrt

    def try_to_lock(file: BinaryIO) -> None:
        """Lock the file; raise OSError if another process has locked it."""
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def try_to_lock(file: BinaryIO) -> None:
        """Lock the file; raise OSError if another process has locked it."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
