"""The rules of Shanghaien once more, as kernels over rows of bytes (``layout``).

The parts work on one game, ``rows[game]``, and take it that what they are told is legal. The kernels go through the
games from ``start`` to ``stop``.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from kontor.batch.arrays import Bytes, Flags, Ints, Longs, Reals, Seats, Words
from kontor.batch.compiled import below, compiled, fixed, lowest, luck_of, one_of, ones, whole, within
from kontor.batch.shanghaien import layout
from kontor.batch.shanghaien.layout import (
    BOTH,
    FEATURES,
    JOKER,
    LAYOUT,
    LEFT,
    NONE,
    NUDGE,
    OPTIONS,
    PLACE,
    REROLL,
    ROLL,
    SHANGHAI,
)
from kontor.game import CHANCE, OVER
from kontor.shanghaien.components import JOKER as JOKER_COUNTS
from kontor.shanghaien.components import ROUNDS, ROW

_STARTER, _ROW, _TURN, _ROLL, _REROLL, _PLACE, _BOTH, _OVER = map(fixed, range(len(layout.STEPS)))

STEP: Final = fixed(LAYOUT.at("step"))
TURN: Final = fixed(LAYOUT.at("turn"))
LOW: Final = fixed(LAYOUT.at("roll"))
HIGH: Final = fixed(LOW + 1)
SPENT: Final = fixed(LAYOUT.at("spent"))
ONE_AT: Final = fixed(LAYOUT.at("one_at"))
ROUND: Final = fixed(LAYOUT.at("round"))
STARTER: Final = fixed(LAYOUT.at("starter"))
CARDS: Final = fixed(LAYOUT.at("row"))
PLACED: Final = fixed(LAYOUT.at("placed"))
DICE: Final = fixed(LAYOUT.at("dice"))
TRICKS: Final = fixed(LAYOUT.at("tricks"))
NATIONS: Final = fixed(LAYOUT.at("nations"))
STRENGTH: Final = fixed(LAYOUT.at("strength"))
IN_PILE: Final = fixed(LAYOUT.at("left"))
PILE: Final = fixed(LAYOUT.at("pile"))
RECRUITS: Final = fixed(LAYOUT.at("recruits"))
SAILORS: Final = fixed(LAYOUT.at("sailors"))
LAID: Final = fixed(LAYOUT.at("laid"))
JOKERS: Final = fixed(LAYOUT.at("jokers"))
LEFT_GAME: Final = fixed(LAYOUT.at("left_game"))
GONE: Final = fixed(LAYOUT.at("gone"))
AWARD_CARD: Final = fixed(LAYOUT.at("award_card"))
AWARD_DICE: Final = fixed(LAYOUT.at("award_dice"))
AWARD_PIPS: Final = fixed(LAYOUT.at("award_pips"))
AWARD_TAKER: Final = fixed(LAYOUT.at("award_taker"))
AWARD_ONE_AT: Final = fixed(LAYOUT.at("award_one_at"))

WIDTH: Final = fixed(LAYOUT.width)
DECK: Final = fixed(layout.DECK)
KINDS: Final = fixed(3)
CREWS: Final = fixed(8)
MOST_SAILORS: Final = fixed(layout.MOST_SAILORS)
MOST_TRICKS: Final = fixed(layout.MOST_TRICKS)
FIRST_TRICK_CARD: Final = layout.CARDS.index("nudge")
SAILOR_VALUES: Final = fixed(layout.VALUES)

OPTION_STARTER: Final = fixed(OPTIONS.at("starter"))
OPTION_FIRST_TRICK: Final = fixed(OPTIONS.at("first_trick"))
OPTION_DECK: Final = fixed(OPTIONS.at("deck"))

CARD_KINDS: Final = fixed(len(layout.CARDS))
SEES_STEP: Final = fixed(FEATURES.at("step"))
SEES_ROLL: Final = fixed(FEATURES.at("roll"))
SEES_ONE_AT: Final = fixed(FEATURES.at("one_at"))
SEES_ROUND: Final = fixed(FEATURES.at("round"))
SEES_STARTER: Final = fixed(FEATURES.at("starter"))
SEES_SPENT: Final = fixed(FEATURES.at("spent"))
SEES_PLACED: Final = fixed(FEATURES.at("placed"))
SEES_TRICKS: Final = fixed(FEATURES.at("tricks"))
SEES_STRENGTH: Final = fixed(FEATURES.at("strength"))
SEES_ROW: Final = fixed(FEATURES.at("row"))
SEES_TO_COME: Final = fixed(FEATURES.at("to_come"))

_PAIRS: Final = [(low, high) for low in range(ROW + 1) for high in range(ROW + 2)]


def _bits(numbers: set[int]) -> int:
    return sum(1 << number for number in numbers)


def _nudges(die: int) -> set[int]:
    return {NUDGE + 2 * (die - 1) - 1 + up for up in (0, 1) if 1 <= die + 2 * up - 1 <= ROW}


TURNS: Final = np.array(
    [_bits({ROLL})] * 2 + [_bits({ROLL, SHANGHAI})] * (ROW - 3) + [_bits({SHANGHAI})] * 2, np.uint64
)
"""What may be done in a turn, by the own dice placed (S4, S5)."""
ENDS: Final = np.uint64(_bits({LEFT, LEFT + 1}))
PLACES: Final = np.array(
    [_bits({PLACE + low - 1, PLACE + high - 1}) if low else 0 for low, high in _PAIRS], np.uint64
)
"""Which dice may be placed, by ``8 × lower + higher`` (S6)."""
NUDGES: Final = np.array(
    [_bits(_nudges(low) | _nudges(high)) if low and high <= ROW else 0 for low, high in _PAIRS], np.uint64
)
"""What *nudge* may do (S8b)."""
FROM: Final = np.array([die for die in range(1, ROW + 1) for to in (die - 1, die + 1) if 1 <= to <= ROW], np.uint8)
TO: Final = np.array([to for die in range(1, ROW + 1) for to in (die - 1, die + 1) if 1 <= to <= ROW], np.uint8)
"""The die that is changed, and what it becomes, by the number of the nudge."""
BOTH_BIT: Final = np.uint64(1 << BOTH)
REROLL_BIT: Final = np.uint64(1 << REROLL)
NO_BITS: Final = np.uint64(0)


# ------------------------------------------------------------------------------------------------ one game


@within
def _begin(rows: Bytes, game: int, options: Bytes) -> None:
    """The state before the first outcome (S3)."""
    for place in range(WIDTH):
        rows[game, place] = 0
    starter = options[OPTION_STARTER]
    rows[game, STEP] = _STARTER if starter == NONE else _ROW
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


@within
def _legal(rows: Bytes, game: int) -> np.uint64:
    """The legal moves as bits; none if chance is to act or the game is over."""
    step = rows[game, STEP]
    turn = rows[game, TURN]
    if step == _TURN:
        bits: np.uint64 = TURNS[rows[game, DICE + turn]]
        return bits
    if step == _PLACE:
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
    return ENDS if step == _BOTH else NO_BITS


@within
def _place_die(rows: Bytes, game: int, turn: int, die: int) -> None:
    rows[game, PLACED + ROW * turn + die - 1] += 1
    rows[game, DICE + turn] += 1


@within
def _pass_on(rows: Bytes, game: int, turn: int) -> None:
    """The dice are placed, and it is the other's turn."""
    rows[game, LOW] = 0
    rows[game, HIGH] = 0
    rows[game, TURN] = 1 - turn
    rows[game, STEP] = _TURN


