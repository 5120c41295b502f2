"""What a view of Shanghaien is worth, and each of the moves there, by solving the round whose row is laid."""

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
    """Views are thought about with given ends of rounds. Whatever these measure, seat 0 wants much, seat 1 little.

    A turn is solved once, and kept for a while: so are the ends of the round.
    """

    def __init__(self, ends: Callable[[View], Ends]) -> None:
        """``ends`` are of the round of a view, as ``kontor.games.shanghaien.players.ends`` gives them."""
        self._ends = lru_cache(maxsize=4)(ends)
        self._solved = lru_cache(maxsize=64)(self._solve)

    def value(self, view: View) -> float:
        """What the view is worth to seat 0, whoever is to act, a seat or chance. Not before the row is laid."""
        match view.step:
            case "roll" | "reroll":
                return self._turn(view).rolling
            case "place":
                assert view.roll
                return self._turn(view).rolled(*view.roll)
            case "both":
                return self._preferred(view, [self._after_both(view, one_at) for one_at in ENDS])
            case _:
                return self._turn(view).value

    def worths(self, view: View, moves: Sequence[Move], also: Move | None = None) -> Worths:
        """What the moves are worth, in their order, but for jokers that are nowhere better than another move; with
        ``also`` among them, if it is given. For a view in which one of the seats is to move."""
        turn = self._turn(view)
        use = _use(also)
        if use not in turn.uses:
            turn = self._turn(view, use)
        return [(move, self._after(view, turn, move)) for move in moves if _use(move) in turn.uses]

    def best(self, view: View, worths: Worths) -> list[Move]:
        """The moves, of those given, that the seat to move prefers: several, if they are equal."""
        preferred = self._preferred(view, [worth for _, worth in worths])
        near = EQUAL if view.round == ROUNDS else NEARLY_EQUAL
        return [move for move, worth in worths if abs(worth - preferred) <= near]

    # ---- turns

    def _turn(self, view: View, also: Use = NOTHING) -> Turn:
        """The turn that the view stands in, or before; see ``kontor.games.shanghaien.players.round.solve``."""
        open_end = view.placed == NOBODY_PLACED  # by then the end may be chosen, but the turn is the same
        situation = _situation(view)
        turn = self._solved(replace(situation, one_at=None) if open_end else situation, also)
        return turn.numbered(view.one_at) if open_end and view.one_at else turn

    def _solve(self, situation: View, also: Use) -> Turn:
        ends = self._ends(replace(situation, placed=NOBODY_PLACED, turn=0, one_at=None))
        return solve(ends, situation.placed, situation.turn, situation.one_at, keep=(also,))

    def _after(self, view: View, turn: Turn, move: Move) -> float:
        """What comes after a move."""
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
        """The trick *both* was used before numbering: both dice are placed now."""
        assert view.roll
        turn = view.turn
        placed = list(view.placed)
        placed[turn] = _with(placed[turn], *view.roll)
        after = replace(view, step="turn", turn=1 - turn, placed=(placed[0], placed[1]), one_at=one_at)
        return self._turn(after).value

    def _preferred(self, view: View, worths: Sequence[float]) -> float:
        return min(worths) if view.turn else max(worths)


def _use(move: Move | None) -> Use:
    """The joker that a move lays, or NOTHING. (The dice tricks are always thought of.)"""
    return Use(move.trick, move.nation) if isinstance(move, Joker) else NOTHING


def _with(numbers: Numbers, first: int, second: int) -> Numbers:
    """The numbers with two dice more."""
    one, two, three, four, five, six = (
        dice + (first == number) + (second == number) for number, dice in enumerate(numbers, 1)
    )
    return one, two, three, four, five, six


def _situation(view: View) -> View:
    """The view with everything taken out that the worth of its turn does not depend on."""
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
