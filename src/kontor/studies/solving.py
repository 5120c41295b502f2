"""People's progress with puzzles, one text per person; its format is up to the module that sets the puzzles."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import delete, insert, select

from kontor.errors import NotAllowed
from kontor.storage.schema import people, solved
from kontor.storage.transactions import Change, Transactions


class Solving:
    """The stored progress of people with puzzles."""

    def __init__(self, transactions: Transactions[Change]) -> None:
        self._transactions = transactions

    def of(self, person: str) -> str:
        """Return the person's progress, or an empty text."""
        query = select(solved.c.progress).where(solved.c.person == person)
        return self._transactions.ask(lambda db: db.scalar(query)) or ""

    def change(self, person: str, changed: Callable[[str], str]) -> str:
        """Replace the person's progress with what ``changed`` makes of it, and return that. Raises NotAllowed."""
        with self._transactions.changing() as change:
            # The lock on the person's row makes them answer one puzzle after the other.
            person_id = change.db.scalar(
                select(people.c.id).where(people.c.id == person, people.c.left.is_(None)).with_for_update()
            )
            if person_id is None:
                raise NotAllowed("", "There is no player with that id.")
            previous = change.db.scalar(select(solved.c.progress).where(solved.c.person == person)) or ""
            progress = changed(previous)
            change.db.execute(delete(solved).where(solved.c.person == person))
            change.db.execute(insert(solved).values(person=person, progress=progress))
        return progress
