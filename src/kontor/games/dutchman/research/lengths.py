"""How long games can be."""

from __future__ import annotations

from functools import cache
from typing import Final

from kontor.games.dutchman.research.steps import SILVER
from kontor.games.dutchman.rules.components import COLOURS, FIRST_CHEST, HORSESHOES, LAST_CHEST

ROUNDS: Final = 2 * (LAST_CHEST - FIRST_CHEST) - 1
"""A ship and an island by turns at most, a ship first and last."""


@cache
def most_actions(players: int, circles: int) -> int:
    """Each round, everybody plays a card, lays (five steps) or passes; whoever is tied bargains, lays again and may
    be tied again, as long as there are horseshoes; and all show a share or keep theirs. A tie takes a horseshoe from
    each tied player."""
    lay = 1 + len(SILVER)
    ties = max(len(HORSESHOES) // tied * _most_in_a_tie(tied, circles) for tied in range(2, players + 1))
    return ROUNDS * (players * lay + ties + players * lay + players)


def _most_in_a_tie(tied: int, circles: int) -> int:
    """Naming; in each circle a proposal of each (a step for the field, and for all but one) with the answers to it;
    and laying again."""
    lay = 1 + len(SILVER)
    return tied + circles * tied * (tied + tied - 1) + tied * lay


def most_outcomes(players: int) -> int:
    """The starter and the deal; each round the lucky number, all horseshoes shared, the pile shuffled, and everybody
    rolling for it twelve times. The rules set no end to that, but two who are equal are so again once in 13 times."""
    shares, horseshoes = len(COLOURS) * (players - 1), len(HORSESHOES)
    return 1 + shares + horseshoes + ROUNDS * (1 + horseshoes + shares + players * 12)
