"""What others keep when they exchange shares (H6a): several of one colour rather than different ones. So it is in
games of all computer players; which colours they keep differs from one to another, and is not asked."""

from __future__ import annotations

from math import comb, exp
from typing import Final

from kontor.games.dutchman.players.hidden_shares import EQUAL, Weights
from kontor.games.dutchman.rules.components import COLOURS, SHARES
from kontor.games.dutchman.rules.view import View

PAIR: Final = 0.7
"""By so much the logarithm of a weight grows for each two shares of one colour: ``greedy`` keeps them by 0.80 ± 0.03,
``swift`` by 0.64 ± 0.06."""

EXCHANGED: Final[Weights] = tuple([exp(PAIR * comb(count, 2)) for count in range(len(COLOURS))])


def weights_of(view: View, seat: int) -> Weights:
    """How likely hands of a seat are. Who has not exchanged holds what was dealt; who has just drawn, and not yet put
    back, holds two shares more."""
    player = view.players[seat]
    return EQUAL if player.kontor == view.options.box.cards or player.shares != SHARES else EXCHANGED
