"""What is told beside the chart: the lays turned over, the bargain, the last voyage step by step, and the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kontor.game import OVER, Value
from kontor.games.dutchman import event_text
from kontor.games.dutchman import words as said
from kontor.games.dutchman.rules import View
from kontor.games.dutchman.rules.chart import sea_of
from kontor.games.dutchman.rules.components import CHESTS, COLOURS, FIRST_CHEST, PLACE_OF, Colour
from kontor.games.dutchman.rules.state import (
    Agreed,
    Bankrupt,
    Checked,
    Earned,
    Paid,
    Revealed,
    RolledFor,
    Sailed,
    Shared,
    Undecided,
)
from kontor.games.dutchman.web.chart import Seen
from kontor.games.dutchman.web.people import DUE, Shoe, shoes
from kontor.words import Words


class LaidOpen(Value, frozen=True):
    """A lay turned over, and how it is read."""

    seat: int
    name: str
    shoes: tuple[Shoe, ...]
    reading: str
    nearest: bool


class Turned(Value, frozen=True):
    """Lays that were turned over together."""

    key: str
    lucky: int
    title: str
    lays: tuple[LaidOpen, ...]
    near: str
    past: bool
    """In the round before."""


class Named(Value, frozen=True):
    """What a tied player wants."""

    seat: int
    name: str
    text: str
    answer: str
    """``by`` whoever proposes, ``yes`` to the proposal, ``asked`` whoever is to act, or nothing."""
    doing: str


class Terms(Value, frozen=True):
    """How far the tied players are."""

    title: str
    circle: str
    tied: tuple[Named, ...]
    proposal: str


class Bill(Value, frozen=True):
    """What a ship or an island meant for one merchant."""

    seat: int
    name: str
    ducats: int
    """Got, or paid (below 0)."""
    text: str
    ruined: bool = False


class Voyage(Value, frozen=True):
    """The last move of the Dutchman and what came of it."""

    key: str
    title: str
    route: str
    before: tuple[str, ...]
    colour: Colour | None
    cost: str
    bills: tuple[Bill, ...]
    walk: tuple[int, int] | None
    """The values of the chests between which the stone of the ship went."""
    walk_text: str


class Share(Value, frozen=True):
    """A share of the pile."""

    colour: Colour
    letter: str
    worth: int
    text: str


class ShownPile(Value, frozen=True):
    """What the last check showed (H11a)."""

    title: str
    shares: tuple[Share, ...]
    left: str
    """What the reader still knows of the pile by it."""


class Holding(Value, frozen=True):
    """Shares of one colour at the end."""

    colour: Colour
    letter: str
    count: int
    worth: int
    text: str


class Total(Value, frozen=True):
    """How a merchant's total comes about."""

    seat: int
    name: str
    you: bool
    won: bool
    bankrupt: str
    cash: int
    holdings: tuple[Holding, ...]
    points: int
    text: str


# --------------------------------------------------------------------------------------------- lays turned over


def turned(words: Words, names: Sequence[str], view: View, last: Sequence[Seen]) -> tuple[Turned, ...]:
    """The lays of this round, the deciding rounds last; until something new is laid, those of the round before."""
    if view.revealed:
        return tuple(
            _turned(words, names, view, view.lucky or 0, one, view.round, place)
            for place, one in enumerate(view.revealed, 1)
        )
    before = [(seen.lucky or 0, one, seen.round) for seen, one in _with_view(view, last) if isinstance(one, Revealed)]
    latest = before[-1][2] if before else 0
    return tuple(
        _turned(words, names, view, lucky, one, number, place)
        for place, (lucky, one, number) in enumerate((entry for entry in before if entry[2] == latest), 1)
        if latest == view.round - 1 and lucky
    )


def _turned(
    words: Words, names: Sequence[str], view: View, lucky: int, one: Revealed, number: int, place: int
) -> Turned:
    title = words.say("The lays for {lucky}", lucky=lucky)
    if place > 1:
        title = words.say("The deciding round for {lucky}", lucky=lucky)
    return Turned(
        key=f"{number}-{place}",
        lucky=lucky,
        title=title,
        lays=tuple(
            LaidOpen(
                seat=lay.seat,
                name=names[lay.seat],
                shoes=shoes(words, lay.horseshoes),
                reading=said.read(words, lay.horseshoes, lucky),
                nearest=lay.seat in one.nearest,
            )
            for lay in one.lays
        ),
        near=event_text.near(words, names, one.nearest),
        past=number < view.round,
    )


