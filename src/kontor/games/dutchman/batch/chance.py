"""What chance does: the lot, the deal, the dice, and what is shuffled."""

from __future__ import annotations

from kontor.batch.arrays import Bytes, Ints, Rows, Words
from kontor.batch.compiled import as_int64, njit_inline, random_below
from kontor.games.dutchman.batch.acting import share_out
from kontor.games.dutchman.batch.bargaining import roll_for_it
from kontor.games.dutchman.batch.goods import horseshoes_in
from kontor.games.dutchman.batch.layout import PILE
from kontor.games.dutchman.batch.places import (
    BOX,
    COLOURS,
    DIE_SIDES,
    DUE_ACTION,
    DUE_DEAL,
    DUE_LUCKY,
    DUE_ROLLING,
    DUE_SHARE,
    DUE_SHUFFLE,
    DUE_STARTER,
    GOLD,
    HAPPENED,
    HORSESHOES,
    IN_ORDER,
    IN_PILE,
    LUCKY,
    MIDDLE_GOLD,
    MIDDLE_SILVER,
    ONES,
    ORDER,
    PILE_OF,
    PLAYERS,
    SILVER_NUMBERS,
    SILVERS,
    STEP,
    TENS,
    TOP,
)
from kontor.games.dutchman.batch.setting_up import dealt
from kontor.games.dutchman.batch.turns import next_round, order_from, queue


@njit_inline
def is_chance(rows: Rows, game: int) -> bool:
    """Whether chance is to act."""
    step = rows[game, STEP]
    return step <= DUE_LUCKY or step in (DUE_SHARE, DUE_ROLLING, DUE_SHUFFLE)


@njit_inline
def chance_acts(rows: Rows, game: int, luck: Words, told: Bytes) -> None:
    """Chance acts: what it does is written into the first row of ``told``, and happens."""
    step = rows[game, STEP]
    if step in (DUE_LUCKY, DUE_ROLLING):
        sides = random_below(luck, game, DIE_SIDES * DIE_SIDES)
        told[0, 0] = TENS[sides // DIE_SIDES]
        told[0, 1] = ONES[sides % DIE_SIDES]
    elif step == DUE_STARTER:
        told[0, 0] = random_below(luck, game, as_int64(rows[game, PLAYERS]))
    elif step == DUE_DEAL:
        shares = COLOURS * as_int64(rows[game, PLAYERS] - 1)
        for place in range(shares):
            told[0, place] = place % COLOURS
        for place in range(BOX):
            told[0, shares + place] = HORSESHOES[place]
        _shuffle(luck, game, told, as_int64(0), shares)
        _shuffle(luck, game, told, shares, BOX)
    elif step == DUE_SHARE:
        _shuffle(luck, game, told, as_int64(0), _write_middle(rows, game, told))
    else:
        for place in range(rows[game, IN_PILE]):
            told[0, place] = rows[game, PILE_OF + (rows[game, TOP] + place) % PILE]
        _shuffle(luck, game, told, as_int64(0), as_int64(rows[game, IN_PILE]))
    happen(rows, game, told, as_int64(0))


@njit_inline
def _shuffle(luck: Words, game: int, told: Bytes, first: int, many: int) -> None:
    """Fisher and Yates."""
    for back in range(many - 1):
        place = many - 1 - back
        other = random_below(luck, game, place + 1)
        kept = told[0, first + place]
        told[0, first + place] = told[0, first + other]
        told[0, first + other] = kept


@njit_inline
def _write_middle(rows: Rows, game: int, told: Bytes) -> int:
    """The horseshoes in the middle by their numbers; how many they are."""
    many = 0
    for gold in range(GOLD):
        if (rows[game, MIDDLE_GOLD] >> gold) & 1:
            told[0, many] = 21 + gold
            many += 1
    for kind in range(SILVERS):
        for _ in range(rows[game, MIDDLE_SILVER + kind]):
            told[0, many] = SILVER_NUMBERS[kind]
            many += 1
    return many


@njit_inline
def happen(rows: Rows, game: int, told: Bytes, at: int) -> None:
    """What is told in a row of outcomes happens."""
    rows[game, HAPPENED] = 0
    step = rows[game, STEP]
    if step == DUE_LUCKY:
        rows[game, LUCKY] = as_int64(told[at, 0]) + told[at, 1]
        queue(rows, game, ORDER, as_int64(rows[game, IN_ORDER]))
        rows[game, STEP] = DUE_ACTION
    elif step == DUE_ROLLING:
        roll_for_it(rows, game, as_int64(told[at, 0]) + told[at, 1])
    elif step == DUE_STARTER:
        order_from(rows, game, as_int64(told[at, 0]))
        rows[game, STEP] = DUE_DEAL
    elif step == DUE_DEAL:
        dealt(rows, game, told, at)
    elif step == DUE_SHARE:
        share_out(rows, game, told, at)
    else:
        for place in range(rows[game, IN_PILE]):
            rows[game, PILE_OF + (rows[game, TOP] + place) % PILE] = told[at, place]
        next_round(rows, game)


@njit_inline
def can_happen(rows: Rows, game: int, told: Bytes) -> bool:
    """Whether it is chance's turn, and what is told is among what it can do."""
    step = rows[game, STEP]
    if step == DUE_STARTER:
        return bool(told[game, 0] < rows[game, PLAYERS])
    if step in (DUE_LUCKY, DUE_ROLLING):
        return _on_die(TENS, told[game, 0]) and _on_die(ONES, told[game, 1])
    if step == DUE_DEAL:
        shares = COLOURS * as_int64(rows[game, PLAYERS] - 1)
        for colour in range(COLOURS):
            if _count(told, game, as_int64(0), shares, colour) != rows[game, PLAYERS] - 1:
                return False
        for place in range(BOX):
            if _count(told, game, shares, BOX, as_int64(HORSESHOES[place])) != _count_of(
                HORSESHOES, HORSESHOES[place]
            ):
                return False
        return True
    if step == DUE_SHARE:
        middle = horseshoes_in(rows, game, MIDDLE_GOLD, MIDDLE_SILVER)
        for kind in range(SILVERS):
            if (
                _count(told, game, as_int64(0), middle, as_int64(SILVER_NUMBERS[kind]))
                != rows[game, MIDDLE_SILVER + kind]
            ):
                return False
        for gold in range(GOLD):
            if _count(told, game, as_int64(0), middle, 21 + gold) != (rows[game, MIDDLE_GOLD] >> gold) & 1:
                return False
        return True
    if step != DUE_SHUFFLE:
        return False
    for colour in range(COLOURS):
        there = 0
        for place in range(rows[game, IN_PILE]):
            there += rows[game, PILE_OF + (rows[game, TOP] + place) % PILE] == colour
        if _count(told, game, as_int64(0), as_int64(rows[game, IN_PILE]), colour) != there:
            return False
    return True


@njit_inline
def _on_die(die: Ints, number: int) -> bool:
    found = False
    for side in range(DIE_SIDES):
        found = found or die[side] == number
    return found


@njit_inline
def _count(told: Bytes, game: int, first: int, many: int, number: int) -> int:
    """How often a number stands among so many of an outcome."""
    count = 0
    for place in range(first, first + many):
        count += told[game, place] == number
    return count


@njit_inline
def _count_of(numbers: Ints, number: int) -> int:
    count = 0
    for place in range(len(numbers)):
        count += numbers[place] == number
    return count
