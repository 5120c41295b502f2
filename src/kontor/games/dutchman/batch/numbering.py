"""Conversion of moves and outcomes of chance between the rules engine and the numbers of kernels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Any, Final

from kontor.games.dutchman.batch import layout
from kontor.games.dutchman.batch.layout import GOLD, LAY, NAME, PROPOSE, SAIL, WAYS
from kontor.games.dutchman.batch.states import field_names, places_of, silver_counts
from kontor.games.dutchman.rules import Move, State
from kontor.games.dutchman.rules.bargain import Payments
from kontor.games.dutchman.rules.components import COLOURS, MOST_SILVER, PLACE_OF, Horseshoes
from kontor.games.dutchman.rules.horseshoes import highest_first, laid
from kontor.games.dutchman.rules.moves import moves
from kontor.games.dutchman.rules.state import (
    Accept,
    Deal,
    Decline,
    Dice,
    Keep,
    Kontor,
    Lay,
    Name,
    Outcome,
    Pass,
    Propose,
    Put,
    Sail,
    Share,
    Show,
    Shuffle,
    Smith,
    Starter,
    Withhold,
)

_SIMPLE: Final[tuple[Move, ...]] = (
    Kontor(),
    Smith(),
    Pass(),
    Withhold(),
    Accept(),
    Decline(),
    Keep(),
    *[Show(colour) for colour in COLOURS],
    *[Put((COLOURS[one], COLOURS[other])) for one, other in layout.PAIRS],
)
_NUMBER: Final = {move: number for number, move in enumerate(_SIMPLE)}


def action_of(state: State, move: Move) -> int:
    """Return the number of a move.

    Raises KeyError if the move is impossible in this state.
    """
    match move:
        case Sail(to):
            return SAIL + places_of(state.options)[to]
        case Name(to):
            return NAME + places_of(state.options)[to]
        case Lay(horseshoes):
            return LAY + _lay_number(horseshoes)
        case Propose(to, ducats):
            return PROPOSE + WAYS * places_of(state.options)[to] + _way(_payments(state), ducats)
        case _:
            return _NUMBER[move]


def _lay_number(lay: Horseshoes) -> int:
    if laid(lay) is None:
        raise KeyError(lay)
    gold = next((GOLD + MOST_SILVER + 1 - horseshoe for horseshoe in lay if horseshoe > MOST_SILVER), 0)
    twenties, tens, twos, ones = silver_counts(lay)
    return (((gold * 4 + twenties) * 14 + tens) * 4 + twos) * 14 + ones


def _payments(state: State) -> Payments:
    assert state.bargain
    return Payments(tuple([state.merchants[seat].cash for seat in state.bargain.tied]))


def _way(payments: Payments, ducats: tuple[int, ...]) -> int:
    """Return the number of a way to pay.

    Ways are ordered by what the first player gets, then the second, and so on. Raises KeyError for an impossible way.
    """
    low, high = 0, payments.count - 1
    while low < high:
        middle = (low + high) // 2
        if payments.ducats(middle) < ducats:
            low = middle + 1
        else:
            high = middle
    if payments.ducats(low) != ducats:
        raise KeyError(ducats)
    return low


def move_of(state: State, action: int) -> Move:
    """Return the move with a number.

    Raises IndexError if there is none in this state.
    """
    if not 0 <= action < PROPOSE + WAYS * len(field_names(state.options)) or action == LAY:
        raise IndexError(action)
    if action >= PROPOSE:
        to, way = divmod(action - PROPOSE, WAYS)
        if not state.bargain or way >= (payments := _payments(state)).count:
            raise IndexError(action)
        return Propose(field_names(state.options)[to], payments.ducats(way))
    if action >= LAY:
        return Lay(_lay_with(action - LAY))
    if action >= SAIL:
        kind, place = divmod(action - SAIL, layout.FIELDS)
        name = field_names(state.options)[place]
        return Name(name) if kind else Sail(name)
    return _SIMPLE[action]


def _lay_with(number: int) -> Horseshoes:
    rest, ones = divmod(number, 14)
    rest, twos = divmod(rest, 4)
    rest, tens = divmod(rest, 14)
    gold, twenties = divmod(rest, 4)
    silver = (20,) * twenties + (10,) * tens + (2,) * twos + (1,) * ones
    return (GOLD + MOST_SILVER + 1 - gold, *silver) if gold else silver


def columns_of(state: State) -> list[int]:
    """Return the columns of the mask that stand for the legal moves of a state, sorted."""
    legal = moves(state)
    columns = set()
    if state.step == "propose":
        return [layout.WITHHOLD, layout.PROPOSE_COLUMN]
    for move in legal[:4] if state.step in ("action", "again") else legal:
        columns.add(layout.LAY_COLUMN if isinstance(move, Lay) else action_of(state, move))
    return sorted(columns)


# --------------------------------------------------------------------------------------------------- outcomes


def outcome_row(outcome: Outcome) -> Sequence[int]:
    """Return an outcome of chance as the numbers that kernels read (``layout.OUTCOME``)."""
    match outcome:
        case Starter(seat):
            return [seat]
        case Dice(tens, ones):
            return [tens, ones]
        case Deal(hands, pile, racks, middle, out):
            return [*[PLACE_OF[share] for share in chain(*hands, pile)], *chain(*racks, middle, out)]
        case Share(parts, left):
            return [*chain(*parts, left)]
        case Shuffle(pile):
            return [PLACE_OF[share] for share in pile]


def outcome_of(before: State, after: State) -> Outcome:
    """Return the outcome of chance between two states.

    If two rolls of the dice have the same sum, it is the first on the list.
    """
    match before.step:
        case "starter":
            return Starter(after.starter)
        case "deal":
            racks = tuple(merchant.rack for merchant in after.merchants)
            hands = tuple(merchant.shares for merchant in after.merchants)
            return Deal(hands, after.pile, racks, after.middle, after.out)
        case "lucky":
            assert after.lucky
            return _dice(after.lucky)
        case "rolling":
            rolls: Any = after.happened[0] if after.happened else after
            return _dice(rolls.rolls[-1][1])
        case "share":
            parts = tuple(
                _without(merchant.rack, before.merchants[seat].rack)
                for seat, merchant in zip(
                    before.smiths, [after.merchants[seat] for seat in before.smiths], strict=True
                )
            )
            middle = Counter(before.middle)
            for part in parts:
                middle.subtract(part)
            return Share(parts, highest_first(middle.elements()))
        case _:
            return Shuffle(after.pile)


def _dice(total: int) -> Dice:
    return Dice(total // 10 * 10, total % 10)


def _without(some: Horseshoes, fewer: Horseshoes) -> Horseshoes:
    return highest_first((Counter(some) - Counter(fewer)).elements())
