"""Pig in words: the headline, the log, and the rules."""

from collections.abc import Sequence
from typing import Final

from kontor.game import CHANCE, Event, Starter
from kontor.words import Words, mark
from kontor_pig.rules import Hold, Options, Rolled, View

RULES: Final = {
    "P1": mark("Two to four play to 100 points, or to as many as were agreed on. Who starts is drawn at random."),
    "P2": mark("On your turn you roll the die, once at least and then as often as you dare. Pips are added up."),
    "P3": mark("A 1 takes all that you have rolled in this turn, and the turn is over."),
    "P4": mark("If you hold, all that you have rolled in this turn is yours for good, and the turn is over."),
    "P5": mark("Whoever holds with enough points wins."),
    "P6": mark("After as many rounds as points are played for, most points win; equal points are shared."),
}


def headline(words: Words, names: Sequence[str], view: View) -> str:
    """Return one line: whose turn it is, or who has won."""
    if view.result:
        winners = words.all_of([names[seat] for seat in view.result.winners])
        return words.say("{names} won with {points} points.", names=winners, points=max(view.points))
    if view.mover == CHANCE:
        return words.say("The die rolls.")
    return words.say("{name} is rolling: {total} so far.", name=names[view.turn], total=view.total)


def describe_event(words: Words, names: Sequence[str], before: View, event: Event, after: View) -> list[str]:
    """Return the sentences for one step; a roll is described by the number on the die."""
    name = names[before.turn]
    match event.action:
        case Starter(seat):
            return [words.say("{name} starts.", name=names[seat])]
        case Rolled(1):
            return [words.say("{name} rolls a 1 and loses {total}.", name=name, total=before.total)]
        case Rolled(pips):
            return [words.say("{name} rolls a {pips}.", name=name, pips=pips)]
        case Hold():
            return [words.say("{name} holds and has {points}.", name=name, points=after.points[before.turn])]
    return []


def unusual(words: Words, names: Sequence[str], options: Options) -> list[str]:
    """Return sentences for the options that differ from the usual ones."""
    lines = [] if options.goal == Options().goal else [words.say("It goes to {goal} points.", goal=options.goal)]
    return lines if options.starter is None else [*lines, words.say("{name} starts.", name=names[options.starter])]
