"""How agreements come about in a round that is imagined (H9).

``greedy`` agrees to whatever brings it a part of a ducat. Whoever reckons with that offers no more, and is mostly
refused by those who reckon otherwise. So agreeing is left to chance here: the more somebody gains, as ``greedy``
would reckon it, the likelier. What we ourselves propose later on allows for that.
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
"""Of those who gain so many ducats by an agreement every other one agrees."""

SPREAD: Final = 2.0
"""So many ducats more, and it is 73 %; so many less, and it is 27 %."""

STEEP: Final = 50.0
"""Beyond that nobody agrees (and ``exp`` would overflow)."""

MORE: Final = (0, 2, 5)
"""So many ducats more than their price the others are offered: at a price nobody gains."""


def answer(view: View, random: Random) -> Move:
    """What the view's seat, one of the tied players, says to the proposal on the table."""
    table = Table(view)
    proposed = table.bargain.proposal
    assert proposed
    ducats = dict(zip(table.bargain.tied, proposed.ducats, strict=True))
    return Accept() if _agrees(table, proposed.to, ducats, random) else Decline()


def name(view: View, random: Random) -> Move:
    """The destination that the view's seat names: what all have named so far, if it agrees to that; or else where it
    likes best to sail."""
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
    """What the view's seat proposes: what it gains counts as much as it is likely that all the others agree. Whoever
    gains anyway is asked to pay for it."""
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
    """What each of the tied players gets: the others so much ``more`` than their prices, in the order of play, and
    who proposes it the rest. Nobody else pays more than they have."""
    others = [seat for seat in table.bargain.tied if seat != table.seat]
    ducats = {
        seat: max(-table.view.players[seat].cash, ceil(price + more))
        for seat, price in zip(others, prices, strict=True)
    }
    return {**ducats, table.seat: -sum(ducats.values())}


def price_of(table: Table, seat: int, to: str) -> float:
    """For how many ducats a seat, as far as we know, is as well off with a destination as without agreement."""
    return (table.no_agreement(seat) - table.outlook.standing(seat, to, table.bargain.tied)) / table.a_ducat


def _likely(gained: float) -> float:
    """How likely somebody agrees who gains so many ducats."""
    return 1 / (1 + exp(min((TEMPTING - gained) / SPREAD, STEEP)))


def _agrees(table: Table, to: str, ducats: Mapping[int, int], random: Random) -> bool:
    agreed = table.outlook.standing(table.seat, to, table.bargain.tied, ducats)
    return random.random() < _likely((agreed - table.no_agreement(table.seat)) / table.a_ducat)
