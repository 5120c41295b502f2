"""What every way of sending can come to."""

from __future__ import annotations

from collections.abc import Callable

from kontor.notifying.texts import Message


class Failed(Exception):
    """It was not taken, and may be another time."""


class Dead(Exception):
    """Nobody is there who takes it, now or later."""


Send = Callable[[Message], None]
"""Returns once the other side has taken it. Raises Failed, Dead."""
