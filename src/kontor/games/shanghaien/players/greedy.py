"""The player called ``greedy`` for Shanghaien: one step ahead, by estimates that a person could make at the table.

Everything is measured as a *lead*: my points at the end less the other captain's. The player estimates two cases:

- The round ends now. That is exact (S9, S11), but for the rounds still to come.
- The round goes on. Then each card falls to the captain who is ahead on it, more or less surely (:func:`_odds`).

A lead and its variance make a *chance to win*, and the player takes the move with the highest one. So it is careful
when ahead, and dares more when behind.

The numbers below were found by counting in games among players of this kind, and by letting players with different
numbers play each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import product
from math import comb, erf, sqrt
from random import Random
from typing import Final, cast

from msgspec.structs import replace

from kontor.games.shanghaien.rules.components import (
    JOKER,
    NATIONS,
    ROUNDS,
    ROW,
    Card,
    End,
    Nation,
    Trick,
    is_sailor,
    nation_of,
    value_of,
)
from kontor.games.shanghaien.rules.play import deal_out
from kontor.games.shanghaien.rules.scoring import Crew, LaidJoker, compare
from kontor.games.shanghaien.rules.state import (
    Both,
    Joker,
    Move,
    Nudge,
    Number,
    Numbers,
    Place,
    Reroll,
    Roll,
    Shanghai,
)
from kontor.games.shanghaien.rules.view import View

# ----------------------------------------------------------------------------------------------- estimates

TAKEN: Final = 0.34
"""Probability that a card still to come is mine in the end, and that it is the other's.

Of good players' rows two cards leave the game, by no dice or by equal ones (S9).
"""

OPTION: Final = 3.0
"""Value of an unused trick beyond its point (S11), while there is a later round to use it in.

Used in the right moment, a trick wins a good card, or a sailor's comparison.
"""

ROUND_SPREAD: Final = 4.5
"""Standard deviation of the lead in a round, in points."""

GOING_ON: Final = 0.7
"""Share of the dice that can still be placed in a round that are placed before a captain shanghais."""

ABOUT_EQUAL: Final = (0.65, 0.25)
"""With equally many dice on a card: the chance of the captain with more pips beside it now (S9), and of the other.

