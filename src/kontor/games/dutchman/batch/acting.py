"""The choices of players in a round: Kontor and Smith cards, lays, passing (H6)."""

from __future__ import annotations

from kontor.batch.arrays import Bytes, GameRow
from kontor.batch.compiled import as_int64, njit_inline
from kontor.games.dutchman.batch.goods import add, horseshoes_in, pour_silver, put_under
from kontor.games.dutchman.batch.layout import PILE, SHARED
from kontor.games.dutchman.batch.steering import reveal
from kontor.games.dutchman.batch.tables import (
    COLOURS,
    DID_KONTOR,
    DID_LAY,
    DID_SMITH,
    DUE_ACTION,
    DUE_AGAIN,
    DUE_PUT,
    DUE_SHARE,
    GOLD,
    PAIR_ONE,
    PAIR_OTHER,
    SILVERS,
)
from kontor.games.dutchman.batch.turns import nobody
from kontor.games.dutchman.rules.components import EXCHANGED, SHARES


@njit_inline
def chosen(game: GameRow, action: int) -> None:
    """Record the action that a player has chosen in this round (H6)."""
    game.actions[game.acted] = action
    game.acted += 1


@njit_inline
def play_kontor(game: GameRow, seat: int) -> None:
    """Play a Kontor card: take the top two shares of the pile (H6a)."""
    game.kontor[seat] -= 1
    chosen(game, DID_KONTOR)
    for _ in range(EXCHANGED):
        game.shares[seat, game.pile[game.top]] += 1
        game.top = (game.top + 1) % PILE
        game.in_pile -= 1
    most = game.players - 1
    for colour in range(COLOURS):
        game.at_most[seat, colour] = min(game.at_most[seat, colour] + EXCHANGED, most)
    game.step = DUE_PUT


@njit_inline
def put_back(game: GameRow, seat: int, pair: int) -> None:
    """Put two shares under the pile (H6a)."""
    put_under(game, seat, as_int64(PAIR_ONE[pair]), seat)
    put_under(game, seat, as_int64(PAIR_OTHER[pair]), seat)
    for colour in range(COLOURS):
        game.at_least[seat, colour] = max(game.at_least[seat, colour] - EXCHANGED, 0)
        game.at_most[seat, colour] = min(game.at_most[seat, colour], SHARES)
    after_action(game)


@njit_inline
def move_to_lay(game: GameRow, seat: int, lay: int) -> None:
    """Move horseshoes from the rack into the lay; ``lay`` is the number of the action from LAY."""
    for back in range(SILVERS):
        kind = SILVERS - 1 - back
        base = 4 if kind % 2 == 0 else 14
        game.lay_silver[seat, kind] = lay % base
        game.rack_silver[seat, kind] -= lay % base
        lay //= base
    gold = 0 if lay == 0 else 1 << (GOLD - lay)
    game.lay_gold[seat] = gold
    game.rack_gold[seat] ^= gold


@njit_inline
def lay_down(game: GameRow, seat: int, lay: int) -> None:
    """Lay horseshoes face down (H6c, H10); ``lay`` is the number of the action from LAY."""
    game.laid[seat] = 1
    move_to_lay(game, seat, lay)
    if game.step == DUE_ACTION:
        chosen(game, DID_LAY)
    after_action(game)


@njit_inline
def after_action(game: GameRow) -> None:
    """Let the next player choose or lay.

    After the last one the smiths share the middle (H6b), and all lays are revealed.
    """
    game.waiting -= 1
    again = game.step == DUE_AGAIN
    if game.waiting:
        game.step = DUE_AGAIN if again else DUE_ACTION
        return
    if not again:
        smiths = _smiths(game)
        middle = horseshoes_in(game.middle_gold, game.middle_silver)
        if smiths > 1 and middle >= smiths:
            nobody(game, DUE_SHARE)
            return
        if smiths == 1 and middle:
            _take_all(game, middle)
    reveal(game, again)


@njit_inline
def _smiths(game: GameRow) -> int:
    """Return how many played a Smith card in this round."""
    smiths = 0
    for place in range(game.acted):
        smiths += game.actions[place] == DID_SMITH
    return smiths


@njit_inline
def _take_all(game: GameRow, middle: int) -> None:
    """Give the middle to the only smith (H6b); all saw the known horseshoes of the middle go to that rack."""
    place = 0
    while game.actions[place] != DID_SMITH:
        place += 1
    seat = as_int64(game.order[place])
    game.rack_gold[seat] |= game.middle_gold
    game.known_gold[seat] |= game.middle_known_gold
    game.middle_gold = 0
    game.middle_known_gold = 0
    pour_silver(game.middle_silver, game.rack_silver[seat])
    pour_silver(game.middle_known_silver, game.known_silver[seat])
    _record_sharing(game, middle, as_int64(0))


@njit_inline
def _record_sharing(game: GameRow, each: int, left: int) -> None:
    """Record how many horseshoes each smith got, and how many were left."""
    game.happened |= SHARED
    game.shared_each = each
    game.shared_left = left


@njit_inline
def share_out(game: GameRow, outcome: Bytes) -> None:
    """Share the middle among several smiths (H6b); the outcome lists the parts in the order of play."""
    middle = horseshoes_in(game.middle_gold, game.middle_silver)
    each = middle // _smiths(game)
    game.middle_gold = 0
    game.middle_known_gold = 0
    for kind in range(SILVERS):
        game.middle_silver[kind] = 0
        game.middle_known_silver[kind] = 0
    number = 0
    for place in range(game.acted):
        if game.actions[place] == DID_SMITH:
            seat = as_int64(game.order[place])
            for _ in range(each):
                game.rack_gold[seat] |= add(outcome[number], game.rack_silver[seat])
                number += 1
    _record_sharing(game, each, middle - number)
    while number < middle:
        game.middle_gold |= add(outcome[number], game.middle_silver)
        number += 1
    reveal(game, bool(0))
