"""A loop that samples metrics which are not counted where they arise."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from kontor.server.composition import KontorServer
from kontor.storage.errors import StorageFailure
from kontor.web.live.hub import Hub
from kontor.web.operation import metrics
from kontor.work.loops import Loop

EVERY: Final = 5.0
"""Seconds between two samples."""

_CENSUS: Final = 60.0
"""Seconds between two counts of all tables, which costs more the more there are."""

_MEMORY: Final = Path("/proc/self/statm")


class Sampler(Loop):
    """The loop that samples the metrics of this process. They are ``EVERY`` seconds old at most."""

    def __init__(self, service: KontorServer, hub: Hub) -> None:
        super().__init__("figures")
        self._service = service
        self._hub = hub
        self._used = 0.0
        self._counted = -_CENSUS

    def once(self) -> float:
        """Take one sample of all metrics; return the seconds until the next."""
        metrics.WORKERS.set(1)
        metrics.STREAMS.set(self._hub.open)
        before, self._used = self._used, time.process_time()
        metrics.PROCESSOR.inc(self._used - before)
        with suppress(OSError):  # only Linux has this file
            metrics.RESIDENT.set(int(_MEMORY.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE"))
        with suppress(StorageFailure):
            waiting, oldest = self._service.outbox.figures()
            metrics.WAITING.set(waiting)
            metrics.OLDEST.set(oldest)
        now = time.monotonic()
        if now - self._counted >= _CENSUS:
            with suppress(StorageFailure):  # the next sample is soon enough, and the failure is counted
                for status, number in self._service.listing.count_tables().items():
                    metrics.TABLES.labels(status).set(number)
                self._counted = now
        return EVERY
