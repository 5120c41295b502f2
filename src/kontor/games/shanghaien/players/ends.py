"""Values of the ends of a round: each way to deal out the row, with each trick that may still be used.

In the last round they are exact: the game is over, and the captain with more points has won (S11, S12). Before it,
``values.py`` values the table at the start of the next round.

Either way a value is a sum over the nations and the two hands, and then one function of that sum. A nation only
depends on who gets its cards and who lays a joker there. So each is computed with and without jokers, and the rest is
adding.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from kontor.games.shanghaien.players import values
from kontor.games.shanghaien.players.round import NOTHING, WAYS, Ends, Use
from kontor.games.shanghaien.players.values import Floats, Ints, Model
from kontor.games.shanghaien.rules.components import (
    JOKER,
    NATIONS,
    ROUNDS,
    ROW,
    TRICKS,
    Card,
    is_sailor,
    nation_of,
    value_of,
)
from kontor.games.shanghaien.rules.scoring import Crew
from kontor.games.shanghaien.rules.view import View

Worth = np.ndarray[Any, np.dtype[np.floating[Any]]]
Uses = tuple[tuple[Use, ...], tuple[Use, ...]]

TAKERS: Final[Ints] = np.arange(WAYS)[:, None] // 3 ** np.arange(ROW) % 3 - 1
"""The seat that takes the card at each place from left to right, or −1: [729, 6], by way."""


def ends(view: View, model: Model | None = None) -> Ends:
    """Return the values for seat 0 of the ends of this round; the view is any seat's, and the row is laid.

    ``model`` values the start of the next round, if there is one; by default it is the one that is shipped.
    """
    uses = uses_of(view.crews[0], view.spent[0]), uses_of(view.crews[1], view.spent[1])
    if view.round == ROUNDS:
        return Ends(uses, _last(view, uses))
    return Ends(uses, _before(view, uses, model or values.model(view.round + 1)))


def uses_of(crew: Crew, spent: bool) -> tuple[Use, ...]:
    """Return the uses of a trick that a captain can still make in this round (S8)."""
    if spent:
        return (NOTHING,)
    held = [trick for trick in TRICKS if trick in crew.tricks]
    return (NOTHING, *map(Use, held), *[Use(trick, nation) for trick in held for nation in crew.nations])


def _last(view: View, uses: Uses) -> Worth:
    """Return 1 for a won, ½ for a drawn and 0 for a lost game (S12); who ends the round does not count."""
    return (np.sign(leads(view, uses, 0)) + 1) / 2


def leads(view: View, uses: Uses, option: float) -> Worth:
    """Return the lead of seat 0 by the score table (S11) at the end of the round.

    ``option`` is the value of an unused trick beyond its point. It counts for as many tricks as can still be used in
    the rounds to come, one in each (S8).
    """
    own, other = np.indices((values.STRENGTHS, values.STRENGTHS))
    lead = (values.points(own, other) - values.points(other, own))[..., None].astype(float)
    nations = Nations(view, uses, [lead] * len(NATIONS))
    first, second = (
        hand + option * np.minimum(hand, ROUNDS - view.round)
        for hand in (hands_at_end(view, uses, seat).sum(axis=-1) for seat in (0, 1))
    )
    worth = np.empty((len(uses[0]), len(uses[1]), 2, WAYS))
    for number, hand in enumerate(first):
        worth[number] = (nations.sums(number)[..., 0] + hand - second)[:, None]
    return worth


def _before(view: View, uses: Uses, model: Model) -> Worth:
    """Return seat 0's chance at the start of the next round; the seat that did not end this one starts it (S10)."""
    weights = model.weights
    nations = Nations(view, uses, [model.nations[place] for place in values.coming(view.to_come)])
    first, second = (model.added(hands_at_end(view, uses, seat)) for seat in (0, 1))
    tricks = np.array(values.kinds(view.to_come))
    starts = [values.common(weights, tricks, np.array(1 - ender)) for ender in (0, 1)]
    worth = np.empty((len(uses[0]), len(uses[1]), 2, WAYS), np.float32)
    for number, held in enumerate(first):  # one by one: all at once would not fit in the processor's cache
        added = nations.sums(number)
        jokers = values.joker_worth(added[..., values.ADDED :])
        own, other = values.hand(held, jokers[..., 0]), values.hand(second, jokers[..., 1])
        sums = added[..., : values.ADDED] + values.both_seats(own, other)
        for ender, start in enumerate(starts):
            worth[number, :, ender] = values.head(weights, sums + start)
    return worth


def hands_at_end(view: View, uses: Uses, seat: int) -> Ints:
    """Return the trick cards in the hand of a seat by kind at the end of the round: [uses, 729, 3]."""
    used = np.array([[use.trick == trick for trick in TRICKS] for use in uses[seat]])
    won = [((seat == TAKERS) & _places(view.row, trick)).sum(axis=-1) for trick in TRICKS]
    hands: Ints = (np.array(values.kinds(view.crews[seat].tricks)) - used)[:, None] + np.stack(won, axis=-1)
    return hands


def _places(row: Sequence[Card], card: Card) -> Ints:
    """Return where such a card lies in the row: [6], true or false."""
    return np.array([other == card for other in row])


class Nations:
    """Summands of the nations, by the uses of both seats and the way the row is dealt out."""

    def __init__(self, view: View, uses: Uses, tables: Sequence[Floats]) -> None:
        """Compute each nation's summands; ``tables`` hold them by the strengths of both seats: [40, 40, k]."""
        self.added = [_nation(view, number, table) for number, table in enumerate(tables)]
        self.laid = [[_joker_at(use) for use in some] for some in uses]

    def sums(self, number: int) -> Floats:
        """Return the sums over the nations with this use of seat 0: [uses of seat 1, 729, k]."""
        own = self.laid[0][number]
        by_nation = {other: self._sum(own, other) for other in set(self.laid[1])}
        return np.stack([by_nation[other] for other in self.laid[1]])

    def _sum(self, own: int | None, other: int | None) -> Floats:
        """Return the sums with a joker of each seat laid with these nations: [729, k].

        Each sum is computed afresh. A joker's gain is so great in some nations that subtracting it again would lose
        precision.
        """
        total: Floats = np.zeros_like(self.added[0][0, 0])
        for number, added in enumerate(self.added):
            total += added[int(number == own), int(number == other)]
        return total


def _joker_at(use: Use) -> int | None:
    """Return the nation with which a joker is laid, as a place in NATIONS, or None."""
    return NATIONS.index(use.nation) if use.nation else None


def _nation(view: View, number: int, table: Floats) -> Floats:
    """Return the summands of one nation, [2, 2, 729, k]: without and with a joker of seat 0, and of seat 1."""
    nation = NATIONS[number]
    cards = np.array([value_of(card) if is_sailor(card) and nation_of(card) == nation else 0 for card in view.row])
    own, other = (view.crews[seat].strength(nation) + (seat == TAKERS) @ cards for seat in (0, 1))
    jokers = np.array([0, JOKER])
    added: Floats = table[jokers[:, None, None] + own, jokers[:, None] + other]
    return added
