"""Proposals to the other tied players (H9).

Everybody has a price for each destination: the fewest ducats for which they agree to it, or, below 0, the most that
they would pay. Prices depend on shares, which are hidden, so there is one price in each imagined state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import ceil, floor
from typing import Final

from kontor.games.dutchman.players.agreeing import MORE
from kontor.games.dutchman.players.greedy import Table
from kontor.games.dutchman.rules.state import Propose, State
from kontor.games.dutchman.rules.view import View
from kontor.games.dutchman.rules.view import view as view_of

CONTENT: Final = (0.5, 1.0)
"""Parts of the imagined states in which a proposal pays the price of the others (of each of them), with MORE ducats.
"""


def proposals(view: View, states: Sequence[State]) -> list[Propose]:
    """Return proposals worth considering, by the prices of the others in imagined states."""
    assert view.bargain
    others = [seat for seat in view.bargain.tied if seat != view.seat]
    return proposals_by({seat: [asking_prices(view_of(state, seat)) for state in states] for seat in others}, view)


def proposals_by(prices: Mapping[int, Sequence[Sequence[int]]], view: View) -> list[Propose]:
    """Return some proposals for each destination: those that the others accept more surely cost more.

    ``prices`` are those of each of the others, in each imagined state, for each field ahead. Proposals that the
    view's seat cannot pay are left out.
    """
    bargain, me = view.bargain, view.seat
    assert bargain
    assert me is not None
    others = [seat for seat in bargain.tied if seat != me]
    proposals: dict[Propose, None] = {}
    for place, field in enumerate(view.ahead):
        for content, more in product(CONTENT, MORE):
            ducats = {seat: _quantile([price[place] for price in prices[seat]], content) + more for seat in others}
            ducats = {seat: max(-view.players[seat].cash, price) for seat, price in ducats.items()}
            own = -sum(ducats.values())
            if view.players[me].cash + own >= 0:
                ducats[me] = own
                proposals[Propose(field, tuple([ducats[seat] for seat in bargain.tied]))] = None
    return list(proposals)


def asking_prices(view: View) -> list[int]:
    """Return the fewest ducats for which the view's seat, one of the tied players, agrees to each field ahead."""
    table = Table(view)
    seat = table.seat
    alone = table.no_agreement(seat)
    return [
        floor((alone - table.outlook.standing(seat, field, table.bargain.tied)) / table.a_ducat) + 1
        for field in view.ahead
    ]


def _quantile(prices: list[int], content: float) -> int:
    """Return the price that is enough in the part ``content`` of the cases."""
    return sorted(prices)[ceil(content * len(prices)) - 1]
