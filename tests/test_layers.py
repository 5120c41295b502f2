"""Imports run only downward, and the games are pure: the rules of docs/architecture.md, checked in the source."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src"

LAYERS: tuple[set[str], ...] = (
    {"kontor"},  # the package itself: all its imports would be everyone's
    {"kontor.game"},
    {"kontor.open_game"},
    {"kontor.plugins"},  # the list of games: their parts are imported by name, when they are needed
    {
        "kontor.distribution",
        "kontor.words",
        "kontor.intervals",
        "kontor.lazy_attribute",
        "kontor.lru_cache",
        "kontor.public_addresses",
        "kontor.visible_text",
    },
    {"kontor.optional_packages", "kontor.decoding", "kontor.questions"},
    {"kontor.command_options", "kontor.work", "kontor.endings"},
    {"kontor.fair", "kontor.players", "kontor.ratings", "kontor.tournaments"},
    {"kontor.thinking"},
    {"kontor.records"},  # a record is verified by the fair dice
    {"kontor.recording", "kontor.review", "kontor.analysis", "kontor.batch"},
    {"kontor.arena", "kontor.bench", "kontor.table"},
    {"kontor.notifying", "kontor.puzzles"},
    {"kontor.positions"},  # written and read like puzzles
    {"kontor.terminal", "kontor.web", "kontor.admin_commands", "kontor.people_commands", "kontor.environments"},
    {"kontor.cli"},
    {"kontor.__main__"},
)
"""The rooms (modules and folders) from the bottom up. A room imports itself and the layers below, none beside it.

The parts of a game are in ``kontor.games.<game>``, and no room imports them: see PARTS.
"""

WEB = ("", "pages", "live", "http", "server")
"""The folders of ``kontor.web`` from the bottom up.

They are: what games and all others need, pages, streams, HTTP, and the processes that serve.
"""

PARTS: dict[str, set[str]] = {
    "": set(),
    "rules": {"kontor.words", "kontor.decoding", "kontor.open_game"},
    "words": {"kontor.words"},
    "event_text": {"kontor.words"},
    "questions": {"kontor.questions", "kontor.words"},
    "players": {"kontor.players", "kontor.words", "kontor.work"},
    "review": {"kontor.review", "kontor.words"},
    "analysis": {"kontor.analysis", "kontor.words"},
    "puzzles": {"kontor.puzzles", "kontor.words"},
    "positions": {"kontor.positions"},
    "terminal": {"kontor.terminal", "kontor.questions", "kontor.words"},
    "web": {"kontor.web", "kontor.players", "kontor.questions", "kontor.words"},
    "research": {"kontor.environments"},
    "batch": {"kontor.batch", "kontor.words"},
    "learning": {"kontor.batch", "kontor.optional_packages", "kontor.players", "kontor.words", "kontor.work"},
    "plugin": {"kontor.plugins"},
}
"""The parts of a game from the bottom up, and the rooms that each may import beside the contract.

