"""Searches in the archive: the finished games that anybody may watch, the newest first, page by page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, FromClause, Select, bindparam, exists, func, select, tuple_

from kontor.game import Value
from kontor.people import name_search
from kontor.storage.schema import TABLE_ROW, seats, tables
from kontor.tables.infos import IS_KNOWN_GAME, infos
from kontor.tables.rows import TableRow
from kontor.tables.transactions import TableTransactions
from kontor.tables.values import TableInfo

GamesCursor = tuple[int, str]
"""The place of a game in the archive: when it ended, in milliseconds, and its table's id."""


class PeopleFilter(Value, frozen=True):
    """A search for games of people.

    Found are the games of each of ``persons``. Of the reader's own games, those are found as well in which another
    seat has a name that contains ``name``. ``won``: only games that such a person won (also together with others), or
    only games that such a person did not win, which may have no result.
    """

    persons: tuple[str, ...]
    name: str = ""
    won: bool | None = None


class GameFilter(Value, frozen=True):
    """A search for finished games.

    ``game`` and ``players`` (their number) apply where they are not empty or 0. Games end from ``since`` on and
    before ``until``, in milliseconds. ``rated``: only games that count for ratings, or only others. ``early``: only
    games that ended before the rules ended them, or only others. Games have from ``min_steps`` to ``max_steps``
    steps. ``older`` is the cursor of a page of older games, ``newer`` that of a page of newer ones.
    """

    game: str = ""
    players: int = 0
    since: int | None = None
    until: int | None = None
    rated: bool | None = None
    early: bool | None = None
    min_steps: int = 0
    max_steps: int | None = None
    people: PeopleFilter | None = None
    older: GamesCursor | None = None
    newer: GamesCursor | None = None


class FinishedGame(Value, frozen=True):
    """A finished game. ``rated`` is None until the night after its end, when ratings are calculated."""

    table: TableInfo
    rated: bool | None


class GamesFound(Value, frozen=True):
    """A page of finished games, and the cursors of the pages before and after it, where there are such pages."""

    games: tuple[FinishedGame, ...]
    older: GamesCursor | None
    newer: GamesCursor | None


_WANTED: Final = select(*TABLE_ROW, tables.c.rated).where(tables.c.id.in_(bindparam("ids", expanding=True)))


class FinishedGames:
    """Searches in the archive."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def find(self, wanted: GameFilter, reader: str | None = None, limit: int = 25) -> GamesFound:
        """Return a page of the games that match a filter, as the reader may see them."""
        with self._transactions.reading() as db:
            cursors, more = _page(db, wanted, reader, limit)
            rows = {row.id: row for row in db.execute(_WANTED, {"ids": [table for _, table in cursors]})}
            table_rows = [TableRow(*rows[table][:-1]) for _, table in cursors]
            table_infos = infos(db, table_rows, reader, self._transactions.now())
        older, newer = wanted.newer is not None or more, wanted.older is not None
        if wanted.newer is not None:
            newer = more
        return GamesFound(
            tuple([FinishedGame(info, rows[info.id].rated) for info in table_infos]),
            cursors[-1] if cursors and older else None,
            cursors[0] if cursors and newer else None,
        )

    def ids(self, wanted: GameFilter, reader: str | None, limit: int) -> tuple[list[str], GamesCursor | None]:
        """Return the tables of a page, and the cursor of the older page, if there is one."""
        with self._transactions.reading() as db:
            cursors, more = _page(db, wanted, reader, limit)
        return [table for _, table in cursors], cursors[-1] if more else None


def _page(db: Connection, wanted: GameFilter, reader: str | None, limit: int) -> tuple[list[GamesCursor], bool]:
    """Return the cursors of the games on a page, the newest first, and True if there are more in its direction."""
    gathered: set[GamesCursor] = set()
    for query in _queries(wanted, reader):
        gathered.update((row.archived, row.table_id) for row in db.execute(query.limit(limit + 1)))
    forward = wanted.newer is not None
    ordered = sorted(gathered, reverse=not forward)
    return sorted(ordered[:limit], reverse=True), len(ordered) > limit


def _queries(wanted: GameFilter, reader: str | None) -> Iterator[Select[Any]]:
    """Yield the queries whose results are the games of a page, in the order of an index each."""
    if wanted.people is None:
        query = select(tables.c.archived, tables.c.id.label("table_id")).where(*_conditions(wanted))
        yield _in_order(query.where(tables.c.archived.is_not(None)), wanted, tables.c.archived, tables.c.id)
        return
    of_people = (
        select(seats.c.archived, seats.c.table_id)
        .join(tables, tables.c.id == seats.c.table_id)
        .where(seats.c.archived.is_not(None), *_conditions(wanted))
        .distinct()  # a person may have several seats
    )
    in_order = _in_order(of_people, wanted, seats.c.archived, seats.c.table_id)
    won = wanted.people.won
    for person in wanted.people.persons:
        yield in_order.where(seats.c.person == person, *_fared(seats, won))
    if reader is not None and wanted.people.name:
        others = seats.alias()
        is_called = name_search.contains(others.c.name, wanted.people.name)
        is_other = (others.c.table_id == seats.c.table_id) & (others.c.seat != seats.c.seat)
        yield in_order.where(seats.c.person == reader, exists().where(is_other, is_called, *_fared(others, won)))


def _fared(sitting: FromClause, won: bool | None) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions that the person at a seat won the game, or did not, at this seat or another."""
    if won is not None:
        fellows = seats.alias()
        person = func.coalesce(fellows.c.person, "")  # not by the index of persons: the busiest have many seats
        same = (fellows.c.table_id == sitting.c.table_id) & (person == sitting.c.person)
        yield sitting.c.won.is_(won)
        if not won:
            yield ~exists().where(same, fellows.c.won)


def _conditions(wanted: GameFilter) -> Iterator[ColumnElement[bool]]:
    yield tables.c.game == wanted.game if wanted.game else IS_KNOWN_GAME
    if wanted.players:
        yield tables.c.players == wanted.players
    if wanted.rated is not None:
        yield tables.c.rated.is_(wanted.rated)
    if wanted.early is not None:
        yield tables.c.ended_early.is_(wanted.early)
    if wanted.min_steps:
        yield tables.c.length >= wanted.min_steps
    if wanted.max_steps is not None:
        yield tables.c.length <= wanted.max_steps


def _in_order(
    query: Select[Any], wanted: GameFilter, ended: ColumnElement[int | None], table: ColumnElement[str]
) -> Select[Any]:
    """Return the query within the times of the filter and beyond its cursor, in the direction of the page."""
    if wanted.since is not None:
        query = query.where(ended >= wanted.since)
    if wanted.until is not None:
        query = query.where(ended < wanted.until)
    if wanted.newer is not None:
        return query.where(tuple_(ended, table) > tuple_(*wanted.newer)).order_by(ended, table)
    if wanted.older is not None:
        query = query.where(tuple_(ended, table) < tuple_(*wanted.older))
    return query.order_by(ended.desc(), table.desc())
