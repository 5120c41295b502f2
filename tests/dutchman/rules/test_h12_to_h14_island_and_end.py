"""H12 to H14: an island, the end of the game, and what is open or hidden."""

from dutchman.rules.situations import AT_YELLOW_3, SHIP, agreed_on_island, at_sea, equally_near, last_round
from dutchman.table import (
    ANNE,
    ANYBODY,
    HELGA,
    KARIN,
    KARL,
    Seat,
    cash,
    go,
    hand,
    legal,
    position,
    refused_by,
    results,
    whose,
)
from kontor.game import OVER, Result
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules.components import CHESTS
from kontor.games.dutchman.rules.state import Dice, Keep, Pass, Sail, Shuffle, Starter


def test_H12_everyone_who_took_part_in_the_move_may_show_one_share_and_receives_its_value() -> None:
    state = agreed_on_island()
    assert whose(state) == "Karin: show"
    assert set(legal(state)) == {"shows blue", "shows yellow", "shows nothing"}
    state = go(state, "Karin shows yellow")
    assert (cash(state), results(state)) == ([25 + 11, 25, 25], ["Karin earns 11"])
    assert set(legal(state)) == {"shows blue", "shows orange", "shows red", "shows nothing"}
    state = go(state, "Helga shows red")
    assert cash(state) == [36, 31, 25]
    assert whose(state) == "chance: lucky"  # nothing for Anne


def test_H12_one_who_has_won_the_move_alone() -> None:
    state = go(
        at_sea(25, 25, 25, 25), "Karin lays 31 / passes / passes / passes / Karin sails to Curaçao / Karin shows red"
    )
    assert cash(state) == [36, 25, 25, 25]
    assert whose(state) == "chance: lucky"


def test_H12_in_the_order_of_play() -> None:
    state = agreed_on_island(starter=HELGA)
    assert whose(state) == "Helga: show"
    state = go(state, "Helga shows nothing")
    assert whose(state) == "Karin: show"


def test_H12_not_showing_is_allowed() -> None:
    state = go(agreed_on_island(), "Karin shows nothing / Helga shows nothing")
    assert cash(state) == [25, 25, 25]
    assert whose(state) == "chance: lucky"


def test_H12_only_a_share_that_one_has() -> None:
    for move in ("shows red", "shows green"):
        assert refused_by(agreed_on_island(), move) == "H12"
    assert refused_by(agreed_on_island(), "passes") == "H12"


def test_H12_no_stone_moves() -> None:
    before = equally_near(tied=2)
    state = go(agreed_on_island(), "Karin shows yellow / Helga shows red")
    assert (state.stones, state.counter) == (before.stones, before.counter)


def test_H12_a_share_is_shown_and_kept_and_known_to_all_from_then_on() -> None:
    state = go(agreed_on_island(), "Karin shows yellow")
    assert hand(state, KARIN) == "blue yellow yellow"
    karin = DUTCHMAN.view(state, ANNE).players[KARIN]
    assert karin.at_least == (0, 1, 0, 0, 0, 0)  # that there is another is not seen


def test_H13_the_game_ends_when_the_counter_reaches_18() -> None:
    state = last_round(25, 25, 25, 25)
    assert DUTCHMAN.result(state) is None
    state = go(state, SHIP)
    assert CHESTS[state.counter] == 18
    assert (state.mover, state.step) == (OVER, "over")
    assert DUTCHMAN.moves(state) == ()


def test_H13_not_before() -> None:
    state = go(last_round(25, 25, 25, 25, counter=13), SHIP)
    assert CHESTS[state.counter] == 15
    assert whose(state) == "chance: lucky"
    assert DUTCHMAN.result(state) is None


def test_H13_an_island_does_not_end_it() -> None:
    state = go(last_round(25, 25, 25, 25), SHIP.replace("blue 1", "Curaçao"))
    assert whose(go(state, "shows nothing")) == "chance: lucky"


def test_H13_cash_plus_the_value_of_the_own_shares_and_the_richest_wins() -> None:
    state = go(last_round(25, 25, 25, 25), SHIP)
    # paid 7, 14, 0, 0; then blue is worth 2, yellow, green and orange 3, red 13, violet 15
    karin = 25 - 7 + 2 + 3 + 13
    helga = 25 - 14 + 2 + 2 + 3
    anne = 25 + 3 + 3 + 13
    karl = 25 + 15 + 15 + 13
    assert DUTCHMAN.result(state) == Result((karin, helga, anne, karl), (KARL,))


