"""Changes by other processes at the same database: sent by NOTIFY, and polled where a notification was lost.

Notifications are sent after the commit, not within the transaction: transactions that notify commit one after the
other. They name each table and its counter, so a receiver recognises a change that comes twice, or after a later one.
Every two seconds each process reads the counters of the tables that somebody watches: even if a notification is lost,
no change is missed for longer.
"""

from __future__ import annotations

import logging
import secrets
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from threading import Lock
from time import monotonic
from typing import Any, Final

import psycopg

from kontor.storage.change_counters import (
    POLL_INTERVAL,
    ChangeListener,
    Counters,
    KnownCounters,
    LookUp,
    WatchedTables,
    decode_counter,
    encode_counters,
)
from kontor.work.loops import STOP_TIMEOUT, Loop

_LOG = logging.getLogger(__name__)

CHANNEL: Final = "kontor"

_RECONNECT_DELAY: Final = 1.0
"""Seconds before a lost connection is made again."""

_POLL_TIMEOUT: Final = 0.25
"""Seconds to wait for notifications before checking whether the loop has stopped."""

_IDLE: Final = 30.0
"""Seconds between two checks of an empty queue; a change wakes the sender at once."""

_WARN_INTERVAL: Final = 60.0
"""Seconds between two warnings of strangers on the channel."""

_MOST_AT_ONCE: Final = 200
"""Number of tables in a notification, which has 8000 bytes at most."""

_LEADING: Final = 17291730
"""Key of the lock that the leader holds."""

_RUNNING: Final = 17291731
"""Key of the lock that every process with the server open holds, shared with the others."""

Dial = Callable[[], psycopg.Connection[Any]]
"""Returns a new connection that is not shared. Raises psycopg.Error."""


class ChangeNotifications:
    """Sends the changes of this process to the others, and receives theirs. Safe to use from any thread."""

    def __init__(self, dial: Dial, look_up: LookUp) -> None:
        self._counters = KnownCounters()
        self._me = secrets.token_hex(8)
        self._dial = dial
        self._look_up = look_up
        self._sender = _Sender(dial, self._me)
        self._lock = Lock()
        self._receiving: tuple[Loop, ...] = ()

    def hear(self, heard: ChangeListener, watched: WatchedTables) -> None:
        """Call ``heard`` from now on for each change of another process, in threads of its own."""
        poll = _Poll(self._counters, self._look_up, heard, watched)
        self._receiving = (_Receiver(self._dial, self._me, self._counters, heard, poll).start(), poll.start())

    def tell(self, changes: Counters) -> None:
        """Send changes to the other processes, soon; this process knows of them already."""
        for table, counter in changes.items():
            self._counters.is_new(table, counter)
        self._sender.put(changes)
        with self._lock:
            try:
                self._sender.ensure_started()
            except RuntimeError as error:  # the system gives no thread: the others find out by polling
                _LOG.warning("Changes cannot be sent to other processes now: %s", error)

    def end(self) -> None:
        """Stop sending and receiving. Other processes find changes that were not sent by polling."""
        for loop in (self._sender, *self._receiving):
            loop.stop()


class _Connected(Loop):
    """A loop with a connection of its own to the database, which is made again when it is lost."""

    def __init__(self, name: str, dial: Dial) -> None:
        super().__init__(name)
        self._dial = dial
        self._connection: psycopg.Connection[Any] | None = None

    def stop(self, timeout: float = STOP_TIMEOUT) -> None:
        """Stop the thread, then close the connection."""
        super().stop(timeout)
        self._disconnect()

    def once(self) -> float:
        """Use the connection once. After any error, close it and make another."""
        try:
            if self._connection is None:
                self._connection = self._dial()
                self._prepare(self._connection)
            return self._use(self._connection)
        except psycopg.Error as error:
            _LOG.warning("The connection of %s was lost: %s", self.name, type(error).__name__)
            self._disconnect()
            self._recover()
            return _RECONNECT_DELAY
        except BaseException:
            self._disconnect()
            raise

    def _prepare(self, connection: psycopg.Connection[Any]) -> None:
        """Set up a new connection."""

    @abstractmethod
    def _use(self, connection: psycopg.Connection[Any]) -> float:
        """Do the work of a round; return the seconds until the next."""

    def _recover(self) -> None:
        """Make up for a lost connection."""

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


