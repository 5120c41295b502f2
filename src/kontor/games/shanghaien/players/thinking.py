"""Worth of a view of Shanghaien and of each of its moves, by solving the round whose row is laid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from kontor.games.shanghaien.players.round import BOTH, ENDS, NOTHING, NUDGE, Ends, Turn, Use, solve
from kontor.games.shanghaien.rules.components import ROUNDS, End
from kontor.games.shanghaien.rules.state import (
    NOBODY_PLACED,
    Both,
    Joker,
    Move,
    Nudge,
    Number,
    Numbers,
    Place,
    Reroll,
    Roll,
    Shanghai,
)
from kontor.games.shanghaien.rules.view import View

EQUAL: Final = 1e-12
NEARLY_EQUAL: Final = 1e-6
"""Worths that differ by no more are equal, in the last round, and before: the arithmetic is no finer. (Before the
last round it may be in single precision.)"""

Worths = list[tuple[Move, float]]
"""Moves, and what they are worth to seat 0."""


class Thinking:
    """Solver of views with given values of the ends of a round: seat 0 maximises, seat 1 minimises.

    The solved turns and the ends of rounds are cached.
    """

    def __init__(self, ends: Callable[[View], Ends]) -> None:
        """Create a solver with ``ends``, a function like ``kontor.games.shanghaien.players.ends``."""
        self._ends = lru_cache(maxsize=4)(ends)
        self._solved = lru_cache(maxsize=64)(self._solve)

    def value(self, view: View) -> float:
        """Return the value of the view to seat 0, for any mover, also chance; the row must be laid."""
        match view.step:
            case "roll" | "reroll":
                return self._turn(view).rolling
            case "place":
                assert view.roll
                return self._turn(view).rolled(*view.roll)
            case "both":
                return self._best_value(view, [self._after_both(view, one_at) for one_at in ENDS])
            case _:
                return self._turn(view).value

    def worths(self, view: View, moves: Sequence[Move], also: Move | None = None) -> Worths:
        """Return the values of the moves, in their order, for a view in which a seat is to move.

        Jokers that are nowhere better than another move are left out, except ``also``, if it is given.
        """
        turn = self._turn(view)
        use = _use(also)
        if use not in turn.uses:
            turn = self._turn(view, use)
        return [(move, self._value_after(view, turn, move)) for move in moves if _use(move) in turn.uses]

    def best(self, view: View, values: Worths) -> list[Move]:
        """Return those of the given moves that the seat to move prefers: several, if they are equal."""
        preferred = self._best_value(view, [value for _, value in values])
        near = EQUAL if view.round == ROUNDS else NEARLY_EQUAL
        return [move for move, value in values if abs(value - preferred) <= near]

    # ---- turns

    def _turn(self, view: View, also: Use = NOTHING) -> Turn:
        """Return the solved turn of the view; see ``kontor.games.shanghaien.players.round.solve``."""
        open_end = view.placed == NOBODY_PLACED  # by then the end may be chosen, but the turn is the same
        situation = _situation(view)
        turn = self._solved(replace(situation, one_at=None) if open_end else situation, also)
        return turn.numbered(view.one_at) if open_end and view.one_at else turn

    def _solve(self, situation: View, also: Use) -> Turn:
        ends = self._ends(replace(situation, placed=NOBODY_PLACED, turn=0, one_at=None))
        return solve(ends, situation.placed, situation.turn, situation.one_at, keep=(also,))

    def _value_after(self, view: View, turn: Turn, move: Move) -> float:
        """Return the value of the turn after a move."""
        low, high = view.roll or (0, 0)
        match move:
            case Roll():
                return turn.rolling
            case Shanghai():
                assert turn.shanghai is not None
                return turn.shanghai
            case Number(one_at):
                return (
                    self._after_both(view, one_at) if view.step == "both" else turn.numbered(one_at).rolled(low, high)
                )
            case Place(die):
                return turn.used(NOTHING, die, die)
            case Joker():
                return turn.used(_use(move), low, high)
            case Nudge(die, to):
                return turn.used(NUDGE, to, high if die == low else low)
            case Both():
                return turn.used(BOTH, low, high)
            case Reroll():
                return turn.rerolling

    def _after_both(self, view: View, one_at: End) -> float:
        """Return the value after numbering when the trick *both* was used before: both dice are placed now."""
        assert view.roll
        turn = view.turn
        placed = list(view.placed)
        placed[turn] = _add_dice(placed[turn], *view.roll)
        after = replace(view, step="turn", turn=1 - turn, placed=(placed[0], placed[1]), one_at=one_at)
        return self._turn(after).value

    def _best_value(self, view: View, values: Sequence[float]) -> float:
        return min(values) if view.turn else max(values)


def _use(move: Move | None) -> Use:
    """Return the joker that a move lays, or NOTHING: the dice tricks are always considered."""
    return Use(move.trick, move.nation) if isinstance(move, Joker) else NOTHING


def _add_dice(numbers: Numbers, first: int, second: int) -> Numbers:
    """Return the numbers with two more dice."""
    one, two, three, four, five, six = (
        dice + (first == number) + (second == number) for number, dice in enumerate(numbers, 1)
    )
    return one, two, three, four, five, six


def _situation(view: View) -> View:
    """Return the view with all cleared that the value of its turn does not depend on."""
    return replace(
        view,
        seat=None,
        mover=view.turn,
        step="turn",
        roll=None,
        starter=None,
        gone=(),
        awards=(),
        awards_one_at=None,
        result=None,
    )
