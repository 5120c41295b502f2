"""Posts to the webhooks of tables: whose turn it is and how the game ended, once a minute at most.

A post tells the last state. A heartbeat looks at the tables that have changed, so a move costs nothing more. What is
posted is public, or known to all at the table; of a game that may not be watched, only whose turn it is, and that it
is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, delete, exists, func, insert, or_, select, update

from kontor.endings import EarlyEnd
from kontor.errors import NoTable
from kontor.game import Result, Value
from kontor.notifying.due_rows import Due, EndedGame, Outcome, TablePost
from kontor.people.public_pages import IS_PRESENT
from kontor.storage.ids import new_id
from kontor.storage.schema import outbox, people, steps, table_webhooks, tables
from kontor.storage.stored_times import SLACK
from kontor.tables.rows import SeatRow, TableRow, is_machine, seat_rows, table_row
from kontor.tables.transactions import TableChange
from kontor.tables.values import NotificationOccasion

WEBHOOK: Final[NotificationOccasion] = "webhook"

BETWEEN: Final = 60 * 1000
"""The least number of milliseconds between two posts of a table."""

_AT_ONCE: Final = 200
"""The most tables whose posts are put into the outbox at one heartbeat."""

OVER: Final = "over"
"""The state of a game that has ended."""

_HOOK: Final = table_webhooks.c


def enqueue_due(change: TableChange, _: int) -> None:
    """Put a post into the outbox for each table that has changed, unless one waits there or was sent just now."""
    _drop_unusable(change)
    waits = exists().where(outbox.c.table_id == _HOOK.table_id, outbox.c.occasion == WEBHOOK)
    is_rested = or_(
        _HOOK.posted.is_(None),
        _HOOK.posted <= change.now - BETWEEN,
        _HOOK.posted > change.now + SLACK,  # the clock was put back
    )
    query = (
        select(_HOOK.table_id, _HOOK.state, tables.c.changes)
        .join(tables, tables.c.id == _HOOK.table_id)
        .where(~_HOOK.dead, tables.c.changes != _HOOK.seen, tables.c.status != "waiting", is_rested, ~waits)
        .limit(_AT_ONCE)
        # The tables are locked as well, as where one is deleted with its webhook: no deadlock. One that goes on just
        # now is looked at by the next heartbeat.
        .with_for_update(of=(tables, table_webhooks), skip_locked=True, key_share=True)
    )
    for row in change.db.execute(query).all():
        is_hook = _HOOK.table_id == row.table_id
        values: dict[str, Any] = {"seen": row.changes}
        state = state_of(change.db, table_row(change.db, row.table_id), seat_rows(change.db, row.table_id))
        if state not in ("", row.state):
            values["posted"] = change.now
            new = {"id": new_id(), "table_id": row.table_id, "occasion": WEBHOOK, "created": change.now}
            change.db.execute(insert(outbox).values(**new, due=change.now))
        change.db.execute(update(table_webhooks).where(is_hook).values(**values))


def state_of(db: Connection, row: TableRow, sitting: Sequence[SeatRow]) -> str:
    """Return what is posted of a table; empty while nobody is waited for, or only a computer player.

    The last line of another seat sets two turns of one seat apart, so all moves of a turn are one state.
    """
    if row.status == "over":
        return OVER
    if row.status != "playing" or row.mover is None or row.stopped is not None or is_machine(sitting[row.mover]):
        return ""
    others = select(steps.c.number).where(steps.c.table_id == row.id, steps.c.seat >= 0, steps.c.seat != row.mover)
    return f"turn {row.mover} {db.scalar(others.order_by(steps.c.number.desc()).limit(1)) or 0}"


def decide_post(db: Connection, due: Due, now: int) -> TablePost | None:
    """Return what to post now for a table, or None if it need not be posted any more."""
    query = select(table_webhooks).join(people, people.c.id == _HOOK.person).where(_HOOK.table_id == due.table)
    hook = db.execute(query.where(IS_PRESENT, ~_HOOK.dead)).first()
    try:
        row = table_row(db, due.table or "")
    except NoTable:
        return None
    sitting = seat_rows(db, row.id)
    state = state_of(db, row, sitting)
    if hook is None or state in ("", hook.state) or not any(seat.person == hook.person for seat in sitting):
        return None
    mover = row.mover if state != OVER else None
    return TablePost(
        due=due,
        form=hook.form,
        address=hook.address,
        secret=hook.secret,
        person=hook.person,
        language=hook.language,
        base=hook.base,
        table=row.id,
        game=row.game,
        state=state,
        mover="" if mover is None else sitting[mover].name,
        seat=mover,
        mention="" if mover is None else mention_of(hook.mentions, sitting[mover]),
        ending=ended_game(row, sitting, ()) if state == OVER and row.watch else None,
    )


class StoredMention(Value, frozen=True):
    """The id by which a person at the table is mentioned, while they sit there, also at another seat."""

    id: str
    person: str
    """The digest of the person's id: who has left is not named by it."""


