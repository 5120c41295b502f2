"""Each seat's chance to win, estimated for whole states at the start of a round."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kontor.dutchman.components import LAST_CHEST
from kontor.dutchman.rules import result
from kontor.dutchman.state import State
from kontor.game import OVER
from kontor.players.dutchman.features import DUCATS, encoded, features


def chances(states: Sequence[State]) -> NDArray[np.float64]:
    """Each seat's chance to win, float64[states, seats]; a shared victory counts 1/n, rows sum to 1, the bankrupt
    have none. The states, with equally many seats, stand at the start of a round (step "lucky"), or the game is over: then
    the chances are exact."""
    chances = np.empty((len(states), len(states[0].merchants) if states else 0))
    going_on = [place for place, state in enumerate(states) if state.mover != OVER]
    if going_on:
        chances[going_on] = _estimated([states[place] for place in going_on])
    for place, state in enumerate(states):
        ended = result(state)
        if ended:
            chances[place] = 0
            chances[place, list(ended.winners)] = 1 / len(ended.winners)
    return chances


def _estimated(states: Sequence[State]) -> NDArray[np.float64]:
    seen = encoded(states)
    known = features(seen)
    ships = LAST_CHEST - seen.table[:, -2]
    scores = (known.seats[..., 2] + known.seats[..., 7]) * (DUCATS / 2) / (4 + 2 * ships)[:, None]
    scores = np.where(known.playing, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), dtype=np.float64)
