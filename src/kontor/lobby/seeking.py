"""Play now: people who look for a game at once wait here; those who fit are seated together at a new table.

All of it is in the database and changed by one transaction at a time, so with several processes, too, nobody is
seated twice. Each waiting page reports every few seconds, and each report looks for people who fit: this needs no
leader. A person whose page has not reported for LOST milliseconds waits no longer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot
from typing import Any, Final, NamedTuple

from msgspec.structs import replace
from sqlalchemy import ColumnElement, Connection, delete, exists, func, insert, select, update

from kontor.errors import BadPlan, NotAllowed, NotNow, TooMany
from kontor.lobby.values import Seek, SeekInfo, WaitingSeek
from kontor.people.person_rows import take_person
from kontor.people.texts import check_salt
from kontor.players.levels import levels, usual
from kontor.plugins import plugins
from kontor.ratings.values import SURE, WIDE
from kontor.storage.ids import is_id, new_id
from kontor.storage.schema import blocks, people, profiles, ratings, seats, seeks, tables
from kontor.storage.stored_times import SLACK, is_to_come, past_time
from kontor.tables import opening, plan_checks
from kontor.tables.enqueuing import note_followed
from kontor.tables.transactions import TableChange, TableTransactions
from kontor.tables.values import Pace, Plan, Share

_SECOND: Final = 1000

LOST: Final = 30 * _SECOND
"""Milliseconds without a report from their page after which a person waits no longer."""

OFFER: Final = 30 * _SECOND
"""Milliseconds after which computer players are offered."""

OFFER_AGAIN: Final = 60 * _SECOND
"""Milliseconds after which they are offered again to a person who goes on waiting."""

GATHER: Final = 15 * _SECOND
"""Milliseconds to wait for more players where more could play; then the game begins with those who wait."""

NEAR: Final = 50
WIDER: Final = 5
"""Points by which the strengths of two people may differ for certain, where one of them wants opponents of about
their own strength; and points added for each second that this person has waited."""

_MOST_OF_ORIGIN: Final = 40
"""Number of people from one network who can wait at the same time."""

_KEPT: Final = 10 * 60 * _SECOND
"""Milliseconds for which a seek is stored after its page has last reported."""

_LOCK: Final = 0x6B73656B  # “ksek”: the lock of all seeks on the server

PlanOf = Callable[[Seek, int, str], Plan]
"""``plan_of(seek, players, level)``: the table for that many players. The first seat is the host's; the others are
open, or those of computer players of a level."""

MachinesPlanOf = Callable[[Seek, str], Plan]
"""``plan_of(seek, level)``: the table of a person who plays against computer players of a level instead."""


class _Seeker(NamedTuple):
    """A person who waits for a game."""

    person: str
    id: str
    seek: Seek
    salt: str
    origin: int
    since: int
    points: int | None
    """Strength of the people; None where that is not known well enough."""
    deviation: int


class Seeking:
    """The seeks of people who look for a game at once."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def begin(self, person: str, seek: Seek, plan_of: PlanOf, salt: str = "", origin: int = 0) -> SeekInfo:
        """Begin the person's seek, in place of any earlier one, and return its state.

        Raises BadPlan, BadOptions, BadText, NotNow, TooMany.
        """
        if not 2 <= seek.fewest <= seek.most:
            raise BadPlan("", "This table cannot be opened.")
        for players in (seek.fewest, seek.most):
            plan_checks.check(plan_of(seek, players, ""))
        salt = check_salt(salt)
        with self._transactions.changing() as change:
            db = _lock_seeks(change)
            take_person(db, person)
            if _plays_live(db, person, change.now):
                raise NotNow("", "You are in the middle of a live game. Finish it first.")
            opening.check_room(db, person, origin)
            db.execute(delete(seeks).where(seeks.c.person == person))
            waiting_of_origin = select(func.count()).where(seeks.c.origin == origin, _is_waiting(change.now))
            if origin and (db.scalar(waiting_of_origin) or 0) >= _MOST_OF_ORIGIN:
                raise TooMany("", "Too many people from your network are looking for a game right now.")
            new = {"person": person, "id": new_id(), "game": seek.game, "near": seek.near, "salt": salt}
            pace = {"pace": seek.pace.kind, "seconds": seek.pace.seconds, "reserve": seek.pace.reserve}
            size = {"fewest": seek.fewest, "most": seek.most, "origin": origin}
            times = {"since": change.now, "seen": change.now, "offer": change.now + OFFER}
            db.execute(insert(seeks).values(**new, **pace, **size, **times))
            _match(change, seek, plan_of)
            info = _seek_info(db, person, change.now)
            assert info is not None
            if not info.table:
                note_followed(change, person)
            return info

    def wait(self, person: str, plan_of: PlanOf) -> SeekInfo | None:
        """Record that the page is open, look for people who fit, and return the seek; None if it has ended."""
        with self._transactions.changing() as change:
            db = _lock_seeks(change)
            info = _seek_info(db, person, change.now)
            if info is None or info.table:
                return info
            _match(change, info.seek, plan_of)
            db.execute(update(seeks).where(seeks.c.person == person).values(seen=change.now))
            return _seek_info(db, person, change.now)

    def of(self, person: str) -> SeekInfo | None:
        """Return the person's seek and whether it was met, or None."""
        with self._transactions.reading() as db:
            return _seek_info(db, person, self._transactions.now())

    def go_on(self, person: str) -> None:
        """Record that the person would rather go on waiting for people."""
        with self._transactions.changing() as change:
            db = _lock_seeks(change)
            later = change.now + OFFER_AGAIN
            db.execute(update(seeks).where(seeks.c.person == person).values(offer=later, seen=change.now))

    def stop(self, person: str) -> None:
        """End the person's seek."""
        with self._transactions.changing() as change:
            _lock_seeks(change).execute(delete(seeks).where(seeks.c.person == person))

    def play_machines(self, person: str, plan_of: MachinesPlanOf) -> str:
        """Open a table with the computer players that were offered, and return its id.

        If the person was seated meanwhile, return that table. Raises NotNow, TooMany.
        """
        with self._transactions.changing() as change:
            db = _lock_seeks(change)
            info = _seek_info(db, person, change.now)
            if info is None:
                raise NotNow("", "You are no longer looking for a game.")
            if info.table:
                return info.table
            if not info.offered:
                raise NotNow("", "Computer players are offered after you have waited for a while.")
            row = db.execute(select(seeks).where(seeks.c.person == person)).one()
            take_person(db, person)
            checked = plan_checks.check(plan_of(info.seek, info.offered))
            table = opening.open_together(change, checked, row.origin, (person, Share(row.salt)), ())
            _assign_table(change, [row], table)
            return table

    def like(self, seek: str) -> Seek:
        """Return a request for the same as a seek, at any strength: to join it. Raises NotNow if it has ended."""
        now = self._transactions.now()
        query = select(seeks).where(seeks.c.id == seek, _is_waiting(now))
        row = self._transactions.ask(lambda db: db.execute(query).first()) if is_id(seek) else None
        if row is None:
            raise NotNow("", "Nobody waits there any more. Look for a game yourself, and others will find you.")
        return replace(_seek(row), near=False)

    def waiting(self, person: str | None = None) -> tuple[WaitingSeek, ...]:
        """Return the seeks of those who wait, the newest first.

        Those of people whom the reader has blocked, or who have blocked the reader, are left out.
        """
        now = self._transactions.now()
        query = _WAITING.where(_is_waiting(now))
        if person is not None:
            blocked = (blocks.c.kind == "block") & (
                ((blocks.c.person == person) & (blocks.c.other == seeks.c.person))
                | ((blocks.c.other == person) & (blocks.c.person == seeks.c.person))
            )
            query = query.where(~exists().where(blocked))
        rows = self._transactions.ask(lambda db: db.execute(query).all())
        return tuple([_waiting_seek(row, person, now) for row in rows])

    def count_waiting(self) -> dict[str, int]:
        """Return the number of people who look for a game, by the game's name."""
        now = self._transactions.now()
        counted = select(seeks.c.game, func.count().label("number")).where(_is_waiting(now)).group_by(seeks.c.game)
        return self._transactions.ask(lambda db: {row.game: row.number for row in db.execute(counted)})


