"""Notifications, written to the outbox in the transaction of the event itself.

So none is lost when the program dies, and none is sent for an event that was rolled back.

A row is written for each notification channel of a person. Its recipient sees the row's id, the same each time it is
sent. Whether it is still worth sending is decided when it is due (``outbox``): a turn that was taken back or already
seen is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Insert,
    Integer,
    String,
    bindparam,
    case,
    delete,
    false,
    insert,
    literal,
    select,
)

from kontor.people import follows
from kontor.people.blocks import blockers
from kontor.storage.ids import new_id
from kontor.storage.schema import outbox, ways
from kontor.tables.absence import REMINDED
from kontor.tables.rows import SeatRow, TableRow, is_machine
from kontor.tables.transactions import TableChange
from kontor.tables.values import Mail, NotificationOccasion

_SECOND: Final = 1000
_HOUR: Final = 3600 * _SECOND

DELAY: Final = 20 * _SECOND
"""Milliseconds before a notification is sent, if the person has not seen the table until then."""

QUICKEST: Final = _HOUR // 2
_LONGEST: Final = 12 * _HOUR
"""A reminder comes when a quarter of a move's time is left, but within these limits."""

_DUE: Final = bindparam("due", type_=BigInteger)


def _to_each_way(due: ColumnElement[int]) -> Insert:
    """Return the statement that adds a row for each channel of some people."""
    row = select(
        ways.c.id + literal(".") + bindparam("id", type_=String),
        ways.c.id,
        bindparam("table", type_=String),
        bindparam("occasion", type_=String),
        bindparam("number", type_=Integer),
        bindparam("about", type_=String),
        bindparam("created", type_=BigInteger),
        due,
    ).where(ways.c.person.in_(bindparam("persons", expanding=True)), ways.c.dead == false())
    columns = ["id", "way", "table_id", "occasion", "number", "about", "created", "due"]
    return insert(outbox).from_select(columns, row)


_TO_EACH_WAY: Final = _to_each_way(_DUE)

_REMIND_EACH_WAY: Final = _to_each_way(
    case(
        (
            (ways.c.lead > 0) | (ways.c.lead.is_(None) & (ways.c.quiet_from != ways.c.quiet_to)),
            bindparam("early", type_=BigInteger),
        ),
        else_=_DUE,
    )
)
"""Reminders for each channel. Those with chosen hours are looked at early; the decision then gives their time."""


def note_move(
    change: TableChange, row: TableRow, sitting: Sequence[SeatRow], lines: Sequence[Mapping[str, Any]]
) -> None:
    """Notify the person to move, or everybody that the game is over, after the table has gone on to ``row``.

    People are not notified of their own moves.
    """
    moved = next((sitting[line["seat"]].person for line in reversed(lines) if line["seat"] >= 0), None)
    if row.status == "over":
        note_end(change, row, sitting, moved)
    elif row.mover is not None and sitting[row.mover].person != moved:
        note_turn(change, row, sitting[row.mover])


def note_turn(change: TableChange, row: TableRow, mover: SeatRow) -> None:
    """Notify the person to move, unless the game is paused or they are on holiday: then it is done afterwards."""
    person = _awaited_person(change, row, mover)
    if person is None:
        return
    _note(change, person, "turn", row)
    if row.deadline is not None and row.pace == "slow":
        _note_reminder(change, person, row)


def renew_reminder(change: TableChange, row: TableRow, mover: SeatRow) -> None:
    """Remind the person to move of a clock that goes on, by one reminder in place of any earlier one.

    An earlier one may have been dropped while the clock stood still, or be too early now.
    """
    person = _awaited_person(change, row, mover)
    if person is None or row.pace == "live":
        return
    change.db.execute(delete(outbox).where(outbox.c.table_id == row.id, outbox.c.occasion == "reminder"))
    _note_reminder(change, person, row)


def _awaited_person(change: TableChange, row: TableRow, mover: SeatRow) -> str | None:
    """Return the person to move if their clock runs and they can be notified."""
    is_awaited = not is_machine(mover) and row.stopped is None and change.can_notify(mover.person)
    return mover.person if is_awaited else None


