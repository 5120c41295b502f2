"""Playing on at random to the end of the game, quickly, as plain tree searches do.

First the kind of an action is chosen evenly, and then one of that kind: there are hundreds of lays, and one Smith
card. A lay is a golden horseshoe that is not above the lucky number, if there is one. Nobody makes proposals: most
would be refused, and without them the game comes to an end sooner.
"""

from __future__ import annotations

from random import Random

from kontor.dutchman.chance import chance
from kontor.dutchman.components import FEW, Horseshoes
from kontor.dutchman.horseshoes import lay_number, number_of_lays
from kontor.dutchman.moves import moves
from kontor.dutchman.rules import carried_out, result
from kontor.dutchman.state import Kontor, Lay, Merchant, Move, Pass, Smith, State, Withhold
from kontor.game import CHANCE, OVER


def shares_of_victory(state: State, random: Random) -> tuple[float, ...]:
    """What each seat has of the victory if all play on like that: 1 for a sole winner, 1/n for each of n."""
    while state.mover != OVER:
        if state.mover == CHANCE:
            state = carried_out(state, chance(state).draw(random.randrange))
        else:
            state = carried_out(state, some_move(state, random))
    found = result(state)
    assert found
    won = found.winners
    return tuple([1 / len(won) if seat in won else 0.0 for seat in range(len(state.merchants))])


def some_move(state: State, random: Random) -> Move:
    """One of the legal moves."""
    if state.step == "action":
        return _some_action(state, random)
    if state.step == "again":
        merchant = state.merchants[state.mover]
        return some_lay(merchant, state.lucky or 0, random) if _armed(merchant) and random.random() < 0.5 else Pass()
    if state.step == "propose":
        return Withhold()
    legal = moves(state)
    return legal[int(random.random() * len(legal))]


def _armed(merchant: Merchant) -> int:
    """How many horseshoes are in the rack."""
    return len(merchant.gold) + len(merchant.silver.horseshoes)


def _some_action(state: State, random: Random) -> Move:
    """H6: any of what can be done."""
    merchant = state.merchants[state.mover]
    horseshoes = _armed(merchant)
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


def some_lay(merchant: Merchant, lucky: int, random: Random) -> Lay:
    """H6c: a golden horseshoe that does not exceed the lucky number; or else anything."""
    fitting = [horseshoe for horseshoe in merchant.gold if horseshoe <= lucky]
    if fitting:
        return Lay((fitting[int(random.random() * len(fitting))],))
    number = int(random.random() * number_of_lays(merchant.gold, merchant.silver))
    lay: Horseshoes = lay_number(number, merchant.gold, merchant.silver)
    return Lay(lay)
