"""The documentation: every example runs, and every link has a target."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path
from shutil import copy
from typing import Any, Final

import pytest
import typer

from catalogues import catalogue_sentences
from kontor.cli import app, run
from kontor.cli.serve import server_app
from kontor.records import VERSIONS

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)

LINKING = [*PAGES, *(ROOT / name for name in ("CONTRIBUTING.md", "SECURITY.md", "bench/load/README.md"))]

SERVED = {"api.md", "api_player.py"}
"""Pages and programs that call a server: tests/web/test_api.py runs them."""


def fences(language: str) -> list[tuple[str, str]]:
    return [
        (page.name, code)
        for page in PAGES
        for kind, code in FENCE.findall(page.read_text(encoding="utf-8"))
        if kind == language
    ]


@pytest.mark.process
@pytest.mark.parametrize(
    ("page", "code"), [(page, code) for page, code in fences("python") if page not in {*SERVED, "README.md"}]
)
def test_every_python_example_runs(page: str, code: str, tmp_path: Path) -> None:
    copy(ROOT / "docs" / "example.jsonl", tmp_path / "game.jsonl")
    one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # several threads on busy cores wait for each other
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, env=one_thread
    )
    assert result.returncode == 0, f"{page}:\n{code}\n{result.stderr}"


ELSEWHERE = {*SERVED, "learn_shanghaien.py", "tournament_player.py"}
"""Programs that other tests run."""

EXAMPLES = [example for example in sorted((ROOT / "examples").glob("*.py")) if example.name not in ELSEWHERE]


@pytest.mark.process
@pytest.mark.long
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_every_program_in_examples_runs(example: Path) -> None:
    result = subprocess.run([sys.executable, example], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert result.stdout


@pytest.mark.process
def test_the_ten_lines_of_the_readme_print_a_result() -> None:
    (code,) = [code for page, code in fences("python") if page == "README.md"]
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.startswith("Result(points=(")


@pytest.mark.long
def test_every_command_in_the_readme_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check commands that need no file and no person by running them; of the others check the help."""
    monkeypatch.chdir(tmp_path)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"`\./kontor ([^`]*)`", readme)
    assert len(commands) >= 6
    for command in commands:
        words = [word for word in shlex.split(command) if word.isascii() and not word.isupper() and "[" not in word]
        if words[0] in ("serve", "play", "replay", "review", "verify", "bench"):
            words = [words[0], "--help"]
        assert run(words) == 0, f"kontor {shlex.join(words)}"


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them: the second of the same text ends in ``-1``."""
    counts: Counter[str] = Counter()
    named = set()
    for title in HEADING.findall(FENCE.sub("", page.read_text("utf-8"))):
        slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        named.add(f"{slug}-{counts[slug]}" if counts[slug] else slug)
        counts[slug] += 1
    return named


@pytest.mark.parametrize("page", LINKING, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_in_the_documentation_leads_somewhere(page: Path) -> None:
    for target, anchor in LINK.findall(page.read_text("utf-8")):
        linked_page = page.parent / target if target else page
        assert linked_page.exists(), f"a link to {target}, which is not there"
        if anchor:
            assert anchor in anchors(linked_page), f"a link to {target}#{anchor}, where there is no such heading"


def test_every_page_is_reached_from_the_index() -> None:
    index = ROOT / "docs" / "index.md"
    named = {(index.parent / target).resolve() for target, _ in LINK.findall(index.read_text("utf-8"))}
    assert {page for page in (ROOT / "docs").glob("*.md") if page != index} <= named


# ---------------------------------------------------------------------------------- promised commands and options

PROMISING: Final = [*LINKING, ROOT / "docs" / "verify.html"]
CODE: Final = re.compile(r"^```\w*\n.*?^```$|^(?: {4}|\t).*$|`[^`]+`|<code>.*?</code>", re.MULTILINE | re.DOTALL)
CALL: Final = re.compile(r"(?:^|(?<=[\s/`>]))kontor((?: +(?!#)[^\s`<#)]+)+)", re.MULTILINE)
OPTION: Final = re.compile(r"--[a-z][a-z-]*")
PLUG_IN: Final = {"--goal"}
"""Options of the example game, which only another test installs."""

ELSEWHERE_OPTIONS: Final = {"--dev": "uv", "--rate": "bench/load"}
"""Options of other programs that stand alone in the text."""


def options_of(command: Any) -> set[str]:
    return {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}


def every_command() -> dict[tuple[str, ...], set[str]]:
    """Return the options of each command by its words; also of the server, which reads its own options."""

    def subcommands(command: Any, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], set[str]]]:
        yield words, options_of(command) | {"--help"}
        for name, subcommand in getattr(command, "commands", {}).items():
            yield from subcommands(subcommand, (*words, name))

    commands = dict(subcommands(typer.main.get_command(app), ()))
    return {**commands, ("serve",): options_of(typer.main.get_command(server_app())) | {"--help"}}


def calls(page: Path) -> Iterator[tuple[str, ...]]:
    """Yield the words of every command line of Kontor in a page, without the explanations beside it."""
    for code in CODE.findall(re.sub(r"(?m)^.*\bpodman\b.*$", "", page.read_text("utf-8"))):  # an image has its own
        for call in CALL.findall(code.replace("\\\n", " ")):
            words = tuple(re.split(r" {2,}(?!-)", call.strip())[0].split())
            if re.match(r"-{0,2}[a-z]", words[0]) and words[0] != "import":
                yield words


def faults_of(words: tuple[str, ...], commands: dict[tuple[str, ...], set[str]]) -> list[str]:
    """Return the missing things that a command line names: its command, or options."""
    called = words[:2] if words[:2] in commands else words[:1]
    if words[0].startswith("-"):
        called = ()
    if called not in commands:
        return [f"kontor {words[0]}"]
    given = {option for word in words for option in OPTION.findall(word) if word.startswith("--")}
    return [f"kontor {' '.join(called)} {option}" for option in sorted(given - commands[called] - PLUG_IN)]


@pytest.mark.parametrize("page", PROMISING, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_and_option_in_the_documentation_exists(page: Path) -> None:
    commands = every_command()
    assert [fault for words in calls(page) for fault in faults_of(words, commands)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_option_that_stands_alone_exists(page: Path) -> None:
    options = set().union(*every_command().values(), ELSEWHERE_OPTIONS)
    alone = re.findall(r"`(--[a-z][a-z-]*)(?: [^`]*)?`", page.read_text("utf-8"))
    assert [option for option in alone if option not in options] == []


def test_every_command_and_option_in_a_help_text_or_refusal_exists() -> None:
    commands = every_command()
    wrong = []
    for sentence in sorted(catalogue_sentences()):
        for call in CALL.findall(sentence):
            words = tuple(word.rstrip(".,;:)”") for word in re.split(r" {2,}(?!-)", call.strip())[0].split())
            if re.match(r"[a-z]", words[0]):
                wrong += faults_of(words, commands)
    assert wrong == []


def test_a_command_or_option_that_does_not_exist_is_found() -> None:
    commands = every_command()
    assert faults_of(("sail", "shanghaien"), commands) == ["kontor sail"]
    assert faults_of(("serve", "--port", "80", "--sails", "3"), commands) == ["kontor serve --sails"]
    assert faults_of(("people", "find", "--data", "x"), commands) == []
    assert sum(1 for page in PROMISING for _ in calls(page)) >= 50


def test_the_verifier_names_the_versions_that_it_knows() -> None:
    page = (ROOT / "docs" / "verify.html").read_text("utf-8")
    listed = re.search(r"in version (\d(?:, \d)*) or (\d), and", page)
    assert listed
    assert (*map(int, listed[1].split(", ")), int(listed[2])) == VERSIONS
    assert f"const FORMATS = [{', '.join(map(str, VERSIONS))}];" in page


# ---------------------------------------------------------------------------------------- the source of the package

FROM_REGISTRY: Final = re.compile(
    r"\buvx\b[^\n`]*\bkontor-table\b|\b(?:pip3?|pipx|uv)\b[^\n`]*\b(?:install|add|run)\b[^\n`]*\bkontor-table\b"
)
"""Matches advice to fetch the package by its name."""

READ: Final = [
    *LINKING,
    ROOT / "CHANGELOG.md",
    ROOT / "CITATION.cff",
    *(
        page
        for folder in ("docs", "website", "deploy", "examples", "src")
        for page in sorted((ROOT / folder).rglob("*"))
        if page.suffix in {".html", ".toml", ".py", ".po", ".env", ".service"}
    ),
]
"""Every file with sentences for readers."""


def is_published() -> bool:
    """Return whether a registry has the package, as ``pyproject.toml`` says."""
    published: bool = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["kontor"]["published"]
    return published


def test_the_package_is_installed_from_a_registry_only_once_it_is_there() -> None:
    telling = [page for page in READ if FROM_REGISTRY.search(page.read_text("utf-8"))]
    if is_published():
        assert ROOT / "README.md" in telling
    else:
        assert telling == []


def test_the_readme_begins_with_what_a_visitor_can_do() -> None:
    """Check that a picture, how to get the source, and one command come before the first list of anything else."""
    first_screen = (ROOT / "README.md").read_text("utf-8").partition("## Play with a friend")[0]
    assert re.search(r"!\[[^\]]+\]\(docs/pictures/\S+\.png\)", first_screen)
    (commands,) = [code for kind, code in FENCE.findall(first_screen) if kind == "sh"]
    assert [line.split()[0] for line in commands.splitlines()] == ["git", "cd", "./kontor"]
    assert "./test" not in first_screen


def test_a_command_that_installs_from_a_registry_is_recognised() -> None:
    assert FROM_REGISTRY.search("`uvx --from kontor-table kontor serve`")
    assert FROM_REGISTRY.search('else `pip install "kontor-table[postgres]"`')
    assert not FROM_REGISTRY.search("`pyproject.toml` depends on `kontor-table`")


def test_the_rooms_of_the_page_are_the_layers_of_the_imports() -> None:
    contracts = ConfigParser()
    contracts.read(ROOT / ".importlinter", "utf-8")
    layers = re.findall(r"\w+", contracts["importlinter:contract:rooms"]["layers"])
    page = (ROOT / "docs/architecture.md").read_text("utf-8")
    rooms = re.findall(r"^ {4}(\w+) {2,}\S", page.partition("\n## Rooms\n")[2].partition("\n## ")[0], re.MULTILINE)
    assert rooms == [layer for layer in layers if layer != "games"]


def test_files_that_the_page_of_the_architecture_names_exist() -> None:
    page = (ROOT / "docs/architecture.md").read_text("utf-8")
    named = set(re.findall(r"`((?:\w+/)+\w+\.(?:py|js))`", page))
    assert len(named) > 10
    assert [name for name in sorted(named) if not (ROOT / "src/kontor" / name).is_file()] == []
