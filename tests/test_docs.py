"""Every example in the documentation runs, every link leads somewhere."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path
from shutil import copy

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)

LINKING = [*PAGES, *(ROOT / name for name in ("CONTRIBUTING.md", "SECURITY.md", "bench/load/README.md"))]

SERVED = {"api.md", "api_player.py"}
"""These call a server: tests/web/test_api.py runs them."""

KONTOR = Path(sys.executable).with_name("kontor")


def fences(language: str) -> list[tuple[str, str]]:
    return [
        (page.name, code)
        for page in PAGES
        for kind, code in FENCE.findall(page.read_text(encoding="utf-8"))
        if kind == language
    ]


@pytest.mark.parametrize(("page", "code"), [(page, code) for page, code in fences("python") if page not in SERVED])
def test_every_python_example_runs(page: str, code: str, tmp_path: Path) -> None:
    copy(ROOT / "docs" / "example.jsonl", tmp_path / "game.jsonl")
    one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # several, on cores that are busy, wait for each other
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, env=one_thread)
    assert done.returncode == 0, f"{page}:\n{code}\n{done.stderr}"


ELSEWHERE = {*SERVED, "learn_shanghaien.py", "tournament_player.py"}
"""Programs that other tests run."""

EXAMPLES = [example for example in sorted((ROOT / "examples").glob("*.py")) if example.name not in ELSEWHERE]


@pytest.mark.long
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_every_program_in_examples_runs(example: Path) -> None:
    done = subprocess.run([sys.executable, example], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_ten_lines_of_the_readme_print_a_result() -> None:
    (code,) = [code for page, code in fences("python") if page == "README.md"]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Result(points=(")


@pytest.mark.long
def test_every_command_in_the_readme_is_there(tmp_path: Path) -> None:
    """Those that need no file and no person are run; of the others the help is asked for."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"`\./kontor ([^`]*)`", readme)
    assert len(commands) >= 6
    for command in commands:
        words = [word for word in shlex.split(command) if word.isascii() and not word.isupper() and "[" not in word]
        if words[0] in ("serve", "play", "replay", "review", "verify", "train", "bench"):
            words = [words[0], "--help"]
        done = subprocess.run(
            [KONTOR, *words], cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "COLUMNS": "80"}
        )
        assert done.returncode == 0, f"kontor {shlex.join(words)}\n{done.stdout}{done.stderr}"


def anchors(page: Path) -> set[str]:
    """Of the headings of a page, as GitHub makes them: the second of the same text ends in ``-1``."""
    found: Counter[str] = Counter()
    named = set()
    for title in HEADING.findall(FENCE.sub("", page.read_text("utf-8"))):
        slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        named.add(f"{slug}-{found[slug]}" if found[slug] else slug)
        found[slug] += 1
    return named


@pytest.mark.parametrize("page", LINKING, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_in_the_documentation_leads_somewhere(page: Path) -> None:
    for target, anchor in LINK.findall(page.read_text("utf-8")):
        there = page.parent / target if target else page
        assert there.exists(), f"a link to {target}, which is not there"
        if anchor:
            assert anchor in anchors(there), f"a link to {target}#{anchor}, where there is no such heading"


def test_every_page_is_reached_from_the_index() -> None:
    index = ROOT / "docs" / "index.md"
    named = {(index.parent / target).resolve() for target, _ in LINK.findall(index.read_text("utf-8"))}
    assert {page for page in (ROOT / "docs").glob("*.md") if page != index} <= named
