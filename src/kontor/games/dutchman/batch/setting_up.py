"""How a game begins (H4)."""

from __future__ import annotations

from kontor.batch.arrays import Bytes, Rows
from kontor.batch.compiled import as_int64, njit_inline
from kontor.games.dutchman.batch.goods import add
from kontor.games.dutchman.batch.layout import NONE
from kontor.games.dutchman.batch.places import (
    AT_MOST,
    BOX,
    CAME_FROM,
    CASH_OF,
    COLOURS,
    COUNTER,
    DUE_DEAL,
    DUE_LUCKY,
    DUE_STARTER,
    DUTCHMAN,
    IN_PILE,
    KONTOR_OF,
    MIDDLE_GOLD,
    MIDDLE_SILVER,
    OPTION_HOLLAND,
    OPTION_STARTER,
    OUT_GOLD,
    OUT_SILVER,
    PILE_OF,
    PLAYERS,
    PUT_BY,
    RACK_GOLD,
    RACK_SILVER,
    ROUND,
    SET_UP,
    SHARES_OF,
    SILVERS,
    SMITH_OF,
    STEP,
    STONES,
    WIDTH,
)
from kontor.games.dutchman.batch.turns import order_from
from kontor.games.dutchman.rules.components import CARDS, CASH, FIRST_CHEST, RACK, SHARES


@njit_inline
def begin(rows: Rows, game: int, options: Rows) -> None:
    """The state before the first outcome (H4)."""
    for place in range(WIDTH):
        rows[game, place] = 0
    for place in range(SET_UP):
        rows[game, PLAYERS + place] = options[place]
    players = options[0]
    starter = options[OPTION_STARTER]
    rows[game, STEP] = DUE_STARTER if starter == NONE else DUE_DEAL
    order_from(rows, game, 0 if starter == NONE else starter)
    rows[game, ROUND] = 1
    rows[game, DUTCHMAN] = options[OPTION_HOLLAND]
    rows[game, CAME_FROM] = NONE
    rows[game, COUNTER] = FIRST_CHEST
    for colour in range(COLOURS):
        rows[game, STONES + colour] = FIRST_CHEST
    for seat in range(players):
        rows[game, CASH_OF + seat] = CASH
        rows[game, KONTOR_OF + seat] = CARDS
        rows[game, SMITH_OF + seat] = CARDS
        for colour in range(COLOURS):
            rows[game, AT_MOST + COLOURS * seat + colour] = min(SHARES, players - 1)


@njit_inline
def dealt(rows: Rows, game: int, told: Bytes, at: int) -> None:
    """Shares and horseshoes are dealt (H4)."""
    players = as_int64(rows[game, PLAYERS])
    shares = COLOURS * (players - 1)
    for place in range(shares):
        share = told[at, place]
        if place < SHARES * players:
            rows[game, SHARES_OF + COLOURS * (place // SHARES) + share] += 1
        else:
            rows[game, PILE_OF + place - SHARES * players] = share
            rows[game, PUT_BY + place - SHARES * players] = NONE
    rows[game, IN_PILE] = shares - SHARES * players
    for place in range(BOX):
        horseshoe = told[at, shares + place]
        if place < RACK * players:
            seat = place // RACK
            add(rows, game, RACK_GOLD + seat, RACK_SILVER + SILVERS * seat, horseshoe)
        elif place < (RACK + 1) * players:
            add(rows, game, MIDDLE_GOLD, MIDDLE_SILVER, horseshoe)
        else:
            add(rows, game, OUT_GOLD, OUT_SILVER, horseshoe)
    rows[game, STEP] = DUE_LUCKY
