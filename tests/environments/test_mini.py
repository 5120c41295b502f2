"""The Mini-Holländer: the same rules with a smaller box, small enough to be solved."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import msgspec
import pyspiel
import pytest

import kontor.environments.openspiel  # noqa: F401
from kontor.batch import Batch
from kontor.environments.encoders import Position, opening
from kontor.game import CHANCE, OVER, BadOptions
from kontor.games.dutchman.research import DutchmanEncoder
from kontor.games.dutchman.rules import DUTCHMAN, Options
from kontor.games.dutchman.rules.chance import Dealing
from kontor.games.dutchman.rules.chart import MINI_CHART, BadChart
from kontor.games.dutchman.rules.components import BOX, MINI
from kontor.games.dutchman.rules.state import Deal, MiniOptions

from .walks import walk_positions

ENCODER = DutchmanEncoder(MiniOptions())
WALKED = pytest.mark.xdist_group("tree of the Mini-Holländer")


def deals(position: Position, likely: Fraction = Fraction(1)) -> Iterator[tuple[Any, Fraction]]:
    """Yield every deal that steps of chance can make, with its probability."""
    counts = ENCODER.outcome_counts(position.state, position.begun)
    for step, count in counts.items():
        if count:
            after, chance = position.after(step), likely * Fraction(count, counts.total())
            if after.begun:
                yield from deals(after, chance)
            else:
                yield after.action, chance


def test_every_deal_comes_once_and_is_as_likely_as_by_the_rules() -> None:
    listed = list(deals(opening(ENCODER)))
    rules = Dealing(3, MINI)
    assert len({deal for deal, _ in listed}) == len(listed) == 540
    assert all(isinstance(deal, Deal) and rules.probability(deal) == chance for deal, chance in listed)
    assert sum(chance for _, chance in listed) == 1
    drawn = {rules.draw(Random(seed).randrange) for seed in range(50)}
    assert drawn <= {deal for deal, _ in listed}


@pytest.fixture(scope="module")
def tree() -> Any:
    """Return the game with a cache of its tree, which takes seconds to walk through for the first time."""
    return pyspiel.load_game("cached_tree(game=mini_dutchman())")


@WALKED
@pytest.mark.long
def test_its_tree_is_as_large_as_the_page_says_and_every_game_ends(tree: Any) -> None:
    histories = ends = 0
    stack = [tree.new_initial_state()]
    while stack:
        state = stack.pop()
        histories += 1
        if state.is_terminal():
            ends += 1
            assert sum(state.returns()) == pytest.approx(1)
            continue
        chance = state.is_chance_node()
        stack += [
            state.child(step)
            for step in ([s for s, _ in state.chance_outcomes()] if chance else state.legal_actions())
        ]
    assert (histories, ends) == (100_846, 25_920)


@WALKED
@pytest.mark.extended
@pytest.mark.long
def test_cfr_of_openspiel_comes_near_an_equilibrium(tree: Any) -> None:
    solver = pyspiel.CFRSolver(tree)
    for _ in range(6):
        solver.evaluate_and_update_policy()
    assert 0 < pyspiel.nash_conv(tree, solver.average_policy(), True) < 0.15  # after one iteration it is 0.64


def test_it_passes_openspiels_checks() -> None:
    pyspiel.random_sim_test(pyspiel.load_game("mini_dutchman"), num_sims=3, serialize=True, verbose=False)


def test_views_of_it_can_be_imagined_and_its_states_packed() -> None:
    for seed in range(4):
        for position in walk_positions(ENCODER, seed):
            state = position.state
            assert DUTCHMAN.deserialise(DUTCHMAN.serialise(state), state.options) == state
            if position.mover in (CHANCE, OVER):
                continue
            view = DUTCHMAN.view(state, position.mover)
            imagined = DUTCHMAN.imagine(view, Random(seed).randrange)
            assert DUTCHMAN.view(imagined, position.mover) == view


def test_no_table_and_no_record_can_have_it() -> None:
    assert Options().box is Options(players=3).box is BOX
    assert MiniOptions().box is MINI
    encoded = msgspec.json.encode(MiniOptions())
    assert b"box" not in encoded
    with pytest.raises(BadChart):
        DUTCHMAN.start(msgspec.json.decode(encoded, type=Options))
    with pytest.raises(BadChart):
        DUTCHMAN.start(Options(chart=MINI_CHART))
    with pytest.raises(BadOptions) as refused:
        Batch(DUTCHMAN, MiniOptions(), 1)
    assert refused.value.rule == "H4"
