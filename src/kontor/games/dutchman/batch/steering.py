"""Lays are turned over and read, and whoever is nearest to the lucky number steers (H7, H8)."""

from __future__ import annotations

import numpy as np

from kontor.batch.arrays import Rows
from kontor.batch.compiled import as_int64, njit_inline, trailing_zeros
from kontor.games.dutchman.batch.layout import REVEALED
from kontor.games.dutchman.batch.places import (
    ACCEPTED,
    ASKED,
    BARGAINING,
    CIRCLE,
    DUE_NAME,
    DUE_ROLLING,
    DUE_SAIL,
    HAPPENED,
    IN_ORDER,
    KNOWN_GOLD,
    KNOWN_SILVER,
    LAID,
    LAIN_GOLD,
    LAIN_IN,
    LAIN_SEAT,
    LAIN_SILVER,
    LAY_GOLD,
    LAY_SILVER,
    LAYS_SEEN,
    LUCKY,
    MIDDLE_GOLD,
    MIDDLE_KNOWN_GOLD,
    MIDDLE_KNOWN_SILVER,
    MIDDLE_SILVER,
    NAMES,
    NEAREST,
    ORDER,
    PROPOSED,
    QUEUE,
    QUEUED,
    READING,
    REVEALS,
    ROLLS,
    SILVERS,
    STEP,
    TIE,
    TIED,
    WAITING,
)
from kontor.games.dutchman.batch.turns import queue


@njit_inline
def reveal(rows: Rows, game: int, again: bool) -> None:
    """H8: all lays are turned over; the horseshoes go to the middle. Nobody laid: they roll for it (H10, H10b)."""
    who = TIED if again else ORDER
    contenders = as_int64(rows[game, TIE] if again else rows[game, IN_ORDER])
    best = 0
    nearest = 0
    many = 0
    for place in range(contenders):
        seat = as_int64(rows[game, who + place])
        if rows[game, LAID + seat]:
            many += 1
            reading = _reading(rows, game, seat)
            if reading > best:
                best = reading
                nearest = 0
            if reading == best:
                nearest |= 1 << seat
            _turn_over(rows, game, seat, reading)
    rows[game, BARGAINING] = 0
    if not many:
        queue(rows, game, who, contenders)
        rows[game, ROLLS] = 0
        rows[game, STEP] = DUE_ROLLING
        return
    rows[game, NEAREST + rows[game, REVEALS]] = nearest
    rows[game, REVEALS] += 1
    rows[game, HAPPENED] |= REVEALED
    tie = 0
    for place in range(contenders):
        seat = as_int64(rows[game, who + place])
        if (nearest >> seat) & 1:
            rows[game, QUEUE + tie] = seat
            tie += 1
    rows[game, QUEUED] = tie
    rows[game, WAITING] = tie
    if tie == 1:
        rows[game, STEP] = DUE_SAIL
        return
    for place in range(tie):
        rows[game, TIED + place] = rows[game, QUEUE + place]
    rows[game, TIE] = tie
    rows[game, BARGAINING] = 1
    rows[game, NAMES] = 0
    rows[game, CIRCLE] = 1
    rows[game, ASKED] = 0
    rows[game, PROPOSED] = 0
    rows[game, ACCEPTED] = 0
    rows[game, STEP] = DUE_NAME


@njit_inline
def _reading(rows: Rows, game: int, seat: int) -> int:
    """H7: the best reading of a lay. Twenties and tens make every twentieth number between minus and plus their sum
    (every fortieth without a ten), ones and twos every second (every fourth without a one): the highest coarse sum
    that the fine ones can bring down to the lucky number, and then the best fine sum."""
    silver = LAY_SILVER + SILVERS * seat
    gold = rows[game, LAY_GOLD + seat]
    golden = 21 + as_int64(trailing_zeros(np.uint64(gold))) if gold else 0
    coarse = 20 * rows[game, silver] + 10 * rows[game, silver + 1]
    coarse_step = 20 if rows[game, silver + 1] else 40
    fine = 2 * rows[game, silver + 2] + rows[game, silver + 3]
    fine_step = 2 if rows[game, silver + 3] else 4
    room = rows[game, LUCKY] - golden
    limit = room + fine
    if limit < -coarse:
        return 0
    best = coarse if limit >= coarse else limit - (limit + coarse) % coarse_step
    limit = room - best
    best += fine if limit >= fine else limit - (limit + fine) % fine_step
    return as_int64(max(best + golden, 0))


@njit_inline
def _turn_over(rows: Rows, game: int, seat: int, reading: int) -> None:
    """A lay is seen by all, and goes to the middle."""
    lain = rows[game, LAYS_SEEN]
    rows[game, LAYS_SEEN] = lain + 1
    gold = rows[game, LAY_GOLD + seat]
    rows[game, LAIN_IN + lain] = rows[game, REVEALS]
    rows[game, LAIN_SEAT + lain] = seat
    rows[game, READING + lain] = reading
    rows[game, LAIN_GOLD + lain] = as_int64(trailing_zeros(np.uint64(gold))) + 1 if gold else 0
    rows[game, KNOWN_GOLD + seat] &= ~gold
    rows[game, MIDDLE_GOLD] |= gold
    rows[game, MIDDLE_KNOWN_GOLD] |= gold
    rows[game, LAY_GOLD + seat] = 0
    for kind in range(SILVERS):
        silver = SILVERS * seat + kind
        laid = rows[game, LAY_SILVER + silver]
        rows[game, LAIN_SILVER + SILVERS * lain + kind] = laid
        rows[game, KNOWN_SILVER + silver] = max(rows[game, KNOWN_SILVER + silver] - laid, 0)
        rows[game, MIDDLE_SILVER + kind] += laid
        rows[game, MIDDLE_KNOWN_SILVER + kind] += laid
        rows[game, LAY_SILVER + silver] = 0
    rows[game, LAID + seat] = 0
