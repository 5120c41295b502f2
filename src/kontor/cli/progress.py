"""Progress bars on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from kontor.terminal.screen import console


@contextmanager
def counting(what: str, total: int) -> Iterator[Callable[[], None]]:
    """Show a progress bar on stderr, only on a terminal; yield the function to call after each result."""
    errors = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as progress:
        task = progress.add_task(what, total=total)
        yield lambda: progress.advance(task)


@contextmanager
def stages(say: Callable[[str], str]) -> Iterator[Callable[[str, int, int], None]]:
    """Show a progress bar for each stage of a long task, one below the other, only on a terminal.

    Yield the function that updates them. It takes the stage (in English; ``say`` translates it), how much of it is
    done, and how much there is.
    """
    errors = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, disable=not errors.is_terminal) as progress:
        bars: dict[str, TaskID] = {}

        def tell(stage: str, done: int, total: int) -> None:
            if stage not in bars:
                bars[stage] = progress.add_task(say(stage))
            progress.update(bars[stage], completed=done, total=total)

        yield tell
