"""Broken plug-ins: each is left out with one sentence, and the other games can be played."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import httpx
import pytest
import typer

from kontor.cli import app
from kontor.terminal.adapter import RESERVED, Setting, adapter_named, is_terminal_adapter, terminal_adapters
from test_package import ROOT
from timeouts import HANG_TIMEOUT

pytestmark = pytest.mark.process

RAISING: Final = ("raise RuntimeError('broken')", "1 / 0", "import nowhere", "raise SystemExit(3)", "def :")
"""Modules that fail when they are imported."""


@dataclass(frozen=True)
class Plugged:
    """The game Pig as an installed package, in which a test breaks a part."""

    folder: Path
    game: str = "pig"

    @property
    def package(self) -> Path:
        return self.folder / f"kontor_{self.game}"

    def named(self, text: str) -> str:
        """Return a text about Pig with this game's own name in it."""
        return text.replace("kontor_pig", f"kontor_{self.game}").replace('"pig"', f'"{self.game}"')

    def install(self) -> None:
        shutil.copytree(ROOT / "examples" / "pig" / "kontor_pig", self.package)
        for module in self.package.rglob("*.py"):
            module.write_text(self.named(module.read_text("utf-8")), "utf-8")
        (self.package / "web/static/pig.css").rename(self.package / f"web/static/{self.game}.css")
        info = self.folder / f"kontor_{self.game}-1.0.dist-info"
        info.mkdir()
        metadata = f"Metadata-Version: 2.1\nName: kontor-{self.game}\nVersion: 1.0\n"
        (info / "METADATA").write_text(metadata, "utf-8")
        entry = f"[kontor.games]\n{self.game} = kontor_{self.game}.plugin:PIG\n"
        (info / "entry_points.txt").write_text(entry, "utf-8")

    def change(self, file: str, old: str, new: str) -> None:
        path = self.package / file
        text = path.read_text("utf-8")
        assert text.count(self.named(old)) == 1, old
        path.write_text(text.replace(self.named(old), self.named(new)), "utf-8")

    def append(self, file: str, code: str) -> None:
        with (self.package / file).open("a", encoding="utf-8") as module:
            module.write(f"\n{code}\n")

    def sentences(self, text: str) -> list[str]:
        """Return the sentences that name what is left out of the game."""
        return re.findall(rf"(?:The game|The part “[\w.]+” of the game) {self.game} [^\n]*", text)

    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "PYTHONPATH": str(self.folder),
            "PYTHONDONTWRITEBYTECODE": "1",
            "LANGUAGE": "en",
            "NO_COLOR": "1",
            "COLUMNS": "80",
        }

    def run(self, *arguments: str, code: str = "") -> subprocess.CompletedProcess[str]:
        """Run a command, or code."""
        command = ["-c", code] if code else ["-m", "kontor.cli", *arguments]
        return subprocess.run(
            [sys.executable, *command],
            cwd=self.folder,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
        )

    @contextmanager
    def serving(self) -> Iterator[httpx.Client]:
        command = [sys.executable, "-m", "kontor.cli", "serve", "--port", "0", "--data", "tables"]
        with (
            (self.folder / "log").open("w") as log,
            subprocess.Popen(
                command, cwd=self.folder, env=self.environment(), stdout=subprocess.PIPE, stderr=log, text=True
            ) as process,
        ):
            try:
                assert process.stdout
                address = process.stdout.readline().strip()
                assert address, (self.folder / "log").read_text("utf-8")
                with httpx.Client(base_url=address, timeout=HANG_TIMEOUT, follow_redirects=True) as client:
                    yield client
            finally:
                process.terminate()
                process.communicate(timeout=HANG_TIMEOUT)


@pytest.fixture
def plugged(tmp_path: Path) -> Plugged:
    plugged = Plugged(tmp_path)
    plugged.install()
    return plugged


def unwrap(text: str) -> str:
    return " ".join(text.split())


NEEDED_AT_THE_TERMINAL: Final = [
    *[("terminal.py", raising, "terminal") for raising in RAISING],
    ("rules.py", RAISING[0], "rules"),
    ("words.py", RAISING[0], "terminal"),
    ("plugin.py", RAISING[1], "division by zero"),
    ("plugin.py", "PIG = 3", "no GamePlugin"),
    ("plugin.py", "del PIG", "PIG"),
    ("rules.py", "PIG = 3", "rules"),
    ("rules.py", "import dataclasses\nPIG = dataclasses.replace(PIG, start=lambda options: 1 / 0)", "rules"),
    ("terminal.py", "ADAPTER = 'none'", "terminal"),
]
FIELDS: Final = {
    'terminal="kontor_pig.terminal:ADAPTER"': ['terminal="kontor_pig.terminal:NONE"', "terminal=3", 'terminal=""'],
    'rules="kontor_pig.rules:PIG"': ['rules="kontor_pig.nowhere:PIG"', 'rules=""', "rules=None"],
    'package="kontor_pig"': ['package="nowhere"', "package=3", 'package=""'],
    'name="pig"': ['name="pork"', "name=3"],
    "minutes=5": ["minutes='5'"],
    'players={"casual": "kontor_pig.players:CASUAL", "steady": "kontor_pig.players:STEADY"}': [
        "players={}",
        "players=3",
        "players={'casual': 3}",
    ],
}


