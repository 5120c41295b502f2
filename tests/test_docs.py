"""Every example in the documentation runs."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from shutil import copy

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")

SERVED = {"api.md", "api_player.py"}
"""These call a house: tests/web/test_api.py runs them."""

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
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, f"{page}:\n{code}\n{done.stderr}"


EXAMPLES = [example for example in sorted((ROOT / "examples").glob("*.py")) if example.name not in SERVED]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_every_program_in_examples_runs(example: Path) -> None:
    done = subprocess.run([sys.executable, example], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_ten_lines_of_the_readme_print_a_result() -> None:
    (code,) = [code for page, code in fences("python") if page == "README.md"]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Result(points=(")


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


def test_every_link_in_the_documentation_leads_somewhere() -> None:
    for page in (*PAGES, ROOT / "CONTRIBUTING.md"):
        for target in LINK.findall(page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}, which is not there"
