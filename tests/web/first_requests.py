"""Script that plays a little on a fresh server, in a fresh process, and prints the types that msgspec looked up."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
from msgspec import _utils

from timeouts import HANG_TIMEOUT
from web.conftest import Served

SEATS = {"shanghaien": 2, "dutchman": 3}
MOVES = 12


def main() -> None:
    """Print every field type that msgspec looks up after the server was made."""
    looked_up = set()
    names = vars(_utils)  # msgspec calls its helpers by these names, once for each field
    look_up = names["_forward_ref"]

    def record_type(value: str) -> Any:
        looked_up.add(value)
        return look_up(value)

    with TemporaryDirectory() as folder, Served(Path(folder)) as served:
        names["_forward_ref"] = record_type
        with httpx.Client(base_url=served.address, timeout=HANG_TIMEOUT) as program:
            token = send_request(program, "POST", "/api/people", name="Anna")["token"]
            program.headers["authorization"] = f"Bearer {token}"
            for game, seats in SEATS.items():
                play(program, game, seats)
    sys.stdout.write("\n".join(sorted(looked_up)))


def play(program: httpx.Client, game: str, seats: int) -> None:
    """Play some moves at a new table, and request everything about it."""
    chairs = [{"kind": "me"}, *[{"kind": "here", "name": f"Carla {seat}"} for seat in range(1, seats)]]
    more = {"options": {"players": seats}} if seats > 2 else {}
    table = send_request(program, "POST", "/api/tables", game=game, seats=chairs, **more)["table"]
    for _ in range(MOVES):
        turn = send_request(program, "GET", f"/api/tables/{table}/moves")
        send_request(program, "POST", f"/api/tables/{table}/moves", number=turn["number"], move=turn["moves"][0])
    for part in ("", "/view", "/events"):
        send_request(program, "GET", f"/api/tables/{table}{part}")


def send_request(program: httpx.Client, method: str, path: str, **body: Any) -> Any:
    """Return the decoded response; fail unless the request succeeds."""
    answer = program.request(method, path, json=body or None)
    assert answer.is_success, answer.text
    return answer.json()


if __name__ == "__main__":
    main()
