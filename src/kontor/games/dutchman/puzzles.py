"""Puzzles of Der fliegende Holländer: which decisions are clear, and their themes.

The values are estimates. Each legal move is tried in the same imagined states, as the judge does. A decision is clear
if the best move is better than every other one by several standard errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from kontor.game import CHANCE
from kontor.games.dutchman.players import expert
from kontor.games.dutchman.players.candidates import candidates
from kontor.games.dutchman.players.imagining import Imagined
from kontor.games.dutchman.players.rollouts import at_rest
from kontor.games.dutchman.players.values import chances
from kontor.games.dutchman.players.weighing import Margin, Scales, Weighed
from kontor.games.dutchman.rules.chance import chance
from kontor.games.dutchman.rules.horseshoes import reading
from kontor.games.dutchman.rules.moves import moves as legal
from kontor.games.dutchman.rules.play import carried_out, play
from kontor.games.dutchman.rules.state import Kontor, Lay, Move, Options, Pass, Smith
from kontor.games.dutchman.rules.view import View
from kontor.games.dutchman.rules.view import view as view_of
from kontor.puzzles.adapter import PuzzleAdapter
from kontor.puzzles.values import Solved
from kontor.words import mark

GAP: Final = 0.02
"""Least part of a victory by which the best move is better than the second."""

CLEAR: Final = 5.0
"""Standard errors by which it must be better as well."""

FAR: Final = 6.0
"""Standard errors by which a move is so far behind that it is not tried in further states."""

SCREENED: Final = (16,)
STAGES: Final = (32, 128)
"""Numbers of states in which moves have been tried after each stage. SCREENED is for the moves worth considering,
STAGES for all moves, in other states."""

PLAIN: Final = 2.0
"""Least standard errors between the best move and the others in the screening, and when a puzzle is solved again."""

_BY_STEP: Final = {
    "put": "put",
    "sail": "where",
    "name": "name",
    "answer": "deal",
    "again": "again",
    "show": "show",
}
"""Themes of decisions other than the first of a round."""

THEMES: Final = {
    "steer": mark("Steer the Dutchman"),
    "few": mark("Play few horseshoes"),
    "leave": mark("Let others steer"),
    "cards": mark("A card instead of horseshoes"),
    "keep": mark("Keep the card"),
    "put": mark("Which shares to put back?"),
    "where": mark("Where to sail?"),
    "name": mark("Which destination to name?"),
    "deal": mark("Take the bargain?"),
    "again": mark("The deciding round"),
    "show": mark("Show a share?"),
}
"""Themes by the step, the best move, and the second: see ``_theme``."""

_ASKS: Final = {theme: theme for theme in THEMES} | dict.fromkeys(
    ("steer", "few", "leave", "cards", "keep"), "action"
)
_QUESTIONS: Final = {"action": mark("Horseshoes or a card?")} | {
    key: THEMES[key] for key in ("put", "where", "name", "deal", "again", "show")
}


def _tables(number: int) -> tuple[Options, tuple[str, ...]]:
    """Return the options and players of a table: three, four or five players, of all strengths."""
    seats = (3, 4, 4, 5)[number % 4]
    return Options(players=seats), ("greedy", "casual", "greedy", "greedy", "casual")[:seats]


def _weigh_in_stages(view: View, moves: Sequence[Move], random: Random, stages: Sequence[int]) -> Solved:
    """Try each move in the states of the first stage, and in those of the next all that are not far behind."""
    assert view.seat is not None
    weighed = [Weighed(move) for move in moves]
    scales = Scales(view.seat, Imagined(view, random), random, refusals=True)
    left, best, done = weighed, weighed[0], 0
    for until in stages:
        scales.weigh(left, done, until)
        best, done = max(left, key=lambda one: one.chance), until
        left = [one for one in left if one is best or not _far_behind(one.less_than(best))]
    margins = [one.less_than(best) for one in weighed]
    return Solved(
        tuple(max(0.0, best.chance - margin.mean) for margin in margins),
        tuple(margin.error for margin in margins),
        "sampled",
    )


def _far_behind(margin: Margin) -> bool:
    return margin.mean > FAR * margin.error


def _screen(view: View, moves: Sequence[Move], random: Random) -> tuple[Move, Move] | None:
    if view.step in ("propose", "check"):
        return None  # too many ways to pay (H9), and nothing that the round shows (H11a)
    thought = candidates(view, moves, [], random)
    if len(thought) < 2:
        return None
    weighed = _weigh_in_stages(view, thought, random, SCREENED)
    if weighed.gap < GAP or weighed.separation < PLAIN:
        return None
    return thought[weighed.best], thought[weighed.second]


def _solve(view: View, moves: Sequence[Move], random: Random) -> Solved:
    return _weigh_in_stages(view, moves, random, STAGES)


def _clear(solved: Solved) -> bool:
    return solved.gap >= GAP and solved.separation >= CLEAR


def _holds(solved: Solved) -> bool:
    return solved.separation >= PLAIN


def _play_out(view: View, move: Move, deal: str) -> float:
    """Play a round on with ``expert`` in all seats, from a state that the view could come from; value its end.

    Each decision has random numbers of its own, so that moves tried in one deal meet the same luck.
    """
    assert view.seat is not None
    state = play(Imagined(view, Random(f"{deal} hands")).first(1)[0], move)
    dice = Random(f"{deal} chance")
    step = 0
    while not at_rest(state):
        step += 1
        action: Any
        if state.mover == CHANCE:
            action = chance(state).draw(dice.randrange)
        else:
            thinking = Random(f"{deal} decision {step}")
            action = expert.choose(view_of(state, state.mover), legal(state), thinking)
        state = carried_out(state, action)
    return float(chances([state])[0, view.seat])


# ------------------------------------------------------------------------------------------------------- themes


def _theme(view: View, moves: Sequence[Move], best: Move, second: Move) -> str:
    """Return the theme of a decision.

    A lay with the best reading of all own lays aims to steer (H6); another lay is there to take part cheaply.
    """
    if view.step in _BY_STEP:
        return _BY_STEP[view.step]
    if isinstance(best, Kontor | Smith):
        return "cards"
    if isinstance(best, Pass):
        return "leave"
    assert isinstance(best, Lay)
    if isinstance(second, Kontor | Smith):
        return "keep"
    lucky = view.lucky or 0
    most = max(reading(move.horseshoes, lucky) for move in moves if isinstance(move, Lay))
    return "steer" if reading(best.horseshoes, lucky) == most else "few"


ADAPTER: Final = PuzzleAdapter(
    tables=_tables,
    ladder=("casual", "greedy"),
    screen=_screen,
    solve=_solve,
    clear=_clear,
    holds=_holds,
    theme=_theme,
    themes=THEMES,
    asks=_ASKS,
    questions=_QUESTIONS,
    play_out=_play_out,
)
