"""Moves of Shanghaien as the buttons of a form, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import astuple

from kontor.game import Refusal
from kontor.games.shanghaien.rules import Move
from kontor.games.shanghaien.rules.components import NATIONS, ROW, TRICKS
from kontor.games.shanghaien.rules.state import Both, Joker, Nudge, Number, Place, Reroll, Roll, Shanghai


def by_kind(moves: Sequence[Move]) -> dict[str, list[Move]]:
    """Return moves by their kind, as in ``nudge``, without empty kinds."""
    kinds: dict[str, list[Move]] = {}
    for move in moves:
        kinds.setdefault(_kind(move), []).append(move)
    return kinds


def _kind(move: Move) -> str:
    return type(move).__name__.lower()


def field_of(move: Move) -> str:
    """Return a move as the value of the field ``move``: ``place:5``, ``joker:nudge:F``."""
    return ":".join((_kind(move), *map(str, astuple(move))))


_DICE: Final = range(1, ROW + 1)

_ALL_MOVES: Final[tuple[Move, ...]] = (
    *(Roll(), Shanghai(), Both(), Reroll(), Number("left"), Number("right")),
    *[Place(die) for die in _DICE],
    *[Nudge(die, to) for die in _DICE for to in _DICE],
    *[Joker(trick, nation) for trick in TRICKS for nation in NATIONS],
)
_MOVES: Final[dict[str, Move]] = {field_of(move): move for move in _ALL_MOVES}
"""All values of the field ``move``, legal now or not."""


def move_of(form: Mapping[str, str]) -> Move:
    """Return the move that a form stands for. Raises Refusal."""
    move = _MOVES.get(form.get("move", ""))
    if move is None:
        raise Refusal("S4", "This is not a move of Shanghaien.")
    return move
