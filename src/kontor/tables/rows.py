"""Queries that most calls need: for a table, its seats, a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import BindParameter, CompoundSelect, Connection, bindparam, select, union

from kontor.errors import NoSeat, NoTable
from kontor.game import Value
from kontor.people.blocks import blockers
from kontor.storage.ids import is_id
from kontor.storage.schema import SEAT_ROW, TABLE_ROW, chat, seats, tables
from kontor.storage.stored_times import past_time
from kontor.tables.values import DiceKind, Level, Order, PaceKind, ProposalKind, SeatKind, StandIn, Status, Tempo

_MOST_SEATS: Final = 100


class TableRow(Value, frozen=True):
    """A row of ``tables`` but for the seeds, in the order of TABLE_ROW."""

    id: str
    game: str
    rules: int
    options: str
    pace: PaceKind
    seconds: int
    reserve: int
    watch: bool
    stand_in: StandIn
    seating: Order
    hints: bool
    takeover: Level
    tempo: Tempo
    host: str
    status: Status
    created: int
    started: int | None
    ended: int | None
    number: int
    mover: int | None
    since: int | None
    deadline: int | None
    result: str | None
    early: str | None
    proposed: int | None
    commitment: str
    changes: int
    rematch_of: str | None
    machine: bool
    next_commitment: str | None
    dice: DiceKind
    origin: int
    undo: str | None
    undone: int
    proposal: ProposalKind
    stopped: int | None
    resumes: int | None
    paused: bool
    breaks: bool
    undo_to: int | None
    streams: str | None


class SeatRow(Value, frozen=True):
    """A row of ``seats``, in the order of SEAT_ROW."""

    table_id: str
    seat: int
    place: int
    kind: SeatKind
    name: str
    player: str
    person: str | None
    reserved: str | None
    salt: str
    stood_in: str
    left: int
    resigned: bool
    agreed: bool
    visited: int | None
    salt_commitment: str
    begins_without: bool
    here: bool
    holiday: int | None
    given: int


# Statements are built once: building one takes SQLAlchemy several times as long as running it.
_HERE: Final[BindParameter[str]] = bindparam("table")
_TABLE: Final = select(*TABLE_ROW).where(tables.c.id == _HERE)
_VERSION: Final = select(tables.c.changes, tables.c.since).where(tables.c.id == _HERE)
_SEED: Final = select(tables.c.seed).where(tables.c.id == _HERE)
_REMATCH: Final = (
    select(tables.c.id, tables.c.status, tables.c.host)
    .where(tables.c.rematch_of == _HERE)
    .order_by(tables.c.created.desc(), tables.c.id)
    .limit(1)
)
_SEATS: Final = select(*SEAT_ROW).where(seats.c.table_id == _HERE).order_by(seats.c.seat)
_SEAT: Final = select(*SEAT_ROW).where(seats.c.table_id == _HERE, seats.c.seat == bindparam("seat"))


def table_row(db: Connection, table: str) -> TableRow:
    """Return the row of a table. To change it, use :meth:`Change.take`. Raises NoTable."""
    row = db.execute(_TABLE, {"table": table}).first() if is_id(table) else None
    if row is None:
        raise no_table()
    return TableRow(*row)


def version_of(db: Connection, table: str) -> tuple[int, int | None]:
    """Return how often a table was changed, and since when it waits for its mover. Raises NoTable."""
    row = db.execute(_VERSION, {"table": table}).first() if is_id(table) else None
    if row is None:
        raise no_table()
    return row.changes, row.since


class Rematch(Value, frozen=True):
    """The table of a rematch: its host, its seats as long as it waits, and the people who have blocked the host."""

    id: str
    host: str
    seats: tuple[SeatRow, ...]
    unwelcome_to: frozenset[str]


def rematch_of(db: Connection, table: str) -> Rematch | None:
    """Return the rematch of a table, or None if there is none."""
    row = db.execute(_REMATCH, {"table": table}).first()
    if row is None:
        return None
    waiting = seat_rows(db, row.id) if row.status == "waiting" else ()
    return Rematch(row.id, row.host, waiting, blockers(db, row.host))


def no_table() -> NoTable:
    """Return the refusal to raise where there is no such table."""
    return NoTable("", "This table does not exist.")


def seed_of(db: Connection, table: str) -> bytes:
    """Return the secret seed of the table's dice."""
    seed: bytes = db.execute(_SEED, {"table": table}).scalar_one()
    return seed


def seat_rows(db: Connection, table: str) -> tuple[SeatRow, ...]:
    """Return the seats of a table, in order."""
    return tuple([SeatRow(*row) for row in db.execute(_SEATS, {"table": table})])


def seat_row(db: Connection, table: str, seat: int) -> SeatRow:
    """Return one seat. Raises NoSeat, also where there is no such table."""
    if is_id(table) and 0 <= seat < _MOST_SEATS:
        row = db.execute(_SEAT, {"table": table, "seat": seat}).first()
        if row is not None:
            return SeatRow(*row)
    raise no_seat()


def no_seat() -> NoSeat:
    """Return the refusal to raise where there is no such seat."""
    return NoSeat("", "The table does not have this seat.")


def tables_of(*persons: str) -> CompoundSelect[Any]:
    """Return a query for the ids of all tables to do with these persons, in no order.

    These are tables that one of them has opened, plays at, has a reserved seat at or has talked at.
    """
    return union(
        select(tables.c.id).where(tables.c.host.in_(persons)),
        select(seats.c.table_id).where(seats.c.person.in_(persons)),
        select(seats.c.table_id).where(seats.c.reserved.in_(persons)),
        select(chat.c.table_id).where(chat.c.person.in_(persons)),
    )


def is_machine(seat: SeatRow) -> bool:
    """Return True if a computer player moves for the seat, for good or as a stand-in."""
    return bool(seat.player or seat.stood_in)


def is_taken(seat: SeatRow) -> bool:
    """Return True if a person or a computer player sits there."""
    return bool(seat.person or seat.player)


def is_unrevealed(seat: SeatRow) -> bool:
    """Return True if the seat has committed to a salt and not revealed it yet."""
    return bool(seat.salt_commitment and not seat.salt)


def may_begin_without(row: TableRow, sitting: Sequence[SeatRow], now: int) -> bool:
    """Return True if salts have been missing for so long that the others may begin without them."""
    if row.status != "waiting" or row.deadline is None:
        return False
    is_over = row.deadline <= now or not past_time(row.since, now)
    return is_over and any(map(is_unrevealed, sitting))


def asked_to_begin(sitting: Sequence[SeatRow]) -> set[str]:
    """Return the persons who must agree to begin without the missing salts.

    These are all whose own salt is not missing; if there are no such persons, all.
    """
    present = {seat.person for seat in sitting if seat.person}
    absent = {seat.person for seat in sitting if seat.person and is_unrevealed(seat)}
    return present - absent or present


def may_sit(seat: SeatRow, person: str) -> bool:
    """Return True if the person needs no invitation for the seat."""
    return bool(seat.kind == "open" or seat.reserved == person)
