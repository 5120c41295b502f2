"""Judged positions of Der fliegende Holländer: moves are tried in two independent sets of imagined deals."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final

from kontor.games.dutchman.players.candidates import candidates
from kontor.games.dutchman.players.imagining import Imagined
from kontor.games.dutchman.players.judge import PRICED
from kontor.games.dutchman.players.weighing import Scales, Weighed
from kontor.games.dutchman.rules.state import Move, Options
from kontor.games.dutchman.rules.view import View
from kontor.positions.adapter import Luck, PositionsAdapter
from kontor.positions.values import JudgedMove, Judgement

DEALS: Final = 32
"""Imagined deals in which each judgement tries a move."""

MOST_MOVES: Final = 40
"""Most legal moves that are all judged. If there are more, only those worth considering are: there can be millions.
"""

_TABLES: Final = tuple(
    (Options(players=len(players)), players)
    for players in (
        ("expert", "greedy", "greedy", "casual"),
        ("greedy", "greedy", "greedy"),
        ("greedy", "greedy", "greedy", "greedy"),
        ("expert", "greedy", "greedy", "greedy", "casual"),
        ("greedy", "casual", "greedy", "casual"),
        ("expert", "greedy", "greedy"),
        ("greedy", "greedy", "greedy", "greedy", "greedy", "casual"),
    )
)


def _shortlist(view: View, moves: Sequence[Move], luck: Luck) -> Sequence[Move]:
    if view.step == "check":
        return ()  # a check gains nothing within the round (H11a)
    if len(moves) <= MOST_MOVES:
        return moves
    drawing = luck("shortlist")
    priced = Imagined(view, drawing).first(PRICED) if view.step == "propose" else []
    return candidates(view, moves, priced, drawing)


def _value(view: View, moves: Sequence[Move], luck: Luck) -> Judgement:
    by_a, by_b = (_weigh_moves(view, moves, luck, which) for which in ("a", "b"))
    # One judgement chooses where to sail (H8), the other values it; otherwise luck would make every course better.
    tried = [(one.by(other.course), other.by(one.course)) for one, other in zip(by_a, by_b, strict=True)]
    best = max(tried, key=lambda halves: sum(map(sum, halves)))
    return Judgement(
        "sampled",
        None,
        tuple(
            JudgedMove(move, sum(a) / DEALS, sum(b) / DEALS, _error([*a, *b], [*best[0], *best[1]]))
            for move, (a, b) in zip(moves, tried, strict=True)
        ),
    )


def _weigh_moves(view: View, moves: Sequence[Move], luck: Luck, which: str) -> list[Weighed]:
    """Return the moves tried in the deals of one judgement."""
    assert view.seat is not None
    drawing = luck(which)
    weighed = [Weighed(move) for move in moves]
    Scales(view.seat, Imagined(view, drawing), drawing).weigh(weighed, 0, DEALS)
    return weighed


def _error(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the standard error of the mean difference, deal by deal."""
    apart = [first - second for first, second in zip(one, other, strict=True)]
    mean = sum(apart) / len(apart)
    return sqrt(sum((each - mean) ** 2 for each in apart) / (len(apart) - 1) / len(apart))


ADAPTER: Final = PositionsAdapter(
    tables=_TABLES,
    of_a_game=8,
    judge=(
        f"Each move is tried in 2 × {DEALS} imagined deals; the round is played on as greedy does, and the value of "
        "its end is learned."
    ),
    shortlist=_shortlist,
    value=_value,
)
