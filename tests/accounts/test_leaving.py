"""Deleted accounts: the database no longer holds the person, and others keep their games."""

from io import BytesIO
from random import Random
from typing import Any
from zipfile import ZipFile

import msgspec
import pytest

from guests import (
    CARLA,
    FRIEND,
    MACHINE,
    ME,
    OPEN,
    Clock,
    as_of,
    dutchman,
    play_one,
    play_out,
    query,
    quick,
    shanghaien,
)
from kontor import records
from kontor.accounts.archive import pack_data
from kontor.accounts.passkeys import Credential
from kontor.errors import BadCode, BadName, NoTable, NotAllowed
from kontor.notifying.values import Rhythm, WayKind
from kontor.people.person_rows import NOBODY
from kontor.people.texts import LEFT
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.storage.schema import METADATA
from kontor.tables.values import Mail, Pace, Share
from kontor.words import Words

NAME = "Annegret Zwölfmüller"
SAID = ("Guten Morgen allerseits", "Mein Geheimnis", "Bis morgen")


def find_rows(place: Place, *texts: str) -> list[tuple[str, Any]]:
    """Return every row of the database, with its table, that contains any of the texts."""
    return [
        (table, row)
        for table in METADATA.tables
        for row in query(place, f"SELECT * FROM {table}")  # noqa: S608
        if any(text in str(value) for value in row for text in texts)
    ]


class Party:
    """Annegret and Bernd at tables in every state; she has talked at each."""

    def __init__(self, service: KontorServer) -> None:
        self.service = service
        (self.anna, self.session), (self.bernd, _) = (service.people.guest(name) for name in (NAME, "Bernd"))
        self.code = service.recovery.new_code(self.anna.id)
        self.program = service.people.api_token(self.anna.id, "robot")
        self.link = service.people.device_link(self.anna.id)
        self.over = service.opening.open(self.anna.id, shanghaien(ME, OPEN), Share("ein Wort"))
        self.running = service.opening.open(self.bernd.id, dutchman(ME, OPEN, OPEN, pace=Pace("live", 30, 60)))
        self.duel = service.opening.open(self.anna.id, shanghaien(ME, OPEN, takeover="steady"))
        self.alone = service.opening.open(self.anna.id, shanghaien(ME, MACHINE))
        self.waiting = service.opening.open(self.anna.id, dutchman(ME, OPEN, OPEN))
        self.empty = service.opening.open(self.anna.id, shanghaien(ME, FRIEND))
        self.carla = service.people.guest("Carla")[0]
        service.talk.say(self.waiting, self.anna.id, SAID[0])
        for table in (self.over, self.duel, self.waiting):
            service.opening.sit(table, 1, self.bernd.id)
        for seat, person in ((1, self.anna.id), (2, self.carla.id)):
            service.opening.sit(self.running, seat, person)
        assert [service.tables.info(table).status for table in (self.over, self.running, self.duel, self.alone)] == [
            "playing"
        ] * 4
        play_out(service, self.over)
        random = Random(3)
        for _ in range(6):
            play_one(service, self.running, random)
            play_one(service, self.duel, random)
        for table, text in zip((self.over, self.running), SAID[1:], strict=True):
            service.talk.say(table, self.anna.id, text)
        service.talk.say(self.over, self.bernd.id, "Ich bleibe")


def test_nothing_in_the_database_tells_of_who_has_left(service: KontorServer, place: Place) -> None:
    party = Party(service)
    assert find_rows(place, NAME, *SAID), "or the test would find nothing anyway"
    service.leaving.leave(party.anna.id, NAME)
    assert not find_rows(place, NAME, *SAID)
    assert [table for table, _ in find_rows(place, party.anna.id)] == ["acts"], "that it was done, of an id"
    assert [row[3:] for row in query(place, "SELECT * FROM acts")] == [("leave", party.anna.id)]
    assert service.people.use_session(party.session)[0] is None
    assert service.people.of_api_token(party.program) is None
    with pytest.raises(BadCode):
        service.recovery.sign_in(party.code)
    with pytest.raises(NotAllowed):
        service.people.rename(party.anna.id, "Anna")
    with pytest.raises(NotAllowed):
        service.opening.open(party.anna.id, shanghaien(ME, CARLA))