def sweep(change: TableChange) -> None:
    """Delete seeks whose pages have not reported for a while.

    Queries check the time in any case.
    """
    lost = seeks.c.table_id.is_(None) & (seeks.c.seen < change.now - LOST)
    old = select(seeks.c.person).where(lost | (seeks.c.seen < change.now - _KEPT)).with_for_update(skip_locked=True)
    change.db.execute(delete(seeks).where(seeks.c.person.in_(old)))


_MOST_LISTED: Final = 30
"""The most seeks that are listed."""

_SHOWS_RATING: Final = profiles.c.listed | (profiles.c.public & profiles.c.parts.contains("rating"))
_RATED: Final = (ratings.c.person == seeks.c.person) & (ratings.c.game == seeks.c.game)
_WAITING: Final = (
    select(seeks, people.c.name, ratings.c.points, ratings.c.deviation)
    .join(people, people.c.id == seeks.c.person)
    .outerjoin(profiles, (profiles.c.person == seeks.c.person) & _SHOWS_RATING)
    .outerjoin(ratings, _RATED & (ratings.c.person == profiles.c.person))
    .where(people.c.left.is_(None), people.c.suspended.is_(None))
    .order_by(seeks.c.since.desc(), seeks.c.person)
    .limit(_MOST_LISTED)
)


