"""The JSON values of the API about finished games."""

from __future__ import annotations

from kontor.game import Value
from kontor.tables.finished_games import FinishedGame


class FinishedGamesPage(Value, frozen=True):
    """A page of finished games. ``older`` asks for the next page, ``newer`` for the one before, if not empty."""

    games: tuple[FinishedGame, ...]
    older: str
    newer: str
