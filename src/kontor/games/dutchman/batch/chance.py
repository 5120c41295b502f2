"""The outcomes of chance: the lot, the deal, the dice, and shuffles."""

from __future__ import annotations

from kontor.batch.arrays import Bytes, GameRow, Ints, LuckRow
from kontor.batch.compiled import as_int64, njit_inline, random_below
from kontor.games.dutchman.batch.acting import share_out
from kontor.games.dutchman.batch.bargaining import roll_for_it
from kontor.games.dutchman.batch.goods import horseshoes_in
from kontor.games.dutchman.batch.layout import PILE
from kontor.games.dutchman.batch.setting_up import dealt
from kontor.games.dutchman.batch.tables import (
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
    HORSESHOES,
    ONES,
    SILVER_NUMBERS,
    SILVERS,
    TENS,
)
from kontor.games.dutchman.batch.turns import next_round, order_from, queue


@njit_inline
def is_chance(game: GameRow) -> bool:
    """Return True if chance is to act."""
    step = game.step
    return step <= DUE_LUCKY or step in (DUE_SHARE, DUE_ROLLING, DUE_SHUFFLE)


@njit_inline
def chance_acts(game: GameRow, luck: LuckRow, outcome: Bytes) -> None:
    """Draw an outcome, write it into ``outcome``, and apply it."""
    step = game.step
    if step in (DUE_LUCKY, DUE_ROLLING):
        sides = random_below(luck, DIE_SIDES * DIE_SIDES)
        outcome[0] = TENS[sides // DIE_SIDES]
        outcome[1] = ONES[sides % DIE_SIDES]
    elif step == DUE_STARTER:
        outcome[0] = random_below(luck, as_int64(game.players))
    elif step == DUE_DEAL:
        shares = COLOURS * as_int64(game.players - 1)
        for place in range(shares):
            outcome[place] = place % COLOURS
        for place in range(BOX):
            outcome[shares + place] = HORSESHOES[place]
        _shuffle(luck, outcome, as_int64(0), shares)
        _shuffle(luck, outcome, shares, BOX)
    elif step == DUE_SHARE:
        _shuffle(luck, outcome, as_int64(0), _write_middle(game, outcome))
    else:
        for place in range(game.in_pile):
            outcome[place] = game.pile[(game.top + place) % PILE]
        _shuffle(luck, outcome, as_int64(0), as_int64(game.in_pile))
    happen(game, outcome)


@njit_inline
def _shuffle(luck: LuckRow, outcome: Bytes, first: int, many: int) -> None:
    """Shuffle so many numbers of the outcome (Fisher and Yates)."""
    for back in range(many - 1):
        place = many - 1 - back
        other = random_below(luck, place + 1)
        number = outcome[first + place]
        outcome[first + place] = outcome[first + other]
        outcome[first + other] = number


@njit_inline
def _write_middle(game: GameRow, outcome: Bytes) -> int:
    """Write the numbers of the horseshoes in the middle, and return how many there are."""
    many = 0
    for gold in range(GOLD):
        if (game.middle_gold >> gold) & 1:
            outcome[many] = 21 + gold
            many += 1
    for kind in range(SILVERS):
        for _ in range(game.middle_silver[kind]):
            outcome[many] = SILVER_NUMBERS[kind]
            many += 1
    return many


@njit_inline
def happen(game: GameRow, outcome: Bytes) -> None:
    """Apply the outcome written in ``outcome``."""
    game.happened = 0
    step = game.step
    if step == DUE_LUCKY:
        game.lucky = as_int64(outcome[0]) + outcome[1]
        queue(game, game.order, as_int64(game.in_order))
        game.step = DUE_ACTION
    elif step == DUE_ROLLING:
        roll_for_it(game, as_int64(outcome[0]) + outcome[1])
    elif step == DUE_STARTER:
        order_from(game, as_int64(outcome[0]))
        game.step = DUE_DEAL
    elif step == DUE_DEAL:
        dealt(game, outcome)
    elif step == DUE_SHARE:
        share_out(game, outcome)
    else:
        for place in range(game.in_pile):
            game.pile[(game.top + place) % PILE] = outcome[place]
        next_round(game)


@njit_inline
def can_happen(game: GameRow, outcome: Bytes) -> bool:
    """Return True if chance is to act, and the outcome is possible."""
    step = game.step
    if step == DUE_STARTER:
        return bool(outcome[0] < game.players)
    if step in (DUE_LUCKY, DUE_ROLLING):
        return _on_die(TENS, outcome[0]) and _on_die(ONES, outcome[1])
    if step == DUE_DEAL:
        shares = COLOURS * as_int64(game.players - 1)
        for colour in range(COLOURS):
            if _count(outcome, as_int64(0), shares, colour) != game.players - 1:
                return False
        for place in range(BOX):
            if _count(outcome, shares, BOX, as_int64(HORSESHOES[place])) != _count_of(HORSESHOES, HORSESHOES[place]):
                return False
        return True
    if step == DUE_SHARE:
        middle = horseshoes_in(game.middle_gold, game.middle_silver)
        for kind in range(SILVERS):
            if _count(outcome, as_int64(0), middle, as_int64(SILVER_NUMBERS[kind])) != game.middle_silver[kind]:
                return False
        for gold in range(GOLD):
            if _count(outcome, as_int64(0), middle, 21 + gold) != (game.middle_gold >> gold) & 1:
                return False
        return True
    if step != DUE_SHUFFLE:
        return False
    for colour in range(COLOURS):
        count = 0
        for place in range(game.in_pile):
            count += game.pile[(game.top + place) % PILE] == colour
        if _count(outcome, as_int64(0), as_int64(game.in_pile), colour) != count:
            return False
    return True


@njit_inline
def _on_die(die: Ints, number: int) -> bool:
    """Return True if the number is on a side of the die."""
    is_on = False
    for side in range(DIE_SIDES):
        is_on = is_on or die[side] == number
    return is_on


@njit_inline
def _count(outcome: Bytes, first: int, many: int, number: int) -> int:
    """Return how often a number occurs among so many of an outcome."""
    count = 0
    for place in range(first, first + many):
        count += outcome[place] == number
    return count


@njit_inline
def _count_of(numbers: Ints, number: int) -> int:
    """Return how often a number occurs among these."""
    count = 0
    for place in range(len(numbers)):
        count += numbers[place] == number
    return count
