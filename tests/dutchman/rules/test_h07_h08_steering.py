"""H7 and H8: lays are read, and the nearest moves the Dutchman.

More of H7 is in ``test_horseshoes``.
"""

import pytest

from dutchman.table import ANNE, ANYBODY, KARIN, Seat, go, heap, legal, position, rack, refused_by, results, whose
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules.chart import OURS
from kontor.games.dutchman.rules.components import Horseshoes
from kontor.games.dutchman.rules.horseshoes import reading
from kontor.games.dutchman.rules.state import Lay


@pytest.mark.parametrize("lay", [(45, 2), (43,), (20, 20, 2, 1), (31, 10, 2)])
def test_H7_the_four_ways_of_the_rulebook_to_43(lay: Horseshoes) -> None:
    assert reading(lay, 43) == 43
    state = position(Seat(rack=" ".join(map(str, lay))), ANYBODY, ANYBODY, lucky=43)
    state = go(DUTCHMAN.play(state, Lay(lay)), "Helga passes / Anne passes")
    assert results(state) == [f"revealed: Karin {' '.join(map(str, lay))} = 43; nearest: Karin"]


@pytest.mark.parametrize(
    ("lay", "lucky", "value"),
    [
        ((43, 1), 43, 42),  # 44 is above, so the 1 is taken off
        ((43, 1, 1), 43, 43),
        ((20, 20), 43, 40),
        ((20, 20), 31, 0),  # 40 is above, and 20 − 20 is nothing
        ((20, 20, 10), 31, 30),  # 20 + 20 − 10
        ((22, 1, 1, 1), 49, 25),
        ((10,), 21, 10),
    ],
)
def test_H7_every_horseshoe_counts_and_silver_is_added_or_subtracted(lay: Horseshoes, lucky: int, value: int) -> None:
    assert reading(lay, lucky) == value


@pytest.mark.parametrize(
    ("lay", "lucky", "value"),
    [
        ((45,), 43, 0),
        ((45, 1), 43, 0),  # 44
        ((48, 20, 2), 21, 0),  # 26
        ((20, 20, 20), 21, 20),  # 20 − 20 + 20
        ((20, 10), 21, 10),  # 30 is above
        ((20, 20, 20, 10), 21, 10),  # 20 + 20 − 20 − 10
    ],
)
def test_H7_above_the_lucky_number_is_worth_0(lay: Horseshoes, lucky: int, value: int) -> None:
    assert reading(lay, lucky) == value


def test_H7_lower_is_allowed() -> None:
    assert reading((21,), 49) == 21
    assert reading((1,), 49) == 1


def test_H7_ruling_the_best_reading_is_taken() -> None:
    # 31 ± 10 ± 10 ± 2 can be 9, 13, 29, 33, 49, 53
    assert [reading((31, 10, 10, 2), lucky) for lucky in (21, 29, 31, 33, 47, 49)] == [13, 29, 29, 33, 33, 49]


def test_H7_nothing_is_worth_less_than_0() -> None:
    # 30 ± 20 ± 20 can be −10, 30, 70: for the lucky number 21 there is only −10, and too much, which is worth 0
    assert reading((30, 20, 20), 21) == 0


def test_H8_nothing_is_revealed_before_all_have_chosen() -> None:
    state = position(Seat(rack="30"), Seat(rack="29"), Seat(rack="28"))
    state = go(state, "Karin lays 30 / Helga lays 29")
    assert state.revealed == ()
    assert heap(state) == ""
    state = go(state, "Anne lays 28")
    assert results(state) == ["revealed: Karin 30 = 30, Helga 29 = 29, Anne 28 = 28; nearest: Karin"]


@pytest.mark.parametrize(
    ("helga", "anne", "nearest"),
    [
        ("31", "20 10", "Helga"),  # the lucky number itself
        ("20 10", "29", "Helga"),  # 30 and 29
        ("32", "1", "Anne"),  # too much is nothing
        ("32 2", "29", "Helga"),  # 30 and 29
    ],
)
def test_H8_the_player_nearest_to_the_lucky_number_moves_the_Dutchman(helga: str, anne: str, nearest: str) -> None:
    state = position(ANYBODY, Seat(rack=helga), Seat(rack=anne))
    state = go(state, f"Karin passes / Helga lays {helga} / Anne lays {anne}")
    assert whose(state) == f"{nearest}: sail"


