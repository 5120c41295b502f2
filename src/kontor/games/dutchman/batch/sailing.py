"""The Dutchman's moves (H8), and what follows at a ship (H11) or at an island (H12)."""

from __future__ import annotations

from kontor.batch.arrays import GameRow, Ints
from kontor.batch.compiled import as_int64, njit_inline
from kontor.games.dutchman.batch.goods import pour_silver, put_under
from kontor.games.dutchman.batch.layout import BANKRUPT, EARNED, NONE, PAID, PILE, SAILED
from kontor.games.dutchman.batch.tables import CHESTS, COLOURS, DUE_OVER, DUE_SHOW, DUE_SHUFFLE
from kontor.games.dutchman.batch.turns import next_round, nobody, queue, still_in
from kontor.games.dutchman.rules.components import FIRST_CHEST, LAST_CHEST


@njit_inline
def sail_to(game: GameRow, to: int, by: Ints, many: int) -> None:
    """Move the Dutchman; the first ``many`` seats of ``by`` are its movers."""
    for place in range(many):
        game.movers[place] = by[place]
    game.moving = many
    game.came_from = game.dutchman
    game.dutchman = to
    game.bargaining = 0
    game.happened |= SAILED
    colour = as_int64(game.ship[to])
    if colour != NONE:
        _meet_ship(game, colour)
    else:
        queue(game, game.movers, many)
        game.step = DUE_SHOW


@njit_inline
def _meet_ship(game: GameRow, colour: int) -> None:
    """Let everybody with shares in the ship pay, then move the stones on (H11)."""
    value = CHESTS[game.stones[colour]]
    broke = as_int64(0)
    for seat in range(game.players):
        count = game.shares[seat, colour]
        pays = count * value
        if pays > game.cash[seat]:
            pays = game.cash[seat]
            broke |= 1 << seat
        game.held[seat] = count
        game.paid[seat] = pays
        game.cash[seat] -= pays
        game.at_least[seat, colour] = count
        game.at_most[seat, colour] = count
    game.value = value
    game.happened |= PAID
    for other in range(COLOURS):
        game.stones[other] += 1
    game.stones[colour] = FIRST_CHEST
    game.counter += 1
    if broke:
        _go_bankrupt(game, broke)
    if game.counter == LAST_CHEST or (broke and still_in(game) <= 1):
        nobody(game, DUE_OVER)
    elif broke:
        nobody(game, DUE_SHUFFLE)
    else:
        next_round(game)


@njit_inline
def _go_bankrupt(game: GameRow, broke: int) -> None:
    """Move bankrupt players' shares to the Kontor pile and horseshoes to the middle, and remove their cards (H11)."""
    game.happened |= BANKRUPT
    game.broke = broke
    for seat in range(game.players):
        if (broke >> seat) & 1:
            for colour in range(COLOURS):
                while game.shares[seat, colour]:
                    put_under(game, seat, colour, as_int64(NONE))
                game.at_least[seat, colour] = 0
                game.at_most[seat, colour] = 0
            game.middle_gold |= game.rack_gold[seat]
            game.middle_known_gold |= game.known_gold[seat]
            game.rack_gold[seat] = 0
            game.known_gold[seat] = 0
            pour_silver(game.rack_silver[seat], game.middle_silver)
            pour_silver(game.known_silver[seat], game.middle_known_silver)
            game.cash[seat] = 0
            game.kontor[seat] = 0
            game.smith[seat] = 0
            game.bankrupt[seat] = game.round
    for place in range(PILE):
        game.put_by[place] = NONE


@njit_inline
def show(game: GameRow, seat: int, colour: int) -> None:
    """Pay a seat the value of the share that it shows to everybody (H12)."""
    ducats = CHESTS[game.stones[colour]]
    game.cash[seat] += ducats
    game.at_least[seat, colour] = max(1, game.at_least[seat, colour])
    game.happened |= EARNED
    game.earner = seat
    game.earned = ducats
    after_showing(game)


@njit_inline
def after_showing(game: GameRow) -> None:
    """End a seat's turn to show a share; after the last one, begin the next round."""
    game.waiting -= 1
    if not game.waiting:
        next_round(game)
