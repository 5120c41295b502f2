"""Readiness: whether a server can take requests."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from concurrent.futures import Future
from threading import Lock, Thread
from typing import Final

from kontor.server.composition import KontorServer
from kontor.storage.activity import StorageFault
from kontor.storage.errors import StorageFailure
from kontor.work.loops import late_loops

DATABASE_TIMEOUT: Final = 1.0
"""Seconds that the database has to answer."""

_VALID_FOR: Final = 3.0
"""Seconds for which an answer stays valid."""

SILENT: Final = "the database does not answer"
OTHER: Final = "the database is another version's"
UNWRITABLE: Final = "the database cannot be written"
DAMAGED: Final = "the database is damaged"
MOVED: Final = "the database is not in its place"
NO_THREAD: Final = "no thread can be started"
LATE: Final = "not running: {loops}"

_FAULTS: Final[Mapping[StorageFault, str]] = {
    "": "",
    "damaged": DAMAGED,
    "moved": MOVED,
    "unwritable": UNWRITABLE,
}


class Readiness:
    """A check that reads from the database and writes to it.

    It runs every few seconds at most, no matter how many requests ask: strangers can. If the database hangs, the
    check occupies one thread, which is none of the server's own.
    """

    def __init__(self, service: KontorServer) -> None:
        self._service = service
        self._lock = Lock()
        self._check: Future[str] | None = None
        self._at = 0.0

    async def hindrance(self) -> str:
        """Return why no requests should be sent here, in a few words; empty if they should."""
        try:
            answer = await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(self._answer())), DATABASE_TIMEOUT)
        except TimeoutError:
            answer = SILENT
        # A transaction may have failed since the check, or in a part of the database that the check does not touch.
        return _FAULTS[self._service.storage_fault()] or answer

    def _answer(self) -> Future[str]:
        with self._lock:
            now = time.monotonic()
            if self._check is None or (self._check.done() and now - self._at >= _VALID_FOR):
                check: Future[str] = Future()
                try:
                    Thread(target=_run_check, args=(self._service, check), name="readiness", daemon=True).start()
                except RuntimeError:
                    check.set_result(NO_THREAD)
                self._check, self._at = check, now
            return self._check


def _run_check(service: KontorServer, answer: Future[str]) -> None:
    try:
        answer.set_result(_hindrance(service))
    except BaseException as error:
        answer.set_exception(error)
        raise


def _hindrance(service: KontorServer) -> str:
    try:
        if not service.is_current():
            return OTHER
    except StorageFailure:
        return SILENT
    try:
        service.upkeep.record_heartbeat()
    except StorageFailure:
        return UNWRITABLE
    late = late_loops()
    return LATE.format(loops=", ".join(late)) if late else ""
