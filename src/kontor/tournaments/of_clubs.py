"""Tournaments of clubs: which club a tournament belongs to, and who can join it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from sqlalchemy import Connection, Select, case, insert, select

from kontor.errors import NotAllowed
from kontor.people.memberships import clubs_of_person, is_member, may_see_club, no_club, take_club
from kontor.plugins import plugins
from kontor.storage.schema import TOURNAMENT_ROW, club_members, club_tournaments, clubs, tournaments
from kontor.tournaments.values import ClubOfTournament

MOST_LISTED: Final = 40
"""The most tournaments listed on the page of a club."""


def add(db: Connection, tournament: str, person: str, club: str, *, members_only: bool) -> None:
    """Note that a new tournament of a member belongs to the club, which is locked. Raises NoClub."""
    take_club(db, club)
    if not is_member(db, club, person):
        raise no_club()
    new = {"tournament": tournament, "club": club, "members_only": members_only}
    db.execute(insert(club_tournaments).values(new))


def require_member(db: Connection, tournament: str, person: str) -> None:
    """Check that the person may join a tournament. Raises NotAllowed if it is for members of another club."""
    if not may_join(db, tournament, person):
        raise NotAllowed("", "Only members of the club can join this tournament.")


def may_join(db: Connection, tournament: str, person: str) -> bool:
    """Return False if a tournament is for members only, and the person is not a member of its club."""
    query = select(club_tournaments.c.club, club_tournaments.c.members_only)
    row = db.execute(query.where(club_tournaments.c.tournament == tournament)).first()
    if row is None or not row.members_only:
        return True
    return row.club is not None and is_member(db, row.club, person)


def clubs_of_tournaments(
    db: Connection, tournament_ids: Iterable[str], reader: str | None
) -> dict[str, ClubOfTournament]:
    """Return the clubs of tournaments, named only where the reader may see them."""
    query = (
        select(
            *(club_tournaments.c.tournament, club_tournaments.c.members_only, clubs.c.id, clubs.c.name),
            may_see_club(reader).label("visible"),
            clubs.c.id.in_(clubs_of_person(reader or "")).label("member"),
        )
        .outerjoin(clubs, clubs.c.id == club_tournaments.c.club)
        .where(club_tournaments.c.tournament.in_(list(tournament_ids)))
    )
    return {
        row.tournament: ClubOfTournament(
            id=row.id if row.visible else "",
            name=row.name if row.visible else "",
            members_only=row.members_only,
            member=bool(row.member),
        )
        for row in db.execute(query)
    }


def rows_of_club(club: str) -> Select[Any]:
    """Select the tournaments of a club: first those that are not over, then some others; the newest first."""
    is_over = tournaments.c.status.in_(("over", "cancelled"))
    return (
        select(*TOURNAMENT_ROW)
        .join(club_tournaments, club_tournaments.c.tournament == tournaments.c.id)
        .where(club_tournaments.c.club == club, tournaments.c.game.in_(plugins()))
        .order_by(case((is_over, 1), else_=0), tournaments.c.created.desc(), tournaments.c.id)
        .limit(MOST_LISTED)
    )


def names_of_clubs(person: str) -> Select[Any]:
    """Select the ids and names of the clubs of which the person is a member, by name."""
    is_own = club_members.c.person == person
    own = select(clubs.c.id, clubs.c.name).join(club_members, club_members.c.club == clubs.c.id).where(is_own)
    return own.order_by(clubs.c.name, clubs.c.id)
