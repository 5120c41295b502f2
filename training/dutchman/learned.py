"""Learned weights of ``swift``, and the records that kernels need with them."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from kontor.batch.arrays import Rows
from kontor.games.dutchman.batch.states import field_names
from kontor.games.dutchman.players import network, values
from kontor.games.dutchman.rules import Options
from kontor.games.dutchman.rules.chart import sea_of
from training.dutchman.policy.imitating import POLICY_SHAPES, policy_of
from training.dutchman.policy.judging import judgement_of
from training.dutchman.policy.thought import thought_of
from training.trainers import Arrays


class Tools(NamedTuple):
    """Records for all games with some options; kernels need a copy of each to write into."""

    thoughts: Rows
    policies: Rows
    judgements: Rows
    ways: int
    """Most ways from a field."""
    fields: int


class Learned:
    """Weights of the chances to win between rounds, and of the policy within a round, by name."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = {name: arrays[name] for name in (*network.shapes(), *POLICY_SHAPES)}
        self._tools: dict[Options, Tools] = {}

    def tools(self, options: Options) -> Tools:
        """Return the records for some options; they are cached."""
        if options not in self._tools:
            self._tools[options] = Tools(
                thought_of(options),
                policy_of(self.arrays),
                judgement_of(self.arrays, options),
                max(len(ways) for ways in sea_of(options.chart, options.box).ways.values()),
                len(field_names(options)),
            )
        return self._tools[options]


@cache
def shipped() -> Learned:
    """Return the weights that are shipped with Kontor."""
    return Learned(values.shipped())
