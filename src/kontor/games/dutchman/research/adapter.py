"""Research adapter of Der fliegende Holländer, for programs that learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kontor.environments.adapter import NOBODY, ResearchAdapter, starter_of
from kontor.games.dutchman.research.encoder import DutchmanEncoder
from kontor.games.dutchman.rules import Options
from kontor.games.dutchman.rules.state import MiniOptions


def _options(parameters: Mapping[str, Any]) -> Options:
    """Return the options for parameters.

    ``players`` is 3 to 6; ``circles`` of bargaining 0 to 5; ``starter`` is a seat or -1 (by lot).
    """
    return Options(parameters["players"], starter_of(parameters), parameters["circles"])


MINI: Final = ResearchAdapter(
    encoder=DutchmanEncoder,
    title="Mini-Holländer",
    players=(3, 3),
    open_information=False,
    parameters={},
    options=lambda _: MiniOptions(),
)
"""A game that is small enough to be solved."""

ADAPTER: Final = ResearchAdapter(
    encoder=DutchmanEncoder,
    title="Der fliegende Holländer",
    players=(3, 6),
    open_information=False,
    parameters={"players": 4, "circles": 2, "starter": NOBODY},
    options=_options,
    smaller=MINI,
)
