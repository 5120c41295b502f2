"""The Holländer's ``swift``: it uses only what it may know, keeps the rules, and values moves like ``expert``."""

from math import sqrt
from random import Random

import pytest

from batch.groups import OF_DUTCHMAN
from kontor.games.dutchman.batch.layout import DECIDING
from kontor.games.dutchman.players import expert, values
from kontor.games.dutchman.players.candidates import candidates
from kontor.games.dutchman.players.imagining import Imagined
from kontor.games.dutchman.players.weighing import Scales, Weighed
from kontor.games.dutchman.rules import DUTCHMAN, Options
from kontor.players.budget import Iterations
from players.decisions import of_every_step
from training.dutchman import swift
from training.dutchman.imagined_rows import ImaginedRows
from training.dutchman.imitation import as_greedy
from training.dutchman.learned import Learned

pytestmark = [OF_DUTCHMAN, pytest.mark.long]


@pytest.mark.parametrize("options", [Options(3), Options(4), Options(6)], ids=lambda options: f"{options.players}")
def test_it_keeps_the_rules_and_decides_by_view_and_seed_alone(options: Options) -> None:
    decide = swift.with_budget(Iterations(2))
    states = of_every_step(options)
    assert {state.step for state in states} == {*DECIDING}
    for state in states:
        view = DUTCHMAN.view(state, state.mover)
        twin = DUTCHMAN.imagine(view, Random(23).randrange)
        chosen = decide(view, DUTCHMAN.moves(state), Random(1))
        assert chosen in DUTCHMAN.moves(state)
        assert decide(DUTCHMAN.view(twin, state.mover), DUTCHMAN.moves(twin), Random(1)) == chosen, state.step


def test_moves_are_worth_what_the_expert_holds_them_to_be_worth() -> None:
    """Compare up to chance and the expected moves of others: here both expect nearly the moves of ``greedy``."""
    few, many = 60, 2_000
    learned = Learned({**values.weights(), **as_greedy()})
    for state in of_every_step(Options(4)):
        view, random = DUTCHMAN.view(state, state.mover), Random(2)
        imagined = Imagined(view, random)
        move = candidates(view, DUTCHMAN.moves(state), imagined.first(4), random)[-1]
        weighed = Weighed(move)
        Scales(state.mover, imagined, random).weigh([weighed], 0, few)
        rows = ImaginedRows(view, random, learned)
        results = rows.tried([rows.action(move)], many)[0]
        chances = results[:, 0] + results[:, 1:].sum(axis=0).max() / many
        off = abs(chances.mean() - weighed.chance)
        assert off <= 0.01 + 4.5 * weighed.error * sqrt(1 + few / many), (state.step, move)


def test_where_kernels_do_not_know_the_rules_it_is_expert() -> None:
    options = Options(4, check="on request")
    state = next(state for state in of_every_step(options) if state.step == "action")
    view, moves = DUTCHMAN.view(state, state.mover), DUTCHMAN.moves(state)
    assert swift.choose(view, moves, Random(5)) == expert.choose(view, moves, Random(5))
