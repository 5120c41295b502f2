"""The commands for whoever keeps a house: what they say, and that they say it in a sentence."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from kontor.cli import run
from kontor.table import House
from table.guests import CARLA, ME, play_out, query, shanghaien


@pytest.fixture(autouse=True)
def _in_english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.delenv("KONTOR_DATABASE", raising=False)


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """The folder of a house in which a game was played, and another goes on."""
    with House.open(tmp_path / "house") as house:
        anna = house.guest("Anna")[0].id
        play_out(house, house.open_table(anna, shanghaien(ME, CARLA)))
        house.open_table(anna, shanghaien(ME, CARLA))
    return tmp_path / "house"


def said(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    """What a command says that does what it should."""
    assert run(command) == 0
    heard = capsys.readouterr()
    assert not heard.err
    return heard.out


def refused(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    """Why a command does nothing: a sentence."""
    assert run(command) == 1
    heard = capsys.readouterr()
    assert not heard.out
    return " ".join(heard.err.split())


def test_a_house_is_backed_up_and_restored(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with House.open(house):
        told = said(capsys, "backup", "monday.kontor", "--data", "house")
    ((lines,),) = query(house, "SELECT count(*) FROM steps")
    assert re.match(rf"Copied in \d+\.\d s: people 1, tables 2, moves and dice {lines}\.\n", told)
    assert "monday.kontor" in told
    assert "keep it safe" in told
    assert "as it was" in said(capsys, "restore", "monday.kontor", "--data", "other")
    assert query(Path("other"), "SELECT * FROM steps ORDER BY table_id, number") == query(
        house, "SELECT * FROM steps ORDER BY table_id, number"
    )


def test_the_usual_folder_is_backed_up_if_nothing_is_said(
    house: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    house.rename(tmp_path / "kontor")
    assert "people 1" in said(capsys, "backup", "monday.kontor")


def test_a_house_is_moved_to_postgresql_and_back(
    house: Path, database: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = said(capsys, "move", "--from", "house", "--to", database)
    assert "people 1, tables 2" in told
    assert "Every row was read back" in told
    assert "2 games" in told
    monkeypatch.setenv("KONTOR_DATABASE", database)
    assert "people 1, tables 2" in said(capsys, "backup", "monday.kontor")
    assert "2 games" in said(capsys, "move", "--from", database, "--to", "back")
    assert query(Path("back"), "SELECT name FROM people") == [("Anna",)]


def test_games_that_cannot_be_played_again_are_told(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ((broken,),) = query(house, "SELECT id FROM tables WHERE status = 'playing'")
    query(house, "UPDATE tables SET mover = 1 - mover WHERE id = ?", broken)
    told = said(capsys, "move", "--from", "house", "--to", "other")
    assert "The one game" in told
    assert f"One game cannot be played again by this Kontor, neither here nor there: {broken}." in told


def test_what_stands_in_the_way_is_told_in_a_sentence(
    house: Path, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "no house in nowhere" in refused(capsys, "backup", "monday.kontor", "--data", "nowhere")
    Path("monday.kontor").write_text("Dear diary,")
    assert "choose another name" in refused(capsys, "backup", "monday.kontor", "--data", "house")
    assert "no backup of Kontor" in refused(capsys, "restore", "monday.kontor", "--data", "other")
    assert not Path("other").exists()
    assert "cannot be used" in refused(capsys, "restore", "tuesday.kontor", "--data", "other")
    assert "cannot be used" in refused(capsys, "backup", "no/folder", "--data", "house")
    with House.open(house):
        assert "Another Kontor" in refused(capsys, "move", "--from", "house", "--to", "other")
    assert "in a folder or in a database" in refused(
        capsys, "backup", "tuesday.kontor", "--data", "house", "--database", database
    )
    shutil.copytree(house, "copy")
    assert "Choose an empty place" in refused(capsys, "move", "--from", "house", "--to", "copy")


def test_no_password_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    address = "postgresql://anna:secret@127.0.0.1:1/house"
    for command in (["backup", "file", "--database", address], ["move", "--from", address, "--to", "other"]):
        told = refused(capsys, *command)
        assert "postgresql://127.0.0.1:1/house" in told
        assert "secret" not in told
