"""Plug-in of Shanghaien: its parts by name."""

from __future__ import annotations

from typing import Final

from kontor.plugins import GamePlugin

SHANGHAIEN: Final = GamePlugin(
    name="shanghaien",
    package="kontor.games.shanghaien",
    minutes=20,
    rules="kontor.games.shanghaien.rules:SHANGHAIEN",
    terminal="kontor.games.shanghaien.terminal.asking:SHANGHAIEN_ADAPTER",
    web="kontor.games.shanghaien.web.adapter:ADAPTER",
    players={
        "casual": "kontor.games.shanghaien.players.casual",
        "keen": "kontor.games.shanghaien.players.between:KEEN",
        "greedy": "kontor.games.shanghaien.players.greedy",
        "steady": "kontor.games.shanghaien.players.steady",
        "strong": "kontor.games.shanghaien.players.between:STRONG",
        "expert": "kontor.games.shanghaien.players.expert",
    },
    level_points={"casual": 1500, "keen": 1655, "steady": 1783, "strong": 1925, "expert": 2028},
    judge="kontor.games.shanghaien.players.judge:JUDGE",
    review="kontor.games.shanghaien.review:ADAPTER",
    analysis="kontor.games.shanghaien.analysis:ADAPTER",
    puzzles="kontor.games.shanghaien.puzzles:ADAPTER",
    positions="kontor.games.shanghaien.positions:ADAPTER",
    research="kontor.games.shanghaien.research.adapter:ADAPTER",
    batch="kontor.games.shanghaien.batch:SIMULATED_SHANGHAIEN",
)
