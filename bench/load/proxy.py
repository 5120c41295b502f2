"""nginx in front of several workers, with the file of ``deploy/`` except for what is specific to a site."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from bench.load.processes import NoServer

_SITE: Final = Path(__file__).parents[2] / "deploy" / "nginx.conf"
_STARTS_IN: Final = 10.0
"""Seconds until it listens."""

_REDIRECTING: Final = re.compile(r"^server \{\n    listen 80;.*?^\}\n", re.MULTILINE | re.DOTALL)
_TLS: Final = re.compile(r"^ +ssl_.*\n", re.MULTILINE)
_LISTENS: Final = re.compile(r"listen 443 [^;]*;")
_WORKER: Final = re.compile(r"^    server 127\.0\.0\.1:1729;\n", re.MULTILINE)


class Proxy:
    """An nginx, on a port of its own, with a folder of its own."""

    def __init__(self, addresses: Sequence[str], folder: Path) -> None:
        """Write its configuration for the workers at the addresses. Raises NoServer."""
        program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
        if program is None:
            raise NoServer("Several workers are measured behind nginx, which is not installed.")
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self._command = [program, "-e", str(folder / "log"), "-p", str(folder), "-c", str(folder / "nginx.conf")]
        self._log = folder / "log"
        (folder / "site.conf").write_text(_site(self.port, [urlsplit(each).netloc for each in addresses], folder))
        (folder / "nginx.conf").write_text(_around(folder))

    def begin(self) -> subprocess.Popen[bytes]:
        """Start nginx; return its process once it listens. Raises NoServer."""
        process = subprocess.Popen(self._command, start_new_session=True)
        if not _listens(self.port, process):
            raise NoServer(f"nginx did not start: {self._log.read_text()}")
        return process


@contextmanager
def behind(addresses: Sequence[str]) -> Iterator[tuple[str, frozenset[int]]]:
    """Start nginx for the workers; yield its address, and its process id. Raises NoServer."""
    with tempfile.TemporaryDirectory(prefix="kontor-load-nginx-") as temporary:
        proxy = Proxy(addresses, Path(temporary))
        process = proxy.begin()
        try:
            yield f"http://127.0.0.1:{proxy.port}", frozenset({process.pid})
        finally:
            process.terminate()
            process.wait()


def _site(port: int, workers: Sequence[str], folder: Path) -> str:
    """Return the file of ``deploy/`` without TLS, which our clients do not support."""
    site = _REDIRECTING.sub("", _SITE.read_text())
    site = _LISTENS.sub(f"listen 127.0.0.1:{port};", _TLS.sub("", site))
    site = site.replace("/var/log/nginx/kontor.log", str(folder / "log"))
    return _WORKER.sub("".join(f"    server {worker};\n" for worker in workers), site)


def _around(folder: Path) -> str:
    """Return the main configuration, which includes that file."""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    return (
        f"{'user root;' if os.geteuid() == 0 else ''}\ndaemon off;\npid {folder}/pid;\nworker_processes 1;\n"
        f"worker_rlimit_nofile 65536;\nerror_log {folder}/log;\nevents {{ worker_connections 32768; }}\n"
        f"http {{\n{temporary}include {folder}/site.conf;\n}}\n"
    )


def _listens(port: int, process: subprocess.Popen[bytes]) -> bool:
    until = time.monotonic() + _STARTS_IN
    while time.monotonic() < until and process.poll() is None:
        with socket.socket() as trying:
            if not trying.connect_ex(("127.0.0.1", port)):
                return True
        time.sleep(0.02)
    return False
