"""Lists of tables: those of the lobby, those of a person, those found by a query."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import BindParameter, ColumnElement, Connection, Select, bindparam, exists, func, select, union

from kontor.people import name_search
from kontor.players.levels import LEVELS
from kontor.storage.schema import TABLE_ROW, blocks, chat, seats, tables
from kontor.storage.stored_times import datetime_of, milliseconds_of
from kontor.tables import undo
from kontor.tables.infos import BLOCKS_HOST, IS_KNOWN_GAME, PERSON, infos
from kontor.tables.rows import TableRow
from kontor.tables.transactions import TableTransactions
from kontor.tables.values import (
    SPOKEN,
    ChatLine,
    FoundTables,
    LatestTalk,
    Lobby,
    MachineTurn,
    Pace,
    Status,
    TableFilter,
    TableInfo,
)
from kontor.tables.visits import GOES_ON, UNWATCHED

_MOST: Final = 100
"""The most tables in a list."""

_EVERY: Final = 2**31 - 1
"""The limit for a person's own unfinished tables: none is left out, as it may be their turn there."""


_MOST_ROWS: Final[BindParameter[Any]] = bindparam("most")


_LISTED: Final = select(*TABLE_ROW).where(IS_KNOWN_GAME).limit(_MOST_ROWS)
# Each of the three has an index; with OR in one query, databases would scan the whole table.
_TABLES_OF_PERSON: Final = union(
    select(tables.c.id).where(tables.c.host == PERSON),
    select(seats.c.table_id).where(seats.c.person == PERSON),
    select(seats.c.table_id)
    .join(tables, tables.c.id == seats.c.table_id)
    .where(
        seats.c.reserved == PERSON,
        ~BLOCKS_HOST,
    ),
).subquery()
"""Tables that the person opened, sits at, or is awaited at for a rematch by somebody they have not blocked."""


def _newest(condition: ColumnElement[bool], by: ColumnElement[int | None]) -> Select[Any]:
    return _LISTED.where(condition).order_by(by.desc(), tables.c.id)


def _newest_of_person(condition: ColumnElement[bool], by: ColumnElement[int | None]) -> Select[Any]:
    return _newest(condition, by).join(_TABLES_OF_PERSON, _TABLES_OF_PERSON.c.id == tables.c.id)


_FREE: Final = exists().where(seats.c.table_id == tables.c.id, seats.c.kind == "open", seats.c.person.is_(None))
_OPEN: Final = _newest((tables.c.status == "waiting") & _FREE, tables.c.created)
_WATCHABLE: Final = _newest((tables.c.status == "playing") & tables.c.watch, tables.c.started)
_MOST_COUNTED: Final = 1000
"""Tables found beyond this number are not counted."""

_SINCE: Final = {"open": tables.c.created, "watch": tables.c.started}
_FILTERED: Final = {
    "open": select(tables.c.id).where(IS_KNOWN_GAME, tables.c.status == "waiting", _FREE),
    "watch": select(tables.c.id).where(IS_KNOWN_GAME, tables.c.status == "playing", tables.c.watch),
}


def _conditions(wanted: TableFilter) -> list[ColumnElement[bool]]:
    conditions = []
    if wanted.game:
        conditions.append(tables.c.game == wanted.game)
    if wanted.pace:
        conditions.append(tables.c.pace == wanted.pace)
    if wanted.free:
        empty = (seats.c.table_id == tables.c.id) & seats.c.person.is_(None) & (seats.c.player == "")
        conditions.append(select(func.count()).where(empty).scalar_subquery() == wanted.free)
    if wanted.rated:
        other = (seats.c.kind == "here") | ((seats.c.player != "") & seats.c.player.not_in(LEVELS))
        conditions += [~tables.c.hints, ~exists().where(seats.c.table_id == tables.c.id, other)]
    if wanted.name:
        is_called = name_search.contains(seats.c.name, wanted.name)
        conditions.append(exists().where(seats.c.table_id == tables.c.id, is_called))
    return conditions


_UNFINISHED: Final = _newest_of_person(tables.c.status.in_(("waiting", "playing")), tables.c.created)
_FINISHED: Final = _newest_of_person(tables.c.status == "over", tables.c.ended)
_BEFORE: Final = _FINISHED.where(tables.c.ended < bindparam("before"))


_NEWEST_SPOKEN: Final = (
    select(chat.c.table_id, func.max(chat.c.number).label("number"))
    .where(
        chat.c.table_id.in_(bindparam("ids", expanding=True)),
        chat.c.kind.in_(SPOKEN),
        ~exists().where(blocks.c.person == PERSON, blocks.c.other == chat.c.person),
    )
    .group_by(chat.c.table_id)
    .subquery()
)
_LATEST_TALK: Final = select(chat).join(
    _NEWEST_SPOKEN, (_NEWEST_SPOKEN.c.table_id == chat.c.table_id) & (_NEWEST_SPOKEN.c.number == chat.c.number)
)
"""The last message in each chat of some tables, but for people whom the person does not want to hear."""


