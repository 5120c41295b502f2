"""Input features of the estimates of chances to win (``players.features``), for one row at a time."""

from __future__ import annotations

from typing import Final

import numpy as np

from kontor.batch.arrays import GameRow, Ints, Reals
from kontor.batch.compiled import as_int64, njit_inline, popcount
from kontor.games.dutchman.batch.goods import golden, horseshoes_in
from kontor.games.dutchman.batch.layout import FIELDS, SEATS
from kontor.games.dutchman.batch.states import field_names
from kontor.games.dutchman.batch.tables import CHESTS, COLOURS, SILVER_NUMBERS, SILVERS
from kontor.games.dutchman.players import features, stock
from kontor.games.dutchman.players.encoding import WAYS, ways_by_place
from kontor.games.dutchman.players.features import COMMON_FEATURES, SEAT_FEATURES, WAY_FEATURES
from kontor.games.dutchman.rules import Options
from kontor.games.dutchman.rules.chart import sea_of
from kontor.games.dutchman.rules.components import LAST_CHEST, SHARES
from training.dutchman.policy.outlook import SHARE_WORTH

_ISLAND: Final = WAYS - 1
_DUCATS: Final = features.DUCATS
_CLOSE: Final = features.CLOSE
_FAR: Final = float(features.FAR)
_ONCE: Final = np.uint64(stock.ONCE)
_TWICE: Final = np.uint64(stock.TWICE)
_FACES: Final = stock.FACES
_LOWEST_GOLD: Final = np.uint64(stock.LOWEST_GOLD)
_BITS: Final = np.uint64(stock.HIGHEST_BIT + 1)
_U1, _U2 = np.uint64(1), np.uint64(2)

KNOWN: Final = np.dtype([
    ("ways", np.float32, (SEATS, WAYS, WAY_FEATURES)), ("seats", np.float32, (SEATS, SEAT_FEATURES)),
    ("common", np.float32, (COMMON_FEATURES,)),
    # Number of players not bankrupt (at least 2); each seat's place in the order of play, −1 if bankrupt.
    ("playing", np.int64), ("turn", np.int64, (SEATS,)),
    ("wealth", np.float64, (SEATS, WAYS)), ("earned", np.float64, (SEATS,)),
    # What the Dutchman meets on its next move and the one after that, by where it is and came from.
    ("met", np.float32, (FIELDS, FIELDS + 1, 2, WAYS)),
], align=True)  # fmt: skip
"""``Features`` of one state, and what they are computed from."""


def write_ways(features: GameRow, options: Options) -> None:
    """Write what the Dutchman meets on the chart of these options.

    The last place stands for a Dutchman that came from nowhere.
    """
    names = field_names(options)
    for (field, back), met in ways_by_place(sea_of(options.chart, options.box)).items():
        came_from = FIELDS if back is None else names.index(back)
        features["met"][names.index(field), came_from] = np.frombuffer(met, np.float32).reshape(2, WAYS)


@njit_inline
def know(game: GameRow, features: GameRow) -> None:
    """Write the features of a row at the start of a round."""
    features.turn[:] = -1
    for place in range(game.in_order):
        features.turn[game.order[place]] = place
    features.playing = max(as_int64(game.in_order), 2)
    for seat in range(game.players):
        _reckon_wealth(game, features, seat)
    met = features.met[game.dutchman, game.came_from]
    _know_table(game, features, met)
    for way in range(WAYS):
        for place in range(game.in_order):
            _know_way(game, features, as_int64(game.order[place]), way, met)
    for place in range(game.in_order):
        _know_seat(game, features, as_int64(game.order[place]), met)


