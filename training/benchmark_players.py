"""Benchmark players, which search within a budget, for programs that measure others by them."""

from __future__ import annotations

from typing import Final

from kontor.players import add_benchmark_player

PLAYERS: Final = (
    ("dutchman", "ismcts", "training.dutchman.ismcts"),
    ("dutchman", "swift", "training.dutchman.swift"),
    ("shanghaien", "mcts", "training.shanghaien.mcts"),
)
"""The game, the name and the module of each."""


def add_benchmark_players() -> None:
    """Add them to the players of this process: see :func:`kontor.players.add_benchmark_player`."""
    for game, name, module in PLAYERS:
        add_benchmark_player(game, name, module)
