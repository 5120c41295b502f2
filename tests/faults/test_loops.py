"""Loops of the server and their threads: none ends by an error, a shortage or a stranger."""

import ast
import os
import subprocess
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final

import msgspec
import psycopg
import pytest

import kontor
from guests import MACHINE, ME, shanghaien
from kontor.server.composition import KontorServer
from kontor.storage.notifications import CHANNEL
from kontor.thinking import NoAnswer, messages
from kontor.thinking.thinkers import Thinkers
from kontor.work import loops
from kontor.work.loops import Loop, late_loops, loop_failures
from thinking.work import echo
from timeouts import HANG_TIMEOUT, waited_for

pytestmark = pytest.mark.fault

SOURCE: Final = Path(kontor.__file__).parent


THREADS_THAT_ARE_NO_LOOPS: Final = {
    "server/operator_requests.py": "one request, and it ends",
    "thinking/worker.py": "in the thinker's process, whose end is seen by its loop",
    "server/readiness.py": "one question, and it ends",
    "server/workers.py": "waits for the parent's end, and ends the process",
    "work/local.py": "waits for the parent's end, and ends the process",
    "work/loops.py": "the loops themselves",
}


def test_every_thread_of_the_server_is_a_loop_or_ends_by_itself() -> None:
    begun = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Thread", "threading.Thread")
    }
    assert begun == set(THREADS_THAT_ARE_NO_LOOPS), "use kontor.work.loops.Loop"


class Failing(Loop):
    """A loop that fails as often as a test wants."""

    def __init__(self, error: BaseException, times: int) -> None:
        super().__init__(f"failing {type(error).__name__}")
        self._error = error
        self.left = times
        self.rounds = 0

    def once(self) -> float:
        """Run a round."""
        if self.left:
            self.left -= 1
            raise self._error
        self.rounds += 1
        return 0.0


@pytest.fixture
def without_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "FIRST_BACKOFF", 0.001)


ERRORS: Final = (ValueError("a secret"), MemoryError(), OSError(24, "EMFILE"), RecursionError(), SystemExit(1))


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.usefixtures("without_backoff")
def test_the_thread_of_a_loop_outlives_every_kind_of_error(
    error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    loop = Failing(error, times=3)
    with loop:
        waited_for(lambda: loop.rounds > 2)
        assert loop.name not in late_loops()
    assert loop_failures()[loop.name] == 3
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 3
    assert all(type(error).__name__ in line and "secret" not in line for line in lines)


def test_a_loop_that_fails_for_longer_than_its_limit_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "FIRST_BACKOFF", 0.001)
    monkeypatch.setattr(loops, "LONGEST_BACKOFF", 0.01)
    loop = Failing(ValueError(), times=1_000_000)
    loop._limit = 0.05
    with loop:
        waited_for(lambda: loop.name in late_loops())
        assert loops.running_loops()[loop.name]
        loop.left = 0
        waited_for(lambda: loop.name not in late_loops())
    assert loop.name not in loops.running_loops()


def test_a_wake_does_not_shorten_a_back_off() -> None:
    loop = Failing(ValueError(), times=1)
    loop.attempt()
    loop.wake()
    loop._stop.set()  # otherwise this would wait for the whole back-off
    assert loop._has_stopped_after(10.0)


def test_a_thinker_waits_while_no_process_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check a case like used-up descriptors: the response comes once there are some."""
    begin, refused = subprocess.Popen, SimpleQueue[int]()

    def popen(*arguments: Any, **more: Any) -> Any:
        if refused.qsize() < 3:
            refused.put(1)
            raise OSError(24, os.strerror(24))
        return begin(*arguments, **more)

    monkeypatch.setattr("kontor.thinking.thinkers._START_RETRY", 0.01)
    monkeypatch.setattr("kontor.work.piped_process.subprocess.Popen", popen)
    with Thinkers(1) as thinkers:
        assert thinkers.submit(echo, b"hello").result(HANG_TIMEOUT) == b"hello"
    assert refused.qsize() == 3


def test_a_task_has_an_end_where_no_process_can_ever_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def popen(*arguments: Any, **more: Any) -> Any:
        raise OSError(12, os.strerror(12))

    monkeypatch.setattr("kontor.thinking.thinkers._START_RETRY", 0.01)
    monkeypatch.setattr("kontor.work.piped_process.subprocess.Popen", popen)
    with Thinkers(1, limit=0.05) as thinkers:
        for _ in range(2):
            with pytest.raises(NoAnswer):
                thinkers.submit(echo, b"hello").result(HANG_TIMEOUT)


@pytest.mark.usefixtures("without_backoff")
def test_a_thinker_that_sends_what_is_no_answer_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    spoilt = SimpleQueue[int]()

    def spoiling(stream: Any, kind: Any) -> Any:
        if spoilt.empty():
            spoilt.put(1)
            raise msgspec.DecodeError("no frame")
        return messages.read(stream, kind)

    monkeypatch.setattr("kontor.thinking.thinkers.read", spoiling)
    with Thinkers(1) as thinkers:
        assert thinkers.submit(echo, b"hello").result(HANG_TIMEOUT) == b"hello"


@pytest.mark.postgresql
def test_a_stranger_on_the_channel_stops_no_news(database: str) -> None:
    """Check messages of others on our channel: anyone with a login can send some, and a worker of another version."""
    heard: SimpleQueue[str] = SimpleQueue()
    with KontorServer.open(database) as one, KontorServer.open(database) as other:
        one.listen(heard.put)
        strange = (
            "hello world", "", "x", "x y:", "x :1", "x t:-1", "x t:1e9", "x t:" + "9" * 5000, "x t:²", "x t:1:2",
        )  # fmt: skip
        with psycopg.connect(database, autocommit=True) as stranger:
            waited_for(lambda: stranger.execute(LISTENING).fetchone() == (1,))
            for payload in strange:
                stranger.execute("SELECT pg_notify(%s, %s)", (CHANNEL, payload))
        table = other.opening.open(other.people.guest("Anna")[0].id, shanghaien(ME, MACHINE))
        heard_tables = set()
        while table not in heard_tables:
            heard_tables.add(heard.get(timeout=HANG_TIMEOUT))


LISTENING: Final = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
