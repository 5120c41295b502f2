"""Der fliegende Holländer by numbered steps, for learners: a lay and a proposal are several steps each.

The steps of an unfinished lay or proposal are known only to the mover; they are kept outside the row (``begun``).
"""

from __future__ import annotations

import numpy as np

from kontor.batch.arrays import Bytes, Flags, GameRow, Numbers
from kontor.batch.compiled import as_int64, njit_inline, trailing_zeros
from kontor.games.dutchman.batch.bargaining import propose
from kontor.games.dutchman.batch.layout import LAY
from kontor.games.dutchman.batch.looking import look_from, width
from kontor.games.dutchman.batch.moves import few_moves, fields_ahead
from kontor.games.dutchman.batch.rules import act, act_at_random, chance_acts, is_chance, is_over, mover_of, score_of
from kontor.games.dutchman.batch.steps import DUCATS, FIRST_GOLD, MOST_DUCATS, TO, steps
from kontor.games.dutchman.batch.tables import DUE_ACTION, DUE_AGAIN, DUE_PROPOSE, FIELDS, GOLD, SILVERS, SILVERS_FROM


@njit_inline
def _silver_kinds(game: GameRow, seat: int) -> int:
    """Return the number of kinds of silver in a rack."""
    kinds = 0
    for kind in range(SILVERS):
        kinds += game.rack_silver[seat, kind] > 0
    return kinds


@njit_inline
def _kind_at(game: GameRow, seat: int, place: int) -> int:
    """Return the kind of silver with a number from 0, among those in a rack."""
    kind = 0
    while True:
        if game.rack_silver[seat, kind] > 0:
            if place == 0:
                return kind
            place -= 1
        kind += 1


@njit_inline
def _range_of_counts(game: GameRow, begun: GameRow) -> tuple[int, int]:
    """Return the first and last step that say how many of the next kind of silver are laid.

    Of the last kind it is at least one, if the lay is still empty.
    """
    seat = mover_of(game)
    kind = _kind_at(game, seat, as_int64(begun.count) - 1)
    least = 0
    if begun.count == _silver_kinds(game, seat) and begun.steps[0] == FIRST_GOLD:
        least = 1
        for place in range(1, begun.count):
            if begun.steps[place] > SILVERS_FROM[_kind_at(game, seat, as_int64(place) - 1)]:
                least = 0
    first = as_int64(SILVERS_FROM[kind])
    return first + least, first + as_int64(game.rack_silver[seat, kind])


@njit_inline
def _no_change(game: GameRow) -> int:
    """Return the step that says that a tied player neither gets nor pays."""
    return DUCATS + MOST_DUCATS * as_int64(game.players)


@njit_inline
def _range_of_ducats(game: GameRow, begun: GameRow) -> tuple[int, int]:
    """Return the first and last step that say what the next tied player gets or pays (H9).

    They reach from paying all their cash to getting all that is left.
    """
    none = _no_change(game)
    left = as_int64(0)
    for place in range(game.tie):
        left += game.cash[game.tied[place]]
    given = as_int64(begun.count) - 1
    for place in range(given):
        left -= game.cash[game.tied[place]] + as_int64(begun.steps[place + 1]) - none
    first = none - as_int64(game.cash[game.tied[given]])
    return first, first + left


@njit_inline
def _range_of_steps(game: GameRow, begun: GameRow) -> tuple[int, int]:
    """Return the first and last step that may continue a lay or a proposal."""
    if begun.steps[0] >= TO:
        return _range_of_ducats(game, begun)
    return _range_of_counts(game, begun)


