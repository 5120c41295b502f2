"""The example round of the rulebook, played in full."""

from msgspec.structs import replace

from dutchman.table import HELGA, KARIN, Seat, cash, deal_game, go, hand, heap, rack, results, values, whose
from kontor.games.dutchman.rules.components import CHESTS, COLOURS


def test_the_example_round_of_the_rulebook() -> None:
    """Play the round: lucky number 31; Karin exchanges, Helga and Anne play Smith cards, three others lay.

    Karl, Klaus and Reiner lay horseshoes.
    """
    state = deal_game(
        Seat(shares="blue blue red"),
        Seat(shares="yellow green violet"),
        Seat(shares="yellow green orange"),
        Seat(shares="blue red violet", rack="20 10"),
        Seat(shares="yellow orange red", rack="31 28 1"),
        Seat(shares="blue green violet", rack="29 27 2"),
        pile="orange yellow",
        middle="48 20 10 10 2 1",
    )
    state = replace(state, dutchman="yellow 3", came_from="orange 3", stones=(6,) * 6, counter=6)
    nine = [rack(state, seat) for seat in range(6)]
    state = go(state, "dice 30 + 1")
    assert state.lucky == 31
    assert CHESTS[6] == 7  # the blue ship is worth 7 in the rulebook's next example

    # Karin plays a Kontor card and exchanges two of her shares.
    state = go(state, "Karin plays a Kontor card / Karin puts back blue blue")
    assert hand(state, KARIN) == "yellow orange red"

    # Helga and Anne play a Smith card each; the others lay horseshoes face down.
    state = go(state, "Helga plays a Smith card / Anne plays a Smith card")
    state = go(state, "Karl lays 20 10 / Klaus lays 31 / Reiner lays 29 2")
    assert whose(state) == "chance: share"
    assert state.revealed == ()

    # Helga and Anne share the horseshoes of the middle. Then Karl, Klaus and Reiner reveal theirs.
    state = go(state, "share Helga: 48 10 1; Anne: 20 10 2; left:")
    assert results(state) == [
        "Helga and Anne get 3 from the middle, 0 stay",
        "revealed: Karl 20 10 = 30, Klaus 31 = 31, Reiner 29 2 = 31; nearest: Klaus and Reiner",
    ]
    assert [len(merchant.rack) for merchant in state.merchants] == [9, 12, 12, 7, 8, 7]
    assert heap(state) == "31 29 20 10 2"  # the horseshoes laid before go to the middle

    # Reiner wants an island, Klaus the blue ship; they cannot agree, and lay again.
    state = go(state, "Klaus names blue 1 / Reiner names Curaçao")
    state = go(state, "Klaus proposes blue 1: Klaus -3, Reiner +3 / Reiner declines / Reiner withholds")
    state = go(state, "Klaus withholds / Reiner proposes Curaçao: Klaus +5, Reiner -5 / Klaus declines")
    assert results(state) == ["no agreement: Klaus and Reiner decide"]
    assert cash(state) == [25] * 6
    assert whose(state) == "Klaus: again"

    # Reiner makes 27 and Klaus 29: Klaus is nearer to 31, and moves the Dutchman alone.
    state = go(state, "Klaus lays 28 1 / Reiner lays 27")
    assert results(state) == ["revealed: Klaus 28 1 = 29, Reiner 27 = 27; nearest: Klaus"]
    assert whose(state) == "Klaus: sail"
    assert heap(state) == "31 29 28 27 20 10 2 1"
    state = go(state, "Klaus sails to blue 1")
    assert results(state) == [
        "from yellow 3 to blue 1, moved by Klaus",
        "blue at 7: Karl has 1 and pays 7, Reiner has 1 and pays 7",
    ]
    assert cash(state) == [25, 25, 25, 18, 25, 18]
    assert values(state) == {**dict.fromkeys(COLOURS, 9), "blue": 2}
    assert CHESTS[state.counter] == 9
    assert rack(state, KARIN) == nine[KARIN]
    assert (whose(state), state.starter, state.round) == ("chance: lucky", HELGA, 2)
