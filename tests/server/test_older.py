"""A server left by an older Kontor: it is opened and goes on, from its database and from its backup."""

import gzip
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from guests import Clock, play_out
from kontor import records
from kontor.plugins import game_named
from kontor.server.composition import KontorServer
from kontor.server.copies import restore
from kontor.storage import Place
from kontor.storage.sqlite import DATABASE
from kontor.tables.finished_games import GameFilter
from kontor.thinking.turn_tasks import appraisal_of
from postgresql import Server
from server.older import GOLDEN

KNOWN: Final = json.loads((GOLDEN / "house.json").read_text("utf-8"))
TABLES: Final[dict[str, str]] = KNOWN["tables"]
ANNA: Final[str] = KNOWN["people"]["Anna"]
BERND: Final[str] = KNOWN["people"]["Bernd"]


@pytest.fixture(scope="module", params=["database", "backup", "backup to postgresql"])
def opened(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Yield the place of the old server, which has been opened once; tests copy it."""
    place: Place = tmp_path_factory.mktemp("older")
    with ExitStack() as undo:
        if request.param == "backup to postgresql":
            server: Server = request.getfixturevalue("postgres")
            name = server.create()
            undo.callback(server.drop, name)
            place = server.address(name)
        if request.param == "database":
            (Path(place) / DATABASE).write_bytes(gzip.decompress((GOLDEN / "house.db.gz").read_bytes()))
        else:
            restore(GOLDEN / "house.kontor", place)
        KontorServer.open(place, _later).close()
        yield place


def _later() -> datetime:
    return Clock()() + timedelta(minutes=10)


@pytest.fixture
def place(opened: Place) -> Place:
    return opened


@pytest.fixture
def service(copied: Callable[[], Place]) -> Iterator[KontorServer]:
    with KontorServer.open(copied(), _later) as service:
        yield service


def test_everything_is_there(service: KontorServer) -> None:
    status = {name: service.tables.info(table).status for name, table in TABLES.items()}
    assert status == {
        "over shanghaien": "over",
        "over dutchman": "over",
        "rematch": "playing",
        "playing shanghaien": "playing",
        "playing dutchman": "playing",
        "practice": "playing",
        "waiting shanghaien": "waiting",
        "waiting dutchman": "waiting",
    }
    archived = [game.table.id for game in service.finished_games.find(GameFilter()).games]
    assert set(archived) == {TABLES["over shanghaien"], TABLES["over dutchman"]}
    person = service.people.holder_of_session(KNOWN["session"])
    assert person is not None
    assert (person.id, person.name) == (ANNA, "Anna")
    program = service.people.of_api_token(KNOWN["api"])
    assert program is not None
    assert (program.id, program.scopes) == (ANNA, ("play", "read")), "what it could is what it can"
    chat = service.tables.view(TABLES["over shanghaien"]).chat_lines()
    assert [line.text for line in chat if line.kind == "said"] == ["Noch einmal?"]
    practice = service.tables.info(TABLES["practice"])
    assert practice.mover is not None
    hint = service.hints.get(practice.id, practice.mover, practice.number)
    assert hint is not None
    assert hint.advice is not None
    assert appraisal_of(game_named("shanghaien"), hint.advice).moves


def test_games_that_were_over_verify_as_they_were_written(service: KontorServer) -> None:
    for name in ("over shanghaien", "over dutchman"):
        info, record = service.tables.info(TABLES[name]), service.tables.record(TABLES[name])
        assert record.header.record == 1
        assert records.verify(records.decode(records.encode(record))).result == info.result is not None
        assert info.early is None


def test_games_that_were_going_on_are_played_to_their_end(service: KontorServer) -> None:
    playing = TABLES["playing dutchman"]
    late = KNOWN["late"]
    assert service.tables.info(playing).seats[late].stood_in == "expert", "who sat in sits there still"
    service.clocks.come_back(playing, late, (ANNA, BERND)[late])
    going = [TABLES[name] for name in ("rematch", "playing shanghaien", "playing dutchman", "practice")]
    play_out(service, *going)
    for table in going:
        assert records.verify(service.tables.record(table)).result == service.tables.info(table).result is not None


def test_tables_that_waited_are_sat_down_at(service: KontorServer) -> None:
    shanghaien, dutchman = TABLES["waiting shanghaien"], TABLES["waiting dutchman"]
    service.opening.sit(shanghaien, 1, ANNA, KNOWN["invitation"])
    service.opening.sit(dutchman, 1, ANNA)
    service.opening.fill(dutchman, 2, BERND, "random")
    play_out(service, shanghaien, dutchman)
    for table in (shanghaien, dutchman):
        assert records.verify(service.tables.record(table)).dice


def test_what_old_tables_were_promised_is_kept_and_what_is_new_works_there(service: KontorServer) -> None:
    assert {service.tables.info(table).takeover for table in TABLES.values()} == {"expert"}
    assert {service.tables.info(table).claimable for table in TABLES.values()} == {None}
    service.early_endings.resign(TABLES["playing dutchman"], 1, BERND)
    assert service.tables.info(TABLES["playing dutchman"]).seats[1].stood_in == "expert"
    service.early_endings.propose(TABLES["practice"], 0, ANNA)
    service.early_endings.agree(TABLES["practice"], BERND)
    service.early_endings.resign(TABLES["playing shanghaien"], 0, ANNA)
    for name in ("practice", "playing shanghaien"):
        early = records.verify(service.tables.record(TABLES[name])).early
        assert early == service.tables.info(TABLES[name]).early is not None
