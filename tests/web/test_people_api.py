"""Calls of the API for following, challenges and holidays: what pages do, programs do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from guests import ME, OPEN, play_out, shanghaien
from kontor.people.values import Scope
from web.conftest import Served

TERMS: dict[str, Any] = {"game": "shanghaien", "seats": [{"kind": "me"}, {"kind": "friend", "name": "Emil"}]}


class Program:
    """A program of a person."""

    def __init__(self, served: Served, name: str) -> None:
        self.id = served.service.people.guest(name)[0].id
        token = served.service.people.api_token(self.id)
        self.client = httpx.Client(base_url=f"{served.address}/api/", headers={"authorization": f"Bearer {token}"})

    def get(self, path: str) -> Any:
        return self.client.get(path).raise_for_status().json()

    def post(self, path: str, body: Any = None) -> httpx.Response:
        return self.client.post(path, json={} if body is None else body)

    def delete(self, path: str) -> httpx.Response:
        return self.client.delete(path)


@pytest.fixture
def anna(served: Served) -> Iterator[Program]:
    program = Program(served, "Anna")
    with program.client:
        yield program


@pytest.fixture
def bernd(served: Served) -> Iterator[Program]:
    program = Program(served, "Bernd")
    with program.client:
        yield program


def page_of(served: Served, person: str) -> str:
    return served.service.ratings.show(person, listed=False, public=True).handle


def test_a_program_follows_and_sees_what_its_page_shows(served: Served, anna: Program, bernd: Program) -> None:
    handle = page_of(served, bernd.id)
    assert anna.get("me/following") == []
    assert anna.post(f"people/{handle}/follow").status_code == 204
    table = served.service.opening.open(bernd.id, shanghaien(ME, OPEN))
    (followed,) = anna.get("me/following")
    assert (followed["name"], followed["handle"], followed["public"]) == ("Bernd", handle, True)
    assert [(doing["kind"], doing["table"]) for doing in followed["doings"]] == [("waits", table)]
    assert anna.delete(f"people/{handle}/follow").status_code == 204
    assert anna.get("me/following") == []
    for wrong in ("x" * 20, page_of(served, anna.id)):
        assert anna.post(f"people/{wrong}/follow").status_code == 403


def test_a_challenge_is_sent_countered_and_accepted(served: Served, anna: Program, bernd: Program) -> None:
    handle = page_of(served, bernd.id)
    table = anna.post("challenges", {"handle": handle, "terms": TERMS}).json()["table"]
    (challenge,) = bernd.get("challenges")["open"]
    assert (challenge["name"], challenge["counters"], challenge["table"]["id"]) == ("Anna", False, table)
    other = TERMS | {"pace": {"kind": "slow", "seconds": 86400}}
    countered = bernd.post(f"challenges/{challenge['id']}/counter", {"terms": other}).json()["table"]
    assert bernd.get("challenges")["open"] == []
    (challenge,) = anna.get("challenges")["open"]
    assert (challenge["counters"], challenge["table"]["id"]) == (True, countered)
    accepted = anna.post(f"challenges/{challenge['id']}/accept").json()
    assert (accepted["id"], accepted["status"], accepted["pace"]["kind"]) == (countered, "playing", "slow")
    assert anna.post(f"challenges/{challenge['id']}/accept").status_code == 409
    play_out(served.service, countered)
    (companion,) = anna.get("challenges")["companions"]
    assert companion["name"] == "Bernd"
    assert anna.post("challenges", companion["key"] | {"terms": TERMS}).status_code == 201


def test_a_declined_challenge_is_noted_until_it_is_dismissed(served: Served, anna: Program, bernd: Program) -> None:
    anna.post("challenges", {"handle": page_of(served, bernd.id), "terms": TERMS})
    (challenge,) = bernd.get("challenges")["open"]
    assert bernd.post(f"challenges/{challenge['id']}/decline").status_code == 204
    (declined,) = anna.get("challenges")["declined"]
    assert (declined["id"], declined["name"], declined["game"]) == (challenge["id"], "Bernd", "shanghaien")
    assert anna.delete(f"challenges/{challenge['id']}").status_code == 204
    assert anna.get("challenges")["declined"] == []


@pytest.mark.parametrize("kinds", [("me", "open"), ("friend", "me"), ("me", "machine"), ("me",), ()])
def test_the_second_seat_of_a_challenge_is_that_of_the_other(
    served: Served, anna: Program, bernd: Program, kinds: tuple[str, ...]
) -> None:
    seats = [{"kind": kind} | ({"player": "random"} if kind == "machine" else {}) for kind in kinds]
    body = {"handle": page_of(served, bernd.id), "terms": TERMS | {"seats": seats}}
    assert anna.post("challenges", body).status_code == 422
    assert bernd.get("challenges")["open"] == []


def test_a_holiday_is_begun_changed_and_ended(served: Served, anna: Program) -> None:
    state = anna.get("me/holiday")
    assert (state["last_day"], state["left"]) == (None, 30)
    begun = anna.post("me/holiday", {"until": state["today"]})
    assert (begun.status_code, begun.json()["last_day"]) == (200, state["today"])
    assert anna.post("me/holiday", {"until": "2020-01-01"}).status_code == 422
    assert anna.post("me/holiday", {"until": "9999-12-31"}).status_code == 409
    assert anna.post("me/holiday", {"until": "morgen"}).status_code == 400
    assert anna.delete("me/holiday").status_code == 204
    assert anna.delete("me/holiday").status_code == 409
    assert anna.get("me/holiday")["left"] == 29


def test_nobody_without_a_token_or_with_one_that_only_reads_acts(served: Served, anna: Program) -> None:
    scopes: tuple[Scope, ...] = ("read",)
    reading = served.service.people.api_token(anna.id, scopes=scopes)
    with httpx.Client(base_url=f"{served.address}/api/") as stranger:
        for path in ("me/following", "me/holiday", "challenges"):
            assert stranger.get(path).status_code == 401
            headers = {"authorization": f"Bearer {reading}"}
            assert stranger.get(path, headers=headers).status_code == 200
        acts: tuple[tuple[str, Any], ...] = (
            ("me/holiday", {"until": "2026-03-01"}),
            ("challenges", {"handle": "x", "terms": TERMS}),
            ("people/x/follow", {}),
        )
        for path, body in acts:
            assert stranger.post(path, json=body).status_code == 401
            assert stranger.post(path, json=body, headers=headers).status_code == 403
