"""The player called ``casual`` for Der fliegende Holländer: somebody who looks at this round and little further.

A casual merchant reckons like ``greedy``, but as if the game ended after a few ships: so horseshoes and cards are not
kept for later, and shares are worth what they are worth soon. Of the others' shares only those count that everybody
has seen.
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
"""So many ships are thought of."""


def choose(view: View, moves: Sequence[Move], random: Random) -> Move:
    """What looks best as far as a casual player looks."""
    return greedy.choose(_as_noticed(view), moves, random)


def _as_noticed(view: View) -> View:
    """The table without what a casual player does not think of."""
    return replace(
        view,
        counter=max(view.counter, LAST_CHEST - HORIZON),
        players=tuple([replace(player, at_most=player.at_least) for player in view.players]),
    )
