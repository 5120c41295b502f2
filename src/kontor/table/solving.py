"""What people have solved, as a text for each: what it says, is up to whoever sets the puzzles."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import delete, insert, select

from kontor.table.errors import NotAllowed
from kontor.table.schema import people, solved
from kontor.table.transactions import Transactions


class Solving:
    """How far people are with puzzles."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def of(self, person: str) -> str:
        """What is kept of a person; empty where nothing is."""
        kept = select(solved.c.progress).where(solved.c.person == person)
        return self._transactions.ask(lambda db: db.scalar(kept)) or ""

    def change(self, person: str, changed: Callable[[str], str]) -> str:
        """Keeps what ``changed`` makes of what was kept. Raises NotAllowed."""
        with self._transactions.changing() as change:
            # Whoever holds the person's row answers one puzzle after the other.
            known = change.db.scalar(
                select(people.c.id).where(people.c.id == person, people.c.left.is_(None)).with_for_update()
            )
            if known is None:
                raise NotAllowed("", "There is no player with that id.")
            kept = change.db.scalar(select(solved.c.progress).where(solved.c.person == person)) or ""
            progress = changed(kept)
            change.db.execute(delete(solved).where(solved.c.person == person))
            change.db.execute(insert(solved).values(person=person, progress=progress))
        return progress
