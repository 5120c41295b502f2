"""Weights of hands by what their owners kept when they exchanged shares (H6a) and showed on an island (H12).

A player who exchanges prefers to keep several shares of one colour, and shares that promise to bring much. Both
effects grow with the number of exchanges. The promise of shares *at that time* follows from the stones. Everybody
knows how many shares of a colour a merchant has if its ship was met since. The colour met first stands on the chest
that says how many ships ago that was, and the other stones stood so many chests lower. If a merchant had shares of a
colour when its ship was met, before the exchange, they more likely still have them. And on an island everybody shows
their best share.

The numbers below are the likeliest for hands in 2,000 games of ``greedy``, counted twice, 200 of ``swift`` and 50 of
``expert``. These two consider the promise of a share less than ``greedy`` does, so the numbers lie in between. Hands
of ``casual``, from which nothing was learned, are likelier by them as well.
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
"""Growth of a weight's logarithm for each two shares of one colour, once all Kontor cards are played; after the first
card, a third of it."""

PROMISE: Final = 0.3
"""The same for each ducat that a share promised to bring until the end."""

HAD: Final = 0.7
"""The same for each share of a colour that was there before the exchange."""

BETTER: Final = -4.0
"""The same for each share that is worth more than the one shown on an island."""


def weights_of(view: View, seat: int) -> Weights:
    """Return the weights of a seat's hands.

    A seat that has just drawn and not yet put back holds two shares more: its hands are weighed equally.
    """
    player = view.players[seat]
    if player.shares != SHARES:
        return EQUAL
    exchanged = view.options.box.cards - player.kontor
    return _weights(exchanged, player.at_least, player.at_most, view.stones, view.counter)


@lru_cache(maxsize=1024)
def _weights(exchanged: int, at_least: Counts, at_most: Counts, stones: Counts, counter: int) -> Weights:
    colours = [*zip(stones, at_least, at_most, strict=True)]
    since = max([stone for stone, least, most in colours if least == most and stone < counter], default=0)
    best_shown = max([stone for stone, least, most in colours if 0 < least < most], default=LAST_CHEST)
    chosen = exchanged / CARDS
    rows = []
    for stone, _, most in colours:
        share = PROMISE * chosen * share_worth(max(stone - since, 1), LAST_CHEST - counter + since)
        if exchanged and most == SHARES and stone < counter:
            share += HAD
        if stone > best_shown:
            share += BETTER
        rows.append(tuple([exp(share * count + PAIR * chosen * comb(count, 2)) for count in range(len(COLOURS))]))
    return tuple(rows)
