"""A person's data on the server: only they can get it, and only they can delete it."""

from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import msgspec

from guests import CARLA, ME, play_out, shanghaien
from kontor import records
from kontor.accounts.archive import pack_data
from kontor.server.composition import KontorServer
from kontor.tables.rows import seed_of
from kontor.web.http.limits import Limit
from kontor.words import Words
from web.conftest import GENEROUS, Served
from web.guests import Guest, seat_friend


def unpack(body: bytes) -> dict[str, bytes]:
    with ZipFile(BytesIO(body)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_file_holds_what_the_person_may_know_and_no_game_before_its_end(service: KontorServer) -> None:
    (anna, session), (bernd, _) = service.people.guest("Anna"), service.people.guest("Bernd")
    program = service.people.api_token(anna.id, "robot")
    code = service.recovery.new_code(anna.id)
    over = service.opening.open(anna.id, shanghaien(ME, CARLA))
    play_out(service, over)
    running = service.opening.open(anna.id, shanghaien(ME, CARLA))
    others = service.opening.open(bernd.id, shanghaien(ME, CARLA))
    service.talk.say(running, anna.id, "Guten Morgen")
    service.talk.say(others, bernd.id, "Unter uns")
    files = unpack(pack_data(Words("en"), service, anna.id))
    assert set(files) == {
        "README.txt", "person.json", "tables.json", "puzzles.json", "chat.json", "messages.json", "notes.json",
        "moves_ahead.json", "ratings.json", "tournaments.json", "own_records.json", f"records/{over}.jsonl",
    }  # fmt: skip
    person, tables, talk = (msgspec.json.decode(files[f"{name}.json"]) for name in ("person", "tables", "chat"))
    assert (person["format"], person["name"]) == (1, "Anna")
    assert person["recovery_code"]
    assert {login["label"] for login in person["sessions"]} == {"robot", ""}
    assert [(table["id"], table["status"]) for table in tables] == [(over, "over"), (running, "playing")]
    assert [(line["table"], line["text"]) for line in talk] == [(running, "Guten Morgen")]
    assert records.verify(records.decode(files[f"records/{over}.jsonl"])).result
    contents = b"".join(files.values())
    for secret in (session, program, code, anna.id, bernd.id, "Unter uns", others):
        assert secret.encode() not in contents
    with service._transactions.reading() as db:
        seeds = {table: seed_of(db, table).hex().encode() for table in (over, running)}
    assert seeds[running] not in contents
    assert seeds[over] in contents, "that of a game that is over is known to all"


def test_the_file_is_given_to_the_person_alone_and_not_often(tmp_path: Path) -> None:
    limits = {**GENEROUS, "export": Limit(1, 0.01)}
    with Served(tmp_path, limits) as served, served.guest("Anna") as anna, served.guest() as stranger:
        answer = anna.client.get("/you/data.zip")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/zip"
        assert answer.headers["content-disposition"] == 'attachment; filename="kontor.zip"'
        assert answer.headers["cache-control"] == "no-store"
        assert msgspec.json.decode(unpack(answer.content)["person.json"])["name"] == "Anna"
        assert anna.get("/you").has("own-data")
        assert anna.get("/you/data.zip").status == 429
        assert stranger.get("/you/data.zip").status == 403
        person = served.person_id(anna)
        token = served.service.people.api_token(person)
        assert stranger.client.get("/you/data.zip", headers={"authorization": f"Bearer {token}"}).status_code == 403


def test_whoever_leaves_is_nobody_at_once_and_is_asked_before(served: Served, anna: Guest, bernd: Guest) -> None:
    table = seat_friend(anna, bernd)
    anna.press(anna.get(table).button("say-go"), text="Bis gleich")
    cookie = anna.client.cookies["kontor"]
    page = anna.get("/you/leave")
    assert "To confirm, type your name: Anna" in page.text("main")
    refused = anna.press(page.button("leave-go"), name="Bernd")
    assert refused.status == 422
    assert "This is not your name. Nothing was deleted." in refused.text("refused")
    assert anna.get("/you").status == 200
    # Neither another page nor another person can do it.
    fields = page.button("leave-go").form.fields
    for sent, site in (({"name": "Anna"}, "same-origin"), ({**fields, "name": "Anna"}, "cross-site")):
        answer = anna.client.post("/you/leave", data=sent, headers={"sec-fetch-site": site})
        assert answer.status_code == 403
    with served.guest() as stranger:
        assert stranger.get("/you/leave").status == 403
        assert stranger.post("/you/leave", {"name": "Anna"}).status == 403
    assert bernd.press(bernd.get("/you/leave").button("leave-go"), name="Anna").status == 422
    assert anna.get("/you").status == bernd.get("/you").status == 200
    assert "Everything is deleted." in anna.press(anna.get("/you/leave").button("leave-go"), name="Anna").text("main")
    assert anna.get("/you").status == 403
    with served.guest(headers={"cookie": f"kontor={cookie}"}) as thief:
        assert thief.get("/you").status == 403
    for language, replacement in (
        ("en", "someone who left"),
        ("de", "jemand, der gegangen ist"),
        ("ja", "退会した人"),
    ):
        seen = bernd.client.get(table, headers={"accept-language": language}).text
        assert replacement in seen
        assert "Anna" not in seen
        assert "Bis gleich" not in seen
