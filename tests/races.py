"""Several threads that act at the same moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from timeouts import HANG_TIMEOUT

Done = TypeVar("Done")


def race(*acts: Callable[[], Done], refused: tuple[type[Exception], ...] = ()) -> list[Done]:
    """Let all act at the same moment, each in its thread; return the results of those that are not refused."""
    begin = Barrier(len(acts))

    def act_with_others(act: Callable[[], Done]) -> list[Done]:
        begin.wait(HANG_TIMEOUT)
        try:
            return [act()]
        except refused:
            return []

    with ThreadPoolExecutor(len(acts)) as pool:
        return [result for results in pool.map(act_with_others, acts) for result in results]
