"""Challenges of people by each other. Each has a table with a seat that is kept for the challenged person.

A challenge is open as long as that table waits, its challenger is the host, and nobody sits on the seat. So it ends
by itself where the challenged person sits down, or where the challenger leaves or cancels the table.

Nobody learns that somebody blocks them: a challenge to such a person waits like any other, but is shown to nobody.
The challenges of a person to somebody whom they block are withdrawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import BindParameter, Connection, Select, and_, bindparam, delete, func, insert, or_, select, update

from kontor.challenges.values import (
    DeclinedChallenge,
    OpenChallenge,
    Opponent,
    OpponentKey,
    OwnChallenge,
    PastOpponent,
    Terms,
)
from kontor.errors import NoTable, NotAllowed, NotNow, TooMany
from kontor.people.blocks import does_block, is_kept_out
from kontor.people.person_rows import NOBODY, take_person
from kontor.people.public_pages import IS_PRESENT, person_behind
from kontor.storage.ids import is_id, is_seat, new_id
from kontor.storage.schema import TABLE_ROW, people, person_challenges, profiles, seats, tables
from kontor.storage.stored_times import datetime_of, maybe_datetime
from kontor.tables import enqueuing, opening, plan_checks
from kontor.tables.clearing import delete_tables
from kontor.tables.infos import IS_KNOWN_GAME, infos
from kontor.tables.rows import TableRow, is_taken, seat_rows
from kontor.tables.transactions import TableChange, TableTransactions

_CHALLENGE: Final = person_challenges.c

LASTS: Final = 7 * 24 * 3600 * 1000
"""Milliseconds for which a challenge stands."""

BETWEEN: Final = 3600 * 1000
"""Milliseconds for which nobody is told again of a challenge by the same person."""

MOST_SENT: Final = 10
"""The most open challenges of one person."""

MOST_RECEIVED: Final = 20
"""The most open challenges to one person."""

MOST_COMPANIONS: Final = 8
"""The most people who are listed of those with whom somebody has played."""

_MOST_SEATS: Final = 200
"""The most seats of others at finished games that are looked through for them; those of the newest games."""

_AT_ONCE: Final = 50
"""Challenges that lapse at one heartbeat."""

CHALLENGED_SEAT: Final = 1
"""The seat at a new table that is kept for the challenged person; the challenger sits on the first."""


class Challenges:
    """The challenges of a server. Safe to use from any thread."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def opponent(self, key: OpponentKey, reader: str | None) -> Opponent | None:
        """Return the person who is meant, if the reader may challenge them: by a page or a common game.

        A person whom the reader blocks is found, and refused when they are challenged.
        """
        with self._transactions.reading() as db:
            return _opponent(db, key, reader)

    def companions(self, person: str) -> tuple[PastOpponent, ...]:
        """Return those with whom the person has last finished a game, except those whom the person blocks.

        They are named by that game and never by their page, which people who block the person do not show them.
        """
        with self._transactions.reading() as db:
            rows = db.execute(_SEATS_OF_OTHERS, {"person": person}).all()
        companions: dict[str, PastOpponent] = {}
        for row in rows:
            key = OpponentKey(table=row.table_id, seat=row.seat)
            companions.setdefault(row.person, PastOpponent(row.name, key))
        return tuple(companions.values())[:MOST_COMPANIONS]

    def send(self, person: str, key: OpponentKey, terms: Terms) -> str:
        """Challenge somebody, and return the id of the table at which a seat is kept for them.

        Raises NotAllowed, TooMany, and all that opening a table raises.
        """
        with self._transactions.changing() as change:
            other = _opponent(change.db, key, person)
            if other is None:
                raise NotAllowed("", "You cannot challenge this person.")
            return _send(change, person, other.id, terms, counters=False)

    def counter(self, challenge: str, person: str, terms: Terms) -> str:
        """Answer a challenge by one on other terms, and return the id of its table; the table before is closed.

        Raises NotNow if the challenge is no longer open, and all that ``send`` raises.
        """
        with self._transactions.changing() as change:
            row = _take_open(change, challenge, person)
            _end(change, row)
            return _send(change, person, row.challenger, terms, counters=True)

    def open_to(self, person: str) -> tuple[OpenChallenge, ...]:
        """Return the challenges that wait for the person's answer, the oldest first."""
        now = self._transactions.now()
        with self._transactions.reading() as db:
            return _open_challenges(db, person, now)

    def find(self, challenge: str, person: str) -> OpenChallenge:
        """Return a challenge that waits for the person's answer. Raises NotNow if there is none."""
        now = self._transactions.now()
        with self._transactions.reading() as db:
            _require_open(db, challenge, person, now)
            return next(one for one in _open_challenges(db, person, now) if one.id == challenge)

    def decline(self, challenge: str, person: str) -> None:
        """Decline a challenge: the challenger is told, and the table is closed unless others sit there already.

        Raises NotNow if it is no longer open.
        """
        with self._transactions.changing() as change:
            row = _take_open(change, challenge, person)
            _end(change, row, declined=change.now)
            enqueuing.note_declined(change, row.challenger, person)

    def declined(self, person: str) -> tuple[DeclinedChallenge, ...]:
        """Return the person's own challenges that were declined of late, the last first."""
        query = (
            select(_CHALLENGE.id, people.c.name, _CHALLENGE.game)
            .join(people, people.c.id == _CHALLENGE.challenged)
            .where(
                _CHALLENGE.challenger == person,
                _CHALLENGE.declined > self._transactions.now() - LASTS,
            )
            .order_by(_CHALLENGE.declined.desc(), _CHALLENGE.id)
        )
        with self._transactions.reading() as db:
            return tuple([DeclinedChallenge(*row) for row in db.execute(query)])

    def dismiss(self, challenge: str, person: str) -> None:
        """Delete a challenge of the person that was declined: they have read so."""
        is_own = (_CHALLENGE.challenger == person) & _CHALLENGE.declined.is_not(None)
        with self._transactions.changing() as change:
            if is_id(challenge):
                change.db.execute(delete(person_challenges).where(_CHALLENGE.id == challenge, is_own))


