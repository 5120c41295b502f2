"""The built wheel is whole: installed into an empty environment, it draws the chart and plays both games."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]

# Built and installed once, for all of them.
pytestmark = pytest.mark.xdist_group("package")


@dataclass(frozen=True)
class Installed:
    wheel: Path
    programs: Path
    elsewhere: Path

    def run(self, program: str, *arguments: str) -> str:
        """What the installed program prints, in a folder and with a home that know nothing of the source."""
        environment = {"PATH": os.defpath, "HOME": str(self.elsewhere), "NO_COLOR": "1", "COLUMNS": "80"}
        return run([self.programs / program, *arguments], self.elsewhere, environment)


def run(command: list[str | Path], folder: Path, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout


def find_uv() -> str:
    """The one that ./test has made for itself, or one on the PATH."""
    places = [str(ROOT / ".kontor" / "uv" / "bin"), os.environ.get("PATH", os.defpath)]
    uv = shutil.which("uv", path=os.pathsep.join(places))
    if uv is None:
        missing = "the program uv, which builds the wheel, is missing"
        if "CI" in os.environ:
            pytest.fail(missing)
        pytest.skip(missing)
    return uv


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    uv = find_uv()
    folder = tmp_path_factory.mktemp("package")
    environment = folder / "environment"
    programs = environment / ("Scripts" if sys.platform == "win32" else "bin")
    run([uv, "build", "--wheel", "--out-dir", folder], ROOT)
    (wheel,) = folder.glob("*.whl")
    # In the source's folder, where a uv that is a shim for several versions is known to run.
    run([uv, "venv", "--python", sys.executable, environment], ROOT)
    run([uv, "pip", "install", "--python", programs / "python", wheel], ROOT)
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    return Installed(wheel, programs, elsewhere)


def test_everything_of_the_source_is_in_the_wheel(installed: Installed) -> None:
    source = ROOT / "src"
    files = {path.relative_to(source).as_posix() for path in source.rglob("*") if path.is_file()}
    wanted = {file for file in files if "__pycache__" not in file}
    assert {"kontor/py.typed", "kontor/dutchman/chart.toml"} <= wanted
    with ZipFile(installed.wheel) as wheel:
        held = set(wheel.namelist())
    assert wanted - held == set()
    assert [name for name in held if name.endswith("licenses/LICENSE")]


def test_the_installed_package_is_the_one_that_runs(installed: Installed) -> None:
    where = installed.run("python", "-c", "import kontor; print(kontor.__file__)")
    assert Path(where.strip()).is_relative_to(installed.programs.parent)


def test_the_installed_command_draws_the_chart(installed: Installed) -> None:
    drawn = installed.run("kontor", "chart")
    chart = tomllib.loads((ROOT / "src/kontor/dutchman/chart.toml").read_text("utf-8"))
    assert [island["name"] for island in chart["island"] if island["name"] not in drawn] == []


@pytest.mark.parametrize(
    ("game", "players"),
    [("shanghaien", ["greedy", "random"]), ("dutchman", ["greedy", "random", "random", "random"])],
)
def test_the_installed_command_plays_a_game(installed: Installed, game: str, players: list[str]) -> None:
    arguments = ["--players", ",".join(players), "--games", "1", "--seed", "1", "--json"]
    table: dict[str, Any] = json.loads(installed.run("kontor", "simulate", game, *arguments))
    assert table["game"] == game
    assert table["games"] == 1
    assert table["decisions_per_second"] > 0
    rows = table["players"]
    assert [row["name"] for row in rows] == players
    assert [row["games"] for row in rows] == [1] * len(players)
    assert sum(row["wins"] for row in rows) == 1 or sum(row["draws"] for row in rows) >= 2
    for row in rows:
        assert set(row) >= {"name", "games", "wins", "draws", "share", "ci95", "mean_points"}
