"""API for programs: whole games by JSON, refusals, and a document that agrees with the server."""

import ast
import csv
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

from kontor.challenges.store import MOST_RECEIVED, MOST_SENT
from kontor.clubs.store import MOST_FOUNDED, MOST_JOINED, MOST_MEMBERS
from kontor.following.store import MOST_FOLLOWED
from kontor.lessons.routes.rules import PLAYER
from kontor.messages.store import MOST_BEGUN, MOST_IN_A_ROW
from kontor.notifying.table_hooks import MOST_WEBHOOKS
from kontor.own_records.store import MOST_RECORDS
from kontor.records import decode, verify
from kontor.tables.opening import MOST_UNFINISHED, MOST_UNFINISHED_OF_ORIGIN, MOST_WAITING
from kontor.web.http.api_values import Trouble
from kontor.web.http.limits import LIMITS, SHARED
from timeouts import HANG_TIMEOUT
from web.conftest import Served
from web.slow_players import Program

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "api_player.py"


Make = Callable[[str], Program]


@pytest.fixture
def program(served: Served) -> Iterator[Make]:
    """Yield a function that makes programs; close them afterwards."""
    with ExitStack() as stack:
        yield lambda name: stack.enter_context(Program(served.address, name))


ME = {"kind": "me"}
OPEN = {"kind": "open"}


def table_for(programs: list[Program], game: str, **more: Any) -> str:
    first, *others = programs
    table: str = first.post("tables", game=game, seats=[ME, *([OPEN] * len(others))], **more)["table"]
    for seat, program in enumerate(others, 1):
        program.post(f"tables/{table}/seats/{seat}")
    return table


def play_on(programs: list[Program], table: str, random: Random, most: int = 3000) -> Any:
    """Play random legal moves for all of them until the game is over; return the table's info."""
    for _ in range(most):
        info = programs[0].get(f"tables/{table}")
        if info["status"] == "over":
            return info
        mover = programs[info["mover"]]
        legal = mover.get(f"tables/{table}/moves")
        at = random.randrange(legal["count"])
        chosen = mover.get(f"tables/{table}/moves", start=at, limit=1)["moves"][0]
        mover.post(f"tables/{table}/moves", number=legal["number"], move=chosen)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("game", [pytest.param("shanghaien", marks=pytest.mark.long), "dutchman"])
def test_programs_play_a_whole_game(served: Served, program: Make, game: str) -> None:
    players = [program(name) for name in ("Robota", "Automa", "Golem")[: 2 if game == "shanghaien" else 3]]
    options = {} if game == "shanghaien" else {"players": 3, "circles": 1}
    table = table_for(players, game, options=options)
    info = play_on(players, table, Random(11))
    assert info["result"]["winners"]
    record = decode(players[0].client.get(f"tables/{table}/record").content)
    assert verify(record).dice
    fair = players[0].get(f"tables/{table}/fair")
    assert record.ending is not None
    assert fair["seed"] == record.ending.seed
    lines = players[1].get(f"tables/{table}/events", limit=1000)
    assert [line["number"] for line in lines] == list(range(2, len(lines) + 2))
    assert any(line["told"] for line in lines)


def play_example(link: str, name: str) -> str:
    run = subprocess.run([sys.executable, EXAMPLE, link, name], capture_output=True, text=True, timeout=HANG_TIMEOUT)
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.process
def test_the_player_of_the_examples_takes_a_free_chair_and_plays_to_the_end(served: Served, program: Make) -> None:
    host = program("Anna")
    seats = [{"kind": "machine", "player": "random", "name": "Kaspar"}, OPEN]
    table = host.post("tables", game="shanghaien", seats=seats)["table"]
    assert "winners" in play_example(f"{served.address}/tables/{table}", "Robota")
    info = host.get(f"tables/{table}")
    assert (info["status"], info["seats"][1]["name"]) == ("over", "Robota")


@pytest.mark.process
def test_the_player_of_the_examples_comes_by_an_invitation(served: Served, program: Make) -> None:
    host = program("Anna")
    machine = {"kind": "machine", "player": "random"}
    seats = [machine, machine, {"kind": "friend"}]
    table = host.post("tables", game="dutchman", seats=seats, options={"players": 3})["table"]
    invitation = host.post(f"tables/{table}/seats/2/invitation")["invitation"]
    assert "winners" in play_example(f"{served.address}/invitations/{table}/2/{invitation}", "Robota")


@pytest.mark.process
def test_the_player_of_the_examples_comes_by_the_link_to_all_seats(served: Served, program: Make) -> None:
    host = program("Anna")
    friend, machine = {"kind": "friend"}, {"kind": "machine", "player": "random"}
    seats = [machine, friend, friend]
    table = host.post("tables", game="dutchman", seats=seats, options={"players": 3, "circles": 1})["table"]
    invitation = host.post(f"tables/{table}/invitation")["invitation"]
    host.post(f"tables/{table}/seats/1/machine", player="random")
    assert "winners" in play_example(f"{served.address}/invitations/{table}/{invitation}", "Robota")


