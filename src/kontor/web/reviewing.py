"""Reviews of finished games: thought out behind the pages, one game after the other, and kept for a while."""

from __future__ import annotations

import logging
from collections import OrderedDict, deque
from dataclasses import dataclass
from threading import Lock, Thread
from typing import Final

from kontor.records import Record
from kontor.review import Review, Share, Unanswered, review
from kontor.thinking.failures import told

_log = logging.getLogger("kontor.web")

KEPT: Final = 64
"""Reviews in memory. One that had to make room is thought out again when somebody asks for it."""

WAITING: Final = 20
"""Games at most that wait to be reviewed."""


class Busy(Exception):
    """Too many games wait to be reviewed."""


@dataclass
class Progress:
    """How far the review of a game is. ``found`` is the review when it is done; ``failed`` says that it will not be,
    unless it is begun anew."""

    record: Record
    done: int = 0
    of: int = 0
    found: Review | None = None
    failed: bool = False


class Reviews:
    """The reviews of a house. Safe to use from any thread."""

    def __init__(self, share: Share) -> None:
        """``share`` does the thinking."""
        self._share = share
        self._kept: OrderedDict[str, Progress] = OrderedDict()
        self._line: deque[Progress] = deque()
        self._lock = Lock()
        self._thread: Thread | None = None

    def of(self, table: str) -> Progress | None:
        """How far the review of a table's game is; None if nobody has asked for it."""
        with self._lock:
            known = self._kept.get(table)
            if known:
                self._kept.move_to_end(table)
            return known

    def begin(self, table: str, record: Record) -> Progress:
        """Begins with a game, anew if its review has failed. Raises Busy."""
        asked = Progress(record)
        with self._lock:
            if len(self._line) >= WAITING:
                raise Busy
            self._kept[table] = asked
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            self._line.append(asked)
            if self._thread is None:
                self._thread = Thread(target=self._run, name="reviews", daemon=True)
                self._thread.start()
        return asked

    def _run(self) -> None:
        """Until the line is empty."""
        while True:
            with self._lock:
                if not self._line:
                    self._thread = None
                    return
                progress = self._line.popleft()
            self._review(progress)

    def _review(self, progress: Progress) -> None:
        def tell(done: int, of: int) -> None:
            progress.done, progress.of = done, of

        try:
            progress.found = review(progress.record, tell, self._share)
        except Unanswered as failed:
            _log.error("A review failed: %s", failed.details["why"])
            progress.failed = True
        except Exception as error:  # noqa: BLE001 (a game that cannot be judged must not stop the others)
            _log.error("A review failed: %s", told(error))
            progress.failed = True
