"""The page of a person who waits for a game, as its stream sees it."""

from __future__ import annotations

from typing import Final

from kontor.lobby.seeking import Seeking
from kontor.lobby.values import SeekInfo
from kontor.web.live.rendering import EndOfStream
from kontor.web.live.stream import event
from kontor.web.live.watcher import Watcher

EVERY: Final = 5.0
"""Seconds between events that make the page show that it is still open."""


class PageOfSeek:
    """A page that waits for a game.

    The stream only tells it to look; the page then requests what it shows, and so proves that it is open. (Browsers
    slow down the timers of a hidden page, but they pass on events that arrive.)
    """

    def __init__(self, seeking: Seeking, watcher: Watcher, seek: str) -> None:
        self._seeking = seeking
        self._watcher = watcher
        self._seek = seek

    def look(self) -> None:
        """Return nothing: each page waits alone and looks for itself."""

    def frame(self, seen: None) -> bytes:
        """Return how long the person has waited, and the table if there is one. Raises EndOfStream."""
        visitor = self._watcher.now()
        info: SeekInfo | None = self._seeking.of(visitor.id) if visitor and visitor.id else None
        if info is None or info.id != self._seek:
            raise EndOfStream
        return event({"waited": info.waited, "table": info.table}, number=str(info.waited))

    def left(self) -> float | None:
        """Return the seconds until the next look."""
        return EVERY
