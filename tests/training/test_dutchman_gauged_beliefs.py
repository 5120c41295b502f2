"""The error of beliefs about hidden shares, as reported by ``kontor gauge dutchman``."""

from math import log, sqrt
from random import Random

import pytest

from kontor.games.dutchman.players.beliefs import Beliefs
from kontor.games.dutchman.rules.view import view
from training.dutchman.gauging_beliefs import Game, Hand, by_stage, hands_of, hidden_hands
from training.dutchman.lessons import game

DRAWN = 400


def test_states_drawn_from_beliefs_agree_with_them() -> None:
    """Check beliefs that are true by construction: worth and log loss of hands are as expected.

    So the gauge measures only the choices of players.
    """
    random = Random(7)
    states = game(4, random).states
    seen = 0
    for state in states[3::4]:
        beliefs = Beliefs(view(state, 0))
        drawn = [[*hidden_hands(beliefs.sample(random), 0)] for _ in range(DRAWN)]
        for hands in zip(*drawn, strict=True):
            seen += 1
            more, losses = [hand.more for hand in hands], [hand.log_loss for hand in hands]
            assert abs(sum(more)) < 5 * _deviation(more) * sqrt(DRAWN)
            assert abs(sum(losses) - DRAWN * hands[0].expected) < 5 * _deviation(losses) * sqrt(DRAWN)
            assert len({hand.expected for hand in hands}) == 1
    assert seen > 5


def _deviation(values: list[float]) -> float:
    mean = sum(values) / len(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1)) + 1e-9


def test_hands_that_everybody_knows_are_not_gauged() -> None:
    states = game(4, Random(7)).states
    gauged = certain_count = 0
    for state in states:
        hands = [*hidden_hands(state, 1)]
        others = [view(state, 1).players[seat] for seat in state.order if seat != 1]
        certain = sum(sum(player.at_least) == player.shares for player in others)
        assert len(hands) == len(others) - certain
        assert {hand.round for hand in hands} <= {state.round}
        gauged += len(hands)
        certain_count += certain
    assert gauged
    assert certain_count


@pytest.mark.long
def test_the_beliefs_are_surer_than_they_may_be_late_in_games_of_greedy() -> None:
    """Show why the gauge is needed: kept shares were chosen, and beliefs without weights ignore it."""
    games = [hands_of((5, "greedy", number))[1] for number in range(40)]
    equal, weighed = ([hand for game in games for hand in game[kind] if hand.round >= 10] for kind in (0, 1))
    assert sum(hand.log_loss for hand in equal) > 1.1 * sum(hand.expected for hand in equal)
    assert sum(hand.log_loss for hand in weighed) < 1.1 * sum(hand.expected for hand in weighed)
    assert [hand.round for hand in equal] == [hand.round for hand in weighed]
    assert abs(sum(hand.more for hand in weighed)) < sum(hand.more for hand in equal)


def test_hands_are_told_by_stage_and_games_are_independent() -> None:
    one = [Hand(2, 1.0, 0.5, 0.4), Hand(3, 2.0, 0.7, 0.6), Hand(17, 9.0, 1.0, 1.0)]
    other = [Hand(1, -1.0, log(2), 0.2)]
    better = [[hand._replace(more=hand.more / 2, expected=hand.log_loss) for hand in hands] for hands in (one, other)]
    # A single game gives no standard error of round 17.
    (error,) = by_stage("greedy", [Game(one, better[0]), Game(other, better[1])])
    mean = 2 / 3
    spread = (3 - 2 * mean) ** 2 + (-1 - mean) ** 2
    assert (error.player, error.first, error.last, error.hands) == ("greedy", 1, 3, 3)
    assert error.bias == pytest.approx(mean)
    assert error.bias_error == pytest.approx(sqrt(2 * spread) / 3)
    assert error.log_loss == pytest.approx((1.2 + log(2)) / 3)
    assert error.expected == pytest.approx(1.2 / 3)
    assert error.weighed.bias == pytest.approx(mean / 2)
    assert error.weighed.bias_error == pytest.approx(error.bias_error / 2)
    assert error.weighed.log_loss == error.weighed.expected == pytest.approx(error.log_loss)
