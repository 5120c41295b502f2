"""S9 and S10: who gets which card, and the next round."""

from collections import Counter
from typing import Any

import pytest

from kontor.game import CHANCE, OVER
from kontor.games.shanghaien.rules import SHANGHAIEN, State
from shanghaien.table import (
    ANNA,
    ANNA_STARTS,
    BERND,
    awards,
    crew,
    go,
    legal,
    open_game,
    position,
    refusing_rule,
    supply,
)


def shared(anna: str, bernd: str, *, end: Any = "left") -> State:
    """Return the state after shanghai, with these dice placed on C1 … C4 and neighbours of another colour."""
    table = position(dice=(anna, bernd), one_at=end, row="C1 C2 C3 C4 G1 G2", turn=ANNA if len(anna) > 1 else BERND)
    return go(table, "shanghai")


def test_S9_a_card_without_dice_leaves_the_game() -> None:
    table = shared("2 2", "6")
    assert awards(table).splitlines()[0] == "1 C1 0:0 leaves"
    assert Counter(table.gone) >= Counter(["C1", "C3", "C4", "G1"])


def test_S9_dice_of_one_player_only() -> None:
    table = shared("2 2 4", "6")
    assert crew(table, ANNA) == "C2 C4"
    assert crew(table, BERND) == "G2"


@pytest.mark.parametrize(
    ("anna", "bernd", "lines"),
    [
        pytest.param("3 3 4", "3 4 4", ["3 C3 2:1 Anna", "4 C4 1:2 Bernd"], id="more dice"),
        pytest.param("3 3", "3 4 4 4 2 2", ["3 C3 2:1 Anna"], id="more dice, whatever lies beside"),
        pytest.param("1 6 6", "1 1 6 5", ["1 C1 1:2 Bernd"], id="more dice at the end"),
        pytest.param("3 4 4", "3 2 2", ["3 C3 1:1 (8:4) Anna"], id="equal dice: the neighbouring pips"),
        pytest.param("3 2 2", "3 5 4", ["3 C3 1:1 (4:4) leaves"], id="pips count, not dice"),
        pytest.param("5 4", "5 6", ["5 G1 1:1 (4:6) Bernd"], id="pips count: one die each beside the 5"),
        pytest.param("3 1 6 5", "3 2", ["3 C3 1:1 (0:2) Bernd"], id="1, 5 and 6 are no neighbours of the 3"),
        pytest.param("3 3 4", "3 3 3 4", ["4 C4 1:1 (6:9) Bernd"], id="only the own dice count"),
        pytest.param(
            "3 4", "3 4 4", ["3 C3 1:1 (4:8) Bernd", "4 C4 1:2 Bernd"], id="also beside a card that is lost"
        ),
        pytest.param(
            "1 6 2", "1 6", ["1 C1 1:1 (2:0) Anna", "6 G2 1:1 (0:0) leaves"], id="the 1 is not beside the 6"
        ),
        pytest.param("6 6 5", "6 6 1 1", ["6 G2 2:2 (5:0) Anna"], id="a card at the end has one neighbour"),
        pytest.param("3 3", "3 3", ["3 C3 2:2 (0:0) leaves"], id="equal again, without neighbours"),
        pytest.param("3 2 2 2", "3 2 4", ["3 C3 1:1 (6:6) leaves"], id="equal again: 6 and 2 + 4"),
    ],
)
def test_S9_more_dice_and_then_more_neighbouring_pips_take_the_card(anna: str, bernd: str, lines: list[str]) -> None:
    table = shared(anna, bernd)
    assert [line for line in awards(table).splitlines() if line[0] in {line[0] for line in lines}] == lines
    assert {card for _, card, *_, taker in map(str.split, lines) if taker == "leaves"} <= set(table.gone)


