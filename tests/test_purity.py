"""The contract and the rules are pure: they import only msgspec and the standard library, and read no clock.

The layers of imports are in ``.importlinter``; ruff bans the random generator that all share.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "kontor"
ALLOWED = (sys.stdlib_module_names | {"kontor", "msgspec"}) - {"time", "datetime"}


def pure_files() -> list[Path]:
    rules = sorted(SOURCE.glob("games/*/rules/*.py"))
    assert len({file.parents[1] for file in rules}) == 2
    return [SOURCE / "game.py", SOURCE / "open_game.py", *rules]


def imported_packages(source: str) -> Iterator[str]:
    """Yield the packages of all absolute imports, also of those inside functions."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


@pytest.mark.parametrize("file", pure_files(), ids=lambda file: str(file.relative_to(SOURCE)))
def test_a_pure_file_imports_only_msgspec_and_the_standard_library(file: Path) -> None:
    assert set(imported_packages(file.read_text("utf-8"))) - ALLOWED == set()


def test_a_clock_and_a_package_inside_a_function_are_found() -> None:
    lines = [
        "import time, tomllib",
        "from datetime import date",
        "from . import dice",
        "def f():",
        "    import rich.table",
    ]
    assert set(imported_packages("\n".join(lines))) - ALLOWED == {"time", "datetime", "rich"}
