"""Lanes of the server: moves at running tables go first, then addresses that ask for little before busy ones."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from kontor.storage.writer_lock import WriterLock
from kontor.web.http import lanes as kontor_lanes
from kontor.web.http.lanes import Lane, Lanes, ServerBusy
from kontor.web.http.limits import Limits
from kontor.web.http.request_cost import RequestCost
from kontor.web.http.site import MOVING_SHARE
from timeouts import HANG_TIMEOUT, until, waited_for
from web.conftest import Served
from web.guests import open_shanghaien


class Queue:
    """Jobs of a server's lanes, and the order in which they were done."""

    def __init__(self, used: dict[str, float] | None = None) -> None:
        self.lanes = Lanes((used or {}).__getitem__ if used else lambda _: 0.0)
        self.done: list[str] = []
        self.gate = Event()

    def job(self, lane: Lane, network: str, name: str, *, blocks: bool = False) -> asyncio.Task[None]:
        """Start a job that notes its name; it waits for the gate if it ``blocks``."""

        def work() -> None:
            if blocks:
                assert self.gate.wait(HANG_TIMEOUT)
            self.done.append(name)

        return asyncio.ensure_future(self.lanes.run(lane, network, work, RequestCost(Limits(), network)))


def in_loop(play: Coroutine[Any, Any, None]) -> None:
    with ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, play).result()


