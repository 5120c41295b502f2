"""Cached ids of people with an active notification channel.

With them, a move of which nobody is to be notified needs no query.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sqlalchemy import Connection, false, select

from kontor.storage.schema import ways

_NOTIFIABLE: Final = select(ways.c.person).where(ways.c.dead == false()).distinct()


class NotifiablePeople:
    """The cached ids of this process.

    They are read again when ``endings`` has grown. Every transaction that changes a channel increases it, and other
    processes hear of that at once, or within two seconds.
    """

    def __init__(self, endings: Callable[[], int]) -> None:
        self._endings = endings
        self._cached: tuple[int, frozenset[str]] = (-1, frozenset())

    def has(self, db: Connection, person: str) -> bool:
        """Return True if the person can be notified."""
        endings = self._endings()
        as_of, persons = self._cached
        if as_of != endings:
            persons = frozenset(db.scalars(_NOTIFIABLE))
            self._cached = (endings, persons)
        return person in persons

    def knows(self, person: str) -> bool | None:
        """Return whether the person can be notified, by the cache alone; None if the cache is outdated."""
        as_of, persons = self._cached
        return person in persons if as_of == self._endings() else None
