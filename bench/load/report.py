"""The figures of a run, as a report for people and as JSON."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from bench.load.driving import Checked, Period

_KB: Final = 1000
_MB: Final = 1_000_000


class Times(msgspec.Struct, frozen=True):
    """Times in milliseconds: their number, percentiles, and the longest."""

    count: int
    p50: float
    p90: float
    p99: float
    p999: float
    longest: float


class Frames(msgspec.Struct, frozen=True):
    """Bytes of frames on the wire, with the headers of chunks; ``plain`` is the mean of unpacked bytes."""

    count: int
    mean: float
    p50: int
    p99: int
    plain: float


class Load(msgspec.Struct, frozen=True):
    """The figures of a period. ``…_ms_a_move`` is processor time; memory is RSS in MB."""

    asked_moves_a_second: float
    moves_a_second: float
    seconds: float
    shown: dict[str, Times]
    answered: dict[str, Times]
    frames: Frames | None
    events: dict[str, int]
    server_ms_a_move: float
    thinkers_ms_a_move: float
    database_ms_a_move: float
    proxy_ms_a_move: float
    client_ms_a_move: float
    client_ms_a_frame: float
    server_cores: float
    client_cores: float
    machine_cores: float
    others_cores: float
    """Processor time of programs that have nothing to do with the measurement."""
    load_average: float
    resident_mb: tuple[float, ...]


class Memory(msgspec.Struct, frozen=True):
    """Memory of the server (PSS), in MB at four moments, and in KB for each table and each stream.

    The moments are: when a few tables had been played, with all tables, with all streams, after the load.
    """

    before_mb: float
    tables_mb: float
    streams_mb: float
    after_mb: float
    kb_a_table: float
    kb_a_stream: float


class Beforehand(msgspec.Struct, frozen=True):
    """Activity of the machine before the measurement.

    It is the processor time of others, and the load average of the last minute.
    """

    others_cores: float
    load_average: float


class Run(msgspec.Struct, frozen=True):
    """So many tables, with streams, and the periods of load on them."""

    beforehand: Beforehand
    tables: int
    streams: int
    opening_seconds: float
    memory: Memory
    periods: tuple[Load, ...]
    checked: Checked | None


def percentile(times: array[float] | array[int], share: float) -> float:
    """Return the least of the sorted times that at least this share of them does not exceed."""
    return times[max(0, -int(-share * len(times) // 1) - 1)]


def times_of(seconds: array[float]) -> Times:
    """Return the percentiles of at least one time, in milliseconds."""
    ordered = array("d", sorted(seconds))
    p50, p90, p99, p999 = (round(1000 * percentile(ordered, share), 2) for share in (0.5, 0.9, 0.99, 0.999))
    return Times(len(ordered), p50, p90, p99, p999, round(1000 * ordered[-1], 2))


def _by_way(times: Mapping[str, array[float]]) -> dict[str, Times]:
    """Return the times of each way, and of all ways together if there are several."""
    by_way = {way: times_of(seconds) for way, seconds in sorted(times.items())}
    if len(by_way) > 1:
        by_way = {"all": times_of(array("d", [one for seconds in times.values() for one in seconds])), **by_way}
    return by_way


def load_of(period: Period) -> Load:
    """Return the figures of a period."""
    counts = period.counts
    events = dict(counts.events)
    moves = events.pop("acknowledged", 0)
    wire = array("L", sorted(counts.wire))
    frames = None
    if wire:
        p50, p99 = (int(percentile(wire, share)) for share in (0.5, 0.99))
        frames = Frames(len(wire), round(sum(wire) / len(wire), 1), p50, p99, round(counts.plain / len(wire), 1))

    def each(seconds: float, number: int = moves) -> float:
        return round(1000 * seconds / max(1, number), 3)

    return Load(
        asked_moves_a_second=period.rate,
        moves_a_second=round(moves / period.seconds, 1),
        seconds=round(period.seconds, 1),
        shown=_by_way(counts.shown),
        answered=_by_way(counts.answered),
        frames=frames,
        events=events,
        server_ms_a_move=each(period.spent.server),
        thinkers_ms_a_move=each(period.spent.thinkers),
        database_ms_a_move=each(period.spent.database),
        proxy_ms_a_move=each(period.spent.proxy),
        client_ms_a_move=each(period.spent.client),
        client_ms_a_frame=each(period.spent.client, len(wire)),
        server_cores=round(period.spent.server / period.seconds, 2),
        client_cores=round(period.spent.client / period.seconds, 2),
        machine_cores=round(period.spent.machine / period.seconds, 2),
        others_cores=round(period.spent.others / period.seconds, 2),
        load_average=round(period.load_average, 2),
        resident_mb=tuple(round(size / _MB, 1) for size in period.resident),
    )


def memory_of(before: int, tables: int, streams: int, after: int, of_tables: int, of_streams: int) -> Memory:
    """Return the figures of memory from bytes at four moments, and from the number of added tables and streams."""
    return Memory(
        before_mb=round(before / _MB, 1),
        tables_mb=round(tables / _MB, 1),
        streams_mb=round(streams / _MB, 1),
        after_mb=round(after / _MB, 1),
        kb_a_table=round((tables - before) / max(1, of_tables) / _KB, 1),
        kb_a_stream=round((streams - tables) / max(1, of_streams) / _KB, 1),
    )


# ------------------------------------------------------------------------------------------- the report for people


def describe_run(run: Run) -> Iterator[str]:
    """Yield the lines of the report."""
    memory = run.memory
    yield f"{run.tables} tables, {run.streams} streams; opened in {run.opening_seconds:.0f} s"
    yield (
        f"  memory (PSS)      {memory.before_mb:.0f} MB before, {memory.tables_mb:.0f} with the tables, "
        f"{memory.streams_mb:.0f} with the streams, {memory.after_mb:.0f} at the end: "
        f"{memory.kb_a_table:.1f} KB a table, {memory.kb_a_stream:.1f} KB a stream"
    )
    for period in run.periods:
        yield from _describe_period(period, run.beforehand)
    if checked := run.checked:
        yield (
            f"  checked           {checked.tables} logs, {checked.acknowledged} moves acknowledged: "
            f"{checked.lost} lost, {checked.doubled} doubled, {checked.unasked} that nobody sent; "
            f"{checked.unsure} without an answer, {checked.unsure_there} of them made"
        )


def _describe_period(load: Load, beforehand: Beforehand) -> Iterator[str]:
    target, moves = load.asked_moves_a_second, load.moves_a_second
    yield f"  {target:g} moves/s for {load.seconds:.0f} s: {moves:g} moves/s acknowledged"
    for label, times in (("move to screen", load.shown), ("answer", load.answered)):
        for way, one in times.items():
            yield (
                f"    {label:<15} {way:<8} p50 {one.p50:8.1f}   p90 {one.p90:8.1f}   p99 {one.p99:8.1f}   "
                f"p99.9 {one.p999:8.1f}   longest {one.longest:8.1f} ms   ({one.count})"
            )
    if frames := load.frames:
        yield (
            f"    frames          {frames.count} of {frames.mean:.0f} bytes on the wire "
            f"(p50 {frames.p50}, p99 {frames.p99}), {frames.plain:.0f} unpacked"
        )
    yield (
        f"    processor       server {load.server_ms_a_move:.2f} ms a move ({load.server_cores:.2f} cores), "
        f"thinkers {load.thinkers_ms_a_move:.2f}, PostgreSQL {load.database_ms_a_move:.2f}, "
        f"nginx {load.proxy_ms_a_move:.2f}; "
        f"clients {load.client_ms_a_move:.2f} ms a move, {load.client_ms_a_frame:.2f} a frame "
        f"({load.client_cores:.2f} cores); the whole machine {load.machine_cores:.2f} cores"
    )
    yield (
        f"    others          {load.others_cores:.2f} cores ({beforehand.others_cores:.2f} before); load of the last "
        f"minute {load.load_average:.2f} ({beforehand.load_average:.2f} before)"
    )
    begin, end = load.resident_mb[0], load.resident_mb[-1]
    yield f"    memory (RSS)    {begin:.1f} MB at the beginning, {end:.1f} at the end"
    events = ", ".join(f"{event} {number}" for event, number in sorted(load.events.items()) if event != "sent")
    yield f"    besides         {load.events.get('sent', 0)} sent{', ' + events if events else ''}"