SETTINGS: Final = [*sorted(RESERVED), "Goal", "go al", "", "-goal", "goal=", "ziel-ü", "goal_2", "class="]
NO_OPTION: Final = (
    "from dataclasses import replace\nADAPTER = replace(ADAPTER, settings=(Setting({setting!r}, 'N', 'x'),))"
)


def test_games_with_a_part_that_fails_are_left_out_at_the_terminal(plugged: Plugged) -> None:
    """Check each way to fail in a game of its own; all are installed beside one that is whole."""
    broken: dict[Plugged, str] = {}

    def another(reason: str) -> Plugged:
        new = Plugged(plugged.folder, f"pig{len(broken)}")
        new.install()
        broken[new] = new.named(reason)
        return new

    for file, code, part in NEEDED_AT_THE_TERMINAL:
        another(part).append(file, code)
    for old, changes in FIELDS.items():
        for new in changes:
            another(old.partition("=")[0] if "name=" not in old else "of that name").change("plugin.py", old, new)
    for setting in ("save", "go al"):
        another(f"“{setting}”").append("terminal.py", NO_OPTION.format(setting=setting))
    result = plugged.run(
        code="from kontor.cli import run\n"
        "codes = [run(['simulate', game, '--games', '1']) for game in ('shanghaien', 'pig')]\n"
        f"print(codes, {{run(['play', f'pig{{number}}']) for number in range({len(broken)})}})"
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.endswith("[0, 0] {2}\n")
    assert "Traceback" not in result.stderr
    assert plugged.sentences(result.stderr) == []
    for game, reason in broken.items():
        (sentence,) = game.sentences(result.stderr)
        assert reason in sentence
        assert f"kontor_{game.game}" in sentence or "nowhere" in sentence
        assert f"There is no game “{game.game}”" in unwrap(result.stderr)


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_setting_is_no_option_of_the_program_and_can_be_typed(setting: str) -> None:
    adapter = adapter_named("shanghaien")
    wrong = replace(adapter, settings=(Setting(setting, "N", "x"),))
    with pytest.raises(ValueError, match=re.escape(f"“{setting}”")):
        is_terminal_adapter(wrong)


def test_no_two_settings_of_a_game_have_the_same_name() -> None:
    twice = replace(adapter_named("shanghaien"), settings=(Setting("goal", "N", "x"),) * 2)
    with pytest.raises(ValueError, match="two settings"):
        is_terminal_adapter(twice)


def test_a_setting_can_have_the_name_of_a_parameter_or_a_keyword(plugged: Plugged) -> None:
    names = ("context", "game", "folder", "as-json", "resume-file", "settings", "class", "import")
    settings = ",".join(f"Setting({name!r}, 'N', 'x')" for name in names)
    plugged.append(
        "terminal.py",
        f"from dataclasses import replace\nADAPTER = replace(ADAPTER, settings=(*ADAPTER.settings, {settings}))",
    )
    result = plugged.run("simulate", "pig", "--games", "1", "--goal", "20", "--class", "2", "--as-json", "1")
    assert (result.returncode, result.stderr) == (0, "")


def test_the_names_of_all_options_are_reserved() -> None:
    group = typer.main.get_command(app)
    settings = {setting.name for adapter in terminal_adapters().values() for setting in adapter.settings}
    options = {
        option.removeprefix("--")
        for command in (group, *(group.commands[name] for name in ("play", "simulate")))  # type: ignore[attr-defined]
        for parameter in command.params
        for option in parameter.opts
        if option.startswith("--")
    }
    assert options - settings <= RESERVED


def test_a_game_goes_on_without_a_part_that_it_does_not_need(plugged: Plugged) -> None:
    """Check a player, the judge, the environment, the kernels, commands, and a catalogue."""
    more = (
        'research="kontor_pig.research:ADAPTER", judge="kontor_pig.nowhere:JUDGE", review="kontor_pig.rules:PIG",'
        'trainer="kontor_pig.nowhere:T", batch="kontor_pig.nowhere:B", bench="kontor_pig.rules:PIG",'
        'commands="kontor_pig.nowhere:C", positions="kontor_pig.rules:PIG"'
    )
    plugged.change("plugin.py", 'research="kontor_pig.research:ADAPTER"', more)
    plugged.append("research.py", RAISING[0])
    plugged.append("players.py", "STEADY = 3")
    (plugged.package / "locale/de/LC_MESSAGES/kontor.mo").write_bytes(b"no catalogue")
    result = plugged.run(
        "--language", "de", "simulate", "pig", "--games", "1", "--goal", "20", "--players", "casual,random"
    )
    assert result.returncode == 0, result.stderr
    assert "Traceback" not in result.stderr
    assert all(f"“{part}”" in result.stderr for part in ("commands", "locale"))
    refused = plugged.run("simulate", "pig", "--games", "1", "--players", "steady,random")
    assert refused.returncode in (1, 2)
    assert "“steady”" in refused.stderr
    assert "Traceback" not in refused.stderr
    code = (
        "import sys\n"
        "import kontor.environments.gymnasium\n"
        "from kontor.environments.openspiel import REGISTERED\n"
        "from kontor.batch.batch import all_simulated\n"
        "from kontor.bench import measured_games\n"
        "print('pig' in REGISTERED, len(all_simulated()), len(measured_games()) > 2)\n"
        f"sys.path.append({str(ROOT)!r})\n"
        "from training.__main__ import run\n"
        "print(run(['train', 'pig']))"
    )
    result = plugged.run(code=code)
    assert result.stdout == "False 2 True\n1\n", result.stderr
    assert all(f"“{part}”" in result.stderr for part in ("research", "batch", "bench", "trainer"))
    assert "Traceback" not in result.stderr


def test_commands_of_a_game_do_not_replace_those_of_the_program(plugged: Plugged) -> None:
    plugged.change("plugin.py", "minutes=5", 'minutes=5, commands="kontor_pig.commands:add_to"')
    (plugged.package / "commands.py").write_text(
        "def add_to(app):\n    @app.command()\n    def simulate():\n        raise RuntimeError\n", "utf-8"
    )
    result = plugged.run("simulate", "shanghaien", "--games", "1")
    assert result.returncode == 0, result.stderr
    assert "the command “simulate” exists already" in result.stderr


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("rules.py", "import dataclasses\nPIG = dataclasses.replace(PIG, moves=lambda state: 1 / 0)"),
        ("players.py", "def CASUAL(view, moves, random):\n    raise KeyError('no idea')"),
    ],
)
def test_a_fault_in_the_midst_of_a_game_is_said_in_a_sentence(plugged: Plugged, file: str, code: str) -> None:
    """Check also a lambda of a plug-in, which fails only when it is first used."""
    plugged.append(file, code)
    result = plugged.run("simulate", "pig", "--games", "1", "--players", "casual,casual")
    assert result.returncode == 1
    (sentence,) = plugged.sentences(result.stderr)
    assert "kontor_pig" in sentence
    assert "ZeroDivisionError" in sentence or "KeyError" in sentence
    assert "Traceback" not in result.stderr


