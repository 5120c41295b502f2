"""Queries of people by the pages that they show to everybody."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection, Row, exists, select

from kontor.storage.ids import is_id
from kontor.storage.schema import blocks, people, profiles

IS_PRESENT: Final = people.c.left.is_(None) & people.c.suspended.is_(None)
"""The condition that a person has neither left nor been suspended."""


_WITH_PAGE: Final = (
    select(people.c.id, people.c.name).join(profiles, profiles.c.person == people.c.id).where(IS_PRESENT)
)


def person_behind(db: Connection, handle: str, reader: str | None) -> Row[Any, Any] | None:
    """Return the id and the name of the page's person, if the reader may see the page.

    They may if it is public and the person has not blocked them, or if it is their own.
    """
    if not is_id(handle):
        return None
    reader = reader or ""
    kept_out = exists().where(
        blocks.c.person == profiles.c.person, blocks.c.other == reader, blocks.c.kind == "block"
    )
    may_see = (profiles.c.public & ~kept_out) | (profiles.c.person == reader)
    return db.execute(_WITH_PAGE.where(profiles.c.handle == handle, may_see)).first()


def person_in_public(db: Connection, handle: str) -> Row[Any, Any] | None:
    """Return the id and the name of a public page's person, whomever they block."""
    if not is_id(handle):
        return None
    return db.execute(_WITH_PAGE.where(profiles.c.handle == handle, profiles.c.public)).first()
