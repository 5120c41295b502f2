"""Computation of the parts of a review: by an executor's ``map``, or by a server's thinkers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from kontor.game import Refusal
from kontor.thinking import NoAnswer, Thinking

Work = Callable[[bytes], bytes]
"""A function at the top level of a module, so that other processes can run it."""

AnswerParts = Callable[[Work, Sequence[bytes]], Iterator[bytes]]
"""``share(work, matters)`` yields the result of ``work`` for each of the matters, in their order."""


class Unanswered(Refusal):
    """A refusal raised when the thinkers failed to compute an answer."""


def by_thinkers(thinkers: Thinking, *, low_priority: bool = False) -> AnswerParts:
    """Return a function that shares the work among thinkers. It raises Unanswered.

    With ``low_priority`` all other tasks of the thinkers go first.
    """

    def share(work: Work, matters: Sequence[bytes]) -> Iterator[bytes]:
        futures = [thinkers.submit(work, matter, low_priority=low_priority) for matter in matters]
        try:
            for future in futures:
                yield future.result()
        except NoAnswer as failed:
            raise Unanswered("", "The computation failed: {why}.", why=failed) from failed
        finally:
            for future in futures:
                future.cancel()

    return share
