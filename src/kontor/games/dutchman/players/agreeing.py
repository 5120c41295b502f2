"""Agreements in imagined rounds (H9).

``greedy`` agrees to any proposal that brings it a part of a ducat. A player who counts on that offers no more, and is
mostly refused by other kinds of players. So agreement is random here: the more somebody gains, as ``greedy`` would
compute it, the likelier. Own proposals later in the round allow for that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, exp
from random import Random
from typing import Final

from kontor.games.dutchman.players.greedy import Table
from kontor.games.dutchman.rules.state import Accept, Decline, Move, Name, Propose, Withhold
from kontor.games.dutchman.rules.view import View

TEMPTING: Final = 1.0
"""Gain in ducats at which half of all players agree."""

SPREAD: Final = 2.0
"""Scale of the gain: with so many ducats more 73 % agree, with so many less 27 %."""

STEEP: Final = 50.0
"""Limit beyond which practically nobody agrees (and ``exp`` would overflow)."""

MORE: Final = (0, 2, 5)
"""Ducats offered to the others above their price: at the price itself nobody gains."""


def answer(view: View, random: Random) -> Move:
    """Accept or decline the proposal on the table, at random by the gain of the view's seat."""
    table = Table(view)
    proposed = table.bargain.proposal
    assert proposed
    ducats = dict(zip(table.bargain.tied, proposed.ducats, strict=True))
    return Accept() if _agrees(table, proposed.to, ducats, random) else Decline()


def name(view: View, random: Random) -> Move:
    """Name a destination for the view's seat.

    It is the one that all have named so far, if the seat agrees to it; otherwise the one that the seat likes best.
    """
    table = Table(view)
    named = set(table.bargain.named)
    if len(named) == 1:
        (to,) = named
        if _agrees(table, to, {}, random):
            return Name(to)
    return _own_destination(table)


def own_destination(view: View) -> Name:
    """Return the name of the destination that the view's seat likes best, no matter what others have named."""
    return _own_destination(Table(view))


def _own_destination(table: Table) -> Name:
    return Name(table.outlook.best_for(table.seat, table.bargain.tied))


def proposal(view: View) -> Move:
    """Return the best proposal of the view's seat, or Withhold.

    It maximises the seat's gain times the probability that all the others agree. Players who gain anyway are asked to
    pay for it.
    """
    table = Table(view)
    best, chosen = 0.0, None
    for to in view.ahead:
        prices = [price_of(table, seat, to) for seat in table.bargain.tied if seat != table.seat]
        for more in MORE:
            ducats = paid(table, prices, more)
            if view.players[table.seat].cash + ducats[table.seat] < 0:
                continue
            agreed = table.outlook.standing(table.seat, to, table.bargain.tied, ducats)
            gain = (agreed - table.no_agreement(table.seat)) * _likely(more) ** len(prices)
            if gain > best:
                best, chosen = gain, Propose(to, tuple([ducats[seat] for seat in table.bargain.tied]))
    return chosen or Withhold()


def paid(table: Table, prices: Sequence[float], more: int) -> dict[int, int]:
    """Return what each of the tied players gets.

    The others, in the order of play, get ``more`` ducats than their prices; the proposer gets or pays the rest. None
    of the others pays more than they have.
    """
    others = [seat for seat in table.bargain.tied if seat != table.seat]
    ducats = {
        seat: max(-table.view.players[seat].cash, ceil(price + more))
        for seat, price in zip(others, prices, strict=True)
    }
    return {**ducats, table.seat: -sum(ducats.values())}


def price_of(table: Table, seat: int, to: str) -> float:
    """Return for how many ducats a seat is as well off with a destination as without agreement, as far as we know."""
    return (table.no_agreement(seat) - table.outlook.standing(seat, to, table.bargain.tied)) / table.a_ducat


def _likely(gained: float) -> float:
    """Return the probability that a player agrees who gains so many ducats."""
    return 1 / (1 + exp(min((TEMPTING - gained) / SPREAD, STEEP)))


def _agrees(table: Table, to: str, ducats: Mapping[int, int], random: Random) -> bool:
    agreed = table.outlook.standing(table.seat, to, table.bargain.tied, ducats)
    return random.random() < _likely((agreed - table.no_agreement(table.seat)) / table.a_ducat)
