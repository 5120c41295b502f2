"""States that a seat thinks about: drawn from its beliefs, with hidden lays as people lay them."""

from __future__ import annotations

from random import Random
from typing import Final

from msgspec.structs import replace

from kontor.games.dutchman.players.beliefs import Beliefs
from kontor.games.dutchman.players.greedy import worthwhile_lays
from kontor.games.dutchman.rules.horseshoes import laid, split, together, without
from kontor.games.dutchman.rules.state import Merchant, State
from kontor.games.dutchman.rules.view import View

MAX_RETRIES: Final = 4
"""So many states are drawn for one in which everybody who laid had a sensible lay of that size."""


class Imagined:
    """States that a view could come from, drawn when they are first asked for.

    In the beliefs all racks are equally likely, and all lays that can be made from them; but nobody lays just
    anything. Of the horseshoes held the best lay of that size is taken, and racks that have none that is worth laying
    are passed over, as long as others turn up.
    """

    def __init__(self, view: View, random: Random) -> None:
        self._beliefs = Beliefs(view)
        self._random = random
        self._lucky = view.lucky or 0
        self._hidden = [seat for seat, player in enumerate(view.players) if player.laid and seat != view.seat]
        self._states: list[State] = []

    def first(self, count: int) -> list[State]:
        """So many of them; always the same."""
        while len(self._states) < count:
            self._states.append(self._one())
        return self._states[:count]

    def _one(self) -> State:
        for _ in range(MAX_RETRIES):
            state = self._beliefs.sample(self._random)
            if not self._hidden:
                break
            sensible = {seat: _laying_well(state.merchants[seat], self._lucky) for seat in self._hidden}
            merchants = [sensible.get(seat) or merchant for seat, merchant in enumerate(state.merchants)]
            state = replace(state, merchants=tuple(merchants))
            if all(sensible.values()):
                break
        return state


def _laying_well(merchant: Merchant, lucky: int) -> Merchant | None:
    """With the best lay of that size instead of any; None if none is worth laying."""
    assert merchant.lay
    held = together(merchant.rack, merchant.lay)
    for _, lay in worthwhile_lays(held, lucky):
        if len(lay) == len(merchant.lay):
            gold, silver = split(without(held, lay))
            return replace(merchant, gold=gold, silver=silver, laid=laid(lay))
    return None
