"""Every loop of the server, with an exception at each of its statements: it survives, and works afterwards."""

import importlib
import inspect
import pkgutil
import socket
import sys
from collections.abc import Callable, Collection
from contextlib import ExitStack, closing
from pathlib import Path
from queue import SimpleQueue
from random import Random
from threading import Thread
from types import CodeType, FrameType
from typing import Any, Final, Protocol

import psycopg
import pytest

import kontor
from folders import with_database
from guests import MACHINE, ME, OPEN, Clock, at_once, play_one, post_mail, shanghaien
from kontor.notifying.notifier import Notifier
from kontor.notifying.texts import Message
from kontor.server import operator_requests
from kontor.server.composition import KontorServer
from kontor.server.machines import Machines
from kontor.server.nightly_ratings import NightlyRatings
from kontor.server.nightly_reviews import NightlyReviews
from kontor.server.operator_requests import Find
from kontor.server.sampler import Sampler
from kontor.storage.change_counters import KnownCounters
from kontor.storage.notifications import CHANNEL, _Connected, _Poll, _Receiver, _Sender
from kontor.tables.values import Mail
from kontor.thinking.messages import TaskRequest
from kontor.thinking.thinkers import NOBODY, Thinkers, _QueuedTask, _ThinkerProcess
from kontor.web.live.hub import Hub
from kontor.web.operation import metrics
from kontor.work.loops import Loop, loop_failures
from review.judges import SHANGHAIEN_JUDGE
from thinking.work import echo
from timeouts import HANG_TIMEOUT, waited_for

pytestmark = pytest.mark.fault


def all_loops() -> set[type[Loop]]:
    for module in pkgutil.walk_packages(kontor.__path__, "kontor."):
        if "migrations" not in module.name and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    kinds: set[type[Loop]] = set()
    waiting: list[type[Loop]] = [*Loop.__subclasses__()]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if not inspect.isabstract(kind) and kind.__module__.startswith("kontor."):
            kinds.add(kind)
    return kinds


class Planted(Exception):
    """An unexpected error."""


Line = tuple[CodeType, int]


