"""Moves worth considering: a dozen, where there may be millions."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from kontor.games.dutchman.players import greedy
from kontor.games.dutchman.players.bargaining import proposals
from kontor.games.dutchman.players.greedy import worthwhile_lays
from kontor.games.dutchman.rules.components import FEW
from kontor.games.dutchman.rules.state import Kontor, Lay, Move, Pass, Smith, State, Withhold
from kontor.games.dutchman.rules.view import View


def candidates(view: View, moves: Sequence[Move], states: Sequence[State], random: Random) -> list[Move]:
    """Return the moves of a decision that may be the best, each once; that of ``greedy`` comes first.

    ``states`` are some that the view could come from; they show what others may agree to.
    """
    chosen = [greedy.choose(view, moves, random), *_by_step(view, moves, states)]
    return list(dict.fromkeys(chosen))


def _by_step(view: View, moves: Sequence[Move], states: Sequence[State]) -> list[Move]:
    if view.step == "action":
        return [*_cards(view), *_lays(view)]
    if view.step == "again":
        return [Pass(), *_lays(view)]
    if view.step == "propose":
        return [Withhold(), *proposals(view, states)]
    if view.step == "check":
        return []  # a check gains nothing within the round
    return list(moves)


def _cards(view: View) -> list[Move]:
    """Return the legal moves that are no lays (H6a, H6b, H6d)."""
    assert view.seat is not None
    me = view.players[view.seat]
    return [*[Kontor()] * (me.kontor > 0), *[Smith()] * (me.smith > 0), *[Pass()] * (len(view.rack) < FEW)]


def _lays(view: View) -> list[Move]:
    return [Lay(lay) for _, lay in worthwhile_lays(view.rack, view.lucky or 0)]