@within
def _place_both(rows: Bytes, game: int, turn: int) -> None:
    _place_die(rows, game, turn, rows[game, LOW])
    _place_die(rows, game, turn, rows[game, HIGH])
    _pass_on(rows, game, turn)


@within
def _leave(rows: Bytes, game: int, card: int) -> None:
    """A card leaves the game."""
    rows[game, GONE + rows[game, LEFT_GAME]] = card
    rows[game, LEFT_GAME] += 1


@within
def _act(rows: Bytes, game: int, action: int) -> None:
    """The mover does something legal."""
    turn = rows[game, TURN]
    if action == ROLL:
        rows[game, STEP] = _ROLL
    elif action == SHANGHAI:
        _shanghai(rows, game, turn)
    elif action < PLACE:
        rows[game, ONE_AT] = action - LEFT + 1
        if rows[game, STEP] == _BOTH:
            _place_both(rows, game, turn)
    elif action < JOKER:
        _place_die(rows, game, turn, action - PLACE + 1)
        _pass_on(rows, game, turn)
    else:
        rows[game, SPENT + turn] = 1
        _trick(rows, game, turn, action)


@within
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
            rows[game, STEP] = _BOTH
    else:
        kind = 2
        rows[game, LOW] = 0
        rows[game, HIGH] = 0
        rows[game, STEP] = _REROLL
    rows[game, TRICKS + KINDS * turn + kind] -= 1
    if action >= NUDGE:
        _leave(rows, game, FIRST_TRICK_CARD + kind)


