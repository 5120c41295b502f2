"""Finished games that are rated, and the places in them.

Rated are games of people, with or without computer players of the levels, in which all played for themselves and to
the end. Hints, standing in, and two people at one device exclude a game. In a game of two, resigning and staying away
decide it. Among more, people who resign are last, and share that place. So nobody avoids a loss by resigning, nor
takes a good game from the others, whose places are those of the end. (The computer player that plays on is the same
for all of them.) An end by agreement decides nothing. Duplicate games over days are not rated: people at different
tables can tell each other the dice to come.
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
from kontor.people.person_rows import NOBODY
from kontor.players.levels import LEVELS
from kontor.storage.schema import chat, seats, tables
from kontor.tables.values import SHARED_DICE, SeatKind

_DAY: Final = 24 * 3600 * 1000

_BATCH: Final = 2000
"""Rows read at once."""

STOOD_IN: Final = "stood in"
"""The kind of chat row that tells of a computer player in a person's place, even if they have come back since."""


class FinishedSeat(NamedTuple):
    """A seat of a game: a ``person``, or the computer ``player``; ``resigned`` if that played on for the person."""

    kind: SeatKind
    person: str | None
    player: str
    resigned: bool = False


class StartedGame(Value, frozen=True):
    """A game that has begun, rated or not.

    ``ended`` is None while it goes on. ``stood_in`` means that a computer player stood in for a while, for somebody
    who did not resign. ``foreseeable`` means that other tables have the same dice, and their players have days to
    tell what is to come.
    """

    id: str
    game: str
    started: int
    ended: int | None
    hints: bool
    stood_in: bool
    result: Result | None
    early: EarlyEnd | None
    seats: tuple[FinishedSeat, ...]
    foreseeable: bool = False


class RatedGame(Value, frozen=True):
    """A rated game, at a ``table``.

    ``places`` are those of people, by their ids, and of levels; the best have 0. Levels have their names and a number
    if there are several (``casual 2``). A person who has left since has a placeholder id of which nothing else is
    known.
    """

    game: str
    ended: int
    places: tuple[tuple[str, int], ...]
    table: str
    started: int

    @property
    def people(self) -> tuple[str, ...]:
        """Return the ids of the people who have played."""
        return tuple(player for player, _ in self.places if not level_of(player))

    @property
    def levels(self) -> frozenset[str]:
        """Return the levels that have played."""
        return frozenset(level for player, _ in self.places if (level := level_of(player)))


def select_rated(games: Iterable[StartedGame]) -> Iterator[RatedGame]:
    """Yield the rated games of those given, which are in the order of their beginnings.

    Of a person's games against levels alone, only the first that they began on a day (UTC) is rated. If that one ends
    without a place, no other replaces it: nobody can wait and see.
    """
    met: set[tuple[str, str, str, int]] = set()
    for started in games:
        if not _is_for_rating(started):
            continue
        people = [seat.person for seat in started.seats if seat.person is not None]
        if len(people) == 1:
            day = started.started // _DAY
            levels = {seat.player for seat in started.seats if seat.person is None}
            against = {(started.game, people[0], level, day) for level in levels}
            if against & met:
                continue
            met |= against
        places = None if started.stood_in or started.ended is None else places_of(started)
        if places is not None and started.ended is not None:
            yield RatedGame(started.game, started.ended, places, started.id, started.started)


def _is_for_rating(finished: StartedGame) -> bool:
    """Return True if, from the beginning, each seat has its own person or a level, and plays without help."""
    people = [seat.person for seat in finished.seats if seat.person is not None]
    identified = [person for person in people if person != NOBODY]
    return (
        bool(people)
        and not finished.hints
        and not finished.foreseeable
        and len(set(identified)) == len(identified)
        and all(seat.kind != "here" for seat in finished.seats)
        and all(seat.person is not None or seat.player in LEVELS for seat in finished.seats)
    )


def places_of(finished: StartedGame) -> tuple[tuple[str, int], ...] | None:
    """Return each player's place; None if the game has no result."""
    winners: Sequence[int]
    if finished.result is not None:
        winners, points = finished.result.winners, finished.result.points
    elif finished.early is not None and finished.early.winners:
        winners, points = finished.early.winners, (0,) * len(finished.seats)
    elif finished.early is not None and _left_to_levels(finished, finished.early):
        winners, points = (), (0,) * len(finished.seats)
    else:
        return None
    worth = [
        (True, True, 0) if sitting.resigned else (False, seat not in winners, -points[seat])
        for seat, sitting in enumerate(finished.seats)
    ]
    ranked = sorted(worth)
    sat: Counter[str] = Counter()
    places = []
    for number, seat in enumerate(finished.seats):
        name = seat.player if seat.person is None else seat.person
        if name == NOBODY:
            name = f"{finished.id} {number}"
        elif sat[name]:
            name = f"{name} {sat[name] + 1}"
        sat[seat.player] += 1
        places.append((name, ranked.index(worth[number])))
    return tuple(places)


def _left_to_levels(finished: StartedGame, early: EarlyEnd) -> bool:
    """Return True if all people have resigned: then the remaining levels have won, and share the first place."""
    return early.how == "resigned" and any(seat.player for seat in finished.seats)


def level_of(player: str) -> str:
    """Return the level of a player in a rated game; "" if it is a person."""
    level = player.partition(" ")[0]
    return level if level in LEVELS else ""


# ----------------------------------------------------------------------------------------------------- the database

_GAVE_UP: Final = seats.alias()
_GIVEN_UP: Final = exists().where(
    _GAVE_UP.c.table_id == chat.c.table_id, _GAVE_UP.c.seat == chat.c.seat, _GAVE_UP.c.resigned
)
_NOTICED: Final = exists().where(chat.c.table_id == tables.c.id, chat.c.kind == STOOD_IN, ~_GIVEN_UP)
_STARTED: Final = (
    select(
        tables.c.id,
        tables.c.game,
        tables.c.started,
        tables.c.ended,
        tables.c.hints,
        ((tables.c.pace == "slow") & tables.c.dice.in_(SHARED_DICE)).label("foreseeable"),
        _NOTICED.label("stood_in"),
        tables.c.result,
        tables.c.early,
        seats.c.kind,
        seats.c.person,
        seats.c.player,
        seats.c.resigned,
    )
    .join(seats, seats.c.table_id == tables.c.id)
    .where(tables.c.status.in_(("playing", "over")))
    .order_by(tables.c.started, tables.c.id, seats.c.seat)
)


def started_games(db: Connection) -> Iterator[StartedGame]:
    """Yield all games that have begun, in the order of their beginnings."""
    rows = db.execute(_STARTED, execution_options={"yield_per": _BATCH})
    for _, sitting in groupby(rows, key=lambda row: row.id):
        yield _started_game(list(sitting))


def _started_game(sitting: Sequence[Any]) -> StartedGame:
    row = sitting[0]
    return StartedGame(
        id=row.id,
        game=row.game,
        started=row.started,
        ended=row.ended,
        hints=row.hints,
        stood_in=bool(row.stood_in),
        result=msgspec.json.decode(row.result, type=Result) if row.result else None,
        early=msgspec.json.decode(row.early, type=EarlyEnd) if row.early else None,
        seats=tuple([FinishedSeat(seat.kind, seat.person, seat.player, seat.resigned) for seat in sitting]),
        foreseeable=bool(row.foreseeable),
    )
