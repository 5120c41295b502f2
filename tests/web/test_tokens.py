"""Tokens of programs: their scopes, the times of their use, and how they are revoked."""

import csv
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from playwright.sync_api import expect

from web.browsers import Chromium, browsing
from web.conftest import Served
from web.guests import Guest, open_shanghaien

ROOT: Final = Path(__file__).parents[2]


def client_with_token(served: Served, token: str) -> httpx.Client:
    return httpx.Client(base_url=f"{served.address}/api/", headers={"authorization": f"Bearer {token}"})


def made_by_the_api(served: Served, name: str) -> httpx.Client:
    """Return a client of a person who was made by the API, and has only a token."""
    return client_with_token(served, httpx.post(f"{served.address}/api/people", json={"name": name}).json()["token"])


def identity(program: httpx.Client) -> tuple[str, str]:
    """Return the name of the person whom the program plays for, and the scope of its token."""
    me = program.get("me").json()
    return me["name"], me["scope"]


def token_of(guest: Guest, scope: str) -> str:
    """Return a token that a person makes on the page about themselves."""
    page = guest.press(guest.get("/you").button("program-go"), label=f"to {scope}", scope=scope)
    return page.html.split('id="program-token" class="wide" readonly autofocus value="')[1].split('"')[0]


def test_whoever_was_made_by_the_api_can_take_back_their_token(served: Served) -> None:
    with made_by_the_api(served, "Robota") as robota:
        assert identity(robota) == ("Robota", "play")
        assert robota.delete("me/token").status_code == 204
        assert robota.get("me").status_code == 401
        assert robota.delete("me/token").status_code == 401


def test_a_program_makes_tokens_for_others_lists_and_revokes_them(served: Served) -> None:
    with made_by_the_api(served, "Robota") as robota:
        response = robota.post("me/tokens", json={"label": "a board on the wall", "scope": "read"})
        assert (response.status_code, response.json()["scope"]) == (201, "read")
        with client_with_token(served, response.json()["token"]) as wall:
            assert identity(wall) == ("Robota", "read")
            newest, own = robota.get("me/tokens").json()
            assert (newest["label"], newest["scope"], own["scope"]) == ("a board on the wall", "read", "play")
            assert newest["used"]
            assert own["used"]
            assert datetime.fromisoformat(newest["created"]) < datetime.fromisoformat(newest["expires"])
            assert response.json()["token"] not in str(newest)
            assert robota.delete(f"me/tokens/{newest['id']}").status_code == 204
            assert wall.get("me").status_code == 401
            assert robota.delete(f"me/tokens/{newest['id']}").status_code == 404
        assert robota.post("me/tokens", json={}).json()["scope"] == "play"
        assert robota.post("me/tokens", json={"scope": "everything"}).status_code == 400


def test_nobody_takes_back_what_is_not_a_token_of_theirs(served: Served) -> None:
    with served.guest("Anna") as anna, made_by_the_api(served, "Robota") as robota:
        person = served.person_id(anna)
        with client_with_token(served, served.service.people.api_token(person)) as hers:
            others = robota.get("me/tokens").json()
            browser = next(token for token in served.service.people.sessions(person) if token.kind == "session")
            assert hers.delete(f"me/tokens/{others[0]['id']}").status_code == 404
            assert hers.delete(f"me/tokens/{browser.id}").status_code == 404
        assert robota.get("me").status_code == 200
        assert anna.get("/you").status == 200


