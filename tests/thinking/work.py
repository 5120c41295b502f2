"""Tasks for thinkers in the tests. The process that thinks imports each of them."""

import os
import sys
import time
from pathlib import Path


def echo(matter: bytes) -> bytes:
    return matter


def whoami(matter: bytes) -> bytes:
    """Return the id of the process, after a while."""
    time.sleep(float(matter))
    return str(os.getpid()).encode()


def until(matter: bytes) -> bytes:
    """Wait until the file exists, and return the id of the process.

    A second file shows that the process has begun to wait.
    """
    file = Path(os.fsdecode(matter))
    begun_with(file).touch()
    while not file.exists():
        time.sleep(0.005)
    return str(os.getpid()).encode()


def begun_with(file: Path) -> Path:
    """Return the file that exists once a process has begun to wait for a file."""
    return file.with_name(f"{file.name}-awaited")


def loaded(matter: bytes) -> bytes:
    return " ".join(sys.modules).encode()


def chatter(matter: bytes) -> bytes:
    """Print, as no task should."""
    print("Here I am.")  # noqa: T201
    sys.stdout.flush()
    return b"said"


def fail(matter: bytes) -> bytes:
    raise ValueError(f"The secret is {matter!r}")


def die(matter: bytes) -> bytes:
    """End the process, at the first time or (with no file named) always."""
    noted = Path(os.fsdecode(matter)) if matter else None
    if noted is None or not noted.exists():
        if noted:
            noted.write_text("died once")
        os._exit(3)
    return b"alive"


def hang(matter: bytes) -> bytes:
    """Hang at the first time, and return at the second."""
    noted = Path(os.fsdecode(matter))
    if not noted.exists():
        noted.write_text("hung once")
        time.sleep(1000)
    return b"back"


def spin(matter: bytes) -> bytes:
    """Use processor time without end."""
    while True:
        pass


def note(matter: bytes) -> bytes:
    """Write its name into a file, after a moment."""
    path, _, name = os.fsdecode(matter).rpartition("|")
    time.sleep(0.02)
    with Path(path).open("a") as file:
        file.write(f"{name} ")
    return b""