def sweep(transactions: TableTransactions, until: int) -> None:
    """Delete some challenges that had lapsed at the time ``until``, and close their tables.

    Each has a transaction of its own, in which its table is locked first, as where a challenger cancels the table.
    """
    is_ended = _CHALLENGE.table_id.is_(None) & _CHALLENGE.declined.is_(None)
    is_lapsed = or_(_CHALLENGE.at < until - LASTS, is_ended & (_CHALLENGE.at < until - BETWEEN))
    columns = (_CHALLENGE.id, _CHALLENGE.table_id, _CHALLENGE.challenger, _CHALLENGE.challenged, tables.c.status)
    query = select(*columns).outerjoin(tables, tables.c.id == _CHALLENGE.table_id)
    with transactions.reading() as db:
        rows = db.execute(query.where(is_lapsed).order_by(_CHALLENGE.at).limit(_AT_ONCE)).all()
    for row in rows:
        with transactions.changing() as change:
            if row.status == "waiting":
                _close(change, row)
            change.db.execute(delete(person_challenges).where(_CHALLENGE.id == row.id))


def tables_between(db: Connection, challenger: str, challenged: str) -> Sequence[str]:
    """Return the tables of the challenges that ``withdraw`` ends; before that, their rows are to be locked."""
    return [row.table_id for row in db.execute(_waiting_between(challenger, challenged))]


def withdraw(change: TableChange, challenger: str, challenged: str) -> None:
    """End the challenges of a person to another whom they block, as if they had cancelled the tables."""
    for row in change.db.execute(_waiting_between(challenger, challenged)).all():
        _end(change, row)


def _waiting_between(challenger: str, challenged: str) -> Select[Any]:
    """Select the challenges of a person to another whose tables wait."""
    query = select(person_challenges).join(tables, tables.c.id == _CHALLENGE.table_id)
    are_between = (_CHALLENGE.challenger == challenger) & (_CHALLENGE.challenged == challenged)
    return query.where(are_between, tables.c.status == "waiting")


def challenges_of(db: Connection, person: str, now: int) -> Sequence[OwnChallenge]:
    """Return the challenges by and to a person that are open or were declined of late, for their own data."""
    sent = _CHALLENGE.challenger == person
    received = (_CHALLENGE.challenged == person) & ~does_block(person, _CHALLENGE.challenger)
    is_open = _CHALLENGE.id.in_(_open(now, _CHALLENGE.id).correlate(None))
    other = and_(
        people.c.id.in_((_CHALLENGE.challenger, _CHALLENGE.challenged)),
        people.c.id != person,
    )
    query = select(person_challenges, people.c.name, sent.label("sent")).join(people, other)
    query = query.where(or_(sent, received), or_(is_open, _CHALLENGE.declined > now - LASTS))
    rows = db.execute(query.order_by(_CHALLENGE.at, _CHALLENGE.id))
    return [
        OwnChallenge(
            row.name, bool(row.sent), row.game, row.table_id, datetime_of(row.at), maybe_datetime(row.declined)
        )
        for row in rows
    ]


