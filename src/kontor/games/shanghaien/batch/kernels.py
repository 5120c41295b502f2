"""The kernels of Shanghaien: its rules, and what seats see, for the games ``start`` to ``stop``."""

from __future__ import annotations

import numpy as np

from kontor.batch.arrays import Bytes, Flags, Ints, Longs, Reals, Seats, Words
from kontor.batch.compiled import as_int64, initial_rng_state, njit_cached, popcount, trailing_zeros
from kontor.game import CHANCE, OVER
from kontor.games.shanghaien.batch.layout import NONE, REROLL
from kontor.games.shanghaien.batch.places import DUE_OVER, STEP, TURN, WIDTH
from kontor.games.shanghaien.batch.rules import (
    act,
    begin,
    can_happen,
    chance_acts,
    happen,
    is_chance,
    is_legal,
    legal_bits,
    play_on,
    score_of,
)
from kontor.games.shanghaien.batch.seeing import see


@njit_cached
def reset(rows: Bytes, luck: Words, options: Bytes, seed: np.uint64, first: int, start: int, stop: int) -> None:
    """Games begin anew, with the luck of a seed; the number of the first game of the batch is ``first``."""
    for game in range(start, stop):
        begin(rows, game, options)
        luck[game] = initial_rng_state(seed, np.uint64(first + game))


@njit_cached
def restart(rows: Bytes, which: Flags, options: Bytes, start: int, stop: int) -> None:
    """Some of the games begin anew, and their luck goes on."""
    for game in range(start, stop):
        if which[game]:
            begin(rows, game, options)


@njit_cached
def illegal(rows: Bytes, actions: Longs, start: int, stop: int) -> int:
    """The first game in which the action is not legal, or −1; an action of −1 is nothing."""
    for game in range(start, stop):
        action = actions[game]
        if action < -1 or (action >= 0 and not is_legal(rows, game, action)):
            return game
    return -1


@njit_cached
def step(rows: Bytes, actions: Longs, start: int, stop: int) -> None:
    """Each game's mover does what ``actions`` says, which is legal."""
    for game in range(start, stop):
        if actions[game] >= 0:
            act(rows, game, actions[game])


@njit_cached
def draw(rows: Bytes, luck: Words, start: int, stop: int) -> None:
    """Chance acts in every game in which it is due, until a seat is to move."""
    for game in range(start, stop):
        while is_chance(rows, game):
            chance_acts(rows, game, luck)


@njit_cached
def draw_once(rows: Bytes, luck: Words, which: Flags, start: int, stop: int) -> None:
    """Chance acts once, in some of the games in which it is due."""
    for game in range(start, stop):
        if which[game] and is_chance(rows, game):
            chance_acts(rows, game, luck)


@njit_cached
def impossible(rows: Bytes, outcomes: Bytes, start: int, stop: int) -> int:
    """The first game in which the outcome cannot happen, or −1; one that begins with NONE is nothing."""
    for game in range(start, stop):
        if outcomes[game, 0] != NONE and not can_happen(rows, game, outcomes):
            return game
    return -1


@njit_cached
def give(rows: Bytes, outcomes: Bytes, start: int, stop: int) -> None:
    """Chance does what ``outcomes`` says, which can happen."""
    for game in range(start, stop):
        if outcomes[game, 0] != NONE:
            happen(rows, game, outcomes)


@njit_cached
def legal(rows: Bytes, mask: Flags, start: int, stop: int) -> None:
    """Which actions are legal in each game."""
    for game in range(start, stop):
        bits = legal_bits(rows, game)
        for action in range(REROLL + 1):
            mask[game, action] = (bits >> np.uint64(action)) & np.uint64(1)


@njit_cached
def choices(rows: Bytes, counts: Longs, start: int, stop: int) -> None:
    """How many moves are legal in each game."""
    for game in range(start, stop):
        counts[game] = popcount(legal_bits(rows, game))


@njit_cached
def nth(rows: Bytes, which: Longs, actions: Longs, start: int, stop: int) -> None:
    """The legal action with a number from 0, in the order of the actions; −1 where ``which`` is below 0."""
    for game in range(start, stop):
        bits = legal_bits(rows, game)
        for _ in range(which[game]):
            bits &= bits - np.uint64(1)
        actions[game] = as_int64(trailing_zeros(bits)) if which[game] >= 0 else -1


@njit_cached
def movers(rows: Bytes, seats: Seats, start: int, stop: int) -> None:
    """The seat to move, CHANCE or OVER."""
    for game in range(start, stop):
        if rows[game, STEP] == DUE_OVER:
            seats[game] = OVER
        else:
            seats[game] = CHANCE if is_chance(rows, game) else rows[game, TURN]


@njit_cached
def score(rows: Bytes, points: Ints, winners: Flags, start: int, stop: int) -> None:
    """The points of both seats if the games ended now, and who has won."""
    for game in range(start, stop):
        score_of(rows, game, points[game], winners[game])


@njit_cached
def play_out(rows: Bytes, luck: Words, decisions: Ints, start: int, stop: int) -> None:
    """Random legal moves from where the games stand to their end; how many they were."""
    for game in range(start, stop):
        decisions[game] = play_on(rows, game, luck)


@njit_cached
def roll_out(
    options: Bytes,
    seed: np.uint64,
    first: int,
    points: Ints,
    winners: Flags,
    decisions: Ints,
    start: int,
    stop: int,
) -> None:
    """Whole games with random legal moves, one after the other in one row."""
    rows = np.empty((1, WIDTH), np.uint8)
    luck = np.empty(1, np.uint64)
    slot = as_int64(0)
    for game in range(start, stop):
        begin(rows, slot, options)
        luck[slot] = initial_rng_state(seed, np.uint64(first + game))
        decisions[game] = play_on(rows, slot, luck)
        score_of(rows, slot, points[game], winners[game])


@njit_cached
def observe(rows: Bytes, features: Reals, start: int, stop: int) -> None:
    """What the seat to move may know, as numbers: ``layout.FEATURES``. All 0 where no seat is to move."""
    for game in range(start, stop):
        features[game] = 0
        see(rows, game, features)
