"""Descriptions of failures in code that handles hidden information."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Final

_LINES: Final = 3


def safe_traceback(error: BaseException) -> str:
    """Return the kind of an error and its last lines of code, without its message.

    The message could quote information that is hidden from the players, or from everybody.
    """
    lines = traceback.extract_tb(error.__traceback__)[-_LINES:]
    where = " < ".join(f"{Path(line.filename).name}:{line.lineno}" for line in reversed(lines))
    return f"{type(error).__name__} at {where}"
