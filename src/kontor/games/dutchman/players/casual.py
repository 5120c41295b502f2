"""Computer player ``casual`` for Der fliegende Holländer: it looks at this round and little further.

A casual merchant computes like ``greedy``, but as if the game ended after a few ships. So it keeps no horseshoes and
cards for later, and shares count by their value in the near future. Of the others' shares it considers only those
that everybody has seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from msgspec.structs import replace

from kontor.games.dutchman.players import greedy
from kontor.games.dutchman.rules.components import LAST_CHEST
from kontor.games.dutchman.rules.state import Move
from kontor.games.dutchman.rules.view import View

HORIZON: Final = 2
"""Ships that a casual player looks ahead."""


def choose(view: View, moves: Sequence[Move], random: Random) -> Move:
    """Choose the move that looks best to a casual player."""
    return greedy.choose(_as_noticed(view), moves, random)


def _as_noticed(view: View) -> View:
    """Return the view without what a casual player ignores."""
    return replace(
        view,
        counter=max(view.counter, LAST_CHEST - HORIZON),
        players=tuple([replace(player, at_most=player.at_least) for player in view.players]),
    )
