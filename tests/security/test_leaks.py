"""Side channels: what errors, logs, times and lengths reveal of hidden things."""

import logging
import re
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest
from msgspec.structs import replace

from kontor.game import CHANCE
from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.dutchman.rules.state import Kontor
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.plugins import game_named
from kontor.server.composition import KontorServer
from kontor.tables.turn_inputs import one_move_to_see
from kontor.tables.values import Plan, SeatPlan
from kontor.web.operation.logs import Json, Plain
from random_steps import game_steps
from web.conftest import Served
from web.guests import Guest, open_shanghaien, seat_friend
from web.test_serve import serving

HIDDEN = "seed 4711"
LINE = "a line of its own"


class Broken(Exception):
    """An unexpected error, whose text quotes a secret and begins a new line."""

    def __init__(self) -> None:
        super().__init__(f"{HIDDEN}\nERROR {LINE}")


def fail_always(*_: Any, **__: Any) -> Any:
    raise Broken


def nothing_is_told(caplog: pytest.LogCaptureFixture, answers: list[str]) -> None:
    ours = [record for record in caplog.records if record.name.startswith("kontor")]
    assert ours, "that something broke is told"
    for style in (Plain(), Json()):
        assert all("Broken at" in style.format(record) for record in ours)
        for formatted in map(style.format, caplog.records):
            assert "\n" not in formatted, "one line, and no traceback: its messages quote"
            assert HIDDEN not in formatted
            assert LINE not in formatted
    for answer in answers:
        assert HIDDEN not in answer
        assert "Traceback" not in answer
        assert "Broken" not in answer


