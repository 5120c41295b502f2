"""Batches of Der fliegende Holländer for the tests: set up in a state, and given outcomes.

The positions come from games in which every seat prefers some moves (``voyages``). Uniformly drawn moves rarely
lead to accepted bargains, bankruptcies or long deciding rounds.
"""

from collections.abc import Iterable
from itertools import islice
from typing import Any

import numpy as np

from dutchman.table import Seat, go, position
from dutchman.voyages import Leg, Table, some_tables, voyage
from kontor.batch import NOTHING, SKIP, Batch, simulated
from kontor.games.dutchman.batch import layout
from kontor.games.dutchman.batch.states import write
from kontor.games.dutchman.rules import DUTCHMAN, State
from kontor.games.dutchman.rules.state import Name

GAME = simulated(DUTCHMAN)
VOYAGES = some_tables(49, checks=("never",))


def set_up(state: State, games: int = 1, seed: int = 0) -> Batch:
    """Return a batch in which every game is in this state."""
    batch = Batch(DUTCHMAN, state.options, games, seed=seed)
    batch.rows[:] = write(state)
    return batch


def given(*outcomes: Any) -> Any:
    """Return outcomes, one for each game, in the format that a batch reads."""
    rows = np.full((len(outcomes), layout.OUTCOME), NOTHING)
    for row, outcome in zip(rows, outcomes, strict=True):
        if outcome:
            values = GAME.outcome_row(outcome)
            row[: len(values)] = values
    return rows


def some_legs(number: int, every: int, tables: Iterable[Table] = VOYAGES) -> Iterable[Leg]:
    """Return this number of steps of the voyages, taking one of every ``every`` steps."""
    return islice((leg for table in tables for leg in voyage(table)), 0, number * every, every)


def some_moves(batch: Batch, seed: int = 0) -> Any:
    """Return any legal action of each game, or SKIP."""
    choices = batch.choices()
    drawn = (np.random.default_rng(seed).random(batch.games) * choices).astype(np.int64)
    return batch.nth(np.where(choices > 0, drawn, SKIP))


def bargain(*cash: int) -> State:
    """Return a state in which Karin and the next seats are tied and Karin proposes; ``cash`` is their cash."""
    seats = [Seat(rack="10 10 1", cash=ducats) for ducats in cash]
    laid = " / ".join(["Karin lays 10", "Helga lays 10", "Anne lays 10", "Karl lays 10"][: len(cash)])
    state = go(position(*seats, *[Seat(rack="1 1")] * max(0, 3 - len(cash))), laid + " / lays 1" * (3 - len(cash)))
    ahead = [move.to for move in DUTCHMAN.moves(state) if isinstance(move, Name)]
    for to in (*ahead[:1], *ahead[1:2] * (len(cash) - 1)):
        state = go(state, f"names {to}")
    assert state.step == "propose"
    return state
