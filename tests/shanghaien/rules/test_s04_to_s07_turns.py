"""S4 to S7: turns, dice, and the numbers of the cards."""

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from kontor.game import CHANCE
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules.state import Dice, Number, Place, Row, Starter
from shanghaien.table import ANNA, BERND, below_from, go, legal, open_game, position, refusing_rule, show, supply


def test_S4_the_players_alternate() -> None:
    table = open_game()
    seen = []
    for script in ("24 left 2", "15 5", "36 6", "36 6", "22 2"):
        seen.append(table.mover)
        table = go(table, script)
    assert seen == [ANNA, BERND, ANNA, BERND, ANNA]


def test_S4_a_turn_is_to_roll_or_to_shanghai() -> None:
    assert legal(position(dice=("1 2", ""))) == "roll shanghai"


@pytest.mark.parametrize(
    ("own", "moves"), [("", "roll"), ("1", "roll"), ("1 1", "roll shanghai"), ("1 2 6", "roll shanghai")]
)
def test_S4_shanghai_only_with_at_least_two_dice_placed(own: str, moves: str) -> None:
    table = position(dice=(own, "1 2 3 4"))
    assert legal(table) == moves, show(table)
    if moves == "roll":
        assert refusing_rule(table, "shanghai") == "S4"


def test_S4_only_the_own_dice_count() -> None:
    table = position(dice=("1", "2 3 4 5"), turn=ANNA)
    assert refusing_rule(table, "shanghai") == "S4"
    assert legal(replace(table, mover=BERND, turn=BERND)) == "roll shanghai"


def test_S4_dice_of_earlier_rounds_do_not_count() -> None:
    table = open_game("12 left 1 / 12 1 / 12 1 / 12 1 / shanghai row:A2,F1,G1,C1,D1,T2 12 left 1 / 12 1")
    assert legal(table) == "roll"


def test_S4_shanghai_ends_the_round() -> None:
    table = go(position(dice=("1 2", "5")), "shanghai")
    assert (table.mover, table.round, table.row) == (CHANCE, 2, ())


@pytest.mark.parametrize(
    ("own", "moves"), [("1 1 1 1", "roll shanghai"), ("1 1 1 1 1", "shanghai"), ("1 1 1 1 1 1", "shanghai")]
)
def test_S5_with_one_die_left_or_none_one_must_shanghai(own: str, moves: str) -> None:
    table = position(dice=(own, ""))
    assert legal(table) == moves, show(table)
    if moves == "shanghai":
        assert refusing_rule(table, "roll") == "S5"


def test_S5_none_can_be_left_after_both() -> None:
    table = go(position(anna="both", dice=("1 1 1 1", "2 2 2 2")), "36 both / 22 2")
    assert supply(table, ANNA) == 0
    assert legal(table) == "shanghai"
    assert refusing_rule(table, "roll") == "S5"


def test_S6_two_dice_are_rolled_with_exact_probabilities() -> None:
    dice = SHANGHAIEN.chance(open_game("roll"))
    outcomes = dice.outcomes()
    assert outcomes is not None
    assert len(outcomes) == 21
    assert sum(chance for _, chance in outcomes) == 1
    ways = Counter(Dice(min(a, b), max(a, b)) for a in range(1, 7) for b in range(1, 7))
    assert {outcome: chance * 36 for outcome, chance in outcomes} == dict(ways)
    assert Counter(dice.draw(below_from(k)) for k in range(36)) == ways
    assert all(dice.probability(outcome) == chance and outcome in dice for outcome, chance in outcomes)


@pytest.mark.parametrize(
    "impossible", [Dice(0, 1), Dice(6, 7), Dice(5, 2), Dice(1, 1000), Starter(0), Row(("A1",) * 6)]
)
def test_S6_dice_show_one_to_six_the_lower_first(impossible: Any) -> None:
    table = open_game("roll")
    assert SHANGHAIEN.chance(table).probability(impossible) == 0
    assert impossible not in SHANGHAIEN.chance(table)
    assert refusing_rule(table, impossible) == "S6"


def test_S6_one_of_the_two_dice_is_placed() -> None:
    table = go(position(), "25")
    assert legal(table) == "2 5"
    assert go(table, "2").placed[ANNA] == (0, 1, 0, 0, 0, 0)
    assert go(table, "5").placed[ANNA] == (0, 0, 0, 0, 1, 0)
    for die in (0, 1, 3, 4, 6, 7, -2):
        assert refusing_rule(table, Place(die)) == "S6"


