"""Somebody leaves for good. At once nothing brings them back, and nothing tells of them but the tables they were at.
These follow one by one, at the latest within a day, each in a transaction of its own: whoever plays there waits for
nothing.

What others keep of a game they keep: the log, with somebody who left in it. Where nobody else sat, the table goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import case, delete, select, text, update
from sqlalchemy.exc import IntegrityError

from kontor.table import acts, early_endings, enqueuing, opening, salts, tournament_entrants
from kontor.table.changes import Change
from kontor.table.clearing import delete_tables
from kontor.table.errors import BadName, NoTable
from kontor.table.people import ending
from kontor.table.rows import NOBODY, SeatRow, TableRow, seat_rows, tables_of, take_known, take_person
from kontor.table.schema import METADATA, chat, mail_addresses, people, reports, reviews, seats, tables
from kontor.table.texts import LEFT, distinct
from kontor.table.transactions import Transactions
from kontor.table.values import SPOKEN

AT_ONCE: Final = 50
"""Tables that are left at once; the others soon afterwards."""


class Leaving:
    """Whoever wants to go, and whoever has to."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def leave(self, person: str, name: str) -> None:
        """The person wants to be forgotten, and has typed their name to say so. Raises BadName."""
        with ending(self._transactions) as change:
            if " ".join(name.split()) != take_person(change.db, person):
                raise BadName("", "This is not your name. Nothing was deleted.")
            _begin(change, person)
            acts.note(change, person, "leave", person)
        go_on(self._transactions, AT_ONCE)

    def remove(self, person: str) -> None:
        """The operator deletes the person."""
        with ending(self._transactions) as change:
            take_known(change.db, person)
            _begin(change, person)
            acts.note(change, acts.OPERATOR, "delete", person)
        while go_on(self._transactions, AT_ONCE):
            pass


def _begin(change: Change, person: str) -> None:
    """Nothing brings them back, and nobody else's list has them."""
    db = change.db
    address = db.scalar(select(mail_addresses.c.address).where(mail_addresses.c.person == person))
    if address is not None:
        enqueuing.drop_mail(change, address)
    for column in _THEIRS:
        db.execute(delete(column.table).where(column == person))
    db.execute(update(reports).where(reports.c.reporter == person).values(reporter=None, reason=""))
    db.execute(update(reviews).where(reviews.c.person == person).values(person=None))
    gone = {"name": LEFT, "left": change.now, "next_seed": None}
    db.execute(update(people).where(people.c.id == person).values(**gone))


_THEIRS: Final = tuple(
    column
    for table in METADATA.sorted_tables
    for column in table.c
    for key in column.foreign_keys
    if key.column.table is people and key.ondelete == "CASCADE"
)
"""By which rows are a person's own: tokens, and whatever else goes when the person does."""


def go_on(transactions: Transactions, most: int) -> bool:
    """Some more of the tables of those who have left are without them, and people without tables are gone. Whether
    anything is left to do."""
    with transactions.reading() as db:
        leaving = db.scalars(select(people.c.id).where(people.c.left.is_not(None)).limit(most)).all()
    for person in leaving:
        with transactions.reading() as db:
            theirs = db.scalars(tables_of(person).limit(most)).all()
        for table in theirs:
            with transactions.changing() as change:
                _leave_table(change, table, person)
        most -= len(theirs)
        if most <= 0:
            return True
        with transactions.reading() as db:
            joined = tournament_entrants.of_person(db, person)
        for tournament in joined:
            with transactions.changing() as change:
                tournament_entrants.forget(change, tournament, person)
        _drop(transactions, person)
    return False


def _drop(transactions: Transactions, person: str) -> None:
    try:
        with transactions.changing() as change:
            change.db.execute(delete(people).where(people.c.id == person))
    except IntegrityError:
        return  # a request of theirs that was on its way has sat down meanwhile: the next round finds it


# ------------------------------------------------------------------------------------------------------- a table


def _leave_table(change: Change, table: str, person: str) -> None:
    try:
        row = change.take(table)
    except NoTable:
        return
    sitting = seat_rows(change.db, table)
    others = [who for who in (*[seat.person for seat in sitting], row.host) if who not in (None, NOBODY, person)]
    if not others or (row.status == "waiting" and salts.is_revealing(row, sitting)):
        delete_tables(change, [table])
        return
    if row.status == "waiting":
        opening.stand_up(change, row, sitting, person)
    _unname(change, row, sitting, person, others)
    if row.status == "playing":
        own = [seat.seat for seat in sitting if seat.person == person and not seat.resigned]
        early_endings.hand_over(change, row, own)
    change.touch(table)


def _unname(
    change: Change, row: TableRow, sitting: Sequence[SeatRow], person: str, others: Sequence[str | None]
) -> None:
    """From now on it was somebody who left who sat there, and said something."""
    db, here = change.db, seats.c.table_id == row.id
    db.execute(text(_MAKE_NOBODY), {"id": NOBODY, "name": LEFT, "now": change.now})
    taken = {seat.name for seat in sitting if seat.person != person}
    for seat in sitting:
        if seat.person == person and row.status != "waiting":
            name = distinct(LEFT, taken)
            taken.add(name)
            db.execute(update(seats).where(here, seats.c.seat == seat.seat).values(person=NOBODY, name=name))
            said = (chat.c.table_id == row.id) & (chat.c.seat == seat.seat) & (chat.c.person == person)
            db.execute(update(chat).where(said).values(name=name))
    if row.host == person:
        db.execute(update(tables).where(tables.c.id == row.id, tables.c.host == person).values(host=others[0]))
    theirs = (chat.c.table_id == row.id) & (chat.c.person == person)
    db.execute(update(chat).where(theirs, chat.c.seat.is_(None)).values(name=LEFT))
    taken_back = {"text": case((chat.c.kind.in_(SPOKEN), ""), else_=chat.c.text), "person": None}
    kind = case((chat.c.kind.in_(SPOKEN), "removed"), else_=chat.c.kind)
    db.execute(update(chat).where(theirs).values(**taken_back, kind=kind))


_MAKE_NOBODY: Final = "INSERT INTO people (id, name, created) VALUES (:id, :name, :now) ON CONFLICT DO NOTHING"
