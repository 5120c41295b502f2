"""The rules of Shanghaien once more, for one game, ``rows[game]``: a row of bytes (``layout``).

They take it that what they are told is legal; ``is_legal`` and ``can_happen`` say whether it is.
"""

from __future__ import annotations

import numpy as np

from kontor.batch.arrays import Bytes, Flags, Ints, Words
from kontor.batch.compiled import as_int64, njit_inline, random_below, random_set_bit
from kontor.games.shanghaien.batch.layout import (
    BOTH,
    JOKER,
    LEFT,
    NONE,
    NUDGE,
    PLACE,
    REROLL,
    ROLL,
    SHANGHAI,
)
from kontor.games.shanghaien.batch.places import (
    AWARD_CARD,
    AWARD_DICE,
    AWARD_ONE_AT,
    AWARD_PIPS,
    AWARD_TAKER,
    BOTH_BIT,
    CARDS,
    CREWS,
    DECK,
    DICE,
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
    GONE,
    HIGH,
    IN_PILE,
    JOKERS,
    KINDS,
    LAID,
    LEFT_GAME,
    LOW,
    MOST_SAILORS,
    MOST_TRICKS,
    NATIONS,
    NO_BITS,
    NUDGES,
    ONE_AT,
    OPTION_DECK,
    OPTION_FIRST_TRICK,
    OPTION_STARTER,
    PILE,
    PLACED,
    PLACES,
    RECRUITS,
    REROLL_BIT,
    ROUND,
    SAILOR_VALUES,
    SAILORS,
    SPENT,
    STARTER,
    STEP,
    STRENGTH,
    TO,
    TRICKS,
    TURN,
    TURNS,
    WIDTH,
)
from kontor.games.shanghaien.rules.components import JOKER as JOKER_COUNTS
from kontor.games.shanghaien.rules.components import ROUNDS, ROW


@njit_inline
def begin(rows: Bytes, game: int, options: Bytes) -> None:
    """The state before the first outcome (S3)."""
    for place in range(WIDTH):
        rows[game, place] = 0
    starter = options[OPTION_STARTER]
    rows[game, STEP] = DUE_STARTER if starter == NONE else DUE_ROW
    rows[game, TURN] = 0 if starter == NONE else starter
    rows[game, STARTER] = starter
    rows[game, ROUND] = 1
    rows[game, IN_PILE] = DECK
    for place in range(DECK):
        rows[game, PILE + place] = options[OPTION_DECK + place]
    for place in range(ROW):
        rows[game, CARDS + place] = NONE
        rows[game, AWARD_CARD + place] = NONE
    first = options[OPTION_FIRST_TRICK]
    if first != NONE:
        rows[game, TRICKS + first] = 1
        rows[game, TRICKS + KINDS + first] = 1


@njit_inline
def legal_bits(rows: Bytes, game: int) -> np.uint64:
    """The legal moves as bits; none if chance is to act or the game is over."""
    step = rows[game, STEP]
    turn = rows[game, TURN]
    if step == DUE_TURN:
        bits: np.uint64 = TURNS[rows[game, DICE + turn]]
        return bits
    if step == DUE_PLACE:
        roll = 8 * rows[game, LOW] + rows[game, HIGH]
        bits = PLACES[roll] if rows[game, ONE_AT] else ENDS
        if rows[game, SPENT + turn]:
            return bits
        nations = np.uint64(rows[game, NATIONS + turn]) << np.uint64(JOKER)
        if rows[game, TRICKS + KINDS * turn]:
            bits |= nations | NUDGES[roll]
        if rows[game, TRICKS + KINDS * turn + 1]:
            bits |= nations << np.uint64(CREWS) | BOTH_BIT
        if rows[game, TRICKS + KINDS * turn + 2]:
            bits |= nations << np.uint64(2 * CREWS) | REROLL_BIT
        return bits
    return ENDS if step == DUE_BOTH else NO_BITS


@njit_inline
def is_legal(rows: Bytes, game: int, action: int) -> bool:
    """Whether an action with a number from 0 is legal."""
    return action <= REROLL and ((legal_bits(rows, game) >> np.uint64(action)) & np.uint64(1)) != 0


@njit_inline
def act(rows: Bytes, game: int, action: int) -> None:
    """The mover does something legal."""
    turn = rows[game, TURN]
    if action == ROLL:
        rows[game, STEP] = DUE_ROLL
    elif action == SHANGHAI:
        _shanghai(rows, game, turn)
    elif action < PLACE:
        rows[game, ONE_AT] = action - LEFT + 1
        if rows[game, STEP] == DUE_BOTH:
            _place_both(rows, game, turn)
    elif action < JOKER:
        _place_die(rows, game, turn, action - PLACE + 1)
        _pass_on(rows, game, turn)
    else:
        rows[game, SPENT + turn] = 1
        _trick(rows, game, turn, action)


