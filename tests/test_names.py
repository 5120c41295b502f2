"""One word, one concept: class names, and the words that the glossary in CONTRIBUTING.md has retired."""

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "kontor"
GAMES = ("dutchman", "shanghaien")
ROOMS = ("src", "training", "tests", "bench", "scripts", "examples")

MOST_WORDS = 1600

pytestmark = pytest.mark.xdist_group("names of the source")
"""One group, because reading all files takes a while."""


class FileNames(NamedTuple):
    identifiers: dict[str, int]
    """All names that the file defines or uses, and the first line of each."""
    given: set[str]
    """The names of variables, parameters, attributes and functions."""
    classes: list[tuple[str, int]]
    docstrings: list[str]
    """The docstrings, also those below attributes."""


@cache
def read_names(file: Path) -> FileNames:
    """Return the names of a file; cached, because parsing all files takes seconds."""
    names = FileNames({}, set(), [], [])
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                names.identifiers.setdefault(name, node.lineno)
                if isinstance(node.ctx, ast.Store):
                    names.given.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.arg(arg=name):
                names.identifiers.setdefault(name, node.lineno)
                names.given.add(name)
            case ast.ClassDef(name=name):
                names.identifiers.setdefault(name, node.lineno)
                names.classes.append((name, node.lineno))
            case ast.keyword(arg=str(name)) | ast.ImportFrom(module=str(name)) | ast.alias(name=name):
                names.identifiers.setdefault(name, node.lineno)
            case ast.Expr(value=ast.Constant(value=str(text))):
                names.docstrings.append(text)
    return names


def is_a_games_own(file: Path) -> bool:
    """Return True if a file belongs to one game: two games may use equal names."""
    return any(game in part for part in file.relative_to(ROOT).parts for game in GAMES)


def shared_names(source: Path) -> dict[str, list[str]]:
    """Return the names of several classes outside the games' own files, with their places."""
    places_of_name = defaultdict(list)
    for file in sorted(source.rglob("*.py")):
        for name, line in read_names(file).classes if not is_a_games_own(file) else ():
            places_of_name[name].append(f"{file.relative_to(ROOT)}:{line}")
    return {name: places for name, places in places_of_name.items() if len(places) > 1}


CATCH_ALLS = frozenset({"told", "asked", "said", "found", "known", "kept", "shown", "there"})
"""Names that could stand for anything: ``row``, ``sentence`` or ``is_known`` say what is meant."""

PUBLIC = {
    "bench/load/driving.py: shown",
    "bench/load/report.py: shown",
    "src/kontor/games/dutchman/analysis.py: known",
    "src/kontor/games/dutchman/batch/bargaining.py: asked",
    "src/kontor/games/dutchman/batch/steering.py: asked",
    "src/kontor/games/dutchman/players/hidden_horseshoes.py: known",
    "src/kontor/games/dutchman/rules/bargain.py: asked",
    "src/kontor/games/dutchman/rules/state.py: known",
    "src/kontor/games/dutchman/rules/view.py: known",
    "src/kontor/server/operator_requests.py: found",
    "src/kontor/tables/values.py: asked",
    "src/kontor/tables/api_values.py: told",
    "src/kontor/tables/routes/api_tables.py: found",
    "src/kontor/web/lessons.py: there",
    "training/trainers.py: said",
}
"""Catch-all names that stay: fields of records, of the API and of plug-ins, or looked up by a string."""


def catch_alls(file: Path) -> set[str]:
    """Return the catch-all names that a file gives to variables, parameters, attributes and functions."""
    return {name for name in read_names(file).given if name.lstrip("_") in CATCH_ALLS}


IN_SCRIPTS = {"service-worker.js: known"}
"""Catch-all names that stay in scripts: a field of what the server answers."""

_NOT_CODE = re.compile(r"""//.*|/\*[\s\S]*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""")
"""Comments and texts of a script."""


def catch_alls_in_script(script: str) -> set[str]:
    """Return the catch-all names of variables, parameters and functions in a script; attributes are not counted."""
    return set(
        re.findall(rf"(?<![.\w$-])(?:{'|'.join(sorted(CATCH_ALLS))})(?![\w$-]|\s*:)", _NOT_CODE.sub("", script))
    )


