"""The server's processes, observed from outside: their memory and their processor time."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

_PROC: Final = Path("/proc")
_PSS: Final = re.compile(r"^Pss:\s+(\d+) kB", re.MULTILINE)
_TICK: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_STARTS_IN: Final = 120.0
"""Seconds that a server has to print its addresses."""

_ENDS_IN: Final = 10.0


class NoServer(Exception):
    """A sentence that says why there is no server to be driven."""


class Spent(NamedTuple):
    """Seconds of processor time since the start.

    They are those of the server, of the processes that think for it, of PostgreSQL, of the proxy, of ourselves, and
    of the whole machine.
    """

    server: float
    thinkers: float
    database: float
    proxy: float
    client: float
    machine: float

    def since(self, before: Spent) -> Spent:
        """Return what was spent between the two moments."""
        return Spent(*(now - then for now, then in zip(self, before, strict=True)))

    @property
    def others(self) -> float:
        """Return the time of programs that have nothing to do with the measurement.

        The machine counts by ticks, so a little may be missing.
        """
        return max(0.0, self.machine - sum(self[:-1]))


class Server:
    """The processes of a server: the ``roots``, which were started or listen, and all their descendants.

    Also those of its PostgreSQL, and of the proxy in front of it.
    """

    def __init__(
        self, roots: frozenset[int], database: frozenset[int] = frozenset(), proxy: frozenset[int] = frozenset()
    ) -> None:
        self._roots = roots
        self._database = database
        self._proxy = proxy
        self._serving: tuple[int, ...] = ()

    def memory(self) -> int:
        """Return the bytes of the server and its workers; memory that processes share is divided among them (PSS)."""
        return sum(_shared(pid) for pid in self._processes()[0])

    def resident(self) -> int:
        """Return the bytes as ``memory`` does, but with shared memory counted for each process (RSS).

        It is fast enough to be used under load: all processes of the machine are listed only when one of the server's
        has gone.
        """
        if not self._serving or not all(map(_resident, self._serving)):
            self._serving = tuple(self._processes()[0])
        return sum(map(_resident, self._serving))

    def spent(self) -> Spent:
        """Return what has been spent until now."""
        serving, thinking = self._processes()
        database, proxy = _descending(self._database), _descending(self._proxy)
        exactly = sum(map(_exact_time, proxy)), time.process_time()
        return Spent(_times(serving), _times(thinking), _times(database), *exactly, _busy())

    def _processes(self) -> tuple[list[int], list[int]]:
        """Return the processes that serve, and those that think."""
        pids = _descending(self._roots)
        thinking = [pid for pid in pids if b"kontor.thinking" in _read(pid, "cmdline")]
        return [pid for pid in pids if pid not in thinking], thinking


def _descending(roots: frozenset[int]) -> list[int]:
    """Return these processes and all their descendants."""
    parents = dict(_all())
    return [pid for pid in parents if not roots.isdisjoint(_line(pid, parents))] if roots else []


def _line(pid: int, parents: dict[int, int]) -> set[int]:
    """Return a process and all its ancestors."""
    pids = set()
    while pid and pid not in pids:
        pids.add(pid)
        pid = parents.get(pid, 0)
    return pids


def _all() -> Iterator[tuple[int, int]]:
    """Yield each process of this machine, and its parent."""
    for folder in _PROC.iterdir():
        if folder.name.isdigit() and (fields := _stat(int(folder.name))):
            yield int(folder.name), int(fields[1])


def _stat(pid: int) -> list[str]:
    """Return ``/proc/…/stat`` from the third field on, after the name; empty when the process has gone."""
    return _read(pid, "stat").decode(errors="replace").rpartition(")")[2].split()


def _read(pid: int, name: str) -> bytes:
    """Return a file of a process; empty when the process has gone or belongs to somebody else."""
    with suppress(OSError):
        return (_PROC / str(pid) / name).read_bytes()
    return b""


def _time(pid: int) -> float:
    """Return the seconds of a process and of its children that have ended."""
    return sum(map(int, _stat(pid)[11:15])) / _TICK


def _exact_time(pid: int) -> float:
    """Return the seconds of a process itself, to the nanosecond; 0 if it has gone.

    A proxy may take less than a tick of ``/proc``.
    """
    with suppress(OSError):
        return time.clock_gettime(~pid << 3 | 2)  # the clock of a process: see clock_getcpuclockid(3)
    return 0.0


def _times(pids: Iterable[int]) -> float:
    return sum(map(_time, pids))


def _busy() -> float:
    user, nice, system, _, _, interrupts, soft, *_ = map(int, (_PROC / "stat").read_text().split("\n")[0].split()[1:])
    return (user + nice + system + interrupts + soft) / _TICK


def _shared(pid: int) -> int:
    match = _PSS.search(_read(pid, "smaps_rollup").decode())
    return 1024 * int(match[1]) if match else 0


def _resident(pid: int) -> int:
    fields = _read(pid, "statm").split()
    return int(fields[1]) * _PAGE if fields else 0


# -------------------------------------------------------------------------------------------- finding and starting


def listening(port: int) -> frozenset[int]:
    """Return the processes that listen on a port of this machine, or on PostgreSQL's socket of that number.

    Other people's processes are not found.
    """
    wanted = {
        fields[9]
        for table in ("tcp", "tcp6")
        for fields in map(str.split, (_PROC / "net" / table).read_text().splitlines()[1:])
        if fields[3] == "0A" and int(fields[1].rpartition(":")[2], 16) == port
    }
    local = map(str.split, (_PROC / "net" / "unix").read_text().splitlines()[1:])
    wanted |= {fields[6] for fields in local if fields[-1].endswith(f"/.s.PGSQL.{port}")}
    sockets = {f"socket:[{inode}]" for inode in wanted}
    return frozenset(pid for pid, _ in _all() if not sockets.isdisjoint(_open_files(pid)))


def _open_files(pid: int) -> Iterator[str]:
    with suppress(OSError):
        for file in (_PROC / str(pid) / "fd").iterdir():
            with suppress(OSError):
                yield str(file.readlink())


class Program(NamedTuple):
    """A Kontor that can be started: Python, and the environment in which it finds that Kontor if it is not ours."""

    python: str
    environment: dict[str, str] | None


OURS: Final = Program(sys.executable, None)


def program_of(checkout: Path) -> Program:
    """Return the Kontor of another checkout, with its own ``.venv`` or else our Python. Raises NoServer."""
    source, own = checkout.resolve() / "src", checkout.resolve() / ".venv" / "bin" / "python"
    if not (source / "kontor").is_dir():
        raise NoServer(f"“{checkout}” is no checkout of Kontor.")
    python = str(own) if own.exists() else sys.executable
    return Program(python, {**os.environ, "PYTHONPATH": str(source)})


@contextmanager
def serving(
    place: list[str], arguments: list[str], workers: int, program: Program = OURS
) -> Iterator[tuple[list[str], int]]:
    """Start a server of our own; yield the addresses of its workers, and its process id.

    Without a ``place`` (``--data …``, ``--database …``) it has a folder that is deleted at the end. Its error output
    is passed on. Raises NoServer.
    """
    with tempfile.TemporaryDirectory(prefix="kontor-load-") as temporary:
        storage = place or ["--data", str(Path(temporary, "server"))]
        command = [program.python, "-m", "kontor.cli", "serve", "--port", "0", *storage, *arguments]
        with Path(temporary, "complaints.txt").open("w+b") as complaints:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaints, env=program.environment)
            try:
                addresses = _first_lines(process, workers)
                if not addresses:
                    raise NoServer(f"The server did not start: {' '.join(command)}")
                yield addresses, process.pid
            finally:
                _end(process)
                if process.returncode:
                    print(f"The server ended with the status {process.returncode}.", file=sys.stderr)
                errors = Path(complaints.name).read_text("utf-8", "replace")
                if errors:
                    print(f"The server complained:\n{errors[-4000:]}", file=sys.stderr)


def _first_lines(process: subprocess.Popen[bytes], number: int) -> list[str]:
    """Return the first lines that the server prints, its addresses; empty if it ends or prints fewer in time."""
    assert process.stdout
    os.set_blocking(process.stdout.fileno(), False)
    until, output = time.monotonic() + _STARTS_IN, b""
    while time.monotonic() < until and process.poll() is None and output.count(b"\n") < number:
        output += process.stdout.read() or b""
        time.sleep(0.02)
    lines = output.decode().splitlines()
    return lines if len(lines) == number else []


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_ENDS_IN)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout:
        process.stdout.close()
