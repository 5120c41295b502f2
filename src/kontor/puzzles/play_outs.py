"""Play-outs of puzzles: the claimed best move against the next ones, among the strongest players.

A sampled chance says what a move is worth if the others decide as the judge expects. Here they decide for themselves.
Deals are imagined that agree with the view, and the strongest computer player plays all seats on, including the
solver's. The moves are tried in the same deals with the same luck, so their difference is paired. A puzzle agrees
with its play-outs unless the difference is surely below half of the claim, or below 0 in the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt
from typing import Final

from kontor.game import Value
from kontor.puzzles.adapter import PlayOut, adapter_of
from kontor.puzzles.values import Puzzle, PuzzlePosition

RIVALS: Final = 2
"""The number of next best moves that the best move is compared with."""

FIRST: Final = 12
"""Imagined deals before the first look at the difference."""

BATCH: Final = 12
"""Further deals before each further look."""

MOST: Final = 36
"""Deals after which the mean decides."""

HALF_WIDTH: Final = 3.0
"""Standard errors in half an interval: 98.8 % by Student’s t with 11 degrees of freedom, more with more."""

RARE: Final = 3.0
"""An event never seen in n deals may still have a probability of this divided by n (rule of three, 95 %)."""


class PlayedOut(Value, frozen=True):
    """Result of the best move against a rival, over a number of ``deals``.

    ``margin`` is the mean difference between their chances, ``error`` its standard error; ``claimed`` is the
    difference by the puzzle's own chances. ``agrees`` is False if the claim does not hold.
    """

    rival: int
    claimed: float
    deals: int
    margin: float
    error: float
    agrees: bool


def play_out(puzzle: Puzzle, seed: int = 1, most: int = MOST) -> tuple[PlayedOut, ...]:
    """Return how the best move did against its rivals; nothing for a game whose puzzles are solved, not sampled.

    It stops at the first rival against which the claim does not hold.
    """
    played = adapter_of(puzzle.game).play_out
    if played is None:
        return ()
    position = PuzzlePosition(puzzle)
    deals = _Deals(position, played, f"kontor puzzles play-outs {seed} {puzzle.id}")
    results: list[PlayedOut] = []
    for rival in _rivals(puzzle):
        results.append(_play_against(deals, puzzle, rival, most))
        if not results[-1].agrees:
            break
    return tuple(results)


def agrees(puzzle: Puzzle, seed: int = 1, most: int = MOST) -> bool:
    """Return True if the claimed best move of a puzzle is not beaten in its play-outs."""
    return all(one.agrees for one in play_out(puzzle, seed, most))


def _rivals(puzzle: Puzzle) -> list[int]:
    others = [place for place in range(len(puzzle.chances)) if place != puzzle.best]
    return sorted(others, key=lambda place: -puzzle.chances[place])[:RIVALS]


class _Deals:
    """Outcomes of moves of a position in its imagined deals; each is played out once."""

    def __init__(self, position: PuzzlePosition, played: PlayOut, name: str) -> None:
        self._position = position
        self._played = played
        self._name = name
        self._cached: dict[tuple[int, int], float] = {}

    def chance(self, move: int, deal: int) -> float:
        """Return the chance to win after the move with that index, in the deal with that number."""
        if (move, deal) not in self._cached:
            position = self._position
            chance = self._played(position.view, position.moves[move], f"{self._name} {deal}")
            self._cached[move, deal] = chance
        return self._cached[move, deal]


def _play_against(deals: _Deals, puzzle: Puzzle, rival: int, most: int) -> PlayedOut:
    """Play deals until the difference to a rival is clear, or ``most`` are played; return the result."""
    apart: list[float] = []
    claimed = puzzle.lost(rival)
    while True:
        until = min(most, len(apart) + BATCH if apart else FIRST)
        for deal in range(len(apart), until):
            apart.append(deals.chance(puzzle.best, deal) - deals.chance(rival, deal))
        margin, error = _mean(apart)
        ahead = margin - HALF_WIDTH * error > 0
        beaten = margin + HALF_WIDTH * error < 0
        short = margin + max(HALF_WIDTH * error, RARE / len(apart)) < claimed / 2
        if ahead or beaten or short or len(apart) >= most:
            return PlayedOut(rival, claimed, len(apart), margin, error, not short and margin >= 0)


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of some values, and its standard error."""
    count = len(values)
    mean = fsum(values) / count
    spread = fsum((one - mean) ** 2 for one in values) / max(1, count - 1)
    return mean, sqrt(spread / count)
