"""Numbers of moves and outcomes: they convert in both directions, with none missing and none twice."""

import pickle
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from math import factorial, prod
from random import Random
from typing import Any

import numpy as np
import pytest

from kontor.environments.adapter import encoder_of
from kontor.environments.encoders import ActionEncoder, Steps, opening
from kontor.game import CHANCE, OVER, BadOptions, IllegalMove
from kontor.games.dutchman.research import DutchmanEncoder
from kontor.games.dutchman.rules.state import Deal, Lay, Options, Propose, Share, Shuffle
from kontor.games.shanghaien.rules.numbering import MOVES
from kontor.players import player_named

from .walks import DUTCHMAN, FORMS, SHANGHAIEN, every_whole, name_of, walk_positions

encoders = pytest.mark.parametrize("encoder", FORMS, ids=name_of)


@encoders
def test_steps_are_in_range_ascending_and_named_apart(encoder: ActionEncoder) -> None:
    for position in walk_positions(encoder, seed=1):
        if position.mover == OVER:
            assert position.legal() == []
            continue
        chance = position.mover == CHANCE
        steps = [step for step, _ in position.chances()] if chance else position.legal()
        assert steps == sorted(set(steps))
        assert steps
        assert 0 <= steps[0] <= steps[-1] < (encoder.outcomes if chance else encoder.actions)
        name = encoder.outcome_name if chance else encoder.action_name
        assert len({name(step) for step in steps}) == len(steps)


@encoders
def test_every_move_and_outcome_goes_into_its_steps_and_back(encoder: ActionEncoder) -> None:
    for seed in range(3):
        begun: Steps = ()
        for before, after in _pairs(encoder, seed):
            if after.begun:
                continue
            taken = encoder.steps(before.state, after.action)
            assert encoder.game.play(before.state, after.action) == after.state
            action_from: Any = None
            begun = ()
            for step in taken:
                begun = (*begun, step)
                action_from = encoder.action_from(before.state, begun)
            assert action_from == after.action
            if before.mover >= 0:
                assert taken[:-1] == before.begun


def _pairs(encoder: ActionEncoder, seed: int) -> Any:
    positions = list(walk_positions(encoder, seed))
    return pairwise(positions)


FEW = 300


@pytest.mark.parametrize("encoder", [SHANGHAIEN, *DUTCHMAN], ids=name_of)
def test_steps_make_all_legal_moves_and_no_others_each_in_one_way(encoder: ActionEncoder) -> None:
    seen: Counter[str] = Counter()
    for seed in range(10):
        for position in walk_positions(encoder, seed):
            moves = encoder.game.moves(position.state)
            if position.begun or position.mover < 0 or len(moves) > FEW:
                continue
            made = list(every_whole(encoder, position.state))
            assert Counter(move for _, move in made) == Counter(moves)
            assert len({steps for steps, _ in made}) == len(made)
            seen.update(type(move).__name__ for move in moves)
    wanted = (
        {"Roll", "Number", "Joker"} if encoder is SHANGHAIEN else {"Kontor", "Put", "Sail", "Name", "Accept", "Lay"}
    )
    assert wanted <= set(seen)


def test_a_proposal_is_a_destination_and_what_each_but_the_last_gets_or_pays() -> None:
    encoder = DUTCHMAN[1]
    proposals = [
        (before, after.action)
        for seed in range(12)
        for before, after in _pairs(encoder, seed)
        if isinstance(after.action, Propose) and not after.begun
    ]
    assert proposals
    for before, proposal in proposals:
        names = [encoder.action_name(step) for step in encoder.steps(before.state, proposal)]
        assert names[0] == f"propose {proposal.to}"
        assert names[1:] == [
            f"gets {ducats}" if ducats >= 0 else f"pays {-ducats}" for ducats in proposal.ducats[:-1]
        ]


def test_machine_players_lays_are_steps_too() -> None:
    """Check lays and proposals that a thinking player chooses, in whole games."""
    encoder, random = DutchmanEncoder(DUTCHMAN[0].options), Random(5)
    choose = player_named("dutchman", "greedy")
    position, lays = opening(encoder).drawn(random.randrange), 0
    while position.mover != OVER:
        move = choose(position.view(position.mover), encoder.game.moves(position.state), random)
        lays += isinstance(move, Lay)
        by_steps = position
        for step in encoder.steps(position.state, move):
            assert step in by_steps.legal()
            by_steps = by_steps.after(step)
        assert by_steps.action == move
        position = by_steps.drawn(random.randrange)
    assert lays > 20


def test_shanghaiens_numbers_are_those_of_the_documentation() -> None:
    names = [SHANGHAIEN.action_name(number) for number in range(SHANGHAIEN.actions)]
    assert names[:6] == ["roll", "shanghai", "1 at the left", "1 at the right", "place 1", "place 2"]
    assert names[10] == "lay nudge as joker A"
    assert names[34:36] == ["nudge 1 to 2", "nudge 2 to 1"]
    assert names[44:] == ["both", "reroll"]
    assert len(set(MOVES)) == len(MOVES) == 46