class Listing:
    """Lists of tables: those of the lobby, those of a person, and those where a computer player is to move."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def lobby(self, person: str | None = None, limit: int = _MOST) -> Lobby:
        """Return the newest tables with an open seat, and the newest that can be watched.

        Each list has at most ``limit`` tables.
        """
        with self._transactions.reading() as db:
            open_, watchable = _rows(db, _OPEN, limit), _rows(db, _WATCHABLE, limit)
            table_infos = infos(db, [*open_, *watchable], person, self._transactions.now())
        return Lobby(table_infos[: len(open_)], table_infos[len(open_) :])

    def find(self, wanted: TableFilter, person: str | None = None, limit: int = 24) -> FoundTables:
        """Return a page of the tables that match a filter."""
        query = _FILTERED[wanted.show].where(*_conditions(wanted))
        by = _SINCE[wanted.show]
        page = query.with_only_columns(*TABLE_ROW).order_by(by.desc(), tables.c.id).limit(limit + 1)
        if wanted.after is not None:
            since, last = wanted.after
            page = page.where((by < since) | ((by == since) & (tables.c.id > last)))
        counted = select(func.count()).select_from(query.limit(_MOST_COUNTED + 1).subquery())
        with self._transactions.reading() as db:
            rows = [TableRow(*row) for row in db.execute(page)]
            number = db.scalar(counted) or 0
            table_infos = infos(db, rows[:limit], person, self._transactions.now())
        after = None
        if len(rows) > limit:
            last_row = rows[limit - 1]
            after = ((last_row.created if wanted.show == "open" else last_row.started) or 0, last_row.id)
        return FoundTables(table_infos, after, min(number, _MOST_COUNTED), number > _MOST_COUNTED)

    def my_tables(self, person: str) -> tuple[TableInfo, ...]:
        """Return the person's tables that wait or are being played.

        First come those where it is the person's turn, the longest waiting first. Then come those where it is
        another's turn, and then those that have not begun.
        """
        with self._transactions.reading() as db:
            rows = [TableRow(*row) for row in db.execute(_UNFINISHED, {"most": _EVERY, "person": person})]
            table_infos = infos(db, rows, person, self._transactions.now())
        return tuple(sorted(table_infos, key=_urgency))

    def latest_talk(self, person: str, table_ids: Sequence[str]) -> LatestTalk:
        """Return the last message at each of the tables, as the person may read them, and the time."""
        now = datetime_of(self._transactions.now())
        if not table_ids:
            return LatestTalk(now, {})
        with self._transactions.reading() as db:
            rows = db.execute(_LATEST_TALK, {"ids": list(table_ids), "person": person}).all()
        lines = {
            row.table_id: ChatLine(row.number, row.kind, row.seat, row.name, row.text, datetime_of(row.at))
            for row in rows
        }
        return LatestTalk(now, lines)

    def finished(self, person: str, before: datetime | None = None, limit: int = 50) -> tuple[TableInfo, ...]:
        """Return the person's finished tables, newest first.

        For more, ask for those before the end of the last one.
        """
        with self._transactions.reading() as db:
            if before is None:
                rows = _rows(db, _FINISHED, limit, person=person)
            else:
                rows = _rows(db, _BEFORE, limit, person=person, before=milliseconds_of(before))
            return infos(db, rows, person, self._transactions.now())

    def count_tables(self) -> dict[Status, int]:
        """Return how many tables wait, are being played, and are over; an index alone answers the query."""
        counted: dict[Status, int] = {"waiting": 0, "playing": 0, "over": 0}
        with self._transactions.reading() as db:
            for status, number in db.execute(select(tables.c.status, func.count()).group_by(tables.c.status)):
                counted[status] = number
        return counted

    def machine_turns(self) -> tuple[MachineTurn, ...]:
        """Return the tables where a computer player is to move, the longest waiting first.

        Tables where computer players are alone and nobody has looked for a while are left out.
        """
        with self._transactions.reading() as db:
            now = self._transactions.now()
            parameters = {"last_look": now - UNWATCHED}
            return tuple([_machine_turn(row, now) for row in db.execute(_MACHINE_TURNS, parameters)])

    def is_for_people(self, table: str) -> bool:
        """Return True if the cache shows that no computer player is to move at the table.

        If the table waits for others, or is not cached, return False.
        """
        snapshot = self._transactions.cache.get_noted(table)
        if snapshot is None or (snapshot.row.machine and not snapshot.row.paused):
            return False
        return snapshot.row.mover is not None or snapshot.row.dice != "in step"


def _urgency(table: TableInfo) -> tuple[bool, bool, float]:
    since = (table.since or table.created).timestamp()
    return not table.my_turn, table.status == "waiting", since if table.my_turn else -since


def _rows(db: Connection, query: Select[Any], limit: int = _MOST, **parameters: Any) -> list[TableRow]:
    return [TableRow(*row) for row in db.execute(query, {"most": max(0, min(limit, _MOST)), **parameters})]


_MACHINE_TURNS: Final = (
    select(
        tables.c.id,
        tables.c.host,
        tables.c.origin,
        tables.c.number,
        tables.c.undone,
        tables.c.undo,
        tables.c.mover,
        tables.c.game,
        tables.c.pace,
        tables.c.seconds,
        tables.c.reserve,
        tables.c.tempo,
        tables.c.since,
        seats.c.player,
        seats.c.stood_in,
    )
    .join(seats, (seats.c.table_id == tables.c.id) & (seats.c.seat == tables.c.mover))
    .where(tables.c.machine, ~tables.c.paused, GOES_ON)
    .order_by(tables.c.since)
)


def _machine_turn(row: Any, now: int) -> MachineTurn:
    last = undo.last_move(row)
    return MachineTurn(
        table=row.id,
        host=row.host,
        origin=row.origin,
        number=row.number,
        undone=row.undone,
        seat=row.mover,
        game=row.game,
        player=row.player or row.stood_in,
        pace=Pace(row.pace, row.seconds, row.reserve),
        tempo=row.tempo,
        waited=max(0, now - row.since) / 1000,
        waits=undo.UNDO_TIME / 1000 if last is not None and last.waits else 0.0,
    )


# ------------------------------------------------------------------------------------------------ from rows to values
