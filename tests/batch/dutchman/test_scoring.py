"""Winners of Der fliegende Holländer in a batch."""

from msgspec.structs import replace as changed

from batch.dutchman.setting_up import set_up
from batch.groups import OF_DUTCHMAN
from dutchman.table import Seat, position
from kontor.game import OVER
from kontor.games.dutchman.rules import State
from kontor.games.dutchman.rules.state import Merchant

pytestmark = OF_DUTCHMAN


def finished_game(*merchants: Merchant) -> State:
    """Return a finished game in which the seats have these things; every share is worth 2."""
    state = position(*[Seat()] * len(merchants))
    return changed(state, mover=OVER, step="over", queue=(), merchants=merchants, round=9)


def test_the_richest_of_those_not_bankrupt_win() -> None:
    batch = set_up(
        finished_game(
            Merchant(cash=3, shares=("red", "red", "blue")),
            Merchant(cash=9),
            Merchant(cash=0, bankrupt=2),
            Merchant(cash=5),
        )
    )
    points, winners = batch.score()
    assert points.tolist() == [[9, 9, 0, 5]]
    assert winners.tolist() == [[True, True, False, False]]


def test_if_all_are_bankrupt_the_last_to_go_so_win() -> None:
    _, winners = set_up(finished_game(*[Merchant(cash=0, bankrupt=last) for last in (3, 7, 7)])).score()
    assert winners.tolist() == [[False, True, True]]


def test_nobody_has_won_before_the_end() -> None:
    points, winners = set_up(position(Seat("red red blue", cash=10), Seat(), Seat(), stones="red 5")).score()
    assert points[0, 0] == 10 + 5 + 5 + 2
    assert not winners.any()
