"""Der fliegende Holländer in words: fields, lays, the present situation, and the rules in short.

The story of past moves is in ``telling``.

The functions are pure: a view goes in, a sentence comes out. Terminal and web decide how to show it. Only the
contents of the view can be said, so nothing secret can slip out here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from kontor.game import CHANCE, OVER
from kontor.games.dutchman.rules.chart import Chart, sea_of
from kontor.games.dutchman.rules.components import (
    CHESTS,
    COLOURS,
    FEW,
    MOST_SILVER,
    PLACE_OF,
    SHARES,
    Colour,
    Horseshoes,
)
from kontor.games.dutchman.rules.horseshoes import reading
from kontor.games.dutchman.rules.state import Options
from kontor.games.dutchman.rules.view import Inspected, View
from kontor.words import Words, mark

TITLE: Final = "Der fliegende Holländer"

COLOUR_NAMES: Final[dict[Colour, str]] = {
    "blue": mark("blue"),
    "yellow": mark("yellow"),
    "green": mark("green"),
    "orange": mark("orange"),
    "red": mark("red"),
    "violet": mark("violet"),
}

_SHIPS: Final[dict[Colour, str]] = {
    "blue": mark("the blue ship {code}"),
    "yellow": mark("the yellow ship {code}"),
    "green": mark("the green ship {code}"),
    "orange": mark("the orange ship {code}"),
    "red": mark("the red ship {code}"),
    "violet": mark("the violet ship {code}"),
}

FEWEST_LETTERS: Final = 3
"""The least number of letters of an island's name, where there is little room."""

# ------------------------------------------------------------------------------------------------ things


def colour(words: Words, which: Colour) -> str:
    """Return the name of a colour, as in ``blue``."""
    return words.say(COLOUR_NAMES[which])


def letter(words: Words, which: Colour) -> str:
    """Return the letter of a colour, as in ``B``."""
    return words.letter("ship", which[0].upper())


def island(words: Words, name: str) -> str:
    """Return the name of an island in the reader's language; one of a player's own chart stays as it is."""
    return words.letter("island", name)


def shares(words: Words, held: Sequence[Colour]) -> str:
    """Return a list of shares, as in ``blue, blue and red``."""
    return words.all_of([colour(words, share) for share in held])


@lru_cache(maxsize=64)
def codes(words: Words, chart: Chart) -> Mapping[str, str]:
    """Return a short code for each field: ``B1`` … ``V3`` for ships, as many letters as needed for islands."""
    by_field: dict[str, str] = {}
    counted = dict.fromkeys(COLOURS, 0)
    islands = {place.name: island(words, place.name) for place in chart.fields if not place.colour}
    for place in chart.fields:
        if place.colour:
            counted[place.colour] += 1
            by_field[place.name] = f"{letter(words, place.colour)}{counted[place.colour]}"
        else:
            name = islands[place.name]
            others = [other.casefold() for original, other in islands.items() if original != place.name]
            length = FEWEST_LETTERS
            while length < len(name) and any(o.startswith(name[:length].casefold()) for o in others):
                length += 1
            by_field[place.name] = name[:length]
    return by_field


@lru_cache(maxsize=4096)
def field(words: Words, chart: Chart, name: str) -> str:
    """Return the name of a field, as in ``the blue ship B2`` or ``Madeira``."""
    which = sea_of(chart).ship[name]
    return words.say(_SHIPS[which], code=codes(words, chart)[name]) if which else island(words, name)


def ship(words: Words, which: Colour, number: int) -> str:
    """Return the name of a colour's ship, as in ``the blue ship B2``, the second of its colour."""
    return words.say(_SHIPS[which], code=f"{letter(words, which)}{number}")


def value(view: View, which: Colour) -> int:
    """Return the present value of a share: the chest on which the stone stands (H2)."""
    return CHESTS[view.stones[PLACE_OF[which]]]


