"""The page of somebody who looks for a game, as its stream keeps it."""

from __future__ import annotations

from typing import Final

from kontor.table import TableService
from kontor.table.values import SeekInfo
from kontor.web.live.rendering import EndOfStream
from kontor.web.live.stream import event
from kontor.web.live.watcher import Watcher

EVERY: Final = 5.0
"""Seconds after which the page is told to say that it is still there."""


class PageOfSeek:
    """A page that waits. It is only told to look: what it shows, it asks for, and so says that it is there. (Browsers
    let no clock of a hidden page run on time, but they pass on what arrives.)"""

    def __init__(self, service: TableService, watcher: Watcher, seek: str) -> None:
        self._service = service
        self._watcher = watcher
        self._seek = seek

    def look(self) -> None:
        """Each looks for itself, for each waits alone."""

    def frame(self, seen: None) -> bytes:
        """How long they have waited, and whether there is a table."""
        visitor = self._watcher.now()
        info: SeekInfo | None = self._service.seeking.of(visitor.id) if visitor and visitor.id else None
        if info is None or info.id != self._seek:
            raise EndOfStream
        return event({"waited": info.waited, "table": info.table}, number=str(info.waited))

    def left(self) -> float | None:
        """When to look again."""
        return EVERY
