"""Reviews of finished games: computed in the background, one game after the other, and stored by the server."""

from __future__ import annotations

import logging
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock
from time import monotonic
from typing import Final, Protocol

import msgspec

from kontor.errors import TooMany
from kontor.game import Refusal
from kontor.ratings.reviewed_seats import ReviewedSeats
from kontor.records import Record
from kontor.review import AnswerParts, Review, Unanswered, deserialise, review, serialise
from kontor.tables.stored_results import MOST_REVIEWS, StoredReview, StoredReviews, too_many_reviews
from kontor.thinking.thinkers import NOBODY, Asker
from kontor.work.failures import safe_traceback

_LOG = logging.getLogger(__name__)

AT_HAND: Final = 64
"""Number of decoded reviews in memory; the server stores all."""

WAITING: Final = 20
"""Greatest number of games that wait to be reviewed."""

WAITING_OF_ONE_ORIGIN: Final = WAITING // 2
"""Number of those that may be requested from one network."""

_EVERY: Final = 1.0
"""Seconds between two writes of the progress, which other processes read."""


class Busy(Exception):
    """Too many games wait to be reviewed."""


@dataclass(frozen=True)
class Progress:
    """The progress of a review at one moment. It is frozen because a page that shows it must not see it change.

    ``review`` is the finished review. ``failed``: there will be none unless the review is begun anew.
    """

    record: Record
    done: int = 0
    of: int = 0
    review: Review | None = None
    failed: bool = False
    asker: Asker = NOBODY
    """People who have requested it, if it is computed in this process."""


class Records(Protocol):
    """Games of one kind that can be reviewed: those of tables, or the records that people have brought."""

    def record(self, game: str, /) -> Record:
        """Return the whole game. Raises Refusal where it can't be read."""


@dataclass(frozen=True)
class ReviewQueue:
    """The queue of a server's reviews, which games of all kinds share, and those in memory, by the ids of games."""

    thinking: dict[str, Progress] = field(default_factory=dict)
    at_hand: OrderedDict[str, Progress] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)
    one_by_one: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(1, thread_name_prefix="reviews")
    )


class Reviews:
    """The reviews of games of one kind. Safe to use from any thread."""

    def __init__(
        self,
        games: Records,
        stored: StoredReviews,
        reviewed_seats: ReviewedSeats | None,
        share: AnswerParts,
        queue: ReviewQueue | None = None,
    ) -> None:
        """Make the reviews of ``games``, kept in the next two; ``share`` does the thinking.

        Without ``reviewed_seats`` they say nothing about how well people play.
        """
        queue = queue or ReviewQueue()
        self._games = games
        self._stored = stored
        self._reviewed_seats = reviewed_seats
        self._share = share
        self._thinking = queue.thinking
        self._at_hand = queue.at_hand
        self._lock = queue.lock
        self._one_by_one = queue.one_by_one

    def of(self, game: str) -> Progress | None:
        """Return the progress of a game's review, in this process or another; None if nobody has requested it.

        Raises Refusal where the game has no readable record.
        """
        with self._lock:
            progress = self._thinking.get(game) or self._at_hand.get(game)
        return progress or self._load_stored(game)

    def begin(self, game: str, record: Record, asker: Asker) -> Progress:
        """Begin the review of a game, also after one that failed, and return its progress.

        People without a name count as one if they come from the same network. Raises Busy, and TooMany where the
        asker has too many reviews in progress.
        """
        progress = Progress(record, asker=asker)
        with self._lock:
            running = self._thinking.get(game)
            if running:
                return running
            self._check_room(asker)
            self._thinking[game] = progress
        try:
            must_compute = self._stored.begin(game, asker.person or None)
        except Refusal:
            self._forget(game)
            raise
        if not must_compute:
            self._forget(game)
            return self._load_stored(game) or progress
        thought = self._one_by_one.submit(self._think, game, progress)
        thought.add_done_callback(partial(self._settle, game))
        return progress

    def _check_room(self, asker: Asker) -> None:
        # Other processes may have given up some of those that are queued here; but they keep their places.
        askers = [waiting.asker for waiting in self._thinking.values()]
        own_askers = [
            queued for queued in askers if queued.person == asker.person and (asker.person or queued == asker)
        ]
        if len(own_askers) >= MOST_REVIEWS:
            if asker.person:
                raise too_many_reviews()
            reason = (
                "Enough reviews for people without a name are already in progress. Tell us your name, or "
                "come back later."
            )
            raise TooMany("", reason)
        beside = sum(queued.origin == asker.origin for queued in askers)
        if len(askers) >= WAITING or beside >= WAITING_OF_ONE_ORIGIN:
            raise Busy

    def close(self) -> None:
        """Cancel the reviews that wait; they are made another time."""
        self._one_by_one.shutdown(wait=False, cancel_futures=True)

    def _load_stored(self, game: str) -> Progress | None:
        """Return the stored progress, or None.

        A Kontor with another format of reviews may have written one that cannot be read: it is deleted, as if it had
        never been requested.
        """
        stored = self._stored.get(game)
        if stored is None:
            return None
        progress = Progress(self._games.record(game), stored.done, stored.parts, failed=stored.failed)
        if stored.review is None:
            return progress
        try:
            finished = replace(progress, review=deserialise(stored.review))
        except msgspec.DecodeError:
            self._stored.forget(game)
            return None
        self._keep_at_hand(game, finished)
        return finished

    def _think(self, game: str, progress: Progress) -> Progress:
        """Compute and store the review; return its last progress."""
        last = monotonic()

        def tell(done: int, of: int) -> None:
            nonlocal last, progress
            progress = replace(progress, done=done, of=of)
            with self._lock:
                self._thinking[game] = progress
            if monotonic() - last >= _EVERY:
                last = monotonic()
                self._stored.keep(game, StoredReview(done, of, False, None))

        finished = review(progress.record, tell, self._share)
        if self._reviewed_seats is not None:
            self._reviewed_seats.keep(game, finished)
        self._stored.keep(game, StoredReview(progress.of, progress.of, False, serialise(finished)))
        return replace(progress, review=finished)

    def _settle(self, game: str, thought: Future[Progress]) -> None:
        failed = None if thought.cancelled() else thought.exception()
        if failed is not None:
            _LOG.error(
                "A review failed: %s",
                failed.details["why"] if isinstance(failed, Unanswered) else safe_traceback(failed),
            )
            reached = self._thinking[game]
            # If the failure can't be written either, the review counts as in progress for two minutes.
            with suppress(Refusal):
                self._stored.keep(game, StoredReview(reached.done, reached.of, True, None))
        elif not thought.cancelled():
            self._keep_at_hand(game, thought.result())
        self._forget(game)  # only now can it be begun anew

    def _keep_at_hand(self, game: str, progress: Progress) -> None:
        with self._lock:
            self._at_hand[game] = progress
            self._at_hand.move_to_end(game)
            while len(self._at_hand) > AT_HAND:
                self._at_hand.popitem(last=False)

    def _forget(self, game: str) -> None:
        with self._lock:
            self._thinking.pop(game, None)