@njit_inline
def _trick(rows: Bytes, game: int, turn: int, action: int) -> None:
    """S8: a trick card is used."""
    if action < NUDGE:
        kind, nation = divmod(action - JOKER, CREWS)
        rows[game, JOKERS + MOST_TRICKS * turn + rows[game, LAID + turn]] = action - JOKER
        rows[game, LAID + turn] += 1
        rows[game, STRENGTH + CREWS * turn + nation] += JOKER_COUNTS
    elif action < BOTH:
        kind = 0
        die = FROM[action - NUDGE]
        to = TO[action - NUDGE]
        kept = rows[game, HIGH] if rows[game, LOW] == die else rows[game, LOW]
        rows[game, LOW] = min(kept, to)
        rows[game, HIGH] = max(kept, to)
    elif action == BOTH:
        kind = 1
        if rows[game, ONE_AT]:
            _place_both(rows, game, turn)
        else:
            rows[game, STEP] = DUE_BOTH
    else:
        kind = 2
        rows[game, LOW] = 0
        rows[game, HIGH] = 0
        rows[game, STEP] = DUE_REROLL
    rows[game, TRICKS + KINDS * turn + kind] -= 1
    if action >= NUDGE:
        _leave(rows, game, FIRST_TRICK_CARD + kind)


@njit_inline
def _place_die(rows: Bytes, game: int, turn: int, die: int) -> None:
    rows[game, PLACED + ROW * turn + die - 1] += 1
    rows[game, DICE + turn] += 1


@njit_inline
def _pass_on(rows: Bytes, game: int, turn: int) -> None:
    """The dice are placed, and it is the other's turn."""
    rows[game, LOW] = 0
    rows[game, HIGH] = 0
    rows[game, TURN] = 1 - turn
    rows[game, STEP] = DUE_TURN


@njit_inline
def _place_both(rows: Bytes, game: int, turn: int) -> None:
    _place_die(rows, game, turn, rows[game, LOW])
    _place_die(rows, game, turn, rows[game, HIGH])
    _pass_on(rows, game, turn)


@njit_inline
def _leave(rows: Bytes, game: int, card: int) -> None:
    """A card leaves the game."""
    rows[game, GONE + rows[game, LEFT_GAME]] = card
    rows[game, LEFT_GAME] += 1


@njit_inline
def _shanghai(rows: Bytes, game: int, turn: int) -> None:
    """The row is dealt out (S9), the dice go back, and the other player starts the next round (S10)."""
    one_at = rows[game, ONE_AT]
    rows[game, AWARD_ONE_AT] = one_at
    for at in range(ROW):
        card = rows[game, CARDS + (at if one_at == 1 else ROW - 1 - at)]
        taker = _award(rows, game, at, card)
        if taker == NONE:
            _leave(rows, game, card)
        elif card >= FIRST_TRICK_CARD:
            rows[game, TRICKS + KINDS * taker + card - FIRST_TRICK_CARD] += 1
        else:
            _recruit(rows, game, taker, card)
    for at in range(ROW):
        rows[game, CARDS + at] = NONE
    for at in range(2 * ROW):
        rows[game, PLACED + at] = 0
    for seat in range(2):
        rows[game, DICE + seat] = 0
        rows[game, SPENT + seat] = 0
    rows[game, ONE_AT] = 0
    rows[game, TURN] = 1 - turn
    rows[game, STARTER] = 1 - turn
    if rows[game, ROUND] == ROUNDS:
        rows[game, STEP] = DUE_OVER
    else:
        rows[game, ROUND] += 1
        rows[game, STEP] = DUE_ROW


@njit_inline
def _award(rows: Bytes, game: int, at: int, card: int) -> int:
    """S9: who gets the card at a place; it is kept by which numbers."""
    first = as_int64(rows[game, PLACED + at])
    second = as_int64(rows[game, PLACED + ROW + at])
    pips = NONE
    rival_pips = NONE
    if first == second and first:
        pips = _beside(rows, game, PLACED, at)
        rival_pips = _beside(rows, game, PLACED + ROW, at)
        lead = pips - rival_pips
    else:
        lead = first - second
    taker = NONE if lead == 0 else (0 if lead > 0 else 1)
    rows[game, AWARD_CARD + at] = card
    rows[game, AWARD_DICE + 2 * at] = first
    rows[game, AWARD_DICE + 2 * at + 1] = second
    rows[game, AWARD_PIPS + 2 * at] = pips
    rows[game, AWARD_PIPS + 2 * at + 1] = rival_pips
    rows[game, AWARD_TAKER + at] = taker
    return taker


@njit_inline
def _beside(rows: Bytes, game: int, placed: int, at: int) -> int:
    """The pips of the dice on the cards beside a place, 0 to 5."""
    pips = 0
    if at:
        pips += at * as_int64(rows[game, placed + at - 1])
    if at < ROW - 1:
        pips += (at + 2) * as_int64(rows[game, placed + at + 1])
    return pips


