"""States that a seat thinks about: drawn from its beliefs, with hidden lays as people lay them."""

from __future__ import annotations

from random import Random
from typing import Final

from msgspec.structs import replace

from kontor.dutchman.horseshoes import laid, split, together, without
from kontor.dutchman.state import Merchant, State
from kontor.dutchman.view import View
from kontor.players.dutchman.beliefs import Beliefs
from kontor.players.dutchman.greedy import worthwhile_lays

PATIENCE: Final = 4
"""So many states are drawn for one in which everybody who laid had a sensible lay of that size."""


def imagined(view: View, count: int, random: Random) -> list[State]:
    """States that the view could come from. All racks are equally likely in the beliefs, and all lays that can be
    made from them; but nobody lays just anything: of the horseshoes held the best lay of that size is taken, and
    racks that have no good one are passed over."""
    beliefs = Beliefs(view)
    hidden = [seat for seat, player in enumerate(view.players) if player.laid and seat != view.seat]
    return [_sensible(beliefs, hidden, view.lucky or 0, random) for _ in range(count)]


def _sensible(beliefs: Beliefs, hidden: list[int], lucky: int, random: Random) -> State:
    for _ in range(PATIENCE):
        state = beliefs.sample(random)
        merchants = list(state.merchants)
        missing = False
        for seat in hidden:
            merchant = _laying_well(merchants[seat], lucky)
            if merchant:
                merchants[seat] = merchant
            else:
                missing = True
        if not missing:
            break
    return replace(state, merchants=tuple(merchants)) if hidden else state


def _laying_well(merchant: Merchant, lucky: int) -> Merchant | None:
    """With the most sensible lay of that size instead of any; None if there is none."""
    assert merchant.lay
    held = together(merchant.rack, merchant.lay)
    for _, lay in worthwhile_lays(held, lucky):
        if len(lay) == len(merchant.lay):
            gold, silver = split(without(held, lay))
            return replace(merchant, gold=gold, silver=silver, laid=laid(lay))
    return None
