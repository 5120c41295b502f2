"""docs/asvs.csv: it has every requirement, and names only tests that exist."""

import ast
import csv
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).parents[1]
CHECKLIST: Final = TESTS.parent / "docs" / "asvs.csv"

ANSWERS: Final = {"yes", "partly", "no", "operator", "n/a"}


@dataclass(frozen=True)
class Row:
    """A row of the checklist: numbers of requirements, the answer to all of them, the reason, and the tests."""

    numbers: tuple[str, ...]
    answer: str
    note: str
    tests: tuple[tuple[str, str], ...]


def _rows() -> tuple[Row, ...]:
    with CHECKLIST.open(encoding="utf-8", newline="") as file:
        return tuple(
            Row(
                tuple(row["requirements"].split()),
                row["answer"],
                row["note"],
                tuple((file, name) for file, _, name in (test.partition("::") for test in row["tests"].split())),
            )
            for row in csv.DictReader(file)
        )


ROWS: Final = _rows()
NAMED: Final = sorted({test for row in ROWS for test in row.tests})


@cache
def functions_of(file: str) -> set[str]:
    tree = ast.parse((TESTS / file).read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def requirement_numbers() -> list[str]:
    """Return the numbers of all requirements of the levels 1 and 2."""
    lines = (TESTS / "security" / "asvs-5.0.0.txt").read_text("utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


def test_every_requirement_of_both_levels_has_an_answer_and_only_one() -> None:
    answered = Counter(number for row in ROWS for number in row.numbers)
    assert len(requirement_numbers()) == 70 + 183
    assert sorted(answered) == sorted(requirement_numbers())
    assert not [number for number, times in answered.items() if times > 1]


def test_answers_are_of_few_kinds() -> None:
    assert {row.answer for row in ROWS} == ANSWERS


def test_every_answer_is_shown_by_a_test_or_says_why_not() -> None:
    for row in ROWS:
        if row.answer in ("yes", "partly", "no") and not row.tests:
            assert len(row.note.split()) > 1 or row.note == "SECURITY.md", row
        if row.answer in ("partly", "no"):
            assert len(row.note.split()) > 3, row


def test_every_test_that_is_named_is_there() -> None:
    assert [f"{file}::{name}" for file, name in NAMED if name not in functions_of(file)] == []


def test_every_attack_stands_in_it() -> None:
    """Check that every security test is in the checklist, except the tests of the checklist itself."""
    ours = {
        (f"security/{file.name}", name)
        for file in Path(__file__).parent.glob("test_*.py")
        for name in functions_of(f"security/{file.name}")
        if name.startswith("test_") and file.name != Path(__file__).name
    }
    assert not sorted(ours - set(NAMED))
