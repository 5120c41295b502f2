"""Two versions measured in turns, this checkout and another, so that other work of the machine affects both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import geometric_mean, median

import msgspec

from bench.load.report import Load, Run, Times


class Figure(msgspec.Struct, frozen=True):
    """One figure: the median of each version, and the ratio of this version to the other.

    The ratio is the geometric mean over all pairs; ``least`` and ``most`` are the extremes of the pairs.
    """

    what: str
    this: float
    other: float
    ratio: float
    least: float
    most: float


class Comparison(msgspec.Struct, frozen=True):
    """All runs, and the figures that compare them."""

    this: tuple[Run, ...]
    other: tuple[Run, ...]
    figures: tuple[Figure, ...]


def turns(pairs: int) -> Iterator[bool]:
    """Yield whether it is this checkout's turn: A B B A A B B A …, so that neither is always the later one."""
    for pair in range(pairs):
        yield from (True, False) if pair % 2 == 0 else (False, True)


def comparison(runs: Sequence[Run]) -> Comparison:
    """Compare runs measured in turns; the first of each version are a pair, and so on.

    A figure that is 0 in any run, like the time of a missing proxy, has no ratio and is left out.
    """
    whose = list(zip(runs, turns(len(runs) // 2), strict=True))
    this, other = (tuple(run for run, ours in whose if ours is each) for each in (True, False))
    paired = list(zip(map(_figures, this), map(_figures, other), strict=True))
    names = [name for name in paired[0][0] if all(one.get(name, 0) > 0 for pair in paired for one in pair)]
    figures = [_figure(name, [(one[name], another[name]) for one, another in paired]) for name in names]
    return Comparison(this, other, tuple(figures))


def _figure(what: str, paired: Sequence[tuple[float, float]]) -> Figure:
    this, other = zip(*paired, strict=True)
    ratios = [one / another for one, another in paired]
    return Figure(what, median(this), median(other), geometric_mean(ratios), min(ratios), max(ratios))


def _figures(run: Run) -> dict[str, float]:
    figures = {"KB a table": run.memory.kb_a_table, "KB a stream": run.memory.kb_a_stream}
    for load in run.periods:
        at = f" at {load.asked_moves_a_second:g}/s"
        figures |= {f"{name}{at}": number for name, number in _of_period(load)}
    return figures


def _of_period(load: Load) -> Iterator[tuple[str, float]]:
    for name, ways in (("move to screen", load.shown), ("answer", load.answered)):
        if ways:
            yield from _times(name, next(iter(ways.values())))
    yield "server, ms a move", load.server_ms_a_move
    yield "thinkers, ms a move", load.thinkers_ms_a_move
    yield "PostgreSQL, ms a move", load.database_ms_a_move
    yield "nginx, ms a move", load.proxy_ms_a_move
    yield "clients, ms a move", load.client_ms_a_move
    yield "others, cores", load.others_cores
    yield "memory, MB", load.resident_mb[-1]
    if load.frames:
        yield "frame, bytes", load.frames.mean


def _times(name: str, times: Times) -> Iterator[tuple[str, float]]:
    yield f"{name}, p50 ms", times.p50
    yield f"{name}, p90 ms", times.p90
    yield f"{name}, p99 ms", times.p99


def describe_comparison(compared: Comparison) -> Iterator[str]:
    """Yield the lines of the comparison, for people."""
    yield f"{len(compared.this)} pairs; medians, and this divided by the other: in all pairs, least and most"
    yield f"  {'':32}{'this':>10}{'other':>10}{'ratio':>8}{'least':>8}{'most':>7}"
    for each in compared.figures:
        yield (
            f"  {each.what:32}{each.this:10.2f}{each.other:10.2f}{each.ratio:8.2f}{each.least:8.2f}{each.most:7.2f}"
        )
