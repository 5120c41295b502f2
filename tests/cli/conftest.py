"""Fixtures of commands: a plain surrounding, and records of finished games."""

from pathlib import Path

import pytest

from kontor import arena
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules import Options as Dutchman
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules import Options as Shanghaien


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Run in an empty folder, in English, without colours."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.setenv("LOGNAME", "mina")
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def game_over(tmp_path: Path) -> Path:
    """Return the record of a finished game of Shanghaien."""
    arena.simulate(SHANGHAIEN, Shanghaien(), ["random", "random"], 1, 1, folder=tmp_path / "games")
    return next((tmp_path / "games").iterdir())


@pytest.fixture
def voyage(tmp_path: Path) -> Path:
    """Return the record of a finished game of the Holländer."""
    players = ["greedy", "random", "random"]
    arena.simulate(DUTCHMAN, Dutchman(players=3), players, 1, 2, folder=tmp_path / "voyages")
    return next((tmp_path / "voyages").iterdir())