def test_an_invitation_to_a_table_leads_to_its_seats_in_order_and_a_wrong_one_to_none(program: Make) -> None:
    host, robota, automa = program("Anna"), program("Robota"), program("Automa")
    friend = {"kind": "friend"}
    table = host.post("tables", game="dutchman", seats=[ME, friend, friend], options={"players": 3})["table"]
    invitation = host.post(f"tables/{table}/invitation")["invitation"]
    status, refused = robota.try_post(f"tables/{table}/seats", invitation=invitation + "x")
    assert (status, refused["reason"]) == (403, "This seat is kept for someone who was invited.")
    robota.post(f"tables/{table}/seats", invitation=invitation)
    assert automa.post(f"tables/{table}/seats", invitation=invitation)["status"] == "playing"
    assert [seat["name"] for seat in host.get(f"tables/{table}")["seats"]] == ["Anna", "Robota", "Automa"]


def test_the_page_for_programs_shows_that_player(served: Served) -> None:
    assert EXAMPLE.read_text("utf-8") == PLAYER
    code = ast.unparse(ast.parse(PLAYER)).splitlines()
    assert len([line for line in code[3:] if line and not line.startswith(("import", "from"))]) <= 25


@pytest.mark.process
def test_the_documentation_of_the_api_is_a_program_that_runs(served: Served) -> None:
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    code = "\n".join(re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))
    assert "http://localhost:1729" in code
    code = code.replace("http://localhost:1729", served.address)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=HANG_TIMEOUT)
    assert run.returncode == 0, run.stderr
    assert "winners" in run.stdout
    (example,) = re.findall(r"^```json\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert msgspec.json.decode(example, type=Trouble).rule == "S4"


def test_the_documentation_tells_the_limits() -> None:
    with (ROOT / "docs" / "limits.csv").open(encoding="utf-8", newline="") as file:
        documented = {(float(row["at once"]), float(row["a minute"] or 0)) for row in csv.DictReader(file)}
    assert documented == {
        *((limit.most, limit.a_minute) for limit in LIMITS.values()),
        *((most, 0) for most in (MOST_WAITING, MOST_UNFINISHED, MOST_RECORDS)),
        *((most, 0) for most in (MOST_FOLLOWED, MOST_SENT, MOST_RECEIVED, MOST_IN_A_ROW, MOST_BEGUN)),
        *((most, 0) for most in (MOST_FOUNDED, MOST_JOINED, MOST_MEMBERS, MOST_WEBHOOKS)),
    }
    assert MOST_UNFINISHED_OF_ORIGIN == SHARED * MOST_UNFINISHED


def test_refusals_carry_the_rule_and_late_moves_the_present_state(served: Served, program: Make) -> None:
    anna, bernd = program("Anna"), program("Bernd")
    table = table_for([anna, bernd], "shanghaien", options={"starter": 0})
    seen = anna.get(f"tables/{table}/view")
    assert seen["mover"] == seen["seat"] == 0
    status, refusal = anna.try_post(f"tables/{table}/moves", number=seen["number"], move={"move": "shanghai"})
    assert (status, refusal["rule"]) == (422, "S4")
    assert refusal["reason"] == "You can call “Shanghai!” only after placing at least two of your own dice."
    status, refusal = bernd.try_post(f"tables/{table}/moves", number=seen["number"], move={"move": "roll"})
    assert (status, refusal["reason"]) == (409, "It is not your turn.")
    status, refusal = anna.try_post(f"tables/{table}/moves", number=seen["number"], move={"move": "fly", "where": []})
    assert status == 400
    number = anna.post(f"tables/{table}/moves", number=seen["number"], move={"move": "roll"})["number"]
    status, refusal = anna.try_post(f"tables/{table}/moves", number=seen["number"], move={"move": "roll"})
    assert (status, refusal["now"]["number"]) == (409, number)
    assert refusal["now"]["view"]["roll"]
    status, _ = bernd.try_post(f"tables/{table}/moves", number=number, move={"move": "place", "die": 1}, seat=0)
    assert status == 403, "a seat is moved by whoever sits there"
    assert bernd.client.get(f"tables/{table}/view", params={"seat": 0}).status_code == 403


def test_the_stream_tells_every_change(served: Served, program: Make) -> None:
    anna, bernd = program("Anna"), program("Bernd")
    table = anna.post("tables", game="shanghaien", seats=[ME, OPEN], options={"starter": 0})["table"]
    with anna.client.stream("GET", f"tables/{table}/stream") as streaming:
        lines = (json.loads(line[6:]) for line in streaming.iter_lines() if line.startswith("data: "))
        assert next(lines)["table"]["status"] == "waiting"
        bernd.post(f"tables/{table}/seats/1")
        now = next(lines)
        assert (now["table"]["status"], now["seen"]["seat"]) == ("playing", 0)
        anna.post(f"tables/{table}/moves", number=now["seen"]["number"], move={"move": "roll"})
        assert next(lines)["seen"]["view"]["roll"]


def test_programs_are_known_by_their_token_alone(served: Served, program: Make) -> None:
    anna = program("Anna")
    with served.guest("Berta") as berta:
        cookie = {"cookie": f"kontor={berta.client.cookies['kontor']}"}
        assert httpx.get(f"{served.address}/api/me", headers=cookie).status_code == 401
        response = httpx.post(
            f"{served.address}/api/tables", json={"game": "shanghaien", "seats": []}, headers=cookie
        )
        assert response.status_code == 401
        assert response.headers["www-authenticate"] == "Bearer"
        made = berta.press(berta.get("/you").button("program-go"), label="my bot")
        token = made.html.split('id="program-token" class="wide" readonly autofocus value="')[1].split('"')[0]
        bearer = {"authorization": f"Bearer {token}"}
        me = httpx.get(f"{served.address}/api/me", headers=bearer).json()
        assert me == {
            "name": "Berta",
            "scope": "play",
            "scopes": ["play", "read"],
            "next_commitment": me["next_commitment"],
        }
        page = berta.get("/you")
        assert "a program: my bot" in page.html
        berta.press(next(button for form in page.forms for button in form.buttons if button.name == "session"))
        with served.guest(headers={"cookie": f"kontor={token}"}) as thief:
            assert thief.get("/you").status == 403, "a program's token opens no pages"
    me = anna.get("me")
    assert (me["name"], me["scope"]) == ("Anna", "play")
    opened = anna.post("tables", game="shanghaien", seats=[{"kind": "me"}, {"kind": "open"}], salt="a")["table"]
    assert anna.get(f"tables/{opened}")["commitment"] == me["next_commitment"]


def test_the_document_describes_what_is_there(served: Served) -> None:
    document = httpx.get(f"{served.address}/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    assert all(path.startswith("/api/") for path in document["paths"])
    assert "post" in document["paths"]["/api/tables/{table}/moves"]
    references = set(re.findall(r"#/components/schemas/([\w.-]+)", json.dumps(document)))
    assert references <= set(document["components"]["schemas"])


ODD: tuple[Any, ...] = (None, 0, -1, 10**30, 1.5, "", "x" * 5000, "\x00", [], {}, [[]], {"a": {"b": []}}, True, "٣")


def test_nonsense_is_answered_with_four_hundred_and_something(served: Served, program: Make) -> None:
    """Call everything in the document with values of every kind, in their places and elsewhere."""
    random = Random(2)
    anna = program("Anna")
    table = anna.post("tables", game="dutchman", seats=[ME, *([{"kind": "machine", "player": "random"}] * 2)],
                      options={"players": 3})["table"]  # fmt: skip
    document = httpx.get(f"{served.address}/openapi.json").json()
    for path, methods in document["paths"].items():
        if path.endswith("/stream"):
            continue
        for method, operation in methods.items():
            body = operation.get("requestBody")
            for _ in range(8):
                filled = path.replace("{table}", random.choice([table, table, "x", "%00", "ü" * 50]))
                filled = filled.replace("{seat}", random.choice(["0", "1", "-1", "7", "x", "9" * 30]))
                query = {
                    given["name"]: random.choice(ODD)
                    for given in operation.get("parameters", [])
                    if given["in"] == "query" and random.random() < 0.5
                }
                sent: dict[str, Any] = {"params": query}
                if body:
                    sent["content"] = random_body(random, document, body)
                    sent["headers"] = {"content-type": "application/json"}
                answer = anna.client.request(method, f"{served.address}{filled}", **sent)
                assert answer.status_code < 500, (method, filled, sent, answer.text)
                if answer.status_code >= 400:
                    assert set(answer.json()) == {"status", "reason", "rule", "now", "scope"}


def random_body(random: Random, document: Any, body: Any) -> bytes:
    """Return a body with some of its fields and values of every kind, or with no JSON at all."""
    if random.random() < 0.2:
        return random.choice([b"", b"{", b"[" * 20_000, b"\xff", b"null", b'{"a":1}', b'"x"', b"1e999"])
    name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
    fields = document["components"]["schemas"][name]["properties"]
    return json.dumps({field: random.choice(ODD) for field in fields if random.random() < 0.8}).encode()


def test_a_program_finds_tables_page_by_page(served: Served, program: Make) -> None:
    for number in range(26):
        program(f"Searched {number}").post("tables", game="shanghaien", seats=[ME, OPEN])
    seeker, seen, after = program("Seeker"), list[str](), ""
    while True:
        page = seeker.get("tables/found", name="searched", after=after)
        assert page["number"] == 26
        seen += [table["id"] for table in page["tables"]]
        after = page["after"]
        if not after:
            break
    assert len(seen) == len(set(seen)) == 26
    assert seeker.get("tables/found", name="searched 7", game="shanghaien", pace="none")["number"] == 1
    assert seeker.get("tables/found", name="searched", game="dutchman")["tables"] == []
    assert seeker.client.get("tables/found", params={"after": "yesterday"}).status_code == 400
