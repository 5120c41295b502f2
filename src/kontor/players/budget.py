"""Budget of a searching player for a move, as its name says: ``mcts:2000`` or ``mcts:0.1s``.

With a number of iterations it is a pure function like any other player. With seconds it searches until the time is
over, so two machines, or two runs on one, may choose differently. Seconds are processor time of the thread that
thinks, so other load on the machine does not make the player weaker.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from time import thread_time
from typing import Final

from kontor.game import BadOptions, Value

MOST_ITERATIONS: Final = 10_000_000
MOST_SECONDS: Final = 60.0
"""The largest budgets: nobody would wait longer for a move."""


class Iterations(Value, frozen=True):
    """A number of iterations per move, at least 1."""

    count: int

    def thinking(self) -> Iterator[int]:
        """Return the numbers of the iterations, from 0."""
        return iter(range(self.count))


class Seconds(Value, frozen=True):
    """A number of seconds of processor time per move, more than 0."""

    seconds: float

    def thinking(self) -> Iterator[int]:
        """Yield the numbers of the iterations, from 0, until the time is over; always at least one."""
        until = thread_time() + self.seconds
        number = 0
        while True:
            yield number
            number += 1
            if thread_time() >= until:
                return


Budget = Iterations | Seconds
"""``for _ in budget.thinking():`` runs once for each iteration."""


def budget_from(text: str) -> Budget:
    """Return the budget that a text like ``2000`` or ``0.1s`` names. Raises BadOptions."""
    if re.fullmatch(r"[0-9]{1,8}", text) and 0 < int(text) <= MOST_ITERATIONS:
        return Iterations(int(text))
    if re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,6})?s", text) and 0 < float(text[:-1]) <= MOST_SECONDS:
        return Seconds(float(text[:-1]))
    raise BadOptions(
        "",
        "“{given}” is not a search budget: 2000 means iterations, 0.1s means seconds; at most "
        "{iterations} or {seconds}s.",
        given=text,
        iterations=MOST_ITERATIONS,
        seconds=round(MOST_SECONDS),
    )