def _waiting_seek(row: Any, reader: str | None, now: int) -> WaitingSeek:
    waited = max(0, now - row.since) // _SECOND
    sure = row.deviation is not None and row.deviation <= WIDE
    return WaitingSeek(row.id, _seek(row), row.name, row.points, sure, waited, row.person == reader)


def _lock_seeks(change: TableChange) -> Connection:
    """Lock all seeks until this transaction ends, and return its connection.

    SQLite’s single writer is lock enough.
    """
    if change.db.dialect.name == "postgresql":
        change.db.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
    return change.db


def _is_waiting(now: int) -> ColumnElement[bool]:
    return seeks.c.table_id.is_(None) & seeks.c.seen.between(now - LOST, now + SLACK)


def _plays_live(db: Connection, person: str, now: int) -> bool:
    """Return True if the person sits at a table whose clock runs."""
    running = (tables.c.status == "playing") & (tables.c.pace == "live") & (tables.c.deadline > now)
    own_seat = (seats.c.person == person) & ~seats.c.resigned & (seats.c.stood_in == "")
    query = select(tables.c.id).join(seats, seats.c.table_id == tables.c.id).where(running, own_seat).limit(1)
    return db.execute(query).first() is not None


def _seek_info(db: Connection, person: str, now: int) -> SeekInfo | None:
    row = db.execute(select(seeks).where(seeks.c.person == person)).first() if is_id(person) else None
    if row is None or (row.table_id is None and row.seen < now - LOST):
        return None
    seek = _seek(row)
    same = (seeks.c.pace == row.pace) & (seeks.c.seconds == row.seconds) & (seeks.c.reserve == row.reserve)
    others = select(func.count().filter(same), func.count()).where(
        _is_waiting(now), seeks.c.game == row.game, seeks.c.person != person
    )
    same_pace, any_pace = db.execute(others).one()
    offered = "" if row.table_id or is_to_come(row.offer, now, OFFER_AGAIN) else _level(db, person, row.game)
    return SeekInfo(
        row.id, seek, max(0, now - row.since) // _SECOND, same_pace, any_pace - same_pace, offered, row.table_id
    )


def _seek(row: Any) -> Seek:
    return Seek(row.game, Pace(row.pace, row.seconds, row.reserve), row.fewest, row.most, row.near)


def _level(db: Connection, person: str, game: str) -> str:
    """Return the level nearest to the person's strength; the weakest where that is not known."""
    sure_rating = (ratings.c.game == game) & (ratings.c.person == person) & (ratings.c.deviation <= WIDE)
    points = db.scalar(select(ratings.c.points).where(sure_rating))
    level_points = plugins()[game].level_points
    if points is None:
        return usual(game)
    return min(levels(game), key=lambda level: abs(level_points.get(level, 0) - points))


# -------------------------------------------------------------------------------------------------------- matching


def _match(change: TableChange, seek: Seek, plan_of: PlanOf) -> None:
    """Seat all who fit among those who wait for the same game at the same pace."""
    waiting = _waiting_seekers(change.db, seek, change.now)
    apart = _blocked_pairs(change.db, [seeker.person for seeker in waiting])
    while group := find_group(waiting, apart, change.now):
        seated = _seat_group(change, group, plan_of)
        waiting = [seeker for seeker in waiting if seeker not in (group if seated else group[:1])]


