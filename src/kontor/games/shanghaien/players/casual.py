"""The player called ``casual`` for Shanghaien: plays for what lies there, as somebody in their first games does.

It asks of every card of the row what it would change in the score table of now, and who is ahead on it. It does not
reckon with dice to come, nor with the pips beside a card (S9), and uses a trick where the gain is plain to see.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from msgspec.structs import replace

from kontor.games.shanghaien.rules.components import ROW, Card, End, is_sailor
from kontor.games.shanghaien.rules.scoring import Crew, LaidJoker, totals
from kontor.games.shanghaien.rules.state import (
    Both,
    Joker,
    Move,
    Nudge,
    Number,
    Place,
    Reroll,
    Roll,
    Shanghai,
)
from kontor.games.shanghaien.rules.view import View

TRICK: Final = 2.0
"""What a trick card in the row is worth, in points of the score table."""

LEAST: Final = 0.5
"""No card is worth less than this."""

SAFER: Final = 0.25
"""What it is worth to be ahead on a card by a second die, as a part of the card."""

AHEAD: Final = 3.0
"""So many points ahead on the row are enough for shanghai."""

PLAIN: Final = 3.0
"""By so many points a trick must be better than going without."""


def choose(view: View, moves: Sequence[Move], random: Random) -> Move:
    """The move that gains most as things stand. Nothing is left to luck."""
    if len(moves) == 1:
        return moves[0]
    if view.step == "turn":
        return Shanghai() if _Row(view, view.one_at).lead >= AHEAD else Roll()
    if view.one_at is None:  # tricks can wait until the cards are numbered (S7)
        ends = [move for move in moves if isinstance(move, Number)]
        return max(ends, key=lambda move: _Row(view, move.one_at).better_die)
    return max(moves, key=_Row(view, view.one_at).gain)


class _Row:
    """The row as whoever is to act looks at it, numbered from an end."""

    def __init__(self, view: View, one_at: End | None) -> None:
        me = view.turn
        self.mine, self.theirs = view.placed[me], view.placed[1 - me]
        self.crew, self.other = view.crews[me], view.crews[1 - me]
        self.low, self.high = view.roll or (1, 1)
        cards = view.row if one_at == "left" else view.row[::-1]
        self.prizes = [self._prize(card) for card in cards]

    @property
    def lead(self) -> float:
        """The points by which I am ahead on the row as it lies: equal dice are nobody's."""
        dice = zip(self.prizes, self.mine, self.theirs, strict=True)
        return sum(prize * ((mine > theirs) - (mine < theirs)) for prize, mine, theirs in dice)

    @property
    def better_die(self) -> float:
        """What the better die of the roll gains."""
        return max(self._gained(self.low), self._gained(self.high))

    def gain(self, move: Move) -> float:
        """What a move gains after a roll; a trick must gain plainly more than going without."""
        match move:
            case Place(die):
                return self._gained(die)
            case Joker(trick, nation):
                tricks = list(self.crew.tricks)
                tricks.remove(trick)
                laid = replace(self.crew, jokers=(*self.crew.jokers, LaidJoker(trick, nation)), tricks=tuple(tricks))
                return self.better_die + self._lead_of(laid) - self._lead_of(self.crew) - PLAIN
            case Nudge(die, to):
                return max(self._gained(to), self._gained(self.high if die == self.low else self.low)) - PLAIN
            case Both():
                return self._gained(self.low) + self._gained(self.high) - PLAIN
            case Reroll():
                return sum(self.prizes) / ROW - PLAIN
            case _:
                raise AssertionError(move)

    def _gained(self, die: int) -> float:
        """What placing a die gains on its card."""
        mine, theirs, prize = self.mine[die - 1], self.theirs[die - 1], self.prizes[die - 1]
        if mine + 1 < theirs:
            return 0.0
        if mine <= theirs:
            return prize  # from behind to equal, or from equal to ahead
        return SAFER * prize if mine == theirs + 1 else 0.0

    def _prize(self, card: Card) -> float:
        """What it would change now if a card went to me rather than to the other."""
        if not is_sailor(card):
            return TRICK
        if_mine = self._lead_of(replace(self.crew, sailors=(*self.crew.sailors, card)))
        if_theirs = -self._lead_of(self.crew, replace(self.other, sailors=(*self.other.sailors, card)))
        return max(LEAST, (if_mine + if_theirs) / 2)

    def _lead_of(self, crew: Crew, other: Crew | None = None) -> int:
        """My points less the other's, by the score table (S11)."""
        mine, theirs = totals((crew, other or self.other))
        return mine - theirs
