"""Random playouts of Shanghaien, as fast as possible: ``mcts`` asks for thousands of them per move.

A seat that may both roll and shanghai tosses a coin (S4, S5); either of two dice is placed (S6). So every number is
placed with the same likelihood, and no roll need be drawn. No seat uses a trick: a random choice among all moves
would lay a joker at once, for these are many, and an unused trick is at least a point (S11). Rows are drawn by the
rules (S3), dealt out (S9) and compared (S11) by them.
"""

from __future__ import annotations

from functools import cache
from math import floor
from random import Random
from typing import Final, cast

from kontor.games.shanghaien.rules.components import JOKER, NATIONS, ROW, SAILORS, Card, nation_of, value_of
from kontor.games.shanghaien.rules.play import deal_out, moves, play
from kontor.games.shanghaien.rules.scoring import Crew, compare
from kontor.games.shanghaien.rules.state import Number, Numbers, Place, State

_ENDS: Final = ("left", "right")


def played_out(state: State, random: Random) -> float:
    """Return what seat 0 wins if the game goes on at random: 1, ½ or 0.

    The state must be one in which a seat is to move, or its round or the game is over.
    """
    uniform = random.random
    while state.step in ("place", "both"):  # finish the turn that has begun
        plain = [move for move in moves(state) if isinstance(move, Number | Place)]
        state = play(state, plain[floor(uniform() * len(plain))])
    hoards = _Hoard(state.crews[0]), _Hoard(state.crews[1])
    numbers = [*state.placed[0]], [*state.placed[1]]
    counts = [sum(numbers[0]), sum(numbers[1])]
    one_at = state.one_at or _ENDS[floor(uniform() * 2)]
    row = state.row if one_at == "left" else state.row[::-1]
    pile = [*state.to_come]
    turn = state.turn
    while row or pile:
        if not row:
            left = len(pile)
            row = tuple([pile.pop(floor(uniform() * count)) for count in range(left, left - ROW, -1)])
        while (count := counts[turn]) < 2 or (count < ROW - 1 and uniform() < 0.5):
            numbers[turn][floor(uniform() * ROW)] += 1
            counts[turn] = count + 1
            turn = 1 - turn
        turn = 1 - turn  # shanghaied: the other starts the next round (S10)
        for award in deal_out(row, cast("tuple[Numbers, Numbers]", numbers)):
            if award.taker is not None:
                hoards[award.taker].take(award.card)
        row = ()
        numbers, counts = ([0] * ROW, [0] * ROW), [0, 0]
    return _victory_share(*hoards)


class _Hoard:
    """A crew in brief: the sum of each nation, jokers included, and unused tricks."""

    __slots__ = ("strengths", "tricks")

    def __init__(self, crew: Crew) -> None:
        self.strengths = dict.fromkeys(NATIONS, 0)
        self.tricks = len(crew.tricks)
        for card in crew.sailors:
            self.take(card)
        for joker in crew.jokers:
            self.strengths[joker.nation] += JOKER

    def take(self, card: Card) -> None:
        """Add a card of the row."""
        if card in _VALUE:
            self.strengths[nation_of(card)] += _VALUE[card]
        else:
            self.tricks += 1


_VALUE: Final = {card: value_of(card) for card in SAILORS}


def _victory_share(first: _Hoard, second: _Hoard) -> float:
    """Return what the first wins (S11, S12): 1, ½ or 0."""
    lead = first.tricks - second.tricks
    for strengths in zip(first.strengths.values(), second.strengths.values(), strict=True):
        lead += _lead(strengths)
    return 0.5 if not lead else float(lead > 0)


@cache
def _lead(strengths: tuple[int, int]) -> int:
    """Return the points of the first in a nation, less those of the second (S11)."""
    points = compare(NATIONS[0], strengths).points
    return points[0] - points[1]
