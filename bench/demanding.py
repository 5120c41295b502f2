"""A player of Der fliegende Holländer that demands everything, so that players who give way to it pay for that.

It acts as ``greedy``. When it is tied (H9), it names its favourite destination and agrees only to proposals that
bring it much. It proposes that the others keep nothing of what they gain.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from kontor.games.dutchman.players import agreeing, greedy
from kontor.games.dutchman.players.greedy import Table
from kontor.games.dutchman.rules.state import Accept, Decline, Move, Name, Propose, Withhold
from kontor.games.dutchman.rules.view import View

MUCH: Final = 5
"""Ducats that another seat's proposal must bring at least."""


def choose(view: View, moves: Sequence[Move], random: Random) -> Move:
    """Return a move of the view's seat."""
    if len(moves) == 1 or view.step not in _STEPS:
        return greedy.choose(view, moves, random)
    return _STEPS[view.step](Table(view))


def _name(table: Table) -> Move:
    return Name(table.outlook.best_for(table.seat, table.bargain.tied))


def _answer(table: Table) -> Move:
    proposed = table.bargain.proposal
    assert proposed
    ducats = dict(zip(table.bargain.tied, proposed.ducats, strict=True))
    agreed = table.outlook.standing(table.seat, proposed.to, table.bargain.tied, ducats)
    return Accept() if agreed - table.no_agreement(table.seat) >= MUCH * table.a_ducat else Decline()


def _propose(table: Table) -> Move:
    """Return the best proposal for us.

    As far as we know, each of the others gains less than a ducat by it, and pays the rest.
    """
    view, me, tied = table.view, table.seat, table.bargain.tied
    best, chosen = 0.0, None
    for to in view.ahead:
        ducats = agreeing.paid(table, [agreeing.price_of(table, seat, to) for seat in tied if seat != me], 0)
        gain = table.outlook.standing(me, to, tied, ducats) - table.no_agreement(me)
        if view.players[me].cash + ducats[me] >= 0 and gain > best:
            best, chosen = gain, Propose(to, tuple([ducats[seat] for seat in tied]))
    return chosen or Withhold()


_STEPS: Final = {"name": _name, "answer": _answer, "propose": _propose}
