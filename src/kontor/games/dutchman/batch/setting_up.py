"""The deal of shares and horseshoes (H4)."""

from __future__ import annotations

from kontor.batch.arrays import Bytes, GameRow
from kontor.batch.compiled import as_int64, njit_inline
from kontor.games.dutchman.batch.goods import add
from kontor.games.dutchman.batch.layout import NONE
from kontor.games.dutchman.batch.tables import BOX, COLOURS, DUE_LUCKY
from kontor.games.dutchman.rules.components import RACK, SHARES


@njit_inline
def dealt(game: GameRow, outcome: Bytes) -> None:
    """Deal the shares and horseshoes that an outcome names (H4)."""
    players = as_int64(game.players)
    shares = COLOURS * (players - 1)
    for place in range(shares):
        share = outcome[place]
        if place < SHARES * players:
            game.shares[place // SHARES, share] += 1
        else:
            game.pile[place - SHARES * players] = share
            game.put_by[place - SHARES * players] = NONE
    game.in_pile = shares - SHARES * players
    for place in range(BOX):
        horseshoe = outcome[shares + place]
        if place < RACK * players:
            seat = place // RACK
            game.rack_gold[seat] |= add(horseshoe, game.rack_silver[seat])
        elif place < (RACK + 1) * players:
            game.middle_gold |= add(horseshoe, game.middle_silver)
        else:
            game.out_gold |= add(horseshoe, game.out_silver)
    game.step = DUE_LUCKY