def run_traced(action: Callable[[], object], file: str, reached: Callable[[Line], None]) -> None:
    """Run the action; call ``reached`` before each statement of the file that it executes."""

    def trace_line(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            reached((frame.f_code, frame.f_lineno))
        return trace_line

    def trace_call(frame: FrameType, event: str, _: Any) -> Any:
        return trace_line if frame.f_code.co_filename == file else None

    before = sys.gettrace()
    sys.settrace(trace_call)
    try:
        action()
    finally:
        sys.settrace(before)


class Scenario(Protocol):
    """A loop, work for it, and a check that it does the work."""

    loop: Loop

    def give_work(self) -> object:
        """Give the loop something to do in its next round."""

    def assert_works(self) -> None:
        """Give the loop something new to do, and check that it does it."""


def throw_at_each_statement(scenario: Scenario) -> int:
    """Throw at each statement that a round executes; check each time that the loop goes on. Return how many."""
    loop = scenario.loop
    file = inspect.getfile(type(loop))
    lines: list[Line] = []
    scenario.give_work()
    run_traced(loop.attempt, file, lambda line: lines.append(line) if line not in lines else None)
    scenario.assert_works()
    for line in lines:
        thrown = throw_once(scenario, file, line)
        if thrown:  # which statements a round executes depends on its work
            name = f"{line[0].co_qualname}:{line[1]}"
            failures = loop_failures().get(loop.name, 0)
            scenario.assert_works()
            assert loop_failures().get(loop.name, 0) == failures, f"the loop still fails after {name}"
    return len(lines)


def throw_once(scenario: Scenario, file: str, line: Line) -> bool:
    """Run a round in which a statement throws. Return whether the round executed it."""
    thrown = False

    def throw(current: Line) -> None:
        nonlocal thrown
        if current == line and not thrown:
            thrown = True
            raise Planted

    scenario.give_work()
    run_traced(scenario.loop.attempt, file, throw)
    return thrown


# ---------------------------------------------------------------------------------------------------------- scenarios


class Notifying:
    """Mail to be sent."""

    def __init__(self, service: KontorServer) -> None:
        self._service = service
        self._sent: SimpleQueue[str] = SimpleQueue()
        self._count = 0
        self._notifier = Notifier(service, {"mail": self._send}, str.title, leads=lambda: True)
        self.loop: Loop = self._notifier

    def _send(self, message: Message) -> None:
        self._sent.put(message.mail.subject)

    def give_work(self) -> None:
        self._count += 1
        post_mail(self._service, Mail("anna@mail.example", f"code {self._count}", ("hello",)))

    def assert_works(self) -> None:
        self.give_work()
        wanted = f"code {self._count}"

        def arrived() -> bool:
            self.loop.attempt()
            return wanted in [self._sent.get_nowait() for _ in range(self._sent.qsize())]

        waited_for(arrived)


class Playing:
    """Tables at which computer players are to move."""

    def __init__(self, service: KontorServer) -> None:
        self._service = service
        self.loop: Loop = Machines(service, at_once, pause=lambda *_: 0)

    def give_work(self) -> str:
        host = self._service.people.guest("Anna")[0].id
        table = self._service.opening.open(host, shanghaien(ME, MACHINE))
        while (mover := self._service.tables.info(table).mover) is None or not self._service.tables.info(table).seats[
            mover
        ].player:
            play_one(self._service, table, RANDOM)
        return table

    def assert_works(self) -> None:
        table = self.give_work()
        before = self._service.tables.info(table).number

        def moved() -> bool:
            self.loop.attempt()
            return self._service.tables.info(table).number > before

        waited_for(moved)


class Sampling:
    def __init__(self, service: KontorServer) -> None:
        self.loop: Loop = Sampler(service, Hub())

    def give_work(self) -> None:
        metrics.STREAMS.set(17)

    def assert_works(self) -> None:
        self.give_work()
        self.loop.attempt()
        assert metrics.REGISTRY.get_sample_value("kontor_open_streams") == 0


class Reviewing:
    """Finished games to be reviewed at night."""

    def __init__(self, service: KontorServer, clock: Clock) -> None:
        self._service, self._clock = service, clock
        self._people = [service.people.guest(name)[0].id for name in ("Anna", "Bernd")]
        self.loop: Loop = NightlyReviews(service, map, leads=lambda: True)

    def give_work(self) -> None:
        self._clock.time = self._clock.time.replace(hour=3)
        table = self._service.opening.open(self._people[0], shanghaien(ME, OPEN))
        self._service.opening.sit(table, 1, self._people[1])
        for _ in range(6):
            play_one(self._service, table, RANDOM)
        self._service.early_endings.resign(table, 1, self._people[1])
        self._clock.tick(seconds=1)

    def assert_works(self) -> None:
        before = len(self._service.reviewed_seats.of(self._people[0]))
        self.give_work()
        self.loop.attempt()
        assert len(self._service.reviewed_seats.of(self._people[0])) > before


FITS: Final = """
import sys, msgspec
request = msgspec.msgpack.decode(sys.stdin.buffer.read())
sys.stdout.buffer.write(msgspec.msgpack.encode({"at": request["now"], "games": [], "seconds": 0.0, "memory": 1}))
"""
"""Program that answers like ``kontor.ratings.fits`` where no games are rated, in a twentieth of the time.

What it reckons is for ``ratings/test_stored_ratings.py``.
"""


@pytest.fixture
def quick_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put this program before the usual one on the path of new processes, which import nothing else of Kontor."""
    (folder := tmp_path / "fits" / "kontor" / "ratings").mkdir(parents=True)
    (folder / "fits.py").write_text(FITS, "utf-8")
    for package in (folder, folder.parent):
        (package / "__init__.py").touch()
    monkeypatch.setattr(sys, "path", [str(tmp_path / "fits"), *sys.path])


class Rating:
    """Ratings to be fitted every night."""

    def __init__(self, service: KontorServer, place: Path, clock: Clock) -> None:
        self._service, self._clock = service, clock
        self.loop: Loop = NightlyRatings(service, place, leads=lambda: True)

    def give_work(self) -> None:
        self._clock.tick(days=1)

    def assert_works(self) -> None:
        self.give_work()
        self.loop.attempt()
        assert self._service.ratings.last_fitted() == self._clock.time


class Thinking:
    def __init__(self) -> None:
        self._thinkers = Thinkers(1)
        self._process = self._thinkers._processes[0]
        self.loop: Loop = self._process

    def give_work(self) -> _QueuedTask:
        task = _QueuedTask(TaskRequest(f"{echo.__module__}:{echo.__qualname__}", b"hello"), NOBODY)
        self._process._queue.put(task, False)
        return task

    def assert_works(self) -> None:
        task = self.give_work()
        while not task.future.done():
            self.loop.attempt()
        assert task.future.result() == b"hello"

    def close(self) -> None:
        self._thinkers.stop()


class Operating:
    """Requests of the operator."""

    def __init__(self, service: KontorServer, place: Path) -> None:
        self._place = place
        service.people.guest("Anna")
        listener = operator_requests._listener(place / operator_requests.SOCKET)
        assert listener
        self.loop: Loop = operator_requests._OperatorSocket(listener, service)

    def give_work(self) -> None:
        caller = socket.socket(socket.AF_UNIX)
        caller.connect(str(self._place / operator_requests.SOCKET))
        caller.close()

    def assert_works(self) -> None:
        answers: SimpleQueue[Any] = SimpleQueue()
        asking = Thread(target=lambda: answers.put(operator_requests.ask(self._place, Find("Anna"))), daemon=True)
        asking.start()

        def answered() -> bool:
            self.loop.attempt()
            return not answers.empty()

        waited_for(answered)
        assert [person.name for person in answers.get()] == ["Anna"]


class News:
    """Changes published and received through PostgreSQL."""

    def __init__(self, database: str, kind: type[Loop]) -> None:
        def dial() -> psycopg.Connection[Any]:
            return psycopg.connect(database, autocommit=True)

        self._dial = dial
        self._other = self._dial()
        self._other.execute(f"LISTEN {CHANNEL}")
        self._number = 0
        self._heard: list[str] = []
        self._sender = _Sender(self._dial, "me")
        poll = _Poll(KnownCounters(), self._counters, self._heard.append, lambda: ["watched"])
        receiver = _Receiver(self._dial, "me", KnownCounters(), self._heard.append, poll)
        self.loop = {_Sender: self._sender, _Poll: poll, _Receiver: receiver}[kind]

    def _counters(self, watched: Collection[str]) -> dict[str, int]:
        return dict.fromkeys(watched, self._number)

    def give_work(self) -> None:
        self._number += 1
        self._sender.put({"table": self._number})
        self._other.execute("SELECT pg_notify(%s, %s)", (CHANNEL, f"other watched:{self._number}"))

    def assert_works(self) -> None:
        if self.loop is self._sender:
            self.give_work()
            wanted = f"me table:{self._number}"

            def sent() -> bool:
                self.loop.attempt()
                return wanted in [
                    notice.payload for notice in self._other.notifies(timeout=HANG_TIMEOUT, stop_after=1)
                ]

            waited_for(sent)
            return

        def heard() -> bool:
            self._heard.clear()
            self.give_work()
            self.loop.attempt()
            return "watched" in self._heard

        waited_for(heard)

    def close(self) -> None:
        if isinstance(self.loop, _Connected):
            self.loop.stop()
        self._other.close()


RANDOM: Final = Random(1)

LOCAL: Final[dict[type[Loop], Callable[[KontorServer, Path, Clock], Scenario]]] = {
    Notifier: lambda service, place, clock: Notifying(service),
    Machines: lambda service, place, clock: Playing(service),
    Sampler: lambda service, place, clock: Sampling(service),
    NightlyReviews: lambda service, place, clock: Reviewing(service, clock),
    NightlyRatings: Rating,
    operator_requests._OperatorSocket: lambda service, place, clock: Operating(service, place),
}
ON_POSTGRESQL: Final = (_Sender, _Receiver, _Poll)


def test_there_is_a_scenario_for_each_loop() -> None:
    assert all_loops() == {*LOCAL, *ON_POSTGRESQL, _ThinkerProcess}


LEFT_BEHIND: Final = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
"""Ignores the warning for a file or process that was being opened when the error was thrown.

The garbage collector closes it.
"""


@LEFT_BEHIND
@pytest.mark.usefixtures("quick_fits")
@pytest.mark.parametrize("kind", LOCAL, ids=lambda kind: kind.__name__)
def test_a_loop_goes_on_after_an_exception_at_any_statement(
    kind: type[Loop], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kontor.review.judging.judge_named", lambda name: SHANGHAIEN_JUDGE)
    monkeypatch.setattr("kontor.notifying.notifier._FIRST_RETRY", 0.0)
    clock = Clock()
    place = with_database(tmp_path)
    with KontorServer.open(place, clock) as service, ExitStack() as at_end:
        scenario = LOCAL[kind](service, place, clock)
        at_end.callback(scenario.loop.stop)
        assert throw_at_each_statement(scenario) > 3


@pytest.mark.postgresql
@pytest.mark.parametrize("kind", ON_POSTGRESQL, ids=lambda kind: kind.__name__)
def test_news_go_on_after_an_exception_at_any_statement(kind: type[Loop], database: str) -> None:
    with closing(News(database, kind)) as scenario:
        assert throw_at_each_statement(scenario) >= 2


@LEFT_BEHIND
@pytest.mark.process
def test_a_thinker_goes_on_after_an_exception_at_any_statement() -> None:
    with closing(Thinking()) as scenario:
        assert throw_at_each_statement(scenario) > 10
