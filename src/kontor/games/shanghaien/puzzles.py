"""Puzzles of Shanghaien: which decisions are clear, and what they are about.

In the last round the chances are exact; before it the round is solved to its end, whose worth is learned.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from msgspec.structs import replace

from kontor.games.shanghaien.players.judge import CHANCES
from kontor.games.shanghaien.rules.components import ROUNDS, Card, is_sailor
from kontor.games.shanghaien.rules.scoring import Crew, totals
from kontor.games.shanghaien.rules.state import (
    Both,
    Joker,
    Move,
    Nudge,
    Number,
    Options,
    Place,
    Reroll,
    Roll,
    Shanghai,
)
from kontor.games.shanghaien.rules.view import View
from kontor.games.shanghaien.words import card_at
from kontor.puzzles.adapter import PuzzleAdapter
from kontor.puzzles.values import Solved
from kontor.words import mark

GAP: Final = 0.04
"""The best move is better than the second by this part of a victory, at least."""

_TRICKS: Final = (Nudge, Both, Reroll, Joker)

THEMES: Final = {
    "end": mark("End the round"),
    "go on": mark("Roll on"),
    "number": mark("Where is the 1?"),
    "joker": mark("Use the joker"),
    "trick": mark("Use the trick"),
    "save": mark("Save the trick"),
    "deny": mark("Deny your opponent a card"),
    "level": mark("Draw level"),
    "which": mark("Which card?"),
}
"""By the best move: ``save`` where a trick could have been used, ``level`` where the die makes both sides equal on a
card, ``deny`` where the card would bring the other more than oneself."""

_ASKS: Final = {
    "end": "end",
    "go on": "end",
    "number": "number",
    "joker": "trick",
    "trick": "trick",
    "save": "trick",
    "deny": "card",
    "level": "card",
    "which": "card",
}
_QUESTIONS: Final = {
    "card": mark("Which card?"),
    "end": mark("End the round now?"),
    "trick": mark("A trick now?"),
    "number": mark("Where is the 1?"),
}


def _tables(number: int) -> tuple[Options, tuple[str, ...]]:
    """Every third game with a trick card each from the start (S3a); who plays changes, too."""
    options = Options(first_trick=("nudge", "both", "reroll")[number // 3 % 3]) if number % 3 == 2 else Options()
    pairs = (("steady", "steady"), ("casual", "steady"), ("greedy", "steady"), ("expert", "steady"))
    return options, pairs[number % len(pairs)]


def _screen(view: View, moves: Sequence[Move], random: Random) -> tuple[Move, Move] | None:
    ranked = sorted(CHANCES.worths(view, moves), key=lambda one: one[1], reverse=not view.turn)
    if len(ranked) < 2 or abs(ranked[0][1] - ranked[1][1]) < GAP:
        return None
    return ranked[0][0], ranked[1][0]


def _solve(view: View, moves: Sequence[Move], random: Random) -> Solved:
    return solved(view, moves)


def solved(view: View, moves: Sequence[Move]) -> Solved:
    """Return the chances of each of these moves, also of jokers that are nowhere better than another move."""
    values = dict(CHANCES.worths(view, moves))
    for move in moves:
        if move not in values:
            values[move] = dict(CHANCES.worths(view, moves, move))[move]
    chances = tuple(1 - values[move] if view.seat else values[move] for move in moves)
    return Solved(chances, (), "exact" if view.round == ROUNDS else "learned")


def _clear(solved: Solved) -> bool:
    return solved.gap >= GAP


# ------------------------------------------------------------------------------------------------------- themes


def _theme(view: View, moves: Sequence[Move], best: Move, second: Move) -> str:
    match best:
        case Shanghai():
            return "end"
        case Roll():
            return "go on"
        case Number():
            return "number"
        case Joker():
            return "joker"
        case Place(die):
            return _placing(view, second, die)
        case _:
            return "trick"


def _placing(view: View, second: Move, die: int) -> str:
    """Return the theme of placing a die; it is ``save`` if the best other move is a trick."""
    if isinstance(second, _TRICKS):
        return "save"
    own, other = (view.placed[seat][die - 1] for seat in (view.mover, 1 - view.mover))
    if own + 1 == other:
        return "level"
    card = card_at(view, die)
    return "deny" if _brings(view, 1 - view.mover, card) > _brings(view, view.mover, card) else "which"


def _brings(view: View, seat: int, card: Card) -> int:
    """By how much the score table of now would change in favour of a seat if it got the card (S11)."""
    crews = list(view.crews)
    now = totals(view.crews)
    crews[seat] = _with(crews[seat], card)
    then = totals((crews[0], crews[1]))
    return then[seat] - then[1 - seat] - now[seat] + now[1 - seat]


def _with(crew: Crew, card: Card) -> Crew:
    if is_sailor(card):
        return replace(crew, sailors=(*crew.sailors, card))
    return replace(crew, tricks=tuple(sorted((*crew.tricks, card))))


ADAPTER: Final = PuzzleAdapter(
    tables=_tables,
    ladder=("casual", "greedy", "steady"),
    screen=_screen,
    solve=_solve,
    clear=_clear,
    holds=_clear,
    theme=_theme,
    themes=THEMES,
    asks=_ASKS,
    questions=_QUESTIONS,
)
