"""Entrants of tournaments: joining, leaving and being removed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, delete, exists, func, insert, select, union, update

from kontor.errors import NotAllowed, NotNow, TooMany
from kontor.people import blocks
from kontor.people.person_rows import NOBODY, ensure_nobody, take_person
from kontor.people.texts import LEFT, check_salt, distinct
from kontor.storage.schema import entrants, pairings, seats, tables, tournaments
from kontor.tables import early_endings
from kontor.tables.enqueuing import note_place
from kontor.tables.rows import seat_rows
from kontor.tables.transactions import TableChange
from kontor.tournaments import of_clubs, organiser_log
from kontor.tournaments.rows import EntrantRow, TournamentRow, entrant_rows, set_row, take

MOST_ENTRANTS: Final = 200
MOST_OF_ALL: Final = 16
"""Greatest number of entrants where everybody plays everybody."""

MOST_WAITING: Final = 100
"""Greatest number of people who wait for a place."""

MOST_JOINED: Final = 20
"""Number of unfinished tournaments in which one person can take part."""

_UNFINISHED: Final = ("open", "running")


def join(change: TableChange, tournament: str, person: str, salt: str) -> None:
    """Enter the person from the next round on. Raises NotNow, NotAllowed, TooMany, BadText."""
    name = take_person(change.db, person)
    row = take(change, tournament)
    if row.status == "open":
        move_up(change, row)
    everybody = entrant_rows(change.db, tournament)
    own_entry = next((entrant for entrant in everybody if entrant.person == person), None)
    if own_entry is not None and own_entry.left is None:
        return  # requested twice
    if not row.takes_more():
        raise NotNow("", "Nobody can join this tournament any more.")
    if (own_entry is not None and own_entry.removed) or blocks.is_kept_out(change.db, row.host, person):
        raise NotAllowed("", "You cannot take part in this tournament.")
    of_clubs.require_member(change.db, tournament, person)
    _check_joined(change.db, person)
    waiting = _must_wait(row, everybody)
    forget_proposal(change, row)
    if own_entry is not None:
        change.db.execute(update(entrants).where(_is_entrant(own_entry)).values(left=None, waiting=waiting))
        return
    number = max((entrant.number for entrant in everybody), default=0) + 1
    new: dict[str, Any] = {"tournament": tournament, "number": number, "person": person}
    new |= {"name": distinct(name, {entrant.name for entrant in everybody}), "salt": check_salt(salt)}
    change.db.execute(insert(entrants).values(**new, first=row.round + 1, waiting=waiting))


def most_entrants(row: TournamentRow) -> int:
    """Return how many can take part at most."""
    most = MOST_OF_ALL if row.everybody else MOST_ENTRANTS
    return most if row.most is None else min(most, row.most)


def _must_wait(row: TournamentRow, everybody: Sequence[EntrantRow]) -> bool:
    """Return True if there is no place left: others wait, until the tournament begins. Raises NotNow."""
    most = most_entrants(row)
    if sum(entrant.plays for entrant in everybody) < most:
        return False
    if row.status != "open":
        raise NotNow("", "This tournament is full: it is for at most {most}.", most=most)
    if sum(entrant.left is None and entrant.waiting for entrant in everybody) >= MOST_WAITING:
        raise NotNow("", "This tournament is full, and its waiting list as well.")
    return True


def _check_joined(db: Connection, person: str) -> None:
    joined = (
        select(func.count())
        .select_from(entrants)
        .join(tournaments, tournaments.c.id == entrants.c.tournament)
        .where(entrants.c.person == person, entrants.c.left.is_(None), tournaments.c.status.in_(_UNFINISHED))
    )
    if (db.scalar(joined) or 0) >= MOST_JOINED:
        raise TooMany("", "You already take part in {most} tournaments: leave one first.", most=MOST_JOINED)


def forget_proposal(change: TableChange, row: TournamentRow) -> None:
    """Let a proposed pairing be drawn anew, because somebody has come or gone."""
    if row.proposal is not None:
        set_row(change, row.id, proposal=None)


def withdraw(change: TableChange, row: TournamentRow, entrant: EntrantRow, *, removed: bool = False) -> None:
    """Withdraw an entrant. They forfeit the games that they are playing, or a computer player finishes them."""
    if row.status == "open" and not removed:
        change.db.execute(delete(entrants).where(_is_entrant(entrant)))
    else:
        change.db.execute(update(entrants).where(_is_entrant(entrant)).values(left=change.now, removed=removed))
    if row.status == "open":
        move_up(change, row)
        return
    forget_proposal(change, row)
    for table in playing_at(change.db, row.id, entrant.person):
        table_row = change.take(table)
        sitting = seat_rows(change.db, table)
        own_seats = [seat for seat in sitting if seat.person == entrant.person and not seat.resigned]
        if table_row.status != "playing" or not own_seats:
            continue
        if row.leavers == "forfeit":
            early_endings.give_up(change, table_row, sitting, own_seats[0], entrant.person)
        else:
            early_endings.hand_over(change, table_row, [seat.seat for seat in own_seats])
        change.touch(table)


def move_up(change: TableChange, row: TournamentRow) -> None:
    """Give free places of a tournament that has not begun to those who wait and may join, and notify them."""
    everybody = entrant_rows(change.db, row.id)
    free = most_entrants(row) - sum(entrant.plays for entrant in everybody)
    waiting = [entrant for entrant in everybody if entrant.left is None and entrant.waiting and not entrant.gone]
    if free <= 0 or not waiting:
        return
    may_join = [entrant for entrant in waiting if of_clubs.may_join(change.db, row.id, entrant.person)]
    for entrant in may_join[:free]:
        change.db.execute(update(entrants).where(_is_entrant(entrant)).values(waiting=False))
        note_place(change, row.id, entrant.person)


def _is_entrant(entrant: EntrantRow) -> ColumnElement[bool]:
    same: ColumnElement[bool] = (entrants.c.tournament == entrant.tournament) & (entrants.c.number == entrant.number)
    return same


def playing_at(db: Connection, tournament: str, person: str) -> list[str]:
    """Return the tables of the tournament at which the person is playing."""
    query = (
        select(tables.c.id)
        .join(pairings, pairings.c.table_id == tables.c.id)
        .join(seats, seats.c.table_id == tables.c.id)
        .where(pairings.c.tournament == tournament, seats.c.person == person, tables.c.status == "playing")
        .order_by(tables.c.id)
    )
    return list(db.scalars(query))


# -------------------------------------------------------------------------------------------- people who have left


def of_person(db: Connection, person: str) -> list[str]:
    """Return the tournaments that the person has opened, or takes or took part in."""
    query = union(
        select(tournaments.c.id).where(tournaments.c.host == person),
        select(entrants.c.tournament).where(entrants.c.person == person),
    )
    return sorted(db.scalars(query))


def running_of(db: Connection, person: str) -> list[str]:
    """Return the running tournaments in which the person takes part."""
    query = (
        select(entrants.c.tournament)
        .join(tournaments, tournaments.c.id == entrants.c.tournament)
        .where(entrants.c.person == person, entrants.c.left.is_(None), tournaments.c.status == "running")
        .order_by(entrants.c.tournament)
    )
    return list(db.scalars(query))


def leave_for_good(change: TableChange, tournament: str, person: str) -> None:
    """Withdraw a person who has left for good from a running tournament, before they leave its tables."""
    row = take(change, tournament)
    for entrant in entrant_rows(change.db, tournament):
        if row.status == "running" and entrant.person == person and entrant.left is None:
            withdraw(change, row, entrant)


def forget(change: TableChange, tournament: str, person: str) -> None:
    """Take a person who has left for good out of a tournament, in which their place goes to NOBODY.

    A tournament without other entrants is deleted.
    """
    row = take(change, tournament)
    everybody = entrant_rows(change.db, tournament)
    others = [entrant for entrant in everybody if entrant.person not in (person, NOBODY)]
    if not others:
        change.db.execute(delete(tournaments).where(tournaments.c.id == tournament))
        return
    organiser_log.forget(change, tournament, person)
    for entrant in everybody:
        if entrant.person != person:
            continue
        if row.status == "open":
            change.db.execute(delete(entrants).where(_is_entrant(entrant)))
            move_up(change, row)
            continue
        ensure_nobody(change)
        name = distinct(LEFT, {other.name for other in everybody if other.number != entrant.number})
        values = {"person": NOBODY, "name": name, "salt": entrant.salt if row.status == "over" else ""}
        change.db.execute(
            update(entrants).where(_is_entrant(entrant)).values(**values, left=entrant.left or change.now)
        )
    if row.host == person:
        heirs = sorted(others, key=lambda entrant: (not entrant.plays, entrant.gone, entrant.left is not None))
        set_row(change, tournament, host=heirs[0].person)


def both_take_part(db: Connection, person: str, other: str) -> bool:
    """Return True if both take part in a tournament that is not over."""
    own_entries, other_entries = entrants.alias(), entrants.alias()
    query = (
        select(tournaments.c.id)
        .where(tournaments.c.status.in_(_UNFINISHED))
        .where(exists().where(own_entries.c.tournament == tournaments.c.id, own_entries.c.person == person))
        .where(exists().where(other_entries.c.tournament == tournaments.c.id, other_entries.c.person == other))
        .limit(1)
    )
    return db.execute(query).first() is not None


def lock_all(db: Connection, *persons: str) -> None:
    """Lock all tournaments of these persons, in one order."""
    tournament_ids = {tournament for person in persons for tournament in of_person(db, person)}
    query = select(tournaments.c.id).where(tournaments.c.id.in_(tournament_ids)).order_by(tournaments.c.id)
    db.execute(query.with_for_update()).all()
