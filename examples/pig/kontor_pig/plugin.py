"""The plug-in of Pig: its parts by name."""

from typing import Final

from kontor.plugins import GamePlugin

PIG: Final = GamePlugin(
    name="pig",
    package="kontor_pig",
    minutes=5,
    rules="kontor_pig.rules:PIG",
    terminal="kontor_pig.terminal:ADAPTER",
    web="kontor_pig.web:ADAPTER",
    players={"casual": "kontor_pig.players:CASUAL", "steady": "kontor_pig.players:STEADY"},
    research="kontor_pig.research:ADAPTER",
)
