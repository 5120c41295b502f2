"""Nightly fit of all ratings, in a process of its own, so that players do not wait for it.

Of all processes that have the server open, only the leader does this.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Final, Protocol

import msgspec

from kontor.ratings.values import FitRequest, Fits
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.storage.errors import StorageFailure
from kontor.storage.stored_times import milliseconds_of
from kontor.work.loops import Loop
from kontor.work.one_core import ONE_CORE
from kontor.work.piped_process import PipedProcess, module_command

_LOG = logging.getLogger(__name__)

_LOOK: Final = 30.0
"""Seconds between two looks at the clock."""

_RETRY: Final = 3600.0
"""Seconds before the next try after a failure."""

_FIT_TIMEOUT: Final = 3600.0
"""Seconds after which a process that fits ratings is killed."""


class FitCounter(Protocol):
    """Counter of the fits, called in the thread that ran them."""

    def fitted(self, at: datetime, seconds: float, memory: int) -> None:
        """Count a fit that was written, with its duration in seconds and its memory in megabytes."""

    def not_fitted(self) -> None:
        """Count a fit that failed and will be tried again later."""


class NoFit(Exception):
    """The process has failed, or was stopped."""


class NightlyRatings(Loop):
    """Loop that fits the ratings of a server."""

    def __init__(
        self,
        service: KontorServer,
        place: Place,
        *,
        counter: FitCounter | None = None,
        leads: Callable[[], bool] | None = None,
    ) -> None:
        super().__init__("ratings", first=_LOOK, limit=_RETRY + _FIT_TIMEOUT)
        self._service = service
        self._place = place
        self._counter = counter
        self._leads = leads or (lambda: service.leading)
        self._lock = Lock()
        self._process: PipedProcess | None = None

    def __exit__(self, *error: object) -> None:
        """Stop, and kill a running fit; what was written before stays until the next time."""
        self._stop.set()
        with self._lock:
            if self._process is not None:
                self._process.kill()
        super().__exit__(*error)

    def once(self) -> float:
        """Fit the ratings, if this process leads and it is time; return the seconds until the next look."""
        try:
            if self._leads():
                self.one_look()
            return _LOOK
        except (StorageFailure, NoFit, OSError, msgspec.DecodeError) as error:
            if not self.stopped:
                _LOG.warning("The ratings could not be fitted: %s", error)
                if self._counter is not None:
                    self._counter.not_fitted()
            return _RETRY

    def one_look(self) -> bool:
        """Fit and write the ratings if it is time; return True if it was. Raises NoFit, StorageFailure."""
        stored = self._service.ratings
        now = stored.due()
        if now is None:
            return False
        begun = monotonic()
        fits = self._run_fit(now)
        stored.keep(fits)
        if self._counter is not None:
            self._counter.fitted(now, monotonic() - begun, fits.memory)
        return True

    def _run_fit(self, now: datetime) -> Fits:
        folder = str(self._place) if isinstance(self._place, Path) else ""
        database = "" if folder else str(self._place)
        request = msgspec.msgpack.encode(FitRequest(folder, database, milliseconds_of(now)))
        with self._lock:
            if self.stopped:
                raise NoFit("the server ends")
            self._process = PipedProcess(module_command("kontor.ratings.fits"), {**os.environ, **ONE_CORE})
        process = self._process
        try:
            with process.limited(_FIT_TIMEOUT):
                process.requests.write(request)  # a pipe keeps the database's address out of the list of processes
                process.requests.close()
                answer = process.answers.read()
                status = process.wait()
        finally:
            process.end()
            with self._lock:
                self._process = None
        if status:
            raise NoFit(f"the process has ended with {status}")
        return msgspec.msgpack.decode(answer, type=Fits)
