"""Shanghaien's adapter for programs that learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kontor.environments.adapter import NOBODY, ResearchAdapter, starter_of
from kontor.games.shanghaien.research.encoder import ShanghaienEncoder
from kontor.games.shanghaien.rules import Options
from kontor.games.shanghaien.rules.components import TrickCounts

NO_TRICK: Final = ""
"""In parameters: nobody begins with a trick card."""


def _options(parameters: Mapping[str, Any]) -> Options:
    """Return the options from an environment's parameters.

    ``starter`` is 0, 1 or -1 (by lot). ``nudge``, ``both`` and ``reroll`` are the trick cards, eight in all.
    ``first_trick`` is one of these names, or empty.
    """
    return Options(
        TrickCounts(parameters["nudge"], parameters["both"], parameters["reroll"]),
        starter_of(parameters),
        parameters["first_trick"] or None,
    )


ADAPTER: Final = ResearchAdapter(
    encoder=ShanghaienEncoder,
    title="Shanghaien",
    players=(2, 2),
    open_information=True,
    parameters={"starter": NOBODY, "nudge": 3, "both": 2, "reroll": 3, "first_trick": NO_TRICK},
    options=_options,
)
