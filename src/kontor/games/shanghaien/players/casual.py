"""The player called ``casual`` for Shanghaien: plays for the cards in the row, like a person in their first games.

For every card of the row it asks how much the present score would change, and who is ahead on the card. It ignores
dice to come and the pips beside a card (S9), and uses a trick only where the gain is plain to see.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from msgspec.structs import replace

from kontor.games.shanghaien.rules.components import ROW, Card, End, is_sailor
from kontor.games.shanghaien.rules.scoring import Crew, LaidJoker, totals
from kontor.games.shanghaien.rules.state import Both, Joker, Move, Nudge, Number, Place, Reroll, Roll, Shanghai
from kontor.games.shanghaien.rules.view import View

TRICK: Final = 2.0
"""Value of a trick card in the row, in points of the score table."""

LEAST: Final = 0.5
"""The least value of a card."""

SAFER: Final = 0.25
"""Value of being ahead on a card by a second die, as a part of the card's value."""

AHEAD: Final = 3.0
"""Lead on the row, in points, that is enough for shanghai."""

PLAIN: Final = 3.0
"""Points by which a trick must be better than doing without."""


def choose(view: View, moves: Sequence[Move], random: Random) -> Move:
    """Return the move that gains most in the present position, without random choice."""
    if len(moves) == 1:
        return moves[0]
    if view.step == "turn":
        return Shanghai() if _Row(view, view.one_at).lead >= AHEAD else Roll()
    if view.one_at is None:  # tricks can wait until the cards are numbered (S7)
        ends = [move for move in moves if isinstance(move, Number)]
        return max(ends, key=lambda move: _Row(view, move.one_at).better_die)
    return max(moves, key=_Row(view, view.one_at).gain)


class _Row:
    """The row as seen by the seat to act, numbered from one end."""

    def __init__(self, view: View, one_at: End | None) -> None:
        me = view.turn
        self.own_dice, self.other_dice = view.placed[me], view.placed[1 - me]
        self.crew, self.other = view.crews[me], view.crews[1 - me]
        self.low, self.high = view.roll or (1, 1)
        cards = view.row if one_at == "left" else view.row[::-1]
        self.prizes = [self._prize(card) for card in cards]

    @property
    def lead(self) -> float:
        """Return the points by which the seat to act leads on the row as it lies; equal dice count for neither."""
        dice = zip(self.prizes, self.own_dice, self.other_dice, strict=True)
        return sum(prize * ((own > other) - (own < other)) for prize, own, other in dice)

    @property
    def better_die(self) -> float:
        """Return the gain of placing the better die of the roll."""
        return max(self._gain_of_die(self.low), self._gain_of_die(self.high))

    def gain(self, move: Move) -> float:
        """Return the gain of a move after a roll; a trick must gain plainly more than doing without."""
        match move:
            case Place(die):
                return self._gain_of_die(die)
            case Joker(trick, nation):
                tricks = list(self.crew.tricks)
                tricks.remove(trick)
                laid = replace(self.crew, jokers=(*self.crew.jokers, LaidJoker(trick, nation)), tricks=tuple(tricks))
                return self.better_die + self._lead_of(laid) - self._lead_of(self.crew) - PLAIN
            case Nudge(die, to):
                return (
                    max(self._gain_of_die(to), self._gain_of_die(self.high if die == self.low else self.low)) - PLAIN
                )
            case Both():
                return self._gain_of_die(self.low) + self._gain_of_die(self.high) - PLAIN
            case Reroll():
                return sum(self.prizes) / ROW - PLAIN
            case _:
                raise AssertionError(move)

    def _gain_of_die(self, die: int) -> float:
        """Return the gain of placing a die on its card."""
        own, other, prize = self.own_dice[die - 1], self.other_dice[die - 1], self.prizes[die - 1]
        if own + 1 < other:
            return 0.0
        if own <= other:
            return prize  # from behind to equal, or from equal to ahead
        return SAFER * prize if own == other + 1 else 0.0

    def _prize(self, card: Card) -> float:
        """Return the change of the present lead if a card went to the seat to act rather than to the other."""
        if not is_sailor(card):
            return TRICK
        if_mine = self._lead_of(replace(self.crew, sailors=(*self.crew.sailors, card)))
        if_theirs = -self._lead_of(self.crew, replace(self.other, sailors=(*self.other.sailors, card)))
        return max(LEAST, (if_mine + if_theirs) / 2)

    def _lead_of(self, crew: Crew, other: Crew | None = None) -> int:
        """Return the points of the seat to act less the other's, by the score table (S11)."""
        own_points, other_points = totals((crew, other or self.other))
        return own_points - other_points
