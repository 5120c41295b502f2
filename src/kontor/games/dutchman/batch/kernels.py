"""The kernels of Der fliegende Holländer: its rules, and what seats see, for the games ``start`` to ``stop``."""

from __future__ import annotations

import numpy as np

from kontor.batch.arrays import Bytes, Flags, Ints, Longs, Reals, Rows, Seats, Words
from kontor.batch.compiled import as_int64, initial_rng_state, njit_cached, popcount, trailing_zeros
from kontor.game import CHANCE, OVER
from kontor.games.dutchman.batch.chance import can_happen, chance_acts, happen, is_chance
from kontor.games.dutchman.batch.layout import LAY_COLUMN, OUTCOME, PROPOSE_COLUMN
from kontor.games.dutchman.batch.moves import few_moves, is_legal, many_moves, nth_move
from kontor.games.dutchman.batch.places import DUE_OVER, DUE_PROPOSE, NOTHING, STEP, WIDTH
from kontor.games.dutchman.batch.rules import act, play_on, score_of
from kontor.games.dutchman.batch.seeing import see
from kontor.games.dutchman.batch.setting_up import begin
from kontor.games.dutchman.batch.turns import mover_of


@njit_cached
def reset(rows: Rows, luck: Words, options: Rows, seed: np.uint64, first: int, start: int, stop: int) -> None:
    """Games begin anew, with the luck of a seed; the number of the first game of the batch is ``first``."""
    for game in range(start, stop):
        begin(rows, game, options)
        luck[game] = initial_rng_state(seed, np.uint64(first + game))


@njit_cached
def restart(rows: Rows, which: Flags, options: Rows, start: int, stop: int) -> None:
    """Some of the games begin anew, and their luck goes on."""
    for game in range(start, stop):
        if which[game]:
            begin(rows, game, options)


@njit_cached
def illegal(rows: Rows, actions: Longs, start: int, stop: int) -> int:
    """The first game in which the action is not legal, or −1; an action of −1 is nothing."""
    for game in range(start, stop):
        action = actions[game]
        if action < -1 or (action >= 0 and not is_legal(rows, game, action)):
            return game
    return -1


@njit_cached
def step(rows: Rows, actions: Longs, start: int, stop: int) -> None:
    """Each game's mover does what ``actions`` says, which is legal."""
    for game in range(start, stop):
        if actions[game] >= 0:
            act(rows, game, actions[game])


@njit_cached
def draw(rows: Rows, luck: Words, start: int, stop: int) -> None:
    """Chance acts in every game in which it is due, until a seat is to move."""
    told = np.empty((1, OUTCOME), np.uint8)
    for game in range(start, stop):
        while is_chance(rows, game):
            chance_acts(rows, game, luck, told)


@njit_cached
def draw_once(rows: Rows, luck: Words, which: Flags, start: int, stop: int) -> None:
    """Chance acts once, in some of the games in which it is due."""
    told = np.empty((1, OUTCOME), np.uint8)
    for game in range(start, stop):
        if which[game] and is_chance(rows, game):
            chance_acts(rows, game, luck, told)


@njit_cached
def impossible(rows: Rows, outcomes: Bytes, start: int, stop: int) -> int:
    """The first game in which the outcome cannot happen, or −1; one that begins with 255 is nothing."""
    for game in range(start, stop):
        if outcomes[game, 0] != NOTHING and not can_happen(rows, game, outcomes):
            return game
    return -1


@njit_cached
def give(rows: Rows, outcomes: Bytes, start: int, stop: int) -> None:
    """Chance does what ``outcomes`` says, which can happen."""
    for game in range(start, stop):
        if outcomes[game, 0] != NOTHING:
            happen(rows, game, outcomes, game)


@njit_cached
def legal(rows: Rows, mask: Flags, start: int, stop: int) -> None:
    """Which columns of the mask are legal in each game."""
    for game in range(start, stop):
        mask[game] = False
        base, bits = few_moves(rows, game)
        while bits:
            mask[game, base + as_int64(trailing_zeros(bits))] = True
            bits &= bits - np.uint64(1)
        if many_moves(rows, game):
            mask[game, PROPOSE_COLUMN if rows[game, STEP] == DUE_PROPOSE else LAY_COLUMN] = True


@njit_cached
def choices(rows: Rows, counts: Longs, start: int, stop: int) -> None:
    """How many moves are legal in each game."""
    for game in range(start, stop):
        _, bits = few_moves(rows, game)
        counts[game] = as_int64(popcount(bits)) + many_moves(rows, game)


@njit_cached
def nth(rows: Rows, which: Longs, actions: Longs, start: int, stop: int) -> None:
    """The legal action with a number from 0, in the order of the actions; −1 where ``which`` is below 0."""
    for game in range(start, stop):
        actions[game] = nth_move(rows, game, which[game]) if which[game] >= 0 else -1


@njit_cached
def movers(rows: Rows, seats: Seats, start: int, stop: int) -> None:
    """The seat to move, CHANCE or OVER."""
    for game in range(start, stop):
        if rows[game, STEP] == DUE_OVER:
            seats[game] = OVER
        else:
            seats[game] = CHANCE if is_chance(rows, game) else mover_of(rows, game)


@njit_cached
def score(rows: Rows, points: Ints, winners: Flags, start: int, stop: int) -> None:
    """The points of all seats if the games ended now, and who has won."""
    for game in range(start, stop):
        score_of(rows, game, points[game], winners[game])


@njit_cached
def play_out(rows: Rows, luck: Words, decisions: Ints, start: int, stop: int) -> None:
    """Random legal moves from where the games stand to their end; how many they were."""
    told = np.empty((1, OUTCOME), np.uint8)
    for game in range(start, stop):
        decisions[game] = play_on(rows, game, luck, told)


@njit_cached
def roll_out(
    options: Rows,
    seed: np.uint64,
    first: int,
    points: Ints,
    winners: Flags,
    decisions: Ints,
    start: int,
    stop: int,
) -> None:
    """Whole games with random legal moves, one after the other in one row."""
    rows = np.empty((1, WIDTH), np.int32)
    luck = np.empty(1, np.uint64)
    told = np.empty((1, OUTCOME), np.uint8)
    slot = as_int64(0)
    for game in range(start, stop):
        begin(rows, slot, options)
        luck[slot] = initial_rng_state(seed, np.uint64(first + game))
        decisions[game] = play_on(rows, slot, luck, told)
        score_of(rows, slot, points[game], winners[game])


@njit_cached
def observe(rows: Rows, features: Reals, start: int, stop: int) -> None:
    """What the seat to move may know, as numbers: ``layout.FEATURES``. All 0 where no seat is to move."""
    for game in range(start, stop):
        features[game] = 0
        see(rows, game, features)
