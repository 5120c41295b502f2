"""Places of the horseshoes that a seat cannot see: probabilities, and random draws.

All *arrangements* of the hidden horseshoes that agree with a view are taken as equally likely. Such an arrangement
puts each of them in a place: in somebody's rack, in the lay before them, in the middle, or out of the game. The
numbers are those of the view. Horseshoes that everybody saw a merchant get lie among that merchant's rack and lay,
and a lay has at most one golden horseshoe (H6c). Horseshoes of one kind are counted as different.

So without hidden lays every deal is equally likely. A hidden lay makes a rack more likely if more lays of that size
could be made from it. Such a rack has much silver. How well somebody plays is not considered.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from math import comb
from random import Random
from typing import Final

from kontor.games.dutchman.rules.components import HORSESHOES, MOST_SILVER, Horseshoes
from kontor.games.dutchman.rules.horseshoes import highest_first, together, without
from kontor.games.dutchman.rules.view import Player, View

Rack = tuple[Horseshoes, Horseshoes | None]
"""The horseshoes in hand, and those face down before the player."""


def _golden(horseshoes: Sequence[int]) -> int:
    """Return the number of golden horseshoes."""
    return sum([horseshoe > MOST_SILVER for horseshoe in horseshoes])


class Layer:
    """A player with a hidden lay.

    ``unknown`` of their horseshoes are not known, beyond ``gold`` golden and ``silver`` silver ones; ``laid`` of all
    of them are in the lay.
    """

    __slots__ = ("gold", "known", "laid", "seat", "seen", "silver", "unknown")

    def __init__(self, seat: int, player: Player) -> None:
        assert player.laid
        self.seat = seat
        self.known = player.known
        self.gold = _golden(player.known)
        self.silver = len(player.known) - self.gold
        self.laid = player.laid
        self.unknown = player.horseshoes + player.laid - len(player.known)
        self.seen: dict[int, tuple[float, ...]] = {}

    def lays(self, golden: int) -> tuple[int, int]:
        """Return the numbers of lays without gold and with gold, if so many of the unknown horseshoes are golden."""
        gold, silver = self.gold + golden, self.silver + self.unknown - golden
        return comb(silver, self.laid), gold * comb(silver, self.laid - 1)


class HorseshoeDeals:
    """All arrangements of the horseshoes that agree with a view."""

    def __init__(self, view: View) -> None:
        self._view = view
        loose = without(HORSESHOES, view.middle_known)
        for seat, player in enumerate(view.players):
            loose = without(loose, together(view.rack, view.lay or ()) if seat == view.seat else player.known)
        self._loose: Final = list(loose)
        self.loose_gold: Final = loose[: _golden(loose)]
        self.loose_silver: Final = loose[len(self.loose_gold) :]
        others = [(seat, player) for seat, player in enumerate(view.players) if seat != view.seat]
        self.layers: Final = [Layer(seat, player) for seat, player in others if player.laid]
        self.quiet: Final = [
            (seat, player.known, player.horseshoes - len(player.known))
            for seat, player in others
            if not player.laid and player.horseshoes
        ]
        self._ways: Final = self._backward() if self.layers else []

    # ---- counting

    def _backward(self) -> list[list[int]]:
        """Return the numbers of ways for each layer and those after it to get their horseshoes.

        They are indexed by the number of golden ones that are left. The last entry stands for no more layers.
        """
        gold = len(self.loose_gold)
        ways = [[1] * (gold + 1)]
        left = len(self._loose) - sum(layer.unknown for layer in self.layers)
        for layer in reversed(self.layers):
            left += layer.unknown
            ways.append([sum(self._next(layer, golden, left - golden, ways[-1])) for golden in range(gold + 1)])
        return ways[::-1]

    @staticmethod
    def _next(layer: Layer, gold: int, silver: int, after: list[int]) -> list[int]:
        """Return the numbers of ways to go on if 0, 1, 2 … golden horseshoes go to a layer.

        The other horseshoes that it gets are silver.
        """
        if silver < 0:
            return [0]
        return [
            comb(gold, golden) * comb(silver, layer.unknown - golden) * sum(layer.lays(golden)) * after[gold - golden]
            for golden in range(min(gold, layer.unknown) + 1)
        ]

    def golden_bounds(self) -> list[list[tuple[float, ...]]]:
        """Return the probabilities that at most 0, 1, 2 … golden horseshoes go to each layer.

        They are given for each number of golden horseshoes that are left before, without the last possible number.
        """
        bounds = []
        left = len(self._loose)
        for layer, after in zip(self.layers, self._ways[1:], strict=True):
            ways = [self._next(layer, gold, left - gold, after) for gold in range(len(self.loose_gold) + 1)]
            bounds.append([_bounds(each) if any(each) else () for each in ways])
            left -= layer.unknown
        return bounds

    def _spread(self) -> Iterator[tuple[Layer, list[tuple[int, float]], dict[int, float]]]:
        """Yield each layer with the chances of numbers of golden horseshoes: that go to it, and that are left then.

        A number that can go to it comes once for each number that may be left before.
        """
        likely = {len(self.loose_gold): 1.0}
        left = len(self._loose)
        for layer, after in zip(self.layers, self._ways[1:], strict=True):
            parts: list[tuple[int, float]] = []
            following: dict[int, float] = {}
            for gold, chance in likely.items():
                ways = self._next(layer, gold, left - gold, after)
                total = sum(ways)
                for golden, count in enumerate(ways):
                    if count:
                        part = chance * (count / total)
                        parts.append((golden, part))
                        following[gold - golden] = following.get(gold - golden, 0.0) + part
            yield layer, parts, following
            likely = following
            left -= layer.unknown

    @cached_property
    def gold(self) -> dict[int, float]:
        """Return the expected number of golden horseshoes among rack and lay of each other seat with horseshoes."""
        likely = {len(self.loose_gold): 1.0}
        left = len(self._loose)
        expected: dict[int, float] = {}
        for layer, parts, following in self._spread():
            mean = 0.0  # added up one by one: sum() rounds otherwise in later Pythons, and players must not change
            for golden, part in parts:
                mean += part * golden
            expected[layer.seat] = layer.gold + mean
            likely = following
            left -= layer.unknown
        rest = sum(gold * chance for gold, chance in likely.items())
        for seat, public, unknown in self.quiet:
            expected[seat] = _golden(public) + (rest * unknown / left if unknown else 0.0)
        return expected

    def golden_counts(self, seat: int) -> tuple[float, ...]:
        """Return the probabilities that another seat has 0, 1, 2 … golden horseshoes, up to all it has.

        Rack and lay count together.
        """
        likely = {len(self.loose_gold): 1.0}
        left = len(self._loose)
        for layer, parts, following in self._spread():
            likely = following
            left -= layer.unknown
            if layer.seat == seat:
                counts = [0.0] * (layer.gold + layer.silver + layer.unknown + 1)
                for golden, part in parts:
                    counts[layer.gold + golden] += part
                return tuple(counts)
        public, unknown = next(((public, more) for quiet, public, more in self.quiet if quiet == seat), ((), 0))
        counts = [0.0] * (len(public) + unknown + 1)
        for gold, chance in likely.items():
            for golden in range(max(0, unknown - (left - gold)), min(gold, unknown) + 1):
                ways_of = comb(gold, golden) * comb(left - gold, unknown - golden)
                counts[_golden(public) + golden] += chance * (ways_of / comb(left, unknown))
        return tuple(counts)

    def holds(self, seat: int, horseshoe: int) -> float:
        """Return the probability that another seat has a golden horseshoe, in the rack or the lay."""
        public = self._view.players[seat].known
        if horseshoe not in self.loose_gold:
            return float(horseshoe in public)
        return (self.gold.get(seat, 0.0) - _golden(public)) / len(self.loose_gold)

    # ---- drawing

    def draw(self, random: Random) -> tuple[list[Rack], Horseshoes, Horseshoes]:
        """Draw one of the arrangements, all equally likely.

        Returns racks and lays by seat, the middle, and the horseshoes out of the game.
        """
        view = self._view
        racks: list[Rack] = [((), None)] * len(view.players)
        if view.seat is not None:
            racks[view.seat] = view.rack, view.lay
        rest = self._loose
        if self.layers:
            rest = self._draw_lays(racks, random)
        rest = _in_any_order(rest, random)
        at = 0
        for seat, public, unknown in self.quiet:
            racks[seat] = highest_first((*public, *rest[at : at + unknown])), None
            at += unknown
        until = at + view.middle - len(view.middle_known)
        return racks, (*view.middle_known, *rest[at:until]), highest_first(rest[until:])

    def _draw_lays(self, racks: list[Rack], random: Random) -> list[int]:
        """Draw racks and lays of those who have laid; return the horseshoes that are left."""
        gold = _in_any_order(self.loose_gold, random)
        silver = _in_any_order(self.loose_silver, random)
        for layer, after in zip(self.layers, self._ways[1:], strict=True):
            bounds = layer.seen.get(len(gold))
            if bounds is None:
                bounds = layer.seen[len(gold)] = _bounds(self._next(layer, len(gold), len(silver), after))
            golden = bisect_right(bounds, random.random())
            others = layer.unknown - golden
            got = (*layer.known, *gold[:golden], *silver[:others])
            racks[layer.seat] = _some_lay(layer, golden, got, random)
            del gold[:golden], silver[:others]
        return gold + silver


def _some_lay(layer: Layer, golden: int, got: Horseshoes, random: Random) -> Rack:
    """Return a player's horseshoes, with a random one of the lays that can be made of them."""
    gold = [horseshoe for horseshoe in got if horseshoe > MOST_SILVER]
    silver = [horseshoe for horseshoe in got if horseshoe <= MOST_SILVER]
    plain, with_gold = layer.lays(golden)
    lay = []
    if random.random() * (plain + with_gold) >= plain:
        lay.append(gold.pop(random.randrange(len(gold))))
    silver = _in_any_order(silver, random)
    more = layer.laid - len(lay)
    return highest_first((*gold, *silver[more:])), highest_first((*lay, *silver[:more]))


def _bounds(ways: list[int]) -> tuple[float, ...]:
    """Return the probabilities of at most 0, 1, 2 …, without the last possible number."""
    total = sum(ways)
    last = max(place for place, count in enumerate(ways) if count)
    return tuple(sum_so_far / total for sum_so_far in accumulate(ways[:last]))


def _in_any_order(things: Sequence[int], random: Random) -> list[int]:
    """Return the things shuffled.

    Sorting by random numbers is quicker than exchanging one after the other.
    """
    number = random.random
    return sorted(things, key=lambda _: number())
