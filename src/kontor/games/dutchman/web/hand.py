"""The reader's own things, and what they can do with them now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from kontor.game import OVER, Value
from kontor.games.dutchman import event_text
from kontor.games.dutchman import words as said
from kontor.games.dutchman.rules import Move, View
from kontor.games.dutchman.rules.chart import sea_of
from kontor.games.dutchman.rules.components import Colour
from kontor.games.dutchman.rules.play import worth
from kontor.games.dutchman.rules.state import Accept, Check, Keep, Kontor, Lay, Pass, Show, Smith, Withhold
from kontor.games.dutchman.web.people import Shoe, shoe
from kontor.words import Words, mark


class Held(Value, frozen=True):
    """A horseshoe of the own rack: the ``nth`` of those that are alike."""

    key: str
    nth: int
    shoe: Shoe
    text: str


class ShareCard(Value, frozen=True):
    """A share of the own hand: the ``nth`` of its colour."""

    key: str
    nth: int
    colour: Colour
    letter: str
    worth: int
    text: str
    choice: str
    """What choosing it is called: to put it back, or to show it; empty where it cannot be chosen."""


class Card(Value, frozen=True):
    """A kind of card: how many are left, and whether one can be played now."""

    kind: str
    title: str
    count: int
    text: str
    playable: bool
    asks: str
    means: str
    rule: str


class Destination(Value, frozen=True):
    """Where the Dutchman may be sent, and what that means for the reader."""

    key: str
    name: str
    title: str
    stake: str
    due: int
    """What the reader would pay (below 0), or could earn."""
    colour: Colour | None


class Party(Value, frozen=True):
    """One of the tied players in a proposal."""

    place: int
    name: str
    you: bool
    cash: int
    pays: str
    gets: str


class Hand(Value, frozen=True):
    """What lies before the reader."""

    name: str
    cash: int
    cash_text: str
    worth_text: str
    total_text: str
    shares: tuple[ShareCard, ...]
    shares_text: str
    rack: tuple[Held, ...]
    rack_text: str
    laid: tuple[Shoe, ...]
    laid_text: str
    cards: tuple[Card, ...]
    put_text: str
    mine: bool
    """Whether it is the reader's turn."""
    step: str
    steering: bool
    """Whether the Dutchman's next destination is asked for: then shares and rack only matter beside it."""
    asks: str
    may_lay: bool
    may_pass: bool
    may_keep: bool
    may_withhold: bool
    may_answer: bool
    may_put: bool
    may_show: bool
    may_propose: bool
    may_check: bool
    to: tuple[Destination, ...]
    to_move: str
    """``sail`` or ``name``: what choosing a destination is."""
    parties: tuple[Party, ...]
    proposal: str
    stake: str


_ASKS: Final = {
    "action": mark("Choose one: a Kontor card, a Smith card, or horseshoes to lay."),
    "put": mark("Choose two of your five shares: they go under the pile, unseen."),
    "sail": mark("Where does the Dutchman sail?"),
    "name": mark("Where do you want the Dutchman to go?"),
    "propose": mark("Propose a destination, and who pays whom; or make no proposal."),
    "answer": mark("Do you accept?"),
    "again": mark("Lay further horseshoes, or pass."),
    "show": mark("Show one share and earn its worth, or keep them hidden."),
    "check": mark("Do you want the Kontor pile to be checked? Its shares are shown to all, then shuffled."),
}


def hand(words: Words, names: Sequence[str], view: View, moves: Sequence[Move]) -> Hand | None:
    """The reader's hand. A spectator has none, nor has a bankrupt (H11), and in the end all lies open (H13)."""
    if view.seat is None or view.mover == OVER or view.players[view.seat].bankrupt:
        return None
    me, mine = view.players[view.seat], view.mover == view.seat and len(moves) > 0
    moves = moves if mine else ()
    proposing = view.step == "propose" and mine
    value = worth(view.shares, view.stones)
    proposal = view.bargain.proposal if view.bargain and mine else None
    return Hand(
        name=names[view.seat],
        cash=me.cash,
        cash_text=words.count("{n} ducat", "{n} ducats", me.cash),
        worth_text=words.say("Your shares are worth {worth} now.", worth=value),
        total_text=words.say("With your cash that makes {total}.", total=me.cash + value),
        shares=tuple(_shares(words, view, moves)),
        shares_text=words.say("Your shares"),
        rack=tuple(_rack(words, view)),
        rack_text=words.count("Your rack: {n} horseshoe", "Your rack: {n} horseshoes", len(view.rack)),
        laid=tuple(shoe(words, number) for number in view.lay or ()),
        laid_text=words.say("You have laid face down:"),
        cards=_cards(words, me.kontor, me.smith, moves),
        put_text=_put_text(words, view),
        mine=mine,
        step=view.step if mine else "",
        steering=mine and view.step in ("sail", "name", "propose", "answer"),
        asks=words.say(_ASKS[view.step]) if mine else "",
        may_lay=bool(view.rack) and mine and Lay(view.rack[-1:]) in moves,
        may_pass=Pass() in moves,
        may_keep=Keep() in moves,
        may_withhold=proposing and Withhold() in moves,
        may_answer=Accept() in moves,
        may_put=mine and view.step == "put",
        may_show=mine and view.step == "show",
        may_propose=proposing,
        may_check=Check() in moves,
        to=tuple(_destinations(words, view)) if mine and view.step in ("sail", "name", "propose") else (),
        to_move=view.step if mine and view.step in ("sail", "name") else "",
        parties=tuple(_parties(words, names, view)) if proposing else (),
        proposal=event_text.proposed(words, names, names[proposal.by], view, proposal.to, proposal.ducats)
        if proposal
        else "",
        stake=words.say(
            "{field}: {stake}.",
            field=said.field(words, view.options.chart, proposal.to),
            stake=said.stake(words, view, proposal.to),
        )
        if proposal
        else "",
    )


