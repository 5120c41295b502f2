"""Moves of Shanghaien as the buttons of a form, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kontor.game import Refusal, Value
from kontor.games.shanghaien.rules import Move
from kontor.games.shanghaien.rules.components import NATIONS, ROW, TRICKS
from kontor.games.shanghaien.rules.state import Both, Joker, Nudge, Number, Place, Reroll, Roll, Shanghai


class Choice(Value, frozen=True):
    """A button: the value of its field ``move``, and what it says."""

    value: str
    text: str


def field_of(move: Move) -> str:
    """A move as the value of the field ``move``: ``place:5``, ``joker:nudge:F``."""
    match move:
        case Number(one_at):
            return f"number:{one_at}"
        case Place(die):
            return f"place:{die}"
        case Joker(trick, nation):
            return f"joker:{trick}:{nation}"
        case Nudge(die, to):
            return f"nudge:{die}:{to}"
        case _:
            return type(move).__name__.lower()


_DICE: Final = range(1, ROW + 1)

_ALL_MOVES: Final[tuple[Move, ...]] = (
    *(Roll(), Shanghai(), Both(), Reroll(), Number("left"), Number("right")),
    *[Place(die) for die in _DICE],
    *[Nudge(die, to) for die in _DICE for to in _DICE],
    *[Joker(trick, nation) for trick in TRICKS for nation in NATIONS],
)
_MOVES: Final[dict[str, Move]] = {field_of(move): move for move in _ALL_MOVES}
"""All that the field ``move`` can say; whether it is legal now is not asked here."""


def move_of(form: Mapping[str, str]) -> Move:
    """The move that a form means. Raises Refusal."""
    move = _MOVES.get(form.get("move", ""))
    if move is None:
        raise Refusal("S4", "That is no move of Shanghaien.")
    return move
