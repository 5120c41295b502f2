"""Moves of Der fliegende Holländer as numbers."""

from collections import Counter
from math import comb
from random import Random
from typing import Any

import numpy as np
import pytest

from batch.dutchman.setting_up import GAME, bargain, set_up, some_legs
from batch.groups import OF_DUTCHMAN
from dutchman.table import Seat, go, hear, position
from kontor.game import IllegalMove
from kontor.games.dutchman.batch import layout
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules.state import Lay, Put, Sail

pytestmark = OF_DUTCHMAN


def test_every_move_has_a_number() -> None:
    state = position(Seat("red red blue", "48 21 20 10 1"), Seat(), Seat())
    batch = set_up(state)
    names = [field.name for field in state.options.chart.fields]
    for move, number in [
        ("passes", layout.PASS),
        ("lays 1", layout.LAY + 1),
        ("lays 20 10", layout.LAY + 784 + 56),
        ("lays 48 1", layout.LAY + 3136 + 1),
        ("lays 21", layout.LAY + 28 * 3136),
        ("shows blue", layout.SHOW),
        ("puts back red red", layout.PUT + layout.PAIRS.index((4, 4))),
        ("sails to red 2", layout.SAIL + names.index("red 2")),
        ("names Holland", layout.NAME + names.index("Holland")),
    ]:
        assert batch.action(0, hear(state, f"Karin {move}")) == number
        assert batch.move(0, number) == hear(state, f"Karin {move}")


def test_legal_moves_are_counted_and_numbered() -> None:
    """Check that the numbers enumerate all legal moves, each once, where there are not too many."""
    met: Counter[str] = Counter()
    for leg in some_legs(400, 17):
        state, legal = leg.before, DUTCHMAN.moves(leg.before)
        if len(legal) > 1_000 or met[state.step] > 30:
            continue
        met[state.step] += 1
        batch = set_up(state, max(1, len(legal)))
        assert batch.choices().tolist() == [len(legal)] * batch.games
        if not legal:
            continue
        actions = batch.nth(np.arange(len(legal)))
        assert (np.diff(actions) > 0).all()
        assert {GAME.move_of(state, int(action)) for action in actions} == set(legal)
        with pytest.raises(ValueError, match="not so many legal moves"):
            batch.nth(batch.choices())
    assert met.keys() >= set(layout.DECIDING) - {"propose"}


def test_proposals_are_numbered_whatever_they_cost() -> None:
    """Check all agreements of two; of three and four seats, each with more cash, check a sample."""
    random = Random(4)
    for cash in ((2, 1), (0, 0), (3, 0, 2), (25, 40, 9), (300, 17, 0, 250)):
        state = bargain(*cash)
        legal = DUTCHMAN.moves(state)
        ahead = len(DUTCHMAN.moves(go(state, "withholds"))) - 1
        assert (len(legal) - 1) % comb(sum(cash) + len(cash) - 1, len(cash) - 1) == 0, ahead
        numbers = range(len(legal)) if len(legal) < 500 else sorted(random.sample(range(len(legal)), 300))
        batch = set_up(state, len(numbers))
        assert batch.choices().tolist() == [len(legal)] * len(numbers)
        assert np.flatnonzero(batch.legal()[0]).tolist() == [layout.WITHHOLD, layout.PROPOSE_COLUMN]
        actions = batch.nth(np.array(numbers))
        assert (np.diff(actions) > 0).all()
        moves = [GAME.move_of(state, int(action)) for action in actions]
        assert all(move in legal for move in moves)
        assert [GAME.action_of(state, move) for move in moves] == actions.tolist()
        batch.step(actions)
        for game in range(0, len(numbers), 7):
            assert batch.state(game) == DUTCHMAN.play(state, moves[game])


@pytest.mark.parametrize(
    ("move", "rule"), [("lays 47", "H6c"), ("passes", "H6d"), ("sails to red 1", "H6"), ("accepts", "H6")]
)
def test_an_illegal_move_is_refused_with_its_rule_and_nothing_happens(move: str, rule: str) -> None:
    state = position(Seat(rack="48 20 10 10 1"), Seat(), Seat())
    batch = set_up(state, 3)
    before = batch.rows.copy()
    lay = batch.action(0, hear(state, "Karin lays 20 10"))
    action = batch.action(0, hear(state, f"Karin {move}"))
    with pytest.raises(IllegalMove) as refused:
        batch.step(np.array([lay, action, lay]))
    assert refused.value.rule == rule
    assert refused.value.__notes__ == [f"game 1 of the batch, action {action}"]
    assert np.array_equal(batch.rows, before)


@pytest.mark.parametrize("move", [Lay(()), Lay((48, 47)), Lay((1, 2)), Lay((3,)), Sail("Atlantis"), "pass"])
def test_what_is_no_move_has_no_number(move: Any) -> None:
    with pytest.raises(KeyError):
        set_up(position(Seat(rack="48 47 2 1"), Seat(), Seat())).action(0, move)


LAST = layout.PROPOSE + layout.FIELDS * layout.WAYS - 1


@pytest.mark.parametrize("action", [-2, layout.LAY, layout.LAY + layout.LAYS, layout.PROPOSE, LAST, LAST + 1])
def test_a_number_that_is_no_action_is_refused(action: int) -> None:
    """Check that there is no empty lay, and no payment while nobody bargains."""
    batch = set_up(position(Seat(rack="48 20 10 10 1"), Seat(), Seat()))
    before = batch.rows.copy()
    with pytest.raises(IllegalMove):
        batch.step(np.array([action]))
    assert np.array_equal(batch.rows, before)


def test_put_and_lay_are_the_moves_they_are_numbered_as() -> None:
    assert GAME.move_of(position(*[Seat()] * 3), layout.PUT) == Put(("blue", "blue"))
    assert GAME.move_of(position(*[Seat()] * 3), layout.LAY + 1) == Lay((1,))
