"""The compiled rules of Der fliegende Holländer in lock-step with the rules."""

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace as changed

from batch.dutchman.setting_up import GAME, VOYAGES, given, some_legs, some_moves
from batch.groups import OF_DUTCHMAN
from dutchman.voyages import embark, voyage
from kontor.batch import Batch
from kontor.batch import lockstep as proof
from kontor.game import CHANCE
from kontor.games.dutchman.batch import layout
from kontor.games.dutchman.batch.states import read, write
from kontor.games.dutchman.rules import DUTCHMAN, Options, State
from kontor.games.dutchman.rules.state import Kontor

pytestmark = OF_DUTCHMAN


@pytest.mark.parametrize("options", [options for several in GAME.proved for options in several])
def test_both_writings_of_the_rules_are_the_same_after_every_step(options: Options) -> None:
    proved = proof.prove(DUTCHMAN, options, 15, seed=1)
    assert proved.games == 15
    assert proved.decisions > 15 * 30
    assert proved.outcomes > 15 * 10


def test_whatever_can_be_agreed_on_is_proved() -> None:
    """Check that the proof covers all player counts, starters, numbers of circles (none to all), and two charts."""
    assert [{options.players for options in several} for several in GAME.proved] == [{3}, {4}, {5}, {6}]
    for several in GAME.proved:
        assert {0, 1, 2, 5} == {options.circles for options in several}
        assert {None, 0, several[0].players - 1} == {options.starter for options in several}
        assert len({options.chart for options in several}) == 2


@pytest.mark.long
def test_games_in_every_style_are_the_same_after_every_step() -> None:
    """Play one batch from the beginning, and set up every position before the step in another."""
    met: Counter[str] = Counter()
    for table in VOYAGES:
        played, put = (Batch(DUTCHMAN, table.options, 1) for _ in range(2))
        played.put(0, embark(table))
        for before, action, after in voyage(table):
            put.put(0, before)
            for batch in (played, put):
                if before.mover == CHANCE:
                    batch.give(given(action))
                else:
                    batch.step(np.array([batch.action(0, action)]))
                assert batch.state(0) == after
                assert batch.movers[0] == after.mover
                assert batch.choices()[0] == len(DUTCHMAN.moves(after))
                assert np.flatnonzero(batch.legal()[0]).tolist() == GAME.columns_of(after)
            assert np.array_equal(played.observe(), put.observe())
            met.update(type(happened).__name__ for happened in after.happened)
            met.update({"third reveal": len(after.revealed) == 3, after.step: 1})
        result = DUTCHMAN.result(after)
        assert result
        points, winners = played.score()
        assert (points[0].tolist(), np.flatnonzero(winners[0]).tolist()) == ([*result.points], [*result.winners])
        met["nobody left"] += all(merchant.bankrupt for merchant in after.merchants)
    assert set(layout.STEPS) - {"starter"} <= set(met)
    assert min(met[name] for name in ("Shared", "Agreed", "Undecided", "RolledFor", "Bankrupt", "Earned")) > 20
    assert met["third reveal"]
    assert met["nobody left"]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda after: changed(after, stones=after.stones[::-1]),
        lambda after: changed(after, happened=after.happened[1:]),
        lambda after: changed(after, put_by=(0,) * len(after.pile)),
        lambda after: changed(after, middle_known_heap=1),
        lambda after: changed(after, merchants=(changed(after.merchants[0], known_heap=1), *after.merchants[1:])),
    ],
)
def test_a_difference_is_found(wrong: Any) -> None:
    """Check that the proof stops when the rules get a different result in the second round."""

    def play(state: State, action: Any) -> State:
        after = DUTCHMAN.play(state, action)
        return wrong(after) if after.happened and after.round == 2 else after

    with pytest.raises(proof.Mismatch, match=r"the state of game [0-4], seed 1"):
        proof.prove(replace(DUTCHMAN, play=play), Options(), 5, seed=1)


def test_a_wrong_count_of_legal_moves_is_found() -> None:
    def moves(state: State) -> Any:
        return [move for move in DUTCHMAN.moves(state) if not isinstance(move, Kontor)]

    with pytest.raises(proof.Mismatch, match="the legal moves of game"):
        proof.prove(replace(DUTCHMAN, moves=moves), Options(), 5, seed=1)


def test_a_state_is_written_and_read_again() -> None:
    for leg in some_legs(800, 8):
        assert read(write(leg.after), leg.after.options) == leg.after


def test_fields_stay_within_what_the_layout_says() -> None:
    for number, options in enumerate(several[number % 4] for number, several in enumerate(GAME.proved)):
        batch = Batch(DUTCHMAN, options, 100, seed=number)
        for _ in range(60):
            batch.draw()
            for field in layout.LAYOUT.fields:
                numbers = batch[field.name]
                assert numbers.shape == (100, *field.shape)
                least = -field.most if field.name in ("ducats", "agreed") else layout.NONE
                assert ((numbers >= least) & (numbers <= field.most)).all(), field
            batch.step(some_moves(batch))