def left_of_check(words: Words, inspection: Inspected | None, left: int) -> str:
    """Return what the viewer still knows of the pile by the last check (H11a), or nothing after its last share.

    ``left`` is the number of cards on top of the pile that no player put there.
    """
    if inspection is None:
        return ""
    among = inspection.among
    if left == len(among):
        return words.count(
            "The top share of the pile: {shares}.",
            "The top {n} shares of the pile, in unknown order: {shares}.",
            left,
            shares=shares(words, among),
        )
    return words.count(
        "The top share of the pile is one of these: {shares}.",
        "The top {n} shares of the pile are among these: {shares}.",
        left,
        shares=shares(words, among),
    )


def public_count(least: int, most: int, players: int) -> str:
    """Return what everybody can know of one colour in a hand: ``=2``, ``≥1``, ``≤1``, ``1–2``, or nothing."""
    if least == most:
        return f"={least}"
    if most >= min(SHARES, players - 1):
        return f"≥{least}" if least else ""
    return f"{least}–{most}" if least else f"≤{most}"


# ------------------------------------------------------------------------------------ what was agreed on


def unusual(words: Words, names: Sequence[str], options: Options) -> list[str]:
    """Return a sentence for each unusual option, to be read before sitting down; ``names`` are those of the seats."""
    usual, sentences = Options(), []
    if not options.circles:
        sentences.append(words.say("Tied players each name a destination, but do not bargain."))
    elif options.circles != usual.circles:
        sentences.append(
            words.count(
                "Tied players bargain in one round.",
                "Tied players bargain in up to {n} rounds.",
                options.circles,
            )
        )
    if options.chart != usual.chart:
        sentences.append(words.say("The sea chart is not the usual one."))
    if options.may_check:
        sentences.append(words.say("After each ship any player may ask for the Kontor pile to be checked."))
    if options.starter is not None:
        sentences.append(words.say("Starting player: {name}.", name=names[options.starter]))
    return sentences


# ------------------------------------------------------------------------------------------------- lays


def signed(lay: Horseshoes, lucky: int) -> tuple[int, ...] | None:
    """Return the horseshoes with the signs of their best reading (H7); None if every reading is 0 or too high."""
    best = reading(lay, lucky)
    golden = bool(lay) and lay[0] > MOST_SILVER
    return _signs(lay, best, golden) if best else None


def _signs(lay: Horseshoes, total: int, golden: bool) -> tuple[int, ...] | None:
    """Return signed horseshoes that sum up to the total, pluses first; the golden one is never subtracted."""
    if not lay:
        return () if not total else None
    if abs(total) > sum(lay):
        return None
    for sign in (1,) if golden else (1, -1):
        rest = _signs(lay[1:], total - sign * lay[0], False)
        if rest is not None:
            return (sign * lay[0], *rest)
    return None


def sum_of(lay: Horseshoes, lucky: int) -> str:
    """Return the best reading of a lay as a sum, as in ``45 − 2``."""
    first, *rest = signed(lay, lucky) or lay
    return "".join([str(first), *(f" + {shoe}" if shoe > 0 else f" − {-shoe}" for shoe in rest)])


def read(words: Words, lay: Horseshoes, lucky: int) -> str:
    """Return the best reading in words: ``45 − 2 = 43: exact``; ``31 + 10 = 41: 2 below``; ``44: too high, 0``."""
    best = reading(lay, lucky)
    if not best:
        return _explain_zero(words, lay, lucky)
    if best == lucky:
        if len(lay) == 1:
            return words.say("{best}: exact", best=best)
        return words.say("{sum} = {best}: exact", sum=sum_of(lay, lucky), best=best)
    if len(lay) == 1:
        return words.say("{best}: {below} below", best=best, below=lucky - best)
    return words.say("{sum} = {best}: {below} below", sum=sum_of(lay, lucky), best=best, below=lucky - best)


def _explain_zero(words: Words, lay: Horseshoes, lucky: int) -> str:
    """Return why a lay is worth 0: it is too high even with all silver subtracted, or has no valid total."""
    least = lay[0] - sum(lay[1:])
    if least <= lucky:
        return words.say("{shoes}: no valid total, 0", shoes=plain(lay))
    if len(lay) == 1:
        return words.say("{shoes}: too high, 0", shoes=plain(lay))
    return words.say("{sum} = {least}: too high, 0", sum=" − ".join(map(str, lay)), least=least)


