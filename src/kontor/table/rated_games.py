"""Which finished games are rated, and who took which place.

Rated are games of people, with or without computer players of the levels, in which each played for themselves and to
the end: without hints, without anybody standing in, each on a device of their own. Resigning and staying away decide
a game of two; an end that all have agreed on decides nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Connection, exists, select

from kontor.endings import EarlyEnd
from kontor.game import Result, Value
from kontor.players.levels import LEVELS
from kontor.table.rows import NOBODY
from kontor.table.schema import chat, seats, tables
from kontor.table.values import SeatKind

_DAY: Final = 24 * 3600 * 1000

_BATCH: Final = 2000
"""Rows that are read at once."""

STOOD_IN: Final = ("stood in", "plays on")
"""Rows of a table's talk that tell of a computer player in a person's place, though they may have come back."""


class FinishedSeat(NamedTuple):
    """A seat of a game that is over: a ``person``, or the computer ``player``."""

    kind: SeatKind
    person: str | None
    player: str


class FinishedGame(Value, frozen=True):
    """A game that is over, whether it is rated or not. ``stood_in``: a computer player stood in for a while."""

    id: str
    game: str
    ended: int
    hints: bool
    stood_in: bool
    result: Result | None
    early: EarlyEnd | None
    seats: tuple[FinishedSeat, ...]


class RatedGame(Value, frozen=True):
    """A game that is rated: ``places`` of persons, by their ids, and of levels, by their names and a number if there
    are several (``casual 2``); the best have 0. Whoever has left since is somebody of whom nothing else is known."""

    game: str
    ended: int
    places: tuple[tuple[str, int], ...]

    @property
    def people(self) -> tuple[str, ...]:
        """Who is no level."""
        return tuple(player for player, _ in self.places if not level_of(player))

    @property
    def levels(self) -> frozenset[str]:
        """Which levels have played."""
        return frozenset(level for player, _ in self.places if (level := level_of(player)))


def rated(games: Iterable[FinishedGame]) -> Iterator[RatedGame]:
    """Those of the games that are rated, which come in the order of their ends: of somebody's games against a level
    alone only the first of a day (UTC)."""
    met: set[tuple[str, str, str, int]] = set()
    for finished in games:
        if not _is_played_alone(finished):
            continue
        places = places_of(finished)
        if places is None:
            continue
        found = RatedGame(finished.game, finished.ended, places)
        if len(found.people) == 1:
            day = finished.ended // _DAY
            against = {(finished.game, found.people[0], level, day) for level in found.levels}
            if against & met:
                continue
            met |= against
        yield found


def _is_played_alone(finished: FinishedGame) -> bool:
    """Whether each at the table is one person, or a level, and has played without help."""
    people = [seat.person for seat in finished.seats if seat.person is not None]
    known = [person for person in people if person != NOBODY]
    return (
        bool(people)
        and not finished.hints
        and not finished.stood_in
        and len(set(known)) == len(known)
        and all(seat.kind != "here" for seat in finished.seats)
        and all(seat.person is not None or seat.player in LEVELS for seat in finished.seats)
    )


def places_of(finished: FinishedGame) -> tuple[tuple[str, int], ...] | None:
    """Who took which place; None where the game has no result."""
    winners: Sequence[int]
    if finished.result is not None:
        winners, points = finished.result.winners, finished.result.points
    elif finished.early is not None and finished.early.winners:
        winners, points = finished.early.winners, (0,) * len(finished.seats)
    else:
        return None
    worth = [(seat not in winners, -points[seat]) for seat in range(len(finished.seats))]
    ranked = sorted(worth)
    sat: Counter[str] = Counter()
    found = []
    for number, seat in enumerate(finished.seats):
        name = seat.player if seat.person is None else seat.person
        if name == NOBODY:
            name = f"{finished.id} {number}"
        elif sat[name]:
            name = f"{name} {sat[name] + 1}"
        sat[seat.player] += 1
        found.append((name, ranked.index(worth[number])))
    return tuple(found)


def level_of(player: str) -> str:
    """The level of somebody in a rated game; empty if it is a person."""
    level = player.partition(" ")[0]
    return level if level in LEVELS else ""


# ----------------------------------------------------------------------------------------------------- the database

_NOTICED: Final = exists().where(chat.c.table_id == tables.c.id, chat.c.kind.in_(STOOD_IN))
_FINISHED: Final = (
    select(
        tables.c.id,
        tables.c.game,
        tables.c.ended,
        tables.c.hints,
        _NOTICED.label("stood_in"),
        tables.c.result,
        tables.c.early,
        seats.c.kind,
        seats.c.person,
        seats.c.player,
    )
    .join(seats, seats.c.table_id == tables.c.id)
    .where(tables.c.status == "over")
    .order_by(tables.c.ended, tables.c.id, seats.c.seat)
)


def finished_games(db: Connection) -> Iterator[FinishedGame]:
    """All games that are over, in the order of their ends."""
    rows = db.execute(_FINISHED, execution_options={"yield_per": _BATCH})
    for _, sitting in groupby(rows, key=lambda row: row.id):
        yield _finished(list(sitting))


def _finished(sitting: Sequence[Any]) -> FinishedGame:
    row = sitting[0]
    return FinishedGame(
        id=row.id,
        game=row.game,
        ended=row.ended,
        hints=row.hints,
        stood_in=bool(row.stood_in),
        result=msgspec.json.decode(row.result, type=Result) if row.result else None,
        early=msgspec.json.decode(row.early, type=EarlyEnd) if row.early else None,
        seats=tuple([FinishedSeat(seat.kind, seat.person, seat.player) for seat in sitting]),
    )