def test_who_may_only_watch_sees_what_their_person_sees_and_does_nothing(served: Served, anna: Guest) -> None:
    table = open_shanghaien(anna, chair__2="machine-random", starter="0", hints="on").removeprefix("/tables/")
    with (
        client_with_token(served, token_of(anna, "read")) as watching,
        client_with_token(served, token_of(anna, "play")) as playing,
    ):
        paths = ("me", "me/tokens", "tables", f"tables/{table}", f"tables/{table}/view", f"tables/{table}/moves")
        for path in (*paths, f"tables/{table}/events", f"tables/{table}/chat", f"tables/{table}/fair"):
            assert watching.get(path).status_code == 200, path
            assert watching.get(path).json() == playing.get(path).json() or path == "me", path
        seen = watching.get(f"tables/{table}/view").json()
        assert seen["seat"] == 0
        seats = [{"kind": "me"}, {"kind": "friend"}]
        for path, body in (
            ("tables", {"game": "shanghaien", "seats": seats}),
            (f"tables/{table}/moves", {"number": seen["number"], "move": {"move": "roll"}}),
            (f"tables/{table}/hint", {}),
            (f"tables/{table}/chat", {"text": "Hello"}),
            (f"tables/{table}/seats/0", {}),
            (f"tables/{table}/seats/0/invitation", {}),
            (f"tables/{table}/seats/0/machine", {"player": "random"}),
            (f"tables/{table}/seats/0/stand-in", {}),
            (f"tables/{table}/seats/0/come-back", {}),
            (f"tables/{table}/rematch", {}),
            ("me/tokens", {"scope": "play"}),
        ):
            answer = watching.post(path, json=body)
            assert answer.status_code == 403, path
            assert answer.json()["scope"] == "play"
            assert answer.json()["reason"] == "The scope “play” is missing: this token was not made for that."
            assert answer.headers["www-authenticate"] == 'Bearer error="insufficient_scope", scope="play"'
        own = playing.get("me/tokens").json()[0]["id"]
        for path in (f"tables/{table}/seats", f"me/tokens/{own}"):
            assert watching.delete(path).status_code == 403, path
        assert served.service.tables.info(table).number == seen["number"]
        move = {"number": seen["number"], "move": {"move": "roll"}}
        assert playing.post(f"tables/{table}/moves", json=move).status_code == 201
        assert watching.delete("me/token").status_code == 204, "its own it may give back"


def table_of_scopes() -> dict[tuple[str, str], str]:
    """Return the scope that each call needs, as the documents say."""
    with (ROOT / "docs" / "api-scopes.csv").open(encoding="utf-8", newline="") as file:
        return {(row["method"].lower(), row["path"]): row["scope"] for row in csv.DictReader(file)}


def test_each_call_has_its_scope_in_the_table_and_in_the_document(served: Served) -> None:
    document = httpx.get(f"{served.address}/openapi.json").json()
    documented = {}
    for path, calls in document["paths"].items():
        for method, call in calls.items():
            schemes = call["security"]  # new calls have to name a scope too
            (scopes,) = [scheme["token"] for scheme in schemes if "token" in scheme] or [[]]
            needed = " ".join(scopes) or ("any token" if {} not in schemes else "none")
            documented[method, path] = f"{needed}, or no token" if scopes and {} in schemes else needed
    assert documented == table_of_scopes()


@pytest.mark.parametrize("scope", ["play", "read", "notify"])
def test_no_call_is_answered_without_its_scope(served: Served, scope: str) -> None:
    """Check all calls of the document, so that new ones are included."""
    document = httpx.get(f"{served.address}/openapi.json").json()
    able = {"play": {"play", "read"}}.get(scope, {scope})
    with served.guest("Anna") as anna, client_with_token(served, token_of(anna, scope)) as program:
        table = open_shanghaien(anna, chair__2="machine-random").removeprefix("/tables/")
        checked = 0
        for (method, path), needs in table_of_scopes().items():
            needed = needs.partition(",")[0]
            if needed not in ("none", "any token") and needed not in able:
                calls = document["paths"][path]
                body: dict[str, object] = {"text": "x", "salt": "x", "player": "random", "game": "shanghaien"}
                body |= {"seats": [], "number": 1, "move": {}, "moves": [{}], "name": "x"}
                body |= {"address": "https://a.example/", "points": [1], "season": "x"}
                body |= {"round": 1, "board": 1, "places": [1, 1], "entrants": [1, 2], "reason": "x"}
                body |= {"terms": {"game": "shanghaien", "seats": []}, "until": "2026-03-01"}
                schema = (
                    calls[method].get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
                )
                fields = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]] if schema else {}
                sent = {name: value for name, value in body.items() if name in fields.get("required", ())}
                places = defaultdict(lambda: "x", table=table, seat="1")
                address = path.removeprefix("/api/").format_map(places)
                answer = program.request(method.upper(), address, json=sent if schema else None)
                assert (answer.status_code, answer.json()["scope"], path) == (403, needed, path)
                checked += 1
        assert checked >= 4


