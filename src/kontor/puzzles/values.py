"""Puzzles: decisions of games between computer players, with the value of each move."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import log2
from random import Random
from typing import Any, Final, Literal

import msgspec

from kontor.game import AnyGame, Value
from kontor.plugins import game_named

Certainty = Literal["exact", "learned", "sampled"]
"""Source of the chances. ``exact``: solved to the end of the game. ``learned``: solved to the end of the
round, whose ends are learned. ``sampled``: counted in imagined rounds, whose ends are learned."""

POINT: Final = 10_000
"""Chances are stored in parts of this: 5321 is 53.21%."""

AS_GOOD: Final = 0.01
"""A move that loses less than this, a percentage point, counts as found."""


class Source(Value, frozen=True, omit_defaults=True):
    """Source of a puzzle: a game of a series between computer players, and a line of its record.

    The decision was made on that line. ``kontor simulate`` with that seed and these players plays the game again,
    unless they have learned since. In that case ``replays`` is False.
    """

    seed: int
    game: int
    line: int
    players: tuple[str, ...]
    replays: bool = True


class Solved(Value, frozen=True):
    """Values of the legal moves, in their order.

    ``errors`` are the standard errors of how much less each is worth than the best one. They are empty if nothing was
    sampled.
    """

    chances: tuple[float, ...]
    errors: tuple[float, ...]
    certainty: Certainty

    @property
    def best(self) -> int:
        """Return the index of the best move."""
        return max(range(len(self.chances)), key=self.chances.__getitem__)

    @property
    def second(self) -> int:
        """Return the index of the second best move."""
        best = self.best
        return max((place for place in range(len(self.chances)) if place != best), key=self.chances.__getitem__)

    @property
    def gap(self) -> float:
        """Return by how much the best move is better than the second."""
        return self.chances[self.best] - self.chances[self.second]

    @property
    def separation(self) -> float:
        """Return by how many standard errors, at least, the best move is better than each other one."""
        best = self.best
        apart = [
            (self.chances[best] - chance) / max(error, 1 / POINT)
            for place, (chance, error) in enumerate(zip(self.chances, self.errors, strict=True))
            if place != best
        ]
        return min(apart)


class Puzzle(Value, frozen=True, omit_defaults=True):
    """A decision of a seat, with nothing in it that the seat could not know.

    ``chances`` are those to win after each of the legal moves. ``errors`` are the standard errors of how much less
    each is worth than the best one. Both are in parts of :data:`POINT` and in the order of the legal moves. ``line``
    holds the best moves until chance or another seat acts. ``tried`` says which move each computer player would make.
    """

    id: str
    game: str
    version: int
    theme: str
    level: int
    certainty: Certainty
    chances: tuple[int, ...]
    line: tuple[int, ...]
    tried: dict[str, int]
    source: Source
    view: dict[str, Any]
    errors: tuple[int, ...] = ()

    @property
    def best(self) -> int:
        """Return the index of the best move."""
        return max(range(len(self.chances)), key=self.chances.__getitem__)

    @property
    def gap(self) -> float:
        """Return by how much the best move is better than the second."""
        first, second = sorted(self.chances, reverse=True)[:2]
        return (first - second) / POINT

    def chance(self, place: int) -> float:
        """Return how likely the seat is to win after a move."""
        return self.chances[place] / POINT

    def error(self, place: int) -> float:
        """Return the standard error of how much less a move is worth than the best one; 0 if not sampled."""
        return self.errors[place] / POINT if self.errors else 0.0

    def lost(self, place: int) -> float:
        """Return how much of the chance to win a move gives away."""
        return self.chance(self.best) - self.chance(place)

    def score(self, place: int) -> float:
        """Return the score of a move, 0 to 1: 1 for the best move, and for one that loses less than AS_GOOD.

        For others it is 1 minus their loss divided by the average loss of a random move, at least 0.
        """
        lost = self.lost(place)
        if lost < AS_GOOD:
            return 1.0
        blind = sum(map(self.lost, range(len(self.chances)))) / len(self.chances)
        return max(0.0, 1 - lost / blind)


class PuzzlePosition:
    """A puzzle set up: its view, and the moves that are legal there."""

    def __init__(self, puzzle: Puzzle) -> None:
        game: AnyGame = game_named(puzzle.game)
        self.game = game
        self.puzzle = puzzle
        self.view = view_from(game, puzzle.view)

    @cached_property
    def state(self) -> Any:
        """Return one of the states that agree with the view: what is hidden is dealt anew."""
        return self.game.imagine(self.view, Random(f"kontor puzzle {self.puzzle.id}").randrange)

    @cached_property
    def moves(self) -> Sequence[Any]:
        """Return the legal moves, in the order of the puzzle's numbers."""
        return tuple(self.game.moves(self.state))

    def place_of(self, move: object) -> int | None:
        """Return the index of a move among the legal ones; None for an illegal move."""
        return next((place for place, legal in enumerate(self.moves) if legal == move), None)


def id_of(game: str, source: Source) -> str:
    """Return seven hexadecimal digits that follow from a puzzle's source."""
    named = f"kontor puzzle {game} {source.seed} {source.game} {source.line}"
    return hashlib.sha256(named.encode()).hexdigest()[:7]


def compact(view: Any) -> dict[str, Any]:
    """Return a view as plain JSON values, without options that have their default value."""
    values: dict[str, Any] = msgspec.to_builtins(view)
    usual = msgspec.to_builtins(type(view.options)())
    values["options"] = {name: value for name, value in values["options"].items() if value != usual.get(name)}
    return values


def view_from(game: AnyGame, values: Mapping[str, Any]) -> Any:
    """Return the view that was made compact."""
    return msgspec.convert(values, game.view_type)


def level_of(solved: Solved, tried: Mapping[str, int]) -> int:
    """Return how hard it is to find the best move, on the scale of Elo numbers.

    ::

        1000 + 100 · log₂(legal moves, at most 32) + 700 · missed − 1500 · (gap, at most 0.3)

    ``missed`` is the part of the computer players, 0 to 1, that lose a percentage point or more. The result is
    rounded to tens.
    """
    best = solved.chances[solved.best]
    missed = sum(best - solved.chances[place] >= AS_GOOD for place in tried.values()) / max(1, len(tried))
    raw = 1000 + 100 * log2(min(32, len(solved.chances))) + 700 * missed - 1500 * min(0.3, solved.gap)
    return 10 * round(raw / 10)
