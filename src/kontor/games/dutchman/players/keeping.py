"""What others keep when they exchange shares (H6a), and what it means that they showed one (H12): how likely that
makes their hands, by what a view shows at any time.

Who exchanges keeps several shares of one colour rather than different ones, and rather those that promise to bring
much: the more so, the more often they have exchanged. What shares promised *then* can be told from the stones: whose
ships were met since, of those colours everybody knows how many a merchant has. The one met first stands on the chest
that says how many ships ago that was, and so many chests lower the other stones stood. A colour of which shares were
there when its ship was met, before the exchange, rather still is. And on an island everybody shows their best share.

The numbers below are the likeliest for hands in 2,000 games of ``greedy``, counted twice, 200 of ``swift`` and 50 of
``expert``; these two look less at what a share promises than ``greedy`` does, and so the numbers lie in between.
Hands of ``casual``, from whom nothing was learned, are likelier by them as well.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb, exp
from typing import Final

from kontor.games.dutchman.players.hidden_shares import EQUAL, Weights
from kontor.games.dutchman.players.outlook import share_worth
from kontor.games.dutchman.rules.components import CARDS, COLOURS, LAST_CHEST, SHARES
from kontor.games.dutchman.rules.state import Counts
from kontor.games.dutchman.rules.view import View

PAIR: Final = 0.8
"""By so much the logarithm of a weight grows for each two shares of one colour, once all Kontor cards are played; by
a third of it after the first."""

PROMISE: Final = 0.3
"""The same for each ducat that a share promised to bring until the end."""

HAD: Final = 0.7
"""For each share of a colour that was there before the exchange."""

BETTER: Final = -4.0
"""For each share that is worth more than the one shown on an island."""


def weights_of(view: View, seat: int) -> Weights:
    """How likely hands of a seat are. Who has just drawn, and not yet put back, holds two shares more."""
    player = view.players[seat]
    if player.shares != SHARES:
        return EQUAL
    exchanged = view.options.box.cards - player.kontor
    return _weights(exchanged, player.at_least, player.at_most, view.stones, view.counter)


@lru_cache(maxsize=1024)
def _weights(exchanged: int, at_least: Counts, at_most: Counts, stones: Counts, counter: int) -> Weights:
    colours = [*zip(stones, at_least, at_most, strict=True)]
    since = max([stone for stone, least, most in colours if least == most and stone < counter], default=0)
    shown = max([stone for stone, least, most in colours if 0 < least < most], default=LAST_CHEST)
    chosen = exchanged / CARDS
    rows = []
    for stone, _, most in colours:
        share = PROMISE * chosen * share_worth(max(stone - since, 1), LAST_CHEST - counter + since)
        if exchanged and most == SHARES and stone < counter:
            share += HAD
        if stone > shown:
            share += BETTER
        rows.append(tuple([exp(share * count + PAIR * chosen * comb(count, 2)) for count in range(len(COLOURS))]))
    return tuple(rows)
