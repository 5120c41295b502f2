"""docs/security.md leaves out no requirement, and names no test that is not there."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Final

import pytest

TESTS: Final = Path(__file__).parents[1]
DOCUMENT: Final = (TESTS.parent / "docs" / "security.md").read_text("utf-8")
NAMED: Final = sorted(set(re.findall(r"`((?:\w+/)?test_\w+\.py)::(test_\w+)`", DOCUMENT)))

ROW: Final = re.compile(r"^\| ((?:\d+\.\d+\.\d+ ?)+) \|([^|]*)\|([^|]*)\|(.*)\|$", re.MULTILINE)
"""A row of a table of requirements: numbers, what is asked for, the answer, tests."""


@cache
def functions_of(file: str) -> set[str]:
    tree = ast.parse((TESTS / file).read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def required() -> list[str]:
    """The numbers of all requirements of the levels 1 and 2."""
    told = (TESTS / "security" / "asvs-5.0.0.txt").read_text("utf-8").splitlines()
    return [line for line in told if not line.startswith("#")]


def test_every_requirement_of_both_levels_has_an_answer_and_only_one() -> None:
    answered = Counter(number for row in ROW.finditer(DOCUMENT) for number in row[1].split())
    assert len(required()) == 70 + 183
    assert sorted(answered) == sorted(required())
    assert not [number for number, times in answered.items() if times > 1]


def test_answers_are_of_few_kinds() -> None:
    for row in ROW.finditer(DOCUMENT):
        answer = row[3].strip()
        assert re.match(r"(yes|partly|no|yours|—)\b|—", answer), row[0]


def test_every_answer_is_shown_by_a_test_or_says_why_not() -> None:
    for row in ROW.finditer(DOCUMENT):
        kind, _, why = row[3].strip().partition(" ")
        if kind.rstrip(":,") in ("yes", "partly", "no") and "::test_" not in row[4]:
            assert len(why.split()) > 1 or why == "above" or why.startswith("["), row[0]
        if kind.rstrip(":,") in ("partly", "no"):
            assert len(why.split()) > 3, row[0]


@pytest.mark.parametrize(("file", "name"), NAMED, ids=[name for _, name in NAMED])
def test_every_test_that_is_named_is_there(file: str, name: str) -> None:
    assert name in functions_of(file)


def test_every_attack_stands_in_it() -> None:
    """What is tried here is worth telling. (The tests of the document itself are not told of in it.)"""
    ours = {
        (f"security/{file.name}", name)
        for file in Path(__file__).parent.glob("test_*.py")
        for name in functions_of(f"security/{file.name}")
        if name.startswith("test_") and file.name != Path(__file__).name
    }
    assert not sorted(ours - set(NAMED))