def test_what_breaks_tells_where_and_never_what(
    served: Served, anna: Guest, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = open_shanghaien(anna, chair__2="here", name__2="Bernd")
    person = served.person_id(anna)
    bearer = {"authorization": f"Bearer {served.service.people.api_token(person)}"}
    button = anna.get(table).button("say-go")
    service = served.service
    for part, method in ((service.tables, "view"), (service.moves, "play"), (service.talk, "say")):
        monkeypatch.setattr(part, method, fail_always)
    answers = [
        anna.client.get(table),
        anna.client.get(f"/api{table}/view"),
        anna.client.post(f"/api{table}/moves", json={"number": 2, "move": {}}, headers=bearer),
        anna.client.post(button.form.action, data=button.form.fields, headers={"sec-fetch-site": "same-origin"}),
    ]
    assert [answer.status_code for answer in answers] == [500] * 4
    nothing_is_told(caplog, [answer.text for answer in answers])


def test_a_stream_that_breaks_tells_where_and_never_what(
    served: Served, anna: Guest, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = open_shanghaien(anna, chair__2="here", name__2="Bernd")
    person = served.person_id(anna)
    heard = list[str]()
    with anna.client.stream("GET", f"{table}/live") as streaming:
        lines = streaming.iter_lines()
        while not heard or not heard[-1].startswith("data: "):
            heard.append(next(lines))
        monkeypatch.setattr(served.service.tables, "view", fail_always)
        served.service.talk.say(table.rpartition("/")[2], person, "Is anybody there?")
        with pytest.raises(httpx.RemoteProtocolError):
            heard.extend(lines)
    nothing_is_told(caplog, heard)


def test_what_is_refused_is_no_line_of_a_log(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    """Check that nobody can fill the log, or write in it, by forbidden requests."""
    with caplog.at_level(logging.INFO, "kontor"), served.guest("Anna") as anna:
        odd = "x%0a%0dERROR%20" + LINE.replace(" ", "%20")
        for path in (f"/tables/{odd}", f"/invitations/{odd}/1/{odd}", f"/device/{odd}", f"/{odd}", f"/?q={odd}"):
            anna.client.get(path)
            anna.client.post(path, data={"name": LINE})
            anna.client.get(f"/api{path}", headers={"authorization": f"Bearer {LINE}"})
    log = "\n".join(logging.Formatter().format(record) + str(vars(record)) for record in caplog.records)
    assert LINE not in log
    assert "\r" not in log


def test_a_quick_move_tells_nothing_of_a_hand() -> None:
    """Check a hand of equal shares, which leaves one way to put two back.

    Others must not see that the seat has nothing to decide.
    """
    game = game_named("dutchman")
    random = Random(1)
    state = game.start(DutchmanOptions(players=3, starter=0))
    while getattr(state, "step", "") != "put" or state.mover == CHANCE:
        if state.mover == CHANCE:
            state = game.play(state, game.chance(state).draw(random.randrange))
        else:
            state = game.play(state, Kontor())
    mover = state.merchants[state.mover]
    alike = replace(mover, shares=("red",) * len(mover.shares))
    merchants = tuple(alike if merchant is mover else merchant for merchant in state.merchants)
    forced = replace(state, merchants=merchants)
    assert len(game.moves(forced)) == 1
    assert not one_move_to_see(game, forced, random.randrange)
    assert not one_move_to_see(game, state, random.randrange)


@pytest.mark.parametrize("game", ["shanghaien", "dutchman"])
def test_what_everybody_sees_to_be_forced_is_forced(game: str) -> None:
    rules, random = game_named(game), Random(2)
    start = rules.start(ShanghaienOptions() if game == "shanghaien" else DutchmanOptions(players=4, circles=1))
    seen = set()
    for state, _, _ in game_steps(rules, start, random):
        if state.mover == CHANCE:
            continue
        moves = rules.moves(state)
        forced = one_move_to_see(rules, state, random.randrange)
        assert not forced or len(moves) == 1
        assert game == "dutchman" or forced == (len(moves) == 1), "nothing is hidden there"
        seen.add(forced)
    assert False in seen
    assert game == "dutchman" or True in seen


def test_a_private_table_shows_strangers_who_sits_there_and_nothing_else(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest("Mallory") as mallory:
        table = seat_friend(anna, bernd, watch="no")
        anna.press(anna.get(table).button("say-go"), text="Only between us")
        person = served.person_id(mallory)
        bearer = {"authorization": f"Bearer {served.service.people.api_token(person)}"}
        pages = [
            mallory.client.get(f"{table}{part}") for part in ("", "?as=0", "/log", "/replay?as=1", "/fair", "/review")
        ]
        parts = ("/view", "/view?seat=0", "/moves", "/events", "/chat", "/fair", "/record")
        calls = [mallory.client.get(f"/api{table}{part}", headers=bearer) for part in parts]
        assert {answer.status_code for answer in calls} <= {403, 409}
        stream = mallory.client.get(f"/api{table}/stream", headers=bearer)
        assert "data:" not in stream.text, "it ends at once"
        for answer in (*pages, *calls, stream):
            assert "Only between us" not in answer.text
            assert 'id="board"' not in answer.text
        assert table.split("/")[-1] not in mallory.get("/").html, "it is in no list"


@pytest.mark.process
def test_no_answer_says_by_what_the_server_is_made(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        for path in ("/", "/nothing", "/api/games", "/api/nothing", "/health", "/static/x/kontor.css"):
            answer = httpx.get(f"http://127.0.0.1:{served.port}{path}")
            assert not {"server", "x-powered-by", "via"} & set(answer.headers)
            text = str(answer.headers) + answer.text
            assert not re.search(r"uvicorn|litestar|sqlalchemy|python/|traceback", text, re.IGNORECASE)


def test_every_answer_says_what_it_is_and_in_which_letters(anna: Guest) -> None:
    table = open_shanghaien(anna, chair__2="here", name__2="Bernd")
    static = re.findall(r'(?:href|src)="(/static/[^"]+)"', anna.get(table).html)
    paths = ["/", table, f"{table}/log", "/nothing", "/api/games", "/api/nothing", "/health", "/robots.txt"]
    for path in (*paths, "/openapi.json", *static):
        kind = anna.client.get(path).headers["content-type"]
        assert re.match(r"(text|application|image|font)/[\w.+-]+", kind), path
        if kind.startswith("text/"):
            assert "charset=utf-8" in kind.lower(), (path, kind)


def test_nothing_else_is_served(served: Served) -> None:
    """Check that there is no page for developers, no schema viewer, no metrics, no list of files."""
    for path in ("/metrics", "/debug", "/docs", "/schema", "/static/", "/api", "/admin", "/.git/HEAD"):
        answer = httpx.get(served.address + path)
        assert answer.status_code == (200 if path == "/api" else 404), path
        assert "swagger" not in answer.text.lower()


def test_the_folder_of_a_server_is_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "house"
    with KontorServer.open(folder) as service:
        anna = service.people.guest("Anna")[0].id
        service.opening.open(
            anna, Plan("shanghaien", ShanghaienOptions(), (SeatPlan("me"), SeatPlan("here", name="B")))
        )
        for file in folder.rglob("*"):
            assert not file.stat().st_mode & 0o077, file.name


def test_no_view_of_another_seat_is_given_to_who_asks_for_it(served: Served) -> None:
    """Ask by number, by the parameter twice, and by a seat that does not exist."""
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, Guest(served.address) as nobody:
        table = seat_friend(anna, bernd).removeprefix("/tables/")
        person = served.person_id(anna)
        bearer = {"authorization": f"Bearer {served.service.people.api_token(person)}"}
        for part in ("view", "moves", "events"):
            for query in ("seat=1", "seat=0&seat=1", "seat=1&seat=0", "seat=-1", "seat=01", "seat=99"):
                answer = anna.client.get(f"/api/tables/{table}/{part}?{query}", headers=bearer)
                if answer.status_code == 200 and part == "view":
                    assert msgspec.json.decode(answer.content)["seat"] == 0
                else:
                    assert answer.status_code in (200, 400, 403)
                    assert query != "seat=1" or answer.status_code == 403
        for part in ("view", "moves", "events", "stream"):
            assert nobody.client.get(f"/api/tables/{table}/{part}?seat=1").status_code == 403
