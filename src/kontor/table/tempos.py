"""What each tempo means, in seconds: how long what happened can be read before something else happens by itself."""

from __future__ import annotations

from typing import Final

from kontor.game import Value
from kontor.table.values import Pace, Tempo

_SHARE: Final = 0.1
"""The greatest part of a short live time that the pause after a move may take."""


class Pauses(Value, frozen=True):
    """Seconds: after a ``move``, before a computer player makes the next; and for how long a page shows how a round
    ``ended``, three seconds at least (Y4), whatever comes next.
    """

    move: float
    ended: float


_PAUSES: Final[dict[Tempo, Pauses]] = {
    "calm": Pauses(3.0, 4.0),
    "brisk": Pauses(1.5, 3.0),
    "at once": Pauses(0.0, 3.0),
}


def pauses(tempo: Tempo, pace: Pace) -> Pauses:
    """Return the pauses of a tempo; a pause after a move takes hardly any of a short time for a move."""
    usual = _PAUSES[tempo]
    if pace.kind != "live":
        return usual
    return Pauses(min(usual.move, pace.seconds * _SHARE), usual.ended)
