"""Clubs: founded, joined, changed and closed.

A change locks the row of the person who makes it, and then that of the club.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, Select, delete, func, insert, select, update

from kontor.clubs.values import ClubInfo, ClubInvitation, ClubView, MemberInfo
from kontor.errors import BadInvitation, BadText, NotAllowed, NotNow, TooMany
from kontor.people.blocks import is_kept_out
from kontor.people.memberships import is_member, may_see_club, no_club, take_club
from kontor.people.person_rows import take_person
from kontor.people.public_pages import IS_PRESENT
from kontor.people.texts import chat_of, name_of
from kontor.plugins import plugins
from kontor.ratings.shown_ratings import visible_rating
from kontor.storage.ids import is_id, new_id
from kontor.storage.schema import club_members, club_tournaments, clubs, people, profiles, ratings, tournaments
from kontor.storage.stored_times import datetime_of
from kontor.storage.transactions import Change, Transactions

MOST_FOUNDED: Final = 5
"""The most clubs that one person runs when they found another."""

MOST_JOINED: Final = 20
"""The most clubs of which one person is a member when they join another."""

MOST_MEMBERS: Final = 200
"""The most members of a club."""

LONGEST_ABOUT: Final = 200
"""The most characters of the line about a club."""

_MEMBER: Final = club_members.c


class Clubs:
    """The clubs of a server. Safe to use from any thread."""

    def __init__(self, transactions: Transactions[Change]) -> None:
        self._transactions = transactions

    # ---------------------------------------------------------------------------------------------------- queries

    def of(self, person: str) -> tuple[ClubInfo, ...]:
        """Return the clubs of which the person is a member, by name."""
        query = (
            select(clubs.c.id, clubs.c.name, _MEMBER.founder, _count_members().label("members"))
            .join(clubs, clubs.c.id == _MEMBER.club)
            .where(_MEMBER.person == person)
        )
        with self._transactions.reading() as db:
            rows = db.execute(query).all()
        listed = [ClubInfo(row.id, row.name, row.members, row.founder) for row in rows]
        return tuple(sorted(listed, key=lambda club: (club.name.casefold(), club.id)))

    def view(self, club: str, reader: str | None) -> ClubView:
        """Return a club with its members. Raises NoClub."""
        with self._transactions.reading() as db:
            row = require_visible(db, club, reader)
            member_rows = db.execute(_MEMBERS.where(_MEMBER.club == club)).all()
            rated = db.execute(_RATED.where(_MEMBER.club == club)).all()
            own = db.execute(_is_member(club, reader)).first() if reader else None
        ratings_of: dict[str, dict[str, str]] = {}
        for rating in rated:
            if points := visible_rating(rating).rating:
                ratings_of.setdefault(rating.person, {})[rating.game] = points
        is_founder = bool(own and own.founder)
        listed = [one for one in member_rows if own or one.public or one.listed]
        members = [_member(one, reader, ratings_of.get(one.person, {}), to_founder=is_founder) for one in listed]
        return ClubView(
            id=row.id,
            name=row.name,
            about=row.about,
            visible=row.visible,
            created=datetime_of(row.created),
            member=own is not None,
            founder=is_founder,
            invitation=row.invitation if is_founder else "",
            members=tuple(members),
            hidden=len(member_rows) - len(listed),
        )

    def invited(self, invitation: str, reader: str | None) -> ClubInvitation:
        """Return the club to which an invitation link leads. Raises BadInvitation."""
        with self._transactions.reading() as db:
            row = _invited(db, invitation, reader)
            founder = db.scalar(
                select(people.c.name)
                .join(club_members, _MEMBER.person == people.c.id)
                .where(_MEMBER.club == row.id, _MEMBER.founder, IS_PRESENT)
            )
            members = db.scalar(select(_count_members()).where(clubs.c.id == row.id)) or 0
            is_already = reader is not None and is_member(db, row.id, reader)
        return ClubInvitation(row.id, row.name, row.about, founder or "", members, is_already)

    # --------------------------------------------------------------------------------------------------- everybody

    def create(self, person: str, name: str, about: str, *, visible: bool = False) -> str:
        """Found a club, whose first member the person is; return its id. Raises BadName, BadText, TooMany."""
        values = _values(name, about, visible=visible)
        with self._transactions.changing() as change:
            take_person(change.db, person)
            own = select(func.count()).where(_MEMBER.person == person, _MEMBER.founder)
            if (change.db.scalar(own) or 0) >= MOST_FOUNDED:
                raise TooMany("", "You already run {most} clubs: close or hand over one first.", most=MOST_FOUNDED)
            club = new_id()
            new = {"id": club, "invitation": new_id(), "created": change.now}
            change.db.execute(insert(clubs).values(**values, **new))
            _add_member(change, club, person, founder=True)
            return club

    def join(self, invitation: str, person: str) -> str:
        """Make the person a member of the club to which a link leads; return its id.

        Raises BadInvitation, TooMany, NotNow.
        """
        with self._transactions.changing() as change:
            take_person(change.db, person)
            club = str(take_club(change.db, _invited(change.db, invitation, person).id).id)
            _invited(change.db, invitation, person)  # it may have been renewed meanwhile
            if is_member(change.db, club, person):
                return club  # requested twice
            count = select(func.count()).select_from(club_members)
            if (change.db.scalar(count.where(_MEMBER.club == club)) or 0) >= MOST_MEMBERS:
                raise NotNow("", "This club is full: it has {most} members.", most=MOST_MEMBERS)
            _add_member(change, club, person, founder=False)
            return club

    def leave(self, club: str, person: str) -> None:
        """End the person's membership. Raises NoClub, NotNow."""
        with self._transactions.changing() as change:
            take_person(change.db, person)
            take_club(change.db, club)
            own = change.db.execute(_is_member(club, person)).first()
            if own is None:
                raise no_club()
            if own.founder:
                raise NotNow("", "You run this club. Hand it over to a member first, or close it.")
            change.db.execute(delete(club_members).where(_MEMBER.club == club, _MEMBER.person == person))

    # ------------------------------------------------------------------------------------------------- the founder

    def change(self, club: str, person: str, name: str, about: str, *, visible: bool) -> None:
        """Change what a club is called, the line about it, and who may see it.

        Raises NoClub, NotAllowed, BadName, BadText.
        """
        values = _values(name, about, visible=visible)
        with self._transactions.changing() as change:
            _take_as_founder(change.db, club, person)
            change.db.execute(update(clubs).where(clubs.c.id == club).values(**values))

    def renew_invitation(self, club: str, person: str) -> None:
        """Replace the invitation link; the old one leads nowhere from now on. Raises NoClub, NotAllowed."""
        with self._transactions.changing() as change:
            _take_as_founder(change.db, club, person)
            _renew(change.db, club)

    def remove(self, club: str, person: str, handle: str) -> None:
        """Remove a member, and their tournaments from the club's page, and replace the invitation link.

        Raises NoClub, NotAllowed, NotNow.
        """
        with self._transactions.changing() as change:
            _take_as_founder(change.db, club, person)
            other = _other_member(change.db, club, person, handle)
            change.db.execute(delete(club_members).where(_MEMBER.club == club, _MEMBER.person == other))
            hosted = select(tournaments.c.id).where(tournaments.c.host == other)
            is_theirs = (club_tournaments.c.club == club) & club_tournaments.c.tournament.in_(hosted)
            change.db.execute(update(club_tournaments).where(is_theirs).values(club=None))
            _renew(change.db, club)

    def hand_over(self, club: str, person: str, handle: str) -> None:
        """Let another member run the club; the person stays a member. Raises NoClub, NotAllowed, NotNow."""
        with self._transactions.changing() as change:
            _take_as_founder(change.db, club, person)
            other = _other_member(change.db, club, person, handle)
            make_founder(change.db, club, other)

    def close(self, club: str, person: str) -> None:
        """Delete the club. Its tournaments go on. Raises NoClub, NotAllowed."""
        with self._transactions.changing() as change:
            _take_as_founder(change.db, club, person)
            change.db.execute(delete(clubs).where(clubs.c.id == club))


