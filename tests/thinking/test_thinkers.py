"""Thinkers as real processes: they answer, fail, die, hang, are killed, and end with their client."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from pathlib import Path
from typing import ClassVar

import pytest

from kontor.thinking import NoAnswer, Thinkers
from kontor.thinking.thinkers import Asker
from timeouts import HANG_TIMEOUT, run_to_end, waited_for

from . import work

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def one_thinker() -> Iterator[Thinkers]:
    with Thinkers(1) as thinkers:
        yield thinkers


@pytest.fixture(scope="module")
def two_thinkers() -> Iterator[Thinkers]:
    with Thinkers(2) as thinkers:
        yield thinkers


def lives(pid: int) -> bool:
    """Return True if a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def have_ended(*pids: int) -> bool:
    return waited_for(lambda: not any(map(lives, pids)))


def has_begun(file: Path) -> bool:
    return waited_for(work.begun_with(file).exists)


@pytest.fixture
def signal_file(tmp_path: Path) -> Path:
    """Return the file for which ``work.until`` waits: it thinks as long as a test wants, on any machine."""
    return tmp_path / "signal"


def test_they_answer_in_a_process_of_their_own(one_thinker: Thinkers) -> None:
    assert one_thinker.submit(work.echo, b"\x00" * 1_000_000).result(HANG_TIMEOUT) == b"\x00" * 1_000_000
    process = one_thinker.submit(work.whoami, b"0").result(HANG_TIMEOUT)
    assert int(process) != os.getpid()
    assert one_thinker.submit(work.whoami, b"0").result(HANG_TIMEOUT) == process, "what it has loaded is kept"
    assert one_thinker.processes() == (int(process),)


def test_they_load_nothing_of_the_server(one_thinker: Thinkers) -> None:
    loaded = one_thinker.submit(work.loaded, b"").result(HANG_TIMEOUT).decode().split()
    assert not {"litestar", "sqlalchemy", "alembic", "jinja2", "numpy", "rich"} & set(loaded)


def test_what_they_print_is_no_answer(one_thinker: Thinkers) -> None:
    assert one_thinker.submit(work.chatter, b"").result(HANG_TIMEOUT) == b"said"


def test_a_failure_is_told_without_its_message(one_thinker: Thinkers) -> None:
    with pytest.raises(NoAnswer, match=r"^ValueError at work\.py:\d+ < worker\.py:\d+$"):
        one_thinker.submit(work.fail, b"hidden").result(HANG_TIMEOUT)


def test_nobody_waits_while_another_process_is_free(two_thinkers: Thinkers, signal_file: Path) -> None:
    for first in [two_thinkers.submit(work.whoami, b"0.2") for _ in range(2)]:
        first.result(HANG_TIMEOUT)  # both have begun
    pondering = two_thinkers.submit(work.until, os.fsencode(signal_file))
    for _ in range(20):
        two_thinkers.submit(work.whoami, b"0.01").result(HANG_TIMEOUT)
    assert not pondering.done()
    assert len(two_thinkers.processes()) == 2
    signal_file.touch()
    pondering.result(HANG_TIMEOUT)


def test_the_longest_waiting_comes_first_and_the_patient_last(
    one_thinker: Thinkers, tmp_path: Path, signal_file: Path
) -> None:
    notes = tmp_path / "notes"
    busy = one_thinker.submit(work.until, os.fsencode(signal_file))
    assert has_begun(signal_file)
    line = [
        one_thinker.submit(work.note, os.fsencode(f"{notes}|{name}"), low_priority=name.startswith("review"))
        for name in ("review-1", "first", "review-2", "second", "third")
    ]
    signal_file.touch()
    busy.result(HANG_TIMEOUT)
    for waiting in line:
        waiting.result(HANG_TIMEOUT)
    assert notes.read_text().split() == ["first", "second", "third", "review-1", "review-2"]


def test_those_who_ask_take_turns_by_where_they_come_from_and_there_by_person(
    one_thinker: Thinkers, tmp_path: Path, signal_file: Path
) -> None:
    """Check one origin with many people and many tasks: the others get every second turn."""
    notes = tmp_path / "notes"
    busy = one_thinker.submit(work.until, os.fsencode(signal_file))
    assert has_begun(signal_file)
    many = [(Asker(1, person), f"{person}{number}") for number in range(2) for person in ("a", "b", "c")]
    line = [
        one_thinker.submit(work.note, os.fsencode(f"{notes}|{name}"), asker)
        for asker, name in [*many, (Asker(1, "a"), "a2"), (Asker(2, "d"), "d0"), (Asker(2, "d"), "d1")]
    ]
    assert one_thinker.waiting() == len(line)
    signal_file.touch()
    busy.result(HANG_TIMEOUT)
    for waiting in line:
        waiting.result(HANG_TIMEOUT)
    assert notes.read_text().split() == ["a0", "d0", "b0", "d1", "c0", "a1", "b1", "c1", "a2"]


def test_the_patient_leave_a_process_free(two_thinkers: Thinkers, signal_file: Path) -> None:
    reviews = [two_thinkers.submit(work.until, os.fsencode(signal_file), low_priority=True) for _ in range(4)]
    assert has_begun(signal_file)
    two_thinkers.submit(work.echo, b"").result(HANG_TIMEOUT)
    assert not any(review.done() for review in reviews)
    signal_file.touch()
    assert len({review.result(HANG_TIMEOUT) for review in reviews}) == 1