def plain(lay: Horseshoes) -> str:
    """Return numbers as they are typed, as in ``45 20 1``."""
    return " ".join(map(str, lay))


# ------------------------------------------------------------------------------------------ what matters now


def headline(words: Words, names: Sequence[str], view: View) -> str:
    """Return one line: whose turn it is and what it is about."""
    if view.mover == OVER:
        return _outcome(words, names, view)
    if view.mover == CHANCE:
        return words.say("Round {round}.", round=view.round)
    name, lucky = names[view.mover], view.lucky
    match view.step:
        case "action":
            return words.say(
                "Round {round}, lucky number {lucky}: {name}’s turn.",
                round=view.round,
                lucky=lucky,
                name=name,
            )
        case "put":
            return words.say("{name} has drawn two shares and puts back two of the five.", name=name)
        case "sail" if view.rolls:
            return words.say("{name} has rolled highest and moves the Dutchman.", name=name)
        case "sail":
            return words.say("{name} is nearest to {lucky} and moves the Dutchman.", name=name, lucky=lucky)
        case "check" if view.mover == view.seat:
            return words.say("You may ask for the Kontor pile to be checked.")
        case "check":
            return words.say("{name} may ask for the Kontor pile to be checked.", name=name)
        case "show":
            return words.say(
                "The Dutchman lies at {island}. {name} may show a share.",
                island=island(words, view.dutchman),
                name=name,
            )
        case _:
            return _bargaining(words, names, view)


MOST_NAMED: Final = 2
"""The most players whom a headline names; it gives the number of more."""


def _bargaining(words: Words, names: Sequence[str], view: View) -> str:
    assert view.bargain is not None
    name, lucky, tied = names[view.mover], view.lucky, view.bargain.tied
    if view.step == "answer":
        return words.say(
            "{name} accepts or declines {other}’s proposal.", name=name, other=names[view.bargain.proposer]
        )
    if len(tied) > MOST_NAMED:
        return _bargaining_of_many(words, name, view)
    both = everyone(words, names, tied)
    match view.step:
        case "name":
            return words.say(
                "{tied} are tied for {lucky}. {name} names a destination.", tied=both, lucky=lucky, name=name
            )
        case "propose":
            return words.say("{tied} must agree: {name} may propose.", tied=both, name=name)
        case _:
            return words.say("No agreement. {name} plays more horseshoes, or passes.", name=name)


def _bargaining_of_many(words: Words, name: str, view: View) -> str:
    assert view.bargain is not None
    many, lucky = len(view.bargain.tied), view.lucky
    match view.step:
        case "name":
            return words.say(
                "{n} players are tied for {lucky}. {name} names a destination.", n=many, lucky=lucky, name=name
            )
        case "propose":
            return words.say("{n} players must agree: {name} may propose.", n=many, name=name)
        case _:
            return words.say("No agreement. {name} plays more horseshoes, or passes.", name=name)


_BARGAINING: Final = ("name", "propose", "answer", "again")


def addressed(words: Words, names: Sequence[str], view: View) -> str:
    """Return the headline, addressed to the viewing seat where it is about that seat."""
    if view.seat is None:
        return headline(words, names, view)
    if view.players[view.seat].bankrupt and not view.result:
        return words.say("You are bankrupt. {headline}", headline=headline(words, names, view))
    if view.result and view.seat in view.result.winners:
        return _your_outcome(words, names, view)
    if view.mover >= 0 and view.step in _BARGAINING and view.bargain and view.seat in view.bargain.tied:
        if view.mover == view.seat:
            return _your_bargaining(words, names, view)
        return _bargaining_with_you(words, names, view)
    if view.mover != view.seat:
        return headline(words, names, view)
    match view.step:
        case "action":
            return words.say(
                "Your turn: choose an action. Round {round}, lucky number {lucky}.",
                round=view.round,
                lucky=view.lucky,
            )
        case "put":
            return words.say("Your turn: put two of your five shares under the pile.")
        case "sail" if view.rolls:
            return words.say("Your turn: you rolled highest. Move the Dutchman.")
        case "sail":
            return words.say("Your turn: you are nearest to {lucky}. Move the Dutchman.", lucky=view.lucky)
        case "show":
            return words.say(
                "Your turn: show a share at {island}, or none.",
                island=island(words, view.dutchman),
            )
        case "check":
            return words.say("Your turn: you may ask for the Kontor pile to be checked.")
        case _:
            return headline(words, names, view)


