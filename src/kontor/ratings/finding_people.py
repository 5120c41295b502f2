"""Search for people by name, among those who chose to have a page that anybody can see."""

from __future__ import annotations

from typing import Final

from sqlalchemy import ColumnElement, Connection, bindparam, exists, func, select

from kontor.game import Value
from kontor.people import name_search
from kontor.people.public_pages import person_behind
from kontor.ratings.stored_ratings import profile_of
from kontor.storage.schema import blocks, people, profiles
from kontor.storage.transactions import Change, Transactions

MOST_NAMED: Final = 20
"""People of one name whose games are searched."""

_KEEPS_OUT_READER: Final = exists().where(
    blocks.c.person == people.c.id, blocks.c.other == bindparam("reader"), blocks.c.kind == "block"
)
_VISIBLE: Final = (
    select(people.c.id, people.c.name, profiles.c.handle)
    .join(profiles, profiles.c.person == people.c.id)
    .where(profiles.c.public, people.c.left.is_(None), people.c.suspended.is_(None), ~_KEEPS_OUT_READER)
    .order_by(func.length(people.c.name), people.c.name, people.c.id)
)
_SHOWS_GAMES: Final[ColumnElement[bool]] = profiles.c.parts.contains("games")


class FoundPerson(Value, frozen=True):
    """A person found by name, and the handle of their page."""

    name: str
    handle: str


class FoundPeople(Value, frozen=True):
    """People found by name, the shortest names first; ``more``: there are others of such a name."""

    people: tuple[FoundPerson, ...]
    more: bool


class PeopleSearch:
    """Searches for people, as far as they show themselves."""

    def __init__(self, transactions: Transactions[Change]) -> None:
        self._transactions = transactions

    def named(self, name: str, reader: str | None, limit: int = 50) -> FoundPeople:
        """Return the people with a public page whose name contains the text, except those who block the reader."""
        query = _VISIBLE.where(name_search.contains(people.c.name, name)).limit(limit + 1)
        with self._transactions.reading() as db:
            rows = db.execute(query, {"reader": reader or ""}).all()
        return FoundPeople(tuple([FoundPerson(row.name, row.handle) for row in rows[:limit]]), len(rows) > limit)

    def showing_games(self, name: str, reader: str | None) -> tuple[str, ...]:
        """Return the ids of people of a name whose games the reader may search: they show them, or are the reader.

        It is for the server alone.
        """
        is_called = name_search.contains(people.c.name, name)
        query = _VISIBLE.where(is_called, _SHOWS_GAMES).limit(MOST_NAMED)
        with self._transactions.reading() as db:
            ids = [row.id for row in db.execute(query, {"reader": reader or ""})]
            if reader and db.scalar(select(people.c.id).where(people.c.id == reader, is_called)):
                ids.append(reader)
        return tuple(dict.fromkeys(ids))

    def shown_games_of(self, handle: str, reader: str | None) -> tuple[str, str] | None:
        """Return the id and the name of a page's person if the reader may search their games, or None.

        The id is for the server alone.
        """
        with self._transactions.reading() as db:
            row = person_behind(db, handle, reader)
            if row is None or not (row.id == reader or _shows_games(db, row.id)):
                return None
            return row.id, row.name


def _shows_games(db: Connection, person: str) -> bool:
    profile = profile_of(db, person)
    return profile is not None and "games" in profile.parts
