"""Judges Der fliegende Holländer as ``expert`` does, but tries every candidate in the same, and more, imagined
states. Nothing but the end of the game is judged exactly."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from kontor.games.dutchman.players.candidates import candidates
from kontor.games.dutchman.players.imagining import Imagined
from kontor.games.dutchman.players.weighing import Scales, Weighed
from kontor.games.dutchman.rules.moves import moves as legal
from kontor.games.dutchman.rules.state import Move
from kontor.games.dutchman.rules.view import View
from kontor.players import Appraisal, Appraised, Estimate

STATES: Final = 128
"""Imagined for a judgement."""


class DutchmanJudge:
    """The judge of Der fliegende Holländer: see :class:`kontor.players.Judge`."""

    def value(self, view: View, random: Random) -> Estimate:
        """If the seat is to move, it is held to play its best move."""
        assert view.seat is not None
        if view.result:
            winners = view.result.winners
            return Estimate(1 / len(winners) if view.seat in winners else 0.0, exact=True)
        imagined = Imagined(view, random)
        if view.mover == view.seat:
            moves = legal(imagined.first(1)[0])
            return Estimate(_appraised(view, moves, imagined, random)[0].chance, exact=False)
        waiting = Weighed(None)
        Scales(view.seat, imagined, random).weigh([waiting], 0, STATES)
        return Estimate(waiting.chance, exact=False)

    def appraise(self, view: View, moves: Sequence[Move], random: Random, played: Any = None) -> Appraisal:
        """The moves worth a thought, and the one played, each tried in the same states."""
        return Appraisal(tuple(_appraised(view, moves, Imagined(view, random), random, played)), exact=False)


def _appraised(
    view: View, moves: Sequence[Move], imagined: Imagined, random: Random, played: Move | None = None
) -> list[Appraised]:
    """The best first."""
    assert view.seat is not None
    thought = candidates(view, moves, imagined.first(STATES), random)
    if played is not None and played not in thought:
        thought.append(played)
    weighed = {move: Weighed(move) for move in thought}
    Scales(view.seat, imagined, random).weigh(weighed.values(), 0, STATES)
    appraised = [Appraised(move, each.chance) for move, each in weighed.items()]
    return sorted(appraised, key=lambda each: -each.chance)


JUDGE: Final = DutchmanJudge()
