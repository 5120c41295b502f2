"""Seeks, and queries for tables with their answers."""

from __future__ import annotations

from typing import Literal

from kontor.game import Value
from kontor.tables.values import Pace, PaceKind, TableInfo


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


class Lobby(Value, frozen=True):
    """Tables with an open seat, and games that people may watch."""

    open: tuple[TableInfo, ...]
    watchable: tuple[TableInfo, ...]


class TableFilter(Value, frozen=True):
    """A query for tables.

    ``show``: with a free ``open`` seat, or to ``watch``. ``game``, ``pace`` and ``name`` (of a player) apply where
    they are not empty; ``free`` is a number of free seats, if it is not 0. ``rated``: only games that count for
    ratings, as far as that is known before the end. ``after`` is the cursor of a page: when its last table was opened
    (or begun, of those to watch), in milliseconds, and that table's id.
    """

    show: Literal["open", "watch"] = "open"
    game: str = ""
    pace: PaceKind | Literal[""] = ""
    name: str = ""
    free: int = 0
    rated: bool = False
    after: tuple[int, str] | None = None


class FoundTables(Value, frozen=True):
    """A page of the tables found, the newest first.

    ``after`` is the cursor of the next page, or None. ``number`` counts the tables on all pages; ``more``: there are
    more than were counted.
    """

    tables: tuple[TableInfo, ...]
    after: tuple[int, str] | None
    number: int
    more: bool