def test_the_dutchmans_numbers_are_those_of_the_documentation() -> None:
    encoder = DUTCHMAN[1]
    assert [encoder.action_name(step) for step in range(7)] == [
        "kontor", "smith", "pass", "withhold", "accept", "decline", "keep",
    ]  # fmt: skip
    assert encoder.action_name(7) == "show blue"
    assert encoder.action_name(13) == "put blue and blue"
    assert encoder.action_name(34) == "sail to Holland"
    assert encoder.action_name(58) == "name Holland"
    assert encoder.action_name(82) == "lay silver"
    assert encoder.action_name(83) == "lay 48 and silver"
    assert [encoder.action_name(step) for step in (111, 115, 129, 133)] == [
        "0 of silver 20", "0 of silver 10", "0 of silver 2", "0 of silver 1",
    ]  # fmt: skip
    assert encoder.action_name(147) == "propose Holland"
    assert [encoder.action_name(step) for step in (171, 171 + 392, 955)] == ["pays 392", "gets 0", "gets 392"]
    assert encoder.actions == 956


# ------------------------------------------------------------------------------------------------ chance


@pytest.mark.parametrize("encoder", FORMS, ids=name_of)
def test_steps_of_chance_are_as_likely_as_the_rules_say(encoder: ActionEncoder) -> None:
    """Check that the product over the steps, times the orders of equal deals, is the outcome's probability."""
    for before, after in _pairs(encoder, seed=7):
        if before.mover != CHANCE or after.begun:
            continue
        product = Fraction(1)
        begun: Steps = ()
        steps = encoder.steps(before.state, after.action)
        for step in steps:
            outcome_counts = encoder.outcome_counts(before.state, begun)
            product *= Fraction(outcome_counts[step], outcome_counts.total())
            begun = (*begun, step)
        likely = encoder.game.chance(before.state).probability(after.action)
        assert product * _orders(after.action) == likely


def _orders(outcome: Any) -> int:
    """Return the number of orders of steps in which the outcome can come."""
    match outcome:
        case Deal(hands, _, racks, middle):
            return prod(_count_arrangements(heap) for heap in (*hands, *racks, middle))
        case Share(parts):
            return prod(_count_arrangements(part) for part in parts)
        case _:
            return 1


def _count_arrangements(heap: tuple[Any, ...]) -> int:
    return factorial(len(heap)) // prod(factorial(count) for count in Counter(heap).values())


def test_smiths_who_share_and_a_bankruptcy_come_by_steps() -> None:
    """Check that both rare outcomes occur in the random games, so that the test above covers them."""
    outcomes = {type(position.action) for seed in range(15) for position in walk_positions(DUTCHMAN[1], seed)}
    assert {Share, Shuffle} <= outcomes


def test_probabilities_of_chance_sum_to_1() -> None:
    for encoder in FORMS:
        for position in walk_positions(encoder, seed=2):
            if position.mover == CHANCE:
                assert sum(likely for _, likely in position.chances()) == pytest.approx(1, abs=1e-12)


# -------------------------------------------------------------------------------------------- positions


@encoders
def test_no_game_is_longer_than_it_says(encoder: ActionEncoder) -> None:
    for seed in range(5):
        steps = Counter(position.mover == CHANCE for position in list(walk_positions(encoder, seed))[:-1])
        assert 0 < steps[False] <= encoder.most_actions
        assert 0 < steps[True] <= encoder.most_outcomes


@encoders
def test_returns_sum_to_what_the_form_says(encoder: ActionEncoder) -> None:
    for seed in range(5):
        *before, end = walk_positions(encoder, seed)
        assert {position.returns() for position in before} == {(0.0,) * encoder.seats}
        result = encoder.game.result(end.state)
        assert result
        assert sum(end.returns()) == pytest.approx(encoder.sum_of_returns)
        best = max(end.returns())
        if len(result.winners) < encoder.seats:
            assert tuple(seat for seat, bring in enumerate(end.returns()) if bring == best) == result.winners


@encoders
def test_a_step_that_is_not_legal_is_refused(encoder: ActionEncoder) -> None:
    for position in walk_positions(encoder, seed=3):
        if position.mover == OVER:
            continue
        legal = {step for step, _ in position.chances()} if position.mover == CHANCE else set(position.legal())
        with pytest.raises(IllegalMove):
            position.after(min(set(range(encoder.actions)) - legal))
        with pytest.raises(IllegalMove):
            position.after(-1)


@encoders
def test_a_position_survives_being_packed_away(encoder: ActionEncoder) -> None:
    positions = list(walk_positions(encoder, seed=4))
    for position in positions[:: len(positions) // 6]:
        again = pickle.loads(pickle.dumps(position))  # noqa: S301
        assert again.state == position.state
        assert again.begun == position.begun
        assert [again.heard(seat) for seat in range(encoder.seats)] == [
            position.heard(s) for s in range(encoder.seats)
        ]


@encoders
def test_observations_stay_within_their_bounds(encoder: ActionEncoder) -> None:
    least, most = encoder.bounds
    assert least.shape == most.shape == (encoder.size,)
    for position in list(walk_positions(encoder, seed=5))[::3]:
        for seat in range(encoder.seats):
            observation = position.observation(seat)
            assert observation.dtype == np.float32
            assert observation.shape == (encoder.size,)
            assert np.all((least <= observation) & (observation <= most))


@encoders
def test_the_tensor_remembers_a_whole_random_game(encoder: ActionEncoder) -> None:
    for seed in range(5):
        *_, end = walk_positions(encoder, seed)
        for seat in range(encoder.seats):
            memory = end.remembered(seat)
            assert memory[-1] == 0
            assert np.all(memory[: np.count_nonzero(memory)] > 0)


def test_a_game_that_is_not_there_is_refused() -> None:
    with pytest.raises(BadOptions):
        encoder_of("chess")


def test_h11a_the_check_is_refused_in_a_sentence() -> None:
    with pytest.raises(BadOptions, match=r"^The research environments cannot play with the check yet\. \(H11a\)$"):
        encoder_of("dutchman", Options(check="on request"))