def _waiting_seekers(db: Connection, seek: Seek, now: int) -> list[_Seeker]:
    """Return those who wait, the longest waiting first, without those who now sit at a live game elsewhere."""
    own_seat = (seats.c.person == seeks.c.person) & ~seats.c.resigned & (seats.c.stood_in == "")
    running = (tables.c.status == "playing") & (tables.c.pace == "live") & (tables.c.deadline > now)
    busy = exists().where(seats.c.table_id == tables.c.id, own_seat, running)
    pace = (seeks.c.pace == seek.pace.kind) & (seeks.c.seconds == seek.pace.seconds)
    same = (seeks.c.game == seek.game) & pace & (seeks.c.reserve == seek.pace.reserve)
    rated = (ratings.c.person == seeks.c.person) & (ratings.c.game == seeks.c.game) & (ratings.c.deviation <= WIDE)
    query = (
        select(seeks, ratings.c.points, ratings.c.deviation)
        .join(people, people.c.id == seeks.c.person)
        .outerjoin(ratings, rated)
        .where(_is_waiting(now), same, ~busy, people.c.left.is_(None), people.c.suspended.is_(None))
        .order_by(seeks.c.since, seeks.c.person)
    )
    return [
        _Seeker(
            row.person,
            row.id,
            _seek(row),
            row.salt,
            row.origin,
            past_time(row.since, now),
            row.points,
            row.deviation or 0,
        )
        for row in db.execute(query)
    ]


def _blocked_pairs(db: Connection, persons: Sequence[str]) -> frozenset[frozenset[str]]:
    """Return the pairs of people who never sit at one table, since one has blocked the other."""
    blocked = (blocks.c.kind == "block") & blocks.c.person.in_(persons) & blocks.c.other.in_(persons)
    rows = db.execute(select(blocks.c.person, blocks.c.other).where(blocked))
    return frozenset(frozenset((row.person, row.other)) for row in rows)


def find_group(waiting: Sequence[_Seeker], apart: frozenset[frozenset[str]], now: int) -> list[_Seeker]:
    """Return a group that can begin now, as large as possible, or nobody.

    The longest waiting are served first. A group as large as one of them has asked for begins at once, a smaller one
    only after GATHER milliseconds.
    """
    for first in waiting:
        others = [seeker for seeker in waiting if seeker is not first]
        if first.seek.near:
            others.sort(key=lambda seeker: (_gap(first, seeker), seeker.since))
        for size in range(first.seek.most, first.seek.fewest - 1, -1):
            group = [first]
            for other in others:
                if other.seek.fewest <= size <= other.seek.most and all(
                    _can_meet(seeker, other, apart, now) for seeker in group
                ):
                    group.append(other)
                if len(group) == size:
                    break
            complete = size == min(seeker.seek.most for seeker in group)
            waited = now - min(seeker.since for seeker in group) >= GATHER
            if len(group) == size and (complete or waited):
                return group
    return []


def _can_meet(first: _Seeker, second: _Seeker, apart: frozenset[frozenset[str]], now: int) -> bool:
    if frozenset((first.person, second.person)) in apart:
        return False
    gap = _gap(first, second)
    return all(
        not seeker.seek.near or gap <= NEAR + WIDER * (now - seeker.since) // _SECOND for seeker in (first, second)
    )


def _gap(first: _Seeker, second: _Seeker) -> float:
    """Return by how many points their strengths differ at least, at 95 % confidence; 0 where one is unknown."""
    if first.points is None or second.points is None:
        return 0.0
    return max(0.0, abs(first.points - second.points) - SURE * hypot(first.deviation, second.deviation))


def _seat_group(change: TableChange, group: Sequence[_Seeker], plan_of: PlanOf) -> bool:
    """Seat them at a new table; return False if one has just left, or none of them can open a table."""
    db = change.db
    try:
        for person in sorted(seeker.person for seeker in group):  # in one order, so that no deadlock is possible
            take_person(db, person)
    except NotAllowed:
        return False
    host = next((seeker for seeker in group if _has_room(db, seeker)), None)
    if host is None:
        return False
    checked = plan_checks.check(plan_of(host.seek, len(group), ""))
    others = [(seeker.person, Share(seeker.salt)) for seeker in group if seeker is not host]
    table = opening.open_together(change, checked, host.origin, (host.person, Share(host.salt)), others)
    _assign_table(change, group, table)
    return True


def _has_room(db: Connection, seeker: _Seeker) -> bool:
    try:
        opening.check_room(db, seeker.person, seeker.origin)
    except TooMany:
        return False
    return True


def _assign_table(change: TableChange, group: Sequence[Any], table: str) -> None:
    """Store the table in the seeks of the group, and notify their pages, in any process."""
    of_group = seeks.c.person.in_([seeker.person for seeker in group])
    change.db.execute(update(seeks).where(of_group).values(table_id=table, seen=change.now))
    for seeker in group:
        change.news[seeker.id] = change.now
