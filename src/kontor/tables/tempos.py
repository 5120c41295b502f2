"""The pauses of each tempo, in seconds: how long an event can be read before the next automatic one."""

from __future__ import annotations

from typing import Final

from kontor.game import Value
from kontor.tables.values import Pace, Tempo

_SHARE: Final = 0.1
"""The greatest share of a short live time limit that the pause after a move may take."""


class Pauses(Value, frozen=True):
    """Pauses in seconds.

    ``move``: after a move, before a computer player makes the next one. ``ended``: how long a page shows the end of a
    round, at least three seconds (Y4), even if the next event is due.
    """

    move: float
    ended: float


_PAUSES: Final[dict[Tempo, Pauses]] = {
    "calm": Pauses(3.0, 4.0),
    "brisk": Pauses(1.5, 3.0),
    "at once": Pauses(0.0, 3.0),
}


def pauses(tempo: Tempo, pace: Pace) -> Pauses:
    """Return the pauses of a tempo; with a short time limit for a move, the pause after a move is shorter."""
    usual = _PAUSES[tempo]
    if pace.kind != "live":
        return usual
    return Pauses(min(usual.move, pace.seconds * _SHARE), usual.ended)
