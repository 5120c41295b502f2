"""Each seat's chance to win, estimated for whole states at the start of a round.

Such states contain what a seat cannot know. To estimate the chances of a seat, imagine many states that its view
could come from, and take the average. The weights were made by ``python -m training train dutchman``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import as_file, files
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kontor.game import OVER
from kontor.games.dutchman.players import network
from kontor.games.dutchman.players.encoding import encoded
from kontor.games.dutchman.players.features import features
from kontor.games.dutchman.rules.play import result
from kontor.games.dutchman.rules.state import State

WEIGHTS: Final = "values.npz"


def chances(states: Sequence[State]) -> NDArray[np.float64]:
    """Return each seat's chance to win, float64[states, seats].

    A shared victory counts 1/n, rows sum to 1, and the bankrupt have 0. All states have equally many seats. Each
    stands at the start of a round (step "lucky"), or the game is over: then the chances are exact.
    """
    chances = np.zeros((len(states), len(states[0].merchants) if states else 0))
    going_on = [place for place, state in enumerate(states) if state.mover != OVER]
    if going_on:
        inputs = features(encoded([states[place] for place in going_on]))
        estimated = network.chances(weights(), inputs).astype(np.float64)
        chances[going_on] = estimated / estimated.sum(axis=1, keepdims=True)
    for place, state in enumerate(states):
        ended = result(state)
        if ended:
            chances[place, list(ended.winners)] = 1 / len(ended.winners)
    return chances


@cache
def shipped() -> dict[str, NDArray[Any]]:
    """Return all learned arrays by name, as they are shipped with Kontor."""
    with (
        as_file(files("kontor.games.dutchman.players").joinpath(WEIGHTS)) as path,
        np.load(path, allow_pickle=False) as arrays,
    ):
        return {name: arrays[name] for name in arrays.files}


@cache
def weights() -> network.Weights:
    """Return the shipped weights of the network."""
    return {name: shipped()[name] for name in network.shapes()}
