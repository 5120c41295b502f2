"""People who play by the API, and computer players who think for as long as a test wants."""

import os
import time
from pathlib import Path
from typing import Any, Final, Self

import httpx

from kontor.thinking import turn_tasks
from timeouts import HANG_TIMEOUT

HELD_BY: Final = "KONTOR_TESTS_HELD_BY"
"""Environment variable with the path of the file that releases held computer players."""


def held(matter: bytes) -> bytes:
    """Take a turn of a computer player once a file exists.

    It makes another file (``awaited``) when it begins to wait.
    """
    release = Path(os.environ[HELD_BY])
    awaited(release).touch()
    while not release.exists():
        time.sleep(0.005)
    return turn_tasks.choose(matter)


def awaited(release: Path) -> Path:
    """Return the path of the file that exists once a computer player waits for ``release``."""
    return release.with_name(f"{release.name}-awaited")


class Program:
    """Person who plays by the API."""

    def __init__(self, address: str, name: str, **more: Any) -> None:
        """Make a person with a token; ``more`` is for its httpx.Client."""
        self.client = httpx.Client(base_url=f"{address}/api", timeout=HANG_TIMEOUT, **more)
        token = self.post("/people", name=name)["token"]
        self.client.headers["authorization"] = f"Bearer {token}"

    def post(self, path: str, **fields: Any) -> Any:
        """Return the decoded response to a POST request."""
        return self.client.post(path, json=fields).raise_for_status().json()

    def try_post(self, path: str, **fields: Any) -> tuple[int, Any]:
        """Return the status of the response to a POST request, and its content."""
        answer = self.client.post(path, json=fields)
        return answer.status_code, answer.json()

    def get(self, path: str, **query: Any) -> Any:
        """Return the decoded response to a GET request."""
        return self.client.get(path, params=query or None).raise_for_status().json()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()


def against_machines(address: str, number: int) -> list[str]:
    """Open tables at which computer players play among themselves; return their ids."""
    machine = {"kind": "machine", "player": "random"}
    with Program(address, "Hanna") as host:
        body = {"game": "dutchman", "options": {"players": 3}, "seats": [machine] * 3}
        return [host.post("/tables", **body)["table"] for _ in range(number)]
