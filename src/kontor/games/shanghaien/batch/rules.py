"""The rules of Shanghaien once more, for one game of a batch: a row of bytes (``layout``).

They assume legal actions and possible outcomes; ``is_legal`` and ``can_happen`` check these.
"""

from __future__ import annotations

import numpy as np

from kontor.batch.arrays import Bytes, Flags, GameRow, Ints, LuckRow
from kontor.batch.compiled import as_int64, njit_inline, popcount, random_below, random_set_bit, trailing_zeros
from kontor.games.shanghaien.batch.layout import BOTH, JOKER, LEFT, NONE, NUDGE, PLACE, REROLL, ROLL, SHANGHAI
from kontor.games.shanghaien.batch.seeing import see
from kontor.games.shanghaien.batch.tables import (
    BOTH_BIT,
    CREWS,
    DUE_BOTH,
    DUE_OVER,
    DUE_PLACE,
    DUE_REROLL,
    DUE_ROLL,
    DUE_ROW,
    DUE_STARTER,
    DUE_TURN,
    ENDS,
    FIRST_TRICK_CARD,
    FROM,
    KINDS,
    NO_BITS,
    NUDGES,
    PLACES,
    REROLL_BIT,
    SAILOR_VALUES,
    TO,
    TURNS,
)
from kontor.games.shanghaien.rules.components import JOKER as JOKER_COUNTS
from kontor.games.shanghaien.rules.components import ROUNDS, ROW


@njit_inline
def legal_bits(game: GameRow) -> np.uint64:
    """Return the legal moves as bits; no bits if chance is to act or the game is over."""
    step = game.step
    turn = game.turn
    if step == DUE_TURN:
        bits: np.uint64 = TURNS[game.dice[turn]]
        return bits
    if step == DUE_PLACE:
        roll = 8 * game.roll[0] + game.roll[1]
        bits = PLACES[roll] if game.one_at else ENDS
        if game.spent[turn]:
            return bits
        nations = np.uint64(game.nations[turn]) << np.uint64(JOKER)
        if game.tricks[turn, 0]:
            bits |= nations | NUDGES[roll]
        if game.tricks[turn, 1]:
            bits |= nations << np.uint64(CREWS) | BOTH_BIT
        if game.tricks[turn, 2]:
            bits |= nations << np.uint64(2 * CREWS) | REROLL_BIT
        return bits
    return ENDS if step == DUE_BOTH else NO_BITS


@njit_inline
def mark_legal(game: GameRow, mask: Flags) -> None:
    """Mark the legal actions in ``mask``."""
    bits = legal_bits(game)
    for action in range(REROLL + 1):
        mask[action] = (bits >> np.uint64(action)) & np.uint64(1)


@njit_inline
def count_moves(game: GameRow) -> int:
    """Return the number of legal moves."""
    return as_int64(popcount(legal_bits(game)))


@njit_inline
def nth_move(game: GameRow, number: int) -> int:
    """Return the legal action with a number from 0, in the order of the actions."""
    bits = legal_bits(game)
    for _ in range(number):
        bits &= bits - np.uint64(1)
    return as_int64(trailing_zeros(bits))


@njit_inline
def is_legal(game: GameRow, action: int) -> bool:
    """Return True if an action with a number from 0 is legal."""
    return action <= REROLL and ((legal_bits(game) >> np.uint64(action)) & np.uint64(1)) != 0


@njit_inline
def act(game: GameRow, action: int) -> None:
    """Apply a legal action of the mover."""
    turn = game.turn
    if action == ROLL:
        game.step = DUE_ROLL
    elif action == SHANGHAI:
        _shanghai(game, turn)
    elif action < PLACE:
        game.one_at = action - LEFT + 1
        if game.step == DUE_BOTH:
            _place_both(game, turn)
    elif action < JOKER:
        _place_die(game, turn, action - PLACE + 1)
        _pass_on(game, turn)
    else:
        game.spent[turn] = 1
        _trick(game, turn, action)


