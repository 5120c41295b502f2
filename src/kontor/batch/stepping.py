"""Kernels for learners: games by numbered steps, with all that a learner looks at made in the same run.

A step has a small fixed number (``docs/steps.csv``), and a large move is several of them. What has begun of a move
stands beside the row of its game (``BEGUN``). One kernel takes a step in every game, lets chance and random opponents
go on until the next learner is to move, and writes observation, mask, mover and rewards.
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
"""The step of a game that begins anew, with its luck going on."""
LOOK: Final = -3
"""The step of a game that is only looked at again."""

EVERYBODY: Final = -1
"""For the learner's seat: all seats are learners', whoever is to move."""

PLAYING, ENDED, ILLEGAL = range(3)
"""How a game stands: an illegal step ends it for its player."""

MOST_BEGUN: Final = 6
BEGUN: Final = np.dtype([("count", np.int32), ("steps", np.int32, (MOST_BEGUN,))])
"""The steps that have begun a move, beside the row of a game."""

Function = TypeVar("Function", bound=Callable[..., Any])


class StepRules(Protocol):
    """What the module of a game by numbered steps has for kernels, for one game of a batch."""

    def is_over(self, game: GameRow, /) -> bool: ...
    def is_chance(self, game: GameRow, /) -> bool: ...
    def mover_of(self, game: GameRow, /) -> int: ...
    def chance_acts(self, game: GameRow, luck: LuckRow, told: Bytes, /) -> None: ...
    def act_at_random(self, game: GameRow, luck: LuckRow, /) -> None: ...
    def score_of(self, game: GameRow, points: Ints, winners: Flags, /) -> None: ...
    def mark_steps(self, game: GameRow, begun: GameRow, mask: Bytes, /) -> None: ...
    def is_step(self, game: GameRow, begun: GameRow, step: int, /) -> bool: ...
    def take_step(self, game: GameRow, begun: GameRow, step: int, /) -> None: ...
    def look_from(self, game: GameRow, begun: GameRow, seat: int, seen: Reals, /) -> None: ...
    def rewards_of(self, winners: Flags, rewards: Numbers, /) -> None: ...


def stepping_of(rules: StepRules, outcome: int, steps: Callable[[Any], int], width: Callable[[Any], int]) -> Stepping:
    """A game by numbered steps, of the module of its rules; ``outcome`` numbers tell what chance does."""

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
        told = np.empty(outcome, np.uint8)
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
                    rules.chance_acts(game, luck[at], told)
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