def test_H13_also_shares_on_the_last_chest_count_18() -> None:
    state = go(last_round(25, 25, 25, 25, stones="violet 15"), SHIP)
    result = DUTCHMAN.result(state)
    assert result is not None
    assert result.points[KARL] == 25 + 18 + 18 + 3


def test_H13_ruling_equally_rich_share_the_victory() -> None:
    # Anne has 3 + 3 + 13 in shares, Karl 15 + 15 + 13
    state = go(last_round(25, 25, 49, 25), SHIP)
    assert DUTCHMAN.result(state) == Result((36, 18, 68, 68), (ANNE, KARL))


def test_H13_ruling_who_goes_bankrupt_in_the_last_round_does_not_win() -> None:
    state = go(last_round(25, 13, 0, 0, stones="blue 7, orange 2"), SHIP)
    result = DUTCHMAN.result(state)
    assert state.mover == OVER
    assert result is not None
    assert (result.points[HELGA], HELGA in result.winners) == (0, False)


def test_H13_ruling_only_one_player_not_bankrupt_wins_at_once() -> None:
    state = at_sea(7, 13, None, None, round_number=3)
    state = go(state, "Karin lays 31 / Helga passes / Karin sails to blue 1")
    assert results(state)[-1] == "bankrupt: Helga"
    assert (state.mover, CHESTS[state.counter]) == (OVER, 13)
    assert DUTCHMAN.result(state) == Result((0 + 2 + 3 + 13, 0, 0, 0), (KARIN,))


def test_H13_ruling_all_the_last_ones_bankrupt_together_share_the_victory() -> None:
    state = position(
        Seat(shares="blue yellow red", cash=6, rack="31"),
        Seat(shares="blue yellow red", cash=0),
        Seat(bankrupt=1),
        stones="blue 7",
        round_number=3,
        **AT_YELLOW_3,
    )
    state = go(state, "Karin lays 31 / Helga passes / Karin sails to blue 1")
    assert results(state)[-1] == "bankrupt: Karin and Helga"
    assert state.mover == OVER
    assert DUTCHMAN.result(state) == Result((0, 0, 0), (KARIN, HELGA))  # not Anne, who was bankrupt before


def test_H13_after_the_end_nothing_is_played() -> None:
    state = go(last_round(25, 25, 25, 25), SHIP)
    for action in (Pass(), Sail("yellow 3"), Keep(), Dice(30, 1), Shuffle(state.pile), Starter(0), None):
        assert refused_by(state, action) == "H13"


def test_H13_at_the_end_all_shares_are_shown() -> None:
    before = last_round(25, 25, 25, 25)
    assert [player.held for player in DUTCHMAN.view(before, None).players] == [None] * 4
    state = go(before, SHIP)
    assert [player.held for player in DUTCHMAN.view(state, None).players] == [
        merchant.shares for merchant in state.merchants
    ]


def test_H14_ruling_the_bank_never_runs_out() -> None:
    """Check that merchants may have more than the 90 ducats in the box."""
    state = go(equally_near((500, 400, 300), tied=2), "names Curaçao / names Curaçao / shows yellow / shows red")
    assert cash(state) == [511, 406, 300]


def test_H14_ruling_cash_numbers_and_cards_are_open_shares_and_horseshoes_hidden() -> None:
    state = position(
        Seat(rack="48 10 1", cash=13, kontor=1, smith=2), Seat(rack="45", cash=0, kontor=0), ANYBODY, middle="20 2"
    )
    for seat in (HELGA, None):
        seen = DUTCHMAN.view(state, seat)
        karin = seen.players[KARIN]
        assert (karin.cash, karin.horseshoes, karin.kontor, karin.smith, karin.shares) == (13, 3, 1, 2, 3)
        assert karin.held is None
        assert (karin.at_least, karin.at_most, karin.known) == ((0,) * 6, (2,) * 6, ())
        assert (seen.middle, seen.pile) == (2, (None,) * 3)
    assert DUTCHMAN.view(state, HELGA).rack == (45,)
    assert DUTCHMAN.view(state, None).rack == ()
