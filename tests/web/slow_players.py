"""People who play by the API, and computer players who ponder for as long as one wants."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any, Final, Self

import httpx

from kontor.thinking import turn_tasks
from timeouts import HANG_TIMEOUT

HELD_BY: Final = "KONTOR_TESTS_HELD_BY"
"""Names the file that lets go computer players who are held."""


def held(matter: bytes) -> bytes:
    """A computer player that thinks until there is a file; from another it is seen that it has begun."""
    release = Path(os.environ[HELD_BY])
    awaited(release).touch()
    while not release.exists():
        time.sleep(0.005)
    return turn_tasks.choose(matter)


def awaited(release: Path) -> Path:
    """Is there once a computer player has begun to wait for a file."""
    return release.with_name(f"{release.name}-awaited")


class Program:
    """Somebody who plays by the API."""

    def __init__(self, address: str, name: str, **more: Any) -> None:
        """``more`` is for its httpx.Client."""
        self.client = httpx.Client(base_url=f"{address}/api", timeout=HANG_TIMEOUT, **more)
        token = self.post("/people", name=name)["token"]
        self.client.headers["authorization"] = f"Bearer {token}"

    def post(self, path: str, **fields: Any) -> Any:
        """What is answered."""
        return self.client.post(path, json=fields).raise_for_status().json()

    def get(self, path: str) -> Any:
        """What is answered."""
        return self.client.get(path).raise_for_status().json()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()


def against_machines(address: str, number: int) -> list[str]:
    """Tables at which computer players play among themselves."""
    machine = {"kind": "machine", "player": "random"}
    with Program(address, "Hanna") as host:
        body = {"game": "dutchman", "options": {"players": 3}, "seats": [machine] * 3}
        return [host.post("/tables", **body)["table"] for _ in range(number)]
