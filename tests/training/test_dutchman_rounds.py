"""Imagined games played on to the end of the round, in Python and in kernels.

The ends must be the same for the same random numbers. The policy takes the move that ``greedy`` prefers.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import exp
from random import Random
from typing import Final

import numpy as np
import pytest

from batch.groups import OF_DUTCHMAN
from kontor.batch import Batch
from kontor.batch.compiled import LUCK
from kontor.game import CHANCE, OVER
from kontor.games.dutchman.batch import layout
from kontor.games.dutchman.batch.layout import LAYOUT, NONE
from kontor.games.dutchman.batch.states import field_names, read, write
from kontor.games.dutchman.players import agreeing, greedy
from kontor.games.dutchman.players.candidates import candidates
from kontor.games.dutchman.players.greedy import Table
from kontor.games.dutchman.players.rollouts import Ends, at_rest
from kontor.games.dutchman.players.values import chances, weights
from kontor.games.dutchman.rules import DUTCHMAN, Move, Options, State
from kontor.games.dutchman.rules.state import Name, Sail
from kontor.games.dutchman.rules.view import View
from players.decisions import decisions
from training.dutchman.imitation import SURE, as_greedy
from training.dutchman.policy.imitating import IMITATED, policy_of
from training.dutchman.policy.judging import judge, judgement_of
from training.dutchman.policy.rounds import CANDIDATE, COURSE, LABELS, STATE, play_rounds
from training.dutchman.policy.thought import thought_of

pytestmark = [OF_DUTCHMAN, pytest.mark.long]

IMAGINED: Final = 2
MASK: Final = (1 << 64) - 1


class Drawn(Random):
    """Random numbers of SplitMix64, drawn as kernels draw them."""

    def __init__(self, state: int) -> None:
        self.luck = np.array([(state,)], LUCK)

    def random(self) -> float:
        state = (int(self.luck["state"][0]) + 0x9E3779B97F4A7C15) & MASK
        self.luck["state"] = state
        state = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & MASK
        state = ((state ^ state >> 27) * 0x94D049BB133111EB) & MASK
        return ((state ^ state >> 31) >> 11) / 2**53


def by_policy(view: View, moves: Sequence[Move], drawn: Drawn) -> Move:
    """Return the move that ``imitation.as_greedy`` chooses."""
    if view.step == "propose":
        return agreeing.proposal(view)
    if view.step == "answer":
        return moves[0] if len(moves) == 1 else agreeing.answer(view, drawn)
    if view.step in IMITATED:
        return _nearly_the_best(described(view), drawn)
    return greedy.choose(view, moves, drawn)


def described(view: View) -> greedy.Standings:
    """Return the moves worth considering, and the mover's standing after each."""
    table = Table(view)
    if view.step == "action":
        return greedy.actions(table)
    if view.step == "again":
        return greedy.lays_again(table)
    if view.step == "put":
        return greedy.pairs_to_put(table)
    movers = (table.seat,) if view.step == "sail" else table.bargain.tied
    kind = Sail if view.step == "sail" else Name
    return [(kind(field), table.outlook.standing(table.seat, field, movers)) for field in view.ahead]


def _nearly_the_best(standings: greedy.Standings, drawn: Drawn) -> Move:
    """Draw from the nearly best moves: the best is so likely that only equally good ones are chosen beside it."""
    if len(standings) == 1:
        return standings[0][0]
    best = max(standing for _, standing in standings)
    scores = [SURE * float(np.float32(max((standing - best) / 3, -4))) for _, standing in standings]
    likely = [exp(score) for score in scores]
    rest = drawn.random() * sum(likely)
    for (move, _), each in zip(standings, likely, strict=True):
        if rest < each:
            return move
        rest -= each
    return standings[-1][0]


