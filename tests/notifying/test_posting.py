"""Posts to strangers' servers: by processes without rights, which are killed when they take too long."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kontor.notifying.posting import PostingProcesses
from kontor.notifying.sending import Dead, Failed
from notifying.receiver import Receiver
from ports import free_ports
from timeouts import waited_for

pytestmark = pytest.mark.process

AT_ONCE = 1e-9
"""Seconds, too few for any work."""


def command(receiver: Receiver) -> tuple[str, ...]:
    return (sys.executable, "-P", "-m", "notifying.posting", str(receiver.certificate))


@pytest.fixture
def receiver(tmp_path: Path) -> Iterator[Receiver]:
    with Receiver(tmp_path) as receiver:
        yield receiver


def test_a_post_goes_out_of_another_process_and_its_status_comes_back(receiver: Receiver) -> None:
    with PostingProcesses(command(receiver)) as processes:
        for status in (204, 302, 410, 500):
            receiver.status = status
            assert processes.post(receiver.url, b"body", {"X-Kind": "test"}) == status
            (posted,) = receiver.take()
            assert (posted.body, posted.headers["x-kind"]) == (b"body", "test")
        (pid,) = processes.processes()
        assert pid != os.getpid()
        with pytest.raises(Dead):
            processes.post("http://hooks.example/", b"", {})
        with pytest.raises(Failed):
            processes.post(f"https://other.example:{receiver.port}/", b"", {})
        assert processes.processes() == (pid,), "it lives, whatever comes of a post"
    with pytest.raises(Failed):
        processes.post(receiver.url, b"", {})
    waited_for(lambda: not _lives(pid))
    assert receiver.take() == []


def test_the_real_one_reaches_nobody_on_this_machine(receiver: Receiver) -> None:
    with PostingProcesses() as processes:
        for host in ("127.0.0.1", "localhost", "[::ffff:10.0.0.1]"):
            with pytest.raises(Failed) as failed:
                processes.post(f"https://{host}:{receiver.port}/", b"", {})
            assert failed.value.reason == "forbidden"
            with pytest.raises(Failed) as failed:
                processes.check(f"https://{host}:{receiver.port}/")
            assert failed.value.reason == "forbidden"
        with pytest.raises(Failed) as failed:
            processes.check("https://nothing.invalid/")
        assert (failed.value.reason, failed.value.detail) == ("unreached", "DNS")
    assert receiver.take() == []


def test_why_a_post_fails_comes_back_too(receiver: Receiver, tmp_path: Path) -> None:
    with PostingProcesses(command(receiver)) as processes:
        processes.check(receiver.url)
        for url, reason in (
            (f"https://other.example:{receiver.port}/", "certificate"),
            (f"https://hooks.example:{free_ports()}/", "unreached"),
        ):
            with pytest.raises(Failed) as failed:
                processes.post(url, b"", {})
            assert failed.value.reason == reason


def test_one_that_is_killed_or_too_slow_is_replaced_and_takes_no_other_post_with_it(receiver: Receiver) -> None:
    with PostingProcesses(command(receiver)) as processes:
        assert processes.post(receiver.url, b"", {}) == 204
        (pid,) = processes.processes()
        with socket.create_server(("127.0.0.1", 0)) as silent, ThreadPoolExecutor() as pool:
            waiting = pool.submit(processes.post, f"https://hooks.example:{silent.getsockname()[1]}/", b"", {})
            line, _ = silent.accept()
            with line:  # a connection without any data
                assert processes.post(receiver.url, b"", {}) == 204, "nobody waits for others"
                os.kill(pid, signal.SIGKILL)
                with pytest.raises(Failed):
                    waiting.result()
        assert processes.post(receiver.url, b"", {}) == 204
        assert pid not in processes.processes()
    with PostingProcesses(command(receiver), AT_ONCE) as processes, pytest.raises(Failed):
        processes.post(receiver.url, b"", {})


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked at in /proc, which only Linux has")
def test_it_has_no_secret_and_no_right_that_it_does_not_need(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KONTOR_SMTP", "smtp://me:s3cret@mail.example")
    with PostingProcesses(command(receiver)) as processes:
        processes.post(receiver.url, b"", {})
        (pid,) = processes.processes()
        proc = Path("/proc", str(pid))
        assert "s3cret" not in proc.joinpath("environ").read_text()
        status = dict(line.split(":\t", 1) for line in proc.joinpath("status").read_text().splitlines())
        assert status["NoNewPrivs"] == "1"
        assert "0" not in status["Uid"].split()
        limits = proc.joinpath("limits").read_text()
        assert [line.split()[-3] for line in limits.splitlines() if line.startswith("Max file size")] == ["0"]
        open_ = [os.readlink(file) for file in proc.joinpath("fd").iterdir()]  # noqa: PTH115 (a socket is no path)
        assert not [target for target in open_ if target.startswith("/") and target != "/dev/null"], (
            "no file, no database"
        )


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
