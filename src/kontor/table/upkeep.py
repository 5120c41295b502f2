"""What time brings: the program notes that it runs, the late are stood in for, and what has run out is forgotten.

A clock that is put back harms nobody, nor does time in which the program did not run: both move ``since`` and
``deadline`` of a table along. A clean end notes its time; after any other the last heartbeat counts. Where several
processes share a server it runs as long as any of them does.

What has run out is deleted by a clock that trails the machine's: no jump takes it along, and after days in which the
program did not run it catches up. So a clock that is wrong for a while deletes nothing that is still good. After a
closure no tournament begins or is cancelled at once by a clock that may have been put forward meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Final

from sqlalchemy import ColumnElement, Connection, Select, select, update

from kontor.table import (
    clearing,
    leaving,
    mailboxes,
    opening,
    outbox,
    passkeys,
    people,
    seeking,
    stepping,
    tournament_rounds,
)
from kontor.table.changes import Change
from kontor.table.clocks import stand_in
from kontor.table.errors import StorageFailure
from kontor.table.rows import seat_row
from kontor.table.schema import pulse, tables
from kontor.table.stored_times import SLACK
from kontor.table.transactions import Transactions
from kontor.work.failing_items import FailingItems
from kontor.work.incidents import note_incident

_SECOND: Final = 1000

HEARTBEAT_INTERVAL: Final = 10 * _SECOND
"""How often the program says that it runs, in milliseconds."""

DEADLINE_CHECK_INTERVAL: Final = _SECOND
"""How often to look for those who are late. It is to look at all tables in play."""

_MISSED: Final = 3 * HEARTBEAT_INTERVAL
"""A longer silence than this means that it did not run, or that the clock was put forward."""

_FIRST_RETRY: Final = 10.0
"""Seconds after which what failed is tried again; longer each time."""

_CATCHING_UP: Final = 4
"""So many times as fast as the program runs, the clock that trails goes on until it has the machine's time."""

_GRACE: Final = 24 * 3600 * _SECOND
"""For which what has run out is kept. With the above: a clock that is wrong for eight hours deletes nothing good."""

_LONG_CLOSURE: Final = 3600 * _SECOND
"""A closure that is longer than this may be none: the clock may have been put forward."""

_WAIT_AFTER_CLOSURE: Final = 10 * 60 * _SECOND
"""For which tournaments wait then that came due meanwhile."""


