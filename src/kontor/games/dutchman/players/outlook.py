"""Effects of each destination on everybody, by estimates that a person could make.

Everything is measured in ducats at the end of the game. The *wealth* of a merchant is cash and what the shares will
bring; a *standing* is one's own wealth less the others' average, since the richest wins (H13).

Others' shares are known from what was shown; unknown ones are taken as the average of what is still hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache, reduce
from math import comb, exp
from operator import add
from typing import Final

from kontor.game import Value
from kontor.games.dutchman.rules.chart import Chart, sea_of
from kontor.games.dutchman.rules.components import CHESTS, COLOURS, LAST_CHEST, PLACE_OF, SHARES, Colour
from kontor.games.dutchman.rules.state import Counts
from kontor.games.dutchman.rules.view import View

# ----------------------------------------------------------------------------------------------- estimates

MET: Final = 1 / len(COLOURS)
"""Probability that the next ship met is of a given colour, if nothing else is known."""

RISK: Final = 1 / 6
"""Probability that a ruinous colour is met before its owner can prevent it."""

UNSURE: Final = 5.0
"""Typical error, in ducats, of our estimate of what is good for others: so they do not always go to the field that
looks best to us."""


def added(numbers: Iterable[float]) -> float:
    """Return the sum of numbers, added one after the other as kernels do.

    ``sum`` compensates for rounding from Python 3.12 on; of two almost equal moves another one would then be the
    best.
    """
    return reduce(add, numbers, 0.0)


@cache
def share_worth(stone: int, ships: int) -> float:
    """Return what a share brings until the end, with its stone on a chest and so many ships to come (H2, H11).

    That is its value at the end, less what will be paid for it: each ship moves the stone on, and its own moves it
    back.
    """
    if not ships:
        return float(CHESTS[stone])
    met = share_worth(1, ships - 1) - CHESTS[stone]
    return MET * met + (1 - MET) * share_worth(min(stone + 1, LAST_CHEST), ships - 1)


@lru_cache(maxsize=4096)
def _share_worths(stones: Counts, met: int | None, ships: int) -> tuple[float, ...]:
    """Return what a share of each colour brings once the Dutchman has met a ship, or an island (H11, H12)."""
    if met is None:
        return tuple([share_worth(stone, ships) for stone in stones])
    after = [min(stone + 1, LAST_CHEST) for stone in stones]
    after[met] = 1
    return tuple([share_worth(stone, ships - 1) for stone in after])


Held = tuple[float, ...]
"""Shares by colour; expected numbers where they are not known."""


class Known(Value, frozen=True):
    """Public knowledge of a merchant's ducats and shares."""

    cash: int
    shares: int
    at_least: Counts
    at_most: Counts


class Sight(Value, frozen=True, cache_hash=True):
    """The part of a view that matters here; it stays the same through most of a round."""

    seat: int
    players: tuple[Known, ...]
    order: tuple[int, ...]
    shares: tuple[Colour, ...]
    pile: tuple[Colour | None, ...]
    ahead: tuple[str, ...]
    stones: Counts
    counter: int
    chart: Chart


def outlook(view: View) -> Outlook:
    """Return the outlook of a view's seat; cached."""
    assert view.seat is not None
    return _outlook(
        Sight(
            view.seat,
            tuple([Known(each.cash, each.shares, each.at_least, each.at_most) for each in view.players]),
            view.order,
            view.shares,
            view.pile,
            view.ahead,
            view.stones,
            view.counter,
            view.options.chart,
        )
    )


@lru_cache(maxsize=1024)
def _outlook(sight: Sight) -> Outlook:
    return Outlook(sight)


