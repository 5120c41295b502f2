"""Beliefs about hands whose owners have chosen which shares to keep (H6a), or have shown the best (H12)."""

from collections.abc import Iterator
from math import log, prod, sqrt
from random import Random
from statistics import mean, stdev
from typing import Any, Final

import pytest
from msgspec.structs import replace

from kontor.games.dutchman.players.beliefs import Beliefs
from kontor.games.dutchman.players.hidden_shares import EQUAL
from kontor.games.dutchman.players.outlook import share_worth
from kontor.games.dutchman.rules import DUTCHMAN, State
from kontor.games.dutchman.rules.components import COLOURS, LAST_CHEST
from kontor.games.dutchman.rules.state import Counts
from kontor.games.dutchman.rules.view import View
from training.dutchman.gauging_beliefs import Hand, hidden_hands
from training.dutchman.keeping import BETTER, HAD, PAIR, PROMISE, weights_of
from training.dutchman.lessons import game

DRAWN: Final = 1_500
FAR: Final = 4.5
"""Standard errors by which no result should differ."""


def beginnings(games: int) -> Iterator[State]:
    """Yield states at which rounds of games between players called ``greedy`` began."""
    for number in range(games):
        states = game(4, Random(f"keeping/{number}")).states
        yield from states


def test_only_hands_of_those_who_have_exchanged_or_shown_a_share_have_weights() -> None:
    exchanged = 0
    for state in beginnings(3):
        view = DUTCHMAN.view(state, 0)
        for seat in range(1, 4):
            player = view.players[seat]
            has_shown = any(0 < least < most for least, most in zip(player.at_least, player.at_most, strict=True))
            weights = weights_of(view, seat)
            if player.kontor == 3:
                assert has_shown or weights == EQUAL
            elif player.shares == 3:
                assert weights != EQUAL
                exchanged += 1
    assert exchanged


def with_player(view: View, stones: Counts, counter: int, **changes: Any) -> View:
    """Return the view with other stones, and with other knowledge of seat 1."""
    players = [*view.players]
    players[1] = replace(players[1], **changes)
    return replace(view, stones=stones, counter=counter, players=tuple(players))


def one_share(view: View) -> list[float]:
    """Return the log weight of one share of each colour in a hand of seat 1."""
    return [log(row[1]) for row in weights_of(view, 1)]


def test_what_a_share_promised_is_told_from_the_stones_of_the_exchange() -> None:
    """Check H6a: the colour on the first chests has been met since, as all know of the merchant's shares in it."""
    view = DUTCHMAN.view(next(beginnings(1)), 0)
    stones = (2, 9, 5, 4, 9, 9)
    fields = {"kontor": 0, "at_least": (1, 0, 0, 0, 0, 0), "at_most": (1, 3, 2, 2, 3, 3)}
    weights = one_share(with_player(view, stones, 9, **fields))
    assert weights[1:] == pytest.approx([PROMISE * share_worth(stone - 2, LAST_CHEST - 7) for stone in stones[1:]])
    once = one_share(with_player(view, stones, 9, **{**fields, "kontor": 2}))
    assert once == pytest.approx([each / 3 for each in weights])
    row = weights_of(with_player(view, stones, 9, **fields), 1)[1]
    assert log(row[3] * row[0] / row[1] ** 3) == pytest.approx(3 * PAIR)


def test_what_was_there_before_the_exchange_rather_still_is() -> None:
    """Check H11: all saw it when the ship was met; afterwards there may be three of that colour."""
    view = DUTCHMAN.view(next(beginnings(1)), 0)
    fields = {"kontor": 2, "at_least": (0,) * 6, "at_most": (3, 3, 2, 3, 3, 3)}
    before = one_share(with_player(view, (3, 5, 5, 5, 5, 5), 5, **{**fields, "at_most": (2, 3, 2, 3, 3, 3)}))
    after = one_share(with_player(view, (3, 5, 5, 5, 5, 5), 5, **fields))
    assert after[0] - before[0] == pytest.approx(HAD)
    assert after[1:] == before[1:]


def test_h12_better_shares_than_the_one_shown_are_not_believed_in() -> None:
    view = DUTCHMAN.view(next(beginnings(1)), 0)
    fields = {"kontor": 3, "at_least": (0, 1, 0, 0, 0, 0), "at_most": (3,) * 6}
    assert one_share(with_player(view, (3, 5, 6, 5, 6, 4), 6, **fields)) == pytest.approx(
        [0, 0, BETTER, 0, BETTER, 0]
    )


def test_hands_are_likelier_by_their_weights() -> None:
    """Compare with uniformly drawn deals, each counted by its weights."""
    tested = 0
    for state in list(beginnings(4))[3::7]:
        view = DUTCHMAN.view(state, 0)
        beliefs, equal = Beliefs(view, weights_of), Beliefs(view)
        weights = [weights_of(view, seat) for seat in equal.open_seats]
        random = Random(state.round)
        deals = [equal.share_deals.draw(random)[0] for _ in range(DRAWN)]
        counted = [
            prod(
                row[hand.count(colour)]
                for hand, rows in zip(hands, weights, strict=True)
                for colour, row in zip(COLOURS, rows, strict=True)
            )
            for hands in deals
        ]
        for number, seat in enumerate(equal.open_seats):
            for colour in COLOURS:
                likely = beliefs.shares(seat, colour)
                for count in range(3):
                    off = [
                        weight * ((hands[number].count(colour) == count) - likely[count])
                        for hands, weight in zip(deals, counted, strict=True)
                    ]
                    assert abs(mean(off)) <= FAR * (stdev(off) / sqrt(DRAWN)) + 1e-3, (view, seat, colour, count)
                    tested += 1
    assert tested > 100


def test_states_are_drawn_as_likely_as_they_are_believed_to_be() -> None:
    state = next(state for state in beginnings(4) if state.round == 6)
    beliefs = Beliefs(DUTCHMAN.view(state, 0), weights_of)
    random = Random(2)
    drawn = [beliefs.sample(random) for _ in range(DRAWN)]
    for seat in beliefs.open_seats:
        for colour in COLOURS:
            twice = sum(each.merchants[seat].shares.count(colour) == 2 for each in drawn)
            likely = beliefs.shares(seat, colour)[2]
            assert abs(twice - DRAWN * likely) <= FAR * sqrt(DRAWN * likely * (1 - likely)) + 1e-6


@pytest.mark.long
def test_what_is_believed_then_is_about_as_sure_as_it_may_be() -> None:
    """Check the log loss with weights against equally likely deals.

    With equally likely deals it is more than a tenth above its expectation, and hands are worth far more in late
    rounds.
    """
    equal: list[Hand] = []
    weighted: list[Hand] = []
    for state in beginnings(60):
        equal += hidden_hands(state, state.order[0])
        weighted += hidden_hands(state, state.order[0], weights_of)
    assert _relative_log_loss(equal) > 1.1
    assert abs(_relative_log_loss(weighted) - 1) < 0.05
    assert mean([hand.log_loss for hand in weighted]) < mean([hand.log_loss for hand in equal]) - 0.03
    late = [mean([hand.more for hand in hands if hand.round >= 10]) for hands in (equal, weighted)]
    assert abs(late[1]) < late[0]


def _relative_log_loss(hands: list[Hand]) -> float:
    return mean([hand.log_loss for hand in hands]) / mean([hand.expected for hand in hands])
