"""Whose turn it is, and the order of play in a round (H5)."""

from __future__ import annotations

from kontor.batch.arrays import Rows
from kontor.batch.compiled import as_int64, njit_inline
from kontor.games.dutchman.batch.places import (
    ACTED,
    DUE_LUCKY,
    IN_ORDER,
    LAYS_SEEN,
    LUCKY,
    ORDER,
    PLAYERS,
    QUEUE,
    QUEUED,
    REVEALS,
    ROLLS,
    ROUND,
    STEP,
    WAITING,
    WENT_BANKRUPT,
)


@njit_inline
def mover_of(rows: Rows, game: int) -> int:
    """Who is first of those still to act."""
    return as_int64(rows[game, QUEUE + rows[game, QUEUED] - rows[game, WAITING]])


@njit_inline
def queue(rows: Rows, game: int, first: int, many: int) -> None:
    """Those whose seats begin at ``first`` are to act."""
    for place in range(many):
        rows[game, QUEUE + place] = rows[game, first + place]
    rows[game, QUEUED] = many
    rows[game, WAITING] = many


@njit_inline
def nobody(rows: Rows, game: int, step: int) -> None:
    """Chance is to act, or nobody any more."""
    rows[game, STEP] = step
    rows[game, QUEUED] = 0
    rows[game, WAITING] = 0


@njit_inline
def order_from(rows: Rows, game: int, starter: int) -> None:
    """The order of play, clockwise from the starter (H5)."""
    players = as_int64(rows[game, PLAYERS])
    for place in range(players):
        rows[game, ORDER + place] = (starter + place) % players
    rows[game, IN_ORDER] = players


@njit_inline
def next_round(rows: Rows, game: int) -> None:
    """The next player to the left starts; the bankrupt are passed over (H5)."""
    first = rows[game, ORDER]
    many = 0
    for place in range(rows[game, IN_ORDER]):
        seat = rows[game, ORDER + place + 1] if place + 1 < rows[game, IN_ORDER] else first
        if rows[game, WENT_BANKRUPT + seat] == 0:
            rows[game, ORDER + many] = seat
            many += 1
    rows[game, IN_ORDER] = many
    rows[game, ROUND] += 1
    rows[game, ACTED] = 0
    rows[game, LUCKY] = 0
    rows[game, REVEALS] = 0
    rows[game, LAYS_SEEN] = 0
    rows[game, ROLLS] = 0
    nobody(rows, game, DUE_LUCKY)


@njit_inline
def still_in(rows: Rows, game: int) -> int:
    """How many are not bankrupt."""
    many = 0
    for seat in range(rows[game, PLAYERS]):
        many += rows[game, WENT_BANKRUPT + seat] == 0
    return many
