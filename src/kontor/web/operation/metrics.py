"""Figures of a house, as Prometheus asks for them (``kontor serve --metrics``).

They are for whoever runs the house, at an address of their own, but end up on screens that others see. So a figure
is of the whole house, and a label one of a few words known beforehand: a game, a kind of refusal, the template of a
route. What was considered:

- ids, names, addresses, tokens and invitations stand in paths, so no path is a label;
- which rule refused a move tells what somebody tried, and so what they may hold: only the kind of refusal is counted;
- how long a single machine player thought may tell how hard its choice was: only the seconds of all of them are
  added up;
- dice, cards, seeds, clocks and lines of a single table are in no figure.

With several workers each writes its figures to a folder that they share, and the process that watches over them adds
them up (prometheus_client's multiprocess mode). Which way it is, is decided when this is imported: by whether
``PROMETHEUS_MULTIPROC_DIR`` is set.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, start_http_server
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from kontor.game import Refusal
from kontor.table import StorageFailure
from kontor.thinking import Thinkers

_FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable in which the library looks for the folder of figures that several processes share."""

# When something was first counted is nobody's question.
disable_created_metrics()
REGISTRY: Final = CollectorRegistry()

MOVES: Final = Counter("kontor_moves", "Moves in the log.", ("game", "by"), registry=REGISTRY)
REFUSED: Final = Counter("kontor_refused_moves", "Moves that were refused.", ("kind", "by"), registry=REGISTRY)
SHOWN: Final = Histogram(
    "kontor_move_to_screen_seconds",
    "From a change at a table (a move, or something said) until a stream that watches it has sent how it stands.",
    buckets=(0.002, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
    registry=REGISTRY,
)
ANSWERED: Final = Histogram(
    "kontor_answer_seconds",
    "From a request until its answer begins.",
    ("method", "route", "status"),
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
    registry=REGISTRY,
)
DROPPED: Final = Counter("kontor_dropped_streams", "Streams given up: the reader took nothing.", registry=REGISTRY)
FAILURES: Final = Counter("kontor_database_failures", "Transactions that the database failed.", registry=REGISTRY)
STREAMS: Final = Gauge("kontor_open_streams", "Open streams.", registry=REGISTRY, multiprocess_mode="livesum")
WORKERS: Final = Gauge("kontor_workers", "Workers that serve.", registry=REGISTRY, multiprocess_mode="livesum")
RESIDENT: Final = Gauge(
    "kontor_resident_bytes", "Memory of the workers.", registry=REGISTRY, multiprocess_mode="livesum"
)
PROCESSOR: Final = Counter("kontor_processor_seconds", "Processor time of the workers.", registry=REGISTRY)
TABLES: Final = Gauge(
    "kontor_tables",
    "Tables in the database, by what they are: waiting, playing, over.",
    ("status",),
    registry=REGISTRY,
    multiprocess_mode="livemostrecent",
)


class CannotShow(Refusal):
    """Why nobody can be shown the figures."""


class Counting:
    """What happens in a house, counted."""

    def moved(self, game: str, *, machine: bool) -> None:
        """A move is in the log."""
        MOVES.labels(game, _by(machine)).inc()

    def refused(self, refusal: Refusal, *, machine: bool) -> None:
        """A move was refused. That the database failed is no refusal of the move."""
        if not isinstance(refusal, StorageFailure):
            REFUSED.labels(type(refusal).__name__, _by(machine)).inc()

    def failed(self) -> None:
        """The database has failed a transaction."""
        FAILURES.inc()


class Thoughts(Collector):
    """How much the processes that think have to do. Only whoever has them can tell."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers

    def collect(self) -> Iterator[Metric]:
        """Looks now."""
        thinkers = self._thinkers
        yield GaugeMetricFamily("kontor_thinkers", "Processes that may think.", thinkers.number)
        queue = "Questions of machine players, hints and reviews that no process has taken yet."
        yield GaugeMetricFamily("kontor_thinking_queue", queue, thinkers.waiting())
        busy = "Seconds for which processes that think were busy."
        yield CounterMetricFamily("kontor_thought_seconds", busy, thinkers.busy())


def _by(machine: bool) -> Literal["machine", "person"]:
    return "machine" if machine else "person"


# ------------------------------------------------------------------------------------------------ showing the figures


@contextmanager
def shown(at: str, thinkers: Thinkers) -> Iterator[None]:
    """The figures of this process, at an address like 127.0.0.1:9464, as long as the block lasts. Raises
    CannotShow."""
    with _served(at, REGISTRY, thinkers):
        yield


@contextmanager
def shown_for_workers(at: str, thinkers: Thinkers) -> Iterator[None]:
    """The sum of the figures of all processes that are begun within the block. Raises CannotShow."""
    with TemporaryDirectory(prefix="kontor-figures-") as folder:
        registry = CollectorRegistry()
        registry.register(_Files(folder))
        os.environ[_FOLDER] = folder
        try:
            with _served(at, registry, thinkers):
                yield
        finally:
            del os.environ[_FOLDER]


class _Files(Collector):
    """What the workers have counted, in files of theirs. A worker that just begins makes each a moment before it
    writes to it; those that are empty are passed over."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)

    def collect(self) -> Iterable[Metric]:
        """Adds up."""
        begun = []
        for file in self._folder.glob("*.db"):
            with suppress(FileNotFoundError):  # that of a worker that has just died
                if file.stat().st_size:
                    begun.append(str(file))
        summed: Iterable[Metric] = MultiProcessCollector.merge(begun)
        return summed


def worker_died(pid: int) -> None:
    """What a worker had just then (streams, memory) is gone with it; what it had counted still counts."""
    if _FOLDER in os.environ:
        mark_process_dead(pid)


@contextmanager
def _served(at: str, registry: CollectorRegistry, thinkers: Thinkers) -> Iterator[None]:
    host, _, port = at.rpartition(":")
    if not (host and port.isascii() and port.isdigit() and 0 < int(port) < 1 << 16):
        raise CannotShow("", "--metrics takes an address and a port, like 127.0.0.1:9464, not “{given}”.", given=at)
    try:
        server, thread = start_http_server(int(port), host.strip("[]"), registry)
    except OSError as error:
        reason = "The figures cannot be shown at {address}: {why}."
        raise CannotShow("", reason, address=at, why=(error.strerror or str(error)).lower()) from error
    thoughts = Thoughts(thinkers)
    registry.register(thoughts)
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
        registry.unregister(thoughts)