@njit_inline
def _reckon_wealth(game: GameRow, features: GameRow, seat: int) -> None:
    """Write a seat's wealth after each way of the Dutchman (H11), and what it earns on an island (H12).

    Both are 0 for the ruined and the bankrupt.
    """
    features.wealth[seat] = 0.0
    features.earned[seat] = 0.0
    if features.turn[seat] < 0:
        return
    ships = LAST_CHEST - as_int64(game.counter)
    fewer = max(ships - 1, 0)
    cash = float(game.cash[seat])
    base = cash
    island = cash
    for colour in range(COLOURS):
        stone = as_int64(game.stones[colour])
        count = game.shares[seat, colour]
        base += count * SHARE_WORTH[min(stone + 1, LAST_CHEST), fewer]
        island += count * SHARE_WORTH[stone, ships]
        if count:
            features.earned[seat] = max(features.earned[seat], CHESTS[stone] / _DUCATS)
    for colour in range(COLOURS):
        stone = as_int64(game.stones[colour])
        count = game.shares[seat, colour]
        if count * CHESTS[stone] <= cash:
            change = SHARE_WORTH[1, fewer] - SHARE_WORTH[min(stone + 1, LAST_CHEST), fewer] - CHESTS[stone]
            features.wealth[seat, colour] = base + count * change
    features.wealth[seat, _ISLAND] = island


@njit_inline
def _lead(game: GameRow, features: GameRow, seat: int, way: int) -> float:
    """Return a seat's lead over the richest other player, in units of DUCATS."""
    richest = -np.inf
    for other in range(game.players):
        if other != seat:
            richest = max(richest, features.wealth[other, way])
    return float((features.wealth[seat, way] - richest) / _DUCATS)


@njit_inline
def _know_way(game: GameRow, features: GameRow, seat: int, way: int, met: Reals) -> None:
    own = features.ways[seat, way]
    next_one = met[0, way]
    lead = _lead(game, features, seat, way)
    steering = lead
    total = 0.0
    for other in range(game.players):
        total += features.wealth[other, way]
    wealth = features.wealth[seat, way]
    own[:4] = 0
    own[8] = 0
    own[10] = 0
    if way == _ISLAND:
        steering += features.earned[seat]
    else:
        cash = as_int64(game.cash[seat])
        stone = as_int64(game.stones[way])
        count = as_int64(game.shares[seat, way])
        all_shares = as_int64(0)
        for other in range(game.players):
            all_shares += game.shares[other, way]
        own[0] = count / SHARES
        own[1] = min(count * CHESTS[stone] / (cash + 1), 2)
        own[2] = count * CHESTS[stone] > cash
        own[3] = count * CHESTS[min(stone + 1, LAST_CHEST)] > cash
        own[8] = stone / LAST_CHEST
        own[10] = (all_shares - count) / SHARES / (features.playing - 1)
    own[4] = lead
    own[5] = (wealth - (total - wealth) / (features.playing - 1)) / _DUCATS
    own[6] = next_one
    own[7] = met[1, way]
    own[9] = next_one * lead
    own[11] = min(max(lead * _DUCATS / _CLOSE, -1), 1)
    own[12] = steering
    own[13] = way == _ISLAND


@njit_inline
def _know_seat(game: GameRow, features: GameRow, seat: int, met: Reals) -> None:
    own = features.seats[seat]
    ways = features.ways[seat]
    ships = LAST_CHEST - as_int64(game.counter)
    soon = 5 / (ships + 2)
    own[0] = game.cash[seat] / 25
    own[1] = ways[_ISLAND, 4]
    own[2] = ways[_ISLAND, 5]
    own[3] = own[1] * soon
    own[4] = own[2] * soon
    _sum_up_ways(game, own, ways, seat, met)
    own[13] = features.earned[seat]
    own[14] = features.earned[seat] * met[0, _ISLAND]
    own[16] = game.kontor[seat] / 3
    own[17] = game.smith[seat] / 3
    _know_rack(game, own, seat)
    public_shares = as_int64(0)
    for colour in range(COLOURS):
        public_shares += game.at_least[seat, colour]
    own[27] = public_shares / SHARES
    own[28] = features.turn[seat] == 0
    own[29] = features.turn[seat] / (features.playing - 1)


