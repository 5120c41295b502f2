"""Crews and what they score (S11)."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from kontor.game import Value
from kontor.games.shanghaien.rules.components import JOKER, NATIONS, Card, Nation, Trick, nation_of, value_of


class LaidJoker(Value, frozen=True):
    """A trick card that counts as two sailors of a nation to the end of the game (S8a)."""

    trick: Trick
    nation: Nation


class Crew(Value, frozen=True):
    """Winnings of a captain: sailors in the order won, jokers laid, and unused tricks, sorted."""

    sailors: tuple[Card, ...] = ()
    jokers: tuple[LaidJoker, ...] = ()
    tricks: tuple[Trick, ...] = ()

    @property
    def nations(self) -> tuple[Nation, ...]:
        """Return the nations with at least one sailor card; a joker may be laid there (S8a)."""
        return _nations(self.sailors)

    def strength(self, nation: Nation) -> int:
        """Return the sum of the sailors of a nation, jokers included."""
        sailors = sum(value_of(card) for card in self.sailors if nation_of(card) == nation)
        return sailors + JOKER * sum(joker.nation == nation for joker in self.jokers)


@lru_cache(maxsize=4096)
def _nations(sailors: tuple[Card, ...]) -> tuple[Nation, ...]:
    letters = {card[0] for card in sailors}
    return tuple(nation for nation in NATIONS if nation in letters)


class Comparison(Value, frozen=True):
    """Score of one nation: the strength of each crew, the points of each, and why (S11)."""

    nation: Nation
    strengths: tuple[int, int]
    points: tuple[int, int]
    because: Literal["lower", "equal", "alone", "none"]


def compare(nation: Nation, strengths: tuple[int, int]) -> Comparison:
    """Score one nation (S11): the stronger crew scores the weaker one's strength; alone, it scores its own."""
    first, second = strengths
    if first == second:
        return Comparison(nation, strengths, (0, 0), "equal" if first else "none")
    if not (first and second):
        return Comparison(nation, strengths, strengths, "alone")
    lower = min(first, second)
    return Comparison(nation, strengths, (lower, 0) if first > second else (0, lower), "lower")


def comparisons(crews: tuple[Crew, Crew]) -> tuple[Comparison, ...]:
    """Return the comparisons of all eight nations, in the order of NATIONS."""
    return tuple(compare(nation, (crews[0].strength(nation), crews[1].strength(nation))) for nation in NATIONS)


def totals(crews: tuple[Crew, Crew]) -> tuple[int, int]:
    """Return both seats' points if the game ended now: the comparisons, plus 1 for each unused trick (S11)."""
    table = comparisons(crews)
    return (
        sum(row.points[0] for row in table) + len(crews[0].tricks),
        sum(row.points[1] for row in table) + len(crews[1].tricks),
    )
