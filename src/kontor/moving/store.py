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

    def choose(self, person: str, confirms: Collection[ConfirmedPace]) -> None:
        """Save at which tables the person confirms each move. Raises NotAllowed."""
        with self._transactions.changing() as change:
            take_person(change.db, person)
            _write(change.db, person, MoveChoices(tuple([pace for pace in CONFIRMED_PACES if pace in confirms])))


def choices_of(db: Connection, person: str) -> MoveChoices:
    """Return what a person has chosen about their own moves."""
    row = db.execute(select(people.c.confirms).where(people.c.id == person)).first()
    return MoveChoices() if row is None else MoveChoices(confirmed_paces(row.confirms))


def merge(db: Connection, person: str, other: str) -> None:
    """Let the person confirm their moves wherever the other did, too."""
    chosen = {*choices_of(db, person).confirms, *choices_of(db, other).confirms}
    _write(db, person, MoveChoices(tuple([pace for pace in CONFIRMED_PACES if pace in chosen])))


def _write(db: Connection, person: str, choices: MoveChoices) -> None:
    values = {"confirms": " ".join(choices.confirms)}
    db.execute(update(people).where(people.c.id == person).values(values))
