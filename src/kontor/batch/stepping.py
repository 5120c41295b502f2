"""Kernels for learners: games by numbered steps, with observation, mask and rewards written in the same run.

A step has a small fixed number (``docs/steps.csv``), and a large move is several of them. The steps that have begun a
move are stored beside the row of the game (``BEGUN``). One kernel takes a step in every game, and lets chance and
random opponents act until the next learner is to move. Then it writes observation, mask, mover and rewards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol, TypeVar

import numpy as np

from kontor.batch.arrays import Bytes, Flags, GameRow, Ints, Longs, Luck, LuckRow, Numbers, Reals, Rows, Seats
from kontor.batch.compiled import njit_cached
from kontor.batch.loops import SKIP
from kontor.batch.simulation import Stepping
from kontor.game import OVER

ANEW: Final = -2
"""The step that begins a game anew and keeps its random state."""
LOOK: Final = -3
"""The step that leaves a game as it is and writes its arrays again."""

EVERYBODY: Final = -1
"""The learner's seat if all seats are learners'."""

PLAYING, ENDED, ILLEGAL = range(3)
"""The states of a game: it goes on, it is over, or an illegal step has ended it for its player."""

MOST_BEGUN: Final = 6
BEGUN: Final = np.dtype([("count", np.int32), ("steps", np.int32, (MOST_BEGUN,))])
"""The steps that have begun a move, beside the row of a game."""

Function = TypeVar("Function", bound=Callable[..., Any])


class StepRules(Protocol):
    """The functions of a game's module by numbered steps, for one game of a batch."""

    def is_over(self, game: GameRow, /) -> bool:
        """Return True if the game is over."""
        ...

    def is_chance(self, game: GameRow, /) -> bool:
        """Return True if chance is to act."""
        ...

    def mover_of(self, game: GameRow, /) -> int:
        """Return the seat to move."""
        ...

    def chance_acts(self, game: GameRow, luck: LuckRow, outcome: Bytes, /) -> None:
        """Draw an outcome, write it into ``outcome``, and apply it."""
        ...

    def act_at_random(self, game: GameRow, luck: LuckRow, /) -> None:
        """Play a random legal move of the mover, all equally likely."""
        ...

    def score_of(self, game: GameRow, points: Ints, winners: Flags, /) -> None:
        """Write the points of each seat if the game ended now, and which seats have won."""
        ...

    def mark_steps(self, game: GameRow, begun: GameRow, mask: Bytes, /) -> None:
        """Set the mask to 1 for each step that the mover may take."""
        ...

    def is_step(self, game: GameRow, begun: GameRow, step: int, /) -> bool:
        """Return True if the mover may take the step, which may be any number."""
        ...

    def take_step(self, game: GameRow, begun: GameRow, step: int, /) -> None:
        """Take a legal step of the mover."""
        ...

    def look_from(self, game: GameRow, begun: GameRow, seat: int, seen: Reals, /) -> None:
        """Write what a seat may know into zeros."""
        ...

    def rewards_of(self, winners: Flags, rewards: Numbers, /) -> None:
        """Write what a finished game brings each seat."""
        ...


def stepping_of(
    rules: StepRules, outcome_size: int, steps: Callable[[Any], int], width: Callable[[Any], int]
) -> Stepping:
    """Return a game by numbered steps, made of the module of its rules; an outcome has ``outcome_size`` numbers."""

    def kernel(function: Function) -> Function:
        function.__qualname__ = f"{rules.__name__}.{function.__name__}"  # type: ignore[attr-defined]
        return njit_cached(function)

    @kernel
    def play(
        rows: Rows,
        begun: Rows,
        luck: Luck,
        begin: Rows,
        steps: Longs,
        learners: Seats,
        movers: Seats,
        ended: Bytes,
        rewards: Reals,
        seen: Reals,
        masks: Bytes,
        start: int,
        stop: int,
    ) -> None:
        outcome = np.empty(outcome_size, np.uint8)
        seats = rewards.shape[1]
        points = np.empty(seats, np.int32)
        winners = np.empty(seats, np.bool_)
        for at in range(start, stop):
            step = steps[at]
            if step == SKIP:
                continue
            game = rows[at]
            part = begun[at]
            learner = learners[at]
            rewards[at, :] = 0
            if step == ANEW:
                rows[at] = begin[0]
                part.count = 0
                ended[at] = PLAYING
            elif step != LOOK:
                if ended[at] != PLAYING:
                    continue
                if not rules.is_step(game, part, step):
                    ended[at] = ILLEGAL
                    rewards[at, movers[at]] = -1
                    continue
                rules.take_step(game, part, step)
            while not rules.is_over(game):
                if rules.is_chance(game):
                    rules.chance_acts(game, luck[at], outcome)
                elif learner != EVERYBODY and rules.mover_of(game) != learner:
                    rules.act_at_random(game, luck[at])
                else:
                    break
            seen[at, :] = 0
            masks[at, :] = 0
            if rules.is_over(game):
                movers[at] = OVER
                if step != LOOK:
                    ended[at] = ENDED
                    rules.score_of(game, points, winners)
                    rules.rewards_of(winners, rewards[at])
                rules.look_from(game, part, max(learner, 0), seen[at])
            else:
                seat = rules.mover_of(game)
                movers[at] = seat
                rules.mark_steps(game, part, masks[at])
                rules.look_from(game, part, seat, seen[at])

    @kernel
    def look(rows: Rows, begun: Rows, seats: Seats, seen: Reals, start: int, stop: int) -> None:
        for at in range(start, stop):
            seen[at, :] = 0
            rules.look_from(rows[at], begun[at], seats[at], seen[at])

    return Stepping(steps=steps, width=width, play=play, look=look)
