"""Imagined states as rows of a batch: drawn, priced, played on and judged by kernels."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from kontor.batch.arrays import Luck, Rows
from kontor.batch.compiled import LUCK
from kontor.games.dutchman.batch import SIMULATED_DUTCHMAN
from kontor.games.dutchman.batch.layout import LAYOUT, NONE
from kontor.games.dutchman.batch.states import write
from kontor.games.dutchman.players.beliefs import Beliefs, WeightsOf, all_equal
from kontor.games.dutchman.rules.state import Move
from kontor.games.dutchman.rules.view import View
from training.dutchman.learned import Learned
from training.dutchman.policy.dealing import deal_states, deals_of
from training.dutchman.policy.judging import judge
from training.dutchman.policy.pricing import price_fields
from training.dutchman.policy.rounds import CANDIDATE, COURSE, LABELS, STATE, play_rounds


class ImaginedRows:
    """States that a view could come from, and the results of moves in them.

    The view's seat is to move, the deal is done (H4), and the options are those of batches (``layout.of_options``).
    Rounds are played on and judged by what was ``learned``. ``weights_of`` says how much likelier some hands of
    others are.
    """

    def __init__(self, view: View, random: Random, learned: Learned, weights_of: WeightsOf = all_equal) -> None:
        assert view.seat is not None
        self._view = view
        self._seat = view.seat
        self._random = random
        beliefs = Beliefs(view, weights_of)
        self._example = beliefs.sample(random)
        self._base = np.array([write(self._example)])
        self._deals = deals_of(view, beliefs)
        self._luck = self._draw_luck(1)
        tools = learned.tools(view.options)
        self._ways, self._fields = tools.ways, tools.fields
        # Kernels write into these.
        self._thoughts, self._policies = tools.thoughts.copy(), tools.policies.copy()
        self._judgements = tools.judgements.copy()

    def _draw_luck(self, count: int) -> Luck:
        return np.frombuffer(self._random.randbytes(count * LUCK.itemsize), LUCK).copy()

    def draw(self, count: int) -> Rows:
        """Draw ``count`` more states."""
        rows: Rows = np.empty(count, LAYOUT.dtype)
        deal_states(rows, self._base, self._seat, self._deals, self._luck, self._thoughts)
        return rows

    def prices(self, count: int) -> dict[int, list[list[int]]]:
        """Return the fewest ducats for which each other tied player agrees to each field ahead (H9).

        It gives them in each of ``count`` states.
        """
        assert self._view.bargain
        prices = np.zeros((count, len(self._view.players), self._ways), np.int64)
        price_fields(self.draw(count), prices, self._thoughts, 0, count)
        prices = prices[:, :, : len(self._view.ahead)]
        return {seat: prices[:, seat].tolist() for seat in self._view.bargain.tied if seat != self._seat}

    def action(self, move: Move) -> int:
        """Return the number of a move of the view's seat; it is the same in all states."""
        return SIMULATED_DUTCHMAN.action_of(self._example, move)

    def tried(self, actions: Sequence[int], count: int) -> NDArray[np.float64]:
        """Try each action in the same ``count`` states with the same luck; return our chances to win after the round.

        The array is [actions, states, 1 + fields]. If we steer alone, the chance is at 1 + the number of each field
        ahead, otherwise at 0; all the others are 0.
        """
        room = len(actions) * count * self._ways
        ends: Rows = np.empty(room, LAYOUT.dtype)
        labels = np.empty((room, LABELS), np.int32)
        states, luck, tried = self.draw(count), self._draw_luck(count), np.array(actions, np.int64)
        many = play_rounds(states, luck, tried, self._seat, ends, labels, self._thoughts, self._policies)
        chances = np.empty((many, len(self._view.players)))
        judge(ends, chances, self._judgements, 0, many)
        candidate, state, course = (labels[:many, column] for column in (CANDIDATE, STATE, COURSE))
        by_course = np.zeros((len(actions), count, 1 + self._fields))
        by_course[candidate, state, course - NONE] = chances[:, self._seat]
        return by_course
