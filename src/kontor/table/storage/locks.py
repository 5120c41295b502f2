"""Locks on files, which go with the process that has them, however it ends."""

from __future__ import annotations

import sys
from typing import BinaryIO

if sys.platform == "win32":
    import msvcrt

    def try_to_lock(file: BinaryIO) -> None:
        """Raises OSError if another has it."""
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def try_to_lock(file: BinaryIO) -> None:
        """Raises OSError if another has it."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
