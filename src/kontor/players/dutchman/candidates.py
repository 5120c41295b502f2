"""The moves worth a thought: a dozen where there may be millions."""

from __future__ import annotations

from collections.abc import Sequence

from kontor.dutchman.components import FEW
from kontor.dutchman.state import Kontor, Lay, Move, Pass, Smith
from kontor.dutchman.view import View
from kontor.players.dutchman.greedy import worthwhile_lays


def candidates(view: View, moves: Sequence[Move]) -> list[Move]:
    """The moves of a decision that may be the best, each once."""
    assert view.seat is not None
    me = view.players[view.seat]
    if view.step == "action":
        chosen = [Lay(lay) for _, lay in worthwhile_lays(view.rack, view.lucky or 0)]
        chosen += [Kontor()] * (me.kontor > 0) + [Smith()] * (me.smith > 0) + [Pass()] * (len(view.rack) < FEW)
        return chosen
    if view.step == "again":
        return [Pass(), *[Lay(lay) for _, lay in worthwhile_lays(view.rack, view.lucky or 0)]]
    return list(moves)
