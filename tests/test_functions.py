"""A function has at most 60 lines and 7 parameters; the few exceptions have a reason."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "kontor"
TRAINING = ROOT / "training"

pytestmark = pytest.mark.xdist_group("functions of the source")
"""One group, because reading all files takes a while."""

MOST_LINES = 60
MOST_PARAMETERS = 7

Function = ast.FunctionDef | ast.AsyncFunctionDef

_KERNELS = "numba compiles kernels as closures over the rules, which they have to see by name"
_ARRAYS = "a kernel takes each array by itself"
_FLAGS = "Typer reads a command's options from its parameters"

EXCEPTIONS: dict[str, str] = {
    "archive/api.py: provide_search": "Litestar reads the query of a request from the parameters",
    "arena/__init__.py: simulate": "public: each option of a series of games by its name",
    "batch/loops.py: kernels_of": _KERNELS,
    "batch/loops.py: roll_out": _ARRAYS,
    "batch/packed.py: packed_of": _KERNELS,
    "batch/stepping.py: play": _ARRAYS,
    "batch/stepping.py: stepping_of": _KERNELS,
    "cli/play.py: play": _FLAGS,
    "cli/simulate.py: simulate": _FLAGS,
    "environments/ppo.py: _climb": _ARRAYS,
    "environments/ppo.py: gradient": _ARRAYS,
    "environments/ppo.py: learn": "public: each setting of the learner by its name",
    "environments/vector.py: __init__": "public: each option of the environment by its name",
    "games/dutchman/research/observing.py: features": "one table, a line for each part of an observation",
    "open_game.py: open_game": "public: each function of a game by its name (docs/own-game.md)",
    "records/writing.py: new_header": "public: each part of a header by its name",
    "server/site.py: server_site": "one list, a line for each thing that a site is given",
    "storage/migrations/versions/r0001_everything.py: upgrade": "one list, the tables of the first version",
    "tournaments/rows.py: _pairing": "one row, each column by its name",
    "tables/routes/api_tables.py: found": "Litestar reads the query of a request from the parameters",
    "training/dutchman/policy/rounds.py: _branch": _ARRAYS,
    "training/dutchman/policy/rounds.py: play_rounds": _ARRAYS,
    "training/shanghaien/round_kernels.py: _mean": _ARRAYS,
    "training/shanghaien/round_kernels.py: with_tricks": _ARRAYS,
}
"""Functions that may be larger, with the reason."""


def functions(source: str) -> Iterator[Function]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, Function):
            yield node


def parameters(function: Function) -> list[str]:
    """Return the names of all parameters but ``self`` and ``cls``."""
    arguments = function.args
    names = [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    return [name for name in names if name not in ("self", "cls")]


def size_of(function: Function) -> tuple[int, int]:
    assert function.end_lineno
    return function.end_lineno - function.lineno + 1, len(parameters(function))


@cache
def large_functions() -> dict[str, str]:
    large = {}
    for top, folder in ((SOURCE, SOURCE), (ROOT, TRAINING)):
        for file in sorted(folder.rglob("*.py")):
            for function in functions(file.read_text("utf-8")):
                lines, count = size_of(function)
                if lines > MOST_LINES or count > MOST_PARAMETERS:
                    large[f"{file.relative_to(top)}: {function.name}"] = f"{lines} lines, {count} parameters"
    return large


def test_functions_are_small_but_for_the_exceptions() -> None:
    assert {name: size for name, size in large_functions().items() if name not in EXCEPTIONS} == {}


def test_every_exception_is_still_one() -> None:
    assert set(EXCEPTIONS) - set(large_functions()) == set()


@pytest.mark.parametrize(
    ("source", "size"),
    [
        ("def f(): ...", (1, 0)),
        ("def f(self, a, /, b, *rest, c, **more):\n    return a", (2, 3)),
        ("async def f(\n    a,\n): ...", (3, 1)),
    ],
)
def test_the_size_of_a_function_is_its_lines_and_its_named_parameters(source: str, size: tuple[int, int]) -> None:
    (function,) = functions(source)
    assert size_of(function) == size
