"""The numbers and shapes in docs/research.md and its tables: they match the program."""

import csv
import re
from math import factorial
from pathlib import Path

import pytest

from kontor.environments.encoders import ActionEncoder
from kontor.games.dutchman.research import DutchmanEncoder
from kontor.games.dutchman.research.steps import DUCATS, GOLD, LAY, NAME, PUT, SAIL, SHOW, SILVERS, TO
from kontor.games.dutchman.rules.components import CASH

from .walks import DUTCHMAN, SHANGHAIEN

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "research.md").read_text("utf-8")

FLOWING = " ".join(PAGE.split())


def rows(file: str, game: str) -> list[dict[str, str]]:
    """Return the rows for a game of a table in ``docs``."""
    with (DOCS / file).open(encoding="utf-8", newline="") as text:
        return [row for row in csv.DictReader(text) if row["game"] == game]


def first_numbers(game: str) -> list[int]:
    """Return the first number of each kind of step of a seat."""
    return [int(row["from"]) for row in rows("steps.csv", game) if row["of"] == "seat"]


def shape_of(written: str, players: int) -> tuple[int, ...]:
    numbers = {"n": players, "6(n−1)": 6 * (players - 1)}
    return tuple(numbers.get(part) or int(part) for part in written.split(" × "))


@pytest.mark.parametrize(
    ("game", "encoder"), [("shanghaien", SHANGHAIEN), *[("dutchman", encoder) for encoder in DUTCHMAN]]
)
def test_every_piece_stands_there_in_its_order_with_its_shape(game: str, encoder: ActionEncoder) -> None:
    pieces = [(row["piece"], shape_of(row["shape"], encoder.seats)) for row in rows("observations.csv", game)]
    assert pieces == [(part.name, part.shape) for part in encoder.parts]


def test_the_private_pieces_are_the_last_ten() -> None:
    assert "The last ten pieces are the seat's own" in FLOWING
    assert [part.private for part in DUTCHMAN[0].parts][-11:] == [False, *[True] * 10]


def test_steps_of_moves_begin_where_it_says() -> None:
    silver = [SILVERS[kind] for kind in (20, 10, 2, 1)]
    assert first_numbers("dutchman") == [0, SHOW, PUT, SAIL, NAME, LAY, *silver, TO, DUCATS]
    assert first_numbers("shanghaien") == [0, 1, 2, 4, 10, 34, 44, 45]
    assert len(GOLD) == 28


def test_figures_are_those_of_the_forms() -> None:
    assert f"at most {SHANGHAIEN.most_actions} steps of players and {SHANGHAIEN.most_outcomes} of chance" in FLOWING
    assert f"({DUTCHMAN[0].most_actions:,} for three)" in FLOWING
    assert [encoder.most_ducats for encoder in DUTCHMAN if isinstance(encoder, DutchmanEncoder)] == [
        98 * encoder.seats for encoder in DUTCHMAN
    ]
    assert 98 - CASH == 73
    names = [encoder.actions for encoder in (SHANGHAIEN, *DUTCHMAN)]
    size = re.findall(r"^\|[^|]+\| [\d.]+ \| [\d.]+ \| [\d.]+ \| ([\d,]+) \|$", PAGE, re.MULTILINE)
    assert [int(number.replace(",", "")) for number in size] == names
    assert f"room for every game ({SHANGHAIEN.memory} numbers)" in FLOWING
    assert f"the latest {DUTCHMAN[0].memory:,} are kept" in FLOWING


def test_orders_are_counted_right() -> None:
    assert f"{factorial(48) / (2**8 * 6 * 2 * 6):.1e}" == "6.7e+56"
    assert f"{factorial(60) / (6 * factorial(13)) ** 2:.1e}" == "6.0e+60"
    assert f"{factorial(18) / 6**6:.1e}" == "1.4e+11"
    for number in ("6.7 · 10⁵⁶", "6.0 · 10⁶⁰", "1.4 · 10¹¹"):
        assert number in FLOWING
