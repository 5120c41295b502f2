"""Quick games to the end, as plain tree searches use them: at random, but nobody steers into ruin.

- Actions: first the kind is chosen evenly, and then one of that kind, for there are hundreds of lays and one Smith
  card. A lay is the highest golden horseshoe that is not above the lucky number; without one, any lay.
- A mover who steers considers only what is paid and earned at once.
- Nobody makes proposals: most would be declined, and without them the game ends sooner. Nobody asks for the check.

If destinations were random too, a search would fear only bad luck, and would end with fewer ducats.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from kontor.game import CHANCE, OVER
from kontor.games.dutchman.rules.chance import chance
from kontor.games.dutchman.rules.components import CHESTS, FEW, PLACE_OF, Colour
from kontor.games.dutchman.rules.horseshoes import lay_number, number_of_lays
from kontor.games.dutchman.rules.moves import moves
from kontor.games.dutchman.rules.play import carried_out, result
from kontor.games.dutchman.rules.state import Kontor, Lay, Merchant, Move, Pass, Smith, State, Waive, Withhold

RUIN: Final = 50
"""Ducats that nobody can gain at once: any other field is better than one where the mover cannot pay."""


def shares_of_victory(state: State, random: Random) -> tuple[float, ...]:
    """Return each seat's share of the victory if all play on at random: 1/n for each of n winners."""
    while state.mover != OVER:
        if state.mover == CHANCE:
            state = carried_out(state, chance(state).draw(random.randrange))
        else:
            state = carried_out(state, some_move(state, random))
    final = result(state)
    assert final
    won = final.winners
    return tuple([1 / len(won) if seat in won else 0.0 for seat in range(len(state.merchants))])


def some_move(state: State, random: Random) -> Move:
    """Return a random legal move."""
    if state.step == "action":
        return _some_action(state, random)
    if state.step == "again":
        merchant = state.merchants[state.mover]
        return (
            some_lay(merchant, state.lucky or 0, random) if _rack_size(merchant) and random.random() < 0.5 else Pass()
        )
    if state.step == "propose":
        return Withhold()
    if state.step == "check":
        return Waive()
    legal = moves(state)
    if state.step in ("sail", "name"):
        gains = [gain + random.random() for gain in _gains(state)]
        return legal[gains.index(max(gains))]
    return legal[int(random.random() * len(legal))]


def _rack_size(merchant: Merchant) -> int:
    """Return the number of horseshoes in the rack."""
    return len(merchant.gold) + len(merchant.silver.horseshoes)


def _some_action(state: State, random: Random) -> Move:
    """Return a random legal action (H6)."""
    merchant = state.merchants[state.mover]
    horseshoes = _rack_size(merchant)
    kinds: list[Move | None] = []
    if horseshoes:
        kinds.append(None)
    if horseshoes < FEW:
        kinds.append(Pass())
    if merchant.kontor:
        kinds.append(Kontor())
    if merchant.smith:
        kinds.append(Smith())
    return kinds[int(random.random() * len(kinds))] or some_lay(merchant, state.lucky or 0, random)


def _gains(state: State) -> Iterator[float]:
    """Yield the ducats that the mover gains on the others by shares alone, for each field ahead (H11, H12)."""
    merchants = state.merchants
    me = merchants[state.mover]
    for field in state.sea.ahead[state.dutchman][state.came_from]:
        colour = state.sea.ship[field]
        if colour is None:
            yield max([_value(state, share) for share in me.shares], default=0)
            continue
        value, own = _value(state, colour), me.shares.count(colour)
        others = sum([merchant.shares.count(colour) for merchant in merchants]) - own
        yield value * (others / (len(merchants) - 1) - own) - (RUIN if own * value > me.cash else 0)


def _value(state: State, colour: Colour) -> int:
    """Return the present value of a share (H2)."""
    return CHESTS[state.stones[PLACE_OF[colour]]]


def some_lay(merchant: Merchant, lucky: int, random: Random) -> Lay:
    """Return the highest golden horseshoe that does not exceed the lucky number, or else any lay (H6c)."""
    for horseshoe in merchant.gold:
        if horseshoe <= lucky:
            return Lay((horseshoe,))
    number = int(random.random() * number_of_lays(merchant.gold, merchant.silver))
    return Lay(lay_number(number, merchant.gold, merchant.silver))
