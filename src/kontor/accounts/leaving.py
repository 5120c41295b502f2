"""Deletion of accounts.

At once the person can't sign in any more, and only the tables they were at still name them. These follow one by one,
within a day at the latest, each in a transaction of its own, so that other players do not wait.

Others keep their part of a game: the log, with somebody who left in it. If nobody else sat at a table, it is deleted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import case, delete, select, update
from sqlalchemy.exc import IntegrityError

from kontor.accounts import acts
from kontor.clubs import lifecycle as clubs
from kontor.errors import BadName, NoTable
from kontor.people.people import changing_sessions
from kontor.people.person_rows import NOBODY, ensure_nobody, take_person, take_typed_person
from kontor.people.texts import LEFT, distinct
from kontor.storage.schema import (
    METADATA,
    chat,
    mail_addresses,
    outbox,
    people,
    record_reviews,
    reports,
    reviews,
    seats,
    tables,
)
from kontor.tables import early_endings, enqueuing, opening, salts
from kontor.tables.clearing import delete_tables
from kontor.tables.rows import SeatRow, TableRow, seat_rows, tables_of
from kontor.tables.transactions import TableChange, TableTransactions
from kontor.tables.values import SPOKEN
from kontor.tournaments import tournament_entrants

AT_ONCE: Final = 50
"""Tables that are left at once; the others follow soon."""


class Leaving:
    """Deletes accounts, on request of the person or of the operator."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def leave(self, person: str, name: str) -> None:
        """Delete the person's account, confirmed by their typed name. Raises BadName."""
        with changing_sessions(self._transactions) as change:
            if " ".join(name.split()) != take_person(change.db, person):
                raise BadName("", "This is not your name. Nothing was deleted.")
            _begin_deletion(change, person)
            acts.note(change, person, "leave", person)
        go_on(self._transactions, AT_ONCE)

    def remove(self, person: str) -> None:
        """Delete the person's account for the operator."""
        with changing_sessions(self._transactions) as change:
            take_typed_person(change.db, person)
            _begin_deletion(change, person)
            acts.note(change, acts.OPERATOR, "delete", person)
        while go_on(self._transactions, AT_ONCE):
            pass


def _begin_deletion(change: TableChange, person: str) -> None:
    """Delete all by which the person could sign in, and all that is only theirs."""
    db = change.db
    address = db.scalar(select(mail_addresses.c.address).where(mail_addresses.c.person == person))
    if address is not None:
        enqueuing.drop_mail(change, address)
    clubs.leave_all(db, person)
    for column in (*_OWNED_COLUMNS, outbox.c.about):
        db.execute(delete(column.table).where(column == person))
    db.execute(update(reports).where(reports.c.reporter == person).values(reporter=None, reason="", around=""))
    for requested in (reviews, record_reviews):
        db.execute(update(requested).where(requested.c.person == person).values(person=None))
    values = {"name": LEFT, "left": change.now, "next_seed": None}
    db.execute(update(people).where(people.c.id == person).values(**values))


_OWNED_COLUMNS: Final = tuple(
    column
    for table in METADATA.sorted_tables
    for column in table.c
    for key in column.foreign_keys
    if key.column.table is people and key.ondelete == "CASCADE"
)
"""The columns that name a row's owner: tokens, and all other rows that are deleted with the person."""


def go_on(transactions: TableTransactions, most: int) -> bool:
    """Remove people who have left from some more of their tables, and delete those who have none left.

    Return True if anything is left to do.
    """
    with transactions.reading() as db:
        leaving = db.scalars(select(people.c.id).where(people.c.left.is_not(None)).limit(most)).all()
    for person in leaving:
        with transactions.reading() as db:
            running = tournament_entrants.running_of(db, person)
            table_ids = db.scalars(tables_of(person).limit(most)).all()
        for tournament in running:
            with transactions.changing() as change:
                tournament_entrants.leave_for_good(change, tournament, person)
        for table in table_ids:
            with transactions.changing() as change:
                _leave_table(change, table, person)
        most -= len(table_ids)
        if most <= 0:
            return True
        with transactions.reading() as db:
            joined = tournament_entrants.of_person(db, person)
        for tournament in joined:
            with transactions.changing() as change:
                tournament_entrants.forget(change, tournament, person)
        _delete_person(transactions, person)
    return False


def _delete_person(transactions: TableTransactions, person: str) -> None:
    try:
        with transactions.changing() as change:
            change.db.execute(delete(people).where(people.c.id == person))
    except IntegrityError:
        return  # a concurrent request of theirs has sat down meanwhile: the next round finds it


# ------------------------------------------------------------------------------------------------------- a table


def _leave_table(change: TableChange, table: str, person: str) -> None:
    try:
        row = change.take(table)
    except NoTable:
        return
    sitting = seat_rows(change.db, table)
    other_ids = [
        person_id
        for person_id in (*[seat.person for seat in sitting], row.host)
        if person_id not in (None, NOBODY, person)
    ]
    if not other_ids or (row.status == "waiting" and salts.is_revealing(row, sitting)):
        delete_tables(change, [table])
        return
    if row.status == "waiting":
        opening.stand_up(change, row, sitting, person)
    _anonymise(change, row, sitting, person, other_ids)
    if row.status == "playing":
        own_seats = [seat.seat for seat in sitting if seat.person == person and not seat.resigned]
        early_endings.hand_over(change, row, own_seats)
    change.touch(table)


def _anonymise(
    change: TableChange, row: TableRow, sitting: Sequence[SeatRow], person: str, other_ids: Sequence[str | None]
) -> None:
    """Replace the person's name and id at the table by those of somebody who left, and remove what they said."""
    db, at_table = change.db, seats.c.table_id == row.id
    ensure_nobody(change)
    taken_names = {seat.name for seat in sitting if seat.person != person}
    for seat in sitting:
        if seat.person == person and row.status != "waiting":
            name = distinct(LEFT, taken_names)
            taken_names.add(name)
            db.execute(update(seats).where(at_table, seats.c.seat == seat.seat).values(person=NOBODY, name=name))
            from_seat = (chat.c.table_id == row.id) & (chat.c.seat == seat.seat) & (chat.c.person == person)
            db.execute(update(chat).where(from_seat).values(name=name))
    if row.host == person:
        db.execute(update(tables).where(tables.c.id == row.id, tables.c.host == person).values(host=other_ids[0]))
    from_person = (chat.c.table_id == row.id) & (chat.c.person == person)
    db.execute(update(chat).where(from_person, chat.c.seat.is_(None)).values(name=LEFT))
    taken_back = {"text": case((chat.c.kind.in_(SPOKEN), ""), else_=chat.c.text), "person": None}
    kind = case((chat.c.kind.in_(SPOKEN), "removed"), else_=chat.c.kind)
    db.execute(update(chat).where(from_person).values(**taken_back, kind=kind))
