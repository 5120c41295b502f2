"""The outbox: messages still to be sent. One process takes a few at a time, and deletes them once delivered.

A process that takes a row has it to itself for a while (``LEASE``). If it dies, the row is taken again after that. A
message that was sent but not yet noted is then sent once more, by the same id. So everything is sent at least once,
and a receiver that checks the ids sees it once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Select, case, func, literal, select, update

from kontor.notifying.decisions import decide
from kontor.notifying.due_rows import Due, Later, Outcome, ToSend
from kontor.notifying.lanes import SHARES, Lane, LaneUse, kinds_of
from kontor.notifying.outcomes import settle
from kontor.notifying.table_posts import WEBHOOK
from kontor.storage.schema import outbox, table_webhooks, tables, ways
from kontor.tables.transactions import TableChange, TableTransactions

_MINUTE: Final = 60 * 1000

LEASE: Final = 2 * _MINUTE
"""Milliseconds for which no other process takes a row that was taken."""


class Outbox:
    """The outbox of a server."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def is_any_due(self) -> bool:
        """Return True if any row is due."""
        now = self._transactions.now()
        return self._transactions.ask(lambda db: db.scalar(_NEXT) or math.inf) <= now

    def exchange(
        self, outcomes: Sequence[Outcome], under_way: Sequence[Due] | None, lease: int = LEASE
    ) -> tuple[Due, ...]:
        """Note what became of taken rows; take and return others that are due.

        As many are taken as their lanes have room for, beside those ``under_way``; if that is None, none are.
        """
        with self._transactions.changing() as change:
            # The webhooks of tables are locked in one order, as by a merge of people, to avoid deadlocks.
            for outcome in sorted(outcomes, key=_webhook_of):
                settle(change, outcome)
            return () if under_way is None else _take(change, under_way, lease)

    def look(self, due: Due) -> ToSend | Later | Outcome:
        """Return what is to be sent for a row now, when to look again, or the outcome if nothing is to be sent."""
        with self._transactions.reading() as db:
            return decide(db, due, self._transactions.now())

    def figures(self) -> tuple[int, float]:
        """Return how many rows are due, and for how many seconds the oldest has been."""
        now = self._transactions.now()
        query = select(func.count(), func.min(outbox.c.due)).where(outbox.c.due <= now)
        with self._transactions.reading() as db:
            count, oldest = db.execute(query).one()
        return count, 0.0 if oldest is None else (now - oldest) / 1000


def _webhook_of(outcome: Outcome) -> str:
    """Return the table to whose webhook was posted, or ""."""
    return outcome.due.table or "" if outcome.due.occasion == WEBHOOK else ""


_NEXT: Final = select(func.min(outbox.c.due))

_DUE: Final = (
    outbox.c.id,
    outbox.c.way,
    outbox.c.table_id,
    outbox.c.occasion,
    outbox.c.number,
    outbox.c.mail,
    outbox.c.created,
    outbox.c.tries,
)


def _take(change: TableChange, under_way: Sequence[Due], lease: int) -> tuple[Due, ...]:
    """Take rows for each lane that has room, and note them as taken."""
    taken: list[Due] = []
    for lane in SHARES:
        use = LaneUse(lane, under_way)
        if use.number < use.share.in_all:
            query = _waiting_in(lane, use, change.now).with_for_update(of=outbox, skip_locked=True)
            rows = [Due(*row) for row in change.db.execute(query)]
            taken += [due for due in rows if use.add(due)]
    if taken:
        are_taken = outbox.c.id.in_([due.id for due in taken])
        change.db.execute(update(outbox).where(are_taken).values(due=change.now + lease))
    return tuple(taken)


def _waiting_in(lane: Lane, use: LaneUse, now: int) -> Select[Any]:
    """Select the rows of a lane that are due, oldest first, within the shares of each person and network."""
    of_table = outbox.c.occasion == WEBHOOK
    is_webhook = (table_webhooks.c.table_id == outbox.c.table_id) & of_table
    joined = outbox.outerjoin(ways, ways.c.id == outbox.c.way).outerjoin(tables, tables.c.id == outbox.c.table_id)
    joined = joined.outerjoin(table_webhooks, is_webhook)
    kind = case((of_table, literal("table")), else_=ways.c.kind)
    origin = func.coalesce(tables.c.origin, 0)
    is_due = outbox.c.due <= now
    person = func.coalesce(ways.c.person, table_webhooks.c.person, "")
    query = select(*_DUE, kind, person, origin, outbox.c.about).select_from(joined).order_by(outbox.c.due)
    query = query.limit(use.share.in_all)
    if lane == "codes":
        return query.where(is_due, outbox.c.way.is_(None), ~of_table)
    # The rows are ranked by person first, and what is left by network, so that no person or network can hide the rows
    # of another.
    by_person = (
        select(
            outbox.c.id,
            outbox.c.due,
            origin.label("origin"),
            func.row_number().over(partition_by=person, order_by=(outbox.c.due, outbox.c.id)).label("rank"),
        )
        .select_from(joined)
        .where(
            is_due,
            kind.in_(kinds_of(lane)),
            person.not_in(use.busy_people()),
            origin.not_in(use.busy_origins()),
        )
        .subquery()
    )
    by_origin = (
        select(
            by_person.c.id,
            by_person.c.origin,
            func.row_number()
            .over(partition_by=by_person.c.origin, order_by=(by_person.c.due, by_person.c.id))
            .label("rank"),
        )
        .where(by_person.c.rank <= use.share.of_person)
        .subquery()
    )
    shared = select(by_origin.c.id).where((by_origin.c.origin == 0) | (by_origin.c.rank <= use.share.of_origin))
    # The time is checked again: another process may have taken the row since it was ranked.
    return query.where(is_due, outbox.c.id.in_(shared))
