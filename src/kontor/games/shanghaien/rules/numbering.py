"""Numbers of the moves and of the cards, by which programs that count in arrays name them."""

from __future__ import annotations

from typing import Final

from kontor.games.shanghaien.rules.components import NATIONS, ROW, TRICKS, Card
from kontor.games.shanghaien.rules.state import Both, Joker, Move, Nudge, Number, Place, Reroll, Roll, Shanghai

MOVES: Final[tuple[Move, ...]] = (
    Roll(),
    Shanghai(),
    Number("left"),
    Number("right"),
    *[Place(die) for die in range(1, ROW + 1)],
    *[Joker(trick, nation) for trick in TRICKS for nation in NATIONS],
    *[Nudge(die, to) for die in range(1, ROW + 1) for to in (die - 1, die + 1) if 1 <= to <= ROW],
    Both(),
    Reroll(),
)
"""All possible moves, by their numbers."""
ACTION: Final[dict[Move, int]] = {move: number for number, move in enumerate(MOVES)}

CARDS: Final[tuple[Card, ...]] = (*[f"{nation}{value}" for nation in NATIONS for value in range(1, 5)], *TRICKS)
"""All cards, by their numbers."""
CARD: Final[dict[Card, int]] = {card: number for number, card in enumerate(CARDS)}