@njit_inline
def _trick(game: GameRow, turn: int, action: int) -> None:
    """Use a trick card (S8)."""
    if action < NUDGE:
        kind, nation = divmod(action - JOKER, CREWS)
        game.jokers[turn, game.laid[turn]] = action - JOKER
        game.laid[turn] += 1
        game.strength[turn, nation] += JOKER_COUNTS
    elif action < BOTH:
        kind = 0
        die = FROM[action - NUDGE]
        to = TO[action - NUDGE]
        other_die = game.roll[1] if game.roll[0] == die else game.roll[0]
        game.roll[0] = min(other_die, to)
        game.roll[1] = max(other_die, to)
    elif action == BOTH:
        kind = 1
        if game.one_at:
            _place_both(game, turn)
        else:
            game.step = DUE_BOTH
    else:
        kind = 2
        game.roll[0] = 0
        game.roll[1] = 0
        game.step = DUE_REROLL
    game.tricks[turn, kind] -= 1
    if action >= NUDGE:
        _leave(game, FIRST_TRICK_CARD + kind)


@njit_inline
def _place_die(game: GameRow, turn: int, die: int) -> None:
    game.placed[turn, die - 1] += 1
    game.dice[turn] += 1


@njit_inline
def _pass_on(game: GameRow, turn: int) -> None:
    """End the turn after the dice are placed: the other is to act."""
    game.roll[0] = 0
    game.roll[1] = 0
    game.turn = 1 - turn
    game.step = DUE_TURN


@njit_inline
def _place_both(game: GameRow, turn: int) -> None:
    _place_die(game, turn, game.roll[0])
    _place_die(game, turn, game.roll[1])
    _pass_on(game, turn)


@njit_inline
def _leave(game: GameRow, card: int) -> None:
    """Record that a card leaves the game."""
    game.gone[game.left_game] = card
    game.left_game += 1


@njit_inline
def _shanghai(game: GameRow, turn: int) -> None:
    """Deal out the row (S9), take back the dice, and let the other player start the next round (S10)."""
    one_at = game.one_at
    game.award_one_at = one_at
    for at in range(ROW):
        card = game.row[at if one_at == 1 else ROW - 1 - at]
        taker = _award(game, at, card)
        if taker == NONE:
            _leave(game, card)
        elif card >= FIRST_TRICK_CARD:
            game.tricks[taker, card - FIRST_TRICK_CARD] += 1
        else:
            _recruit(game, taker, card)
    for at in range(ROW):
        game.row[at] = NONE
    for seat in range(2):
        for at in range(ROW):
            game.placed[seat, at] = 0
        game.dice[seat] = 0
        game.spent[seat] = 0
    game.one_at = 0
    game.turn = 1 - turn
    game.starter = 1 - turn
    if game.round == ROUNDS:
        game.step = DUE_OVER
    else:
        game.round += 1
        game.step = DUE_ROW


@njit_inline
def _award(game: GameRow, at: int, card: int) -> int:
    """Return the taker of the card at a place (S9); record the award with its numbers."""
    first = as_int64(game.placed[0, at])
    second = as_int64(game.placed[1, at])
    pips = NONE
    rival_pips = NONE
    if first == second and first:
        pips = _beside(game, 0, at)
        rival_pips = _beside(game, 1, at)
        lead = pips - rival_pips
    else:
        lead = first - second
    taker = NONE if lead == 0 else (0 if lead > 0 else 1)
    game.award_card[at] = card
    game.award_dice[at, 0] = first
    game.award_dice[at, 1] = second
    game.award_pips[at, 0] = pips
    game.award_pips[at, 1] = rival_pips
    game.award_taker[at] = taker
    return taker


@njit_inline
def _beside(game: GameRow, seat: int, at: int) -> int:
    """Return the pips of the dice on the cards beside a place, 0 to 5."""
    pips = 0
    if at:
        pips += at * as_int64(game.placed[seat, at - 1])
    if at < ROW - 1:
        pips += (at + 2) * as_int64(game.placed[seat, at + 1])
    return pips


@njit_inline
def _recruit(game: GameRow, seat: int, sailor: int) -> None:
    nation, value = divmod(sailor, SAILOR_VALUES)
    game.sailors[seat, game.recruits[seat]] = sailor
    game.recruits[seat] += 1
    game.nations[seat] |= 1 << nation
    game.strength[seat, nation] += value + 1


@njit_inline
def is_over(game: GameRow) -> bool:
    """Return True if the game is over."""
    return bool(game.step == DUE_OVER)


@njit_inline
def mover_of(game: GameRow) -> int:
    """Return the seat whose turn it is."""
    return as_int64(game.turn)


