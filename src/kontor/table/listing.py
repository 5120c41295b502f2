"""What tables look like from outside: one, those of the lobby, those of a person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import msgspec
from sqlalchemy import ColumnElement, Connection, exists, func, select

from kontor.game import Result
from kontor.games import GAMES
from kontor.table import clocks
from kontor.table.opening import is_taken, may_sit
from kontor.table.rows import AnyRow, maybe_moment, moment, table_row
from kontor.table.schema import TABLE_ROW, seats, tables
from kontor.table.states import options_of
from kontor.table.values import Lobby, MachineTurn, Pace, SeatInfo, Status, TableInfo

_MOST: Final = 100
"""Tables in a list."""


def info(db: Connection, table: str, person: str | None, now: int) -> TableInfo:
    """One table, as the person may see it. Raises NoTable."""
    (told,) = _infos(db, [table_row(db, table)], person, now)
    return told


def lobby(db: Connection, person: str | None, now: int) -> Lobby:
    """The newest tables with a seat for whoever comes, and of those that people may watch."""
    free = exists().where(seats.c.table_id == tables.c.id, seats.c.kind == "open", seats.c.person.is_(None))
    open_ = _newest(db, (tables.c.status == "waiting") & free, tables.c.created)
    watchable = _newest(db, (tables.c.status == "playing") & tables.c.watch, tables.c.started)
    told = _infos(db, [*open_, *watchable], person, now)
    return Lobby(told[: len(open_)], told[len(open_) :])


def my_tables(db: Connection, person: str, now: int) -> tuple[TableInfo, ...]:
    """Those that wait or are being played: first where it is the person's turn, the longest waiting before others;
    then where it is another's, and then those that have not begun."""
    rows = _newest(db, tables.c.status.in_(("waiting", "playing")) & _concerns(person), tables.c.created)

    def urgency(table: TableInfo) -> tuple[bool, bool, float]:
        since = (table.since or table.created).timestamp()
        return not table.my_turn, table.status == "waiting", since if table.my_turn else -since

    return tuple(sorted(_infos(db, rows, person, now), key=urgency))


def finished(db: Connection, person: str, before: int | None, limit: int, now: int) -> tuple[TableInfo, ...]:
    """The last ones that are over, the newest first."""
    earlier = tables.c.ended < before if before is not None else tables.c.ended.is_not(None)
    rows = _newest(db, (tables.c.status == "over") & earlier & _concerns(person), tables.c.ended, limit)
    return _infos(db, rows, person, now)


def _concerns(person: str) -> ColumnElement[bool]:
    """The person opened it, sits there, or is awaited for a rematch."""
    theirs = (seats.c.person == person) | (seats.c.reserved == person)
    return (tables.c.host == person) | exists().where(seats.c.table_id == tables.c.id, theirs)


def _newest(
    db: Connection, which: ColumnElement[bool], by: ColumnElement[int | None], limit: int = _MOST
) -> Sequence[AnyRow]:
    # A game that this Kontor does not know any more cannot be shown.
    known = tables.c.game.in_(GAMES)
    return db.execute(
        select(*TABLE_ROW).where(which, known).order_by(by.desc(), tables.c.id).limit(max(0, min(limit, _MOST)))
    ).all()


def census(db: Connection) -> dict[Status, int]:
    """How many tables there are of each status. An index holds all that it takes."""
    counted: dict[Status, int] = {"waiting": 0, "playing": 0, "over": 0}
    for status, number in db.execute(select(tables.c.status, func.count()).group_by(tables.c.status)):
        counted[status] = number
    return counted


def machine_turns(db: Connection, now: int) -> tuple[MachineTurn, ...]:
    """Where a machine player is to move, the longest waiting first."""
    theirs = (seats.c.table_id == tables.c.id) & (seats.c.seat == tables.c.mover)
    waiting = (
        select(*TABLE_ROW, seats.c.player, seats.c.stood_in)
        .join(seats, theirs)
        .where(tables.c.status == "playing", (seats.c.player != "") | (seats.c.stood_in != ""))
        .order_by(tables.c.since)
    )
    return tuple(
        MachineTurn(
            table=row.id,
            number=row.number,
            seat=row.mover,
            game=row.game,
            player=row.player or row.stood_in,
            pace=Pace(row.pace, row.seconds, row.reserve),
            waited=max(0, now - row.since) / 1000,
        )
        for row in db.execute(waiting)
    )


# ------------------------------------------------------------------------------------------------ from rows to values


def _infos(db: Connection, rows: Sequence[AnyRow], person: str | None, now: int) -> tuple[TableInfo, ...]:
    ids = [row.id for row in rows]
    sitting = defaultdict(list)
    for seat in db.execute(select(seats).where(seats.c.table_id.in_(ids)).order_by(seats.c.seat)):
        sitting[seat.table_id].append(seat)
    again = select(tables.c.rematch_of, tables.c.id).where(tables.c.rematch_of.in_(ids)).order_by(tables.c.created)
    rematches = {row.rematch_of: row.id for row in db.execute(again)}
    return tuple(_info(row, sitting[row.id], rematches.get(row.id), person, now) for row in rows)


def _info(row: AnyRow, sitting: Sequence[AnyRow], rematch: str | None, person: str | None, now: int) -> TableInfo:
    playing = row.status == "playing"
    mine = tuple(seat.seat for seat in sitting if person is not None and seat.person == person)
    may_come = row.status == "waiting" and person is not None and not mine
    return TableInfo(
        id=row.id,
        game=row.game,
        options=options_of(row),
        status=row.status,
        seats=tuple(
            SeatInfo(
                kind=seat.kind,
                name=seat.name,
                player=seat.player,
                taken=is_taken(seat),
                mine=seat.seat in mine,
                may_sit=may_come and not is_taken(seat) and person is not None and may_sit(seat, person),
                stood_in=seat.stood_in,
                reserve=seat.left / 1000 if row.pace == "live" and not seat.player else None,
            )
            for seat in sitting
        ),
        pace=Pace(row.pace, row.seconds, row.reserve),
        watch=row.watch,
        stand_in=row.stand_in,
        order=row.seating,
        hints=row.hints,
        created=moment(row.created),
        started=maybe_moment(row.started),
        ended=maybe_moment(row.ended),
        number=row.number,
        mover=row.mover if playing else None,
        since=maybe_moment(row.since) if playing else None,
        deadline=maybe_moment(row.deadline) if playing else None,
        late=clocks.late(row, now) if playing else None,
        result=msgspec.json.decode(row.result, type=Result) if row.result else None,
        commitment=row.commitment,
        rematch=rematch,
        host=person is not None and row.host == person,
        mine=mine,
        my_turn=playing and row.mover in mine and not sitting[row.mover].stood_in,
        may_watch=bool(row.watch or mine),
    )
