"""Queries of clubs and their members."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import BindParameter, ColumnElement, Connection, Row, Select, bindparam, or_, select

from kontor.errors import NoClub
from kontor.people.blocks import does_block
from kontor.storage.ids import is_id
from kontor.storage.schema import club_members, clubs

_HERE: Final[BindParameter[str]] = bindparam("club")
_CLUB: Final = select(clubs).where(clubs.c.id == _HERE)
_TAKEN: Final = _CLUB.with_for_update()


def take_club(db: Connection, club: str) -> Row[Any]:
    """Lock a club and return its row. Raises NoClub.

    Until the transaction ends, no other transaction changes the club or its members. A transaction that also locks
    people, tournaments or tables locks the people before, and the others afterwards.
    """
    return _require_row(db.execute(_TAKEN, {"club": club}).first() if is_id(club) else None)


def club_row(db: Connection, club: str) -> Row[Any]:
    """Return the row of a club. Raises NoClub."""
    return _require_row(db.execute(_CLUB, {"club": club}).first() if is_id(club) else None)


def _require_row(row: Row[Any] | None) -> Row[Any]:
    if row is None:
        raise no_club()
    return row


def no_club() -> NoClub:
    """Return the refusal to raise where a club does not exist, or the reader may not see it."""
    return NoClub("", "There is no such club, or only its members can see it.")


def is_member(db: Connection, club: str, person: str) -> bool:
    """Return True if the person is a member of the club."""
    query = select(club_members.c.joined).where(club_members.c.club == club, club_members.c.person == person)
    return db.execute(query).first() is not None


def clubs_of_person(person: str) -> Select[str]:
    """Return a subquery of the clubs of which the person is a member."""
    return select(club_members.c.club).where(club_members.c.person == person)


def members_of(club: str) -> Select[str]:
    """Return a subquery of the members of a club."""
    return select(club_members.c.person).where(club_members.c.club == club)


def may_see_club(reader: str | None) -> ColumnElement[bool]:
    """Return the condition that the reader may see a club.

    They may if they are a member, or if everybody may and its founder does not block them.
    """
    is_founder = (club_members.c.club == clubs.c.id) & club_members.c.founder
    founder = select(club_members.c.person).where(is_founder).correlate(clubs).scalar_subquery()
    return or_(clubs.c.id.in_(clubs_of_person(reader or "")), clubs.c.visible & ~does_block(founder, reader or ""))