def _shares(words: Words, view: View, moves: Sequence[Move]) -> list[ShareCard]:
    counted: Counter[Colour] = Counter()
    found = []
    for share in view.shares:
        counted[share] += 1
        name, value = said.colour(words, share), said.value(view, share)
        choice = ""
        if moves and view.step == "put":
            choice = words.say("put back")
        elif moves and view.step == "show" and Show(share) in moves and counted[share] == 1:
            choice = words.count("show it for {n} ducat", "show it for {n} ducats", value)
        text = words.say("a share in {colour}, worth {worth}", colour=name, worth=value)
        found.append(
            ShareCard(
                f"{share}-{counted[share]}", counted[share], share, said.letter(words, share), value, text, choice
            )
        )
    return found


def _rack(words: Words, view: View) -> list[Held]:
    """Each horseshoe by itself; of those that are alike it is said which of how many."""
    every = Counter(view.rack)
    counted: Counter[int] = Counter()
    found = []
    for number in view.rack:
        counted[number] += 1
        one = shoe(words, number)
        text = one.text
        if every[number] > 1:
            text = words.say("{shoe}, {place} of {every}", shoe=one.text, place=counted[number], every=every[number])
        found.append(Held(f"{number}-{counted[number]}", counted[number], one, text))
    return found


def _cards(words: Words, kontor: int, smith: int, moves: Sequence[Move]) -> tuple[Card, ...]:
    return (
        Card(
            kind="kontor",
            title=words.say("Kontor card"),
            count=kontor,
            text=words.count("{n} Kontor card", "{n} Kontor cards", kontor),
            playable=Kontor() in moves,
            asks=words.say("Play a Kontor card?"),
            means=words.say(
                "You draw the top two shares of the pile, then put any two of your five under it, unseen."
            ),
            rule="H6a",
        ),
        Card(
            kind="smith",
            title=words.say("Smith card"),
            count=smith,
            text=words.count("{n} Smith card", "{n} Smith cards", smith),
            playable=Smith() in moves,
            asks=words.say("Play a Smith card?"),
            means=words.say(
                "When all have chosen, the smiths share the horseshoes in the middle; then the lays are turned over."
            ),
            rule="H6b",
        ),
    )


def _put_text(words: Words, view: View) -> str:
    """What the reader alone knows of the pile."""
    own = [
        words.say("{colour} ({place} from the top)", colour=said.colour(words, card), place=place)
        for place, card in enumerate(view.pile, 1)
        if card
    ]
    return words.say("You put into the pile: {shares}.", shares=words.all_of(own)) if own else ""


def _destinations(words: Words, view: View) -> list[Destination]:
    chart = view.options.chart
    at = {field.name: field.at for field in chart.fields}
    return [
        Destination(
            key=f"{at[to][0]}-{at[to][1]}",
            name=to,
            title=said.field(words, chart, to),
            stake=said.stake(words, view, to),
            due=_due(view, sea_of(chart).ship[to]),
            colour=sea_of(chart).ship[to],
        )
        for to in view.ahead
    ]


def _due(view: View, ship: Colour | None) -> int:
    """H11 for a ship; for an island the best that a share can earn (H12)."""
    if ship:
        return -said.value(view, ship) * view.shares.count(ship)
    return max([said.value(view, share) for share in view.shares], default=0)


def _parties(words: Words, names: Sequence[str], view: View) -> list[Party]:
    tied = view.bargain.tied if view.bargain else ()
    return [
        Party(
            place=place,
            name=names[seat],
            you=seat == view.seat,
            cash=view.players[seat].cash,
            pays=words.say("{name} pays", name=names[seat]),
            gets=words.say("{name} gets", name=names[seat]),
        )
        for place, seat in enumerate(tied)
    ]
