"""The built wheel is whole: installed into an empty environment, it draws the chart and plays both games. Whatever
tells somebody to install something names what is ours."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from kontor.distribution import NAME

ROOT = Path(__file__).parents[1]

# Built and installed once, for all of them.
pytestmark = [pytest.mark.process, pytest.mark.xdist_group("package")]


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
    assert {"kontor/py.typed", "kontor/games/dutchman/rules/chart.toml"} <= wanted
    with ZipFile(installed.wheel) as wheel:
        held = set(wheel.namelist())
    assert wanted - held == set()
    assert [name for name in held if name.endswith("licenses/LICENSE")]


def test_the_installed_package_is_the_one_that_runs(installed: Installed) -> None:
    where = installed.run("python", "-c", "import kontor; print(kontor.__file__)")
    assert Path(where.strip()).is_relative_to(installed.programs.parent)


def test_the_installed_command_draws_the_chart(installed: Installed) -> None:
    drawn = installed.run("kontor", "chart")
    chart = tomllib.loads((ROOT / "src/kontor/games/dutchman/rules/chart.toml").read_text("utf-8"))
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


def test_the_package_says_under_which_licences_it_is_and_brings_them(installed: Installed) -> None:
    told = installed.run(
        "python",
        "-c",
        "from importlib.metadata import metadata\n"
        f"told = metadata('{NAME}')\n"
        "print(told['License-Expression'], *told.get_all('License-File'), sep='\\n')",
    )
    expression, *licences = told.splitlines()
    assert expression == "MIT AND OFL-1.1 AND 0BSD AND Unicode-DFS-2016"
    assert {Path(name).name for name in licences} == {
        "LICENSE",
        "htmx-LICENSE.txt",
        "kontor-text-LICENSE.txt",
        "confusables-LICENSE.txt",
    }
    with ZipFile(installed.wheel) as wheel:
        held = {name.partition("licenses/")[2] for name in wheel.namelist() if ".dist-info/licenses/" in name}
    assert held == set(licences)


def test_the_source_distribution_brings_the_licences_too(tmp_path: Path) -> None:
    run([find_uv(), "build", "--sdist", "--out-dir", tmp_path], ROOT)
    (archive,) = tmp_path.glob("kontor_table-*.tar.gz")
    with tarfile.open(archive) as source:
        held = {name.partition("/")[2] for name in source.getnames()}
    static = "src/kontor/web/pages/static"
    assert {"LICENSE", f"{static}/htmx-LICENSE.txt", f"{static}/kontor-text-LICENSE.txt"} <= held
    assert "src/kontor/table/confusables-LICENSE.txt" in held


# ------------------------------------------------------------------------------------------- what is to be installed


TEXTS = (
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs",
    "deploy",
    "examples",
    "bench",
    "scripts",
    "src",
    "kontor",
)
KINDS = {"", ".md", ".py", ".po", ".html", ".txt", ".sh", ".js", ".toml", ".service", ".env"}
INSTALLS = re.compile(r"\b(?:pip3?|pipx|uv|uvx)(?: (?:tool|pip))? (?:install|add|download) ([^`\n]*)")
OURS = {NAME, "uv"}
"""What may be installed: Kontor by its own name, and the installer."""


def texts() -> Iterator[tuple[Path, str]]:
    """Everything that somebody reads, or that is said to somebody."""
    for name in TEXTS:
        place = ROOT / name
        for file in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if file.is_file() and file.suffix in KINDS and "__pycache__" not in file.parts:
                # A catalogue breaks sentences into lines, and both put a backslash before quotes.
                yield file, re.sub(r'"\n"', "", file.read_text("utf-8")).replace("\\", "")


def named_in(arguments: str) -> list[str]:
    """The distributions that a command to install something names."""
    words = (word.strip("\"'()[].,;:") for word in arguments.split())
    return [re.split(r"[\[<>=!~; ]", word)[0] for word in words if re.match(r"[a-z]", word)]


def test_no_text_tells_anybody_to_install_what_is_not_ours() -> None:
    """`kontor` on PyPI is a stranger's program."""
    found = [(file, arguments) for file, text in texts() for arguments in INSTALLS.findall(text)]
    assert {file.name for file, _ in found} >= {"batch.md", "research.md", "running.md", "Containerfile"}
    for file, arguments in found:
        assert set(named_in(arguments)) <= OURS, f"{file}: {arguments}"
    for file, text in texts():
        assert not re.search(r"\bkontor\[(batch|cluster|postgres|research)", text), file


MISSING_BATCH = (
    "from kontor.game import Refusal\ntry:\n    import kontor.batch\nexcept Refusal as told:\n    print(told)"
)


def test_where_it_is_installed_a_missing_extra_is_told_with_our_own_name(installed: Installed) -> None:
    told = installed.run("python", "-c", MISSING_BATCH)
    assert told.strip().endswith(f'which is not installed: pip install "{NAME}[batch]"')


def copy_source(folder: Path) -> None:
    """The files of the source as a clone has them, without an environment."""
    listed = run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"], ROOT).split("\0")
    for name in filter(None, listed):
        if (ROOT / name).is_file() and not name.startswith("docs/pictures"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone, in a folder with a space in its name."""
    folder = tmp_path_factory.mktemp("a clone")
    copy_source(folder)
    return folder


def test_in_a_clone_the_command_that_is_told_installs_the_extra(clone: Path, tmp_path: Path) -> None:
    uv = find_uv()
    environment = {
        "PATH": os.pathsep.join([str(Path(uv).parent), os.environ.get("PATH", os.defpath)]),
        "HOME": str(tmp_path),
        "UV_CACHE_DIR": run([uv, "cache", "dir"], ROOT).strip(),
        **{name: value for name, value in os.environ.items() if name.startswith(("UV_INDEX", "UV_DEFAULT", "PIP_"))},
    }
    assert run([clone / "kontor", "--version"], tmp_path, environment).startswith("kontor ")
    lockstep = ["bench", "--lockstep", "1", "--json"]
    done = subprocess.run(
        [clone / "kontor", *lockstep],
        cwd=tmp_path,
        env={**environment, "LANGUAGE": "en"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    told = " ".join(done.stderr.split())
    command = told.partition("which is not installed: ")[2]
    assert shlex.split(command) == [str(clone / "scripts" / "extra"), "batch"]
    run(["bash", "-c", command], tmp_path, environment)
    assert json.loads(run([clone / "kontor", *lockstep], tmp_path, environment))