def test_S6_of_doubles_one_is_placed() -> None:
    table = go(position(), "44")
    assert legal(table) == "4"
    assert go(table, "4").placed[ANNA] == (0, 0, 0, 1, 0, 0)


def test_S6_the_die_lies_on_the_own_side_and_the_other_goes_back_to_the_supply() -> None:
    table = go(position(dice=("1 1", "3"), turn=BERND), "25 5")
    assert table.placed == ((2, 0, 0, 0, 0, 0), (0, 0, 1, 0, 1, 0))
    assert (supply(table, ANNA), supply(table, BERND)) == (4, 4)
    assert table.roll is None
    assert (table.mover, table.step) == (ANNA, "turn")


def test_S6_rolling_cannot_be_taken_back() -> None:
    table = go(position(dice=("1 2 3", "1 2 3")), "25")
    for move in ("shanghai", "roll"):
        assert refusing_rule(table, move) == "S6"


def test_S6_nothing_is_placed_before_rolling() -> None:
    assert refusing_rule(position(), "3") == "S6"


def test_S7_the_starter_says_where_the_1_is_after_the_first_roll_and_before_placing() -> None:
    table = open_game()
    assert refusing_rule(table, "left") == "S7"  # not before the roll
    table = go(table, "24")
    assert legal(table) == "left right"
    assert refusing_rule(table, "2") == "S7"
    assert legal(go(table, "left")) == legal(go(table, "right")) == "2 4"


def test_S7_once_a_round() -> None:
    table = open_game("24 right")
    assert refusing_rule(table, "left") == "S7"
    assert refusing_rule(table, "right") == "S7"
    table = go(table, "2")
    assert refusing_rule(table, "left") == "S7"
    assert legal(go(table, "15")) == "1 5"  # not by the other player
    assert refusing_rule(go(table, "15"), "left") == "S7"


def test_S7_there_are_two_ends() -> None:
    assert refusing_rule(open_game("24"), Number("middle")) == "S7"  # type: ignore[arg-type]


@pytest.mark.parametrize(("end", "won"), [("left", ["A1", "F2"]), ("right", ["T1", "D4"])])
def test_S7_the_cards_are_numbered_from_that_end(end: str, won: list[str]) -> None:
    table = open_game(f"12 {end} 1 / 66 6 / 12 2 / 66 6 / shanghai", row="A1 F2 G3 C3 D4 T1")
    assert list(table.crews[ANNA].sailors) == won


def test_S7_each_round_is_numbered_anew_by_its_starter() -> None:
    table = open_game("12 right 1 / 12 1 / 12 1 / 12 1 / shanghai row:A2,F1,G1,C1,D1,T2")
    assert (table.mover, table.one_at) == (BERND, None)
    assert legal(go(table, "36")) == "left right"


def test_S7_ruling_a_trick_on_the_first_roll_may_be_played_before_deciding() -> None:
    table = go(position(anna="F1 nudge both reroll", one_at=None), "36")
    tricks = "joker:both:F joker:nudge:F joker:reroll:F 3>2 3>4 6>5 both reroll"
    assert legal(table) == f"left right {tricks}", show(table)
    assert legal(go(table, "3>4")) == "left right"
    assert legal(go(table, "3>4 right")) == "4 6"
    assert legal(go(table, "joker:both:F")) == "left right"
    assert legal(go(table, "joker:both:F left")) == "3 6"
    assert legal(go(table, "reroll:12")) == "left right"
    assert legal(go(table, "reroll:12 left")) == "1 2"
    assert legal(go(table, "both")) == "left right"
    assert go(table, "both right").placed[ANNA] == (0, 0, 1, 0, 0, 1)


def test_S7_ruling_or_after_deciding() -> None:
    table = go(position(anna="F1 nudge both reroll", one_at=None), "36 right")
    assert legal(table) == "3 6 joker:both:F joker:nudge:F joker:reroll:F 3>2 3>4 6>5 both reroll", show(table)
    assert legal(go(table, "3>4")) == "4 6"
    assert legal(go(table, "reroll:12")) == "1 2"
    assert go(table, "both").mover == BERND


def test_S7_after_both_nothing_is_left_but_to_say_where_the_1_is() -> None:
    table = go(position(anna="F1 nudge both", one_at=None), "36 both")
    for move in ("3", "6", "3>4", "joker:nudge:F", "both", "reroll"):
        assert refusing_rule(table, move) == "S7"
    for move in ("roll", "shanghai"):
        assert refusing_rule(table, move) == "S6"
    table = go(table, "left")
    assert (table.mover, table.step, table.one_at) == (BERND, "turn", "left")
