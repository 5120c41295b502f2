"""Upkeep over time: heartbeats, computer players that stand in for late people, deletion of expired rows.

A clock that is put back harms nobody, nor does time in which the program did not run: both move ``since`` and
``deadline`` of a table along. A clean end records its time; after any other end the last heartbeat counts. Where
several processes share a server, it runs as long as any of them does.

Expired rows are deleted by a clock that trails the machine's: a jump does not move it, and after days in which the
program did not run it catches up. So a clock that is wrong for a while deletes nothing that is still valid. After a
closure, a clock that may have been put forward meanwhile does not at once begin or cancel tournaments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Final

from sqlalchemy import ColumnElement, Connection, Select, select, update

from kontor.accounts import leaving, passkeys
from kontor.challenges import store as challenges
from kontor.lobby import seeking
from kontor.messages import lifecycle
from kontor.notifying import mailboxes, outcomes, table_posts
from kontor.people import people
from kontor.storage.errors import StorageFailure
from kontor.storage.schema import pulse, tables
from kontor.storage.stored_times import SLACK
from kontor.tables import clearing, opening, pauses, stepping
from kontor.tables.late_seats import stand_in
from kontor.tables.rows import TableRow, seat_row
from kontor.tables.transactions import TableChange, TableTransactions
from kontor.tournaments import tournament_rounds
from kontor.work.failing_items import FailingItems
from kontor.work.incidents import note_incident

_SECOND: Final = 1000

HEARTBEAT_INTERVAL: Final = 10 * _SECOND
"""Milliseconds between two heartbeats."""

DEADLINE_CHECK_INTERVAL: Final = _SECOND
"""Milliseconds between two searches for late people. Each reads all tables in play."""

_MISSED: Final = 3 * HEARTBEAT_INTERVAL
"""Milliseconds of silence after which the program did not run, or the clock was put forward."""

_FIRST_RETRY: Final = 10.0
"""Seconds after which a failed item is tried again; longer each time."""

_CATCHING_UP: Final = 4
"""Speed at which the trailing clock catches up with the machine's time, relative to the time the program runs."""

_GRACE: Final = 24 * 3600 * _SECOND
"""Milliseconds for which expired rows are kept. So a clock that is wrong for eight hours deletes nothing valid."""

_LONG_CLOSURE: Final = 3600 * _SECOND
"""Milliseconds; a longer closure may be none, since the clock may have been put forward."""

_WAIT_AFTER_CLOSURE: Final = 10 * 60 * _SECOND
"""Milliseconds that tournaments then wait which came due during the closure."""


