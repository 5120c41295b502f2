"""What is believed of hands whose owners have chosen what to keep (H6a)."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod, sqrt
from random import Random
from statistics import mean, stdev
from typing import Final

from kontor.games.dutchman.players.beliefs import Beliefs
from kontor.games.dutchman.players.gauging_beliefs import Hand, hidden_hands
from kontor.games.dutchman.players.hidden_shares import EQUAL
from kontor.games.dutchman.players.keeping import weights_of
from kontor.games.dutchman.players.selfplay import game
from kontor.games.dutchman.rules import DUTCHMAN, State
from kontor.games.dutchman.rules.components import COLOURS

DRAWN: Final = 1_500
FAR: Final = 4.5
"""Standard errors that nothing should be off by."""


def beginnings(games: int) -> Iterator[State]:
    """States at which rounds of games between players called ``greedy`` began."""
    for number in range(games):
        states, _ = game(4, Random(f"keeping/{number}"))
        yield from states


def test_only_who_has_exchanged_is_believed_to_have_chosen() -> None:
    exchanged = 0
    for state in beginnings(3):
        view = DUTCHMAN.view(state, 0)
        for seat in range(1, 4):
            weights = weights_of(view, seat)
            assert (weights == EQUAL) == (view.players[seat].kontor == 3)
            exchanged += weights != EQUAL
    assert exchanged


def test_hands_are_likelier_by_their_weights() -> None:
    """Against deals drawn as if all were equally likely, each counted by its weights."""
    tested = 0
    for state in list(beginnings(4))[3::7]:
        view = DUTCHMAN.view(state, 0)
        beliefs, equal = Beliefs(view, weights_of), Beliefs(view)
        weights = [weights_of(view, seat) for seat in equal.open_seats]
        random = Random(state.round)
        deals = [equal.share_deals.draw(random)[0] for _ in range(DRAWN)]
        counted = [
            prod(each[hand.count(colour)] for hand, each in zip(hands, weights, strict=True) for colour in COLOURS)
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


def test_what_is_believed_then_is_about_as_sure_as_it_may_be() -> None:
    """Where all deals are held equally likely, log loss is more than a tenth above what was to be expected."""
    equal: list[Hand] = []
    kept: list[Hand] = []
    for state in beginnings(60):
        equal += hidden_hands(state, state.order[0])
        kept += hidden_hands(state, state.order[0], weights_of)
    assert _surprise(equal) > 1.1
    assert abs(_surprise(kept) - 1) < 0.05
    assert mean([hand.log_loss for hand in kept]) < mean([hand.log_loss for hand in equal]) - 0.01


def _surprise(hands: list[Hand]) -> float:
    """Log loss, by what of it was to be expected."""
    return mean([hand.log_loss for hand in hands]) / mean([hand.expected for hand in hands])
