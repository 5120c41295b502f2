"""No test passes or fails by time: all tests are read, and must follow ``timeouts.py``.

These are found, in each file but that one:

- a wall clock that is read (``monotonic()``, ``perf_counter()``, ``time.time()``, HTTPX's ``elapsed``). For a
  deadline there is ``waited_for``; durations are for ``bench``, not for a test. Processor time is allowed
  (``thread_time``): neighbours take none of it;
- a time-out that is a number, or the name of one: use ``HANG_TIMEOUT`` to wait. Nought is no wait;
- a fixed number of looks with a pause between them, which is a time-out too;
- a deadline of Hypothesis.

A pause after which something must *not* have happened is not found. A slow machine passes there.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

TESTS: Final = Path(__file__).parent
EXCEPT: Final = {"timeouts.py", "mixed_kills.py"}
"""The file that defines waiting; and a program that no test runs, which reports waiting times after a kill."""

CLOCKS: Final = {"monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "time", "time_ns"}

FIRST: Final = {"communicate", "join", "result", "set_default_timeout", "settimeout", "timeout", "wait"}
SECOND: Final = {"create_connection", "wait_for"}
"""Functions whose first (FIRST), or second (SECOND), argument is a time-out."""

PAUSES: Final = {"sleep", "wait_for_timeout"}


def files() -> list[Path]:
    return [path for path in sorted(TESTS.rglob("*.py")) if path.name not in EXCEPT]


def is_number(node: ast.AST | None) -> bool:
    """Return True for a number other than nought, and for an expression of numbers only."""
    match node:
        case ast.Constant(bool()):
            return False
        case ast.Constant(int() | float() as value):
            return value != 0
        case ast.BinOp(left=left, right=right):
            return is_number(left) and is_number(right)
    return False


def numbers(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)) if is_number(node.value):
                yield name
            case ast.ImportFrom(module=str(module), names=names):
                imported = numbers_of(TESTS.joinpath(*module.split(".")).with_suffix(".py"))
                yield from (each.asname or each.name for each in names if each.name in imported)


@cache
def numbers_of(path: Path) -> frozenset[str]:
    """Return the names in a file that are numbers; none if it is not among the tests."""
    is_checked = path.exists() and path.name not in EXCEPT
    return frozenset(numbers(ast.parse(path.read_text("utf-8")))) if is_checked else frozenset()


def called(call: ast.Call) -> str:
    """Return the last name of the called function."""
    match call.func:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name
    return ""


def timeouts(call: ast.Call) -> Iterator[ast.expr]:
    """Yield the arguments of a call that are time-outs."""
    for keyword in call.keywords:
        if keyword.arg == "timeout":
            yield keyword.value
    place = 0 if called(call) in FIRST else 1 if called(call) in SECOND else None
    if place is not None and place < len(call.args):
        yield call.args[place]


def counted_looks(loop: ast.For) -> bool:
    """Return True if a loop looks a fixed number of times, with pauses, until it has found something."""
    match loop.iter:
        case ast.Call(func=ast.Name("range"), args=args) if all(map(is_number, args)):
            inside = [node for line in loop.body for node in ast.walk(line)]
            pauses = any(isinstance(node, ast.Call) and called(node) in PAUSES for node in inside)
            return pauses and any(isinstance(node, ast.Break | ast.Return | ast.If) for node in inside)
    return False


def clock_uses(source: str) -> list[str]:
    """Return the places that depend on time."""
    tree = ast.parse(source)
    names = {*numbers(tree)}
    uses = []
    for node in ast.walk(tree):
        match node:
            case ast.Call() if called(node) in CLOCKS and not node.args:
                uses.append(f"{node.lineno}: {called(node)}() is read")
            case ast.Attribute(attr="elapsed"):
                uses.append(f"{node.lineno}: how long it took")
            case ast.keyword(arg="deadline", value=value) if is_number(value):
                uses.append(f"{value.lineno}: a deadline")
            case ast.For() if counted_looks(node):
                uses.append(f"{node.lineno}: so many looks")
        if isinstance(node, ast.Call):
            for value in timeouts(node):
                if is_number(value) or (isinstance(value, ast.Name) and value.id in names):
                    uses.append(f"{value.lineno}: {called(node)} gives up after {ast.unparse(value)}")
    return uses


def test_no_test_measures_a_wall_clock() -> None:
    uses = {str(path.relative_to(TESTS)): clock_uses(path.read_text("utf-8")) for path in files()}
    assert {name: places for name, places in uses.items() if places} == {}


@pytest.mark.parametrize(
    "source",
    [
        "took = time.monotonic() - begun",
        "assert perf_counter() - begun < 3",
        "begun = time.time()",
        "assert answer.elapsed.total_seconds() < 3",
        "process.communicate(timeout=20)",
        "thread.join(5)",
        "future.result(2 * 15)",
        "await asyncio.wait_for(task, 2)",
        "async with asyncio.timeout(0.5): ...",
        "PATIENCE: Final = 30.0\nprocess.wait(PATIENCE)",
        "expect(page.locator('#now')).to_be_visible(timeout=12_000)",
        "@settings(deadline=200)\ndef test(): ...",
        "for _ in range(400):\n    if done():\n        break\n    sleep(0.05)",
    ],
)
def test_what_depends_on_time_is_found(source: str) -> None:
    assert len(clock_uses(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "process.communicate(timeout=HANG_TIMEOUT)",
        "thread.join(2 * HANG_TIMEOUT)",
        "queue.get(timeout=0)",
        "', '.join(names)",
        "assert clock.time == before",
        "begun = thread_time()",
        "time.sleep(0.3)\nassert not done",
        "monkeypatch.setattr(sessions, 'monotonic', lambda: now)",
        "settings(deadline=None)",
        "for number in range(20):\n    press(number)\n    sleep(0.01)",
    ],
)
def test_what_does_not_is_let_pass(source: str) -> None:
    assert clock_uses(source) == []
