"""What docs/research.md says of numbers and shapes is what they are."""

from __future__ import annotations

import re
from math import factorial
from pathlib import Path

import pytest

from kontor.dutchman.components import CASH
from kontor.environments.dutchman import DutchmanForm
from kontor.environments.dutchman.steps import DUCATS, GOLD, LAY, NAME, PUT, SAIL, SHOW, SILVERS, TO
from kontor.environments.forms import Form

from .walks import DUTCHMAN, SHANGHAIEN

PAGE = (Path(__file__).parents[2] / "docs" / "research.md").read_text("utf-8")

FLOWING = " ".join(PAGE.split())


def section(title: str) -> str:
    """The text below a heading, up to the next."""
    (text,) = re.findall(rf"^### {title}\n(.*?)(?=^##)", PAGE, re.MULTILINE | re.DOTALL)
    return str(text)


def rows(title: str) -> list[list[str]]:
    """The cells of a section's table, without its head."""
    lines = [line for line in section(title).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def shape_of(written: str, players: int) -> tuple[int, ...]:
    numbers = {"n": players, "6(n−1)": 6 * (players - 1)}
    return tuple(numbers.get(part) or int(part) for part in written.split(" × "))


@pytest.mark.parametrize(("title", "form"), [
    ("Pieces in Shanghaien", SHANGHAIEN),
    *[("Pieces in Der fliegende Holländer", form) for form in DUTCHMAN],
])  # fmt: skip
def test_every_piece_stands_there_in_its_order_with_its_shape(title: str, form: Form) -> None:
    told = [(name.strip("`"), shape_of(shape, form.seats)) for name, shape, _ in rows(title)]
    assert told == [(piece.name, piece.shape) for piece in form.pieces]


def test_the_private_pieces_are_the_last_ten() -> None:
    assert "The last ten pieces are the seat's own" in FLOWING
    assert [piece.private for piece in DUTCHMAN[0].pieces][-11:] == [False, *[True] * 10]


def test_steps_of_moves_begin_where_it_says() -> None:
    told = [int(first) for first, _ in rows("Numbers in Der fliegende Holländer")]
    silver = [SILVERS[kind] for kind in (20, 10, 2, 1)]
    assert told == [0, SHOW, PUT, SAIL, NAME, LAY, *silver, TO, DUCATS]
    assert [int(first) for first, _ in rows("Numbers in Shanghaien")] == [0, 1, 2, 4, 10, 34, 44, 45]
    assert len(GOLD) == 28


def test_figures_are_those_of_the_forms() -> None:
    assert f"at most {SHANGHAIEN.most_actions} steps of players and {SHANGHAIEN.most_outcomes} of chance" in FLOWING
    assert f"({DUTCHMAN[0].most_actions:,} for three)" in FLOWING
    assert [form.most_ducats for form in DUTCHMAN if isinstance(form, DutchmanForm)] == [
        98 * form.seats for form in DUTCHMAN
    ]
    assert 98 - CASH == 73
    names = [form.actions for form in (SHANGHAIEN, *DUTCHMAN)]
    size = re.findall(r"^\|[^|]+\| [\d.]+ \| [\d.]+ \| [\d.]+ \| ([\d,]+) \|$", PAGE, re.MULTILINE)
    assert [int(number.replace(",", "")) for number in size] == names
    assert f"room for every game ({SHANGHAIEN.memory} numbers)" in FLOWING
    assert f"the latest {DUTCHMAN[0].memory:,} are kept" in FLOWING


def test_orders_are_counted_right() -> None:
    assert f"{factorial(48) / (2**8 * 6 * 2 * 6):.1e}" == "6.7e+56"
    assert f"{factorial(60) / (6 * factorial(13)) ** 2:.1e}" == "6.0e+60"
    assert f"{factorial(18) / 6**6:.1e}" == "1.4e+11"
    for told in ("6.7 · 10⁵⁶", "6.0 · 10⁶⁰", "1.4 · 10¹¹"):
        assert told in FLOWING