def merge(change: TableChange, person: str, other: str) -> None:
    """Give the person the challenges by and to the other; those between the two are deleted.

    Their blocks are joined already, and their tables locked: challenges to those whom the challenger now blocks end.
    """
    db = change.db
    for column in (_CHALLENGE.challenger, _CHALLENGE.challenged):
        db.execute(update(person_challenges).where(column == other).values({column.name: person}))
    db.execute(delete(person_challenges).where(_CHALLENGE.challenger == _CHALLENGE.challenged))
    is_own = or_(_CHALLENGE.challenger == person, _CHALLENGE.challenged == person)
    pairs = select(_CHALLENGE.challenger, _CHALLENGE.challenged).distinct()
    kept_out = pairs.where(is_own, does_block(_CHALLENGE.challenger, _CHALLENGE.challenged))
    for row in db.execute(kept_out).all():
        withdraw(change, row.challenger, row.challenged)


# ---------------------------------------------------------------------------------------------------- who is meant


_PERSON: Final[BindParameter[str]] = bindparam("person")
_OWN: Final = seats.alias()
_SEATS_OF_OTHERS: Final = (
    select(seats.c.person, seats.c.table_id, seats.c.seat, people.c.name)
    .join(_OWN, _OWN.c.table_id == seats.c.table_id)
    .join(tables, tables.c.id == seats.c.table_id)
    .join(people, people.c.id == seats.c.person)
    .where(
        *(_OWN.c.person == _PERSON, _OWN.c.kind != "here", tables.c.status == "over", IS_KNOWN_GAME),
        *(seats.c.person.not_in((NOBODY,)), seats.c.person != _PERSON, seats.c.kind != "here", IS_PRESENT),
        ~does_block(_PERSON, seats.c.person),
    )
    .order_by(tables.c.ended.desc(), tables.c.id, seats.c.seat)
    .limit(_MOST_SEATS)
)


def _opponent(db: Connection, key: OpponentKey, reader: str | None) -> Opponent | None:
    row = person_behind(db, key.handle, reader) if key.handle else _mate(db, key, reader or "")
    return None if row is None or row.id == reader else Opponent(row.id, row.name)


def _mate(db: Connection, key: OpponentKey, reader: str) -> Any:
    """Return the person at a seat of a finished game at which the reader sat too, also if they block the reader."""
    query = (
        select(people.c.id, people.c.name)
        .join(seats, seats.c.person == people.c.id)
        .join(_OWN, _OWN.c.table_id == seats.c.table_id)
        .join(tables, tables.c.id == seats.c.table_id)
        .where(
            *(seats.c.table_id == key.table, seats.c.seat == key.seat, seats.c.kind != "here"),
            *(_OWN.c.person == reader, tables.c.status == "over", people.c.id != NOBODY, IS_PRESENT),
        )
    )
    return db.execute(query).first() if is_seat(key.table, key.seat) and is_id(reader) else None


# -------------------------------------------------------------------------------------------------- open challenges


def _open(now: int, *columns: Any) -> Select[Any]:
    """Select challenges that are open: the challenger's table waits, and nobody sits yet on the seat that is kept."""
    kept_seat = (seats.c.table_id == tables.c.id) & (seats.c.reserved == _CHALLENGE.challenged)
    return (
        select(*columns)
        .select_from(person_challenges)
        .join(tables, tables.c.id == _CHALLENGE.table_id)
        .join(seats, kept_seat & seats.c.person.is_(None))
        .where(
            *(tables.c.status == "waiting", tables.c.host == _CHALLENGE.challenger),
            *(_CHALLENGE.at > now - LASTS, IS_KNOWN_GAME),
        )
    )


def _open_challenges(db: Connection, person: str, now: int) -> tuple[OpenChallenge, ...]:
    is_apart = or_(
        does_block(_CHALLENGE.challenger, _CHALLENGE.challenged),
        does_block(_CHALLENGE.challenged, _CHALLENGE.challenger),
    )
    own = (_CHALLENGE.id, _CHALLENGE.counters, _CHALLENGE.at, seats.c.seat, people.c.name)
    query = (
        _open(now, *own, profiles.c.handle, profiles.c.public, *TABLE_ROW)
        .join(people, people.c.id == _CHALLENGE.challenger)
        .outerjoin(profiles, profiles.c.person == _CHALLENGE.challenger)
        .where(_CHALLENGE.challenged == person, ~is_apart)
        .order_by(_CHALLENGE.at, _CHALLENGE.id)
    )
    rows = db.execute(query).all()
    table_infos = infos(db, [TableRow(*row[-len(TABLE_ROW) :]) for row in rows], person, now)
    return tuple(
        [
            OpenChallenge(id_, name, handle if public else "", seat, counters, datetime_of(at), table)
            for (id_, counters, at, seat, name, handle, public, *_), table in zip(rows, table_infos, strict=True)
        ]
    )


