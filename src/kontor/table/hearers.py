"""Who has a way switched on, so that a move by which nobody is to be notified asks the database nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sqlalchemy import Connection, false, select

from kontor.table.schema import ways

_HEARERS: Final = select(ways.c.person).where(ways.c.dead == false()).distinct()


class Hearers:
    """The persons, as this process knows them. They are asked for anew when ``endings`` has grown: whoever changes a
    way counts that up, and other processes hear of it at once, or within two seconds."""

    def __init__(self, endings: Callable[[], int]) -> None:
        self._endings = endings
        self._known: tuple[int, frozenset[str]] = (-1, frozenset())

    def has(self, db: Connection, person: str) -> bool:
        """Whether the person can be notified."""
        endings = self._endings()
        as_of, persons = self._known
        if as_of != endings:
            persons = frozenset(db.scalars(_HEARERS))
            self._known = (endings, persons)
        return person in persons

    def knows(self, person: str) -> bool | None:
        """The same without asking; None where it has to be asked."""
        as_of, persons = self._known
        return person in persons if as_of == self._endings() else None
