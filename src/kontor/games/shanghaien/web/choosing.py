"""The row of a round, chosen card by card on the analysis board."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from kontor.game import Below, Refusal
from kontor.games.shanghaien.rules import View
from kontor.games.shanghaien.rules.components import NATIONS, ROW, TRICKS, Card
from kontor.games.shanghaien.rules.state import Row
from kontor.games.shanghaien.words import card
from kontor.web.adapter import OutcomeForm
from kontor.words import Words


def _read_chosen(view: View, chosen: str) -> list[Card]:
    """Return the cards chosen so far, from left to right; raise Refusal for one that is not to come."""
    left = Counter(view.to_come)
    cards: list[Card] = []
    for name in chosen.split():
        which = next((which for which in left if which == name), None)
        if which is None or not left[which]:
            raise Refusal("S2", "There are not so many cards “{card}”.", card=name[:10])
        left[which] -= 1
        cards.append(which)
    if len(cards) > ROW:
        raise Refusal("S3", "Six cards lie in the tavern, not {count}.", count=len(cards))
    return cards


def _choices(words: Words, view: View, chosen: str) -> dict[str, Any] | None:
    """Return the cards that can be laid next, by nation or trick, or None if no row is due."""
    if view.step != "row":
        return None
    try:
        laid = _read_chosen(view, chosen)
    except Refusal:
        laid = []
    left = Counter(view.to_come)
    left.subtract(laid)
    lines = [[which for which in sorted(left) if left[which] > 0 and which[0] == nation] for nation in NATIONS]
    lines.append([which for which in TRICKS if left[which] > 0])
    return {
        "laid": laid,
        "free": ROW - len(laid),
        "lines": [line for line in lines if line],
        "names": {which: card(words, which) for which in left},
    }


def _outcome(view: View, chosen: str, below: Below) -> Row:
    laid = _read_chosen(view, chosen)
    left = list((Counter(view.to_come) - Counter(laid)).elements())
    while len(laid) < ROW:
        laid.append(left.pop(below(len(left))))
    return Row(tuple(laid))


OUTCOME_FORM: Final = OutcomeForm(_choices, _outcome)
