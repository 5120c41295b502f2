"""Games of computer players among themselves as training data: states, and who won from there.

Games are numbered. Each depends only on the seed and its own number, so they can be played in any order, by any
number of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np

from kontor.game import CHANCE, OVER
from kontor.games.dutchman.players import greedy
from kontor.games.dutchman.players.encoding import Encoded, Floats, Numbers, encoded
from kontor.games.dutchman.rules.chance import chance
from kontor.games.dutchman.rules.moves import moves
from kontor.games.dutchman.rules.play import play, result
from kontor.games.dutchman.rules.state import Move, Options, State, start
from kontor.games.dutchman.rules.view import view
from kontor.players import Choose
from kontor.work import Jobs, executor_of

PLAYERS: Final = (4, 3, 4, 5, 6)
"""Numbers of players, from game to game."""

ODD_ROUNDS: Final = (0, 0, 0, 0, 0, 1, 2, 4, 6, 8)
"""Numbers of first rounds with some random moves, which lead to unusual situations. Only later rounds are used for
learning."""

ODD: Final = 0.25
"""Probability of a random move in these rounds."""

CHUNK: Final = 20
"""Games of one task."""


class Lesson(NamedTuple):
    """States of games with equally many players: as numbers, each seat's share of the victory, the game's number."""

    states: Encoded
    shares: Floats
    game: Numbers


class PlayedGame(NamedTuple):
    """Training data of one game.

    These are the states at which its rounds began, from the first round without random moves on; each seat's share of
    the victory; and the decisions in these rounds, with the choices.
    """

    states: list[State]
    shares: Floats
    decisions: list[tuple[State, Move]]


def lessons(seed: int, numbers: Sequence[int], jobs: Jobs, tell: Callable[[int, int], None]) -> dict[int, Lesson]:
    """Play some games; return the states at which their rounds began, by the number of players.

    ``tell`` receives the number of games that have been played, and of all.
    """
    chunks = [(seed, numbers[first : first + CHUNK]) for first in range(0, len(numbers), CHUNK)]
    played: list[dict[int, Lesson]] = []
    with executor_of(jobs) as executor:
        for chunk in executor.map(_chunk, chunks):
            played.append(chunk)
            tell(min(len(played) * CHUNK, len(numbers)), len(numbers))
    return {
        players: joined([chunk[players] for chunk in played if players in chunk])
        for players in sorted(set(PLAYERS))
        if any(players in chunk for chunk in played)
    }


def _chunk(chunk: tuple[int, Sequence[int]]) -> dict[int, Lesson]:
    seed, numbers = chunk
    by_players: dict[int, list[Lesson]] = {}
    for number in numbers:
        players = PLAYERS[number % len(PLAYERS)]
        played = game(players, Random(f"{seed}/{number}"))
        if played.states:
            by_players.setdefault(players, []).append(lesson_of(played, number))
    return {players: joined(some) for players, some in by_players.items()}


def lesson_of(played: PlayedGame, number: int) -> Lesson:
    """Return the lesson of one game."""
    states = len(played.states)
    return Lesson(encoded(played.states), np.tile(played.shares, (states, 1)), np.full(states, number, np.int64))


def joined(some: Sequence[Lesson]) -> Lesson:
    """Return lessons with equally many players as one."""
    return Lesson(
        Encoded(*[np.concatenate(parts) for parts in zip(*[lesson.states for lesson in some], strict=True)]),
        np.concatenate([lesson.shares for lesson in some]),
        np.concatenate([lesson.game for lesson in some]),
    )


def game(players: int, random: Random, choose: Choose = greedy.choose) -> PlayedGame:
    """Play one game in which all players choose by ``choose``."""
    odd_rounds = random.choice(ODD_ROUNDS)
    states, decisions = [], []
    state = start(Options(players))
    while state.mover != OVER:
        if state.mover == CHANCE:
            if state.step == "lucky" and state.round > odd_rounds:
                states.append(state)
            state = play(state, chance(state).draw(random.randrange))
            continue
        possible = moves(state)
        if state.round <= odd_rounds and random.random() < ODD:
            state = play(state, random.choice(possible))
            continue
        move = choose(view(state, state.mover), possible, random)
        if state.round > odd_rounds and len(possible) > 1:
            decisions.append((state, move))
        state = play(state, move)
    ended = result(state)
    assert ended
    shares = np.zeros(players, dtype=np.float32)
    shares[list(ended.winners)] = 1 / len(ended.winners)
    return PlayedGame(states, shares, decisions)