NEEDED_BY_A_SERVER: Final = (
    ("web/__init__.py", RAISING[0], "web"),
    ("web/__init__.py", "ADAPTER = 3", "web"),
    ("rules.py", RAISING[1], "rules"),
    ("players.py", RAISING[2], "casual"),
    ("players.py", "CASUAL = None", "casual"),
    ("web/templates/sign.svg", "{{ 1 / 0 }}", "web"),
    ("web/templates/sign.svg", "{{ nobody }}", "web"),
    ("web/templates/board.html", "{% if %}", "web"),
    ("web/templates/options.html", None, "web"),
    ("web/templates", None, "web"),
)


def break_part(plugged: Plugged, file: str, code: str | None) -> None:
    """Append code to a file of the game; without code, delete the file or folder."""
    path = plugged.package / file
    if code is not None:
        plugged.append(file, code)
    elif path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def test_a_server_leaves_out_games_with_a_part_that_fails_and_other_parts_alone(plugged: Plugged) -> None:
    """Check each way to fail in a game of its own.

    Beside them are one that is whole, and one that lacks a judge, an analysis, puzzles and a player.
    """
    broken = [Plugged(plugged.folder, f"broken{number}") for number in range(len(NEEDED_BY_A_SERVER))]
    for game, (file, code, _) in zip(broken, NEEDED_BY_A_SERVER, strict=True):
        game.install()
        break_part(game, file, code)
    able = Plugged(plugged.folder, "able")
    able.install()
    able.change(
        "plugin.py",
        'research="kontor_pig.research:ADAPTER"',
        'judge="kontor_pig.nowhere:JUDGE", analysis="kontor_pig.rules:PIG", puzzles="kontor_pig.nowhere:P"',
    )
    able.append("players.py", "STEADY = 3")
    with plugged.serving() as client:
        for address in ("/", "/rules", "/api/games"):
            answer = client.get(address)
            assert answer.status_code == 200, answer.text
            assert "shanghaien" in answer.text.casefold()
            assert "broken" not in answer.text
        assert 'open-pig"' in client.get("/").text
        assert {client.get(f"/open/{game.game}").status_code for game in broken} <= {404, 422}
        assert client.get("/puzzles").status_code == 200
        games = {game["name"]: game for game in client.get("/api/games").json()}
    assert "steady" in str(games["pig"])
    assert "steady" not in str(games["able"])
    log = (plugged.folder / "log").read_text("utf-8")
    assert "Traceback" not in log
    assert plugged.sentences(log) == []
    assert len(able.sentences(log)) == 4
    for game, (_, _, part) in zip(broken, NEEDED_BY_A_SERVER, strict=True):
        (sentence,) = game.sentences(log)
        assert f"“{part}”" in sentence
        assert f"kontor_{game.game}" in sentence
