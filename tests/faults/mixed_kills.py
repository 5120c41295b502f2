"""Random kills of parts of a deployment while programs play: ``python -m faults.mixed_kills --kills 200``.

Run it in ``tests``. The programs play through nginx, two workers and a durable PostgreSQL, as in ``docs/deploy.md``.
Again and again one of these is killed (SIGKILL), at random: the server with all its workers, a worker, PostgreSQL,
the proxy, or two of them at once.

The killed part is started again at once, as by systemd; the server itself replaces a worker. The program prints the
time until the first move and until everybody had moved, and compares every log with the acknowledged moves. It ends
by itself, with an error if a move was lost or doubled.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic, sleep

from bench.load.proxy import Proxy
from faults.movers import CARLA, MACHINE, ME, Mover, check, count_moves, wait_until
from ports import free_ports
from postgresql import Server, server
from timeouts import waited_for

WORKERS = 2
PAUSE = 0.2
"""Seconds after each move, so that no program makes more moves than a person may."""

LONGEST = 1.0
"""The longest time in seconds between a kill and the next, after everybody has moved again."""

DURABLE = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"}


class Site:
    """All parts that can be killed."""

    def __init__(self, postgres: Server, database: str, folder: Path, random: Random) -> None:
        self._postgres = postgres
        self._random = random
        self._log = (folder / "server.log").open("ab")
        self._command = [
            *(sys.executable, "-m", "kontor.cli", "serve", "--database", database, "--thinkers", "1"),
            *("--workers", str(WORKERS), "--port", str(free_ports(WORKERS))),
        ]
        self._server, addresses = self._begin_server()
        self._proxy = Proxy(addresses, folder)
        self.port = self._proxy.port
        self._nginx = self._proxy.begin()

    def _begin_server(self) -> tuple[subprocess.Popen[str], list[str]]:
        """Start the server, and retry until it serves: it ends with a sentence while PostgreSQL is not back yet."""
        (begun,) = waited_for(self._try_server)
        return begun

    def _try_server(self) -> tuple[tuple[subprocess.Popen[str], list[str]]] | None:
        process = subprocess.Popen(
            self._command, stdout=subprocess.PIPE, stderr=self._log, text=True, start_new_session=True
        )
        assert process.stdout
        addresses = [process.stdout.readline().strip() for _ in range(WORKERS)]
        if not all(addresses):
            _kill_group(process)
            return None
        return ((process, addresses),)

    def kill_server(self) -> Callable[[], None]:
        """Kill the server with its workers, as a service manager does; return a function that starts it again."""
        _kill_group(self._server)

        def again() -> None:
            self._server, _ = self._begin_server()

        return again

    def kill_worker(self) -> Callable[[], None]:
        alive = self._server.poll() is None  # else it was killed a moment ago
        serving = [pid for pid in _children(self._server.pid) if b"spawn_main" in _command_of(pid)] if alive else []
        if serving:  # else it is about to be replaced
            os.kill(self._random.choice(serving), signal.SIGKILL)
        return lambda: None

    def kill_postgresql(self) -> Callable[[], None]:
        self._postgres.kill()
        return self._postgres.start

    def kill_proxy(self) -> Callable[[], None]:
        _kill_group(self._nginx)

        def again() -> None:
            self._nginx = self._proxy.begin()

        return again

    def close(self) -> None:
        """End everything but PostgreSQL."""
        for process in (self._server, self._nginx):
            process.terminate()
            process.wait()
        self._log.close()


def _kill_group(process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdout:
        process.stdout.close()


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _command_of(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def main(kills: int, seed: int) -> None:
    """Play and kill."""
    random = Random(seed)
    with tempfile.TemporaryDirectory() as temporary, server(**DURABLE) as postgres, ExitStack() as playing:
        database = postgres.address(postgres.create())
        site = Site(postgres, database, Path(temporary), random)
        playing.callback(site.close)
        movers = [playing.enter_context(mover) for mover in _movers(site.port)]
        waited_for(lambda: all(mover.acknowledged for mover in movers))
        kinds = {
            "server": site.kill_server,
            "worker": site.kill_worker,
            "PostgreSQL": site.kill_postgresql,
            "proxy": site.kill_proxy,
        }
        took: dict[str, list[tuple[float, float]]] = {}
        for _ in range(kills):
            victims = random.sample(sorted(kinds), 1 + (random.random() < 0.2))
            before = [len(mover.acknowledged) for mover in movers]
            began = monotonic()
            with ThreadPoolExecutor() as pool:  # a server waits for PostgreSQL
                for begun in [pool.submit(begin) for begin in [kinds[victim]() for victim in victims]]:
                    begun.result()
            wait_until(lambda: any(_have_moved(movers, before)), movers)  # noqa: B023 (called at once)
            first = monotonic() - began
            wait_until(lambda: all(_have_moved(movers, before)), movers)  # noqa: B023
            took.setdefault(" and ".join(sorted(victims)), []).append((first, monotonic() - began))
            sleep(random.random() * LONGEST)
        for mover in movers:
            mover.__exit__()
        in_all = [times for each in took.values() for times in each]
        for victims_killed, times in [*sorted(took.items()), ("all", in_all)]:
            firsts, alls = zip(*times, strict=True)
            _say(
                f"{victims_killed}: {len(times)} kills; a move after {median(firsts):.1f} s (median;"
                f" {max(firsts):.1f} at most), everybody after {median(alls):.1f} s ({max(alls):.1f})"
            )
        lines = check(database, movers)
        unanswered = sum(len(mover.unanswered) for mover in movers)
        _say(
            f"{count_moves(movers)} moves acknowledged, {unanswered} without an answer, "
            f"{lines} lines: 0 lost, 0 doubled"
        )


def _movers(port: int) -> list[Mover]:
    who = [
        ("Anna", "shanghaien", (ME, CARLA)),
        ("Bernd", "dutchman", (ME, CARLA, CARLA | {"name": "Dora"})),
        ("Emil", "shanghaien", (ME, MACHINE)),
        ("Frida", "dutchman", (ME, MACHINE, CARLA)),
        ("Gustav", "shanghaien", (ME, CARLA)),
        ("Hanna", "shanghaien", (ME, CARLA)),
    ]
    return [Mover((port,), name, game, *seats, pause=PAUSE) for name, game, seats in who]


def _have_moved(movers: Sequence[Mover], before: Sequence[int]) -> list[bool]:
    return [len(mover.acknowledged) > was for mover, was in zip(movers, before, strict=True)]


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Kills what serves, at random, while programs play.")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    main(given.kills, given.seed)