@njit_inline
def _sum_up_ways(game: GameRow, own: Reals, ways: Reals, seat: int, met: Reals) -> None:
    best = -_FAR
    worst = _FAR
    expected = 0.0
    pays = 0.0
    ruined = 0.0
    ruined_next = 0.0
    any_ruined = False
    most = 0.0
    for way in range(WAYS):
        if met[0, way] > 0:
            best = max(best, ways[way, 12])
            worst = min(worst, ways[way, 4])
        expected += ways[way, 9]
        if way != _ISLAND:
            pays += game.shares[seat, way] * CHESTS[game.stones[way]] * met[0, way]
        ruined += ways[way, 2] * met[0, way]
        ruined_next += ways[way, 3] * met[1, way]
        any_ruined = any_ruined or ways[way, 2] > 0
        most = max(most, ways[way, 0])
    own[5] = best
    own[6] = worst
    own[7] = expected
    own[8] = best - expected
    own[9] = pays / _DUCATS
    own[10] = ruined
    own[11] = ruined_next
    own[12] = any_ruined
    own[15] = most


@njit_inline
def _know_rack(game: GameRow, own: Reals, seat: int) -> None:
    """Write how good the rack is for the lucky numbers to come (``players.stock``)."""
    silver = game.rack_silver[seat]
    gold = np.uint64(game.rack_gold[seat])
    many = as_int64(horseshoes_in(game.rack_gold[seat], silver))
    own[18] = golden(game.rack_gold[seat]) / 5
    own[19] = (silver[2] + silver[3]) / 4
    own[20] = (silver[0] + silver[1]) / 4
    own[21] = many / 9
    own[22] = min(many, 3) / 3
    reached = gold << _LOWEST_GOLD
    own[23] = _likely(reached)
    own[24] = _likely(_nearly(reached))
    reached = _with_silver(reached | _U1, silver)
    own[25] = _likely(reached)
    own[26] = _likely(_nearly(reached))


@njit_inline
def _with_silver(reached: np.uint64, silver: Ints) -> np.uint64:
    """Return the numbers reached with silver horseshoes too, as bits.

    The highest silver comes first, so that no sum falls below 0 that could still become a lucky number.
    """
    for kind in range(SILVERS):
        if silver[kind]:
            number = np.uint64(SILVER_NUMBERS[kind])
            more = (reached & ((_U1 << (_BITS - number)) - _U1)) << number
            reached |= more | (reached >> number)
    return reached


@njit_inline
def _nearly(reached: np.uint64) -> np.uint64:
    return reached | (reached << _U1) | (reached << _U2)


@njit_inline
def _likely(reached: np.uint64) -> float:
    """Return the probability that the lucky number is among the numbers reached."""
    return float((as_int64(popcount(reached & _ONCE)) + as_int64(popcount(reached & _TWICE))) / _FACES)


@njit_inline
def _know_table(game: GameRow, features: GameRow, met: Reals) -> None:
    common = features.common
    ships = LAST_CHEST - as_int64(game.counter)
    common[0] = ships / LAST_CHEST
    common[1] = ships <= 1
    common[2] = ships <= 3
    for players in range(2, SEATS + 1):
        common[1 + players] = game.in_order == players
    silver = game.middle_silver
    common[8] = golden(game.middle_gold) / 10
    common[9] = (silver[0] + silver[1] + silver[2] + silver[3]) / 10
    common[10] = met[0, _ISLAND]
    common[11] = met[1, _ISLAND]
    total = as_int64(0)
    most = as_int64(0)
    for colour in range(COLOURS):
        total += game.stones[colour]
        most = max(most, as_int64(game.stones[colour]))
    common[12] = total / COLOURS / LAST_CHEST
    common[13] = most / LAST_CHEST