class Outlook:
    """Effects of each destination on everybody, as a seat sees them."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.seat = sight.seat
        self.ships = LAST_CHEST - sight.counter
        """Ships still to be met until the end (H13)."""
        self.unseen = unseen(sight)
        self.held = _expected_hands(sight, self.unseen)
        ship = sea_of(sight.chart).ship
        self.colour = {field: None if (colour := ship[field]) is None else PLACE_OF[colour] for field in sight.ahead}
        self.worth = {field: _share_worths(sight.stones, colour, self.ships) for field, colour in self.colour.items()}
        self.wealth = {field: {seat: self._wealth(seat, field) for seat in sight.order} for field in sight.ahead}
        self._standings: dict[tuple[int, str, tuple[int, ...]], float] = {}
        self._likely: dict[int, dict[str, float]] = {}

    def _wealth(self, seat: int, field: str, ducats: int = 0) -> float:
        """Return cash and what the shares will bring, after the Dutchman has sailed to a field and was paid for.

        The ruined have nothing (H11).
        """
        held = self.held[seat]
        cash = self.sight.players[seat].cash + ducats
        brings = added([count * worth for count, worth in zip(held, self.worth[field], strict=True)])
        met = self.colour[field]
        if met is None:
            return cash + brings - self._danger(seat, cash, cash + brings, None)
        value = CHESTS[self.sight.stones[met]]
        ruin = self._ruin(seat, met, value, cash)
        cash_left = max(0.0, cash - held[met] * value)
        wealth = cash_left + brings
        return (1 - ruin) * (wealth - self._danger(seat, cash_left, wealth, met))

    def _ruin(self, seat: int, met: int, value: int, cash: float) -> float:
        """Return the probability that a merchant cannot pay for their shares in a ship."""
        fatal = int(cash // value) + 1  # the fewest shares that ruin
        if seat == self.seat:
            return float(self.held[seat][met] >= fatal)
        player = self.sight.players[seat]
        sure = player.at_least[met]
        if fatal <= sure:
            return 1.0
        if fatal > min(player.at_most[met], SHARES):
            return 0.0
        hidden = player.shares - sum(player.at_least)
        each = (self.held[seat][met] - sure) / hidden if hidden else 0.0
        return _at_least(fatal - sure, hidden, each)

    def _danger(self, seat: int, cash: float, wealth: float, met: int | None) -> float:
        """Return the ducats at risk in the next rounds: a part of all wealth for each ship that would ruin the seat.

        It is 0 for other seats than the own one.
        """
        if seat != self.seat or (met is not None and self.ships == 1):
            return 0.0
        risk = 0.0
        for place, count in enumerate(self.held[seat]):
            if count:
                stone = self.sight.stones[place]
                if met is not None:
                    stone = 1 if place == met else stone + 1
                if count * CHESTS[min(stone, LAST_CHEST)] > cash:
                    risk += RISK
        return risk * wealth

    def earned(self, seat: int) -> float:
        """Return what a merchant can expect to earn on an island: the best share's value (H12)."""
        earned, none_better = 0.0, 1.0
        for value, count in sorted(
            zip([CHESTS[stone] for stone in self.sight.stones], self.held[seat], strict=True), reverse=True
        ):
            likely = min(count, 1.0)
            earned += none_better * likely * value
            none_better *= 1 - likely
        return earned

    def standing(
        self, seat: int, field: str, movers: Sequence[int], ducats: Mapping[int, int] | None = None
    ) -> float:
        """Return a merchant's wealth less the others' average, if ``movers`` sail to a field and pay ``ducats``."""
        if not ducats:
            key = (seat, field, tuple(movers))
            if key not in self._standings:
                self._standings[key] = self._standing(seat, field, movers, {})
            return self._standings[key]
        return self._standing(seat, field, movers, ducats)

    def _standing(self, seat: int, field: str, movers: Sequence[int], ducats: Mapping[int, int]) -> float:
        wealth = self.wealth[field]
        if ducats:
            wealth = wealth | {each: self._wealth(each, field, change) for each, change in ducats.items() if change}
        if self.colour[field] is None:
            wealth = wealth | {mover: wealth[mover] + self.earned(mover) for mover in movers}
        own = wealth[seat]
        return own - (added(wealth.values()) - own) / (len(wealth) - 1)

    def best_for(self, seat: int, movers: Sequence[int]) -> str:
        """Return the destination with the best standing for a merchant."""
        return max(self.sight.ahead, key=lambda field: self.standing(seat, field, movers))

    def likely(self, seat: int) -> Mapping[str, float]:
        """Return the probabilities where another merchant would sail, as far as we know."""
        if seat not in self._likely:
            self._likely[seat] = self._where(seat)
        return self._likely[seat]

    def _where(self, seat: int) -> dict[str, float]:
        standings = {field: self.standing(seat, field, (seat,)) for field in self.sight.ahead}
        best = max(standings.values())
        weights = {field: exp((standing - best) / UNSURE) for field, standing in standings.items()}
        total = added(weights.values())
        return {field: weight / total for field, weight in weights.items()}


# ----------------------------------------------------------------------------------------------- what is known


def unseen(sight: Sight) -> list[int]:
    """Return how many shares of each colour the seat has not seen: those in others' hands or in the Kontor pile."""
    left = [len(sight.players) - 1] * len(COLOURS)
    for share in (*sight.shares, *sight.pile):
        if share:
            left[PLACE_OF[share]] -= 1
    for seat, player in enumerate(sight.players):
        if seat != sight.seat:
            left = [count - sure for count, sure in zip(left, player.at_least, strict=True)]
    return left


def _expected_hands(sight: Sight, hidden: Sequence[int]) -> dict[int, Held]:
    """Return the shares of all who are in the game.

    The seat's own are exact; of the others, they are those that everybody knows of, and an average part of the hidden
    ones that can be theirs.
    """
    held: dict[int, Held] = {}
    for seat in sight.order:
        player = sight.players[seat]
        if seat == sight.seat:
            held[seat] = tuple([float(sight.shares.count(colour)) for colour in COLOURS])
            continue
        missing = player.shares - sum(player.at_least)
        can_be = [
            count if sure < most else 0
            for count, sure, most in zip(hidden, player.at_least, player.at_most, strict=True)
        ]
        each = missing / (sum(can_be) or 1)
        held[seat] = tuple([sure + each * count for sure, count in zip(player.at_least, can_be, strict=True)])
    return held


def _at_least(wanted: int, tries: int, each: float) -> float:
    """Return the probability that at least ``wanted`` of the tries succeed."""
    return added([comb(tries, k) * each**k * (1 - each) ** (tries - k) for k in range(wanted, tries + 1)])
