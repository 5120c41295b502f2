"""S8: dirty tricks."""

from collections import Counter

import pytest

from kontor.game import CHANCE, OVER
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules.scoring import comparisons, totals
from kontor.games.shanghaien.rules.state import Dice, Nudge, Place, Reroll, Row, Shanghai
from shanghaien.table import ANNA, BERND, crew, go, legal, position, refusing_rule, show, supply


def test_S8_one_trick_a_round() -> None:
    table = go(position(anna="F1 nudge nudge both reroll"), "36 3>4")
    assert legal(table) == "4 6"
    for move in ("4>5", "both", "reroll", "joker:both:F"):
        assert refusing_rule(table, move) == "S8"
    table = go(table, "4 / 12 1 / 36")  # nor in a later turn of the round
    assert legal(table) == "3 6"
    assert refusing_rule(table, "3>4") == "S8"


@pytest.mark.parametrize("half", ["3>4", "reroll:36", "joker:nudge:F", "joker:reroll:F"])
def test_S8_whichever_half_was_played(half: str) -> None:
    table = go(position(anna="F1 nudge nudge both reroll"), f"36 {half}")
    assert table.spent == (True, False)
    assert legal(table).split() == [str(die) for die in table.roll or ()], show(table)


def test_S8_the_other_player_still_may() -> None:
    table = go(position(anna="F1 nudge", bernd="G1 nudge"), "36 3>4 4 / 36")
    assert table.spent == (True, False)
    assert legal(table) == "3 6 joker:nudge:G 3>2 3>4 6>5"


def test_S8_again_in_the_next_round() -> None:
    before = position(anna="F1 nudge nudge", dice=("1 1", "1 1"), row="A1 A2 A3 F2 A3 A4")
    table = go(before, "36 3>4 4 / 36 3 / shanghai")
    assert table.spent == (False, False)
    table = go(table, f"row:{','.join(table.to_come[:6])} 36 left 3 / 36")
    assert legal(table) == "3 6 joker:nudge:F 3>2 3>4 6>5"


@pytest.mark.parametrize("move", ["3>4", "both", "reroll", "joker:nudge:F"])
def test_S8_only_directly_after_an_own_roll(move: str) -> None:
    table = position(anna="F1 nudge both reroll", dice=("1 2", "1 2"))
    assert move not in legal(table).split()
    assert refusing_rule(table, move) == "S8"
    table = go(table, "36 3 / 36")  # Bernd has rolled, not Anna
    assert legal(table) == "3 6"
    assert refusing_rule(table, move) == "S8"


def test_S8_not_between_the_own_roll_and_the_dice() -> None:
    table = position(anna="F1 nudge both reroll", dice=("1 2", "1 2"))
    for move in ("3>4", "both", "reroll", "joker:nudge:F", "3", "left", "roll", "shanghai"):
        assert refusing_rule(go(table, "roll"), move) == "S6"


def test_S8_hence_never_one_won_in_the_last_round() -> None:
    table = position(row="nudge both reroll A1 A2 A3", anna="F1", dice=("1 2 3", "6"), round_number=8)
    table = go(table, "shanghai")
    assert crew(table, ANNA) == "F1 both nudge reroll"
    assert (table.mover, legal(table)) == (OVER, "")
    assert refusing_rule(table, "3>4") == "S10"


def test_S8_a_trick_that_one_does_not_have_is_refused() -> None:
    table = go(position(anna="F1 nudge", bernd="G1 both reroll"), "36")
    for move in ("both", "reroll", "joker:both:F", "joker:reroll:F"):
        assert refusing_rule(table, move) == "S8"


def test_S8_alike_tricks_are_offered_once() -> None:
    table = go(position(anna="F1 F2 nudge nudge nudge"), "36")
    assert legal(table) == "3 6 joker:nudge:F 3>2 3>4 6>5"


def test_S8a_the_joker_needs_a_sailor_of_the_nation() -> None:
    table = go(position(anna="F1 S3 S4 nudge", bernd="G1 T1"), "33")
    assert [move for move in legal(table).split() if "joker" in move] == ["joker:nudge:F", "joker:nudge:S"]
    for letter in "AGCDTI":
        assert refusing_rule(table, f"joker:nudge:{letter}") == "S8a"
    assert "joker" not in legal(go(position(anna="nudge"), "33"))
    assert refusing_rule(go(position(anna="nudge", bernd="G1"), "33"), "joker:nudge:G") == "S8a"


def test_S8a_a_joker_alone_is_no_sailor_to_lay_another_with() -> None:
    """Check an impossible crew of jokers only, to see that a card is required."""
    table = go(position(anna="joker:both:S F1 nudge"), "33")
    assert refusing_rule(table, "joker:nudge:S") == "S8a"


