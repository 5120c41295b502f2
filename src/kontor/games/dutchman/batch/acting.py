"""What players choose in a round: Kontor and Smith cards, lays, passing (H6)."""

from __future__ import annotations

from kontor.batch.arrays import Bytes, Rows
from kontor.batch.compiled import as_int64, njit_inline
from kontor.games.dutchman.batch.goods import add, horseshoes_in, pour, put_under
from kontor.games.dutchman.batch.layout import PILE, SHARED
from kontor.games.dutchman.batch.places import (
    ACTED,
    ACTIONS,
    AT_LEAST,
    AT_MOST,
    COLOURS,
    DID_KONTOR,
    DID_LAY,
    DID_SMITH,
    DUE_ACTION,
    DUE_AGAIN,
    DUE_PUT,
    DUE_SHARE,
    GOLD,
    HAPPENED,
    IN_PILE,
    KNOWN_GOLD,
    KNOWN_SILVER,
    KONTOR_OF,
    LAID,
    LAY_GOLD,
    LAY_SILVER,
    MIDDLE_GOLD,
    MIDDLE_KNOWN_GOLD,
    MIDDLE_KNOWN_SILVER,
    MIDDLE_SILVER,
    ORDER,
    PAIR_ONE,
    PAIR_OTHER,
    PILE_OF,
    PLAYERS,
    RACK_GOLD,
    RACK_SILVER,
    SHARED_EACH,
    SHARED_LEFT,
    SHARES_OF,
    SILVERS,
    STEP,
    TOP,
    WAITING,
)
from kontor.games.dutchman.batch.steering import reveal
from kontor.games.dutchman.batch.turns import nobody
from kontor.games.dutchman.rules.components import EXCHANGED, SHARES


@njit_inline
def chosen(rows: Rows, game: int, action: int) -> None:
    """Somebody has chosen what to do in this round (H6)."""
    rows[game, ACTIONS + rows[game, ACTED]] = action
    rows[game, ACTED] += 1


@njit_inline
def play_kontor(rows: Rows, game: int, seat: int) -> None:
    """H6a: the top two shares of the pile are taken."""
    rows[game, KONTOR_OF + seat] -= 1
    chosen(rows, game, DID_KONTOR)
    for _ in range(EXCHANGED):
        rows[game, SHARES_OF + COLOURS * seat + rows[game, PILE_OF + rows[game, TOP]]] += 1
        rows[game, TOP] = (rows[game, TOP] + 1) % PILE
        rows[game, IN_PILE] -= 1
    most = rows[game, PLAYERS] - 1
    for colour in range(COLOURS):
        place = AT_MOST + COLOURS * seat + colour
        rows[game, place] = min(rows[game, place] + EXCHANGED, most)
    rows[game, STEP] = DUE_PUT


@njit_inline
def put_back(rows: Rows, game: int, seat: int, pair: int) -> None:
    """H6a: two shares go under the pile."""
    put_under(rows, game, seat, as_int64(PAIR_ONE[pair]), seat)
    put_under(rows, game, seat, as_int64(PAIR_OTHER[pair]), seat)
    for colour in range(COLOURS):
        place = COLOURS * seat + colour
        rows[game, AT_LEAST + place] = max(rows[game, AT_LEAST + place] - EXCHANGED, 0)
        rows[game, AT_MOST + place] = min(rows[game, AT_MOST + place], SHARES)
    after_action(rows, game)


@njit_inline
def lay_down(rows: Rows, game: int, seat: int, lay: int) -> None:
    """H6c, H10: horseshoes are laid face down; ``lay`` is the number of the action from LAY."""
    rows[game, LAID + seat] = 1
    for back in range(SILVERS):
        kind = SILVERS - 1 - back
        base = 4 if kind % 2 == 0 else 14
        rows[game, LAY_SILVER + SILVERS * seat + kind] = lay % base
        rows[game, RACK_SILVER + SILVERS * seat + kind] -= lay % base
        lay //= base
    gold = 0 if lay == 0 else 1 << (GOLD - lay)
    rows[game, LAY_GOLD + seat] = gold
    rows[game, RACK_GOLD + seat] ^= gold
    if rows[game, STEP] == DUE_ACTION:
        chosen(rows, game, DID_LAY)
    after_action(rows, game)


@njit_inline
def after_action(rows: Rows, game: int) -> None:
    """The next player chooses or lays. After the last one the smiths share the middle (H6b), and all lays are
    revealed."""
    rows[game, WAITING] -= 1
    again = rows[game, STEP] == DUE_AGAIN
    if rows[game, WAITING]:
        rows[game, STEP] = DUE_AGAIN if again else DUE_ACTION
        return
    if not again:
        smiths = _smiths(rows, game)
        middle = horseshoes_in(rows, game, MIDDLE_GOLD, MIDDLE_SILVER)
        if smiths > 1 and middle >= smiths:
            nobody(rows, game, DUE_SHARE)
            return
        if smiths == 1 and middle:
            _take_all(rows, game, middle)
    reveal(rows, game, again)


@njit_inline
def _smiths(rows: Rows, game: int) -> int:
    """How many played a Smith card in this round."""
    smiths = 0
    for place in range(rows[game, ACTED]):
        smiths += rows[game, ACTIONS + place] == DID_SMITH
    return smiths


@njit_inline
def _take_all(rows: Rows, game: int, middle: int) -> None:
    """H6b: one smith takes all, and everybody saw what is known of the middle go to that rack."""
    place = 0
    while rows[game, ACTIONS + place] != DID_SMITH:
        place += 1
    seat = as_int64(rows[game, ORDER + place])
    pour(rows, game, MIDDLE_GOLD, MIDDLE_SILVER, RACK_GOLD + seat, RACK_SILVER + SILVERS * seat)
    pour(rows, game, MIDDLE_KNOWN_GOLD, MIDDLE_KNOWN_SILVER, KNOWN_GOLD + seat, KNOWN_SILVER + SILVERS * seat)
    _shared(rows, game, middle, as_int64(0))


@njit_inline
def _shared(rows: Rows, game: int, each: int, left: int) -> None:
    rows[game, HAPPENED] |= SHARED
    rows[game, SHARED_EACH] = each
    rows[game, SHARED_LEFT] = left


@njit_inline
def share_out(rows: Rows, game: int, told: Bytes, at: int) -> None:
    """H6b: several smiths share the middle; what is told goes part after part, in the order of play."""
    middle = horseshoes_in(rows, game, MIDDLE_GOLD, MIDDLE_SILVER)
    each = middle // _smiths(rows, game)
    rows[game, MIDDLE_GOLD] = 0
    rows[game, MIDDLE_KNOWN_GOLD] = 0
    for kind in range(SILVERS):
        rows[game, MIDDLE_SILVER + kind] = 0
        rows[game, MIDDLE_KNOWN_SILVER + kind] = 0
    number = 0
    for place in range(rows[game, ACTED]):
        if rows[game, ACTIONS + place] == DID_SMITH:
            seat = as_int64(rows[game, ORDER + place])
            for _ in range(each):
                add(rows, game, RACK_GOLD + seat, RACK_SILVER + SILVERS * seat, told[at, number])
                number += 1
    _shared(rows, game, each, middle - number)
    while number < middle:
        add(rows, game, MIDDLE_GOLD, MIDDLE_SILVER, told[at, number])
        number += 1
    reveal(rows, game, bool(0))
