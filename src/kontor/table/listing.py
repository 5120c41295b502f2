"""What tables look like from outside: a single one, those of the lobby, those of a person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import msgspec
from msgspec.structs import replace
from sqlalchemy import BindParameter, ColumnElement, Connection, Select, bindparam, exists, func, or_, select, union

from kontor.endings import EarlyEnd
from kontor.fair import salt_commitment
from kontor.game import Result
from kontor.players.levels import LEVELS
from kontor.plugins import plugins
from kontor.storage.schema import TABLE_ROW, blocks, seats, tables
from kontor.table import absence, clocks, undo
from kontor.table.game_states import options_of
from kontor.table.presence import is_here
from kontor.table.rows import (
    Rematch,
    SeatRow,
    TableRow,
    asked_to_begin,
    datetime_of,
    is_taken,
    is_unrevealed,
    may_begin_without,
    may_sit,
    maybe_datetime,
    milliseconds_of,
)
from kontor.table.table_snapshots import TableSnapshot
from kontor.table.transactions import Transactions
from kontor.table.values import (
    FoundTables,
    Lobby,
    MachineTurn,
    Pace,
    RematchOffer,
    SeatInfo,
    Status,
    TableFilter,
    TableInfo,
)
from kontor.table.visits import GOES_ON, UNWATCHED

_HOUR: Final = 3600 * 1000

_MOST: Final = 100
"""The most tables in a list."""

_EVERY: Final = 2**31 - 1
"""The limit for a person's own unfinished tables: none is left out, as it may be their turn there."""


def info(snapshot: TableSnapshot, person: str | None, now: int) -> TableInfo:
    """Return one table, as the person may see it.

    A rematch is left out if the person has blocked its host.
    """
    rematch = snapshot.rematch
    if rematch is None or person in rematch.unwelcome_to:
        return _info(snapshot.row, snapshot.seats, None, person, now)
    without_offer = _info(snapshot.row, snapshot.seats, rematch.id, person, now)
    return replace(without_offer, rematch_offer=_offer(snapshot.seats, rematch, person))


_PERSON: Final[BindParameter[Any]] = bindparam("person")
_MOST_ROWS: Final[BindParameter[Any]] = bindparam("most")

IS_KNOWN_GAME: Final = tables.c.game.in_(bindparam("known_games", callable_=lambda: list(plugins()), expanding=True))
"""The condition that this Kontor knows the game; tables of other games cannot be shown."""

