"""The Dutchman moves (H8), and meets a ship (H11) or lies at an island (H12)."""

from __future__ import annotations

from kontor.batch.arrays import Rows
from kontor.batch.compiled import as_int64, njit_inline
from kontor.games.dutchman.batch.goods import pour, put_under
from kontor.games.dutchman.batch.layout import BANKRUPT, EARNED, NONE, PAID, PILE, SAILED
from kontor.games.dutchman.batch.places import (
    AT_LEAST,
    AT_MOST,
    BARGAINING,
    BROKE,
    CAME_FROM,
    CASH_OF,
    CHESTS,
    COLOURS,
    COUNTER,
    DUE_OVER,
    DUE_SHOW,
    DUE_SHUFFLE,
    DUTCHMAN,
    EARNED_BY,
    EARNER,
    HAPPENED,
    HELD,
    KNOWN_GOLD,
    KNOWN_SILVER,
    KONTOR_OF,
    MIDDLE_GOLD,
    MIDDLE_KNOWN_GOLD,
    MIDDLE_KNOWN_SILVER,
    MIDDLE_SILVER,
    MOVERS,
    MOVING,
    PAID_BY,
    PLAYERS,
    PUT_BY,
    RACK_GOLD,
    RACK_SILVER,
    ROUND,
    SHARES_OF,
    SHIP,
    SILVERS,
    SMITH_OF,
    STEP,
    STONES,
    VALUE,
    WAITING,
    WENT_BANKRUPT,
)
from kontor.games.dutchman.batch.turns import next_round, nobody, queue, still_in
from kontor.games.dutchman.rules.components import FIRST_CHEST, LAST_CHEST


@njit_inline
def sail_to(rows: Rows, game: int, to: int, by: int, many: int) -> None:
    """The Dutchman moves; those who moved it begin at ``by``."""
    for place in range(many):
        rows[game, MOVERS + place] = rows[game, by + place]
    rows[game, MOVING] = many
    rows[game, CAME_FROM] = rows[game, DUTCHMAN]
    rows[game, DUTCHMAN] = to
    rows[game, BARGAINING] = 0
    rows[game, HAPPENED] |= SAILED
    colour = as_int64(rows[game, SHIP + to])
    if colour != NONE:
        _meet_ship(rows, game, colour)
    else:
        queue(rows, game, MOVERS, many)
        rows[game, STEP] = DUE_SHOW


@njit_inline
def _meet_ship(rows: Rows, game: int, colour: int) -> None:
    """H11: everybody with shares in the ship pays; then the stones move on."""
    value = CHESTS[rows[game, STONES + colour]]
    broke = as_int64(0)
    for seat in range(rows[game, PLAYERS]):
        count = rows[game, SHARES_OF + COLOURS * seat + colour]
        pays = count * value
        if pays > rows[game, CASH_OF + seat]:
            pays = rows[game, CASH_OF + seat]
            broke |= 1 << seat
        rows[game, HELD + seat] = count
        rows[game, PAID_BY + seat] = pays
        rows[game, CASH_OF + seat] -= pays
        rows[game, AT_LEAST + COLOURS * seat + colour] = count
        rows[game, AT_MOST + COLOURS * seat + colour] = count
    rows[game, VALUE] = value
    rows[game, HAPPENED] |= PAID
    for other in range(COLOURS):
        rows[game, STONES + other] += 1
    rows[game, STONES + colour] = FIRST_CHEST
    rows[game, COUNTER] += 1
    if broke:
        _go_bankrupt(rows, game, broke)
    if rows[game, COUNTER] == LAST_CHEST or (broke and still_in(rows, game) <= 1):
        nobody(rows, game, DUE_OVER)
    elif broke:
        nobody(rows, game, DUE_SHUFFLE)
    else:
        next_round(rows, game)


@njit_inline
def _go_bankrupt(rows: Rows, game: int, broke: int) -> None:
    """H11: shares to the Kontor pile, horseshoes to the middle, cards out of the game."""
    rows[game, HAPPENED] |= BANKRUPT
    rows[game, BROKE] = broke
    for seat in range(rows[game, PLAYERS]):
        if (broke >> seat) & 1:
            for colour in range(COLOURS):
                while rows[game, SHARES_OF + COLOURS * seat + colour]:
                    put_under(rows, game, seat, colour, as_int64(NONE))
                rows[game, AT_LEAST + COLOURS * seat + colour] = 0
                rows[game, AT_MOST + COLOURS * seat + colour] = 0
            pour(rows, game, RACK_GOLD + seat, RACK_SILVER + SILVERS * seat, MIDDLE_GOLD, MIDDLE_SILVER)
            pour(rows, game, KNOWN_GOLD + seat, KNOWN_SILVER + SILVERS * seat, MIDDLE_KNOWN_GOLD, MIDDLE_KNOWN_SILVER)
            rows[game, CASH_OF + seat] = 0
            rows[game, KONTOR_OF + seat] = 0
            rows[game, SMITH_OF + seat] = 0
            rows[game, WENT_BANKRUPT + seat] = rows[game, ROUND]
    for place in range(PILE):
        rows[game, PUT_BY + place] = NONE


@njit_inline
def show(rows: Rows, game: int, seat: int, colour: int) -> None:
    """H12: the bank pays the value of the share; everybody has seen it."""
    ducats = CHESTS[rows[game, STONES + colour]]
    rows[game, CASH_OF + seat] += ducats
    place = AT_LEAST + COLOURS * seat + colour
    rows[game, place] = max(1, rows[game, place])
    rows[game, HAPPENED] |= EARNED
    rows[game, EARNER] = seat
    rows[game, EARNED_BY] = ducats
    after_showing(rows, game)


@njit_inline
def after_showing(rows: Rows, game: int) -> None:
    rows[game, WAITING] -= 1
    if not rows[game, WAITING]:
        next_round(rows, game)