@pytest.mark.parametrize("language", ["en", "ja"])
def test_on_their_page_somebody_chooses_what_a_token_is_for_and_sees_when_it_was_used(
    chromium: Chromium, tmp_path: Path, language: str
) -> None:
    with Served(tmp_path) as served, served.guest("Anna", headers={"accept-language": language}) as anna:
        phone: dict[str, Any] = {"locale": language, "viewport": {"width": 360, "height": 740}}
        with browsing(chromium, served.address, anna, **phone) as page:
            page.goto("/you?open=programs")
            page.locator("#label").click()
            page.keyboard.type("Wall")
            page.locator("#scope-play").uncheck()
            page.locator("#scope-read").check()
            page.locator("#program-go").click()
            token = page.locator("#program-token").input_value()
            page.goto("/you?open=known")
            row = page.locator(".known li", has_text="Wall")
            never, may = {"en": ("never used", "may only watch"), "ja": ("未使用", "閲覧のみ")}[language]
            assert may in row.inner_text()
            assert never in row.inner_text()
            with client_with_token(served, token) as program:
                assert identity(program) == ("Anna", "read")
            page.reload()
            assert never not in row.inner_text()
            assert page.evaluate("document.documentElement.scrollWidth") <= 360
            row.locator("button").click()
            expect(row).to_have_count(0)
            with client_with_token(served, token) as program:
                assert program.get("me").status_code == 401


def test_a_program_hears_of_turns_and_says_where_they_are_told(tmp_path: Path) -> None:
    with Served(tmp_path, ways=frozenset({"webhook"})) as served, served.guest("Anna") as anna:
        path = open_shanghaien(anna, chair__2="machine-random", starter="0")
        table = path.removeprefix("/tables/")
        with client_with_token(served, token_of(anna, "notify")) as program:
            (turn,) = program.get("me/turns").json()
            assert (turn["table"], turn["game"], turn["deadline"]) == (table, "shanghaien", None)
            assert program.get(f"tables/{table}").json()["scope"] == "read", "of the game it sees nothing"
            assert program.post("me/ways", json={"address": "http://example.org"}).status_code == 422
            made = program.post("me/ways", json={"address": "https://example.org/secret/path"}).json()
            (way,) = program.get("me/ways").json()
            assert (way["id"], way["kind"], way["host"]) == (made["id"], "webhook", "example.org")
            assert "secret" not in str(way)
            rhythm = {
                "frequency": "both",
                "hour": 8,
                "lead": 6,
                "quiet_from": 22,
                "quiet_to": 7,
                "zone": "Asia/Tokyo",
            }
            changed = program.post(f"me/ways/{way['id']}/rhythm", json=rhythm).json()
            assert changed == way | rhythm
            assert program.post(f"me/ways/{way['id']}/rhythm", json=rhythm | {"lead": 5}).status_code == 422
            assert program.post("me/ways/nobodys/rhythm", json=rhythm).status_code == 404
            assert program.delete(f"me/ways/{way['id']}").status_code == 204
            assert program.delete(f"me/ways/{way['id']}").status_code == 404
            assert program.get("me/ways").json() == []


def test_no_token_makes_one_that_can_do_more(served: Served) -> None:
    with served.guest("Anna") as anna, client_with_token(served, token_of(anna, "play")) as program:
        assert program.get("me").json()["scopes"] == ["play", "read"]
        refused = program.post("me/tokens", json={"scopes": ["read", "notify"]})
        assert (refused.status_code, refused.json()["scope"]) == (403, "notify")
        assert program.post("me/tokens", json={"scopes": ["read"]}).json()["scopes"] == ["read"]


def test_whoever_chooses_nothing_that_a_program_may_do_is_told(anna: Guest) -> None:
    refused = anna.press(anna.get("/you").button("program-go"), scope="")
    assert "Choose what the program may do." in refused.html
