"""People who play by the API beside machine players who ponder, and how long they wait for their moves."""

from __future__ import annotations

import os
import time
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Self

import httpx

from kontor.thinking import thoughts
from patience import HANG_TIMEOUT
from web.conftest import Served

THOUGHT: Final = 2.0
"""Seconds of a core for one move."""

PONDERING: Final = 8
"""Tables at which a machine player ponders. One process thinks for all of them, so it always does."""

TABLES: Final = 5
"""At which people play."""


def ponder(matter: bytes) -> bytes:
    """A machine player that thinks for two seconds, and needs a whole core for it."""
    until = time.monotonic() + THOUGHT
    while time.monotonic() < until:
        pass
    return thoughts.choose(matter)


HELD_BY: Final = "KONTOR_TESTS_HELD_BY"
"""Names the file that lets go machine players who are held."""


def held(matter: bytes) -> bytes:
    """A machine player that thinks until there is a file; from another it is seen that it has begun."""
    release = Path(os.environ[HELD_BY])
    awaited(release).touch()
    while not release.exists():
        time.sleep(0.005)
    return thoughts.choose(matter)


def awaited(release: Path) -> Path:
    """Is there once a machine player has begun to wait for a file."""
    return release.with_name(f"{release.name}-awaited")


class Program:
    """Somebody who plays by the API."""

    def __init__(self, address: str, name: str) -> None:
        self.client = httpx.Client(base_url=f"{address}/api", timeout=HANG_TIMEOUT)
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
    """Tables at which machine players play among themselves."""
    machine = {"kind": "machine", "player": "random"}
    with Program(address, "Hanna") as host:
        body = {"game": "dutchman", "options": {"players": 3}, "seats": [machine] * 3}
        return [host.post("/tables", **body)["table"] for _ in range(number)]


def waits(address: str, moves: int) -> list[float]:
    """The seconds that each of so many moves of people took, from the request to the answer."""
    seats = [{"kind": "me"}, {"kind": "here", "name": "Bernd"}]
    found: list[float] = []
    with Program(address, "Anna") as anna:
        for _ in range(TABLES):
            table = anna.post("/tables", game="shanghaien", seats=seats)["table"]
            for _ in range(moves // TABLES):
                offered = anna.get(f"/tables/{table}/moves?limit=1")
                if not offered["count"]:
                    break
                begun = time.perf_counter()
                anna.post(f"/tables/{table}/moves", number=offered["number"], move=offered["moves"][0])
                found.append(time.perf_counter() - begun)
    return found


def serve(line: Connection) -> None:
    """A house, until somebody says that it is enough."""
    with TemporaryDirectory() as folder, Served(Path(folder), think=ponder) as served:
        line.send(served.address)
        line.recv()