class Upkeep:
    """Periodic work of a server; the process that has it open calls this every few seconds."""

    def __init__(self, transactions: TableTransactions, keep: int | None = None) -> None:
        """Make the upkeep of a server; games of people are kept for ``keep`` days after their end, or for ever."""
        self._transactions = transactions
        self._keep = keep
        self._heartbeat_at = 0
        self._deadlines_applied = 0
        self._closed_at = 0
        self._opened_at = 0
        self._failing_tables = FailingItems("deadlines", first=_FIRST_RETRY)
        self._failing_tournaments = FailingItems("tournaments", first=_FIRST_RETRY)
        self._failing_sweeps = FailingItems("sweeps", first=_FIRST_RETRY)

    def start(self) -> None:
        """Record that this process runs. Raises StorageFailure.

        If no other process did, clocks do not count the time since the server last ran.
        """
        with self._transactions.storage.starting() as alone:
            before = self.record_heartbeat(was_closed=alone)
        if before and self._heartbeat_at - before > _LONG_CLOSURE:
            self._closed_at, self._opened_at = before, self._heartbeat_at

    def stop(self) -> None:
        """Record that the program ran until now; where that cannot be written, the last heartbeat counts."""
        with suppress(StorageFailure), self._transactions.changing() as change:
            _record_heartbeat(change)

    def apply_deadlines(self) -> None:
        """Let chance act where tables that wait for each other have come as far, and once a second do the rest.

        The rest: computer players stand in for late people where that is automatic, and tournaments go on. Every ten
        seconds a heartbeat is recorded and expired rows are deleted.
        """
        now = self._transactions.now()
        if not self._heartbeat_at <= now < self._heartbeat_at + HEARTBEAT_INTERVAL:
            self.record_heartbeat()
        stepping.go_on(self._transactions, self._failing_tournaments)
        if self._deadlines_applied <= now < self._deadlines_applied + DEADLINE_CHECK_INTERVAL:
            return
        with self._transactions.reading() as db:
            overdue = _is_any_overdue(db, now)
        self._deadlines_applied = now
        if overdue:
            with self._transactions.changing() as change:
                _restart_clocks_from_the_future(change, now)
            self._at_tables(_at_once(now), _stand_in, "Standing in at a table")
            self._at_tables(_is_rested(now), _wake, "The end of a pause or a holiday")
        tournament_rounds.go_on(self._transactions, self._failing_tournaments, self._trusted_until(now))

    def _trusted_until(self, now: int) -> int:
        """Return the latest time that is certain; for a while after a closure, the time when the closure began."""
        return self._closed_at if 0 <= now - self._opened_at < _WAIT_AFTER_CLOSURE else now

    def _at_tables(
        self, condition: ColumnElement[bool], act: Callable[[TableChange, TableRow], None], task_name: str
    ) -> None:
        """Act at all tables in play for which the condition holds, each in a transaction of its own.

        The condition holds for a time at which the program is known to have run: if the clock was put forward since,
        everybody would be late.
        """
        with self._transactions.reading() as db:
            due = db.scalars(select(tables.c.id).where(_PLAYING, condition)).all()
        for table in due:
            if self._failing_tables.is_resting(table):
                continue
            try:
                with self._transactions.changing() as change:
                    # A table that another transaction is changing can wait.
                    if change.db.scalar(_free(condition & (tables.c.id == table))) is not None:
                        act(change, change.take(table))
            except StorageFailure:
                raise
            except Exception as error:  # noqa: BLE001 (one table must not stop the others)
                self._failing_tables.failed(table, error, task_name)
            else:
                self._failing_tables.succeeded(table)

    def record_heartbeat(self, *, was_closed: bool = False) -> int:
        """Record that the program runs, delete expired rows, and return the time of the previous heartbeat.

        ``was_closed``: the program did not run since then, even if that was short ago. Raises StorageFailure where
        nothing can be written.
        """
        with self._transactions.changing() as change:
            before, until = _record_heartbeat(change, was_closed=was_closed)
            now = change.now
        if before > now + SLACK:
            note_incident("clock put back", f"The clock was put back by {(before - now) / _SECOND:.0f} s")
        self._heartbeat_at = now
        for name, sweep in _SWEEPS.items():
            self._sweep(name, partial(self._in_transaction, sweep, until))
        self._sweep("challenges", lambda: challenges.sweep(self._transactions, until))
        self._sweep("clearing", lambda: clearing.clear(self._transactions, until, self._keep))
        self._sweep("leaving", lambda: leaving.go_on(self._transactions, leaving.AT_ONCE))
        return before

    def _in_transaction(self, sweep: Callable[[TableChange, int], None], until: int) -> None:
        with self._transactions.changing() as change:
            sweep(change, until)

    def _sweep(self, name: str, sweep: Callable[[], object]) -> None:
        """Delete one kind of expired rows, unless that failed just now: no kind can stop the others."""
        if self._failing_sweeps.is_resting(name):
            return
        try:
            sweep()
        except StorageFailure:
            raise
        except Exception as error:  # noqa: BLE001 (as above)
            self._failing_sweeps.failed(name, error, f"Deleting what has run out ({name})")
        else:
            self._failing_sweeps.succeeded(name)


