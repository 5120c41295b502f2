"""H10: without an agreement the tied players lay further horseshoes, or roll for it."""

from dutchman.rules.situations import THREE_DECIDE, TWO_DECIDE, TWO_NAME, equally_near
from dutchman.table import (
    ANNE,
    ANYBODY,
    HELGA,
    KARIN,
    KARL,
    KLAUS,
    Seat,
    all_draws,
    go,
    heap,
    legal,
    position,
    rack,
    refused_by,
    results,
    whose,
)
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules.chance import DICE
from kontor.games.dutchman.rules.state import Dice


def test_H10_each_tied_player_in_the_order_of_play_lays_further_horseshoes_or_passes() -> None:
    state = go(equally_near(tied=2, starter=ANNE), TWO_DECIDE)
    assert whose(state) == "Karin: again"
    assert set(legal(state)) == {"passes", "lays 29", "lays 1", "lays 29 1"}
    state = go(state, "Karin lays 29")
    assert whose(state) == "Helga: again"
    assert state.merchants[KARIN].lay == (29,)
    assert heap(state) == "31 30 27 1"  # what was laid before lies in the middle


def test_H10_the_same_lucky_number_and_the_nearest_moves() -> None:
    state = go(equally_near(tied=2), f"{TWO_DECIDE} / Karin lays 29 / Helga lays 28")
    assert state.lucky == 31
    assert results(state) == ["revealed: Karin 29 = 29, Helga 28 = 28; nearest: Karin"]
    assert whose(state) == "Karin: sail"
    assert heap(state) == "31 30 29 28 27 1"
    assert results(go(state, "Karin sails to Curaçao")) == ["from yellow 3 to Curaçao, moved by Karin"]


def test_H10_who_was_not_equally_near_lays_nothing() -> None:
    state = go(equally_near(tied=2), f"{TWO_DECIDE} / Karin lays 29 / Helga lays 28")
    assert rack(state, ANNE) == "20 10 2 1"
    assert {lay.seat for lay in state.revealed[-1].lays} == {KARIN, HELGA}


def test_H10_any_number_of_horseshoes_left_allows_to_pass() -> None:
    state = position(Seat(rack="31 48 47 46 45 44 43"), Seat(rack="30 1"), ANYBODY, circles=0)
    state = go(state, "Karin lays 31 / Helga lays 30 1 / Anne passes / Karin names red 1 / Helga names green 1")
    assert "passes" in legal(state)  # with six left
    state = go(state, "Karin passes")
    assert legal(state) == ["passes"]  # Helga has none left


def test_H10_the_best_among_those_who_laid() -> None:
    """Check that Karin, who would be nearest with 29, passes and so does not win."""
    state = go(equally_near(), f"{THREE_DECIDE} / Karin passes / Helga lays 1 / Anne lays 2")
    assert whose(state) == "Anne: sail"
    state = go(equally_near(), f"{THREE_DECIDE} / Karin passes / Helga passes / Anne lays 2")
    assert whose(state) == "Anne: sail"


def test_H10_a_reading_of_0_is_nearer_than_passing() -> None:
    state = position(Seat(rack="45 31"), Seat(rack="30 1"), ANYBODY, circles=0)
    state = go(state, "Karin lays 31 / Helga lays 30 1 / Anne passes / Karin names red 1 / Helga names green 1")
    state = go(state, "Karin lays 45 / Helga passes")
    assert results(state) == ["revealed: Karin 45 = 0; nearest: Karin"]
    assert whose(state) == "Karin: sail"


def test_H10_equally_near_again_name_and_bargain_anew() -> None:
    state = go(equally_near(), f"{THREE_DECIDE} / Karin lays 29 / Helga lays 28 1 / Anne lays 27 2")
    assert results(state)[0].endswith("nearest: Karin and Helga and Anne")
    for name in ("Karin", "Helga", "Anne"):
        assert whose(state) == f"{name}: name"
        state = go(state, f"{name} names {'Curaçao' if name == 'Karin' else 'blue 1'}")
    for name in ("Karin", "Helga", "Anne") * 2:
        assert whose(state) == f"{name}: propose"
        state = go(state, f"{name} withholds")
    assert whose(state) == "Karin: again"


def test_H10_who_falls_behind_is_no_longer_party() -> None:
    state = go(equally_near(), f"{THREE_DECIDE} / Karin lays 29 / Helga lays 28 1 / Anne lays 27")
    state = go(state, "Karin names Curaçao / Helga names blue 1 / Karin proposes blue 1 / Helga accepts")
    assert state.dutchman == "blue 1"
    state = go(equally_near(), f"{THREE_DECIDE} / Karin lays 29 / Helga passes / Anne lays 27 2")
    assert state.bargain is not None
    assert state.bargain.tied == (KARIN, ANNE)