def _your_bargaining(words: Words, names: Sequence[str], view: View) -> str:
    """Return the headline for a tied player whose turn it is (H9, H10)."""
    assert view.bargain is not None
    others, lucky, many = _others_tied(words, names, view), view.lucky, len(view.bargain.tied)
    match view.step:
        case "name" if many > MOST_NAMED:
            return words.say("Your turn: name a destination. {n} players are tied for {lucky}.", n=many, lucky=lucky)
        case "propose" if many > MOST_NAMED:
            return words.say("Your turn: you may propose. {n} players must agree.", n=many)
        case "name":
            return words.say(
                "Your turn: name a destination. You and {others} are tied for {lucky}.",
                others=others,
                lucky=lucky,
            )
        case "propose":
            return words.say("Your turn: you may propose. You and {others} must agree.", others=others)
        case "answer":
            return words.say("Your turn: accept or decline {other}’s proposal.", other=names[view.bargain.proposer])
        case _:
            return words.say("Your turn: play more horseshoes for {lucky}, or pass.", lucky=lucky)


def _others_tied(words: Words, names: Sequence[str], view: View) -> str:
    assert view.bargain is not None
    return words.all_of([names[seat] for seat in view.bargain.tied if seat != view.seat])


def _bargaining_with_you(words: Words, names: Sequence[str], view: View) -> str:
    """Return the headline for a tied player while it is another's turn."""
    assert view.bargain is not None
    if len(view.bargain.tied) > MOST_NAMED and view.step != "answer":
        return _bargaining(words, names, view)
    name, others, lucky = names[view.mover], _others_tied(words, names, view), view.lucky
    match view.step:
        case "name":
            return words.say(
                "You and {others} are tied for {lucky}. {name} names a destination.",
                others=others,
                lucky=lucky,
                name=name,
            )
        case "propose":
            return words.say("You and {others} must agree: {name} may propose.", others=others, name=name)
        case "answer" if view.bargain.proposer == view.seat:
            return words.say("{name} accepts or declines your proposal.", name=name)
        case "answer":
            return headline(words, names, view)
        case _:
            return words.say("No agreement. {name} plays more horseshoes, or passes.", name=name)


def _your_outcome(words: Words, names: Sequence[str], view: View) -> str:
    assert view.result is not None
    others = [seat for seat in view.result.winners if seat != view.seat]
    if not others:
        return words.say("You win with {points} ducats.", points=view.result.points[view.seat or 0])
    if all(player.bankrupt for player in view.players):
        return words.say(
            "All are bankrupt: you share the win with {others}.",
            others=everyone(words, names, others),
        )
    return words.say(
        "You share the win with {others}: {points} ducats each.",
        others=everyone(words, names, others),
        points=view.result.points[view.seat or 0],
    )


def _outcome(words: Words, names: Sequence[str], view: View) -> str:
    assert view.result is not None
    winners = view.result.winners
    points = view.result.points[winners[0]]
    if all(player.bankrupt for player in view.players):
        return words.say("All are bankrupt: {names} share the win.", names=everyone(words, names, winners))
    if len(winners) > 1:
        return words.say(
            "{names} share the win with {points} ducats each.", names=everyone(words, names, winners), points=points
        )
    return words.say("{name} wins with {points} ducats.", name=names[winners[0]], points=points)


def everyone(words: Words, names: Sequence[str], seats: Sequence[int]) -> str:
    """Return the names of seats, as in ``Anna, Bernd and Carla``."""
    return words.all_of([names[seat] for seat in seats])


Stake = tuple[int, int | None]
"""The cost of a share, and the number of the viewer's shares in the ship.

For an island the first is the best earning. The second is None for a spectator, and for an island.
"""


