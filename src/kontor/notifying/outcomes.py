"""Changes that follow from the outcome of a notification: to its row, its channel and the next summary."""

from __future__ import annotations

from typing import Any, Final, assert_never

from sqlalchemy import case, delete, insert, select, update

from kontor.notifying import daily
from kontor.notifying.due_rows import Due, Outcome
from kontor.notifying.table_posts import WEBHOOK, drop_ended, note_post
from kontor.notifying.waiting_turns import TurnEntry, turns_of
from kontor.storage.ids import new_id
from kontor.storage.schema import notification_settings, outbox, table_webhooks, tables, ways
from kontor.storage.stored_times import SLACK, past_time
from kontor.tables import absence
from kontor.tables.looks import note_look
from kontor.tables.transactions import TableChange

_MINUTE: Final = 60 * 1000
_HOUR: Final = 60 * 60 * 1000
_DAY: Final = 24 * 60 * 60 * 1000

WAITS: Final = tuple(n * _MINUTE for n in (1, 3, 10, 30, 120, 360, 720, 1440, 1440, 1440, 1440))
"""Milliseconds between the tries, five days in all. After the last of them the message is given up."""

REFUSED_FOR: Final = 3 * _DAY
"""Milliseconds of nothing but refusals after which a channel is switched off."""

_REFUSALS: Final = ("refused", "policy", "forbidden")
"""Reasons of a recipient that refuses for good. All others can pass, or are faults of this server."""

_LONGEST_DETAIL: Final = 80

_FORGOTTEN: Final = 14 * _DAY
"""Milliseconds for which people are told daily of a turn without a clock."""

_LONGEST_WAIT: Final = 2 * _DAY
"""The most milliseconds that a summary waits, or a message that could not be delivered."""

_SHORT_WAIT: Final = _HOUR
"""The most milliseconds that all other rows wait.

After the clock was put back, a later row is looked at at once: that is too early at worst.
"""

_BETWEEN_SUMMARIES: Final = 16 * _HOUR
"""The least number of milliseconds between two summaries.

A summary may come hours late if the server did not run or could not deliver it. Another on the same day would say the
same.
"""


def settle(change: TableChange, outcome: Outcome) -> None:
    """Write what follows from the outcome of a row: it goes, waits or is tried again."""
    due = outcome.due
    is_row = outbox.c.id == due.id
    if due.occasion == WEBHOOK and not _lock_row(change, due):
        return  # its webhook was changed or removed while it was posted
    match outcome.kind:
        case "sent":
            _note_notified(change, outcome)
            change.db.execute(delete(outbox).where(is_row))
            if due.occasion == WEBHOOK:
                note_post(change, outcome)
            _note_delivery(change, due)
            _note_reminder(change, due)
        case "dropped":
            change.db.execute(delete(outbox).where(is_row))
        case "later":
            change.db.execute(update(outbox).where(is_row).values(due=outcome.at))
        case "summary":
            change.db.execute(delete(outbox).where(is_row))
            note_summary(change, due.way, outcome.at, but=due.id)
            _note_reminder(change, due)
        case "failed":
            if due.tries < len(WAITS):
                values = {"due": change.now + WAITS[due.tries], "tries": due.tries + 1}
                change.db.execute(update(outbox).where(is_row).values(**values))
            else:
                change.db.execute(delete(outbox).where(is_row))
                drop_ended(change, due)
            _note_failure(change, outcome)
        case "dead":
            change.db.execute(delete(outbox).where(is_row))
            drop_ended(change, due)
            _note_failure(change, outcome)
        case _:
            assert_never(outcome.kind)


def _lock_row(change: TableChange, due: Due) -> bool:
    """Lock the row in the outbox; return False if it was deleted meanwhile."""
    row = select(outbox.c.id).where(outbox.c.id == due.id).with_for_update()
    return change.db.scalar(row) is not None


def _note_notified(change: TableChange, outcome: Outcome) -> None:
    due = outcome.due
    if due.occasion in ("turn", "round") and due.table is not None:
        values = {"told": change.now, "line": due.number}
        note_look(change.db, due.table, outcome.person, values)
        _note_next_summary(change, due, change.now)
    turns = turns_of(change.db, outcome.person) if due.occasion == "daily" else ()
    if any(_is_worth_summary(turn, change.now) for turn in turns):
        _note_next_summary(change, due, change.now + _BETWEEN_SUMMARIES)


def _note_next_summary(change: TableChange, due: Due, after: int) -> None:
    """Put the first summary after a time into the outbox, if the channel of a sent row gets any."""
    chosen = (
        select(ways.c.hour, notification_settings.c.zone)
        .join(notification_settings, notification_settings.c.person == ways.c.person)
        .where(ways.c.id == due.way, ways.c.frequency.in_(("daily", "both")))
    )
    hour_and_zone = change.db.execute(chosen).first()
    if hour_and_zone is not None:  # None also if the person has left meanwhile
        note_summary(change, due.way, daily.next_time(after, *hour_and_zone), but=due.id)


