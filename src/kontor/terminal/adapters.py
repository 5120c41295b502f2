"""The games that can be played at a terminal. A third game is added here, and in files of its own."""

from __future__ import annotations

from typing import Final

from kontor.games import game_named
from kontor.terminal.adapter import TerminalAdapter
from kontor.terminal.dutchman_asking import DUTCHMAN_ADAPTER
from kontor.terminal.shanghaien_asking import SHANGHAIEN_ADAPTER

TERMINAL_ADAPTERS: Final[dict[str, TerminalAdapter]] = {
    adapter.game.name: adapter for adapter in (SHANGHAIEN_ADAPTER, DUTCHMAN_ADAPTER)
}


def adapter_named(name: str) -> TerminalAdapter:
    """The adapter of a game. Raises BadOptions if there is no such game."""
    return TERMINAL_ADAPTERS[game_named(name).name]