Dice beside it may still follow.
"""

PARTED_WITH: Final[dict[Trick, int]] = {"both": 0, "nudge": 1, "reroll": 2}
"""Preference for the card to lay as a joker where any would do: higher is laid first."""

TIDY: Final = 1e-4
"""Value of a point beside the chance to win: with the game won or lost, the player still plays for points."""

DOUBT: Final = 2e-3
"""Distance that every estimate keeps from 0 and 1: a game that can be won now is won now."""

# ----------------------------------------------------------------------------------------------- choosing


def choose(view: View, moves: Sequence[Move], random: Random) -> Move:
    """Return the move with the highest chance to win, by own estimate, without random choice."""
    return moves[0] if len(moves) == 1 else _Table(view).best_of(moves)


class _Table:
    """The table as seen by the seat that is asked."""

    def __init__(self, view: View) -> None:
        assert view.seat is not None
        me, other = view.seat, 1 - view.seat
        self.own_dice, self.other_dice = view.placed[me], view.placed[other]
        self.roll = view.roll or (0, 0)
        self.row = view.row
        self.one_at = view.one_at
        self.step = view.step
        self.crew, self.other = view.crews[me], view.crews[other]
        self.values = _values(view.to_come)
        self.later = ROUNDS - view.round

    def best_of(self, moves: Sequence[Move]) -> Move:
        """Return the move with the highest chance to win."""
        if self.one_at is None:  # S7: tricks can wait until the cards are numbered.
            return max([move for move in moves if isinstance(move, Number)], key=self._chance_with)
        jokers = [move for move in moves if isinstance(move, Joker)]
        others: list[Move] = [move for move in moves if not isinstance(move, Joker)]
        if jokers:
            others.append(max(jokers, key=self._gained_by))
        return max(others, key=self._chance_with)

    def _chance_with(self, move: Move) -> float:
        match move:
            case Shanghai():
                return self._outlook(self.crew).ended(self.own_dice, self.other_dice)
            case Roll():
                return self._after_rolling(self._outlook(self.crew))
            case Number(one_at):
                outlook = self._outlook(self.crew, one_at)
                return self._placing(outlook, *self.roll) if self.step == "both" else self._better_die(outlook)
            case Place(die):
                return self._placing(self._outlook(self.crew), die)
            case Joker(trick, nation):
                crew = _drop_trick(self.crew, trick)
                return self._better_die(self._outlook(replace(crew, jokers=(*crew.jokers, LaidJoker(trick, nation)))))
            case Nudge(_, to):
                return self._placing(self._outlook(_drop_trick(self.crew, "nudge")), to)
            case Both():
                return self._placing(self._outlook(_drop_trick(self.crew, "both")), *self.roll)
            case Reroll():
                return self._after_rolling(self._outlook(_drop_trick(self.crew, "reroll")))

    def _gained_by(self, joker: Joker) -> tuple[float, int]:
        """Return how much a joker raises the lead in its nation, and the preference for laying its card (S8a)."""
        nation = joker.nation
        own, other = _strengths(self.crew)[nation], _strengths(self.other)[nation]
        # Other sailors of the nation in the row count as still to come here.
        values = self.values[nation] + _values(self.row)[nation]
        gain = prospect(own + JOKER, other, values) - prospect(own, other, values)
        return gain, PARTED_WITH[joker.trick]

    def _outlook(self, crew: Crew, one_at: End | None = None) -> _Outlook:
        cards = self.row if (one_at or self.one_at) == "left" else self.row[::-1]
        return _Outlook(cards, crew, self.other, self.values, self.later)

    # ---- one step ahead

    def _better_die(self, outlook: _Outlook) -> float:
        """Return the chance after placing the better of the dice rolled (S6)."""
        return max(self._placing(outlook, die) for die in self.roll)

    def _after_rolling(self, outlook: _Outlook) -> float:
        """Return the mean chance over all rolls, the better die of each being placed.

        The number that is n-th from below is the better one in 2n − 1 of the 36 rolls.
        """
        chances = sorted(self._placing(outlook, die) for die in range(1, ROW + 1))
        return sum((2 * place + 1) * chance for place, chance in enumerate(chances)) / ROW**2

    def _placing(self, outlook: _Outlook, *dice: int) -> float:
        """Return the chance with these dice placed: the other then shanghais if that is worse for me (S4, S5)."""
        own, other = _add_dice(self.own_dice, *dice), self.other_dice
        placed = sum(other)
        if placed > ROW - 2:
            return outlook.ended(own, other)
        if placed < 2:
            return outlook.going_on(own, other)
        return min(outlook.ended(own, other), outlook.going_on(own, other))


# ----------------------------------------------------------------------------------------------- the row


class _Outlook:
    """The cards of the row by number, and the outlook on them for two crews."""

    def __init__(
        self, cards: tuple[Card, ...], crew: Crew, other: Crew, values: dict[Nation, tuple[int, ...]], later: int
    ) -> None:
        self.cards = cards
        self.values = values
        self.later = later
        self.own_strengths, self.other_strengths = _strengths(crew), _strengths(other)
        self.tricks = len(crew.tricks), len(other.tricks)
        self.lead = _tricks_value(self.tricks[0], later) - _tricks_value(self.tricks[1], later)
        for nation in NATIONS:
            self.lead += prospect(self.own_strengths[nation], self.other_strengths[nation], values[nation])
        self.gains: list[tuple[float, float]] | None = None

    def ended(self, own: Numbers, other: Numbers) -> float:
        """Return the chance to win if the round ends now: the row is dealt out as it lies (S9)."""
        won: dict[Nation, list[int]] = {}
        tricks = list(self.tricks)
        for award in deal_out(self.cards, (own, other)):
            if award.taker is None:
                continue
            if is_sailor(award.card):
                won.setdefault(nation_of(award.card), [0, 0])[award.taker] += value_of(award.card)
            else:
                tricks[award.taker] += 1
        lead = self.lead
        for nation, (to_me, to_other) in won.items():
            lead += self._lead_change(nation, to_me, to_other)
        lead += self._more_tricks(0, tricks[0]) - self._more_tricks(1, tricks[1])
        return _chance(lead, 0, self.later)

    def going_on(self, own: Numbers, other: Numbers) -> float:
        """Return the chance to win if the round goes on: each card falls to one of us with some likelihood."""
        if self.gains is None:
            self.gains = [self._gains_of(card) for card in self.cards]
        further = max(0, ROW - 1 - max(sum(own), sum(other)))
        lead = self.lead
        variance = 0.0
        my_pips, their_pips = _pips_beside(own), _pips_beside(other)
        for at, (if_mine, if_theirs) in enumerate(self.gains):
            edge = (my_pips[at] > their_pips[at]) - (my_pips[at] < their_pips[at])
            to_me, to_other = _odds(own[at], other[at], edge, further)
            mean = to_me * if_mine + to_other * if_theirs
            lead += mean
            variance += to_me * if_mine**2 + to_other * if_theirs**2 - mean**2
        return _chance(lead, variance, self.later)

    def _gains_of(self, card: Card) -> tuple[float, float]:
        """Return how much a card changes the lead if it is mine, and if it is the other's."""
        if is_sailor(card):
            nation, value = nation_of(card), value_of(card)
            return self._lead_change(nation, value, 0), self._lead_change(nation, 0, value)
        return self._more_tricks(0, self.tricks[0] + 1), -self._more_tricks(1, self.tricks[1] + 1)

    def _lead_change(self, nation: Nation, to_me: int, to_other: int) -> float:
        own, other, values = self.own_strengths[nation], self.other_strengths[nation], self.values[nation]
        return prospect(own + to_me, other + to_other, values) - prospect(own, other, values)

    def _more_tricks(self, whose: int, tricks: int) -> float:
        return _tricks_value(tricks, self.later) - _tricks_value(self.tricks[whose], self.later)