def glossary() -> str:
    return (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("\n## Glossary\n")[2].partition("\n## ")[0]


def read_retired() -> frozenset[str]:
    """Return the words in backticks after “Retired:”."""
    return frozenset(re.findall(r"`(\w+)`", glossary().partition("Retired:")[2]))


@cache
def words_of(identifier: str) -> frozenset[str]:
    """Return the words of an identifier: ``house`` and ``for`` in ``_house_for`` and ``HouseFor``."""
    return frozenset(word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", identifier))


def uses_of(retired_words: frozenset[str], file: Path) -> list[str]:
    uses = [f"{file.name}: {word}" for word in sorted(words_of(file.stem) & retired_words)]
    for name, line in read_names(file).identifiers.items():
        uses += [f"{file.name}:{line}: {name} ({word})" for word in sorted(words_of(name) & retired_words)]
    return uses


THEIR_NAMES = re.compile(r"shanghaien|dutchman|tavern|\b(?:pelek|schacht|teuber)\b", re.IGNORECASE)


def test_no_common_room_names_a_game() -> None:
    """Check that only a game's own folder names it, so that a third game changes nothing else.

    Templates, styles and catalogues are checked too.
    """
    lines = [
        f"{file.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for file in sorted(SOURCE.rglob("*"))
        if file.is_file() and SOURCE / "games" not in file.parents and "__pycache__" not in file.parts
        if file.name != "record.schema.json"  # made from the types of the games that come with Kontor
        for number, line in enumerate(file.read_bytes().decode("utf-8", "replace").splitlines(), 1)
        if THEIR_NAMES.search(line)
    ]
    assert lines == []


def test_no_two_classes_share_a_name_outside_the_games_own_files() -> None:
    assert shared_names(SOURCE) == {}


def test_the_glossary_is_short_enough_to_be_read() -> None:
    rows = re.findall(r"^- \*\*", glossary(), re.MULTILINE)
    assert 20 <= len(rows) <= 40, "where the field has a word, take that and need no entry"
    assert len(glossary().split()) <= MOST_WORDS


@pytest.mark.parametrize("room", ROOMS)
def test_retired_words_do_not_come_back(room: str) -> None:
    retired_words = read_retired()
    assert {"house", "haze", "tube", "easel", "bell"} <= retired_words
    files = [file for file in sorted((ROOT / room).rglob("*.py")) if not is_a_games_own(file)]
    assert files
    assert [use for file in files for use in uses_of(retired_words, file)] == []


@pytest.mark.parametrize("room", ROOMS)
def test_no_name_could_stand_for_anything(room: str) -> None:
    files = sorted((ROOT / room).rglob("*.py"))
    assert files
    names = {f"{file.relative_to(ROOT).as_posix()}: {name}" for file in files for name in catch_alls(file)}
    assert names - PUBLIC == set()
    assert {place for place in PUBLIC if place.startswith(f"{room}/")} - names == set(), "these are gone"


def test_no_name_in_a_script_could_stand_for_anything() -> None:
    scripts = [file for file in sorted(SOURCE.rglob("*.js")) if not file.name.endswith(".min.js")]
    assert scripts
    names = {f"{file.name}: {name}" for file in scripts for name in catch_alls_in_script(file.read_text("utf-8"))}
    assert names == IN_SCRIPTS


def test_catch_alls_of_scripts_are_found_in_code_alone() -> None:
    script = """const told = ask((said) => said.found, "known"); // kept
    const { there } = form.dataset.shown ?? { asked: 1 };"""
    assert catch_alls_in_script(script) == {"told", "said", "there"}


QUESTION: Final = re.compile("(?:How|What|When|Where|Whether|Which|Who|Whose|Why) ")
"""First word of a docstring that names no thing."""


@pytest.mark.parametrize("room", ROOMS)
def test_docstrings_name_who_and_what_they_mean(room: str) -> None:
    vague = [
        f"{file.relative_to(ROOT)}: {docstring[:80]}"
        for file in sorted((ROOT / room).rglob("*.py"))
        for docstring in read_names(file).docstrings
        if re.search(r"\b(?:whoever|whatever)\b", docstring, re.IGNORECASE) or QUESTION.match(docstring)
    ]
    assert vague == []


def test_catch_alls_are_found_in_all_that_gets_a_name(tmp_path: Path) -> None:
    file = tmp_path / "names.py"
    file.write_text("told = 1\ndef _found(asked): self.kept = shown_names = asked.said\n", "utf-8")
    assert catch_alls(file) == {"told", "_found", "asked", "kept"}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("_house_for", {"house", "for"}),
        ("HouseFor", {"house", "for"}),
        ("HTMLHouse", {"html", "house"}),
        ("warehouse", {"warehouse"}),
        ("MAX_RETRIES", {"max", "retries"}),
    ],
)
def test_a_name_is_read_by_its_words(name: str, words: set[str]) -> None:
    assert words_of(name) == words


def test_a_retired_word_is_found_wherever_a_name_has_it(tmp_path: Path) -> None:
    file = tmp_path / "easels.py"
    file.write_text("from a.house import b as c\ndef f(house=1): return x.haze_of(bell=2)\nclass BellTower: ...\n")
    uses = uses_of(frozenset({"house", "haze", "bell", "easels"}), file)
    assert sorted(use.partition(": ")[2] for use in uses) == [
        "BellTower (bell)", "a.house (house)", "bell (bell)", "easels", "haze_of (haze)", "house (house)",
    ]  # fmt: skip
