"""Learning the chances between rounds (``values.py``), backwards from the last round.

Games of *greedy*, some of them with moves at random strewn in, give tables at the start of each round. At each of
them a row is laid, and the round is solved (``round.py``) with what its ends are worth (``ends.py``): exactly in the
last round, by the weights just learned in the one before, and so on. The weights of a round are fitted to these
solved values. A single row is laid for each table: many tables with one row teach more than few with many.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

import numpy as np

from kontor.game import CHANCE, OVER
from kontor.players.shanghaien.ends import ends
from kontor.players.shanghaien.fitting import at_random, fitted
from kontor.players.shanghaien.greedy import choose
from kontor.players.shanghaien.round import solve
from kontor.players.shanghaien.values import Model, Weights, between
from kontor.players.training import Arrays, Tell, shared
from kontor.shanghaien import SHANGHAIEN
from kontor.shanghaien.components import ROUNDS, TRICK_CARDS, TRICKS, TrickCounts
from kontor.shanghaien.state import NOBODY_PLACED, Options, State
from kontor.words import mark

GAMES: Final = 3600
"""Games played for the shipped weights; each gives a table for every round."""

STRAYING: Final = (0.0, 0.0, 0.05, 0.2)
"""How often a move is made at random, in one game or another."""

TOGETHER: Final = 20
"""Games, and rows, that are one task."""

STEPS: Final = 600
RATE: Final = 0.01
"""Of Adam."""


def train(seed: int, effort: float, jobs: int, tell: Tell) -> Arrays:
    """The weights of each round, ``"8/nation"`` and so on. See ``kontor.players.training``."""
    games = max(2, round(GAMES * effort))
    tables = _played(seed, games, jobs, tell)
    arrays: Arrays = {}
    weights = at_random(np.random.default_rng(seed))
    following: Weights | None = None
    solved = 0
    for number in range(ROUNDS, 0, -1):
        starts = [game[number - 1] for game in tables]
        tasks = [(seed, following, first, starts[first : first + TOGETHER]) for first in range(0, games, TOGETHER)]
        targets: list[float] = []
        for some in shared(_solved, tasks, jobs):
            targets += some
            solved += len(some)
            tell(mark("rows solved"), solved, games * ROUNDS)
        views = [SHANGHAIEN.view(state, None) for state in starts]
        weights = fitted(weights, between(views), np.array(targets), STEPS, RATE)
        following = weights
        arrays |= {f"{number}/{name}": array.astype(np.float32) for name, array in weights.items()}
    return arrays


# ------------------------------------------------------------------------------------------------- games and rows


def _played(seed: int, games: int, jobs: int, tell: Tell) -> list[list[State]]:
    """For each game, the states before the rows of its rounds are laid."""
    tasks = [(seed, range(first, min(first + TOGETHER, games))) for first in range(0, games, TOGETHER)]
    tables: list[list[State]] = []
    for some in shared(_starts, tasks, jobs):
        tables += some
        tell(mark("games played"), len(tables), games)
    return tables


def _starts(task: tuple[int, range]) -> list[list[State]]:
    """The seed and the numbers of some games."""
    seed, numbers = task
    return [list(game(Random(f"shanghaien/{seed}/game/{number}"))) for number in numbers]


def game(random: Random) -> Iterator[State]:
    """A game of greedy, straying more or less; the states before its rows are laid."""
    straying = random.choice(STRAYING)
    state = SHANGHAIEN.start(_options(random))
    while state.mover != OVER:
        if state.mover == CHANCE:
            if state.step == "row":
                yield state
            action = SHANGHAIEN.chance(state).draw(random.randrange)
        elif random.random() < straying:
            action = random.choice(SHANGHAIEN.moves(state))
        else:
            action = choose(SHANGHAIEN.view(state, state.mover), SHANGHAIEN.moves(state), random)
        state = SHANGHAIEN.play(state, action)


def _options(random: Random) -> Options:
    """Mostly those of the rules; in each fourth game other trick cards (S2), or one for each from the start (S3a)."""
    if random.random() < 0.75:
        return Options()
    nudge = random.randint(0, TRICK_CARDS)
    both = random.randint(0, TRICK_CARDS - nudge)
    counts = TrickCounts(nudge, both, TRICK_CARDS - nudge - both)
    return Options(tricks=counts, first_trick=random.choice((None, *TRICKS)))


def _solved(task: tuple[int, Weights | None, int, Sequence[State]]) -> list[float]:
    """The seed, the weights for the round after this one, and the starts of some rounds, numbered from the third: the
    chance of seat 0 with a row laid, when both play as well as can be."""
    seed, weights, first, states = task
    model = Model(states[0].round + 1, weights) if weights else None
    found = []
    for number, state in enumerate(states, first):
        random = Random(f"shanghaien/{seed}/row/{state.round}/{number}")
        laid = SHANGHAIEN.play(state, SHANGHAIEN.chance(state).draw(random.randrange))
        found.append(solved(laid, model))
    return found


def solved(laid: State, model: Model | None) -> float:
    """The chance of seat 0 at the start of a round whose row is laid; ``model`` is for the round after it, if any."""
    return solve(ends(SHANGHAIEN.view(laid, None), model), NOBODY_PLACED, laid.turn, None).value