def _require_open(db: Connection, challenge: str, person: str, now: int) -> Any:
    """Return the row of a challenge that waits for the person's answer. Raises NotNow."""
    query = _open(now, person_challenges).where(_CHALLENGE.id == challenge, _CHALLENGE.challenged == person)
    row = db.execute(query).first() if is_id(challenge) else None
    if row is None or is_kept_out(db, row.challenger, person) or is_kept_out(db, person, row.challenger):
        raise _no_longer_open()
    return row


def _no_longer_open() -> NotNow:
    """Return the refusal to raise where a challenge was answered, withdrawn or has lapsed."""
    return NotNow("", "This challenge is no longer open.")


def _take_open(change: TableChange, challenge: str, person: str) -> Any:
    """Lock the two people and the table of a challenge that waits for the person's answer; return its row.

    The people come first, as where somebody sits down, and in one order: no deadlock. Raises NotNow.
    """
    row = _require_open(change.db, challenge, person, change.now)
    for one in sorted((person, row.challenger)):
        take_person(change.db, one)
    try:
        change.take(row.table_id)
    except NoTable as error:
        raise _no_longer_open() from error
    return _require_open(change.db, challenge, person, change.now)


def _send(change: TableChange, person: str, other: str, terms: Terms, *, counters: bool) -> str:
    """Open the table of a challenge, keep the seat, and tell the other, unless they block the person."""
    db = change.db
    names = {one: take_person(db, one) for one in sorted((person, other))}  # in one order: no deadlock
    if is_kept_out(db, person, other):
        raise NotAllowed("", "You have blocked {name}.", name=names[other])
    by_person = _open(change.now, _CHALLENGE.challenged).where(_CHALLENGE.challenger == person)
    challenged_by_person = db.scalars(by_person).all()
    if other in challenged_by_person:
        raise TooMany("", "You have already challenged {name}.", name=names[other])
    if len(challenged_by_person) >= MOST_SENT:
        reason = "{most} of your challenges are still open: wait for an answer, or cancel one of those tables."
        raise TooMany("", reason, most=MOST_SENT)
    is_shown = ~does_block(_CHALLENGE.challenged, _CHALLENGE.challenger)
    received = _open(change.now, func.count()).where(_CHALLENGE.challenged == other, is_shown)
    if (db.scalar(received) or 0) >= MOST_RECEIVED:
        raise TooMany("", "{name} already has many open challenges. Try again later.", name=names[other])
    checked = plan_checks.check(terms.plan)
    table = opening.open_table(change, person, checked, terms.share, terms.expected, terms.origin)
    opening.reserve_seat(change, table, CHALLENGED_SEAT, other, names[other])
    if not is_kept_out(db, other, person) and (counters or not _was_told(db, person, other, change.now)):
        enqueuing.note_challenge(change, table, other, "counter" if counters else "challenge")
    new = {"id": new_id(), "table_id": table, "challenger": person, "challenged": other, "at": change.now}
    db.execute(insert(person_challenges).values(**new, game=checked.game.name, counters=counters))
    opening.note_open_seats(change, person, checked, table)
    return table


def _was_told(db: Connection, person: str, other: str, now: int) -> bool:
    """Return True if the other may have been told of a challenge by the person within the last hour.

    Of one that was sent and cancelled before the notification was due, they were not.
    """
    lately = _CHALLENGE.at.between(now - BETWEEN, now - enqueuing.DELAY)
    query = select(_CHALLENGE.id).where(_CHALLENGE.challenger == person, _CHALLENGE.challenged == other, lately)
    return db.execute(query.limit(1)).first() is not None


def _end(change: TableChange, row: Any, *, declined: int | None = None) -> None:
    """End a challenge. Its row is kept for a while: of another one the challenged person is not told at once."""
    ended = {"table_id": None, "declined": declined}
    change.db.execute(update(person_challenges).where(_CHALLENGE.id == row.id).values(ended))
    _close(change, row)


def _close(change: TableChange, challenge: Any) -> None:
    """Delete the table of a challenge, or free the seat that was kept if others than the challenger sit there."""
    try:
        row = change.take(challenge.table_id)
    except NoTable:
        return
    sitting = seat_rows(change.db, row.id)
    is_kept = any(seat.reserved == challenge.challenged and not is_taken(seat) for seat in sitting)
    if row.status != "waiting" or not is_kept:
        return
    if any(seat.person not in (None, challenge.challenger) for seat in sitting):
        opening.stand_up(change, row, sitting, challenge.challenged)
    else:
        delete_tables(change, [row.id])
