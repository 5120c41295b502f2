"""Events and bargains of Der fliegende Holländer in sentences.

An event holds only what its reader may know, so these sentences cannot reveal secrets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kontor.game import Event
from kontor.games.dutchman.rules.bargain import Proposal
from kontor.games.dutchman.rules.chart import Chart
from kontor.games.dutchman.rules.components import Colour
from kontor.games.dutchman.rules.horseshoes import without
from kontor.games.dutchman.rules.state import (
    Accept,
    Agreed,
    Bankrupt,
    Check,
    Checked,
    Decline,
    Dice,
    Earned,
    Happening,
    Keep,
    Lain,
    Name,
    Paid,
    Pass,
    Propose,
    Revealed,
    RolledFor,
    Sailed,
    Shared,
    Show,
    Smith,
    Starter,
    Undecided,
    Withhold,
)
from kontor.games.dutchman.rules.view import Dealt, Drawn, FaceDown, PutBack, Shuffled, View
from kontor.games.dutchman.words import colour, everyone, field, plain, read, shares, value
from kontor.words import Words


def describe_event(words: Words, names: Sequence[str], before: View, event: Event, after: View) -> list[str]:
    """Return the sentences that describe one step; empty if the step needs no sentence."""
    sentences = [*_describe_move(words, names, before, event)]
    for happening in event.happened:
        sentences += _describe_consequence(words, names, before, happening, after)
    return sentences


def _describe_move(words: Words, names: Sequence[str], before: View, event: Event) -> Iterator[str]:
    name = names[event.seat] if event.seat >= 0 else ""
    match event.action:
        case Drawn() | PutBack() | FaceDown() | Smith() | Pass():
            yield _describe_choice(words, name, event.action)
        case Name(to):
            yield words.say("{name} names {field}.", name=name, field=field(words, before.options.chart, to))
        case Propose(to, ducats):
            assert before.bargain is not None
            proposal = Proposal(event.seat, to, ducats)
            yield proposed(words, names, before.options.chart, before.bargain.tied, proposal)
        case Withhold():
            yield words.say("{name} makes no proposal.", name=name)
        case Accept():
            yield words.say("{name} accepts.", name=name)
        case Decline():
            yield words.say("{name} declines.", name=name)
        case Show(which):
            yield words.count(
                "{name} shows a share in {colour} and earns {n} ducat.",
                "{name} shows a share in {colour} and earns {n} ducats.",
                value(before, which),
                name=name,
                colour=colour(words, which),
            )
        case Keep():
            yield words.say("{name} shows nothing.", name=name)
        case Check():
            yield words.say("{name} asks for the Kontor pile to be checked.", name=name)
        case _:
            yield from _describe_outcome(words, names, before, event.action)


def _describe_choice(words: Words, name: str, action: Drawn | PutBack | FaceDown | Smith | Pass) -> str:
    match action:
        case Drawn(None):
            return words.say("{name} plays a Kontor card.", name=name)
        case Drawn(drawn):
            return words.say(
                "{name} plays a Kontor card and draws {shares}.", name=name, shares=shares(words, drawn or ())
            )
        case PutBack(None):
            return words.say("{name} puts two shares under the pile.", name=name)
        case PutBack(put):
            return words.say("{name} puts {shares} under the pile.", name=name, shares=shares(words, put or ()))
        case FaceDown(count, None):
            return words.count("{name} plays {n} horseshoe.", "{name} plays {n} horseshoes.", count, name=name)
        case FaceDown(_, laid):
            return words.say("{name} plays {shoes} face down.", name=name, shoes=plain(laid or ()))
        case Smith():
            return words.say("{name} plays a Smith card.", name=name)
        case _:
            return words.say("{name} passes.", name=name)


def _describe_outcome(words: Words, names: Sequence[str], before: View, outcome: Any) -> Iterator[str]:
    """Yield the sentences that describe an outcome of chance."""
    match outcome:
        case Starter(seat):
            yield words.say("{name} starts (drawn at random).", name=names[seat])
        case Dealt():
            yield words.say("Shares and horseshoes are dealt.")
        case Dice(tens, ones) if before.step == "lucky":
            yield words.say(
                "Round {round}: {name} rolls {tens} and {ones}, the lucky number is {lucky}.",
                round=before.round,
                name=names[before.starter],
                tens=tens,
                ones=ones,
                lucky=tens + ones,
            )
        case Shuffled(count):
            yield words.count(
                "The Kontor pile is shuffled: {n} share.", "The Kontor pile is shuffled: {n} shares.", count
            )


def _describe_consequence(
    words: Words, names: Sequence[str], before: View, happening: Happening, after: View
) -> Iterator[str]:
    chart = before.options.chart
    match happening:
        case Shared(smiths, each, left):
            yield from _describe_sharing(words, names, smiths, each, left)
            if before.seat in smiths:
                got = without(after.rack, before.rack)
                yield words.say("New in the rack of {name}: {shoes}.", name=names[before.seat or 0], shoes=plain(got))
        case Revealed(lays, nearest):
            yield from (lain(words, names, lay, before.lucky or 0) for lay in lays)
            yield near(words, names, nearest)
        case RolledFor(rolls, highest):
            yield rolled_for(words, names, rolls)
            if len(highest) == 1:
                yield words.say("{name} has rolled highest.", name=names[highest[0]])
            else:
                yield words.say("{names} are tied and roll again.", names=everyone(words, names, highest))
        case Undecided(tied):
            yield words.say("No agreement: {names} play more horseshoes.", names=everyone(words, names, tied))
        case Agreed(tied, ducats):
            yield agreed(words, names, tied, ducats)
        case Sailed(start, to, _):
            start_name, to_name = field(words, chart, start), field(words, chart, to)
            yield words.say("The Dutchman sails from {here} to {destination}.", here=start_name, destination=to_name)
        case Paid(which, cost, counts, paid):
            yield from _describe_payments(words, names, which, cost, counts, paid)
        case Bankrupt(seats):
            yield from (words.say("{name} is bankrupt and out of the game.", name=names[seat]) for seat in seats)
        case Earned():
            return  # said with the share that was shown
        case Checked(shown):
            yield words.say("It contains {shares}.", shares=shares(words, shown))


def _describe_sharing(
    words: Words, names: Sequence[str], smiths: tuple[int, ...], each: int, left: int
) -> Iterator[str]:
    if len(smiths) == 1:
        yield words.count(
            "{name} takes {n} horseshoe from the middle.",
            "{name} takes {n} horseshoes from the middle.",
            each,
            name=names[smiths[0]],
        )
    else:
        yield words.count(
            "{names} take {n} horseshoe each from the middle.",
            "{names} take {n} horseshoes each from the middle.",
            each,
            names=everyone(words, names, smiths),
        )
    if left:
        yield words.count("{n} horseshoe is left there.", "{n} horseshoes are left there.", left)


def lain(words: Words, names: Sequence[str], lay: Lain, lucky: int) -> str:
    """Return a lay and its reading in words, as in ``Anna: 45 − 2 = 43: exact.``."""
    return words.say("{name}: {reading}.", name=names[lay.seat], reading=read(words, lay.horseshoes, lucky))


def near(words: Words, names: Sequence[str], nearest: tuple[int, ...]) -> str:
    """Return a sentence that names the players nearest to the lucky number."""
    if len(nearest) == 1:
        return words.say("{name} is nearest.", name=names[nearest[0]])
    return words.say("{names} are tied.", names=everyone(words, names, nearest))


def rolled_for(words: Words, names: Sequence[str], rolls: Sequence[tuple[int, int]]) -> str:
    """Return one sentence with all rolls for the Dutchman."""
    sums = [words.say("{name} rolls {sum}", name=names[seat], sum=total) for seat, total in rolls]
    return words.say("They roll for it: {sums}.", sums=words.all_of(sums))


def _describe_payments(
    words: Words, names: Sequence[str], which: Colour, cost: int, counts: tuple[int, ...], paid: tuple[int, ...]
) -> Iterator[str]:
    """Yield a sentence that says who paid, and who has how many shares: everybody has seen it (H11)."""
    bill = [
        words.say("{name} pays {ducats} for {count}", name=names[seat], ducats=paid[seat], count=count)
        for seat, count in enumerate(counts)
        if count
    ]
    if bill:
        yield words.say(
            "A share in {colour} costs {cost}: {bill}.",
            colour=colour(words, which),
            cost=cost,
            bill=words.all_of(bill),
        )
    else:
        yield words.say("Nobody has a share in {colour}.", colour=colour(words, which))


# ---------------------------------------------------------------------------------------------- bargaining


def payments(words: Words, names: Sequence[str], tied: Sequence[int], ducats: Sequence[int]) -> str:
    """Return payments in words, as ``Anna pays Bernd 3 ducats`` or ``nobody pays``."""
    paying = [(seat, -change) for seat, change in zip(tied, ducats, strict=True) if change < 0]
    paid = [(seat, change) for seat, change in zip(tied, ducats, strict=True) if change > 0]
    if not paying:
        return words.say("nobody pays")
    if len(paying) == 1 and len(paid) == 1:
        (payer, sum_paid), (receiver, _) = paying[0], paid[0]
        return words.count(
            "{payer} pays {receiver} {n} ducat",
            "{payer} pays {receiver} {n} ducats",
            sum_paid,
            payer=names[payer],
            receiver=names[receiver],
        )
    pays = [words.say("{name} pays {n}", name=names[seat], n=change) for seat, change in paying]
    gets = [words.say("{name} gets {n}", name=names[seat], n=change) for seat, change in paid]
    return words.all_of(pays + gets)


def proposed(words: Words, names: Sequence[str], chart: Chart, tied: Sequence[int], proposal: Proposal) -> str:
    """Return a proposal in words, as ``Anna proposes Madeira; Bernd pays Anna 3 ducats.``."""
    to_name = field(words, chart, proposal.to)
    terms = payments(words, names, tied, proposal.ducats)
    return words.say("{name} proposes {field}; {terms}.", name=names[proposal.by], field=to_name, terms=terms)


def agreed(words: Words, names: Sequence[str], tied: Sequence[int], ducats: Sequence[int]) -> str:
    """Return a sentence that says who agrees, and who pays."""
    if not any(ducats):
        return words.say("{names} agree.", names=everyone(words, names, tied))
    return words.say(
        "{names} agree; {terms}.", names=everyone(words, names, tied), terms=payments(words, names, tied, ducats)
    )
