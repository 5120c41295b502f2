"""The seats to move, and the order of play in a round (H5)."""

from __future__ import annotations

from kontor.batch.arrays import GameRow, Ints
from kontor.batch.compiled import as_int64, njit_inline
from kontor.games.dutchman.batch.tables import DUE_LUCKY, DUE_OVER


@njit_inline
def is_over(game: GameRow) -> bool:
    """Return True if the game is over."""
    return bool(game.step == DUE_OVER)


@njit_inline
def mover_of(game: GameRow) -> int:
    """Return the first seat of those still to act."""
    return as_int64(game.queue[game.queued - game.waiting])


@njit_inline
def queue(game: GameRow, seats: Ints, many: int) -> None:
    """Let the first ``many`` of these seats act, in this order."""
    for place in range(many):
        game.queue[place] = seats[place]
    game.queued = many
    game.waiting = many


@njit_inline
def nobody(game: GameRow, step: int) -> None:
    """Set the step that is due, for chance or a finished game: no seat is to act."""
    game.step = step
    game.queued = 0
    game.waiting = 0


@njit_inline
def order_from(game: GameRow, starter: int) -> None:
    """Set the order of play, clockwise from the starter (H5)."""
    players = as_int64(game.players)
    for place in range(players):
        game.order[place] = (starter + place) % players
    game.in_order = players


@njit_inline
def next_round(game: GameRow) -> None:
    """Begin the next round: the next player to the left starts, without the bankrupt (H5)."""
    first = game.order[0]
    many = 0
    for place in range(game.in_order):
        seat = game.order[place + 1] if place + 1 < game.in_order else first
        if game.bankrupt[seat] == 0:
            game.order[many] = seat
            many += 1
    game.in_order = many
    game.round += 1
    game.acted = 0
    game.lucky = 0
    game.reveals = 0
    game.lays = 0
    game.rolls = 0
    nobody(game, DUE_LUCKY)


@njit_inline
def still_in(game: GameRow) -> int:
    """Return the number of players who are not bankrupt."""
    many = 0
    for seat in range(game.players):
        many += game.bankrupt[seat] == 0
    return many
