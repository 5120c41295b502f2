"""What other processes at the same database have changed: told by NOTIFY, and looked up where the news was lost.

News are told after the commit, not within the transaction: transactions that notify commit one after the other. They
name each table and its counter, so one who has heard of a change twice, or after a later one, knows it. Every two
seconds each process looks at the counters of the tables that somebody watches: whatever became of the news, nobody
misses a change for longer.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, Final

import psycopg

from kontor.table.storage.change_counters import (
    POLL_INTERVAL,
    ChangeListener,
    Counters,
    KnownCounters,
    LookUp,
    WatchedTables,
    decoded,
    encoded,
)

_LOG = logging.getLogger(__name__)

CHANNEL: Final = "kontor"

_RECONNECT_DELAY: Final = 1.0
"""Seconds until a lost connection is dialled again."""

_POLL_TIMEOUT: Final = 0.25
"""Seconds for which nobody hears that it is over."""

_MOST_AT_ONCE: Final = 200
"""Tables in a notification, which has 8000 bytes."""

_LEADING: Final = 17291730
"""The key of the lock that whoever leads holds."""

Dial = Callable[[], psycopg.Connection[Any]]
"""Gives a connection of one's own. Raises psycopg.Error."""


class ChangeNotifications:
    """Tells others, and hears them. Safe to use from any thread."""

    def __init__(self, dial: Dial, look_up: LookUp) -> None:
        self._dial = dial
        self._look_up = look_up
        self._me = secrets.token_hex(8)
        self._known = KnownCounters()
        self._lock = Lock()
        self._to_tell: SimpleQueue[Counters | None] = SimpleQueue()
        self._ended = Event()
        self._telling: Thread | None = None
        self._hearing: Thread | None = None
        self._heard: ChangeListener = lambda table: None
        self._watched: WatchedTables = tuple

    def hear(self, heard: ChangeListener, watched: WatchedTables) -> None:
        """From now on news are heard, in a thread of its own."""
        self._heard, self._watched = heard, watched
        self._hearing = Thread(target=self._hear_on, name="news of others", daemon=True)
        self._hearing.start()

    def tell(self, changes: Counters) -> None:
        """Others shall hear of it, soon; this process has done so already."""
        for table, counter in changes.items():
            self._known.is_new(table, counter)
        with self._lock:
            if self._telling is None:
                self._telling = Thread(target=self._tell_on, name="news to others", daemon=True)
                self._telling.start()
        self._to_tell.put(changes)

    def end(self) -> None:
        """What was not told by now, others find out by the counters."""
        self._ended.set()
        self._to_tell.put(None)
        for thread in (self._telling, self._hearing):
            if thread is not None:
                thread.join()

    # ---------------------------------------------------------------------------------------------------- telling

    def _tell_on(self) -> None:
        connection: psycopg.Connection[Any] | None = None
        while (changes := self._next()) is not None:
            try:
                connection = connection or self._dial()
                self._tell(connection, changes)
            except psycopg.Error as error:
                _LOG.warning("News could not be told: %s", type(error).__name__)
                connection = None
                self._ended.wait(_RECONNECT_DELAY)
        if connection is not None:
            connection.close()

    def _next(self) -> Counters | None:
        """All that is to be told by now, as soon as there is something; None at the end."""
        changes = self._to_tell.get()
        told = dict(changes or {})
        try:
            while changes is not None:
                changes = self._to_tell.get_nowait()
                told |= changes or {}
        except Empty:
            return told
        return None

    def _tell(self, connection: psycopg.Connection[Any], changes: Counters) -> None:
        told = encoded(changes)
        for first in range(0, len(told), _MOST_AT_ONCE):
            some = told[first : first + _MOST_AT_ONCE]
            connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, f"{self._me} {' '.join(some)}"))

    # ---------------------------------------------------------------------------------------------------- hearing

    def _hear_on(self) -> None:
        """Until the end. Whoever has lost the connection looks at the counters instead, until there is another."""
        while not self._ended.is_set():
            try:
                with self._dial() as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self._hear(connection)
            except psycopg.Error as error:
                _LOG.warning("The line to the database was lost: %s", type(error).__name__)
                self._look()
                self._ended.wait(_RECONNECT_DELAY)

    def _hear(self, connection: psycopg.Connection[Any]) -> None:
        due = monotonic()
        while not self._ended.is_set():
            for notice in connection.notifies(timeout=_POLL_TIMEOUT):
                self._take_in(notice.payload)
            if monotonic() >= due:
                self._look()
                due = monotonic() + POLL_INTERVAL

    def _take_in(self, told: str) -> None:
        sender, *changes = told.split(" ")
        if sender != self._me:
            for table, counter in map(decoded, changes):
                if self._known.is_new(table, counter):
                    self._heard(table)

    def _look(self) -> None:
        self._known.look(self._watched(), self._look_up, self._heard)


class LeaderLock:
    """Whether one is the first of all processes: a lock of the database, which goes with the connection that has it.
    All calls but the last come from one thread."""

    def __init__(self, dial: Dial) -> None:
        self._dial = dial
        self._connection: psycopg.Connection[Any] | None = None
        self._held = False

    def held(self) -> bool:
        """Asks for it, or makes sure that it is still there. False also where the database cannot be had."""
        try:
            if self._connection is None:
                self._connection = self._dial()
            if self._held:
                self._connection.execute("SELECT 1")
            else:
                asked = self._connection.execute("SELECT pg_try_advisory_lock(%s)", (_LEADING,))
                self._held = asked.fetchall() == [(True,)]
        except psycopg.Error:
            self.end()
        return self._held

    def end(self) -> None:
        """Lets go of it."""
        connection, self._connection, self._held = self._connection, None, False
        if connection is not None:
            connection.close()