def test_others_keep_their_games_with_somebody_who_left(service: KontorServer) -> None:
    party = Party(service)
    before = service.tables.record(party.over)
    service.leaving.leave(party.anna.id, NAME)
    info = service.tables.info(party.over, party.bernd.id)
    assert [seat.name for seat in info.seats] == [LEFT, "Bernd"]
    assert info.host, "the table is in other hands"
    record = service.tables.record(party.over)
    records.verify(record)
    assert record.header.seats == (LEFT, "Bernd")
    assert record.steps == before.steps
    assert record.ending
    assert before.ending
    assert record.ending.seed == before.ending.seed
    chat = [(line.kind, line.name, line.text) for line in service.tables.view(party.over).chat_lines()]
    assert ("removed", LEFT, "") in chat
    assert ("said", "Bernd", "Ich bleibe") in chat
    for table in (party.alone, party.empty):
        with pytest.raises(NoTable):
            service.tables.info(table)
    again = service.opening.rematch(party.over, party.bernd.id)
    seats = service.tables.info(again).seats
    assert [(seat.name, seat.taken, seat.kind) for seat in seats] == [
        ("", False, "friend"),
        ("Bernd", True, "friend"),
    ]


def test_running_games_go_on_with_a_computer_player_of_the_tables_level(service: KontorServer, clock: Clock) -> None:
    party = Party(service)
    service.leaving.leave(party.anna.id, NAME)
    for table, level in ((party.running, "casual"), (party.duel, "steady")):
        info = service.tables.info(table, party.bernd.id)
        assert info.status == "playing"
        (vacated,) = (seat for seat in info.seats if seat.name == LEFT)
        assert (vacated.stood_in, vacated.resigned) == (level, True)
    machines = quick(service)
    random = Random(5)
    while service.tables.info(party.duel).status == "playing":
        if not machines.one_round():
            play_one(service, party.duel, random)
    assert records.verify(service.tables.record(party.duel)).result
    waiting = service.tables.info(party.waiting, party.bernd.id)
    assert waiting.host
    assert [seat.name for seat in waiting.seats] == ["", "Bernd", ""]


def test_a_game_that_nobody_plays_on_ends(service: KontorServer) -> None:
    party = Party(service)
    for person in (party.bernd, party.carla):
        seat = service.opening.seats_of(party.running, person.id)[0]
        service.early_endings.resign(party.running, seat, person.id)
    assert service.tables.info(party.running).status == "playing"
    service.leaving.leave(party.anna.id, NAME)
    assert service.tables.info(party.running).status == "over"
    assert records.verify(service.tables.record(party.running)).early


def test_when_the_last_person_has_left_the_game_goes(service: KontorServer, place: Place) -> None:
    party = Party(service)
    service.leaving.leave(party.anna.id, NAME)
    service.leaving.leave(party.bernd.id, "Bernd")
    assert {seat.name for seat in service.tables.info(party.running).seats} == {LEFT, f"{LEFT} 2", "Carla"}
    service.leaving.leave(party.carla.id, "Carla")
    assert query(place, "SELECT id FROM tables") == []
    assert query(place, "SELECT table_id FROM steps") == []
    assert query(place, "SELECT id FROM people") == [(NOBODY,)]


def test_the_name_must_be_typed(service: KontorServer) -> None:
    anna, session = service.people.guest("Anna")
    for typed in ("", "anna", "Anna B", "\ud800"):
        with pytest.raises(BadName):
            service.leaving.leave(anna.id, typed)
    assert service.people.use_session(session)[0] == anna
    service.leaving.leave(anna.id, " Anna ")
    assert service.people.use_session(session)[0] is None


