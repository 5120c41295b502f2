"""Upper bounds of the lengths of games."""

from __future__ import annotations

from functools import cache
from typing import Final

from kontor.games.dutchman.research.steps import SILVER
from kontor.games.dutchman.rules.components import COLOURS, FIRST_CHEST, HORSESHOES, LAST_CHEST

ROUNDS: Final = 2 * (LAST_CHEST - FIRST_CHEST) - 1
"""Most rounds: a ship and an island by turns, a ship first and last."""


@cache
def most_actions(players: int, circles: int) -> int:
    """Return the most steps of moves in a game.

    In each round all play a card, lay (five steps) or pass. Tied players bargain, lay again and may be tied again, as
    long as there are horseshoes. All show a share or keep theirs. A tie takes a horseshoe from each tied player.
    """
    lay = 1 + len(SILVER)
    ties = max(len(HORSESHOES) // tied * _most_in_a_tie(tied, circles) for tied in range(2, players + 1))
    return ROUNDS * (players * lay + ties + players * lay + players)


def _most_in_a_tie(tied: int, circles: int) -> int:
    """Return the most steps of a tie.

    All name a destination; in each circle each makes a proposal (a step for the field, and for all but one), with the
    answers to it; and all lay again.
    """
    lay = 1 + len(SILVER)
    return tied + circles * tied * (tied + tied - 1) + tied * lay


def most_outcomes(players: int) -> int:
    """Return the most steps of chance in a game.

    These are the starter and the deal; in each round the lucky number, all horseshoes shared, the pile shuffled, and
    twelve rolls of everybody for the Dutchman. The rules allow any number of rolls, but two equal players are equal
    again only once in 13 times.
    """
    shares, horseshoes = len(COLOURS) * (players - 1), len(HORSESHOES)
    return 1 + shares + horseshoes + ROUNDS * (1 + horseshoes + shares + players * 12)