def lead_time(row: TableRow, lead: int | None) -> int:
    """Return how many milliseconds before the end of their time people are reminded.

    They can choose the hours (``lead``), but none comes before half of a move's time is over.
    """
    if lead:
        return min(lead * _HOUR, _half(row))
    return max(QUICKEST, min(_LONGEST, row.seconds * _SECOND // 4))


def is_first_half(row: TableRow, deadline: int, at: int) -> bool:
    """Return True if a time is in the first half of the time for the move that ends at the deadline."""
    return at < deadline - _half(row)


def _half(row: TableRow) -> int:
    return row.seconds * _SECOND // 2


def note_end(change: TableChange, row: TableRow, sitting: Sequence[SeatRow], ended: str | None) -> None:
    """Notify all others that the game is over, ended by the person ``ended``."""
    for person in _persons(seat.person for seat in sitting if seat.person != ended):
        if change.can_notify(person):
            _note(change, person, "over", row)


def note_stand_in(change: TableChange, row: TableRow, person: str | None) -> None:
    """Notify the person, whose time is over, that a computer player stands in for them."""
    if person is not None and change.can_notify(person):
        _note(change, person, "stood in", row)


def note_invitation(change: TableChange, row: TableRow, sitting: Sequence[SeatRow], host: str) -> None:
    """Notify people of the game before that seats are kept for them, except those who have blocked the host."""
    unwelcome_to = blockers(change.db, host)
    for person in _persons(seat.reserved for seat in sitting if seat.reserved != host):
        if change.can_notify(person) and person not in unwelcome_to:
            _note(change, person, "invited", row)


def note_followed(change: TableChange, person: str, table: str | None = None) -> None:
    """Notify those who follow the person that they have opened a table to all, or that they look for a game."""
    followers = follows.followers_to_notify(change.db, person, change.now)
    if followers:
        follows.note_notified(change.db, person, followers, change.now)
        _note_to_all(change, followers, "followed", table=table, about=person)


def note_challenge(change: TableChange, table: str, challenged: str, occasion: NotificationOccasion) -> None:
    """Notify the person that a seat of a table is kept for them, because somebody challenges them."""
    if change.can_notify(challenged):
        _note_to_all(change, [challenged], occasion, table=table)


def note_declined(change: TableChange, challenger: str, challenged: str) -> None:
    """Notify the challenger that the challenged person has declined; their table may be deleted already."""
    if change.can_notify(challenger):
        _note_to_all(change, [challenger], "declined", about=challenged)


def note_message(change: TableChange, author: str, recipient: str) -> None:
    """Notify the recipient that the author has written to them, unless they read it before."""
    _note_to_all(change, [recipient], "message", about=author)


def note_place(change: TableChange, tournament: str, person: str) -> None:
    """Notify a person who waited for a place in a tournament that they have it."""
    if change.can_notify(person):
        _note_to_all(change, [person], "place", about=tournament)


def note_round(change: TableChange, row: TableRow, sitting: Sequence[SeatRow]) -> None:
    """Notify everybody that a round of a tournament begins.

    For the person to move it replaces the notification of their turn.
    """
    change.db.execute(delete(outbox).where(outbox.c.table_id == row.id, outbox.c.occasion == "turn"))
    for person in _persons(seat.person for seat in sitting):
        if change.can_notify(person):
            _note(change, person, "round", row)


def note_mail(change: TableChange, mail: Mail) -> None:
    """Send a mail to an address that need not be a notification channel."""
    new = {"id": new_id(), "occasion": "mail", "created": change.now, "due": change.now}
    change.db.execute(insert(outbox).values(**new, mail=msgspec.json.encode(mail).decode()))


def drop_mail(change: TableChange, address: str) -> None:
    """Delete unsent mails to an address that need not be a notification channel."""
    to_them = f'{{"to":{msgspec.json.encode(address).decode()},'  # how a mail's JSON begins
    change.db.execute(delete(outbox).where(outbox.c.mail.startswith(to_them, autoescape=True)))


def _persons(ids: Iterable[str | None]) -> list[str]:
    return list(dict.fromkeys(person for person in ids if person is not None))


def _note_reminder(change: TableChange, person: str, row: TableRow) -> None:
    """Put a reminder into the outbox for each channel of the person to move."""
    due = change.now + REMINDED if row.deadline is None else row.deadline - lead_time(row, None)
    values = {"id": new_id(), "table": row.id, "occasion": "reminder", "number": row.number, "about": None}
    times = {"created": change.now, "due": due, "early": min(due, change.now + DELAY)}
    change.db.execute(_REMIND_EACH_WAY, {**values, **times, "persons": [person]})


def _note(change: TableChange, person: str, occasion: NotificationOccasion, row: TableRow) -> None:
    _note_to_all(change, [person], occasion, table=row.id, number=row.number)


def _note_to_all(
    change: TableChange,
    persons: Sequence[str],
    occasion: NotificationOccasion,
    *,
    table: str | None = None,
    number: int = 0,
    about: str | None = None,
) -> None:
    """Put a row into the outbox for each channel of these people; ``about`` is the subject of the news, if any."""
    values = {"id": new_id(), "table": table, "occasion": occasion, "number": number, "about": about}
    times = {"created": change.now, "due": change.now + DELAY}
    change.db.execute(_TO_EACH_WAY, {**values, **times, "persons": list(persons)})