def test_what_is_left_over_follows_by_and_by(
    service: KontorServer, place: Place, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that a stopped server goes on where it was."""
    party = Party(service)
    monkeypatch.setattr("kontor.accounts.leaving.AT_ONCE", 2)
    service.leaving.leave(party.anna.id, NAME)
    assert find_rows(place, party.anna.id, *SAID)
    assert not query(place, "SELECT hash FROM tokens WHERE person = ?", party.anna.id)
    assert service.people.use_session(party.session)[0] is None
    for _ in range(4):
        clock.tick(seconds=10)
        service.upkeep.record_heartbeat()
    assert [table for table, _ in find_rows(place, NAME, *SAID, party.anna.id)] == ["acts"]


def test_nobody_is_called_like_who_has_left(service: KontorServer) -> None:
    for name in (LEFT, "Someone who  left", "sοmeone who left"):
        with pytest.raises(BadName):
            service.people.guest(name)


def test_what_was_said_before_is_known_to_be_whose(place: Place, clock: Clock) -> None:
    """Check chat of an older Kontor, which did not store who had said something."""
    with KontorServer.open(place, clock) as service:
        party = Party(service)
        host = service.opening.open(party.anna.id, dutchman(OPEN, OPEN, MACHINE))
        service.opening.sit(host, 0, party.bernd.id)
        service.talk.say(host, party.anna.id, "Noch nicht")
    as_of(place, "0013")
    with KontorServer.open(place, clock) as service:
        assert {line.text for line in service.export.of(party.anna.id).talk} == {*SAID, "Noch nicht"}
        service.leaving.leave(party.anna.id, NAME)
        assert [table for table, _ in find_rows(place, NAME, "Noch nicht", *SAID)] == []


def test_what_a_person_has_set_is_in_their_data_and_gone_with_them(service: KontorServer, place: Place) -> None:
    """Search every column of every table for everything that a person can tell a server."""
    party = Party(service)
    anna = party.anna.id
    sent: list[tuple[str, str]] = []

    def letter(address: str, code: str) -> Mail:
        sent.append((address, code))
        return Mail(address, "Code", (code,))

    entered = {
        "address": "annegret@mail.example",
        "webhook": "https://hooks.example/annegret",
        "discord": "https://discord.example/annegret",
        "push": "https://push.example/annegret",
        "program": "Annegrets Roboter",
        "passkey": "Annegrets Handy",
        "reason": "Das war gemein",
    }
    service.ways.claim_address(anna, entered["address"], letter)
    service.ways.confirm_address(anna, sent[0][1], "it", "https://games.example")
    kinds: tuple[WayKind, ...] = ("webhook", "discord", "push")
    for kind in kinds:
        service.ways.add(anna, kind, entered[kind], "s3cret", "it", "https://games.example")
    ways = {way.id: Rhythm("daily", 7, 0, 22, 8) for way in service.ways.of(anna).ways}
    service.ways.choose(anna, ways, "it", "https://games.example", zone="Europe/Rome")
    feed = service.ways.new_feed(anna, "it", "https://games.example")
    service.people.api_token(anna, entered["program"])
    service.passkeys.add(anna, entered["passkey"], Credential("Y3JlZGVudGlhbA", b"key", 0, anna))
    service.passkeys.new_challenge(party.session, anna)
    service.blocking.put(party.over, anna, "seat-1", "mute")
    service.blocking.report(party.over, anna, "seat-1", 0, entered["reason"])
    service.blocking.report(party.over, party.bernd.id, "seat-0", 2, "Sie auch")
    assert service.ways.feed(feed)
    # In the outbox there are a code still to be sent, and a notification for her.
    service.ways.claim_address(anna, entered["address"], letter)
    for way in service.ways.of(anna).ways:
        service.ways.try_now(anna, way.id)

    with ZipFile(BytesIO(pack_data(Words("en"), service, anna))) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    person = msgspec.json.decode(files["person.json"])
    for text in (NAME, *entered.values()):
        assert text in files["person.json"]
    for text in SAID:
        assert text in files["chat.json"]
    settings = person["notifications"]
    assert (settings["zone"], settings["language"]) == ("Europe/Rome", "it")
    assert (settings["address"], settings["confirmed"], settings["feed"]) == (entered["address"], True, True)
    chosen = {"frequency": "daily", "hour": 7, "lead": 0, "quiet_from": 22, "quiet_to": 8}
    assert all(way["rhythm"] == chosen for way in settings["ways"])
    assert {(way["kind"], way["address"]) for way in settings["ways"]} == {("mail", "")} | {
        (kind, entered[kind]) for kind in kinds
    }
    assert [report["reason"] for report in person["reports"]] == [entered["reason"]]
    assert [(other["kind"], other["name"]) for other in person["blocked"]] == [("mute", "Bernd")]
    secrets = (party.session, party.code, party.program, party.link, feed, "s3cret", "Y3JlZGVudGlhbA")
    for secret in secrets:
        assert secret not in "".join(files.values())

    texts = (NAME, *SAID, *entered.values(), "annegret", "s3cret", "Y3JlZGVudGlhbA", "Sie auch")
    for text in texts:
        assert find_rows(place, text), f"or the test would not find {text} anyway"
    service.leaving.leave(anna, NAME)
    assert not find_rows(place, *texts)
    assert {table for table, _ in find_rows(place, anna)} == {"acts"}, "that it was done, of an id"
