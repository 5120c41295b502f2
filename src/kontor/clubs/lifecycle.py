"""Clubs of people who leave or become one, for their own data, and for the operator."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, delete, func, or_, select, update

from kontor.clubs.store import founder_of, make_founder
from kontor.clubs.values import ClubSummary, OwnClub
from kontor.people import name_search
from kontor.people.memberships import clubs_of_person, take_club
from kontor.people.person_rows import NOBODY
from kontor.storage.schema import club_members, clubs, people
from kontor.storage.stored_times import datetime_of
from kontor.storage.transactions import Change

_MOST: Final = 200
"""The most clubs that the operator finds at once."""

_MEMBER: Final = club_members.c


def lock_all(db: Connection, *persons: str) -> None:
    """Lock all clubs of these persons, in one order."""
    is_theirs = or_(*(clubs.c.id.in_(clubs_of_person(person)) for person in persons))
    db.execute(select(clubs.c.id).where(is_theirs).order_by(clubs.c.id).with_for_update()).all()


def leave_all(db: Connection, person: str) -> None:
    """End all memberships of a person who is locked.

    The longest member takes over a club that the person runs; one who is suspended only where there is no other. A
    club without other members is closed.
    """
    lock_all(db, person)
    run = select(_MEMBER.club).where(_MEMBER.person == person, _MEMBER.founder)
    for club in db.scalars(run).all():
        heir = db.scalar(
            select(_MEMBER.person)
            .join(people, people.c.id == _MEMBER.person)
            .where(_MEMBER.club == club, _MEMBER.person.not_in((person, NOBODY)))
            .order_by(people.c.suspended.is_not(None), _MEMBER.joined, _MEMBER.handle)
            .limit(1)
        )
        if heir is None:
            db.execute(delete(clubs).where(clubs.c.id == club))
        else:
            make_founder(db, club, heir)
    db.execute(delete(club_members).where(_MEMBER.person == person))


def merge(db: Connection, person: str, other: str) -> None:
    """Give the person the memberships of the other. All clubs of both are locked."""
    is_others = _MEMBER.person == other
    own = {row.club: row for row in db.execute(select(club_members).where(_MEMBER.person == person))}
    for row in db.execute(select(club_members).where(is_others)).all():
        if row.club in own:
            both = {"joined": min(row.joined, own[row.club].joined), "founder": row.founder or own[row.club].founder}
            db.execute(delete(club_members).where(_MEMBER.club == row.club, is_others))
            is_own = (_MEMBER.club == row.club) & (_MEMBER.person == person)
            db.execute(update(club_members).where(is_own).values(**both))
    db.execute(update(club_members).where(is_others).values(person=person))


def own_clubs(db: Connection, person: str) -> tuple[OwnClub, ...]:
    """Return the clubs of a person, for their own data."""
    query = (
        select(clubs.c.name, clubs.c.about, _MEMBER.founder, _MEMBER.joined)
        .join(clubs, clubs.c.id == _MEMBER.club)
        .where(_MEMBER.person == person)
        .order_by(_MEMBER.joined, clubs.c.id)
    )
    return tuple([OwnClub(row.name, row.about, row.founder, datetime_of(row.joined)) for row in db.execute(query)])


# ------------------------------------------------------------------------------------------------------- the operator


def find(db: Connection, text: str) -> tuple[ClubSummary, ...]:
    """Return clubs whose name or line contains a text, or whose id it is; the newest first."""
    matches = or_(
        clubs.c.id == text, name_search.contains(clubs.c.name, text), name_search.contains(clubs.c.about, text)
    )
    number = select(func.count()).where(_MEMBER.club == clubs.c.id).correlate(clubs).scalar_subquery()
    founder = select(_MEMBER.person).where(_MEMBER.club == clubs.c.id, _MEMBER.founder).correlate(clubs)
    query = (
        select(clubs, founder.scalar_subquery().label("founder"), number.label("members"))
        .where(matches)
        .order_by(clubs.c.created.desc(), clubs.c.id)
        .limit(_MOST)
    )
    return tuple(
        [
            ClubSummary(row.id, row.name, row.about, datetime_of(row.created), row.founder, row.members)
            for row in db.execute(query)
        ]
    )


def close(change: Change, club: str) -> str:
    """Delete a club for the operator; return the id of the person who ran it. Raises NoClub."""
    take_club(change.db, club)
    founder = founder_of(change.db, club)
    change.db.execute(delete(clubs).where(clubs.c.id == club))
    return founder
