"""The sender of the outbox, in threads of its own, so that no player waits for it.

Only the leader does this. It takes a few rows at a time, and writes their outcomes in the same transaction in which
it takes the next. So the database is written a few times a second, however many rows wait.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import datetime
from typing import Final, Protocol, assert_never

from kontor.notifying.due_rows import Due, Later, Notification, Outcome, TablePost
from kontor.notifying.lanes import SHARES, Lane, lane_of
from kontor.notifying.outbox import LEASE, Outbox
from kontor.notifying.sending import Dead, Failed, Send
from kontor.notifying.texts import Message, TitleOf, mail_message, message_of, table_message
from kontor.notifying.values import SendKind
from kontor.notifying.ways import Ways
from kontor.storage.errors import StorageFailure
from kontor.tables.values import Mail
from kontor.work.failing_items import FailingItems
from kontor.work.failures import safe_traceback
from kontor.work.loops import Loop

_LOG = logging.getLogger(__name__)

_IDLE: Final = 1.0
"""Seconds between two checks while nothing is due."""

_BUSY: Final = 0.25
"""Seconds between two transactions while there is more."""

_FIRST_RETRY: Final = 60.0
"""Seconds before the first retry of a row that could not be read or settled; each later wait is longer."""

_THREADS: Final[Mapping[Lane, int]] = {"codes": 4, "mail": 4, "webhooks": 16, "push": 8}
"""Threads of each lane. The last two wait for strangers' servers, so they are apart from mail."""

_FOR_OPERATORS: Final = ("operator", "policy", "size")
"""Reasons that lie with this server: they are logged."""


class SendingCounter(Protocol):
    """Counter of messages sent and not sent, called from any thread."""

    def sent(self, kind: SendKind) -> None:
        """Count a message that the other side has taken."""

    def not_sent(self, kind: SendKind) -> None:
        """Count a message that the other side has not taken."""


class NotifiedService(Protocol):
    """The parts of a server's service that a notifier uses."""

    outbox: Outbox
    ways: Ways
    leading: bool

    def now(self) -> datetime:
        """Return the time of the server."""


class Notifier(Loop):
    """Loop that sends a server's notifications."""

    def __init__(
        self,
        service: NotifiedService,
        ways: Mapping[SendKind, Send],
        title_of: TitleOf,
        base: str = "",
        *,
        counter: SendingCounter | None = None,
        leads: Callable[[], bool] | None = None,
        lease: int = LEASE,
    ) -> None:
        """Create a notifier for the ``ways`` that the operator offers.

        ``base`` is the server's address in messages; if it is empty, each person's own address of it is used.
        """
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
        self._warned: dict[SendKind, str] = {}
        """The failure logged last for each kind."""
        self._failing = FailingItems(self.name, first=_FIRST_RETRY)

    def __exit__(self, *error: object) -> None:
        """Stop without waiting for messages being sent; those whose outcome is not written are sent again."""
        super().__exit__(*error)
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)

    def once(self) -> float:
        """Do one round if this process leads or has outcomes to settle; return the seconds to wait."""
        try:
            busy = self.one_round() if self._leads() or self._sending or self._unsettled else False
        except StorageFailure:
            busy = False  # it is counted and logged; the rows stay
        return _BUSY if busy else _IDLE

    def one_round(self) -> bool:
        """Settle what was sent and take more; return True while anything is being sent or unsettled."""
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
        """Send all that is due now and wait for it: for tests and callers without a thread for the loop."""
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
        """Settle each outcome in a transaction of its own.

        A row whose outcome cannot be written is deleted if it was sent, so that it is not sent again and again.
        Otherwise it waits.
        """
        while self._unsettled:
            outcome = self._unsettled[0]
            try:
                self._service.outbox.exchange((outcome,), None)
            except StorageFailure:
                raise
            except Exception as error:  # noqa: BLE001 (as above)
                self._unsettled.pop(0)
                self._set_aside(outcome.due, error, delete=outcome.kind == "sent")
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
        """Start sending a taken row, if its notification is still needed."""
        decision = self._service.outbox.look(due)
        match decision:
            case Outcome():
                self._unsettled.append(decision)
            case Later(at):
                self._unsettled.append(Outcome(due, "later", at))
            case Mail():
                self._submit(due, "mail", mail_message(due.id, decision))
            case Notification():
                stop = self._service.ways.stop_token(due.way or "")
                message = message_of(decision, self._base or decision.base, self._title_of, stop)
                self._submit(due, decision.kind, message, decision.person)
            case TablePost():
                message = table_message(decision, self._base or decision.base, self._title_of)
                self._submit(due, "table", message, decision.person)
            case _:
                assert_never(decision)

    def _submit(self, due: Due, kind: SendKind, message: Message, person: str = "") -> None:
        pool = self._pools[lane_of(due.kind)]
        self._sending[pool.submit(self._send, due, kind, message, person)] = due

    # ------------------------------------------------------------------------------------------------- in the threads

    def _send(self, due: Due, kind: SendKind, message: Message, person: str) -> Outcome:
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
        return Outcome(due, "sent", person=person, state=message.post.state if message.post else "")

    def _warn(self, kind: SendKind, failed: Failed) -> None:
        """Log a failure that the operator can do something about, once until a message by this kind is taken."""
        if failed.reason in _FOR_OPERATORS and self._warned.get(kind) != failed.detail:
            self._warned[kind] = failed.detail
            _LOG.warning("Notifications by %s are not taken (%s): %s", kind, failed.reason, failed.detail)
