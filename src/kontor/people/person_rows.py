"""Queries for a person."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, bindparam, select, text

from kontor.errors import NotAllowed
from kontor.people.texts import LEFT
from kontor.storage.ids import is_id
from kontor.storage.schema import people
from kontor.storage.transactions import Change

_NAME: Final = select(people.c.name).where(people.c.id == bindparam("person"), people.c.left.is_(None))
_NAME_TAKEN: Final = _NAME.with_for_update(key_share=True)

NOBODY: Final = "someonewholeft000000"
"""The person on the seats of people who have left for good. It is the same for all of them and has no token."""

_MAKE_NOBODY: Final = text("INSERT INTO people (id, name, created) VALUES (:id, :name, :now) ON CONFLICT DO NOTHING")


def ensure_nobody(change: Change) -> None:
    """Add the row of NOBODY to the people, unless it is there."""
    change.db.execute(_MAKE_NOBODY, {"id": NOBODY, "name": LEFT, "now": change.now})


def name_of_person(db: Connection, person: str) -> str:
    """Return the person's name. Raises NotAllowed where there is no such person."""
    return _require_name(db.scalar(_NAME, {"person": person}))


def take_person(db: Connection, person: str) -> str:
    """Lock a person's row and return their name. Raises NotAllowed where there is no such person.

    Until the transaction ends, no other transaction changes or counts what belongs to them. (In SQLite the single
    writer is lock enough.)
    """
    return _require_name(db.scalar(_NAME_TAKEN, {"person": person}))


def take_typed_person(db: Connection, person: str) -> str:
    """Lock a person's row and return their name, where the id may be any typed text. Raises NotAllowed."""
    return _require_name(db.scalar(_NAME_TAKEN, {"person": person}) if is_id(person) else None)


def _require_name(name: str | None) -> str:
    if name is None:
        raise NotAllowed("", "There is no player with that id.")
    return name
