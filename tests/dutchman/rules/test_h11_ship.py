"""H11: on a ship all shareholders pay; who cannot is bankrupt."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

from dutchman.rules.situations import AT_YELLOW_3, LOTTERY, SHIP, at_sea
from dutchman.table import (
    ANNE,
    HELGA,
    KARIN,
    Seat,
    all_draws,
    cash,
    go,
    heap,
    position,
    rack,
    refused_by,
    results,
    values,
    whose,
)
from kontor.game import Chance
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules.chance import Shuffling
from kontor.games.dutchman.rules.components import CHESTS, Colour
from kontor.games.dutchman.rules.state import Shuffle


def test_H11_all_shareholders_pay_the_value_for_each_share_to_the_bank() -> None:
    state = go(at_sea(25, 25, 25, 25), SHIP)
    assert cash(state) == [25 - 7, 25 - 14, 25, 25]
    assert results(state) == [
        "from yellow 3 to blue 1, moved by Karin",
        "blue at 7: Karin has 1 and pays 7, Helga has 2 and pays 14",
    ]


def test_H11_the_stone_of_the_ship_goes_back_and_all_stones_and_the_counter_move_on() -> None:
    before = at_sea(25, 25, 25, 25)
    state = go(before, SHIP)
    assert values(before) == {"blue": 7, "yellow": 2, "green": 2, "orange": 2, "red": 11, "violet": 15}
    assert values(state) == {"blue": 2, "yellow": 3, "green": 3, "orange": 3, "red": 13, "violet": 18}
    assert (CHESTS[before.counter], CHESTS[state.counter]) == (11, 13)


def test_H11_a_ship_that_nobody_holds_is_met_all_the_same() -> None:
    state = position(
        *[Seat(shares="yellow green red"), Seat(shares="yellow green red"), Seat(shares="orange orange violet")],
        **AT_YELLOW_3,
    )
    state = go(state, f"passes / passes / passes / {LOTTERY} / Karin sails to blue 1")
    assert results(state)[-1] == "blue at 2: nobody has any"
    assert values(state) == {"blue": 2, "yellow": 3, "green": 3, "orange": 3, "red": 3, "violet": 3}
    assert CHESTS[state.counter] == 3


def test_H11_exactly_enough_is_enough() -> None:
    state = go(at_sea(7, 14, 25, 0), SHIP)
    assert cash(state) == [0, 0, 25, 0]
    assert [merchant.bankrupt for merchant in state.merchants] == [0, 0, 0, 0]
    assert whose(state) == "chance: lucky"


def test_H11_who_cannot_pay_in_full_is_bankrupt_and_out_of_the_game() -> None:
    state = go(at_sea(25, 13, 25, 25, round_number=4), SHIP)
    assert results(state)[-2:] == ["blue at 7: Karin has 1 and pays 7, Helga has 2 and pays 13", "bankrupt: Helga"]
    assert state.merchants[HELGA].bankrupt == 4
    state = go(DUTCHMAN.play(state, Shuffle(state.pile)), "dice 30 + 1")
    for name in ("Anne", "Karl", "Karin"):  # passing over Helga, who would have been next
        assert whose(state) == f"{name}: action"
        state = go(state, f"{name} passes")


def test_H11_ruling_they_pay_what_they_have() -> None:
    assert cash(go(at_sea(25, 13, 25, 25), SHIP)) == [18, 0, 25, 25]
    assert cash(go(at_sea(25, 0, 25, 25), SHIP)) == [18, 0, 25, 25]


def test_H11_ruling_their_shares_are_shuffled_into_the_Kontor_pile() -> None:
    before = at_sea(25, 13, 25, 25)
    state = go(before, SHIP)
    assert state.merchants[HELGA].shares == ()
    assert Counter(state.pile) == Counter((*before.pile, "blue", "blue", "green"))
    assert whose(state) == "chance: shuffle"
    order = state.pile[::-1]
    after = DUTCHMAN.play(state, Shuffle(order))
    assert (after.pile, whose(after)) == (order, "chance: lucky")
    assert set(after.put_by) == {None}  # nobody knows the places of the cards
    for wrong in (order[1:], (*order, "blue"), ("red", *order[1:]) if order[0] != "red" else ("blue", *order[1:])):
        assert refused_by(state, Shuffle(wrong)) == "H11"


def test_H11_ruling_every_order_of_the_pile_is_equally_likely() -> None:
    pile: tuple[Colour, ...] = ("red", "blue", "blue", "green")
    brute = {Shuffle(order): Fraction(1, 12) for order in permutations(pile)}
    assert len(brute) == 12
    shuffling: Chance[Shuffle] = Shuffling(pile)
    assert all_draws(shuffling) == brute
    for outcome, chance in brute.items():
        assert outcome in shuffling
        assert shuffling.probability(outcome) == chance
    assert shuffling.probability(Shuffle(("red", "blue", "green", "green"))) == 0
    assert shuffling.outcomes() is None


def test_H11_ruling_their_horseshoes_go_to_the_middle_and_their_cards_out_of_the_game() -> None:
    state = go(at_sea(25, 13, 25, 25, middle="2"), SHIP)
    assert rack(state, HELGA) == ""
    assert heap(state) == "48 31 20 2 1"  # Helga's three, Karin's lay, and those that were there
    assert (state.merchants[HELGA].kontor, state.merchants[HELGA].smith) == (0, 0)
    assert [merchant.kontor for merchant in state.merchants] == [3, 0, 3, 3]


def test_H11_several_can_go_bankrupt_together() -> None:
    state = go(at_sea(6, 13, 25, 25), SHIP)
    assert results(state)[-1] == "bankrupt: Karin and Helga"
    assert cash(state) == [0, 0, 25, 25]
    assert len(state.pile) == 6 + 2 * 3
    state = go(DUTCHMAN.play(state, Shuffle(state.pile)), "dice 30 + 1")
    assert whose(state) == "Anne: action"


def test_H11_ruling_shares_shown_are_known_to_all_until_exchanged() -> None:
    state = go(at_sea(25, 25, 25, 25), SHIP)
    for seat in (*range(4), None):
        players = DUTCHMAN.view(state, seat).players
        assert [(player.at_least[0], player.at_most[0]) for player in players] == [(1, 1), (2, 2), (0, 0), (0, 0)]
        assert players[HELGA].at_least == (2, 0, 0, 0, 0, 0)
    state = go(state, "dice 30 + 1 / Helga plays a Kontor card")
    state = DUTCHMAN.play(state, DUTCHMAN.moves(state)[-1])
    helga, karin = (DUTCHMAN.view(state, ANNE).players[seat] for seat in (HELGA, KARIN))
    assert helga.at_least[0] == 0  # both may have gone
    assert helga.at_most[0] == 3  # or the third have come: of four players' shares there are three of a colour
    assert (karin.at_least[0], karin.at_most[0]) == (1, 1)
