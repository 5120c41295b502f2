"""Charging: every request is charged for its processor time, for any path and any response."""

import re
from collections import defaultdict
from functools import partial
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from kontor.web.http.limits import READING, Limit, Limits
from timeouts import waited_for
from web.conftest import GENEROUS, Served
from web.guests import Guest, open_shanghaien
from web.test_requests import VALUES, litestar_of

SOURCE: Final = Path(__file__).parents[2] / "src/kontor"
PAGES: Final = [folder for folder in SOURCE.iterdir() if folder.name == "web" or (folder / "templates").is_dir()]

MOST_FORMS: Final = 200
"""More requests than can be drawn in the time of the test."""

Charges = defaultdict[str, list[tuple[str, float]]]


@pytest.fixture
def charges(monkeypatch: pytest.MonkeyPatch) -> Charges:
    """Return the charges from now on: by address, each budget and the seconds."""
    noted: Charges = defaultdict(list)
    charge = Limits.charge

    def note(limits: Limits, budget: str, seconds: float, address: str, *args: Any, **more: Any) -> None:
        noted[address].append((budget, seconds))
        charge(limits, budget, seconds, address, *args, **more)

    monkeypatch.setattr(Limits, "charge", note)
    return noted


def every_route(served: Served) -> list[tuple[str, str]]:
    """Return each method of each route, and HEAD for each GET, with an address that leads there."""
    calls = set[tuple[str, str]]()
    for route in litestar_of(served).routes:
        path = re.sub(r"\{(\w+)[^}]*\}", lambda part: VALUES.get(part[1], "x"), route.path_format)
        methods = set(getattr(route, "methods", ()))
        calls |= {(method, path) for method in methods | ({"HEAD"} if "GET" in methods else set())}
    return sorted(calls)


def is_charged(charges: Charges, address: str) -> bool:
    return sum(seconds for _, seconds in tuple(charges[address])) > 0


@pytest.mark.long
def test_every_route_is_charged_to_the_address_that_asks(served: Served, charges: Charges) -> None:
    calls = [*every_route(served), ("GET", "/nothing"), ("PUT", "/"), ("POST", "/analysis/dutchman/moves?x=1")]
    assert len(calls) > 250
    with httpx.Client(base_url=served.address, headers={"origin": served.address}) as client:
        for number, (method, path) in enumerate(calls):
            address = f"192.0.{number // 250}.{number % 250}"
            headers = {"x-forwarded-for": address, "range": "bytes=0-1"}
            body: Any = {} if path.startswith("/api/") and method == "POST" else None
            with client.stream(method, path, headers=headers, json=body) as answer:
                assert answer.status_code < 500, (method, path)
            waited_for(partial(is_charged, charges, address))


def test_the_first_frame_of_a_stream_is_charged_to_whoever_opens_it(tmp_path: Path, charges: Charges) -> None:
    with Served(tmp_path) as served, served.guest("Anna") as anna:
        table = open_shanghaien(anna, chair__2="here", name__2="Bernd")
        headers = {"x-forwarded-for": "192.0.2.7"}
        with anna.client.stream("GET", f"{table}/live", headers=headers) as answer:
            chunks = answer.iter_raw()  # httpx closes the connection when nothing holds them any more
            next(chunks)
            waited_for(lambda: len(charges["192.0.2.7"]) >= 2)
        begun, drawn = charges["192.0.2.7"][:2]
        assert begun[0] == drawn[0] == READING
        assert drawn[1] > 0


def test_worker_threads_of_requests_are_begun_in_one_place_that_charges_them() -> None:
    begun = {
        str(file.relative_to(SOURCE))
        for folder in PAGES
        for file in folder.rglob("*.py")
        if re.search(r"\bto_thread\(|\.run_in_executor\(|sync_to_thread=True", file.read_text("utf-8"))
    }
    assert begun == {"web/http/request_cost.py", "web/http/lanes.py"}, "moves go first in the second"


@pytest.mark.parametrize(
    ("path", "fields", "status"),
    [
        ("/analysis/dutchman/setup", {"redraw": "6"}, 200),
        ("/analysis/dutchman/moves", {}, 422),
        ("/learn/dutchman/1", {}, 422),
    ],
    ids=["drawing anew", "refused moves", "lessons"],
)
def test_forms_that_only_draw_are_charged_as_reading_is(
    tmp_path: Path, path: str, fields: dict[str, str], status: int
) -> None:
    with Served(tmp_path, {**GENEROUS, "read": Limit(0.1, 0.0001, shared=1)}) as served, served.guest() as guest:
        fields = {**fields, "token": token_of(guest)}
        statuses = [guest.post(path, fields).status]
        while statuses[-1] == status and len(statuses) < MOST_FORMS:
            statuses.append(guest.post(path, fields).status)
    assert statuses == [status] * (len(statuses) - 1) + [429], statuses


def token_of(guest: Guest) -> str:
    token = re.search(r'name="token" value="([^"]+)"', guest.client.get("/nothing").text)
    assert token
    return token[1]