# ------------------------------------------------------------------------------------------------------------ queries


def require_visible(db: Connection, club: str, reader: str | None) -> Row[Any]:
    """Return the row of a club that the reader may see. Raises NoClub."""
    query = select(clubs).where(clubs.c.id == club, may_see_club(reader))
    row = db.execute(query).first() if is_id(club) else None
    if row is None:
        raise no_club()
    return row


def founder_of(db: Connection, club: str) -> str:
    """Return the id of the person who runs a club. Raises NoClub."""
    founder = db.scalar(select(_MEMBER.person).where(_MEMBER.club == club, _MEMBER.founder))
    if founder is None:
        raise no_club()
    return str(founder)


_MEMBERS: Final = (
    select(_MEMBER.person, _MEMBER.handle, _MEMBER.founder, people.c.name)
    .add_columns(
        func.coalesce(profiles.c.handle, "").label("page"),
        func.coalesce(profiles.c.public, False).label("public"),
        func.coalesce(profiles.c.listed, False).label("listed"),
    )
    .join(people, people.c.id == _MEMBER.person)
    .outerjoin(profiles, profiles.c.person == _MEMBER.person)
    .where(IS_PRESENT)
    .order_by(_MEMBER.founder.desc(), _MEMBER.joined, _MEMBER.handle)
)
"""The members who are not suspended: first the founder, then by their time in the club."""

