"""Draws the picture of the terminal in docs/pictures: a table of Shanghaien in the middle of a game.

.venv/bin/python scripts/pictures.py
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console
from rich.text import Text

from kontor.game import CHANCE
from kontor.games.shanghaien.rules import Options as Shanghaien
from kontor.games.shanghaien.rules.play import moves
from kontor.players import player_named
from kontor.terminal.adapter import adapter_named
from kontor.words import Words

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"


def draw(name: str, options: Any, names: tuple[str, ...], seed: int, wanted: Callable[[Any], bool]) -> None:
    """Let greedy players play until a state is wanted, and draw it as the seat to move sees it."""
    adapter, random, words = adapter_named(name), Random(seed), Words("en")
    game, choose = adapter.game, player_named(name, "greedy")
    state = game.start(options)
    while not wanted(state):
        if state.mover == CHANCE:
            action = game.chance(state).draw(random.randrange)
        else:
            action = choose(game.view(state, state.mover), game.moves(state), random)
        state = game.play(state, action)
    view = game.view(state, state.mover)
    console = Console(record=True, width=80, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text(adapter.headline(words, names, view), "bold"))
    console.print()
    console.print(adapter.board(words, names, view))
    console.save_svg(str(PICTURES / f"{name}.svg"), title=f"kontor play {name}")


if __name__ == "__main__":
    PICTURES.mkdir(parents=True, exist_ok=True)
    draw(
        "shanghaien",
        Shanghaien(starter=0),
        ("Anna", "Bernd"),
        7,
        lambda state: state.round > 3 and sum(map(sum, state.placed)) > 4 and len(moves(state)) > 4,
    )