def _is_worth_summary(turn: TurnEntry, now: int) -> bool:
    """Return True if the turn is still worth a summary tomorrow.

    So nobody is told for ever of a table that everybody has left.
    """
    return turn.deadline > now if turn.deadline is not None else turn.since > now - _FORGOTTEN


def note_summary(change: TableChange, way: str | None, at: int, but: str = "") -> None:
    """Put one summary for the channel into the outbox, unless one other than the row ``but`` is there.

    ``but`` is a summary that is just being settled.
    """
    waiting = (outbox.c.way == way) & (outbox.c.occasion == "daily")
    if change.db.scalar(select(outbox.c.id).where(waiting, outbox.c.id != but).limit(1)) is None:
        new = {"id": f"{way}.{new_id()}", "way": way, "occasion": "daily", "created": change.now, "due": at}
        change.db.execute(insert(outbox).values(**new))


def _note_reminder(change: TableChange, due: Due) -> None:
    """Put a reminder into the outbox after the notification of a turn without a clock.

    It replaces an earlier one, and comes before others may claim the game. It is looked at a day early, because quiet
    hours can let it come earlier.
    """
    timeless = (tables.c.id == due.table) & (tables.c.pace == "none")
    if due.occasion == "turn" and change.db.scalar(select(tables.c.id).where(timeless)) is not None:
        earlier = (outbox.c.way == due.way) & (outbox.c.table_id == due.table) & (outbox.c.occasion == "reminder")
        change.db.execute(delete(outbox).where(earlier))
        new = {"id": f"{due.way}.{new_id()}", "way": due.way, "table_id": due.table, "occasion": "reminder"}
        at = change.now + absence.REMINDED - _DAY
        change.db.execute(insert(outbox).values(**new, number=due.number, created=change.now, due=at))


def bring_to_present(change: TableChange) -> None:
    """Make rows due now that wait for a time of a clock that was ahead; a look too early does no harm."""
    now = change.now
    noted_ahead = outbox.c.created > now + SLACK
    usually_short = (outbox.c.occasion == "reminder") | ((outbox.c.tries == 0) & (outbox.c.occasion != "daily"))
    put_off = (outbox.c.due > now + _LONGEST_WAIT) | (usually_short & (outbox.c.due > now + _SHORT_WAIT))
    # A row that another transaction is changing gets its time from there.
    rows = select(outbox.c.id).where(noted_ahead | put_off).with_for_update(skip_locked=True)
    present = {"created": case((noted_ahead, now), else_=outbox.c.created), "due": now}
    change.db.execute(update(outbox).where(outbox.c.id.in_(rows)).values(**present))


DELIVERED: Final[dict[str, Any]] = {"failing": None, "reason": "", "detail": "", "refused": None}
"""The columns of a channel that has nothing undelivered."""


def _note_delivery(change: TableChange, due: Due) -> None:
    """Forget the failures of a channel that has accepted a message."""
    failing = (ways.c.id == due.way) & ways.c.failing.is_not(None)
    change.db.execute(update(ways).where(failing).values(**DELIVERED))


def _note_failure(change: TableChange, outcome: Outcome) -> None:
    """Note why a channel failed; switch it off if its recipient is gone, or has refused everything for days."""
    way = outcome.due.way
    receivers, is_receiver = ways, ways.c.id == way
    if outcome.due.occasion == WEBHOOK:
        receivers, is_receiver = table_webhooks, table_webhooks.c.table_id == outcome.due.table
    elif way is None:
        return
    row = change.db.execute(select(receivers.c.failing, receivers.c.refused).where(is_receiver)).first()
    if row is None:  # removed meanwhile
        return
    since = past_time(row.refused, change.now) or change.now
    values: dict[str, Any] = {
        "failing": change.now if row.failing is None else row.failing,
        "reason": outcome.reason or "unreached",
        "detail": outcome.detail[:_LONGEST_DETAIL],
        "refused": since if outcome.reason in _REFUSALS else None,
    }
    change.db.execute(update(receivers).where(is_receiver).values(**values))
    if outcome.kind != "dead" and (outcome.reason not in _REFUSALS or change.now - since < REFUSED_FOR):
        return
    if way is None:
        change.db.execute(update(table_webhooks).where(is_receiver).values(dead=True))
    else:
        switch_off(change, way)


def switch_off(change: TableChange, way: str) -> None:
    """Send nothing more by this channel until its person switches it on again."""
    change.db.execute(update(ways).where(ways.c.id == way).values(dead=True))
    change.db.execute(delete(outbox).where(outbox.c.way == way))
    change.count_ending()
