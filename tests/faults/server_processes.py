"""Servers that can be killed and started again, many times: a process loads the program once, and forks it.

A fork serves like ``kontor serve``, on a socket that outlives it: callers in between wait, as with ``--workers``. Run
as a program, it reads orders from its input: ``begin``, ``kill PID``, ``stacks``; all servers end with it.
"""

import faulthandler
import os
import signal
import socket
import subprocess
import sys
import traceback
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from time import sleep
from typing import Self

import msgspec
import uvicorn

from folders import with_database
from guests import quick
from kontor.server.app import application
from kontor.server.composition import KontorServer, utc_now
from kontor.server.options import ServeOptions
from kontor.server.serve import _listening
from kontor.server.serving import serve_tables
from kontor.storage import Place
from kontor.thinking import Thinkers
from kontor.web.live import stream as live
from timeouts import HANG_TIMEOUT

STACKS_TOLD = 1.0
"""Seconds for servers to write their stacks."""

SMALL = 16 * 1024
"""Bytes that the kernel buffers for a browser: few, so that a browser that reads nothing is soon noticed."""


class Orders(msgspec.Struct, frozen=True):
    """The parameters of the process.

    They are: the server's folder or address; the folder of another server, with which the program is loaded; a file
    with the seconds by which the clock is put forward; how many servers serve at a time; and the seconds that a
    browser has to read what is sent to it.
    """

    folder: str
    address: str
    first: str
    clock: str
    number: int
    send_timeout: float


class Servers:
    """Processes that serve one server, each on a port of its own, for as long as a ``with`` block lasts."""

    def __init__(self, place: Place, logs: Path, number: int = 1, send_timeout: float = live.SEND_TIMEOUT) -> None:
        """Start the process that forks servers.

        ``logs`` is a folder for their output and for their clock; ``number``: how many serve at a time;
        ``send_timeout``: how many seconds a browser has to read what is sent to it.
        """
        self._logs = logs / "servers.log"
        self._clock = logs / "clock"
        self.put_clock(0)
        folder, address = (str(with_database(place)), "") if isinstance(place, Path) else ("", place)
        first = with_database(logs / "first")
        with self._logs.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "LANGUAGE": "en"},
            )
        orders = Orders(folder, address, str(first), str(self._clock), number, send_timeout)
        self.ports = tuple(map(int, self._send_order(msgspec.json.encode(orders).decode()).split()))

    @property
    def port(self) -> int:
        return self.ports[0]

    def begin(self) -> int:
        """Start one more server; return its process id."""
        return int(self._send_order("begin"))

    def kill(self, pid: int) -> None:
        """Kill a server (SIGKILL), and return when it is gone."""
        assert self._send_order(f"kill {pid}") == "gone"

    def put_clock(self, seconds: float) -> None:
        """Set the clock of the servers, in seconds from the machine's time."""
        new = self._clock.with_suffix(".new")
        new.write_text(str(seconds))
        new.replace(self._clock)

    def complaints(self) -> str:
        return self._logs.read_text()

    def _send_order(self, order: str) -> str:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(order + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failed: object) -> None:
        if failed[0] is not None:
            assert self._send_order("stacks") == "told"
            print(self.complaints())  # noqa: T201
        try:
            self._process.communicate(timeout=HANG_TIMEOUT)
        finally:
            self._process.kill()


def main() -> None:
    orders = msgspec.json.decode(sys.stdin.readline(), type=Orders)
    listening = [_listening("127.0.0.1", 0) for _ in range(orders.number)]
    for line in listening:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SMALL)
    setattr(live, "SEND_TIMEOUT", orders.send_timeout)  # noqa: B010 (it is Final for all others)
    _load(Path(orders.first))
    children: dict[int, socket.socket] = {}
    _answer(" ".join(str(line.getsockname()[1]) for line in listening))
    for order in iter(sys.stdin.readline, ""):
        command, *about = order.split()
        if command == "begin":
            free = next(line for line in listening if line not in children.values())
            pid = os.fork()
            if pid == 0:
                place = Path(orders.folder) if orders.folder else orders.address
                _serve(place, free, Path(orders.clock))
            children[pid] = free
            _answer(pid)
        elif command == "stacks":  # a server that lives and answers nothing shows its stack
            for pid in children:
                os.kill(pid, signal.SIGUSR1)
            sleep(STACKS_TOLD)
            for pid in children:
                _complain(f"process {pid}: ended, status (of waitpid) {os.waitpid(pid, os.WNOHANG)}, or alive (0, 0)")
            _answer("told")
        else:
            (pid,) = map(int, about)
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            del children[pid]
            _answer("gone")
    for pid in children:
        os.kill(pid, signal.SIGTERM)
    for pid in children:
        with suppress(ChildProcessError):  # the process was already reaped
            os.waitpid(pid, 0)


def _complain(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201


def _answer(reply: object) -> None:
    print(reply, flush=True)  # noqa: T201


def _load(folder: Path) -> None:
    """Load all that the first server would load, including the inspection of its own handlers."""
    with KontorServer.open(folder) as service:
        uvicorn.Config(application(service, Thinkers(1)), log_config=None).load()


def _serve(place: Place, listening: socket.socket, clock: Path) -> None:
    faulthandler.enable()
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # the orders are not for this process
    os.dup2(2, 1)

    def now() -> datetime:
        return utc_now() + timedelta(seconds=float(clock.read_text()))

    code = 1
    try:
        with KontorServer.open(place, now) as service, quick(service):
            serve_tables(service, Thinkers(1), listening, ServeOptions(place=""), lambda: None)
        code = 0
    except BaseException:  # callers that wait for it learn why it does not answer
        traceback.print_exc()
        raise
    finally:
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