def play_step(state: State, drawn: Drawn, batch: Batch) -> State:
    """Play one step: kernels play chance, because the rules shuffle in another order; Python plays the rest."""
    if state.mover != CHANCE:
        view = DUTCHMAN.view(state, state.mover)
        return DUTCHMAN.play(state, by_policy(view, DUTCHMAN.moves(state), drawn))
    batch.put(0, state)
    batch.simulated.kernels.draw_once(batch.rows, drawn.luck, np.ones(1, np.bool_), 0, 1)
    return batch.state(0)  # type: ignore[no-any-return]


def round_ends(state: State, seat: int, drawn: Drawn, batch: Batch) -> Ends:
    while not at_rest(state):
        if state.mover == seat and state.step == "sail":
            sailed: Ends = {}
            for field in state.sea.ahead[state.dutchman][state.came_from]:
                end = DUTCHMAN.play(state, Sail(field))
                while not at_rest(end):
                    end = play_step(end, drawn, batch)
                sailed[field] = end
            return sailed
        state = play_step(state, drawn, batch)
    return {None: state}


def considered_moves(options: Options, games: int) -> Iterator[tuple[State, list[Move]]]:
    """Yield states in which a seat has a choice, and the moves that it considers."""
    for number in range(games):
        random = Random(f"rounds/{number}")
        for state in decisions(options, number):
            if state.step not in ("action", "show") or random.random() < 0.3:
                yield state, candidates(DUTCHMAN.view(state, state.mover), DUTCHMAN.moves(state), [state], random)


@pytest.mark.parametrize(("players", "games"), [(4, 6), (3, 4), (6, 4)])
def test_both_writings_play_a_round_to_the_same_ends(players: int, games: int) -> None:
    options = Options(players)
    batch = Batch(DUTCHMAN, options, 1)
    thought, policy, names = thought_of(options), policy_of(as_greedy()), field_names(options)
    written = np.zeros(400, LAYOUT.dtype)
    facts = np.zeros((400, LABELS), np.int32)
    met: Counter[str] = Counter()
    for state, moves in considered_moves(options, games):
        luck = np.zeros(IMAGINED, LUCK)
        luck["state"] = np.arange(IMAGINED)
        states = np.repeat(np.array([write(state)]), IMAGINED)
        actions = np.array([batch.simulated.action_of(state, move) for move in moves], np.int64)
        count = play_rounds(states, luck, actions, state.mover, written, facts, thought, policy)
        compiled = {
            (end[CANDIDATE], end[STATE], None if end[COURSE] == NONE else names[end[COURSE]]): read(row, options)
            for end, row in zip(facts[:count].tolist(), written[:count], strict=True)
        }
        wanted = {
            (number, place, course): end
            for number, move in enumerate(moves)
            for place in range(IMAGINED)
            for course, end in round_ends(DUTCHMAN.play(state, move), state.mover, Drawn(place), batch).items()
        }
        assert compiled == wanted, (state, moves)
        met[state.step] += 1
        met["courses"] += any(course for _, _, course in compiled)
    assert met.keys() == {*layout.DECIDING, "courses"}


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_both_writings_tell_the_same_chances(players: int) -> None:
    """Compare up to rounding: NumPy adds single precision in another order."""
    options = Options(players)
    states: list[State] = []
    for number in range(8):
        random = Random(f"judge/{number}")
        state = DUTCHMAN.start(options)
        while state.mover != OVER:
            if state.mover == CHANCE:
                states += [state] * (state.step == "lucky")
                state = DUTCHMAN.play(state, DUTCHMAN.chance(state).draw(random.randrange))
            else:
                moves, view = DUTCHMAN.moves(state), DUTCHMAN.view(state, state.mover)
                odd = random.random() < 0.3
                state = DUTCHMAN.play(state, random.choice(moves) if odd else greedy.choose(view, moves, random))
        states.append(state)
    assert any(merchant.bankrupt for state in states for merchant in state.merchants)
    rows = np.array([write(state) for state in states])
    judged = np.zeros((len(rows), players))
    judge(rows, judged, judgement_of(weights(), options), 0, len(rows))
    assert np.abs(judged - chances(states)).max() < 1e-5