def test_who_does_not_want_an_answer_any_more_can_say_so(one_thinker: Thinkers, signal_file: Path) -> None:
    busy = one_thinker.submit(work.until, os.fsencode(signal_file))
    assert has_begun(signal_file)
    unwanted = one_thinker.submit(work.die, b"")
    assert unwanted.cancel()
    signal_file.touch()
    assert one_thinker.submit(work.whoami, b"0").result(HANG_TIMEOUT) == busy.result(HANG_TIMEOUT)


# -------------------------------------------------------------------------------------------------------- failures


def test_one_that_dies_is_replaced_and_the_question_asked_again(one_thinker: Thinkers, tmp_path: Path) -> None:
    assert one_thinker.submit(work.die, os.fsencode(tmp_path / "noted")).result(HANG_TIMEOUT) == b"alive"


def test_a_question_that_kills_twice_is_given_up(one_thinker: Thinkers) -> None:
    with pytest.raises(NoAnswer, match="died, or took too long"):
        one_thinker.submit(work.die, b"").result(HANG_TIMEOUT)
    assert one_thinker.submit(work.echo, b"next").result(HANG_TIMEOUT) == b"next"


def test_one_that_is_killed_while_it_thinks_is_replaced(one_thinker: Thinkers, signal_file: Path) -> None:
    before = int(one_thinker.submit(work.whoami, b"0").result(HANG_TIMEOUT))
    task = one_thinker.submit(work.until, os.fsencode(signal_file))
    assert has_begun(signal_file)
    os.kill(before, signal.SIGKILL)
    signal_file.touch()
    assert int(task.result(HANG_TIMEOUT)) != before
    assert have_ended(before)


class Alarm:
    """A timer that expires when a test says so."""

    all: ClassVar[list[Alarm]] = []

    def __init__(self, seconds: float, ring: Callable[[], None]) -> None:
        self.seconds = seconds
        self.ring = ring
        self.daemon = False
        self.all.append(self)

    def start(self) -> None: ...

    def cancel(self) -> None: ...


def test_one_that_hangs_is_replaced_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kontor.work.piped_process.Timer", Alarm)
    monkeypatch.setattr(Alarm, "all", [])
    with Thinkers(1, limit=2) as thinkers:
        noted = tmp_path / "noted"
        task = thinkers.submit(work.hang, os.fsencode(noted))
        waited_for(noted.exists)  # it hangs
        (alarm,) = Alarm.all
        assert alarm.seconds == 2
        alarm.ring()
        assert task.result(HANG_TIMEOUT) == b"back"


def test_one_that_takes_too_much_processor_time_is_replaced() -> None:
    with Thinkers(1, processor_limit=0) as thinkers:
        with pytest.raises(NoAnswer, match="died, or took too long"):
            thinkers.submit(work.spin, b"").result(HANG_TIMEOUT)
        assert thinkers.submit(work.echo, b"next").result(HANG_TIMEOUT) == b"next"


def test_how_long_an_answer_may_take_is_told_to_the_clock_of_this_machine(tmp_path: Path) -> None:
    """Check a real timer that kills, without a long wait."""
    with Thinkers(1, limit=0) as thinkers, pytest.raises(NoAnswer, match="died, or took too long"):
        thinkers.submit(work.until, os.fsencode(tmp_path / "never")).result(HANG_TIMEOUT)


# --------------------------------------------------------------------------------------------------------- ending


def test_they_end_at_once_whatever_they_think(signal_file: Path) -> None:
    thinkers = Thinkers(1)
    pondering, waiting = (thinkers.submit(work.until, os.fsencode(signal_file)) for _ in range(2))
    assert has_begun(signal_file)  # and it thinks for ever: there is never a signal
    (pid,) = thinkers.processes()
    run_to_end(thinkers.stop)
    assert have_ended(pid)
    with pytest.raises(NoAnswer):
        pondering.result(HANG_TIMEOUT)
    with pytest.raises(CancelledError):
        waiting.result(HANG_TIMEOUT)
    with pytest.raises(NoAnswer):
        thinkers.submit(work.echo, b"")
    thinkers.stop()


def test_none_is_begun_before_it_is_needed() -> None:
    with Thinkers(3) as thinkers:
        assert thinkers.processes() == ()


ASKER = """
import select, signal, sys
from kontor.thinking import Thinkers
from thinking import work
# Where the tests run in the background of a shell, Ctrl-C is ignored by all that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
thinkers = Thinkers(2)
for asked in [thinkers.submit(work.whoami, b"0.2") for _ in range(2)]:
    asked.result()
thinkers.submit(work.whoami, b"1000")
print(*thinkers.processes(), flush=True)
# A Ctrl-C that comes just before a read that waits for ever is only noticed after it.
while not select.select([sys.stdin], [], [], 0.1)[0]:
    pass
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_they_end_with_whoever_asks_them_however_that_ends(how: signal.Signals) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    with subprocess.Popen(
        [sys.executable, "-c", ASKER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
    ) as asker:
        assert asker.stdout
        processes = [int(pid) for pid in asker.stdout.readline().split()]
        assert len(processes) == 2
        assert all(map(lives, processes))
        asker.send_signal(how)
        asker.wait(HANG_TIMEOUT)
    assert have_ended(*processes)