@within
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
        rows[game, STEP] = _OVER
    else:
        rows[game, ROUND] += 1
        rows[game, STEP] = _ROW


@within
def _award(rows: Bytes, game: int, at: int, card: int) -> int:
    """S9: who gets the card at a place; it is kept by which numbers."""
    first = whole(rows[game, PLACED + at])
    second = whole(rows[game, PLACED + ROW + at])
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


@within
def _beside(rows: Bytes, game: int, placed: int, at: int) -> int:
    """The pips of the dice on the cards beside a place, 0 to 5."""
    pips = 0
    if at:
        pips += at * whole(rows[game, placed + at - 1])
    if at < ROW - 1:
        pips += (at + 2) * whole(rows[game, placed + at + 1])
    return pips


@within
def _recruit(rows: Bytes, game: int, seat: int, sailor: int) -> None:
    nation, value = divmod(sailor, SAILOR_VALUES)
    rows[game, SAILORS + MOST_SAILORS * seat + rows[game, RECRUITS + seat]] = sailor
    rows[game, RECRUITS + seat] += 1
    rows[game, NATIONS + seat] |= 1 << nation
    rows[game, STRENGTH + CREWS * seat + nation] += value + 1


@within
def _lay(rows: Bytes, game: int, place: int, at: int) -> None:
    """The card at a place of the pile is laid into the row."""
    last = rows[game, IN_PILE] - 1
    rows[game, CARDS + at] = rows[game, PILE + place]
    rows[game, PILE + place] = rows[game, PILE + last]
    rows[game, IN_PILE] = last


@within
def _laid(rows: Bytes, game: int) -> None:
    rows[game, TURN] = rows[game, STARTER]
    rows[game, STEP] = _TURN


@within
def _rolled(rows: Bytes, game: int, one: int, other: int) -> None:
    rows[game, LOW] = min(one, other)
    rows[game, HIGH] = max(one, other)
    rows[game, STEP] = _PLACE


@within
def _start(rows: Bytes, game: int, seat: int) -> None:
    rows[game, TURN] = seat
    rows[game, STARTER] = seat
    rows[game, STEP] = _ROW


