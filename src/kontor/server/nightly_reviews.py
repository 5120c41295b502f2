"""Nightly reviews of games, so that people see how well they play without asking for each review.

The work is bounded: one game at a time, only of the last weeks, in the hours after the ratings were fitted. It has
the lowest priority of the thinkers. Only the numbers are stored, and no move is explained. Of all processes that have
the server open, only the leader does this.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from kontor.game import Refusal
from kontor.review import AnswerParts, Unanswered, judged
from kontor.server.composition import KontorServer
from kontor.storage.errors import StorageFailure
from kontor.work.loops import Loop

_LOG = logging.getLogger(__name__)

FIRST_HOUR: Final = 3
LAST_HOUR: Final = 5
"""The first and the last of the hours (UTC) in which games are reviewed."""

_LOOK: Final = 60.0
"""Seconds between two looks if there was nothing to do."""

_LIMIT: Final = 3600.0
"""Seconds that reviewing one game may take while the thinkers do other tasks."""


class NightlyReviews(Loop):
    """Loop that reviews the games of a server."""

    def __init__(self, service: KontorServer, share: AnswerParts, *, leads: Callable[[], bool] | None = None) -> None:
        """Create the loop; ``share`` gives the work to the thinkers, with low priority."""
        super().__init__("nightly reviews", first=_LOOK, limit=_LIMIT)
        self._service = service
        self._share = share
        self._leads = leads or (lambda: service.leading)
        self._skipped: set[str] = set()

    def once(self) -> float:
        """Review a game, if this process leads; return the seconds until the next look."""
        try:
            return 0.0 if self._leads() and self.one_game() else _LOOK
        except StorageFailure as error:
            if not self.stopped:
                _LOG.warning("No game could be reviewed: %s", error)
            return _LOOK

    def one_game(self) -> bool:
        """Review a game if it is night and there is one; return True if there was. Raises StorageFailure."""
        seats = self._service.reviewed_seats
        if not FIRST_HOUR <= seats.hour() <= LAST_HOUR:
            self._skipped.clear()
            return False
        table = seats.next_unreviewed(self._skipped)
        if table is None:
            return False
        self._skipped.add(table)  # it is not tried again in this night, even if it fails
        try:
            seats.keep(table, judged(self._service.tables.record(table), self._share))
        except Unanswered as failed:
            if self.stopped:
                return False
            _LOG.warning("A game was not reviewed at night: %s", failed.details["why"])
        except Refusal as refused:
            _LOG.info("A game is not to be reviewed: %s", refused)
        return True