def _with_view(view: View, last: Sequence[Seen]) -> list[tuple[View, Any]]:
    """What happened since the reader's last move, each thing with the view before it."""
    if not last:
        return [(view, happening) for happening in view.happened]
    found = [(last[0][2], happening) for happening in last[0][2].happened]
    for _, event, before, _ in last:
        found += [(before, happening) for happening in event.happened]
    return found


# --------------------------------------------------------------------------------------------------- bargains


def terms(words: Words, names: Sequence[str], view: View) -> Terms | None:
    """The bargain on the table (H9)."""
    bargain = view.bargain
    if bargain is None:
        return None
    chart, proposal = view.options.chart, bargain.proposal
    tied = []
    for place, seat in enumerate(bargain.tied):
        text, answer, doing = "", "", ""
        if place < len(bargain.named):
            text = words.say("wants to go to {field}", field=said.field(words, chart, bargain.named[place]))
        if proposal and seat == proposal.by:
            answer, doing = "by", words.say("proposes")
        elif proposal and seat in bargain.accepted:
            answer, doing = "yes", words.say("accepts")
        elif seat == view.mover:
            answer, doing = "asked", words.say(DUE[view.step])
        tied.append(Named(seat, names[seat], text, answer, doing))
    circle = ""
    if view.step in ("propose", "answer"):
        circle = words.say("Circle {circle} of {circles}", circle=bargain.circle, circles=view.options.circles)
    proposed = ""
    if proposal:
        proposed = event_text.proposed(words, names, names[proposal.by], view, proposal.to, proposal.ducats)
    return Terms(words.say("Equally near to {lucky}", lucky=view.lucky), circle, tuple(tied), proposed)


# ------------------------------------------------------------------------------------------------- the voyage


def voyage(words: Words, names: Sequence[str], view: View, last: Sequence[Seen]) -> Voyage | None:
    """The last move of the Dutchman, if it was made since the reader's last move or by it."""
    told = _with_view(view, last)
    sailings = [place for place, (_, one) in enumerate(told) if isinstance(one, Sailed)]
    if not sailings:
        return None
    place = sailings[-1]
    sailed: Sailed = told[place][1]
    number = told[place][0].round
    chart = view.options.chart
    before = []
    for _, one in told[sailings[-2] + 1 if len(sailings) > 1 else 0 : place]:
        match one:
            case Agreed(tied, ducats):
                before.append(event_text.agreed(words, names, tied, ducats))
            case RolledFor(rolls, _):
                before.append(event_text.rolled_for(words, names, rolls))
            case Undecided(tied):
                before.append(words.say("No agreement: {names} lay again.", names=said.everyone(words, names, tied)))
    after = [one for _, one in told[place + 1 :]]
    colour = sea_of(chart).ship[sailed.to]
    paid = next((one for one in after if isinstance(one, Paid)), None)
    ruined = next((one.seats for one in after if isinstance(one, Bankrupt)), ())
    here, there = said.field(words, chart, sailed.start), said.field(words, chart, sailed.to)
    return Voyage(
        key=f"{number}",
        title=words.say("The last voyage"),
        route=words.say("The Dutchman sails from {here} to {there}.", here=here, there=there),
        before=tuple(before),
        colour=colour,
        cost=_cost(words, paid, colour),
        bills=_paid(words, names, paid, ruined) if paid else _earned(words, names, after),
        walk=(paid.value, CHESTS[FIRST_CHEST]) if paid else None,
        walk_text=_walk(words, paid),
    )


def _cost(words: Words, paid: Paid | None, colour: Colour | None) -> str:
    if paid is None or colour is None:
        return words.say("An island: whoever moved it may show one share and earn its worth.")
    if not any(paid.shares):
        return words.say("Nobody has a share in {colour}.", colour=said.colour(words, colour))
    return words.say("A share in {colour} costs {cost}.", colour=said.colour(words, colour), cost=paid.value)