_BLOCKS_HOST: Final = exists().where(
    blocks.c.person == _PERSON, blocks.c.other == tables.c.host, blocks.c.kind == "block"
)
_LISTED: Final = select(*TABLE_ROW).where(IS_KNOWN_GAME).limit(_MOST_ROWS)
# Each of the three has an index; with OR in one query, databases would scan the whole table.
_TABLES_OF_PERSON: Final = union(
    select(tables.c.id).where(tables.c.host == _PERSON),
    select(seats.c.table_id).where(seats.c.person == _PERSON),
    select(seats.c.table_id)
    .join(tables, tables.c.id == seats.c.table_id)
    .where(
        seats.c.reserved == _PERSON,
        ~_BLOCKS_HOST,
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
        # SQLite folds the case of ASCII letters only.
        ways = {wanted.name, wanted.name.lower(), wanted.name.upper(), wanted.name.title()}
        called = or_(*(seats.c.name.icontains(way, autoescape=True) for way in sorted(ways)))
        conditions.append(exists().where(seats.c.table_id == tables.c.id, called))
    return conditions


_UNFINISHED: Final = _newest_of_person(tables.c.status.in_(("waiting", "playing")), tables.c.created)
_FINISHED: Final = _newest_of_person(tables.c.status == "over", tables.c.ended)
_BEFORE: Final = _FINISHED.where(tables.c.ended < bindparam("before"))


class Listing:
    """Lists of tables: those of the lobby, those of a person, and those where a computer player is to move."""

    def __init__(self, transactions: Transactions) -> None:
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
        if snapshot is None or snapshot.row.machine:
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
    .where(tables.c.machine, GOES_ON)
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


_IDS: Final[BindParameter[Any]] = bindparam("ids", expanding=True)
_THEIR_SEATS: Final = select(*seats.c).where(seats.c.table_id.in_(_IDS)).order_by(seats.c.seat)
_THEIR_REMATCHES: Final = (
    select(tables.c.rematch_of, tables.c.id)
    .where(tables.c.rematch_of.in_(_IDS), ~_BLOCKS_HOST)
    .order_by(tables.c.created)
)


def _salt_commitment(row: TableRow, seat: SeatRow) -> str:
    """Return the seat's commitment; for a salt told openly at a table with strict dice, the commitment to it.

    The people who tell their salts only when everybody sits must know before that the open ones stay as they are,
    too.
    """
    if row.dice != "strict" or seat.salt_commitment or not seat.salt:
        return seat.salt_commitment
    return salt_commitment(seat.salt)


def infos(db: Connection, rows: Sequence[TableRow], person: str | None, now: int) -> tuple[TableInfo, ...]:
    """Return several tables, as the person may see them."""
    ids = [row.id for row in rows]
    sitting = defaultdict(list)
    for seat in [SeatRow(*row) for row in db.execute(_THEIR_SEATS, {"ids": ids})]:
        sitting[seat.table_id].append(seat)
    rematches = {row.rematch_of: row.id for row in db.execute(_THEIR_REMATCHES, {"ids": ids, "person": person})}
    return tuple(_info(row, sitting[row.id], rematches.get(row.id), person, now) for row in rows)


def _presence(seat: SeatRow, reader: str | None, now: int) -> dict[str, Any]:
    """Return the presence of the person at a seat, as another person at the table may see it."""
    if reader is None or seat.person in (None, reader) or seat.player:
        return {"here": None, "away": None}
    is_present = is_here(seat, now)
    is_away = not is_present and seat.visited is not None
    return {"here": is_present, "away": max(0, now - (seat.visited or 0)) // _HOUR if is_away else None}


def _offer(sitting: Sequence[SeatRow], rematch: Rematch, person: str | None) -> RematchOffer | None:
    """Return the offer of a rematch, with those people of the old table who have not answered or have declined."""
    if not rematch.seats:
        return None
    names: dict[str, str] = {}
    for seat in sitting:
        if seat.person is not None:
            names.setdefault(seat.person, seat.name)  # of several at one device, the first
    present = {seat.person for seat in rematch.seats}
    awaited = {seat.reserved for seat in rematch.seats if seat.person is None and seat.reserved is not None}
    return RematchOffer(
        by=names.get(rematch.host, ""),
        missing=tuple(name for person_id, name in names.items() if person_id in awaited),
        declined=tuple(name for person_id, name in names.items() if person_id not in awaited | present),
        own=person == rematch.host,
        asked=person in awaited,
    )


def _seat_info(row: TableRow, seat: SeatRow, own_seats: Sequence[int], person: str | None, now: int) -> SeatInfo:
    waiting = row.status == "waiting"
    is_free = waiting and not own_seats and not is_taken(seat)
    return SeatInfo(
        kind=seat.kind,
        name=seat.name,
        player=seat.player,
        taken=is_taken(seat),
        mine=seat.seat in own_seats,
        may_sit=is_free and person is not None and may_sit(seat, person),
        stood_in=seat.stood_in,
        reserve=seat.left / 1000 if row.pace == "live" and not seat.player else None,
        resigned=seat.resigned,
        agreed=seat.agreed and row.proposed is not None,
        salt_commitment=_salt_commitment(row, seat),
        unrevealed=waiting and is_unrevealed(seat),
        begins_without=waiting and seat.begins_without,
        **_presence(seat, person if own_seats else None, now),
    )


def _info(row: TableRow, sitting: Sequence[SeatRow], rematch: str | None, person: str | None, now: int) -> TableInfo:
    playing = row.status == "playing"
    own_seats = tuple(seat.seat for seat in sitting if person is not None and seat.person == person)
    return TableInfo(
        id=row.id,
        game=row.game,
        options=options_of(row),
        status=row.status,
        seats=tuple(_seat_info(row, seat, own_seats, person, now) for seat in sitting),
        pace=Pace(row.pace, row.seconds, row.reserve),
        watch=row.watch,
        stand_in=row.stand_in,
        order=row.seating,
        hints=row.hints,
        takeover=row.takeover,
        tempo=row.tempo,
        created=datetime_of(row.created),
        started=maybe_datetime(row.started),
        ended=maybe_datetime(row.ended),
        number=row.number,
        mover=row.mover if playing else None,
        since=maybe_datetime(row.since) if playing else None,
        deadline=maybe_datetime(row.deadline) if playing else None,
        late=clocks.late_seat(row, now) if playing else None,
        undo_until=undo.undo_until(row, sitting, person, now),
        undone=row.undone,
        result=msgspec.json.decode(row.result, type=Result) if row.result else None,
        early=msgspec.json.decode(row.early, type=EarlyEnd) if row.early else None,
        proposed=row.proposed,
        claimable=absence.claimable_seat(row, sitting, now),
        dice=row.dice,
        commitment=row.commitment,
        revealing=row.status == "waiting" and row.since is not None,
        may_begin_without=may_begin_without(row, sitting, now),
        asked_to_begin=row.status == "waiting" and person in asked_to_begin(sitting),
        next_commitment=row.next_commitment or "",
        rematch=rematch,
        rematch_offer=None,
        host=person is not None and row.host == person,
        mine=own_seats,
        my_turn=playing and row.mover in own_seats and not sitting[row.mover].stood_in,
        may_watch=bool(row.watch or own_seats),
    )
