"""Those who are equally near agree (H9), or decide it otherwise (H10)."""

from __future__ import annotations

from kontor.batch.arrays import Rows
from kontor.batch.compiled import as_int64, njit_inline
from kontor.games.dutchman.batch.layout import AGREED, ROLLED_FOR, UNDECIDED
from kontor.games.dutchman.batch.places import (
    ACCEPTED,
    AGREED_ON,
    ASKED,
    CASH_OF,
    CIRCLE,
    CIRCLES,
    DUCATS,
    DUE_AGAIN,
    DUE_ANSWER,
    DUE_PROPOSE,
    DUE_SAIL,
    HAPPENED,
    NAMED,
    NAMES,
    PROPOSED,
    PROPOSED_TO,
    QUEUE,
    QUEUED,
    ROLLED,
    ROLLED_FOR_IT,
    ROLLED_SEAT,
    ROLLS,
    STEP,
    TIE,
    TIED,
    WAITING,
)
from kontor.games.dutchman.batch.sailing import sail_to
from kontor.games.dutchman.batch.turns import mover_of, queue


@njit_inline
def name(rows: Rows, game: int, to: int) -> None:
    """H9: a destination is named."""
    tie = as_int64(rows[game, TIE])
    rows[game, NAMED + rows[game, NAMES]] = to
    rows[game, NAMES] += 1
    rows[game, WAITING] -= 1
    if rows[game, WAITING]:
        return
    same = True
    for place in range(tie):
        same = same and rows[game, NAMED + place] == to
    if same:
        for place in range(tie):
            rows[game, AGREED_ON + place] = 0
        rows[game, HAPPENED] |= AGREED
        sail_to(rows, game, to, TIED, tie)
    elif rows[game, CIRCLES] == 0:
        _lay_again(rows, game)
    else:
        queue(rows, game, TIED, tie)
        rows[game, STEP] = DUE_PROPOSE


@njit_inline
def propose(rows: Rows, game: int, to: int) -> None:
    """H9: a proposal, whose ducats stand in the row; the others answer, round the table from the proposer."""
    tie = as_int64(rows[game, TIE])
    asked = rows[game, ASKED]
    rows[game, PROPOSED] = 1
    rows[game, PROPOSED_TO] = to
    rows[game, ACCEPTED] = 0
    for place in range(tie - 1):
        rows[game, QUEUE + place] = rows[game, TIED + (asked + 1 + place) % tie]
    rows[game, QUEUED] = tie - 1
    rows[game, WAITING] = tie - 1
    rows[game, STEP] = DUE_ANSWER


@njit_inline
def accept(rows: Rows, game: int) -> None:
    rows[game, ACCEPTED] += 1
    rows[game, WAITING] -= 1
    if rows[game, WAITING]:
        return
    tie = as_int64(rows[game, TIE])
    for place in range(tie):
        ducats = rows[game, DUCATS + place]
        rows[game, CASH_OF + rows[game, TIED + place]] += ducats
        rows[game, AGREED_ON + place] = ducats
    rows[game, HAPPENED] |= AGREED
    sail_to(rows, game, as_int64(rows[game, PROPOSED_TO]), TIED, tie)


@njit_inline
def next_proposal(rows: Rows, game: int) -> None:
    """The next of the tied players may propose; after the last circle there is a deciding round (H10)."""
    tie = as_int64(rows[game, TIE])
    asked = rows[game, ASKED] + 1
    circle = rows[game, CIRCLE]
    if asked == tie:
        asked = 0
        circle += 1
    rows[game, PROPOSED] = 0
    rows[game, ACCEPTED] = 0
    if circle > rows[game, CIRCLES]:
        _lay_again(rows, game)
        return
    rows[game, ASKED] = asked
    rows[game, CIRCLE] = circle
    queue(rows, game, TIED + asked, tie - asked)
    rows[game, STEP] = DUE_PROPOSE


@njit_inline
def _lay_again(rows: Rows, game: int) -> None:
    """H10: a deciding round."""
    queue(rows, game, TIED, as_int64(rows[game, TIE]))
    rows[game, HAPPENED] |= UNDECIDED
    rows[game, STEP] = DUE_AGAIN


@njit_inline
def roll_for_it(rows: Rows, game: int, total: int) -> None:
    """H10a: the highest sum moves the Dutchman; equal ones roll again."""
    rolls = rows[game, ROLLS] + 1
    rows[game, ROLLED_SEAT + rolls - 1] = mover_of(rows, game)
    rows[game, ROLLED + rolls - 1] = total
    rows[game, ROLLS] = rolls
    rows[game, WAITING] -= 1
    if rows[game, WAITING]:
        return
    best = 0
    highest = 0
    for place in range(rolls):
        if rows[game, ROLLED + place] > best:
            best = rows[game, ROLLED + place]
            highest = 0
        if rows[game, ROLLED + place] == best:
            rows[game, QUEUE + highest] = rows[game, ROLLED_SEAT + place]
            highest += 1
    rows[game, QUEUED] = highest
    rows[game, WAITING] = highest
    rows[game, HAPPENED] |= ROLLED_FOR
    rows[game, ROLLED_FOR_IT] = rolls
    if highest == 1:
        rows[game, STEP] = DUE_SAIL
    else:
        rows[game, ROLLS] = 0
