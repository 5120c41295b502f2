"""Imagined states of a seat (``players.imagining``), drawn in one call.

They are drawn from the beliefs of the seat, with hidden lays such as people would lay.
"""

from __future__ import annotations

from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kontor.batch.arrays import GameRow, Longs, Luck, LuckRow, Numbers, Rows
from kontor.batch.compiled import (
    as_int64,
    njit_cached,
    njit_inline,
    popcount,
    random_below,
    random_set_bit,
    random_unit,
)
from kontor.games.dutchman.batch.acting import move_to_lay
from kontor.games.dutchman.batch.layout import kind_of
from kontor.games.dutchman.batch.tables import COLOURS, SILVERS
from kontor.games.dutchman.players.beliefs import Beliefs
from kontor.games.dutchman.players.hidden_horseshoes import HorseshoeDeals
from kontor.games.dutchman.players.hidden_shares import ShareDeals
from kontor.games.dutchman.players.imagining import MAX_RETRIES
from kontor.games.dutchman.rules import components
from kontor.games.dutchman.rules.view import View
from training.dutchman.policy.lays import find_lays

_BOX: Final = len(components.HORSESHOES)
_COMB: Final = np.array([[float(comb(many, some)) for some in range(_BOX + 1)] for many in range(_BOX + 1)])

_SEAT, _LEAST, _MOST, _CARDS, _STRIDE, _WIDTH, _AFTER = range(7)
"""Columns of a step of dealing shares (``hidden_shares``): the last says where its numbers of ways begin."""
_UNKNOWN, _LAID = 1, 2
"""Columns of a heap of horseshoes after its seat: how many are unknown, and how many of all are laid."""


class Deals(NamedTuple):
    """Unknowns of a view, for kernels.

    ``steps`` int64[colours · hands, 7], ``weights`` float64[colours · hands, cards] and ``after`` float64 are those
    of ``ShareDeals``. ``hidden`` int64[colours] are its cards, ``loose_cards`` int64 the unknown places of the pile.

    Horseshoes are by kind: ``gold`` and ``silver``, int64, are those that may lie anywhere. ``layers`` and ``quiet``
    int64[…, 3] are the heaps of others with and without a hidden lay. ``bounds`` float64[layers, gold left, …] is the
    probability that at most so many golden ones go to a layer. ``middle`` int64[1] is how many of the middle are
    unknown.
    """

    steps: Longs
    weights: NDArray[np.float64]
    after: NDArray[np.float64]
    hidden: Longs
    loose_cards: Longs
    gold: Longs
    silver: Longs
    layers: Longs
    quiet: Longs
    bounds: NDArray[np.float64]
    middle: Longs


def deals_of(view: View, beliefs: Beliefs) -> Deals:
    """Return what a view leaves open after the deal (H4), by its beliefs."""
    horseshoes = beliefs.horseshoe_deals
    steps, weights, after = _share_steps(beliefs.share_deals, beliefs.open_seats)
    return Deals(
        steps,
        weights,
        after,
        np.array(beliefs.share_deals.hidden, np.int64),
        np.array([place for place, card in enumerate(view.pile) if card is None], np.int64),
        np.array([kind_of(horseshoe) for horseshoe in horseshoes.loose_gold], np.int64),
        np.array([kind_of(horseshoe) for horseshoe in horseshoes.loose_silver], np.int64),
        _heaps([(layer.seat, layer.unknown, layer.laid) for layer in horseshoes.layers]),
        _heaps([(seat, unknown, 0) for seat, _, unknown in horseshoes.quiet]),
        _bounds(horseshoes),
        np.array([view.middle - len(view.middle_known)], np.int64),
    )


def _share_steps(deals: ShareDeals, seats: list[int]) -> tuple[Longs, NDArray[np.float64], NDArray[np.float64]]:
    steps = []
    weights = []
    after = [np.zeros(0)]
    begin = 0
    for of_colour in deals.steps:
        for step in of_colour:
            width = step.after.shape[-1]
            steps.append((seats[step.hand], step.least, step.most, step.cards, step.stride, width, begin))
            weights.append(step.weights)
            after.append(step.after.reshape(-1))
            begin += step.after.size
    return (
        np.array(steps, np.int64).reshape(-1, 7),
        np.array(weights, np.float64).reshape(-1, COLOURS),
        np.concatenate(after),
    )