@njit_inline
def mark_steps(game: GameRow, begun: GameRow, mask: Bytes) -> None:
    """Set the steps in the mask that are legal."""
    if begun.count:
        first, last = _range_of_steps(game, begun)
        mask[first : last + 1] = 1
        return
    base, bits = few_moves(game)
    while bits:
        mask[base + as_int64(trailing_zeros(bits))] = 1
        bits &= bits - np.uint64(1)
    if game.step in (DUE_ACTION, DUE_AGAIN):
        seat = mover_of(game)
        gold = np.uint64(game.rack_gold[seat])
        while gold:
            mask[FIRST_GOLD + GOLD - as_int64(trailing_zeros(gold))] = 1
            gold &= gold - np.uint64(1)
        if _silver_kinds(game, seat):
            mask[FIRST_GOLD] = 1
    elif game.step == DUE_PROPOSE:
        ahead = fields_ahead(game)
        while ahead:
            mask[TO + as_int64(trailing_zeros(ahead))] = 1
            ahead &= ahead - np.uint64(1)


@njit_inline
def is_step(game: GameRow, begun: GameRow, step: int) -> bool:
    """Return True if a step is legal."""
    if step < 0:
        return False
    if begun.count:
        first, last = _range_of_steps(game, begun)
        return first <= step <= last
    if step < LAY:
        base, bits = few_moves(game)
        return step >= base and step - base < 64 and ((bits >> np.uint64(step - base)) & np.uint64(1)) != 0
    if step <= FIRST_GOLD + GOLD:
        if game.step not in (DUE_ACTION, DUE_AGAIN):
            return False
        seat = mover_of(game)
        if step == FIRST_GOLD:
            return _silver_kinds(game, seat) > 0
        return bool((game.rack_gold[seat] >> (FIRST_GOLD + GOLD - step)) & 1 != 0)
    if TO <= step < TO + FIELDS:
        return bool(game.step == DUE_PROPOSE and (fields_ahead(game) >> np.uint64(step - TO)) & np.uint64(1) != 0)
    return False


@njit_inline
def take_step(game: GameRow, begun: GameRow, step: int) -> None:
    """Apply a legal step of the mover; the last step of a move makes the move."""
    if begun.count == 0 and step < LAY:
        act(game, step)
        return
    begun.steps[begun.count] = step
    begun.count += 1
    if begun.steps[0] >= TO:
        if begun.count == game.tie:
            _propose(game, begun)
            begun.count = 0
    elif begun.count > _silver_kinds(game, mover_of(game)):
        lay = _lay_of(game, begun)
        begun.count = 0
        act(game, LAY + lay)


@njit_inline
def _lay_of(game: GameRow, begun: GameRow) -> int:
    """Return the number of the lay that these steps make (``layout.LAY``)."""
    seat = mover_of(game)
    lay = as_int64(begun.steps[0]) - FIRST_GOLD
    place = 1
    for kind in range(SILVERS):
        lay *= 4 if kind % 2 == 0 else 14
        if game.rack_silver[seat, kind] > 0:
            lay += as_int64(begun.steps[place]) - SILVERS_FROM[kind]
            place += 1
    return lay


@njit_inline
def _propose(game: GameRow, begun: GameRow) -> None:
    """Make the proposal of these steps (H9): the last of the tied players gets or pays the rest."""
    none = _no_change(game)
    rest = as_int64(0)
    for place in range(game.tie - 1):
        change = as_int64(begun.steps[place + 1]) - none
        game.ducats[place] = change
        rest -= change
    game.ducats[game.tie - 1] = rest
    game.happened = 0
    propose(game, as_int64(begun.steps[0]) - TO)


@njit_inline
def rewards_of(winners: Flags, rewards: Numbers) -> None:
    """Write each seat's reward: 1 for the victory, which several winners share (H13)."""
    many = as_int64(0)
    for seat in range(len(winners)):
        many += winners[seat]
    for seat in range(len(winners)):
        rewards[seat] = as_int64(winners[seat]) / many


__all__ = [
    "act_at_random",
    "chance_acts",
    "is_chance",
    "is_over",
    "is_step",
    "look_from",
    "mark_steps",
    "mover_of",
    "rewards_of",
    "score_of",
    "steps",
    "take_step",
    "width",
]
