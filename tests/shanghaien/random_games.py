"""Random games of Shanghaien, reproducible from a few numbers.

A game is its options, a seed, and a *taste*: how often it shanghais and uses tricks. The tests need games of all
lengths and with many tricks, and uniformly random moves give few of them.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from hypothesis import note

from kontor.game import CHANCE, OVER
from kontor.games.shanghaien.rules import SHANGHAIEN, Move, Options, State
from kontor.games.shanghaien.rules.state import Both, Joker, Nudge, Reroll, Shanghai

from .table import Action, word


@dataclass(frozen=True)
class Step:
    """A state, the action in it, and the state after it."""

    before: State
    action: Action
    after: State


@dataclass(frozen=True)
class Plan:
    """All parameters of a random game."""

    options: Options
    seed: int
    shanghai: float = 0.3
    trick: float = 0.5

    def steps(self) -> Iterator[Step]:
        """Yield the game, step by step, to its end."""
        draw = random.Random(self.seed)
        state = SHANGHAIEN.start(self.options)
        while state.mover != OVER:
            action: Action = (
                SHANGHAIEN.chance(state).draw(draw.randrange) if state.mover == CHANCE else self._choose(state, draw)
            )
            after = SHANGHAIEN.play(state, action)
            yield Step(state, action, after)
            state = after

    def _choose(self, state: State, draw: random.Random) -> Move:
        moves = SHANGHAIEN.moves(state)
        tricks = [move for move in moves if isinstance(move, Joker | Nudge | Both | Reroll)]
        if tricks and draw.random() < self.trick:
            half = draw.choice(
                list(dict.fromkeys(type(move) for move in tricks))
            )  # there are many jokers, one reroll
            return draw.choice([move for move in tricks if isinstance(move, half)])
        if Shanghai() in moves and draw.random() < self.shanghai:
            return Shanghai()
        plain = [move for move in moves if move not in tricks and move != Shanghai()]
        return draw.choice(plain or moves)

    def game(self) -> list[Step]:
        """Return the whole game, and note it for the report of a failing test."""
        played = list(self.steps())
        note(f"{self.options}\n{' '.join(word(step.action) for step in played)}")
        return played
