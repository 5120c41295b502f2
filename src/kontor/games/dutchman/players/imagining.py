"""Imagined states of a seat: drawn from its beliefs, with hidden lays such as people would lay."""

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
"""States drawn at most until one has a sensible lay of that size for everybody who laid."""


class Imagined:
    """States that a view could come from, drawn when they are needed.

    The beliefs take all racks as equally likely, and all lays that can be made from them; but players choose their
    lays. So the best lay of that size is taken from the horseshoes held. Racks without a lay that is worth laying are
    skipped, as long as others can be drawn.
    """

    def __init__(self, view: View, random: Random) -> None:
        self._beliefs = Beliefs(view)
        self._random = random
        self._lucky = view.lucky or 0
        self._hidden = [seat for seat, player in enumerate(view.players) if player.laid and seat != view.seat]
        self._states: list[State] = []

    def first(self, count: int) -> list[State]:
        """Return the first ``count`` states; they are always the same."""
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
    """Return the merchant with the best lay of that size, or None if none is worth laying."""
    assert merchant.lay
    held = together(merchant.rack, merchant.lay)
    for _, lay in worthwhile_lays(held, lucky):
        if len(lay) == len(merchant.lay):
            gold, silver = split(without(held, lay))
            return replace(merchant, gold=gold, silver=silver, laid=laid(lay))
    return None
