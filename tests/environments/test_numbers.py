"""The two numberings of both games, for learners and for kernels.

They agree where they number the same moves: results learned with one can be played with the other.
"""

from random import Random
from typing import Any

import pytest

from kontor.environments.adapter import encoder_of
from kontor.game import CHANCE, AnyGame
from kontor.games.dutchman.batch import SIMULATED_DUTCHMAN
from kontor.games.dutchman.batch import layout as kernels_of_dutchman
from kontor.games.dutchman.research import steps as steps_of_dutchman
from kontor.games.shanghaien.batch import SIMULATED_SHANGHAIEN
from kontor.games.shanghaien.rules.numbering import MOVES
from random_steps import game_steps

SHANGHAIEN = SIMULATED_SHANGHAIEN.proved[0]
DUTCHMAN = [options for each in SIMULATED_DUTCHMAN.proved for options in each]


def decisions(game: AnyGame, options: Any, random: Random) -> list[Any]:
    """Return the states of a random game in which a seat is to move."""
    return [state for state, _, _ in game_steps(game, game.start(options), random) if state.mover != CHANCE]


@pytest.mark.parametrize("options", SHANGHAIEN, ids=str)
def test_the_46_moves_of_shanghaien_have_the_same_numbers(options: Any) -> None:
    encoder, kernels = encoder_of("shanghaien", options), SIMULATED_SHANGHAIEN
    assert encoder.actions == kernels.columns == len(set(MOVES)) == 46
    for state in decisions(encoder.game, options, Random(1)):
        assert encoder.legal(state, ()) == kernels.columns_of(state)
        for move in encoder.game.moves(state):
            assert encoder.steps(state, move) == (kernels.action_of(state, move),)


@pytest.mark.parametrize("options", DUTCHMAN, ids=lambda options: f"{options.players} {options.chart.holland}")
def test_the_first_82_moves_of_the_hollaender_have_the_same_numbers(options: Any) -> None:
    """Check the moves of one step. Lays and proposals come after them, and are numbered differently."""
    encoder, kernels = encoder_of("dutchman", options), SIMULATED_DUTCHMAN
    shared = range(82)
    assert steps_of_dutchman.LAY == kernels_of_dutchman.LAY == len(shared)
    states = decisions(encoder.game, options, Random(1))
    for number in shared:
        move = encoder.action_from(states[0], (number,))
        assert kernels.move_of(states[0], number) == move
        assert kernels.action_of(states[0], move) == number
    for state in states:
        assert [step for step in encoder.legal(state, ()) if step in shared] == [
            column for column in kernels.columns_of(state) if column in shared
        ]
