"""Seeks, and queries for tables with their answers."""

from __future__ import annotations

from kontor.game import Value
from kontor.tables.values import Pace


class Seek(Value, frozen=True):
    """A request to play at once, with a number of players from ``fewest`` to ``most``.

    With ``near``, the opponents are to be about as strong.
    """

    game: str
    pace: Pace
    fewest: int
    most: int
    near: bool = True


class SeekInfo(Value, frozen=True):
    """The state of a seek, for its person.

    ``waited``: seconds; ``others``: people who look for the same game at the same pace, ``elsewhere``: at another
    pace; ``offered``: the level of the computer player that is offered, or empty; ``table``: the table, once there is
    one. ``id`` is that of the seek.
    """

    id: str
    seek: Seek
    waited: int
    others: int
    elsewhere: int
    offered: str
    table: str | None


class WaitingSeek(Value, frozen=True):
    """A seek as others see it, with the name of the person who waits.

    ``points`` is their rating, or None if they have none or do not show it; it is ``sure``, or was measured in few
    games only. ``waited``: seconds; ``own``: it is the reader's.
    """

    id: str
    seek: Seek
    name: str
    points: int | None
    sure: bool
    waited: int
    own: bool
