"""Sends what is in the outbox, in threads of its own: nobody who plays waits for it.

Of all processes one does this, the leader. It takes a few rows at a time, and notes what came of them in the same
transaction in which it takes the next: however many wait, the database is written a few times a second.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from types import TracebackType
from typing import Final, Protocol, assert_never

from kontor.notifying.sending import Dead, Failed, Send
from kontor.notifying.texts import Message, TitleOf, mail_message, message_of
from kontor.table import StorageFailure, TableService
from kontor.table.lanes import SHARES, Lane, lane_of
from kontor.table.outbox import LEASE, Due, Later, Notification, Outcome
from kontor.table.values import Mail, WayKind
from kontor.work.failing_items import FailingItems
from kontor.work.failures import safe_traceback
from kontor.work.loops import Loop

_LOG = logging.getLogger(__name__)

_IDLE: Final = 1.0
"""Seconds between two looks while nothing is due."""

_BUSY: Final = 0.25
"""Seconds between two transactions while there is more."""

_FIRST_RETRY: Final = 60.0
"""Seconds after which a row that could not be read or settled is looked at again; longer each time."""

_THREADS: Final[Mapping[Lane, int]] = {"codes": 4, "mail": 4, "webhooks": 16, "push": 8}
"""Threads of each lane. In the last two they wait for strangers' servers: no mail waits for those."""

_FOR_OPERATORS: Final = ("operator", "policy", "size")
"""Reasons that lie with this server: they are logged."""


class SendingCounter(Protocol):
    """Is told of what was sent, in any thread."""

    def sent(self, kind: WayKind) -> None:
        """The other side has taken one."""

    def not_sent(self, kind: WayKind) -> None:
        """The other side has not taken it."""