def test_S9_numbered_from_the_right_the_cards_change_and_the_neighbours_do_not() -> None:
    left, right = shared("2 3 4", "2 3 1", end="left"), shared("2 3 4", "2 3 1", end="right")
    deciding = ["0:1 Bernd", "1:1 (3:4) Bernd", "1:1 (6:2) Anna", "1:0 Anna", "0:0 leaves", "0:0 leaves"]
    assert awards(left).splitlines() == [
        f"{number} {card} {how}"
        for number, (card, how) in enumerate(zip(("C1", "C2", "C3", "C4", "G1", "G2"), deciding, strict=True), 1)
    ]
    assert awards(right).splitlines() == [
        f"{number} {card} {how}"
        for number, (card, how) in enumerate(zip(("G2", "G1", "C4", "C3", "C2", "C1"), deciding, strict=True), 1)
    ]


def test_S9_trick_cards_are_shared_out_like_sailors() -> None:
    table = go(position(row="nudge A1 both A2 reroll A3", dice=("1 1 3", "3 4 5")), "shanghai")
    assert crew(table, ANNA) == "nudge"
    assert crew(table, BERND) == "A2 both reroll"
    assert {"A1", "A3"} <= set(table.gone)


def test_S9_worked_example_Anna_and_Bernd() -> None:
    """Play the example of the rulebook: Anna begins, rolls 2 and 4 and chooses the end; Bernd takes the 5."""
    table = open_game(
        "24 left 2 / 15 5 / 22 2 / 34 3 / 13 3 / 46 4 / 56 6 / 66 6 / 66 6 / 16 6 / shanghai", row="A1 F2 G3 C3 D4 T1"
    )
    assert awards(table).splitlines() == [
        "1 A1 0:0 leaves", "2 F2 2:0 Anna", "3 G3 1:1 (4:4) leaves", "4 C3 0:1 Bernd", "5 D4 0:1 Bernd",
        "6 T1 2:2 (0:5) Bernd",
    ]  # fmt: skip
    assert crew(table, ANNA) == "F2"
    assert crew(table, BERND) == "C3 D4 T1"
    assert sorted(table.gone) == ["A1", "G3"]


def test_S10_both_take_their_dice_back() -> None:
    table = go(position(dice=("1 2 3", "4 5")), "shanghai")
    assert (supply(table, ANNA), supply(table, BERND)) == (6, 6)
    assert table.spent == (False, False)


def test_S10_six_new_cards_are_laid() -> None:
    table = go(position(dice=("1 2 3", "4 5")), "shanghai")
    assert len(table.to_come) == 42
    assert refusing_rule(table, "roll") == "S10"
    table = go(table, f"row:{','.join(table.to_come[-6:])}")
    assert len(table.to_come) == 36
    assert len(table.row) == 6


@pytest.mark.parametrize("starter", [ANNA, BERND])
@pytest.mark.parametrize("shanghaied", [ANNA, BERND])
def test_S10_the_player_who_did_not_shanghai_starts_the_next_round(starter: int, shanghaied: int) -> None:
    table = go(position(dice=("1 2 3", "4 5"), turn=shanghaied, starter=starter), "shanghai")
    table = go(table, f"row:{','.join(table.to_come[:6])}")
    assert (table.mover, table.starter) == (1 - shanghaied, 1 - shanghaied)


def test_S10_eight_rounds() -> None:
    table = SHANGHAIEN.start(ANNA_STARTS)
    for number in range(1, 9):
        assert (table.round, table.mover) == (number, CHANCE)
        assert len(table.to_come) == 48 - 6 * (number - 1)
        assert SHANGHAIEN.result(table) is None
        table = go(table, f"row:{','.join(table.to_come[:6])} 12 left 1 / 12 1 / 12 1 / 12 1 / shanghai")
    assert (table.mover, table.to_come, table.row) == (OVER, (), ())
    assert table.round == 8
    assert SHANGHAIEN.result(table) is not None


def test_S10_after_the_eighth_round_nothing_can_be_done() -> None:
    table = go(position(round_number=8, dice=("1 2", "3")), "shanghai")
    assert legal(table) == ""
    for action in ("roll", "shanghai", "3", "left", "both", "Anna", "dice:12", "row:A1,A2,A3,A3,A4,C1"):
        assert refusing_rule(table, action) == "S10"
    assert refusing_rule(table, None) == "S10"