_RATED: Final = (
    select(
        *(_MEMBER.person, ratings.c.game, ratings.c.points, ratings.c.deviation),
        *(profiles.c.listed, profiles.c.public, profiles.c.parts, profiles.c.handle),
    )
    .join(profiles, profiles.c.person == _MEMBER.person)
    .join(ratings, ratings.c.person == _MEMBER.person)
)


def _member(row: Row[Any], reader: str | None, own_ratings: dict[str, str], *, to_founder: bool) -> MemberInfo:
    return MemberInfo(
        handle=row.handle if to_founder else "",
        name=row.name,
        page=row.page if row.public else "",
        mine=row.person == reader,
        founder=row.founder,
        ratings={game: own_ratings[game] for game in plugins() if game in own_ratings},
    )


def _count_members() -> Any:
    """Return the number of members of a club who are not suspended, as a part of a query of clubs."""
    one, person = club_members.alias(), people.alias()
    counted = (
        select(func.count())
        .select_from(one)
        .join(person, person.c.id == one.c.person)
        .where(one.c.club == clubs.c.id, person.c.left.is_(None), person.c.suspended.is_(None))
    )
    return counted.correlate(clubs).scalar_subquery()


def _is_member(club: str, person: str) -> Select[bool]:
    return select(_MEMBER.founder).where(_MEMBER.club == club, _MEMBER.person == person)


def _invited(db: Connection, invitation: str, reader: str | None) -> Row[Any]:
    """Return the row of the club to which a link leads. Raises BadInvitation, also for those its founder blocks."""
    row = db.execute(select(clubs).where(clubs.c.invitation == invitation)).first() if is_id(invitation) else None
    if row is None or (reader is not None and is_kept_out(db, founder_of(db, row.id), reader)):
        raise BadInvitation("", "This invitation to a club is no longer valid. Ask for a new link.")
    return row


# ------------------------------------------------------------------------------------------------------------ changes


def _values(name: str, about: str, *, visible: bool) -> dict[str, Any]:
    """Return the columns that a founder chooses. Raises BadName, BadText."""
    return {"name": name_of(name), "about": line_about(about), "visible": visible}


def line_about(text: str) -> str:
    """Return a text about a club as one line, which may be empty. Raises BadText."""
    line = " ".join(text.split())
    if len(line) > LONGEST_ABOUT:
        raise BadText("", "The line about a club can have at most {longest} characters.", longest=LONGEST_ABOUT)
    return " ".join(chat_of(line).split()) if line else ""


def _add_member(change: Change, club: str, person: str, *, founder: bool) -> None:
    """Make a person, who is locked, a member. Raises TooMany."""
    joined = change.db.scalar(select(func.count()).where(_MEMBER.person == person)) or 0
    if joined >= MOST_JOINED:
        raise TooMany("", "You are a member of {most} clubs: leave one first.", most=MOST_JOINED)
    new = {"club": club, "person": person, "handle": new_id(), "founder": founder, "joined": change.now}
    change.db.execute(insert(club_members).values(new))


def _take_as_founder(db: Connection, club: str, person: str) -> None:
    """Lock a person and a club that they run. Raises NoClub, NotAllowed."""
    take_person(db, person)
    take_club(db, club)
    require_visible(db, club, person)
    if founder_of(db, club) != person:
        raise NotAllowed("", "Only the person who runs the club can do this.")


def _other_member(db: Connection, club: str, person: str, handle: str) -> str:
    """Return the member of a handle, who is another than the person. Raises NotNow."""
    query = select(_MEMBER.person).where(_MEMBER.club == club, _MEMBER.handle == handle, _MEMBER.person != person)
    other = db.scalar(query) if is_id(handle) else None
    if other is None:
        raise NotNow("", "They are no longer in this club.")
    return str(other)


def make_founder(db: Connection, club: str, person: str) -> None:
    """Let a member run a club that is locked, in place of the present founder."""
    is_here: ColumnElement[bool] = _MEMBER.club == club
    db.execute(update(club_members).where(is_here).values(founder=_MEMBER.person == person))


def _renew(db: Connection, club: str) -> None:
    db.execute(update(clubs).where(clubs.c.id == club).values(invitation=new_id()))
