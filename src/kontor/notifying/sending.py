"""Types that all ways of sending share: how a message is sent, and how that fails."""

from __future__ import annotations

from collections.abc import Callable

from kontor.notifying.texts import Message
from kontor.notifying.values import FailureReason


class Failed(Exception):
    """The message was not taken, and is tried again.

    ``reason`` says why, and ``detail`` holds the codes of the answer, never a secret or an address.
    """

    def __init__(self, reason: FailureReason = "unreached", detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason: FailureReason = reason
        self.detail = detail


class Dead(Failed):
    """The recipient does not exist any more, so nothing more is sent there."""

    def __init__(self, detail: str = "") -> None:
        super().__init__("gone", detail)


Send = Callable[[Message], None]
"""Sends a message; returns once the other side has taken it. Raises Failed, Dead."""
