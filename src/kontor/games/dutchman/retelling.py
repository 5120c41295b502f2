"""The last voyage as the headline of a new round: it is told before the next lucky number is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kontor.game import CHANCE, Event
from kontor.games.dutchman.rules import View
from kontor.games.dutchman.rules.state import Bankrupt, Earned, Happening, Paid, Sailed
from kontor.games.dutchman.words import MOST_NAMED, codes, everyone, island
from kontor.words import Words

Seen = tuple[int, Event, View, View]
Payments = Sequence[tuple[int, int]]
"""Seats, each with what it pays or earns."""


def retell(words: Words, names: Sequence[str], view: View, latest: Callable[[], Sequence[Seen]]) -> str:
    """Return the headline that tells the last voyage, addressed to the viewing seat; empty if there is none to tell.

    It is told until the first player of the new round has chosen. The dice show the lucky number meanwhile.
    ``latest`` returns the last steps of the game.
    """
    if view.mover == CHANCE:
        return _describe_voyage(words, names, view, view.happened)
    if view.step != "action" or view.queue != view.order:
        return ""
    happened = [one for _, event, _, _ in latest() for one in event.happened]
    voyage = _describe_voyage(words, names, view, happened)
    if not voyage:
        return ""
    if view.mover == view.seat:
        return words.say("{voyage} Your turn: choose.", voyage=voyage)
    return words.say("{voyage} {name} begins.", voyage=voyage, name=names[view.mover])


def _describe_voyage(words: Words, names: Sequence[str], view: View, happened: Sequence[Happening]) -> str:
    """Return the last voyage of the Dutchman and its price in one sentence; empty if it did not sail."""
    sailings = [place for place, one in enumerate(happened) if isinstance(one, Sailed)]
    if not sailings:
        return ""
    sailed, effects = happened[sailings[-1]], happened[sailings[-1] + 1 :]
    assert isinstance(sailed, Sailed)
    ruined = next((one.seats for one in effects if isinstance(one, Bankrupt)), ())
    paid = next((one for one in effects if isinstance(one, Paid)), None)
    if ruined:
        price = _describe_ruin(words, names, view, ruined)
    elif paid:
        price = _describe_payments(words, names, view, [(seat, n) for seat, n in enumerate(paid.paid) if n])
    else:
        price = _describe_earnings(words, names, view, [(e.seat, e.ducats) for e in effects if isinstance(e, Earned)])
    field = codes(words, view.options.chart)[sailed.to] if paid else island(words, sailed.to)
    return words.say("The Dutchman sails to {field}: {price}.", field=field, price=price)


def _describe_ruin(words: Words, names: Sequence[str], view: View, ruined: Sequence[int]) -> str:
    if view.seat in ruined:
        return words.say("you are bankrupt")
    if len(ruined) == 1:
        return words.say("{name} is bankrupt", name=names[ruined[0]])
    if len(ruined) > MOST_NAMED:
        return words.say("{n} merchants are bankrupt", n=len(ruined))
    return words.say("{names} are bankrupt", names=everyone(words, names, ruined))


def _describe_payments(words: Words, names: Sequence[str], view: View, payments: Payments) -> str:
    """Return who pays how much; the reader is named first, and of many others only the number."""
    own = next((n for seat, n in payments if seat == view.seat), 0)
    others = [(seat, n) for seat, n in payments if seat != view.seat]
    total = sum(n for _, n in others)
    if own and not others:
        return words.say("you pay {n}", n=own)
    if own and len(others) == 1:
        return words.say("you pay {n}, {name} {other}", n=own, name=names[others[0][0]], other=total)
    if own:
        return words.say("you pay {n}, others {other}", n=own, other=total)
    if not others:
        return words.say("nobody pays")
    if len(others) == 1:
        return words.say("{name} pays {n}", name=names[others[0][0]], n=total)
    if len(others) > MOST_NAMED:
        return words.say("{merchants} merchants pay {n}", merchants=len(others), n=total)
    (one, n), (two, other) = others
    return words.say("{name} pays {n}, {second} {other}", name=names[one], n=n, second=names[two], other=other)


def _describe_earnings(words: Words, names: Sequence[str], view: View, earnings: Payments) -> str:
    """Return who earns how much on an island (H12)."""
    own = next((n for seat, n in earnings if seat == view.seat), 0)
    if own:
        return words.say("you earn {n}", n=own)
    if not earnings:
        return words.say("nobody earns")
    total = sum(n for _, n in earnings)
    if len(earnings) == 1:
        return words.say("{name} earns {n}", name=names[earnings[0][0]], n=total)
    return words.say("{merchants} merchants earn {n}", merchants=len(earnings), n=total)