@pytest.fixture
def all_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count waiting in a thread as work for as long as a test may take."""
    monkeypatch.setattr(kontor_lanes, "WAITS_AFTER", HANG_TIMEOUT)
    monkeypatch.setattr(kontor_lanes, "OTHERS_AT_ONCE", 1)


@pytest.mark.usefixtures("all_work")
def test_a_move_waits_for_nobody_and_of_the_others_whoever_has_used_least_is_next() -> None:
    async def play() -> None:
        queue = Queue({"much": 3.0, "little": 0.1, "players": 0.0})
        first = queue.job(Lane.READ, "much", "first", blocks=True)
        much = [queue.job(Lane.ACT, "much", f"much {number}") for number in range(3)]
        little = [queue.job(Lane.READ, "little", "reads"), queue.job(Lane.ACT, "little", "acts")]
        await asyncio.sleep(0)
        await queue.job(Lane.MOVE, "players", "move")
        assert queue.done == ["move"], "all others wait for the first"
        queue.gate.set()
        await asyncio.gather(first, *much, *little)
        assert queue.done[1:] == ["first", "acts", "reads", "much 0", "much 1", "much 2"]

    in_loop(play())


@pytest.mark.usefixtures("all_work")
def test_while_people_move_one_other_works_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kontor_lanes, "OTHERS_AT_ONCE", 2)

    async def play() -> None:
        queue = Queue()
        move = queue.job(Lane.MOVE, "players", "move", blocks=True)
        await until(lambda: queue.lanes._moving)
        others = [queue.job(Lane.READ, f"reader {number}", "read", blocks=True) for number in range(3)]
        await asyncio.sleep(0)
        assert queue.lanes._working == 1
        queue.gate.set()
        await asyncio.gather(move, *others)
        assert queue.lanes._working == 0

    in_loop(play())


def test_what_waits_in_its_thread_lets_others_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kontor_lanes, "WAITS_AFTER", 0.0)
    monkeypatch.setattr(kontor_lanes, "OTHERS_AT_ONCE", 1)

    async def play() -> None:
        queue = Queue()
        slow = queue.job(Lane.ACT, "slow", "slow", blocks=True)
        await queue.job(Lane.ACT, "quick", "quick")
        assert queue.done == ["quick"]
        queue.gate.set()
        await slow

    in_loop(play())


@pytest.mark.usefixtures("all_work")
def test_too_many_that_wait_are_told_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kontor_lanes, "MOST_WAITING_OF_NETWORK", 2)

    async def play() -> None:
        queue = Queue()
        waiting = [queue.job(Lane.READ, "192.0.2.1", "read", blocks=True) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(ServerBusy):
            await queue.job(Lane.READ, "192.0.2.1", "one more")
        other = queue.job(Lane.READ, "198.51.100.1", "another")
        queue.gate.set()
        await asyncio.gather(*waiting, other)
        assert queue.done.count("read") == 3

    in_loop(play())


@pytest.mark.usefixtures("all_work")
def test_a_line_with_many_networks_takes_at_most_half_of_all_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kontor_lanes, "MOST_WAITING", 20)
    monkeypatch.setattr(kontor_lanes, "MOST_WAITING_OF_NETWORK", 2)

    async def play() -> None:
        queue = Queue()
        first = queue.job(Lane.READ, "2001:db8::", "first", blocks=True)
        await asyncio.sleep(0)
        for prefix, most in (("2001:db8:1:{:x}::", 8), ("2001:db8:2:{:x}00::", 10)):  # of a /56, and of a /48
            jobs = [queue.job(Lane.READ, prefix.format(number), "read") for number in range(20)]
            await asyncio.sleep(0)
            refused = [job for job in jobs if job.done()]
            assert len(jobs) - len(refused) == most
            assert all(isinstance(job.exception(), ServerBusy) for job in refused)
        other = queue.job(Lane.READ, "192.0.2.1", "another")
        queue.gate.set()
        await asyncio.gather(first, other)
        assert "another" in queue.done

    in_loop(play())


def test_a_busy_server_says_so_with_503_and_plays_moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kontor_lanes, "MOST_WAITING_OF_NETWORK", 1)
    with Served(tmp_path) as served, served.guest("Anna") as anna, ThreadPoolExecutor(2) as others:
        table = open_shanghaien(anna, chair__2="here", name__2="Bernd")
        move = anna.get(table).moves[0]
        has_room = Lanes._has_room
        monkeypatch.setattr(Lanes, "_has_room", lambda _: False)
        looks = [others.submit(anna.client.get, "/") for _ in range(2)]
        busy = next(as_completed(looks, HANG_TIMEOUT)).result()
        assert (busy.status_code, busy.headers["retry-after"]) == (503, "5")
        assert "moves go first" in busy.text
        play = partial(
            anna.client.post,
            move.form.action,
            data={**move.form.fields, move.name: move.value},
            headers={"sec-fetch-site": "same-origin"},
            follow_redirects=False,
        )
        assert play().status_code == 303
        monkeypatch.setattr(Lanes, "_has_room", has_room)
        assert play().status_code == 409, "it was played, and wakes whoever waits"
        assert sorted(look.result(HANG_TIMEOUT).status_code for look in looks) == [200, 503]


def test_moves_of_a_network_that_has_used_much_wait_among_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lanes: list[Lane] = []
    run = Lanes.run

    async def note(self: Lanes, lane: Lane, *args: Any) -> Any:
        lanes.append(lane)
        return await run(self, lane, *args)

    monkeypatch.setattr(Lanes, "run", note)
    with Served(tmp_path) as served, served.guest("Anna") as anna:
        table = open_shanghaien(anna, chair__2="here", name__2="Bernd")
        for used in (0.0, MOVING_SHARE + 0.1):
            monkeypatch.setattr(Limits, "used", lambda _, network, used=used: used)
            anna.press(anna.get(table).moves[0])
    assert [lane for lane in lanes if lane is not Lane.READ][-2:] == [Lane.MOVE, Lane.ACT]


def test_urgent_transactions_go_before_others_that_wait() -> None:
    lock, order = WriterLock(), list[str]()
    begun = [Event(), Event()]

    def write(name: str, *, urgent: bool, started: Event) -> None:
        started.set()
        with lock.held(urgent=urgent):
            order.append(name)

    with lock.held():
        threads = [
            Thread(target=write, args=("chat",), kwargs={"urgent": False, "started": begun[0]}, daemon=True),
            Thread(target=write, args=("move",), kwargs={"urgent": True, "started": begun[1]}, daemon=True),
        ]
        for thread, started in zip(threads, begun, strict=True):
            thread.start()
            assert started.wait(HANG_TIMEOUT)
        waited_for(lambda: lock._urgent_waiting)
    for thread in threads:
        thread.join(HANG_TIMEOUT)
    assert order == ["move", "chat"]
