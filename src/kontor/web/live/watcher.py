"""The visitor who opened a stream, checked for as long as it lasts."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic
from typing import Final

from kontor.people.people import People
from kontor.web.pages.visitor import Visitor

RECHECK_INTERVAL: Final = 60.0
"""Seconds after which a stream checks its session in any case: it may have expired."""


class Watcher:
    """The visitor who opened a stream, for each of its frames.

    The person is looked up again when sessions have been ended, here or elsewhere, and after ``RECHECK_INTERVAL``
    seconds. A visitor whose session has ended gets nothing more.
    """

    def __init__(self, people: People, visitor: Visitor) -> None:
        self._people = people
        self._visitor = visitor
        self._endings = people.endings
        self._checked_at = monotonic()
        self._id = visitor.id
        self._person = visitor.find_person()

    def now(self) -> Visitor | None:
        """Return the visitor, for one more frame; None if the session has ended or belongs to another person."""
        endings, now = self._people.endings, monotonic()
        if endings != self._endings or now - self._checked_at >= RECHECK_INTERVAL:
            self._endings, self._checked_at = endings, now
            self._person = self._visitor.find_person()
        if (self._person and self._person.id) != self._id:
            return None
        return replace(self._visitor, find_person=lambda: self._person)
