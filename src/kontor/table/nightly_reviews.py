"""Reviews games at night, so that people see how well they play without asking for each review.

It is bounded: one game at a time, asked of the thinkers with the lowest priority, in the hours after the ratings were
fitted, and only games of the last weeks. Only the numbers are kept, and no move is explained. Of all processes that
have the server open one does this, the leader.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from kontor.game import Refusal
from kontor.review import AnswerParts, Unanswered, judged
from kontor.table.errors import StorageFailure
from kontor.table.service import TableService
from kontor.work.loops import Loop

_LOG = logging.getLogger(__name__)

FIRST_HOUR: Final = 3
LAST_HOUR: Final = 5
"""In these hours and those between (UTC) games are reviewed."""

_LOOK: Final = 60.0
"""Seconds between two looks, where there was nothing to do."""

_LIMIT: Final = 3600.0
"""Seconds that reviewing one game may take while others think."""


class NightlyReviews(Loop):
    """Reviews the games of a server."""

    def __init__(self, service: TableService, share: AnswerParts, *, leads: Callable[[], bool] | None = None) -> None:
        """``share`` does the thinking, whenever nobody else asks for any."""
        super().__init__("nightly reviews", first=_LOOK, limit=_LIMIT)
        self._service = service
        self._share = share
        self._leads = leads or (lambda: service.leading)
        self._skipped: set[str] = set()

    def once(self) -> float:
        """Reviews a game, if this process leads."""
        try:
            return 0.0 if self._leads() and self.one_game() else _LOOK
        except StorageFailure as error:
            if not self.stopped:
                _LOG.warning("No game could be reviewed: %s", error)
            return _LOOK

    def one_game(self) -> bool:
        """Reviews a game, if it is night and there is one. Whether there was. Raises StorageFailure."""
        seats = self._service.reviewed_seats
        if not FIRST_HOUR <= seats.hour() <= LAST_HOUR:
            self._skipped.clear()
            return False
        table = seats.next_unreviewed(self._skipped)
        if table is None:
            return False
        self._skipped.add(table)  # whatever becomes of it, it is not tried again in this night
        try:
            seats.keep(table, judged(self._service.record(table), self._share))
        except Unanswered as failed:
            if self.stopped:
                return False
            _LOG.warning("A game was not reviewed at night: %s", failed.details["why"])
        except Refusal as refused:
            _LOG.info("A game is not to be reviewed: %s", refused)
        return True
