"""Metrics of a server for Prometheus (``kontor serve --metrics``).

They are for the operator, at an address of their own, but end up on screens that others see. So a metric describes a
whole process, and a label is one of a few words known beforehand: a game, a kind of refusal, the template of a route.
The reasons:

- ids, names, addresses, tokens and invitations stand in paths, so no path is a label;
- the rule that refused a move tells what somebody tried, and so what they may hold: only the kind of refusal is
  counted;
- how long a single computer player thought may tell how hard its choice was: only the seconds of all of them are
  added up;
- dice, cards, seeds, clocks and log lines of a single table are in no metric.

Each process of a server shows its own metrics, at an address of its own; the reader adds them up.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final, Literal

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, start_http_server
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from kontor.game import Refusal
from kontor.storage.errors import StorageFailure
from kontor.storage.tally import MissingCommits
from kontor.thinking import Thinkers
from kontor.work.failing_items import items_set_aside
from kontor.work.incidents import incidents
from kontor.work.loops import loop_failures, running_loops

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
REFUSED_CONNECTIONS: Final = Counter(
    "kontor_refused_connections",
    "Connections refused: too many from one address, or in all.",
    ("too_many",),
    registry=REGISTRY,
)
INVALID: Final = Counter(
    "kontor_invalid_requests",
    "Requests refused before they were read: what is no HTTP, and heads and bodies without end.",
    registry=REGISTRY,
)
FAILURES: Final = Counter("kontor_database_failures", "Transactions that the database failed.", registry=REGISTRY)
NOT_IN_PLACE: Final = Counter(
    "kontor_database_not_in_place",
    "Transactions refused because the database's files are not in their place.",
    registry=REGISTRY,
)
MISSING_COMMITS: Final = Gauge(
    "kontor_missing_commits",
    "Commits that the database lacked when this process opened it, though they had been on the disk.",
    registry=REGISTRY,
)
MISSING_MOVES: Final = Gauge(
    "kontor_missing_moves", "At least so many moves and rolls were in them.", registry=REGISTRY
)
STREAMS: Final = Gauge("kontor_open_streams", "Open streams.", registry=REGISTRY)
WORKERS: Final = Gauge("kontor_workers", "Processes that serve: this one.", registry=REGISTRY)
RESIDENT: Final = Gauge("kontor_resident_bytes", "Memory of the process that serves.", registry=REGISTRY)
PROCESSOR: Final = Counter(
    "kontor_processor_seconds", "Processor time of the process that serves.", registry=REGISTRY
)
TABLES: Final = Gauge(
    "kontor_tables",
    "Tables in the database, by what they are: waiting, playing, over. Every process at it tells the same.",
    ("status",),
    registry=REGISTRY,
)


WAITING: Final = Gauge(
    "kontor_notifications_waiting",
    "Notifications in the outbox that are due. Every process tells the same.",
    registry=REGISTRY,
)
OLDEST: Final = Gauge(
    "kontor_notifications_oldest_seconds", "For how long the oldest of them has been due.", registry=REGISTRY
)
SENT: Final = Counter("kontor_notifications_sent", "Notifications that were taken.", ("way",), registry=REGISTRY)
UNSENT: Final = Counter(
    "kontor_notifications_failed",
    "Notifications that were not taken; most are tried again.",
    ("way",),
    registry=REGISTRY,
)
LESSON_STEPS: Final = Counter(
    "kontor_lesson_steps",
    "Steps of tutorials that people came to: where fewer come than to the one before, people stop.",
    ("game", "step"),
    registry=REGISTRY,
)
RATED_AT: Final = Gauge(
    "kontor_ratings_fitted_timestamp_seconds",
    "When all ratings were last fitted and written, in seconds since 1970.",
    registry=REGISTRY,
)
RATED_IN: Final = Gauge(
    "kontor_ratings_fitting_seconds", "How long that took; in the worker that leads.", registry=REGISTRY
)
RATED_WITH: Final = Gauge(
    "kontor_ratings_fitting_bytes", "Memory of the process that has fitted them.", registry=REGISTRY
)
UNRATED: Final = Counter(
    "kontor_ratings_failed", "Nights in which that came to nothing; it is tried again.", registry=REGISTRY
)


class CannotShow(Refusal):
    """The reason why the metrics can't be served."""