# ------------------------------------------------------------------------------------------- what things are worth


@cache
def prospect(own: int, other: int, to_come: tuple[int, ...]) -> float:
    """Return the expected lead from a nation, given both sums now and the values of its sailors still to come.

    S11 makes it jump: the first sailor of the other captain takes most of a great crew's points away.
    """
    if not to_come:
        points = compare(NATIONS[0], (own, other)).points
        return points[0] - points[1]
    value, later = to_come[0], to_come[1:]
    one_of_us = prospect(own + value, other, later) + prospect(own, other + value, later)
    return TAKEN * one_of_us + (1 - 2 * TAKEN) * prospect(own, other, later)


def _tricks_value(tricks: int, later: int) -> float:
    """Return the value of unused tricks: a point each (S11), and in each later round one can be used (S8)."""
    return tricks + OPTION * min(tricks, later)


def _chance(lead: float, variance: float, later: int) -> float:
    """Return the chance to win with a lead that has this variance in this round, and more in the later rounds."""
    spread = variance + later * ROUND_SPREAD**2
    if spread > 0:
        chance = DOUBT + (1 - 2 * DOUBT) * (1 + erf(lead / sqrt(2 * spread))) / 2
    else:
        chance = 0.5 if not lead else float(lead > 0)  # the end of the game: won, lost or drawn (S12)
    return chance + TIDY * lead


@lru_cache(maxsize=4096)
def _strengths(crew: Crew) -> dict[Nation, int]:
    """Return the sum of each nation in a crew, jokers included."""
    sums = dict.fromkeys(NATIONS, 0)
    for card in crew.sailors:
        sums[nation_of(card)] += value_of(card)
    for joker in crew.jokers:
        sums[joker.nation] += JOKER
    return sums


@lru_cache(maxsize=4096)
def _values(cards: tuple[Card, ...]) -> dict[Nation, tuple[int, ...]]:
    """Return the values of the sailors of each nation among the cards."""
    values: dict[Nation, list[int]] = {nation: [] for nation in NATIONS}
    for card in cards:
        if is_sailor(card):
            values[nation_of(card)].append(value_of(card))
    return {nation: tuple(some) for nation, some in values.items()}


def _drop_trick(crew: Crew, trick: Trick) -> Crew:
    """Return the crew without one card of this trick."""
    tricks = list(crew.tricks)
    tricks.remove(trick)
    return replace(crew, tricks=tuple(tricks))


# ----------------------------------------------------------------------------------------------- dice


@cache
def _odds(own: int, other: int, edge: int, further: int) -> tuple[float, float]:
    """Return the chances that a card falls to me and to the other, with these numbers of dice on it now.

    ``edge`` is 1, 0 or −1: who has more pips beside it. ``further`` is how many dice each can still place; they fall
    on this card as often as on any other.
    """
    to_me = to_other = 0.0
    for more, others in product(range(further + 1), repeat=2):
        likely = _fall_chance(more, further) * _fall_chance(others, further)
        ahead = own + more - other - others
        if ahead > 0:
            to_me += likely
        elif ahead < 0:
            to_other += likely
        elif own + more:
            first, second = ABOUT_EQUAL if edge else (sum(ABOUT_EQUAL) / 2,) * 2
            to_me += likely * (second if edge < 0 else first)
            to_other += likely * (first if edge < 0 else second)
    return to_me, to_other


@cache
def _fall_chance(count: int, further: int) -> float:
    """Return the probability that this many of the dice that can still be placed fall on one card."""
    each = GOING_ON / ROW
    return comb(further, count) * each**count * (1 - each) ** (further - count)


def _add_dice(numbers: Numbers, *dice: int) -> Numbers:
    """Return the numbers with these dice added."""
    more = list(numbers)
    for die in dice:
        more[die - 1] += 1
    return cast("Numbers", tuple(more))


def _pips_beside(numbers: Numbers) -> tuple[int, ...]:
    """Return the pips of the dice beside each number (S9)."""
    one, two, three, four, five, six = numbers
    return (2 * two, one + 3 * three, 2 * two + 4 * four, 3 * three + 5 * five, 4 * four + 6 * six, 5 * five)
