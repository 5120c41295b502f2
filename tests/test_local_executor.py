"""Processes that share the work of a command: they end with it, however it ends."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from cli.commands import is_there
from timeouts import waited_for

ENDLESS: Final = """
import signal
import sys
from pathlib import Path

from kontor.work import LocalExecutor


def work(file):
    Path(file).touch()
    while True:
        pass


if __name__ == "__main__":
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # which nohup has told the tests to ignore
    with LocalExecutor(2) as executor:
        list(executor.map(work, sys.argv[1:]))
"""
"""A program whose two processes never finish their work."""


@pytest.mark.process
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGKILL"])
def test_processes_that_work_end_when_their_parent_is_ended(tmp_path: Path, name: str) -> None:
    program = tmp_path / "endless.py"
    program.write_text(ENDLESS, "utf-8")
    begun = [tmp_path / "first", tmp_path / "second"]
    with subprocess.Popen([sys.executable, program, *begun], start_new_session=True) as process:
        try:
            waited_for(lambda: process.poll() is not None or all(file.exists() for file in begun))
            process.send_signal(getattr(signal, name))
            assert process.wait() == -getattr(signal, name)
            waited_for(lambda: not is_there(process.pid))
        finally:
            if is_there(process.pid):
                os.killpg(process.pid, signal.SIGKILL)