_SWEEPS: Final[Mapping[str, Callable[[TableChange, int], None]]] = {
    "tokens": lambda change, until: people.sweep(change.db, until),
    "passkey challenges": lambda change, until: passkeys.sweep(change.db, until),
    "mailboxes": mailboxes.sweep,
    "tables": opening.sweep,
    "messages": lifecycle.sweep,
    "webhooks of tables": table_posts.enqueue_due,
    "seeks": lambda change, _: seeking.sweep(change),
}


_PLAYING: Final = tables.c.status == "playing"
_RUNS: Final = tables.c.stopped.is_(None)
"""The condition that the clock runs: one that stands still is not moved along."""


def _free(condition: ColumnElement[bool]) -> Select[str]:
    """Select the tables in play that no other transaction is changing, and lock them.

    The rest can wait: two transactions that wait for each other's tables would be in deadlock.
    """
    return select(tables.c.id).where(_PLAYING, condition).with_for_update(key_share=True, skip_locked=True)


def _put_back(now: int) -> ColumnElement[bool]:
    return _RUNS & (tables.c.since > now)


def _at_once(now: int) -> ColumnElement[bool]:
    return (tables.c.deadline < now) & (tables.c.stand_in == "at once")


def _is_rested(now: int) -> ColumnElement[bool]:
    return tables.c.resumes < now


def _is_any_overdue(db: Connection, now: int) -> bool:
    """Return True if a table's clock was put back, somebody is late, or a pause or a holiday is over."""
    is_due = _put_back(now) | _at_once(now) | _is_rested(now)
    return db.execute(select(tables.c.id).where(_PLAYING, is_due).limit(1)).first() is not None


def _restart_clocks_from_the_future(change: TableChange, now: int) -> None:
    """Count the present move from ``now`` where the clock was put back."""
    change.count(
        update(tables)
        .where(tables.c.id.in_(_free(_put_back(now))))
        .values(since=now, deadline=tables.c.deadline - (tables.c.since - now))
    )


def _stand_in(change: TableChange, row: TableRow) -> None:
    """Let a computer player stand in for the late mover."""
    assert row.mover is not None
    stand_in(change, row, seat_row(change.db, row.id, row.mover))


def _wake(change: TableChange, row: TableRow) -> None:
    """Let a clock go on whose pause or holiday is over."""
    pauses.wake(change, row)


def _record_heartbeat(change: TableChange, *, was_closed: bool = False) -> tuple[int, int]:
    """Record that the program runs; return the times of the previous heartbeat and of the trailing clock.

    The latter is _GRACE earlier: rows that had expired by then are to be deleted. If the program did not run for a
    while, clocks do not count that while. A short one counts as a pause only if it ``was_closed``, since the program
    may have been busy.
    """
    before, settled = change.db.execute(select(pulse.c.at, pulse.c.settled).with_for_update()).one()
    now = change.now
    if now - before > (0 if was_closed else _MISSED):
        _move_on(change, before, now)
    if before > now + SLACK:
        outcomes.bring_to_present(change)
    settled = _settled(settled, before, now)
    change.db.execute(update(pulse).values(at=now, settled=settled))
    return before, settled - _GRACE


def _settled(settled: int, before: int, now: int) -> int:
    """Return the trailing clock's time at the heartbeat after the one of ``before``; a new server has none yet."""
    ran = now - before if 0 <= now - before <= _MISSED else 0
    return min(now, settled + _CATCHING_UP * ran) if settled else now


def _move_on(change: TableChange, before: int, now: int) -> None:
    """Move the start of all running clocks forward by the time they would have run since ``before``."""
    missed = now - before
    began = tables.c.since
    change.count(
        update(tables)
        .where(_PLAYING, _RUNS, began > before)
        .values(since=now, deadline=tables.c.deadline + (now - began))
    )
    change.count(
        update(tables)
        .where(_PLAYING, _RUNS, began <= before)
        .values(since=began + missed, deadline=tables.c.deadline + missed)
    )
