"""The player ``greedy`` in Python and in kernels: the same games, move by move."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from batch.groups import OF_DUTCHMAN
from kontor.batch import Batch, simulated
from kontor.batch.compiled import LUCK
from kontor.game import CHANCE, OVER
from kontor.games.dutchman.batch.states import read, write
from kontor.games.dutchman.players import greedy
from kontor.games.dutchman.rules import DUTCHMAN, Options
from training.dutchman.policy.greedy import play_as_greedy
from training.dutchman.policy.thought import thought_of

pytestmark = [OF_DUTCHMAN, pytest.mark.long]

GAMES = 20
PROVED = simulated(DUTCHMAN).proved


@pytest.mark.parametrize("options", [options for several in PROVED for options in several if options.circles > 1])
def test_both_writings_of_greedy_make_the_same_moves_in_whole_games(options: Options) -> None:
    """Compare the moves wherever a seat is to move.

    One move in six is a random legal one, to reach positions that ``greedy`` does not bring about.
    """
    batch = Batch(DUTCHMAN, options, 1)
    luck, decisions, thoughts = np.zeros(1, LUCK), np.zeros(1, np.int32), thought_of(options)
    met: Counter[str] = Counter()
    for number in range(GAMES):
        random = Random(f"{options.players}/{number}")
        state = DUTCHMAN.start(options)
        while state.mover != OVER:
            if state.mover == CHANCE:
                state = DUTCHMAN.play(state, DUTCHMAN.chance(state).draw(random.randrange))
                continue
            legal = DUTCHMAN.moves(state)
            move = greedy.choose(DUTCHMAN.view(state, state.mover), legal, random)
            wanted = DUTCHMAN.play(state, move)
            batch.rows[0] = write(state)
            play_as_greedy(batch.rows, luck, 1, decisions, thoughts, 0, 1)
            assert read(batch.rows[0], options) == wanted, (number, state, move)
            met[type(move).__name__] += 1
            state = wanted if random.randrange(6) else DUTCHMAN.play(state, legal[random.randrange(len(legal))])
    assert met.keys() >= {"Lay", "Pass", "Smith", "Kontor", "Put", "Sail", "Name", "Propose", "Withhold"}
    assert met.keys() >= {"Accept", "Decline", "Show"}


def test_games_are_played_to_their_end() -> None:
    batch = Batch(DUTCHMAN, Options(), 50)
    luck = np.zeros(50, LUCK)
    luck["state"] = np.arange(50)
    decisions = np.zeros(50, np.int32)
    play_as_greedy(batch.rows, luck, 1_000, decisions, thought_of(Options()), 0, 50)
    assert set(batch.movers.tolist()) == {OVER}
    assert decisions.min() > 30
    assert decisions.max() < 1_000