def _heaps(heaps: list[tuple[int, int, int]]) -> Longs:
    return np.array(heaps, np.int64).reshape(-1, 3)


def _bounds(horseshoes: HorseshoeDeals) -> NDArray[np.float64]:
    by_layer = horseshoes.golden_bounds()
    most = max([len(bounds) for of_layer in by_layer for bounds in of_layer], default=0)
    bounds = np.ones((len(by_layer), len(horseshoes.loose_gold) + 1, most + 1))
    for layer, of_layer in enumerate(by_layer):
        for gold, likely in enumerate(of_layer):
            bounds[layer, gold, : len(likely)] = likely
    return bounds


@njit_inline
def _shuffle(things: Numbers, many: int, luck: LuckRow) -> None:
    """Shuffle the first ``many`` things, by Fisher and Yates."""
    for back in range(many - 1):
        place = many - 1 - back
        other = random_below(luck, place + 1)
        thing = things[place]
        things[place] = things[other]
        things[other] = thing


@njit_inline
def _deal_shares(game: GameRow, deals: Deals, loose: Numbers, luck: LuckRow) -> None:
    """Draw one of the deals of shares, by their weights.

    The shares left for the pile are shuffled.
    """
    hands = len(deals.steps) // COLOURS
    for hand in range(hands):
        game.shares[deals.steps[hand, _SEAT]] = 0
    row = as_int64(0)
    many = as_int64(0)
    for colour in range(COLOURS):
        left = deals.hidden[colour]
        for hand in range(hands):
            number = colour * hands + hand
            step = deals.steps[number]
            count = _draw_count(step, deals.weights[number], deals.after, row, left, luck)
            game.shares[step[_SEAT], colour] = count
            left -= count
            row += count * step[_STRIDE]
        for _ in range(left):
            loose[many] = colour
            many += 1
    _shuffle(loose, many, luck)
    for place in range(len(deals.loose_cards)):
        game.pile[deals.loose_cards[place]] = loose[place]


@njit_inline
def _draw_count(step: Longs, weights: Numbers, after: Numbers, row: int, left: int, luck: LuckRow) -> int:
    """Return a random number of cards of a colour for a hand, when ``left`` cards of it are left."""
    least = step[_LEAST]
    room = step[_CARDS] - row // step[_STRIDE] % (step[_CARDS] + 1)
    most = min(step[_MOST], left, room)
    total = 0.0
    for count in range(least, most + 1):
        total += _ways(step, weights, after, row, left, count)
    drawn = random_unit(luck) * total
    chosen = least
    for count in range(least, most + 1):
        ways = _ways(step, weights, after, row, left, count)
        if ways > 0:
            chosen = as_int64(count)
            if drawn < ways:
                break
            drawn -= ways
    return as_int64(chosen)


@njit_inline
def _ways(step: Longs, weights: Numbers, after: Numbers, row: int, left: int, count: int) -> float:
    place = step[_AFTER] + (row + count * step[_STRIDE]) * step[_WIDTH] + left - count
    return float(weights[count] * _COMB[left, count] * after[place])


@njit_inline
def _give(game: GameRow, seat: int, kind: int) -> None:
    if kind < SILVERS:
        game.rack_silver[seat, kind] += 1
    else:
        game.rack_gold[seat] |= 1 << (kind - SILVERS)


@njit_inline
def _deal_horseshoes(game: GameRow, me: int, deals: Deals, loose: Numbers, luck: LuckRow) -> None:
    """Draw one of the arrangements of horseshoes, all equally likely, before lays are made of the racks."""
    for seat in range(game.players):
        if seat != me:
            game.rack_gold[seat] = game.known_gold[seat]
            game.rack_silver[seat] = game.known_silver[seat]
    many = _deal_layers(game, deals, loose, luck)
    _shuffle(loose, many, luck)
    given = as_int64(0)
    for heap in range(len(deals.quiet)):
        for _ in range(deals.quiet[heap, _UNKNOWN]):
            _give(game, deals.quiet[heap, _SEAT], loose[given])
            given += 1
    game.middle_gold = game.middle_known_gold
    game.middle_silver[:] = game.middle_known_silver
    game.out_gold = 0
    game.out_silver[:] = 0
    for place in range(given, many):
        kind = loose[place]
        to_middle = place - given < deals.middle[0]
        if kind >= SILVERS and to_middle:
            game.middle_gold |= 1 << (kind - SILVERS)
        elif kind >= SILVERS:
            game.out_gold |= 1 << (kind - SILVERS)
        elif to_middle:
            game.middle_silver[kind] += 1
        else:
            game.out_silver[kind] += 1


