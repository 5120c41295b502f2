"""Judged positions of Shanghaien: all dice of the round are reckoned with, so both judgements are one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kontor.games.shanghaien.analysis import learned_error
from kontor.games.shanghaien.puzzles import solved
from kontor.games.shanghaien.rules.state import Move, Options
from kontor.games.shanghaien.rules.view import View
from kontor.positions.adapter import Luck, PositionsAdapter
from kontor.positions.values import JudgedMove, Judgement

_TABLES: Final = (
    (Options(), ("expert", "expert")),
    (Options(), ("expert", "steady")),
    (Options(), ("steady", "casual")),
    (Options(), ("expert", "greedy")),
    (Options(first_trick="nudge"), ("expert", "expert")),
    (Options(first_trick="both"), ("steady", "steady")),
    (Options(first_trick="reroll"), ("expert", "steady")),
)
"""Three of seven with a trick card each from the start (S3a)."""


def _shortlist(view: View, moves: Sequence[Move], luck: Luck) -> Sequence[Move]:
    return moves


def _value(view: View, moves: Sequence[Move], luck: Luck) -> Judgement:
    solution = solved(view, moves)
    off = learned_error(view) if solution.certainty == "learned" else None
    values = zip(moves, solution.chances, strict=True)
    return Judgement(solution.certainty, off, tuple(JudgedMove(move, worth, worth) for move, worth in values))


ADAPTER: Final = PositionsAdapter(
    tables=_TABLES,
    of_a_game=8,
    judge="The round is solved to its end over all dice; before the last round the worth of its ends is learned.",
    shortlist=_shortlist,
    value=_value,
)