@njit_inline
def _recruit(rows: Bytes, game: int, seat: int, sailor: int) -> None:
    nation, value = divmod(sailor, SAILOR_VALUES)
    rows[game, SAILORS + MOST_SAILORS * seat + rows[game, RECRUITS + seat]] = sailor
    rows[game, RECRUITS + seat] += 1
    rows[game, NATIONS + seat] |= 1 << nation
    rows[game, STRENGTH + CREWS * seat + nation] += value + 1


@njit_inline
def is_chance(rows: Bytes, game: int) -> bool:
    """Whether chance is to act."""
    step = rows[game, STEP]
    return step in (DUE_STARTER, DUE_ROW, DUE_ROLL, DUE_REROLL)


@njit_inline
def chance_acts(rows: Bytes, game: int, luck: Words) -> None:
    """Chance acts; it is due."""
    step = rows[game, STEP]
    if step in (DUE_ROLL, DUE_REROLL):
        dice = random_below(luck, game, ROW * ROW)
        _rolled(rows, game, dice // ROW + 1, dice % ROW + 1)
    elif step == DUE_ROW:
        for at in range(ROW):
            _lay(rows, game, random_below(luck, game, rows[game, IN_PILE]), at)
        _laid(rows, game)
    else:
        _start(rows, game, random_below(luck, game, 2))


@njit_inline
def happen(rows: Bytes, game: int, outcomes: Bytes) -> None:
    """What ``outcomes`` says happens: six cards, two dice or a seat."""
    step = rows[game, STEP]
    if step == DUE_ROW:
        for at in range(ROW):
            _lay(rows, game, _in_pile(rows, game, outcomes[game, at]), at)
        _laid(rows, game)
    elif step == DUE_STARTER:
        _start(rows, game, outcomes[game, 0])
    else:
        _rolled(rows, game, outcomes[game, 0], outcomes[game, 1])


@njit_inline
def _in_pile(rows: Bytes, game: int, card: int) -> int:
    """The place of a card in the pile; it is there."""
    place = 0
    while rows[game, PILE + place] != card:
        place += 1
    return place


@njit_inline
def _lay(rows: Bytes, game: int, place: int, at: int) -> None:
    """The card at a place of the pile is laid into the row."""
    last = rows[game, IN_PILE] - 1
    rows[game, CARDS + at] = rows[game, PILE + place]
    rows[game, PILE + place] = rows[game, PILE + last]
    rows[game, IN_PILE] = last


@njit_inline
def _laid(rows: Bytes, game: int) -> None:
    rows[game, TURN] = rows[game, STARTER]
    rows[game, STEP] = DUE_TURN


@njit_inline
def _rolled(rows: Bytes, game: int, one: int, other: int) -> None:
    rows[game, LOW] = min(one, other)
    rows[game, HIGH] = max(one, other)
    rows[game, STEP] = DUE_PLACE


@njit_inline
def _start(rows: Bytes, game: int, seat: int) -> None:
    rows[game, TURN] = seat
    rows[game, STARTER] = seat
    rows[game, STEP] = DUE_ROW


@njit_inline
def can_happen(rows: Bytes, game: int, outcomes: Bytes) -> bool:
    """Whether it is chance's turn, and what ``outcomes`` says is among what it can do."""
    step = rows[game, STEP]
    if step == DUE_STARTER:
        return bool(outcomes[game, 0] < 2)
    if step in (DUE_ROLL, DUE_REROLL):
        return bool(1 <= outcomes[game, 0] <= ROW and 1 <= outcomes[game, 1] <= ROW)
    if step != DUE_ROW:
        return False
    for at in range(ROW):
        card = outcomes[game, at]
        wanted = 0
        for other in range(ROW):
            wanted += outcomes[game, other] == card
        there = 0
        for place in range(rows[game, IN_PILE]):
            there += rows[game, PILE + place] == card
        if there < wanted:
            return False
    return True


@njit_inline
def score_of(rows: Bytes, game: int, points: Ints, winners: Flags) -> None:
    """S11 and S12: equal points are a draw."""
    for seat in range(2):
        points[seat] = _points(rows, game, seat)
    over = rows[game, STEP] == DUE_OVER
    winners[0] = over and points[0] >= points[1]
    winners[1] = over and points[1] >= points[0]


@njit_inline
def _points(rows: Bytes, game: int, seat: int) -> int:
    """S11: the points of a seat if the game ended now."""
    points = 0
    for kind in range(KINDS):
        points += as_int64(rows[game, TRICKS + KINDS * seat + kind])
    for nation in range(CREWS):
        own = as_int64(rows[game, STRENGTH + CREWS * seat + nation])
        rival = as_int64(rows[game, STRENGTH + CREWS * (1 - seat) + nation])
        if own > rival:
            points += rival if rival else own
    return points


@njit_inline
def play_on(rows: Bytes, game: int, luck: Words) -> int:
    """Random legal moves to the end; how many they were."""
    decisions = 0
    while rows[game, STEP] != DUE_OVER:
        bits = legal_bits(rows, game)
        if bits:
            act(rows, game, random_set_bit(luck, game, bits))
            decisions += 1
        else:
            chance_acts(rows, game, luck)
    return decisions
