"""Situations that the tests of several rules begin with, and scripts that lead on from them."""

from typing import Any

import pytest

from dutchman.table import ANNE, HELGA, KARIN, Seat, go, position, show
from kontor.games.dutchman.rules import State

EVERY_TABLE = pytest.mark.parametrize("players", [3, 4, 5, 6])

LOTTERY = "dice 40 + 1 / dice 30 + 1 / dice 20 + 1"
"""A round in which nobody has laid, and three roll for it: the first wins."""

EXCHANGE = (Seat(shares="yellow yellow violet"), Seat(), Seat())

AT_YELLOW_3: dict[str, Any] = {"dutchman": "yellow 3"}
"""From yellow 3 one can sail to blue 1, orange 3 and the island Curaçao."""


def equally_near(
    cash_: tuple[int, int, int] = (25, 25, 25), *, tied: int = 3, circles: int = 2, starter: int = KARIN
) -> State:
    """Return a state in which Karin and Helga have laid 31, the lucky number.

    Anne has laid 31 too if three are tied, or else 27. The Dutchman is at yellow 3, and can sail to blue 1, orange 3
    and Curaçao.
    """
    karin, helga, anne = cash_
    state = position(
        Seat(shares="blue yellow yellow", rack="31 29 1", cash=karin),
        Seat(shares="blue orange red", rack="30 28 1 1", cash=helga),
        Seat(shares="orange green violet", rack="27 20 10 2 1", cash=anne),
        stones="blue 7, yellow 11, green 4, orange 5, red 6, violet 3",
        counter=11,
        circles=circles,
        starter=starter,
        **AT_YELLOW_3,
    )
    lays = {KARIN: "31", HELGA: "30 1", ANNE: "20 10 1" if tied == 3 else "27"}
    for place in range(3):
        state = go(state, f"lays {lays[(starter + place) % 3]}")
    assert state.step == "name", show(state)
    return state


TWO_NAME = "Karin names Curaçao / Helga names blue 1"
THREE_NAME = "Karin names Curaçao / Helga names blue 1 / Anne names orange 3"
TWO_DECIDE = f"{TWO_NAME} / withholds / withholds / withholds / withholds"
THREE_DECIDE = f"{THREE_NAME} / withholds / withholds / withholds / withholds / withholds / withholds"
SHIP = "Karin lays 31 / Helga passes / Anne passes / Karl passes / Karin sails to blue 1"


def at_sea(*cash_: int | None, stones: str = "blue 7, red 11, violet 15", counter: int = 11, **more: Any) -> State:
    """Return a state of four players; Karin has one blue share, Helga two, Anne and Karl none; blue is worth 7.

    A seat without cash (None) has been bankrupt since the first round.
    """
    shares = ("blue yellow red", "blue blue green", "orange orange red", "violet violet red")
    seats = [
        Seat(shares=hand_, bankrupt=1) if ducats is None else Seat(shares=hand_, cash=ducats, rack=rack_)
        for hand_, ducats, rack_ in zip(shares, cash_, ("31 10", "48 20 1", "10", ""), strict=True)
    ]
    return position(*seats, stones=stones, counter=counter, **{**AT_YELLOW_3, **more})


def agreed_on_island(*, starter: int = KARIN) -> State:
    """Return a state in which Karin and Helga have agreed on Curaçao; Anne took no part."""
    state = equally_near(tied=2, starter=starter)
    return go(state, "names Curaçao / names Curaçao")


def last_round(*cash_: int | None, **more: Any) -> State:
    return at_sea(*cash_, **{"stones": "blue 7, red 11, violet 13, orange 2", "counter": 15, **more})
