"""A house that an older Kontor left behind is opened, and all goes on: from its database, and from its backup."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from kontor import records
from kontor.games import game_named
from kontor.table import House
from kontor.table.copies import restore
from kontor.table.storage import Place
from kontor.table.storage.sqlite import DATABASE
from kontor.thinking.thoughts import appraisal_of

from .guests import Clock, play_out
from .older import GOLDEN

KNOWN: Final = json.loads((GOLDEN / "house.json").read_text("utf-8"))
TABLES: Final[dict[str, str]] = KNOWN["tables"]
ANNA: Final[str] = KNOWN["people"]["Anna"]
BERND: Final[str] = KNOWN["people"]["Bernd"]


@pytest.fixture(params=["database", "backup", "backup to postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Where the old house stands by now."""
    if request.param == "database":
        (tmp_path / DATABASE).write_bytes(gzip.decompress((GOLDEN / "house.db.gz").read_bytes()))
        return tmp_path
    place: Place = tmp_path if request.param == "backup" else request.getfixturevalue("database")
    restore(GOLDEN / "house.kontor", place)
    return place


@pytest.fixture
def house(place: Place) -> Iterator[House]:
    clock = Clock()
    clock.tick(minutes=10)
    with House.open(place, clock) as house:
        yield house


def test_everything_is_there(house: House) -> None:
    status = {name: house.info(table).status for name, table in TABLES.items()}
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
    person = house.person_of_session(KNOWN["session"])
    assert person is not None
    assert (person.id, person.name) == (ANNA, "Anna")
    assert house.person_of_api_token(KNOWN["api"]) == person
    assert [said.text for said in house.said(TABLES["over shanghaien"]) if said.kind == "said"] == ["Noch einmal?"]
    practice = house.info(TABLES["practice"])
    assert practice.mover is not None
    hint = house.hint(practice.id, practice.mover, practice.number)
    assert hint is not None
    assert hint.found is not None
    assert appraisal_of(game_named("shanghaien"), hint.found).moves


def test_games_that_were_over_verify_as_they_were_written(house: House) -> None:
    for name in ("over shanghaien", "over dutchman"):
        info, record = house.info(TABLES[name]), house.record(TABLES[name])
        assert record.header.record == 1
        assert records.verify(records.decode(records.encode(record))).result == info.result is not None
        assert info.early is None


def test_games_that_were_going_on_are_played_to_their_end(house: House) -> None:
    playing = TABLES["playing dutchman"]
    late = KNOWN["late"]
    assert house.info(playing).seats[late].stood_in == "expert", "who sat in sits there still"
    house.come_back(playing, late, (ANNA, BERND)[late])
    going = [TABLES[name] for name in ("rematch", "playing shanghaien", "playing dutchman", "practice")]
    play_out(house, *going)
    for table in going:
        assert records.verify(house.record(table)).result == house.info(table).result is not None


def test_tables_that_waited_are_sat_down_at(house: House) -> None:
    shanghaien, dutchman = TABLES["waiting shanghaien"], TABLES["waiting dutchman"]
    house.sit(shanghaien, 1, ANNA, KNOWN["invitation"])
    house.sit(dutchman, 1, ANNA)
    house.fill(dutchman, 2, BERND, "random")
    play_out(house, shanghaien, dutchman)
    for table in (shanghaien, dutchman):
        assert records.verify(house.record(table)).dice


def test_what_old_tables_were_promised_is_kept_and_what_is_new_works_there(house: House) -> None:
    assert {house.info(table).takeover for table in TABLES.values()} == {"expert"}
    assert {house.info(table).claimable for table in TABLES.values()} == {None}
    house.resign(TABLES["playing dutchman"], 1, BERND)
    assert house.info(TABLES["playing dutchman"]).seats[1].stood_in == "expert"
    house.propose_end(TABLES["practice"], 0, ANNA)
    house.agree_to_end(TABLES["practice"], BERND)
    house.resign(TABLES["playing shanghaien"], 0, ANNA)
    for name in ("practice", "playing shanghaien"):
        assert records.verify(house.record(TABLES[name])).early == house.info(TABLES[name]).early is not None
