"""Bargains that leave a partner without a chance: the judge expects at most half of their consents."""

from random import Random
from typing import Any

import pytest

from kontor.game import CHANCE, OVER
from kontor.games.dutchman.players import agreeing, greedy
from kontor.games.dutchman.players.imagining import Imagined
from kontor.games.dutchman.players.rollouts import Rollout
from kontor.games.dutchman.players.values import chances
from kontor.games.dutchman.players.weighing import Scales, Weighed
from kontor.games.dutchman.rules import DUTCHMAN, Move, Options
from kontor.games.dutchman.rules.components import LAST_CHEST
from kontor.games.dutchman.rules.state import Accept, Decline, Propose
from kontor.games.dutchman.rules.view import View
from kontor.players import judge_named
from kontor.puzzles.collection import puzzle_named
from kontor.puzzles.values import PuzzlePosition

STATES = 32


def view_of_bribe() -> View:
    """Return a view in which seat 0 may decline, and then pay seat 3 for a destination.

    Seat 3 cannot win any more, with the ducats or without.
    """
    puzzle = puzzle_named("dutchman", "95fe3f4")
    assert puzzle
    view: View = PuzzlePosition(puzzle).view
    return view


def weigh_move(view: View, move: Move, *, refusals: bool) -> Weighed:
    assert view.seat is not None
    candidate, random = Weighed(move), Random(7)
    Scales(view.seat, Imagined(view, random), random, refusals=refusals).weigh([candidate], 0, STATES)
    return candidate


def chances_if_refused(view: View, move: Move, partner: int) -> list[float]:
    """Return the chance in each of the same states, with the same luck, if a partner agrees to nothing."""
    assert view.seat is not None
    random = Random(7)
    states = Imagined(view, random).first(STATES)
    luck = [random.getrandbits(64) for _ in states]
    ends = [
        Rollout(view.seat, Random(each), {partner}).ends(DUTCHMAN.play(state, move))[None]
        for state, each in zip(states, luck, strict=True)
    ]
    return [float(chance) for chance in chances(ends)[:, view.seat]]


def last_proposal(seed: int) -> tuple[View, Propose]:
    """Return the last proposal before the last ship."""
    return proposals(seed, range(LAST_CHEST - 1, LAST_CHEST))[-1]


def proposals(seed: int, counters: range) -> list[tuple[View, Propose]]:
    """Return the possible proposals in a game of three greedy players while the counter is in a range."""
    pairs = []
    random = Random(seed)
    state = DUTCHMAN.start(Options(3))
    while state.mover != OVER:
        action: Any
        if state.mover == CHANCE:
            action = DUTCHMAN.chance(state).draw(random.randrange)
        else:
            view = DUTCHMAN.view(state, state.mover)
            if state.step == "propose" and state.counter in counters:
                proposed = agreeing.proposal(view)
                if isinstance(proposed, Propose):
                    pairs.append((view, proposed))
            action = greedy.choose(view, DUTCHMAN.moves(state), random)
        state = DUTCHMAN.play(state, action)
    return pairs


def test_who_cannot_win_with_the_ducats_is_no_willing_partner() -> None:
    """Check a real case: experts declined in 26 of 26 games, but the judge valued declining at 78 %.

    It counted on the bargain that follows.
    """
    view = view_of_bribe()
    appraisal = judge_named("dutchman").appraise(view, [Accept(), Decline()], Random(3))
    assert appraisal.of(Decline()).chance < 0.1
    assert abs(appraisal.of(Decline()).chance - appraisal.of(Accept()).chance) < 0.02


def test_a_proposal_to_such_a_partner_is_worth_no_more_than_its_refusal() -> None:
    view, proposed = last_proposal(72)
    assert weigh_move(view, proposed, refusals=False).chance > 0.9
    assert weigh_move(view, proposed, refusals=True).chance < 0.1


@pytest.mark.parametrize("seed", [57, 109])
def test_an_indifferent_partner_agrees_in_half_of_the_states_at_most(seed: int) -> None:
    """Check a partner that loses the game with the agreement and without it."""
    view, proposed = last_proposal(seed)
    assert view.bargain
    assert view.seat is not None
    (partner,) = (seat for seat in view.bargain.tied if seat != view.seat)
    willing = weigh_move(view, proposed, refusals=False).each
    doubted = weigh_move(view, proposed, refusals=True).each
    without = chances_if_refused(view, proposed, partner)
    matters = [place for place in range(STATES) if willing[place] != without[place]]
    assert len(matters) >= 4
    agreed = sum(doubted[place] == willing[place] for place in matters)
    assert 0 < agreed <= len(matters) / 2


def test_a_partner_with_a_chance_is_as_willing_as_the_ducats_make_it() -> None:
    """Check early proposals, when every seat can still win."""
    early = [proposal for seed in range(8) for proposal in proposals(seed, range(4))]
    assert len(early) >= 3
    for view, proposed in early:
        willing, doubted = (weigh_move(view, proposed, refusals=refusals).each for refusals in (False, True))
        assert willing == doubted
