"""A record with its review as comments between the lines."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

import msgspec

from kontor.game import Value
from kontor.records import Record, encode
from kontor.review.values import Review

COMMENT: Final = b"# "
"""The first characters of a line that is not part of the record."""


class DecisionComment(Value, frozen=True):
    """Comment before a step in which the seat had a choice.

    It gives the chance to win with the best move, that move, and the chance left after the move played.
    """

    step: int
    seat: int
    chance: float
    left: float
    best: Any
    exact: bool


class ChanceComment(Value, frozen=True):
    """Comment after a step of the record: a seat's chance to win, where it is known and has changed."""

    after: int
    seat: int
    chance: float


def commented(record: Record, review: Review) -> bytes:
    """Return the record's lines with the review as comments between them.

    Without the lines that begin with ``#`` the result equals the record, byte for byte.
    """
    comments: defaultdict[int, list[Any]] = defaultdict(list)
    for account in review.accounts:
        for spot in account.curve:
            comments[spot.step].append(ChanceComment(spot.step, account.seat, round(spot.chance, 6)))
    for decision in review.decisions:
        comments[decision.step - 1].append(
            DecisionComment(
                decision.step,
                decision.seat,
                round(decision.best.chance, 6),
                round(decision.played.chance, 6),
                decision.best.move,
                decision.exact,
            )
        )
    lines = []
    for number, line in enumerate(encode(record).splitlines(keepends=True)):  # the first line is the header
        lines.append(line)
        lines += [COMMENT + msgspec.json.encode(comment) + b"\n" for comment in comments[number]]
    return b"".join(lines)