A part may import the parts before it.
"""

ALOOF = {"terminal", "web", "research", "batch"}
"""Rooms that do not import each other."""

PURE = {"kontor.game", "kontor.open_game", "rules"}
"""The contract and the rules: they import only msgspec and the standard library, and read no clock."""

CLOCKS = {"time", "datetime"}

LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}


@dataclass(frozen=True)
class Import:
    """An import. ``name`` is its whole dotted name: ``kontor.game.Game``, ``random.choice``."""

    line: int
    name: str


def within(name: str, module: str) -> bool:
    return name == module or name.startswith(f"{module}.")


def part_of(name: str) -> tuple[str, str] | None:
    """Return the game and the part of it to which a module, or a name in it, belongs."""
    match name.split("."):
        case ["kontor", "games", game, *parts]:
            return game, parts[0] if parts else ""
    return None


def room_of(name: str) -> str | None:
    """Return the room to which a module, or a name in it, belongs."""
    if name == "kontor":
        return name
    room = ".".join(name.split(".")[:2])
    return room if room in LEVEL else None


def module_of(file: Path, source: Path) -> str:
    parts = file.relative_to(source).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(file: Path, source: Path) -> Iterator[Import]:
    """Yield all imports, also those inside functions and for the type checker alone."""
    package = file.relative_to(source).parent.parts
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(node.lineno, alias.name)
        elif isinstance(node, ast.ImportFrom):
            base = [*package[: len(package) - node.level + 1]] if node.level else []
            base += [node.module] if node.module else []
            for alias in node.names:
                yield Import(node.lineno, ".".join([*base, alias.name]))


def target_room(name: str, source: Path) -> str | None:
    """Return the room that an import reaches.

    ``from kontor import VERSION`` reaches the package, not a room of that name.
    """
    path = source.joinpath(*name.split("."))
    is_module = path.is_dir() or path.with_suffix(".py").is_file()
    return room_of(name) or (None if is_module or name.count(".") > 1 else "kontor")


def upward(source: Path) -> list[str]:
    """Return a sentence for each import that does not run downward, and for each room without a layer."""
    faults: list[str] = []
    for file in sorted(source.rglob("*.py")):
        module = module_of(file, source)
        if within(module, "kontor.games"):
            faults += outside_its_part(file, module, source)
            continue
        here = room_of(module)
        if here is None:
            faults.append(f"{file}: {module} stands in no layer; give it its place in LAYERS")
            continue
        for found in imports(file, source):
            at = f"{file}:{found.line}: {here} imports {found.name}"
            if within(found.name, "kontor"):
                there = target_room(found.name, source)
                if there is None:
                    faults.append(f"{at}, which stands in no layer; give it its place in LAYERS")
                elif there != here and LEVEL[there] > LEVEL[here]:
                    faults.append(f"{at}, which runs upward")
                elif there != here and LEVEL[there] == LEVEL[here]:
                    faults.append(f"{at}, which stands beside it")
            elif here in PURE and found.name.split(".")[0] not in sys.stdlib_module_names | {"msgspec"}:
                faults.append(f"{at}; it may use only msgspec and the standard library")
    return faults


def level_in_web(name: str) -> int:
    """Return the level of a module of ``kontor.web``, or of a name in it."""
    folder = [*name.split("."), "", ""][2]
    return WEB.index(folder) if folder in WEB else 0


def upward_in_web(source: Path) -> list[str]:
    """Return a sentence for each import in ``kontor.web`` that does not run downward."""
    return [
        f"{file}:{found.line}: {module_of(file, source)} imports {found.name}, which runs upward"
        for file in sorted((source / "kontor" / "web").rglob("*.py"))
        for found in imports(file, source)
        if within(found.name, "kontor.web") and level_in_web(found.name) > level_in_web(module_of(file, source))
    ]


def outside_its_part(file: Path, module: str, source: Path) -> Iterator[str]:
    """Yield a sentence for each forbidden import of a part of a game."""
    found = part_of(module)
    if found is None:  # the folder of all games
        return
    game, here = found
    if here not in PARTS:
        yield f"{file}: {module} is no part of a game; give it its place in PARTS"
        return
    for imported in imports(file, source):
        at = f"{file}:{imported.line}: {here} of {game} imports {imported.name}"
        there = part_of(imported.name)
        if there:
            order = list(PARTS)
            if there[0] != game:
                yield f"{at}, which is of another game"
            elif order.index(there[1]) > order.index(here):
                yield f"{at}, which runs upward"
            elif {here, there[1]} <= ALOOF and here != there[1]:
                yield f"{at}, which stands beside it"
        elif within(imported.name, "kontor"):
            if target_room(imported.name, source) not in {"kontor.game", *PARTS[here]}:
                yield f"{at}, which it may not know"
        elif here in PURE and imported.name.split(".")[0] not in sys.stdlib_module_names | {"msgspec"}:
            yield f"{at}; it may use only msgspec and the standard library"


def circle(source: Path) -> list[str]:
    """Return the modules of a circle of imports between files, if there is one; the last is the first."""
    files = {module_of(file, source): file for file in sorted(source.rglob("*.py"))}
    graph = {
        module: {
            name
            for found in imports(file, source)
            for name in [found.name if found.name in files else found.name.rpartition(".")[0]]
            if name in files and name != module
        }
        for module, file in files.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def impure(source: Path) -> list[str]:
    """Return a sentence for each use of random's hidden generator, and for each clock in a game."""
    faults = []
    for file in sorted(source.rglob("*.py")):
        module = module_of(file, source)
        part = part_of(module)
        here = part[1] if part else room_of(module)
        used = [*imports(file, source), *random_functions(file)]
        for found in used:
            at = f"{file}:{found.line}: {found.name}"
            if found.name.startswith("random.") and not found.name.removeprefix("random.")[0].isupper():
                faults.append(f"{at} draws from the generator that all share; use a random.Random of your own")
            elif here in PURE and found.name.split(".")[0] in CLOCKS:
                faults.append(f"{at} in {here}: a game does not know what time it is")
    return faults


def random_functions(file: Path) -> Iterator[Import]:
    """Yield names taken from the module random: ``random.choice``, or ``dice.choice`` if so imported."""
    tree = ast.parse(file.read_text("utf-8"))
    names = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "random"
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in names:
            yield Import(node.lineno, f"random.{node.attr}")


def test_imports_run_only_downward() -> None:
    faults = upward(SOURCE)
    assert not faults, "\n".join(["", *faults])


