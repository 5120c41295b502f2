"""Storage of what people choose about their own moves."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, select, update

from kontor.moving.values import MoveChoices
from kontor.people.people import confirmed_paces
from kontor.people.person_rows import take_person
from kontor.people.values import CONFIRMED_PACES, ConfirmedPace
from kontor.storage.schema import people
from kontor.tables.transactions import TableTransactions


class OwnMoves:
    """The choices of people about their own moves. Safe to use from any thread."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def of(self, person: str) -> MoveChoices:
        """Return what a person has chosen."""
        with self._transactions.reading() as db:
            return choices_of(db, person)

    def choose(self, person: str, confirms: Collection[ConfirmedPace], *, only_move: bool = False) -> None:
        """Save where the person confirms each move, and whether the only one is played. Raises NotAllowed."""
        with self._transactions.changing() as change:
            take_person(change.db, person)
            paces = tuple([pace for pace in CONFIRMED_PACES if pace in confirms])
            _write(change.db, person, MoveChoices(paces, only_move))


def choices_of(db: Connection, person: str) -> MoveChoices:
    """Return what a person has chosen about their own moves."""
    row = db.execute(select(people.c.confirms, people.c.only_move).where(people.c.id == person)).first()
    return MoveChoices() if row is None else MoveChoices(confirmed_paces(row.confirms), row.only_move)


def merge(db: Connection, person: str, other: str) -> None:
    """Let the person confirm moves wherever either did; the only move is played for them if it was for both."""
    own, others = choices_of(db, person), choices_of(db, other)
    paces = [pace for pace in CONFIRMED_PACES if pace in (*own.confirms, *others.confirms)]
    _write(db, person, MoveChoices(tuple(paces), own.only_move and others.only_move))


def _write(db: Connection, person: str, choices: MoveChoices) -> None:
    values = {"confirms": " ".join(choices.confirms), "only_move": choices.only_move}
    db.execute(update(people).where(people.c.id == person).values(values))