@within
def _draw(rows: Bytes, game: int, luck: Words) -> None:
    """Chance acts, if it is due."""
    step = rows[game, STEP]
    if step in (_ROLL, _REROLL):
        dice = below(luck, game, ROW * ROW)
        _rolled(rows, game, dice // ROW + 1, dice % ROW + 1)
    elif step == _ROW:
        for at in range(ROW):
            _lay(rows, game, below(luck, game, rows[game, IN_PILE]), at)
        _laid(rows, game)
    elif step == _STARTER:
        _start(rows, game, below(luck, game, 2))


@within
def _points(rows: Bytes, game: int, seat: int) -> int:
    """S11: the points of a seat if the game ended now."""
    points = 0
    for kind in range(KINDS):
        points += whole(rows[game, TRICKS + KINDS * seat + kind])
    for nation in range(CREWS):
        own = whole(rows[game, STRENGTH + CREWS * seat + nation])
        rival = whole(rows[game, STRENGTH + CREWS * (1 - seat) + nation])
        if own > rival:
            points += rival if rival else own
    return points


@within
def _score(rows: Bytes, game: int, points: Ints, winners: Flags) -> None:
    """S11 and S12: equal points are a draw."""
    for seat in range(2):
        points[seat] = _points(rows, game, seat)
    over = rows[game, STEP] == _OVER
    winners[0] = over and points[0] >= points[1]
    winners[1] = over and points[1] >= points[0]


@within
def _play_out(rows: Bytes, game: int, luck: Words) -> int:
    """Random legal moves to the end; how many they were."""
    decisions = 0
    while rows[game, STEP] != _OVER:
        bits = _legal(rows, game)
        if bits:
            _act(rows, game, one_of(luck, game, bits))
            decisions += 1
        else:
            _draw(rows, game, luck)
    return decisions


# ------------------------------------------------------------------------------------------------- kernels


@compiled
def reset(rows: Bytes, luck: Words, options: Bytes, seed: np.uint64, first: int, start: int, stop: int) -> None:
    """Games begin anew, with the luck of a seed; the number of the first game of the batch is ``first``."""
    for game in range(start, stop):
        _begin(rows, game, options)
        luck[game] = luck_of(seed, np.uint64(first + game))


@compiled
def illegal(rows: Bytes, actions: Longs, start: int, stop: int) -> int:
    """The first game in which the action is not legal, or −1; an action of −1 is nothing."""
    for game in range(start, stop):
        action = actions[game]
        if action < -1 or action > REROLL:
            return game
        if action >= 0 and not (_legal(rows, game) >> np.uint64(action)) & np.uint64(1):
            return game
    return -1


@compiled
def step(rows: Bytes, actions: Longs, start: int, stop: int) -> None:
    """Each game's mover does what ``actions`` says, which is legal."""
    for game in range(start, stop):
        if actions[game] >= 0:
            _act(rows, game, actions[game])


@compiled
def draw(rows: Bytes, luck: Words, start: int, stop: int) -> None:
    """Chance acts in every game in which it is due, until a seat is to move."""
    for game in range(start, stop):
        while rows[game, STEP] != _OVER and not _legal(rows, game):
            _draw(rows, game, luck)


@compiled
def draw_once(rows: Bytes, luck: Words, which: Flags, start: int, stop: int) -> None:
    """Chance acts once, in some of the games in which it is due."""
    for game in range(start, stop):
        if which[game]:
            _draw(rows, game, luck)


@compiled
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
    slot = whole(0)
    for game in range(start, stop):
        _begin(rows, slot, options)
        luck[slot] = luck_of(seed, np.uint64(first + game))
        decisions[game] = _play_out(rows, slot, luck)
        _score(rows, slot, points[game], winners[game])


@compiled
def restart(rows: Bytes, which: Flags, options: Bytes, start: int, stop: int) -> None:
    """Some of the games begin anew, and their luck goes on."""
    for game in range(start, stop):
        if which[game]:
            _begin(rows, game, options)


@compiled
def impossible(rows: Bytes, outcomes: Bytes, start: int, stop: int) -> int:
    """The first game in which the outcome cannot happen, or −1; one that begins with NONE is nothing."""
    for game in range(start, stop):
        if outcomes[game, 0] != NONE and not _can_happen(rows, game, outcomes):
            return game
    return -1


@compiled
def give(rows: Bytes, outcomes: Bytes, start: int, stop: int) -> None:
    """Chance does what ``outcomes`` says, which can happen: six cards, two dice or a seat."""
    for game in range(start, stop):
        if outcomes[game, 0] != NONE:
            step = rows[game, STEP]
            if step == _ROW:
                for at in range(ROW):
                    _lay(rows, game, _in_pile(rows, game, outcomes[game, at]), at)
                _laid(rows, game)
            elif step == _STARTER:
                _start(rows, game, outcomes[game, 0])
            else:
                _rolled(rows, game, outcomes[game, 0], outcomes[game, 1])


@within
def _can_happen(rows: Bytes, game: int, outcomes: Bytes) -> bool:
    step = rows[game, STEP]
    if step == _STARTER:
        return bool(outcomes[game, 0] < 2)
    if step in (_ROLL, _REROLL):
        return bool(1 <= outcomes[game, 0] <= ROW and 1 <= outcomes[game, 1] <= ROW)
    if step != _ROW:
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


@within
def _in_pile(rows: Bytes, game: int, card: int) -> int:
    """The place of a card in the pile; it is there."""
    place = 0
    while rows[game, PILE + place] != card:
        place += 1
    return place


@compiled
def legal(rows: Bytes, mask: Flags, start: int, stop: int) -> None:
    """Which actions are legal in each game."""
    for game in range(start, stop):
        bits = _legal(rows, game)
        for action in range(REROLL + 1):
            mask[game, action] = (bits >> np.uint64(action)) & np.uint64(1)


@compiled
def choices(rows: Bytes, counts: Longs, start: int, stop: int) -> None:
    """How many moves are legal in each game."""
    for game in range(start, stop):
        counts[game] = ones(_legal(rows, game))


@compiled
def nth(rows: Bytes, which: Longs, actions: Longs, start: int, stop: int) -> None:
    """The legal action with a number from 0, in the order of the actions; −1 where ``which`` is below 0."""
    for game in range(start, stop):
        bits = _legal(rows, game)
        for _ in range(which[game]):
            bits &= bits - np.uint64(1)
        actions[game] = whole(lowest(bits)) if which[game] >= 0 else -1


@compiled
def movers(rows: Bytes, seats: Seats, start: int, stop: int) -> None:
    """The seat to move, CHANCE or OVER."""
    for game in range(start, stop):
        step = rows[game, STEP]
        if step == _OVER:
            seats[game] = OVER
        elif step in (_TURN, _PLACE, _BOTH):
            seats[game] = rows[game, TURN]
        else:
            seats[game] = CHANCE


@compiled
def score(rows: Bytes, points: Ints, winners: Flags, start: int, stop: int) -> None:
    """The points of both seats if the games ended now, and who has won."""
    for game in range(start, stop):
        _score(rows, game, points[game], winners[game])


@compiled
def play_out(rows: Bytes, luck: Words, decisions: Ints, start: int, stop: int) -> None:
    """Random legal moves from where the games stand to their end; how many they were."""
    for game in range(start, stop):
        decisions[game] = _play_out(rows, game, luck)


@compiled
def observe(rows: Bytes, features: Reals, start: int, stop: int) -> None:
    """What the seat to move may know, as numbers: ``layout.FEATURES``. All 0 where no seat is to move."""
    for game in range(start, stop):
        features[game] = 0
        step = rows[game, STEP]
        if step in (_TURN, _PLACE, _BOTH):
            _observe(rows, game, rows[game, TURN], features)


@within
def _observe(rows: Bytes, game: int, seat: int, features: Reals) -> None:
    step = rows[game, STEP]
    features[game, SEES_STEP + (0 if step == _TURN else 1 if step == _PLACE else 2)] = 1
    if rows[game, LOW]:
        features[game, SEES_ROLL + rows[game, LOW] - 1] += 1
        features[game, SEES_ROLL + rows[game, HIGH] - 1] += 1
    features[game, SEES_ONE_AT + rows[game, ONE_AT]] = 1
    features[game, SEES_ROUND] = rows[game, ROUND]
    features[game, SEES_STARTER] = rows[game, STARTER] == seat
    for at in range(ROW):
        card = rows[game, CARDS + at]
        features[game, SEES_ROW + CARD_KINDS * at + card] = 1
    for place in range(rows[game, IN_PILE]):
        features[game, SEES_TO_COME + rows[game, PILE + place]] += 1
    for side in range(2):
        who = seat if side == 0 else 1 - seat
        features[game, SEES_SPENT + side] = rows[game, SPENT + who]
        for at in range(ROW):
            features[game, SEES_PLACED + ROW * side + at] = rows[game, PLACED + ROW * who + at]
        for kind in range(KINDS):
            features[game, SEES_TRICKS + KINDS * side + kind] = rows[game, TRICKS + KINDS * who + kind]
        for nation in range(CREWS):
            features[game, SEES_STRENGTH + CREWS * side + nation] = rows[game, STRENGTH + CREWS * who + nation]
