"""Games of ``swift`` with itself as training data: states between rounds, their winners, and the choices made.

Games are numbered. Each depends only on the seed and its own number, so they can be played in any order, by any
number of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kontor.games.dutchman.batch import SIMULATED_DUTCHMAN
from kontor.games.dutchman.batch.layout import STEPS
from kontor.games.dutchman.batch.states import write
from kontor.games.dutchman.rules.state import Move, State
from kontor.players.budget import Iterations
from kontor.work import Jobs, executor_of
from training.dutchman.learned import Learned
from training.dutchman.lessons import PLAYERS, Lesson, PlayedGame, joined, lesson_of
from training.dutchman.lessons import game as play_game
from training.dutchman.policy.describing import DESCRIBED
from training.dutchman.policy.imitating import IMITATED, describe_moves
from training.dutchman.swift import thinking
from training.trainers import Arrays

TRIALS: Final = 64
FEWEST: Final = 6
"""Fewest trials of each move. ``swift`` thinks in one step here: more steps hardly improve its decisions."""

IMITATED_EVERY: Final = 2
"""One game of so many gives decisions from which the policy is learned."""

CHUNK: Final = 10
"""Games of one task."""


class Choices(NamedTuple):
    """Decisions of one step, as arrays [decisions, …].

    They hold the features common to all moves (as in DESCRIBED), those of each move, which moves are ``present``, and
    which was chosen. There is room for the most moves of any decision.
    """

    common: NDArray[np.float32]
    own: NDArray[np.float32]
    present: NDArray[np.bool_]
    chosen: NDArray[np.int64]


class Played(NamedTuple):
    """Training data of some games: lessons by the number of players, and choices by the number of the step."""

    lessons: dict[int, Lesson]
    choices: dict[int, Choices]


def games(
    seed: int, generation: int, learned: Learned, numbers: Sequence[int], jobs: Jobs, tell: Callable[[int, int], None]
) -> Played:
    """Play some games by what was learned.

    ``tell`` receives the number of games that have been played, and of all.
    """
    chunks = [numbers[first : first + CHUNK] for first in range(0, len(numbers), CHUNK)]
    tasks = [(f"{seed}/{generation}", learned.arrays, chunk) for chunk in chunks]
    lessons: dict[int, list[Lesson]] = {}
    choices: dict[int, list[Choices]] = {}
    done = 0
    with executor_of(jobs) as executor:
        for chunk, played in zip(chunks, executor.map(_chunk, tasks), strict=True):
            for players, lesson in played.lessons.items():
                lessons.setdefault(players, []).append(lesson)
            for step, several in played.choices.items():
                choices.setdefault(step, []).append(several)
            done += len(chunk)
            tell(done, len(numbers))
    return Played(
        {players: joined(lessons[players]) for players in sorted(lessons)},
        {step: as_one(choices[step]) for step in sorted(choices)},
    )


def game(learned: Learned, players: int, random: Random) -> PlayedGame:
    """Play one game of ``swift`` with itself, by what was learned."""
    return play_game(players, random, thinking(learned, Iterations(1), TRIALS, FEWEST))


def _chunk(task: tuple[str, Arrays, Sequence[int]]) -> Played:
    seed, arrays, numbers = task
    learned = Learned(arrays)
    lessons: dict[int, list[Lesson]] = {}
    decisions: list[tuple[State, Move]] = []
    for number in numbers:
        players = PLAYERS[number % len(PLAYERS)]
        played = game(learned, players, Random(f"{seed}/{number}"))
        if played.states:
            lessons.setdefault(players, []).append(lesson_of(played, number))
        if number // len(PLAYERS) % IMITATED_EVERY == 0:
            decisions += [decision for decision in played.decisions if decision[0].step in IMITATED]
    return Played({players: joined(some) for players, some in lessons.items()}, choices(learned, decisions))


def choices(learned: Learned, decisions: Sequence[tuple[State, Move]]) -> dict[int, Choices]:
    """Return described decisions, by the number of the step.

    Those whose move is not described are left out.
    """
    described = np.zeros(1, DESCRIBED)
    by_step: dict[int, list[Choices]] = {}
    for state, move in decisions:
        thoughts = learned.tools(state.options).thoughts.copy()
        many = describe_moves(np.array([write(state)]), described, thoughts)
        (places,) = np.nonzero(described["action"][0, :many] == SIMULATED_DUTCHMAN.action_of(state, move))
        if len(places):
            one = Choices(
                described["common"].copy(), described["own"][:, :many].copy(), np.ones((1, many), np.bool_), places
            )
            by_step.setdefault(STEPS.index(state.step), []).append(one)
    return {step: as_one(several) for step, several in by_step.items()}


def as_one(several: Sequence[Choices]) -> Choices:
    """Return several choices of the same step as one."""
    most = max(one.present.shape[1] for one in several)
    wider = [[(0, 0), (0, most - one.present.shape[1])] for one in several]
    return Choices(
        np.concatenate([one.common for one in several]),
        np.concatenate([np.pad(one.own, [*room, (0, 0)]) for one, room in zip(several, wider, strict=True)]),
        np.concatenate([np.pad(one.present, room) for one, room in zip(several, wider, strict=True)]),
        np.concatenate([one.chosen for one in several]),
    )
