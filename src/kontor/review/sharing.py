"""Who thinks about the parts of a review: an executor, by its ``map``, or the thinkers of a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from kontor.game import Refusal
from kontor.thinking import NoAnswer, Thinking

Work = Callable[[bytes], bytes]
"""A function of a module."""

AnswerParts = Callable[[Work, Sequence[bytes]], Iterator[bytes]]
"""``share(work, matters)`` gives what ``work`` makes of each, in the order of the matters."""


class Unanswered(Refusal):
    """Thinkers came to no answer."""


def by_thinkers(thinkers: Thinking, *, low_priority: bool = False) -> AnswerParts:
    """Shared among thinkers. ``low_priority``: whatever else they are asked goes first. Raises Unanswered."""

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