def mentions_in(stored: str) -> dict[int, StoredMention]:
    """Return the ids to mention as they are stored, by the seats of the time when they were given."""
    return msgspec.json.decode(stored, type=dict[int, StoredMention])


def digest_of(person: str | None) -> str:
    """Return what is stored of a person who is mentioned, to find them at the table."""
    return sha256((person or "").encode()).hexdigest()[:32]


def mention_of(stored: str, seat: SeatRow) -> str:
    """Return the id by which the person of a seat is mentioned; empty if there is none."""
    own = {at: mention.id for at, mention in mentions_in(stored).items() if mention.person == digest_of(seat.person)}
    return own.get(seat.seat) or next(iter(own.values()), "")


def lock_for_merge(db: Connection, person: str, other: str) -> None:
    """Lock the webhooks of two people in one order to avoid deadlocks, and mention the one as the other was.

    The tables where they sit are locked.
    """
    of_both = or_(_HOOK.person.in_((person, other)), _HOOK.mentions.contains(digest_of(other)))
    locked_ids = db.scalars(select(_HOOK.table_id).where(of_both).order_by(_HOOK.table_id).with_for_update()).all()
    mentions = func.replace(_HOOK.mentions, digest_of(other), digest_of(person))
    db.execute(update(table_webhooks).where(_HOOK.table_id.in_(locked_ids)).values(mentions=mentions))


def ended_game(row: TableRow, sitting: Sequence[SeatRow], own: tuple[int, ...]) -> EndedGame:
    """Return how the game of a table ended, for the person at the seats ``own``."""
    result = msgspec.json.decode(row.result, type=Result) if row.result else None
    return EndedGame(
        names=tuple((seat.name, seat.player) for seat in sitting),
        own=own,
        winners=result.winners if result else (),
        early=msgspec.json.decode(row.early, type=EarlyEnd) if row.early else None,
    )


def drop_ended(change: TableChange, due: Due) -> None:
    """Delete the webhook of a table that is over, once a post there was given up."""
    if due.occasion == WEBHOOK:
        has_ended = exists().where(tables.c.id == _HOOK.table_id, tables.c.status == "over")
        change.db.execute(delete(table_webhooks).where(_HOOK.table_id == due.table, has_ended))


def _drop_unusable(change: TableChange) -> None:
    """Delete webhooks of tables that are over, to which nothing will be posted."""
    is_present = exists().where(people.c.id == _HOOK.person, IS_PRESENT)
    ended = (
        select(_HOOK.table_id)
        .join(tables, tables.c.id == _HOOK.table_id)
        .where(tables.c.status == "over", or_(_HOOK.dead, ~is_present))
        .with_for_update(of=table_webhooks, skip_locked=True)
    )
    change.db.execute(delete(table_webhooks).where(_HOOK.table_id.in_(ended)))


def note_post(change: TableChange, outcome: Outcome) -> None:
    """Note that a state was posted. After the end there is nothing more to post."""
    is_hook = _HOOK.table_id == outcome.due.table
    if outcome.state == OVER:
        change.db.execute(delete(table_webhooks).where(is_hook))
        return
    delivered = {"state": outcome.state, "failing": None, "reason": "", "detail": "", "refused": None}
    change.db.execute(update(table_webhooks).where(is_hook).values(**delivered))