def test_in_the_web_imports_run_only_downward() -> None:
    assert {path.name for path in (SOURCE / "kontor" / "web").iterdir() if path.is_dir()} >= set(WEB[1:])
    faults = upward_in_web(SOURCE)
    assert not faults, "\n".join(["", *faults])


def test_an_import_that_runs_upward_in_the_web_is_found(tmp_path: Path) -> None:
    (fault,) = upward_in_web(tree(tmp_path, "web/pages/fragments.py", "from kontor.web.http.site import Site\n"))
    assert "kontor.web.pages.fragments imports kontor.web.http.site.Site, which runs upward" in fault


def test_no_files_import_each_other_in_a_circle() -> None:
    assert circle(SOURCE) == []


def test_nothing_is_drawn_from_the_shared_generator_and_games_know_no_clock() -> None:
    faults = impure(SOURCE)
    assert not faults, "\n".join(["", *faults])


def tree(folder: Path, file: str, text: str) -> Path:
    """Return a source tree with one file in it."""
    path = folder / "kontor" / file
    path.parent.mkdir(parents=True)
    path.write_text(text, "utf-8")
    return folder


@pytest.mark.parametrize(
    ("file", "text", "fault"),
    [
        ("game.py", "\nimport kontor.arena\n", "game.py:2: kontor.game imports kontor.arena, which runs upward"),
        ("game.py", "from kontor import cli", "kontor.game imports kontor.cli, which runs upward"),
        ("__init__.py", "from .game import Game", "kontor imports kontor.game.Game, which runs upward"),
        ("games/pig/rules/play.py", "from kontor.games.skat.rules import SKAT", "which is of another game"),
        ("games/pig/rules/play.py", "from ...skat.rules import SKAT", "which is of another game"),
        ("games/pig/rules/play.py", "from kontor.games.pig.words import TITLE", "which runs upward"),
        ("games/pig/rules/play.py", "from kontor.web.http.site import Site", "which it may not know"),
        (
            "games/pig/rules/play.py",
            "def f():\n    import rich.table",
            "it may use only msgspec and the standard library",
        ),
        ("games/pig/web/board.py", "from kontor.games.pig.terminal.board import draw", "which stands beside it"),
        ("games/pig/harbour.py", "import kontor.game", "is no part of a game"),
        ("web/lobby.py", "from kontor.games.pig.words import TITLE", "which stands in no layer"),
        ("fair.py", "from . import records", "kontor.fair imports kontor.records, which runs upward"),
        ("harbour/pages.py", "import kontor.game", "kontor.harbour.pages stands in no layer"),
        ("cli.py", "from kontor.harbour import pages", "kontor.harbour.pages, which stands in no layer"),
    ],
)
def test_an_import_that_does_not_run_downward_is_found(tmp_path: Path, file: str, text: str, fault: str) -> None:
    (found,) = upward(tree(tmp_path, file, text))
    assert fault in found


def test_a_circle_of_imports_is_found(tmp_path: Path) -> None:
    source = tree(tmp_path, "table/rows.py", "from kontor.table import people\n")
    (source / "kontor" / "table" / "people.py").write_text("def f():\n    from .rows import Row\n", "utf-8")
    assert set(circle(source)) == {"kontor.table.people", "kontor.table.rows"}


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("games/pig/rules/play.py", "import tomllib, msgspec\nfrom kontor.game import Game\nfrom . import dice\n"),
        ("cli.py", "import rich\nfrom kontor import __version__, game\nfrom kontor.players import greedy\n"),
        ("records.py", "from kontor.fair import Dealer\n"),
    ],
)
def test_an_import_that_runs_downward_is_let_pass(tmp_path: Path, file: str, text: str) -> None:
    assert upward(tree(tmp_path, file, text)) == []


@pytest.mark.parametrize(
    ("file", "text", "fault"),
    [
        ("arena.py", "import random\nrandom.seed(1)\n", "arena.py:2: random.seed draws"),
        ("arena.py", "import random as dice\ndice.random()\n", "arena.py:2: random.random draws"),
        ("players/greedy.py", "from random import choice\n", "greedy.py:1: random.choice draws"),
        ("game.py", "import time\n", "game.py:1: time in kontor.game"),
        ("games/pig/rules/play.py", "from datetime import date\n", "play.py:1: datetime.date in rules"),
    ],
)
def test_the_shared_generator_and_a_clock_in_a_game_are_found(
    tmp_path: Path, file: str, text: str, fault: str
) -> None:
    (found,) = impure(tree(tmp_path, file, text))
    assert fault in found


def test_a_generator_of_ones_own_and_a_clock_outside_the_games_are_let_pass(tmp_path: Path) -> None:
    source = tree(
        tmp_path, "arena.py", "import random, time\nfrom random import Random\nrandom.Random(1).choice([1])\n"
    )
    assert impure(source) == []