def _walk(words: Words, paid: Paid | None) -> str:
    if paid is None:
        return ""
    return words.say(
        "The {colour} stone walks from {before} to {now}; every other stone and the counter one chest on.",
        colour=said.colour(words, paid.colour),
        before=paid.value,
        now=CHESTS[FIRST_CHEST],
    )


def _paid(words: Words, names: Sequence[str], paid: Paid, ruined: tuple[int, ...]) -> tuple[Bill, ...]:
    return tuple(
        Bill(
            seat,
            names[seat],
            -paid.paid[seat],
            words.count("for {n} share", "for {n} shares", count)
            if seat not in ruined
            else words.count(
                "for {n} share, and that is not enough: bankrupt",
                "for {n} shares, and that is not enough: bankrupt",
                count,
            ),
            seat in ruined,
        )
        for seat, count in enumerate(paid.shares)
        if count
    )


def _earned(words: Words, names: Sequence[str], after: Sequence[Any]) -> tuple[Bill, ...]:
    return tuple(
        Bill(one.seat, names[one.seat], one.ducats, words.say("for a share shown"))
        for one in after
        if isinstance(one, Earned)
    )


def checked(words: Words, view: View, last: Sequence[Seen]) -> ShownPile | None:
    """The Kontor pile as it was shown since the reader's last move or by it; and as long as a share of it lies
    there."""
    shown = [one.shares for _, one in _with_view(view, last) if isinstance(one, Checked)]
    if view.inspection:
        shown.append(view.inspection.shares)
    if not shown or view.mover == OVER:
        return None
    return ShownPile(
        title=words.say("The Kontor pile was checked"),
        shares=tuple(
            Share(share, said.letter(words, share), said.value(view, share), said.colour(words, share))
            for share in shown[-1]
        ),
        left=said.left_of_check(words, view),
    )


def rolled(words: Words, names: Sequence[str], view: View) -> str:
    """Who rolled what for it (H10a)."""
    return event_text.rolled_for(words, names, view.rolls) if view.rolls and view.step == "sail" else ""


def smiths(words: Words, names: Sequence[str], view: View, last: Sequence[Seen]) -> str:
    """What the smiths took just before the lays of this round were turned over."""
    for seen, one in reversed(_with_view(view, last)):
        if isinstance(one, Shared) and seen.round == view.round:
            who = said.everyone(words, names, one.smiths)
            if len(one.smiths) == 1:
                return words.count(
                    "{name} takes {n} horseshoe from the middle.",
                    "{name} takes {n} horseshoes from the middle.",
                    one.each,
                    name=who,
                )
            return words.count(
                "{names} take {n} horseshoe each from the middle; {left} stay.",
                "{names} take {n} horseshoes each from the middle; {left} stay.",
                one.each,
                names=who,
                left=one.left,
            )
    return ""


# ---------------------------------------------------------------------------------------------------- the end


def totals(words: Words, names: Sequence[str], view: View) -> tuple[Total, ...]:
    """Cash and shares of each, the richest first (H13)."""
    if view.mover != OVER or view.result is None:
        return ()
    points, winners = view.result.points, view.result.winners
    order = sorted(range(len(points)), key=lambda seat: (seat not in winners, -points[seat], seat))
    return tuple(_total(words, names, view, seat, points[seat], won=seat in winners) for seat in order)


def _total(words: Words, names: Sequence[str], view: View, seat: int, points: int, *, won: bool) -> Total:
    player = view.players[seat]
    held = player.held or ()
    holdings = tuple(
        Holding(
            colour,
            said.letter(words, colour),
            held.count(colour),
            said.value(view, colour),
            words.count(
                "{n} share in {colour} at {worth}",
                "{n} shares in {colour} at {worth}",
                held.count(colour),
                colour=said.colour(words, colour),
                worth=CHESTS[view.stones[PLACE_OF[colour]]],
            ),
        )
        for colour in COLOURS
        if colour in held
    )
    bankrupt = words.say("bankrupt since round {round}", round=player.bankrupt) if player.bankrupt else ""
    sums = [
        words.count("{n} ducat in cash", "{n} ducats in cash", player.cash),
        *(holding.text for holding in holdings),
    ]
    text = bankrupt or words.say("{sum}: {points}", sum=words.all_of(sums), points=points)
    return Total(seat, names[seat], seat == view.seat, won, bankrupt, player.cash, holdings, points, text)
