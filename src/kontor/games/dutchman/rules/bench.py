"""Options with which the speed of the rules is measured."""

from __future__ import annotations

from typing import Final

from kontor.games.dutchman.rules.state import Options

OPTIONS: Final = tuple(Options(players=players) for players in (4, 3, 5, 6))
"""For each number of players, with two circles of bargaining; the usual number first."""