class Upkeep:
    """To be called every few seconds by whoever keeps a server open."""

    def __init__(self, transactions: Transactions, keep: int | None = None) -> None:
        """Games of people are kept for ``keep`` days after their end, or for ever."""
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
        """Note that this process runs. If no other did, the time since the server last ran is nobody's. Raises
        StorageFailure.
        """
        with self._transactions.storage.starting() as alone:
            before = self.record_heartbeat(was_closed=alone)
        if before and self._heartbeat_at - before > _LONG_CLOSURE:
            self._closed_at, self._opened_at = before, self._heartbeat_at

    def stop(self) -> None:
        """Note that the program runs until now, before it ends; where that cannot be written the last heartbeat
        counts.
        """
        with suppress(StorageFailure), self._transactions.changing() as change:
            _record_heartbeat(change)

    def apply_deadlines(self) -> None:
        """Let chance act where tables that wait for each other have come as far. The rest is done once a second:
        computer players stand in for the late where that is to happen by itself; tournaments go on; what has run out
        is forgotten; and it is noted that the program runs.
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
            self._stand_in_for_the_late(now)
        tournament_rounds.go_on(self._transactions, self._failing_tournaments, self._trusted_until(now))

    def _trusted_until(self, now: int) -> int:
        """Return the time that has come beyond doubt: for a while after a closure that in which it began."""
        return self._closed_at if 0 <= now - self._opened_at < _WAIT_AFTER_CLOSURE else now

    def _stand_in_for_the_late(self, now: int) -> None:
        """Let computer players stand in at tables where that is to happen at once. ``now`` is the time at which the
        program was known to run: were the clock put forward since, everybody would be late.
        """
        with self._transactions.reading() as db:
            late = db.scalars(select(tables.c.id).where(_PLAYING, _at_once(now))).all()
        for table in late:
            if self._failing_tables.is_resting(table):
                continue
            try:
                with self._transactions.changing() as change:
                    _stand_in(change, table, now)
            except StorageFailure:
                raise
            except Exception as error:  # noqa: BLE001 (one table must not stop the others)
                self._failing_tables.failed(table, error, "Standing in at a table")
            else:
                self._failing_tables.succeeded(table)

    def record_heartbeat(self, *, was_closed: bool = False) -> int:
        """Note that the program runs, and delete what has run out. ``was_closed``: it did not run since the last
        heartbeat, however short ago that was. Returns the time of that. Raises StorageFailure where nothing can be
        written.
        """
        with self._transactions.changing() as change:
            before, until = _record_heartbeat(change, was_closed=was_closed)
            now = change.now
        if before > now + SLACK:
            note_incident("clock put back", f"The clock was put back by {(before - now) / _SECOND:.0f} s")
        self._heartbeat_at = now
        for name, sweep in _SWEEPS.items():
            self._sweep(name, partial(self._in_transaction, sweep, until))
        self._sweep("clearing", lambda: clearing.clear(self._transactions, until, self._keep))
        self._sweep("leaving", lambda: leaving.go_on(self._transactions, leaving.AT_ONCE))
        return before

    def _in_transaction(self, sweep: Callable[[Change, int], None], until: int) -> None:
        with self._transactions.changing() as change:
            sweep(change, until)

    def _sweep(self, name: str, sweep: Callable[[], object]) -> None:
        """Delete a kind of thing that has run out, unless that failed just now: no kind can stop the others."""
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


_SWEEPS: Final[Mapping[str, Callable[[Change, int], None]]] = {
    "tokens": lambda change, until: people.sweep(change.db, until),
    "passkey challenges": lambda change, until: passkeys.sweep(change.db, until),
    "mailboxes": mailboxes.sweep,
    "tables": opening.sweep,
    "seeks": lambda change, _: seeking.sweep(change),
}


_PLAYING: Final = tables.c.status == "playing"


def _free(which: ColumnElement[bool]) -> Select[str]:
    """Those of the tables in play that nobody is changing at this moment, kept from others. The rest can wait: two
    that wait for each other's tables would wait for ever.
    """
    return select(tables.c.id).where(_PLAYING, which).with_for_update(key_share=True, skip_locked=True)


def _put_back(now: int) -> ColumnElement[bool]:
    return tables.c.since > now


def _at_once(now: int) -> ColumnElement[bool]:
    return (tables.c.deadline < now) & (tables.c.stand_in == "at once")


def _is_any_overdue(db: Connection, now: int) -> bool:
    """Whether there is anything to do where the clock was put back, or somebody is late."""
    return (
        db.execute(select(tables.c.id).where(_PLAYING, _put_back(now) | _at_once(now)).limit(1)).first() is not None
    )


def _restart_clocks_from_the_future(change: Change, now: int) -> None:
    """Let the present move count from ``now`` where the clock was put back."""
    change.count(
        update(tables)
        .where(tables.c.id.in_(_free(_put_back(now))))
        .values(since=now, deadline=tables.c.deadline - (tables.c.since - now))
    )


def _stand_in(change: Change, table: str, now: int) -> None:
    """Let a computer player stand in for the one who is late, unless somebody is just changing the table."""
    if change.db.scalar(_free(_at_once(now) & (tables.c.id == table))) is not None:
        row = change.take(table)
        assert row.mover is not None
        stand_in(change, row, seat_row(change.db, table, row.mover))


def _record_heartbeat(change: Change, *, was_closed: bool = False) -> tuple[int, int]:
    """The program runs. If it did not for a while, that while is nobody's time; a short one only if it
    ``was_closed``, for the program may have been busy. Returns the time of the heartbeat before, and the time until
    when what has run out is to be forgotten.
    """
    before, settled = change.db.execute(select(pulse.c.at, pulse.c.settled).with_for_update()).one()
    now = change.now
    if now - before > (0 if was_closed else _MISSED):
        _move_on(change, before, now)
    if before > now + SLACK:
        outbox.bring_to_present(change)
    settled = _settled(settled, before, now)
    change.db.execute(update(pulse).values(at=now, settled=settled))
    return before, settled - _GRACE


def _settled(settled: int, before: int, now: int) -> int:
    """The clock that trails, at the pulse after the one of ``before``. A new server has none yet."""
    ran = now - before if 0 <= now - before <= _MISSED else 0
    return min(now, settled + _CATCHING_UP * ran) if settled else now


def _move_on(change: Change, before: int, now: int) -> None:
    """Moves all running clocks on by what they would have run since ``before``."""
    missed = now - before
    began = tables.c.since
    change.count(
        update(tables).where(_PLAYING, began > before).values(since=now, deadline=tables.c.deadline + (now - began))
    )
    change.count(
        update(tables)
        .where(_PLAYING, began <= before)
        .values(since=began + missed, deadline=tables.c.deadline + missed)
    )
