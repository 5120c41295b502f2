"""What to propose to the other tied players (H9).

Everybody has a price for each destination: so many ducats must they get, at least, to agree to it; or, below 0, so
many would they pay. It follows from their shares, which are hidden; so there is one price in each state imagined.
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
"""For a destination there are proposals that pay the price of the others in so many of the imagined states (of each
of them), or MORE."""


def proposals(view: View, states: Sequence[State]) -> list[Propose]:
    """Proposals worth a thought, by the prices of the others in imagined states."""
    assert view.bargain
    others = [seat for seat in view.bargain.tied if seat != view.seat]
    return proposals_by({seat: [asked(view_of(state, seat)) for state in states] for seat in others}, view)


def proposals_by(prices: Mapping[int, Sequence[Sequence[int]]], view: View) -> list[Propose]:
    """For each destination some that are dearer to me the surer they are; ``prices`` are those of each of the others,
    in each imagined state, for each field ahead."""
    bargain, me = view.bargain, view.seat
    assert bargain
    assert me is not None
    others = [seat for seat in bargain.tied if seat != me]
    found: dict[Propose, None] = {}
    for place, field in enumerate(view.ahead):
        for content, more in product(CONTENT, MORE):
            ducats = {seat: _quantile([price[place] for price in prices[seat]], content) + more for seat in others}
            ducats = {seat: max(-view.players[seat].cash, price) for seat, price in ducats.items()}
            mine = -sum(ducats.values())
            if view.players[me].cash + mine >= 0:
                ducats[me] = mine
                found[Propose(field, tuple([ducats[seat] for seat in bargain.tied]))] = None
    return list(found)


def asked(view: View) -> list[int]:
    """For how many ducats the view's seat, one of the tied players, agrees to sail to each of the fields ahead, at
    least."""
    table = Table(view)
    seat = table.seat
    alone = table.no_agreement(seat)
    return [
        floor((alone - table.outlook.standing(seat, field, table.bargain.tied)) / table.a_ducat) + 1
        for field in view.ahead
    ]


def _quantile(prices: list[int], content: float) -> int:
    """The price that is enough in such a part of the cases."""
    return sorted(prices)[ceil(content * len(prices)) - 1]