@njit_inline
def is_chance(game: GameRow) -> bool:
    """Return True if chance is to act."""
    step = game.step
    return step in (DUE_STARTER, DUE_ROW, DUE_ROLL, DUE_REROLL)


@njit_inline
def chance_acts(game: GameRow, luck: LuckRow, _outcome: Bytes) -> None:
    """Draw and apply the outcome that is due."""
    step = game.step
    if step in (DUE_ROLL, DUE_REROLL):
        dice = random_below(luck, ROW * ROW)
        _set_roll(game, dice // ROW + 1, dice % ROW + 1)
    elif step == DUE_ROW:
        for at in range(ROW):
            _lay(game, random_below(luck, game.left), at)
        _begin_turns(game)
    else:
        _start(game, random_below(luck, 2))


@njit_inline
def happen(game: GameRow, outcome: Bytes) -> None:
    """Apply the outcome in ``outcome``: six cards, two dice or a seat."""
    step = game.step
    if step == DUE_ROW:
        for at in range(ROW):
            _lay(game, _in_pile(game, outcome[at]), at)
        _begin_turns(game)
    elif step == DUE_STARTER:
        _start(game, outcome[0])
    else:
        _set_roll(game, outcome[0], outcome[1])


@njit_inline
def _in_pile(game: GameRow, card: int) -> int:
    """Return the place in the pile of a card that is there."""
    place = 0
    while game.pile[place] != card:
        place += 1
    return place


@njit_inline
def _lay(game: GameRow, place: int, at: int) -> None:
    """Lay the card at a place of the pile into the row."""
    last = game.left - 1
    game.row[at] = game.pile[place]
    game.pile[place] = game.pile[last]
    game.left = last


@njit_inline
def _begin_turns(game: GameRow) -> None:
    game.turn = game.starter
    game.step = DUE_TURN


@njit_inline
def _set_roll(game: GameRow, one: int, other: int) -> None:
    game.roll[0] = min(one, other)
    game.roll[1] = max(one, other)
    game.step = DUE_PLACE


@njit_inline
def _start(game: GameRow, seat: int) -> None:
    game.turn = seat
    game.starter = seat
    game.step = DUE_ROW


@njit_inline
def can_happen(game: GameRow, outcome: Bytes) -> bool:
    """Return True if chance is to act, and the outcome in ``outcome`` is possible."""
    step = game.step
    if step == DUE_STARTER:
        return bool(outcome[0] < 2)
    if step in (DUE_ROLL, DUE_REROLL):
        return bool(1 <= outcome[0] <= ROW and 1 <= outcome[1] <= ROW)
    if step != DUE_ROW:
        return False
    for at in range(ROW):
        card = outcome[at]
        wanted = 0
        for other in range(ROW):
            wanted += outcome[other] == card
        count = 0
        for place in range(game.left):
            count += game.pile[place] == card
        if count < wanted:
            return False
    return True


@njit_inline
def score_of(game: GameRow, points: Ints, winners: Flags) -> None:
    """Write the points (S11) and the winners (S12); equal points are a draw."""
    for seat in range(2):
        points[seat] = _points(game, seat)
    over = is_over(game)
    winners[0] = over and points[0] >= points[1]
    winners[1] = over and points[1] >= points[0]


@njit_inline
def _points(game: GameRow, seat: int) -> int:
    """Return the points of a seat if the game ended now (S11)."""
    points = 0
    for kind in range(KINDS):
        points += as_int64(game.tricks[seat, kind])
    for nation in range(CREWS):
        own = as_int64(game.strength[seat, nation])
        rival = as_int64(game.strength[1 - seat, nation])
        if own > rival:
            points += rival if rival else own
    return points


@njit_inline
def play_on(game: GameRow, luck: LuckRow, outcome: Bytes) -> int:
    """Play random legal moves to the end; return their number."""
    decisions = 0
    while not is_over(game):
        bits = legal_bits(game)
        if bits:
            act(game, random_set_bit(luck, bits))
            decisions += 1
        else:
            chance_acts(game, luck, outcome)
    return decisions


__all__ = [
    "act",
    "can_happen",
    "chance_acts",
    "count_moves",
    "happen",
    "is_chance",
    "is_legal",
    "is_over",
    "mark_legal",
    "mover_of",
    "nth_move",
    "play_on",
    "score_of",
    "see",
]
