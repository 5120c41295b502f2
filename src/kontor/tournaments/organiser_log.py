"""The log of what a tournament's host has changed by hand. All who see the tournament can read it."""

from __future__ import annotations

from typing import Final, Literal

import msgspec
from sqlalchemy import Connection, func, insert, select, update

from kontor.errors import BadText
from kontor.game import Value
from kontor.people.person_rows import name_of_person
from kontor.people.texts import LEFT, chat_of
from kontor.storage.schema import tournament_log
from kontor.storage.stored_times import datetime_of
from kontor.tables.transactions import TableChange
from kontor.tournaments.scoring import POINT
from kontor.tournaments.values import OrganiserChange, PairingFault

_OF_TOURNAMENT: Final = select(
    tournament_log.c.at, tournament_log.c.name, tournament_log.c.act, tournament_log.c.reason
).order_by(tournament_log.c.number)


class Act(Value, frozen=True):
    """A change as the database stores it; the points are in parts of a point."""

    kind: Literal["corrected", "swapped"]
    round: int
    entrants: tuple[int, ...]
    board: int | None = None
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    faults: tuple[PairingFault, ...] = ()


def reason_of(text: str) -> str:
    """Return the reason of a change, without invisible characters. Raises BadText."""
    if not text.strip():
        raise BadText("", "Give a reason: everyone can read it in the log.")
    return chat_of(text)


def note(change: TableChange, tournament: str, person: str, act: Act, reason: str) -> None:
    """Add a change by the person to the log of a tournament that was taken."""
    last = select(func.max(tournament_log.c.number)).where(tournament_log.c.tournament == tournament)
    values = {"number": (change.db.scalar(last) or 0) + 1, "at": change.now, "reason": reason}
    values |= {"person": person, "name": name_of_person(change.db, person)}
    act_json = msgspec.json.encode(act).decode()
    change.db.execute(insert(tournament_log).values(tournament=tournament, act=act_json, **values))


def log_entries(db: Connection, tournament: str) -> tuple[OrganiserChange, ...]:
    """Return the log of a tournament, the first entry first."""
    rows = db.execute(_OF_TOURNAMENT.where(tournament_log.c.tournament == tournament))
    return tuple([_entry(at, name, act, reason) for at, name, act, reason in rows])


def own_entries(db: Connection, tournament: str, person: str) -> tuple[OrganiserChange, ...]:
    """Return the changes that the person has made."""
    of_person = (tournament_log.c.tournament == tournament) & (tournament_log.c.person == person)
    return tuple(
        [_entry(at, name, act, reason) for at, name, act, reason in db.execute(_OF_TOURNAMENT.where(of_person))]
    )


def _entry(at: int, name: str, act_json: str, reason: str) -> OrganiserChange:
    act = msgspec.json.decode(act_json, type=Act)
    return OrganiserChange(
        kind=act.kind,
        at=datetime_of(at),
        name=name,
        round=act.round,
        entrants=act.entrants,
        reason=reason,
        board=act.board,
        before=tuple([points / POINT for points in act.before]),
        after=tuple([points / POINT for points in act.after]),
        faults=act.faults,
    )


def forget(change: TableChange, tournament: str, person: str) -> None:
    """Remove the name and the words of a person who has left for good; what they changed stays in the log."""
    of_person = (tournament_log.c.tournament == tournament) & (tournament_log.c.person == person)
    change.db.execute(update(tournament_log).where(of_person).values(person=None, name=LEFT, reason=""))