def test_H8_along_one_line_short_or_long_to_a_neighbouring_field() -> None:
    state = go(position(Seat(rack="31"), ANYBODY, ANYBODY), "Karin lays 31 / Helga passes / Anne passes")
    assert set(legal(state)) == {f"sails to {field}" for field in ("green 1", "red 1", "yellow 1", "orange 3")}
    state = go(state, "Karin sails to yellow 1")
    assert (state.dutchman, state.came_from) == ("yellow 1", "Holland")


def test_H8_from_every_field_to_every_neighbour_but_back() -> None:
    lines = (*OURS.short, *OURS.long)
    for field in OURS.fields:
        neighbours = {end for line in lines if field.name in line for end in line} - {field.name}
        for came_from in (None, *neighbours):
            state = position(Seat(rack="31"), ANYBODY, ANYBODY, dutchman=field.name, came_from=came_from)
            state = go(state, "Karin lays 31 / Helga passes / Anne passes")
            assert set(legal(state)) == {f"sails to {other}" for other in neighbours - {came_from}}


def test_H8_the_Dutchman_must_be_moved() -> None:
    state = go(position(Seat(rack="31"), ANYBODY, ANYBODY), "Karin lays 31 / Helga passes / Anne passes")
    for move in ("passes", "sails to Holland", "sails to blue 1", "sails to Atlantis"):
        assert refused_by(state, move) == "H8"


def test_H8_the_dutchman_may_not_go_back_where_it_came_from() -> None:
    state = position(Seat(rack="31 29"), Seat(rack="30"), ANYBODY)
    state = go(state, "Karin lays 31 / Helga passes / Anne passes / Karin sails to green 1 / dice 30 + 1")
    state = go(state, "Helga lays 30 / Anne passes / Karin passes")
    assert refused_by(state, "Helga sails to Holland") == "H8"
    state = go(state, "Helga sails to orange 1 / dice 20 + 9 / Anne passes / Karin lays 29 / Helga passes")
    assert refused_by(state, "Karin sails to green 1") == "H8"
    assert "sails to Madeira" in legal(state)


def test_H8_only_in_the_round_before() -> None:
    """Sail Holland, green 1, violet 1, red 1, and then back to Holland."""
    state = position(Seat(rack="31 30 29 28"), ANYBODY, ANYBODY)
    for lay, to in ((31, "green 1"), (30, "violet 1"), (29, "red 1"), (28, "Holland")):
        if state.step == "lucky":
            state = go(state, "dice 30 + 1")
        for _ in range(3):
            state = go(state, f"Karin lays {lay}" if state.mover == KARIN else "passes")
        state = go(state, f"Karin sails to {to}")
    assert state.dutchman == "Holland"


def test_H8_all_revealed_horseshoes_are_the_stock_for_the_next_round() -> None:
    state = position(Seat(rack="31"), Seat(rack="20 10 1"), ANYBODY, middle="2")
    state = go(state, "Karin lays 31 / Helga lays 20 10 / Anne passes")
    assert heap(state) == "31 20 10 2"  # those of the winner and of the others
    assert all(merchant.lay is None for merchant in state.merchants)
    state = go(state, "Karin sails to red 1 / dice 30 + 1 / Helga passes / Anne plays a Smith card / Karin passes")
    assert rack(state, ANNE) == "31 20 10 2"


def test_H8_ruling_if_all_readings_are_0_all_who_laid_are_equally_near() -> None:
    state = position(Seat(rack="45"), Seat(rack="20 20"), Seat(rack="44"), Seat(rack="1"))
    state = go(state, "Karin lays 45 / Helga lays 20 20 / Anne lays 44 / Karl passes")
    assert results(state)[0].endswith("nearest: Karin and Helga and Anne")
    assert whose(state) == "Karin: name"
