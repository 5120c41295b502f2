"""What may be told of a failure in code that has seen what is hidden."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Final

_LINES: Final = 3


def safe_traceback(error: BaseException) -> str:
    """The kind of an error and its last lines of code: no message, for that could quote what is hidden from the
    players, or from everybody."""
    lines = traceback.extract_tb(error.__traceback__)[-_LINES:]
    where = " < ".join(f"{Path(line.filename).name}:{line.lineno}" for line in reversed(lines))
    return f"{type(error).__name__} at {where}"