def test_H10_they_may_agree_after_a_deciding_round() -> None:
    state = go(equally_near(tied=2), f"{TWO_DECIDE} / Karin lays 29 / Helga lays 28 1")
    state = go(state, "Karin names Curaçao / Helga names Curaçao")
    assert results(state)[-1] == "from yellow 3 to Curaçao, moved by Karin and Helga"


def test_H10_so_on_until_one_is_left() -> None:
    state = go(equally_near(tied=2, circles=0), f"{TWO_NAME} / Karin lays 29 / Helga lays 28 1")
    state = go(state, f"{TWO_NAME} / Karin lays 1 / Helga passes")
    assert whose(state) == "Karin: sail"
    assert len(state.revealed) == 3


def test_H10_ruling_all_readings_0_are_equally_near_here_too() -> None:
    state = position(Seat(rack="45 31"), Seat(rack="44 30 1"), ANYBODY, circles=0)
    state = go(state, "Karin lays 31 / Helga lays 30 1 / Anne passes / Karin names red 1 / Helga names green 1")
    state = go(state, "Karin lays 45 / Helga lays 44")
    assert results(state)[0].endswith("nearest: Karin and Helga")
    assert whose(state) == "Karin: name"


def test_H10_if_all_pass_they_roll_for_it() -> None:
    state = go(equally_near(tied=2), f"{TWO_DECIDE} / Karin passes / Helga passes")
    assert whose(state) == "chance: rolling"
    assert state.queue == (KARIN, HELGA)
    state = go(state, "Karin rolls 30 + 5 / Helga rolls 30 + 7")
    assert results(state) == ["rolled: Karin 35, Helga 37; highest: Helga"]
    assert whose(state) == "Helga: sail"
    state = go(state, "Helga sails to Curaçao")
    assert results(state) == ["from yellow 3 to Curaçao, moved by Helga"]
    assert whose(go(state, "Helga shows red")) == "chance: lucky"  # Karin took no part in the move


def test_H10_having_nothing_to_lay_is_passing() -> None:
    state = position(Seat(rack="31"), Seat(rack="30 1"), ANYBODY, circles=0)
    state = go(state, "Karin lays 31 / Helga lays 30 1 / Anne passes / Karin names red 1 / Helga names green 1")
    assert legal(state) == ["passes"]
    assert whose(go(state, "Karin passes / Helga passes")) == "chance: rolling"


def test_H10a_ruling_both_dice_the_highest_sum() -> None:
    before = go(equally_near(tied=2), f"{TWO_DECIDE} / Karin passes / Helga passes")
    outcomes = DUTCHMAN.chance(before).outcomes()
    assert dict(outcomes or ()) == all_draws(DICE)
    assert refused_by(before, Dice(30, 2)) == "H10a"
    assert before.lucky == 31
    assert go(before, "dice 40 + 9 / dice 20 + 1").lucky == 31  # no new lucky number


def test_H10a_ruling_equal_ones_roll_again() -> None:
    state = go(equally_near(), f"{THREE_DECIDE} / passes / passes / passes")
    state = go(state, "Karin rolls 40 + 5 / Helga rolls 20 + 1 / Anne rolls 40 + 5")
    assert results(state) == ["rolled: Karin 45, Helga 21, Anne 45; highest: Karin and Anne"]
    assert (whose(state), state.queue, state.rolls) == ("chance: rolling", (KARIN, ANNE), ())
    state = go(state, "Karin rolls 20 + 3 / Anne rolls 20 + 3")
    assert state.queue == (KARIN, ANNE)
    state = go(state, "Karin rolls 20 + 3 / Anne rolls 20 + 5")
    assert whose(state) == "Anne: sail"


def test_H10b_ruling_if_nobody_lays_all_still_in_the_game_roll_for_it() -> None:
    state = position(Seat(), Seat(bankrupt=1), Seat(), Seat(), Seat(), starter=KARL)
    state = go(state, "Karl plays a Kontor card")
    state = DUTCHMAN.play(state, DUTCHMAN.moves(state)[0])
    state = go(state, "Klaus passes / Karin plays a Smith card / Anne passes")
    assert whose(state) == "chance: rolling"
    assert state.queue == (KARL, KLAUS, KARIN, ANNE)
    state = go(state, "Karl rolls 20 + 1 / Klaus rolls 30 + 1 / Karin rolls 40 + 1 / Anne rolls 40 + 1")
    assert results(state)[-1] == "rolled: Karl 21, Klaus 31, Karin 41, Anne 41; highest: Karin and Anne"
    state = go(state, "Karin rolls 20 + 1 / Anne rolls 20 + 3")
    assert whose(state) == "Anne: sail"
    state = go(state, "Anne sails to red 1")
    assert results(state)[0] == "from Holland to red 1, moved by Anne"