class ActivityMetrics:
    """Counters of the activity of a server."""

    def moved(self, game: str, *, machine: bool) -> None:
        """Count a move in the log."""
        MOVES.labels(game, _by(machine)).inc()

    def refused(self, refusal: Refusal, *, machine: bool) -> None:
        """Count a refused move. A failure of the database is no refusal of the move."""
        if not isinstance(refusal, StorageFailure):
            REFUSED.labels(type(refusal).__name__, _by(machine)).inc()

    def failed(self) -> None:
        """Count a transaction that the database failed."""
        FAILURES.inc()

    def not_in_place(self) -> None:
        """Count a transaction refused because the database's files are not in their place."""
        NOT_IN_PLACE.inc()


def show_missing(missing: MissingCommits | None) -> None:
    """Set the metrics of what the database lacked when it was opened."""
    MISSING_COMMITS.set(missing.commits if missing else 0)
    MISSING_MOVES.set(missing.moves if missing else 0)


class SendingMetrics:
    """Counters of notifications."""

    def sent(self, kind: str) -> None:
        """Count a notification that the recipient's server accepted."""
        SENT.labels(kind).inc()

    def not_sent(self, kind: str) -> None:
        """Count a notification that the recipient's server did not accept."""
        UNSENT.labels(kind).inc()


class RatingMetrics:
    """Metrics of fitting the ratings."""

    def fitted(self, at: datetime, seconds: float, memory: int) -> None:
        """Set when the ratings were written, the seconds that it took, and the memory used (``memory`` in MiB)."""
        RATED_AT.set(at.timestamp())
        RATED_IN.set(seconds)
        RATED_WITH.set(memory * 1024 * 1024)

    def not_fitted(self) -> None:
        """Count a fit that failed."""
        UNRATED.inc()


class ThinkerMetrics(Collector):
    """Metrics of the processes that think, collected in the process that owns them."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers

    def collect(self) -> Iterator[Metric]:
        """Yield the current figures."""
        thinkers = self._thinkers
        yield GaugeMetricFamily("kontor_thinkers", "Processes that may think.", thinkers.number)
        queue = "Questions of computer players, hints and reviews that no process has taken yet."
        yield GaugeMetricFamily("kontor_thinking_queue", queue, thinkers.waiting())
        busy = "Seconds for which processes that think were busy."
        yield CounterMetricFamily("kontor_thought_seconds", busy, thinkers.busy())


class LoopMetrics(Collector):
    """Metrics of the loops of this process, and of its incidents."""

    def collect(self) -> Iterator[Metric]:
        """Yield the current figures."""
        failures = CounterMetricFamily(
            "kontor_loop_failures", "Rounds of loops that failed; each is tried again.", labels=("loop",)
        )
        for name, count in loop_failures().items():
            failures.add_metric((name,), count)
        late = GaugeMetricFamily(
            "kontor_loop_late", "1 if a loop has not come round in its time, as /ready says.", labels=("loop",)
        )
        for name, is_late in running_loops().items():
            late.add_metric((name,), is_late)
        aside = GaugeMetricFamily(
            "kontor_items_set_aside",
            "Rows, tables and tournaments that failed again and again: the log tells the cause.",
            labels=("loop",),
        )
        for name, count in items_set_aside().items():
            aside.add_metric((name,), count)
        unusual = CounterMetricFamily(
            "kontor_incidents", "What should not happen and was survived: the log has the details.", labels=("kind",)
        )
        for kind, count in incidents().items():
            unusual.add_metric((kind,), count)
        yield from (failures, late, aside, unusual)


REGISTRY.register(LoopMetrics())


def _by(machine: bool) -> Literal["machine", "person"]:
    return "machine" if machine else "person"


# ------------------------------------------------------------------------------------------------ serving the metrics


def address_of(given: str, place: int = 0) -> str:
    """Return the address of the metrics of the process number ``place``, from 0, if the first has ``given``.

    Raises CannotShow.
    """
    host, _, port = given.rpartition(":")
    if not (host and port.isascii() and port.isdigit() and 0 < int(port) < (1 << 16) - place):
        raise CannotShow(
            "", "--metrics takes an address and a port, like 127.0.0.1:9464, not “{given}”.", given=given
        )
    return f"{host}:{int(port) + place}"


@contextmanager
def serve_metrics(at: str, thinkers: Thinkers) -> Iterator[None]:
    """Serve the metrics of this process while the block lasts, at an address like 127.0.0.1:9464.

    Raises CannotShow.
    """
    host, _, port = address_of(at).rpartition(":")
    try:
        server, thread = start_http_server(int(port), host.strip("[]"), REGISTRY)
    except OSError as error:
        reason = "The metrics cannot be served at {address}: {why}."
        raise CannotShow("", reason, address=at, why=(error.strerror or str(error)).lower()) from error
    thoughts = ThinkerMetrics(thinkers)
    REGISTRY.register(thoughts)
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
        REGISTRY.unregister(thoughts)
