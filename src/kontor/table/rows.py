"""Looking up what most calls need: a table, its seats, a person."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, select

from kontor.table.errors import NoSeat, NoTable, NotAllowed
from kontor.table.schema import ID, TABLE_ROW, people, seats, tables

AnyRow = Row[Any]

_MOST_SEATS: Final = 100


def new_id() -> str:
    """96 bits that nobody can guess."""
    return base64.b32encode(secrets.token_bytes(12)).decode().rstrip("=").lower()


def is_id(text: str) -> bool:
    """Whether it could be one; what strangers send can be anything, and more than a database can take."""
    return len(text) == ID and text.isascii() and text.isalnum()


def table_row(db: Connection, table: str) -> AnyRow:
    """The row of a table. One that is to be changed is taken by :meth:`Change.take`. Raises NoTable."""
    row = db.execute(select(*TABLE_ROW).where(tables.c.id == table)).first() if is_id(table) else None
    if row is None:
        raise no_table()
    return row


def no_table() -> NoTable:
    """To be raised."""
    return NoTable("", "There is no such table.")


def seed_of(db: Connection, table: str) -> bytes:
    """The dealer's secret."""
    seed: bytes = db.execute(select(tables.c.seed).where(tables.c.id == table)).scalar_one()
    return seed


def seat_rows(db: Connection, table: str) -> Sequence[AnyRow]:
    """The seats of a table, in their order."""
    return db.execute(select(seats).where(seats.c.table_id == table).order_by(seats.c.seat)).all()


def seat_row(db: Connection, table: str, seat: int) -> AnyRow:
    """One seat. Raises NoSeat, also where there is no table."""
    if is_id(table) and 0 <= seat < _MOST_SEATS:
        row = db.execute(select(seats).where(seats.c.table_id == table, seats.c.seat == seat)).first()
        if row is not None:
            return row
    raise no_seat()


def no_seat() -> NoSeat:
    """To be raised."""
    return NoSeat("", "The table has no such seat.")


def name_of_person(db: Connection, person: str) -> str:
    """The name. Raises NotAllowed where there is no such person."""
    return _known(db.scalar(_name_of(person)))


def take_person(db: Connection, person: str) -> str:
    """The name of a person of whose things one is to be changed, or counted: until the transaction ends no other does
    so. (In SQLite the one writer is lock enough.) Raises NotAllowed where there is no such person."""
    return _known(db.scalar(_name_of(person).with_for_update(key_share=True)))


def _name_of(person: str) -> Select[str]:
    return select(people.c.name).where(people.c.id == person)


def _known(name: str | None) -> str:
    if name is None:
        raise NotAllowed("", "Nobody is known by that id.")
    return name


def is_machine(seat: AnyRow) -> bool:
    """Whether a machine player moves for the seat, for good or for the time being."""
    return bool(seat.player or seat.stood_in)


def moment(milliseconds: int) -> datetime:
    """The time that the database means."""
    return datetime.fromtimestamp(milliseconds // 1000, UTC).replace(microsecond=milliseconds % 1000 * 1000)


def maybe_moment(milliseconds: int | None) -> datetime | None:
    """The same, where there may be none."""
    return None if milliseconds is None else moment(milliseconds)


def milliseconds_of(time: datetime) -> int:
    """How the database means a time."""
    return round(time.timestamp() * 1000)
