"""Plug-in of Der fliegende Holländer: its parts by name."""

from __future__ import annotations

from typing import Final

from kontor.plugins import GamePlugin

DUTCHMAN: Final = GamePlugin(
    name="dutchman",
    package="kontor.games.dutchman",
    minutes=60,
    rules="kontor.games.dutchman.rules:DUTCHMAN",
    terminal="kontor.games.dutchman.terminal.asking:DUTCHMAN_ADAPTER",
    web="kontor.games.dutchman.web.adapter:ADAPTER",
    players={
        "casual": "kontor.games.dutchman.players.casual",
        "keen": "kontor.games.dutchman.players.between:KEEN",
        "greedy": "kontor.games.dutchman.players.greedy",
        "steady": "kontor.games.dutchman.players.greedy",
        "strong": "kontor.games.dutchman.players.between:STRONG",
        "expert": "kontor.games.dutchman.players.expert",
    },
    level_points={"casual": 1500, "keen": 1575, "steady": 1665, "strong": 1822, "expert": 1974},
    judge="kontor.games.dutchman.players.judge:JUDGE",
    review="kontor.games.dutchman.review:ADAPTER",
    analysis="kontor.games.dutchman.analysis:ADAPTER",
    puzzles="kontor.games.dutchman.puzzles:ADAPTER",
    positions="kontor.games.dutchman.positions:ADAPTER",
    research="kontor.games.dutchman.research.adapter:ADAPTER",
    batch="kontor.games.dutchman.batch:SIMULATED_DUTCHMAN",
    bench="kontor.games.dutchman.rules.bench:OPTIONS",
    commands="kontor.games.dutchman.terminal.command:add_to",
)