@njit_inline
def _deal_layers(game: GameRow, deals: Deals, loose: Numbers, luck: LuckRow) -> int:
    """Give horseshoes to those with a hidden lay; return how many ``loose`` horseshoes are left."""
    gold = as_int64(len(deals.gold))
    silver = as_int64(len(deals.silver))
    golden = loose[:gold]
    golden[:] = deals.gold
    _shuffle(golden, gold, luck)
    others = loose[gold : gold + silver]
    others[:] = deals.silver
    if len(deals.layers):
        _shuffle(others, silver, luck)
    for layer in range(len(deals.layers)):
        drawn = random_unit(luck)
        some = as_int64(0)
        while deals.bounds[layer, gold, some] <= drawn:
            some += 1
        seat = deals.layers[layer, _SEAT]
        for _ in range(some):
            gold -= 1
            _give(game, seat, golden[gold])
        for _ in range(deals.layers[layer, _UNKNOWN] - some):
            silver -= 1
            _give(game, seat, others[silver])
    for place in range(silver):
        loose[gold + place] = others[place]
    return gold + silver


@njit_inline
def _lay_well(game: GameRow, seat: int, laid: int, thought: GameRow) -> bool:
    """Lay the best lay of that size; return False if none is worth laying."""
    thought.me = seat
    find_lays(game, thought)
    for place in range(thought.lays_found):
        if thought.size[place] == laid:
            move_to_lay(game, seat, thought.lay[place])
            return True
    return False


@njit_inline
def _lay_some(game: GameRow, seat: int, laid: int, luck: LuckRow) -> None:
    """Lay a random lay of that size (H6c)."""
    game.lay_gold[seat] = 0
    game.lay_silver[seat] = 0
    gold = np.uint64(game.rack_gold[seat])
    silver = as_int64(0)
    for kind in range(SILVERS):
        silver += game.rack_silver[seat, kind]
    plain = _COMB[silver, laid]
    with_gold = as_int64(popcount(gold)) * _COMB[silver, laid - 1]
    more = as_int64(laid)
    if random_unit(luck) * (plain + with_gold) >= plain:
        game.lay_gold[seat] = 1 << random_set_bit(luck, gold)
        game.rack_gold[seat] ^= game.lay_gold[seat]
        more -= 1
    for _ in range(more):
        number = random_below(luck, silver)
        kind = as_int64(0)
        while number >= game.rack_silver[seat, kind]:
            number -= game.rack_silver[seat, kind]
            kind += 1
        game.rack_silver[seat, kind] -= 1
        game.lay_silver[seat, kind] += 1
        silver -= 1


@njit_inline
def _lay(game: GameRow, deals: Deals, thought: GameRow, luck: LuckRow) -> bool:
    """Make all hidden lays; return True if all of them are sensible."""
    sensible = True
    for layer in range(len(deals.layers)):
        seat = deals.layers[layer, _SEAT]
        laid = deals.layers[layer, _LAID]
        if not _lay_well(game, seat, laid, thought):
            _lay_some(game, seat, laid, luck)
            sensible = False
    return sensible


@njit_cached
def deal_states(rows: Rows, base: Rows, me: int, deals: Deals, luck: Luck, thoughts: Rows) -> None:
    """Write states that agree with the view of seat ``me``.

    ``base`` holds any one of them, ``luck`` is one LUCK, ``thoughts`` a ``thought_of`` the options.
    """
    loose = np.empty(_BOX, np.int64)
    for at in range(len(rows)):
        rows[at] = base[0]
        _deal_shares(rows[at], deals, loose, luck[0])
        for _ in range(MAX_RETRIES):
            _deal_horseshoes(rows[at], me, deals, loose, luck[0])
            if _lay(rows[at], deals, thoughts[0], luck[0]):
                break