class Notifier(Loop):
    """Sends for a server."""

    def __init__(
        self,
        service: TableService,
        ways: Mapping[WayKind, Send],
        title_of: TitleOf,
        base: str = "",
        *,
        counter: SendingCounter | None = None,
        leads: Callable[[], bool] | None = None,
        lease: int = LEASE,
    ) -> None:
        """By the ``ways`` that its operator offers. ``base`` is the server's address, if it is not the one that each
        person uses."""
        super().__init__("notifier")
        self._service = service
        self._ways = ways
        self._title_of = title_of
        self._base = base
        self._counter = counter
        self._leads = leads or (lambda: service.leading)
        self._lease = lease
        self._pools = {lane: ThreadPoolExecutor(_THREADS[lane], thread_name_prefix=lane) for lane in SHARES}
        self._sending: dict[Future[Outcome], Due] = {}
        self._unsettled: list[Outcome] = []
        self._warned: dict[WayKind, str] = {}
        """What was logged last of each kind."""
        self._failing = FailingItems(self.name, first=_FIRST_RETRY)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """What is just being sent is not waited for: if nobody notes that it was, it is sent once more."""
        super().__exit__(kind, error, trace)
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)

    def once(self) -> float:
        """One round, if this process leads or has something to settle."""
        try:
            busy = self.one_round() if self._leads() or self._sending or self._unsettled else False
        except StorageFailure:
            busy = False  # it is counted and logged; the rows stay
        return _BUSY if busy else _IDLE

    def one_round(self) -> bool:
        """Settles what was sent, and takes more. Whether anything is on its way."""
        done = [future for future in self._sending if future.done()]
        for future in done:
            self._unsettled.append(future.result())
            del self._sending[future]
        leads = self._leads()
        if self._unsettled or (leads and self._service.outbox.is_any_due()):
            for due in self._exchange(takes=leads):
                self._attempt(due)
        return bool(self._sending or self._unsettled)

    def finish(self) -> None:
        """Sends all that is due now, here: for tests, and for whoever has no thread."""
        while self.one_round():
            if self._sending:
                wait(self._sending, return_when=FIRST_COMPLETED)

    def _exchange(self, *, takes: bool) -> tuple[Due, ...]:
        """Settle what was sent, and take more if it ``takes``. If settling fails, settle one by one and take none."""
        under_way = tuple(self._sending.values()) if takes else None
        try:
            taken = self._service.outbox.exchange(tuple(self._unsettled), under_way, self._lease)
        except StorageFailure:
            raise
        except Exception as error:
            if not self._unsettled:
                raise
            _LOG.error("Outcomes of notifications could not be noted together: %s", safe_traceback(error))
            self._settle_singly()
            return ()
        self._unsettled.clear()
        return taken

    def _settle_singly(self) -> None:
        """Settle each outcome in a transaction of its own. A row whose outcome cannot be noted is deleted if it was
        sent, for it must not be sent again and again; otherwise it waits."""
        while self._unsettled:
            outcome = self._unsettled[0]
            try:
                self._service.outbox.exchange((outcome,), None)
            except StorageFailure:
                raise
            except Exception as error:  # noqa: BLE001 (as above)
                self._unsettled.pop(0)
                self._set_aside(outcome.due, error, delete=outcome.what == "sent")
            else:
                self._unsettled.pop(0)

    def _attempt(self, due: Due) -> None:
        """Begin to send a row; a row that cannot be read or put into words waits, and the others go on."""
        try:
            self._begin(due)
        except StorageFailure:
            raise
        except Exception as error:  # noqa: BLE001 (as above)
            self._set_aside(due, error, delete=False)
        else:
            self._failing.succeeded(due.id)

    def _set_aside(self, due: Due, error: Exception, *, delete: bool) -> None:
        wait = self._failing.failed(due.id, error, f"A row of the outbox ({due.occasion})")
        at = int(self._service.now().timestamp() * 1000 + wait * 1000)
        self._service.outbox.exchange((Outcome(due, "dropped") if delete else Outcome(due, "later", at),), None)

    def _begin(self, due: Due) -> None:
        """Sends a row that was taken, if it is still to be told."""
        found = self._service.outbox.look(due)
        match found:
            case Outcome():
                self._unsettled.append(found)
            case Later(at):
                self._unsettled.append(Outcome(due, "later", at))
            case Mail():
                self._submit(due, "mail", mail_message(due.id, found))
            case Notification():
                stop = self._service.ways.stop_token(due.way or "")
                message = message_of(found, self._base or found.base, self._title_of, stop)
                self._submit(due, found.kind, message, found.person)
            case _:
                assert_never(found)

    def _submit(self, due: Due, kind: WayKind, message: Message, person: str = "") -> None:
        pool = self._pools[lane_of(due.kind)]
        self._sending[pool.submit(self._sent, due, kind, message, person)] = due

    # ------------------------------------------------------------------------------------------------- in the threads

    def _sent(self, due: Due, kind: WayKind, message: Message, person: str) -> Outcome:
        send = self._ways.get(kind)
        if send is None:
            return Outcome(due, "dropped")  # the operator offers it no more
        try:
            send(message)
        except Exception as error:  # noqa: BLE001 (one that cannot be sent must not stop the others)
            if not isinstance(error, Failed):
                _LOG.error("A notification by %s failed: %s", kind, safe_traceback(error))
                error = Failed("operator")
            if self._counter is not None:
                self._counter.not_sent(kind)
            self._warn(kind, error)
            is_dead = isinstance(error, Dead)
            return Outcome(due, "dead" if is_dead else "failed", reason=error.reason, detail=error.detail)
        if self._counter is not None:
            self._counter.sent(kind)
        self._warned.pop(kind, None)
        return Outcome(due, "sent", person=person)

    def _warn(self, kind: WayKind, failed: Failed) -> None:
        """Log a failure that the operator can do something about, once until a message by this kind is taken."""
        if failed.reason in _FOR_OPERATORS and self._warned.get(kind) != failed.detail:
            self._warned[kind] = failed.detail
            _LOG.warning("Notifications by %s are not taken (%s): %s", kind, failed.reason, failed.detail)