class _Sender(_Connected):
    """Sends the changes of this process by NOTIFY."""

    def __init__(self, dial: Dial, me: str) -> None:
        super().__init__("news to others", dial)
        self._me = me
        self._queue: SimpleQueue[Counters] = SimpleQueue()
        self._is_started = False

    def put(self, changes: Counters) -> None:
        """Queue changes to be sent."""
        self._queue.put(changes)
        self.wake()

    def ensure_started(self) -> None:
        """Start the thread if it has not been started. Raises RuntimeError if the system gives none."""
        if not self._is_started and not self.stopped:
            self.start()
            self._is_started = True
            self.wake()

    def _use(self, connection: psycopg.Connection[Any]) -> float:
        words = encode_counters(self._drain())
        for first in range(0, len(words), _MOST_AT_ONCE):
            payload = " ".join([self._me, *words[first : first + _MOST_AT_ONCE]])
            connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, payload))
        return _IDLE if self._queue.empty() else 0.0

    def _drain(self) -> Counters:
        """Return all changes queued by now, and empty the queue."""
        changes: dict[str, int] = {}
        with suppress(Empty):
            while True:
                changes |= self._queue.get_nowait()
        return changes


class _Receiver(_Connected):
    """Receives the changes of other processes by LISTEN."""

    def __init__(self, dial: Dial, me: str, counters: KnownCounters, heard: ChangeListener, poll: _Poll) -> None:
        super().__init__("news of others", dial)
        self._me = me
        self._counters = counters
        self._heard = heard
        self._poll = poll
        self._warned = -_WARN_INTERVAL

    def _prepare(self, connection: psycopg.Connection[Any]) -> None:
        connection.execute(f"LISTEN {CHANNEL}")

    def _use(self, connection: psycopg.Connection[Any]) -> float:
        for notice in connection.notifies(timeout=_POLL_TIMEOUT):
            self._receive(notice.payload)
            if self.stopped:
                break
        return 0.0

    def _receive(self, payload: str) -> None:
        """Pass on the changes in a payload; leave out words of another format.

        Anyone with a login to the database can send one, and so can a process of another version.
        """
        sender, *words = payload.split(" ")
        if sender == self._me:
            return
        changes = [change for change in map(decode_counter, words) if change is not None]
        if len(changes) < len(words) or not words:
            self._warn()
        for table, counter in changes:
            if self._counters.is_new(table, counter):
                self._heard(table)

    def _warn(self) -> None:
        if monotonic() - self._warned >= _WARN_INTERVAL:
            self._warned = monotonic()
            _LOG.warning("Somebody else notifies on the channel %s of the database; that is ignored.", CHANNEL)

    def _recover(self) -> None:
        self._poll.wake()


class _Poll(Loop):
    """A poll of the counters of watched tables every few seconds, so that no change is missed for longer."""

    def __init__(
        self, counters: KnownCounters, look_up: LookUp, heard: ChangeListener, watched: WatchedTables
    ) -> None:
        super().__init__("poll of changes")
        self._counters = counters
        self._look_up = look_up
        self._heard = heard
        self._watched = watched

    def once(self) -> float:
        """Look up the counters once."""
        self._counters.look(self._watched(), self._look_up, self._heard)
        return POLL_INTERVAL


class LeaderLock:
    """The lock that makes one of all processes the leader: a lock of the database, released with its connection.

    Another lock on the same connection shows starting processes that this one runs. After the start, all calls but
    the last come from one thread.
    """

    def __init__(self, dial: Dial) -> None:
        self._dial = dial
        self._connection: psycopg.Connection[Any] | None = None
        self._held = False
        self._runs = False

    @contextmanager
    def starting(self) -> Iterator[bool]:
        """Hold a block that tells whether no other process runs; others that start meanwhile wait until it ends."""
        alone = False
        with suppress(psycopg.Error):  # a process that cannot ask counts as not alone, so it moves no clock
            alone = self._ask("SELECT pg_try_advisory_lock(%s)", _RUNNING)
            self._ask("SELECT pg_advisory_lock_shared(%s) IS NOT NULL", _RUNNING)
            self._runs = True
        try:
            yield alone
        finally:
            try:
                if alone:
                    self._ask("SELECT pg_advisory_unlock(%s)", _RUNNING)
            except psycopg.Error:
                self.end()

    def held(self) -> bool:
        """Take the lock, or check that it is still held. Return False also where the database cannot be reached."""
        try:
            if not self._runs:
                self._runs = self._ask("SELECT pg_try_advisory_lock_shared(%s)", _RUNNING)
            if self._held:
                self._ask("SELECT %s > 0", _LEADING)
            else:
                self._held = self._ask("SELECT pg_try_advisory_lock(%s)", _LEADING)
        except psycopg.Error:
            self.end()
        return self._held

    def _ask(self, question: str, key: int) -> bool:
        """Return the answer to a question about the lock with that key. Raises psycopg.Error."""
        if self._connection is None:
            self._connection = self._dial()
        return self._connection.execute(question, (key,)).fetchall() == [(True,)]

    def end(self) -> None:
        """Close the connection, which releases the locks."""
        connection, self._connection = self._connection, None
        self._held = self._runs = False
        if connection is not None:
            connection.close()