def test_S8a_it_stays_to_the_end_counts_2_and_is_no_longer_an_unused_trick() -> None:
    before = position(anna="F1 nudge both", bernd="F3")
    assert totals(before.crews) == (2, 1)  # Anna takes… Bernd the lower French 1; two unused tricks
    table = go(before, "36 joker:nudge:F")
    assert crew(table, ANNA) == "F1 joker:nudge:F both"
    assert table.gone == before.gone
    assert [comparison.strengths for comparison in comparisons(table.crews) if comparison.nation == "F"] == [(3, 3)]
    assert totals(table.crews) == (1, 0)
    table = go(table, "3 / 12 1 / 36 3 / 12 1 / shanghai")
    assert "joker:nudge:F" in crew(table, ANNA)


def test_S8a_the_roll_is_then_placed_as_usual() -> None:
    table = go(position(anna="F1 nudge"), "36 joker:nudge:F")
    assert legal(table) == "3 6"
    assert go(table, "6").placed[ANNA] == (0, 0, 0, 0, 0, 1)


def test_S8b_one_die_is_changed_by_1_and_one_of_the_two_placed() -> None:
    table = go(position(anna="nudge"), "25")
    assert legal(table) == "2 5 2>1 2>3 5>4 5>6"
    assert legal(go(table, "2>3")) == "3 5"
    assert legal(go(table, "5>4")) == "2 4"
    assert legal(go(table, "2>1")) == "1 5"
    table = go(table, "5>6")
    assert legal(table) == "2 6"  # the unchanged die may be placed too
    assert refusing_rule(table, "5") == "S6"


def test_S8b_the_higher_die_can_become_the_lower_and_both_can_become_alike() -> None:
    assert legal(go(position(anna="nudge"), "34 3>4")) == "4"
    assert legal(go(position(anna="nudge"), "34 4>3")) == "3"
    assert legal(go(position(anna="nudge"), "33 3>2")) == "2 3"
    assert legal(go(position(anna="nudge"), "33 3>4")) == "3 4"


def test_S8b_within_1_to_6() -> None:
    table = go(position(anna="nudge"), "16")
    assert legal(table) == "1 6 1>2 6>5"
    for move in (Nudge(1, 0), Nudge(6, 7), Nudge(1, 6), Nudge(6, 1)):
        assert refusing_rule(table, move) == "S8b"
    assert legal(go(position(anna="nudge"), "11")) == "1 1>2"
    assert legal(go(position(anna="nudge"), "66")) == "6 6>5"


def test_S8b_by_1_and_of_a_die_that_was_rolled() -> None:
    table = go(position(anna="nudge"), "25")
    for move in (Nudge(2, 2), Nudge(2, 4), Nudge(5, 3), Nudge(2, 5), Nudge(3, 4), Nudge(6, 5), Nudge(0, 1)):
        assert refusing_rule(table, move) == "S8b"


def test_S8b_the_card_leaves_the_game() -> None:
    before = position(anna="F1 nudge nudge")
    table = go(before, "25 2>3")
    assert crew(table, ANNA) == "F1 nudge"
    assert Counter(table.gone) - Counter(before.gone) == Counter(nudge=1)


def test_S8c_both_dice_are_placed() -> None:
    before = position(anna="F1 both")
    table = go(before, "25 both")
    assert table.placed[ANNA] == (0, 1, 0, 0, 1, 0)
    assert supply(table, ANNA) == 4
    assert table.mover == BERND
    assert crew(table, ANNA) == "F1"
    assert Counter(table.gone) - Counter(before.gone) == Counter(both=1)


def test_S8c_also_doubles() -> None:
    assert go(position(anna="both"), "55 both").placed[ANNA] == (0, 0, 0, 0, 2, 0)


def test_S8c_two_dice_placed_at_once_are_enough_to_shanghai() -> None:
    table = go(position(anna="both"), "25 both / 12 1")
    assert legal(table) == "roll shanghai"


def test_S8d_both_dice_are_rolled_again_and_a_new_one_is_placed() -> None:
    before = position(anna="F1 reroll")
    table = go(before, "25 reroll")
    assert (table.mover, table.roll) == (CHANCE, None)  # there is no way back to the first roll
    assert SHANGHAIEN.chance(table).outcomes() == SHANGHAIEN.chance(go(before, "roll")).outcomes()
    table = go(table, "dice:16")
    assert legal(table) == "1 6"
    for die in ("2", "5"):
        assert refusing_rule(table, die) == "S6"
    assert crew(table, ANNA) == "F1"
    assert Counter(table.gone) - Counter(before.gone) == Counter(reroll=1)


def test_S8d_the_same_numbers_can_come_again() -> None:
    assert legal(go(position(anna="reroll"), "25 reroll:25")) == "2 5"


def test_S8d_only_dice_can_come_of_it() -> None:
    table = go(position(anna="reroll"), "25 reroll")
    for action in (Dice(0, 3), Place(2), Reroll(), Shanghai(), Row(("A1",) * 6)):
        assert refusing_rule(table, action) == "S6"