def at_stake(view: View, met: Colour | None) -> Stake:
    """Return the viewer's stake if the Dutchman meets a ship of this colour, or comes to an island (None)."""
    if met is None:
        return max([value(view, share) for share in view.shares], default=0), None
    return value(view, met), None if view.seat is None else view.shares.count(met)


def describe_stake(words: Words, met: Colour | None, worth: int, held: int | None) -> str:
    """Return a stake in words."""
    if met is None:
        return words.say("an island, a share earns up to {best}", best=worth)
    if held is None:
        return words.say("a share in {colour} costs {cost}", colour=colour(words, met), cost=worth)
    if not held:
        return words.say("a share in {colour} costs {cost}, you have none", colour=colour(words, met), cost=worth)
    return words.say(
        "a share in {colour} costs {cost}, you have {count}: you pay {due}",
        colour=colour(words, met),
        cost=worth,
        count=held,
        due=worth * held,
    )


def stake(words: Words, view: View, to: str) -> str:
    """Return in words what a destination would cost or earn the viewer."""
    met = sea_of(view.options.chart).ship[to]
    return describe_stake(words, met, *at_stake(view, met))


# ------------------------------------------------------------------------------------------------- the rules

RULES: Final[dict[str, str]] = {
    "H6": mark("In turn each player chooses one action: a Kontor card, a Smith card, or horseshoes. You "
"have three cards of each kind for the whole game, and get no new ones."),
    "H6a": mark("Kontor card: draw the top two shares of the pile, then put any two of the five under it, unseen. "
                "The card is gone for good."),
    "H6b": mark("Smith card: when everyone has chosen, and before anything is revealed, the smiths split the "
"horseshoes in the middle, unseen. A single smith takes them all. The card is gone for good."),
    "H6c": mark("Horseshoes: play at least one face down, at most one golden one (21 to 48) and any number "
"of silver ones (20, 10, 2, 1)."),
    "H6d": mark("You may pass only with fewer than five horseshoes."),
    "H7": mark("Every horseshoe played counts, each silver one added or subtracted as suits you best. A "
"total above the lucky number is worth 0. 43 can be 45−2, 43, 20+20+2+1 or 31+10+2."),
    "H8": mark("Whoever is nearest to the lucky number moves the Dutchman along one line, but not back to "
"where it came from."),
    "H9": mark("A tie: each tied player names a destination. If they differ, each may propose one, with "
"payments, and all the others must accept. Nothing said beforehand is binding."),
    "H10": mark("No agreement: the tied players play more horseshoes for the same number, or pass. If nobody "
"plays any, they roll for it."),
    "H11": mark("On a ship: everyone with shares in it pays its value for each one. Its marker goes back to "
"the chest without a number, then all markers move on one chest. Anyone who cannot pay in "
"full is out."),
    "H11a": mark("The check: after a ship any player may ask for it. The shares of the Kontor pile are shown "
"to everyone, then shuffled and put back."),
    "H12": mark("On an island: whoever moved the Dutchman there may show one share and earn its value."),
    "H13": mark("When the black marker reaches 18 the game ends. Cash plus shares: the richest player wins."),
}  # fmt: skip
"""The rules that a player needs at a prompt, by number."""

_NOW: Final[dict[str, tuple[str, ...]]] = {
    "action": ("H6", "H6a", "H6b", "H6c", "H7", "H8"),
    "put": ("H6a",),
    "sail": ("H8", "H11", "H12"),
    "name": ("H9", "H8", "H11", "H12"),
    "propose": ("H9", "H10"),
    "answer": ("H9", "H10"),
    "again": ("H10", "H6c", "H7"),
    "show": ("H12",),
    "check": ("H11a",),
}


def rules_now(view: View) -> tuple[str, ...]:
    """Return the numbers of the rules that matter now, the most important first."""
    numbers = _NOW.get(view.step, ("H11", "H12", "H13"))
    may_pass = view.step == "action" and len(view.rack) < FEW
    return (*numbers, "H6d") if may_pass else numbers
