"""Shanghaien in words: cards, what matters now, what happened, and the rules in short.

Pure: a view or an event goes in, a sentence comes out. How it is set on a screen or a page is decided there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kontor.game import CHANCE, OVER, Event
from kontor.games.shanghaien.rules.components import (
    ROUNDS,
    ROW,
    TRICKS,
    Card,
    Nation,
    Trick,
    is_sailor,
    nation_of,
    value_of,
)
from kontor.games.shanghaien.rules.scoring import Comparison
from kontor.games.shanghaien.rules.state import (
    Award,
    Both,
    Dice,
    Joker,
    Nudge,
    Number,
    Options,
    Place,
    Reroll,
    Roll,
    Row,
    Shanghai,
    Starter,
)
from kontor.games.shanghaien.rules.view import View
from kontor.words import Words, mark

TITLE: Final = "Shanghaien"

CREWS: Final[dict[Nation, str]] = {
    "A": mark("Americans"),
    "F": mark("French"),
    "G": mark("Germans"),
    "C": mark("Chinese"),
    "D": mark("Dutch"),
    "T": mark("Turks"),
    "S": mark("Spaniards"),
    "I": mark("Italians"),
}

_SAILORS: Final[dict[Nation, str]] = {
    "A": mark("the American {value}"),
    "F": mark("the French {value}"),
    "G": mark("the German {value}"),
    "C": mark("the Chinese {value}"),
    "D": mark("the Dutch {value}"),
    "T": mark("the Turkish {value}"),
    "S": mark("the Spanish {value}"),
    "I": mark("the Italian {value}"),
}

TRICK_NAMES: Final[dict[Trick, str]] = {"nudge": mark("nudge"), "both": mark("both"), "reroll": mark("reroll")}

_TRICK_CARDS: Final[dict[Trick, str]] = {
    "nudge": mark("the Nudge card"),
    "both": mark("the Both card"),
    "reroll": mark("the Reroll card"),
}

TRICK_MEANINGS: Final[dict[Trick, str]] = {
    "nudge": mark("Nudge: change one die by 1"),
    "both": mark("Both: place both dice"),
    "reroll": mark("Reroll: roll both dice again"),
}

ENDS: Final = {"left": mark("on the left"), "right": mark("on the right")}


def letter(words: Words, which: Nation) -> str:
    """``S`` for the Spaniards."""
    return words.letter("nation", which)


def nation(words: Words, which: Nation) -> str:
    """Return the name of a nation, as in ``Spaniards``."""
    return words.say(CREWS[which])


def card(words: Words, which: Card) -> str:
    """Return the name of a card, as in ``the French 3`` or ``the nudge card``."""
    if is_sailor(which):
        return words.say(_SAILORS[nation_of(which)], value=value_of(which))
    return words.say(_TRICK_CARDS[which])  # type: ignore[index]


def trick(words: Words, which: Trick) -> str:
    """Return the name of a trick, as in ``nudge``."""
    return words.say(TRICK_NAMES[which])


def card_at(view: View, number: int) -> Card:
    """Return the card with a number, 1 to 6; the place of the 1 must be known."""
    return view.row[number - 1] if view.one_at == "left" else view.row[ROW - number]


# ----------------------------------------------------------------------------------- what was agreed on


def unusual(words: Words, names: Sequence[str], options: Options) -> list[str]:
    """Return a sentence for each unusual option, so that players know it before they sit down (Y1).

    ``names`` are those of the seats.
    """
    usual, sentences = Options(), []
    if options.first_trick is not None:
        sentences.append(
            words.say(
                "Each player starts with a trick card of their own: {card}.", card=card(words, options.first_trick)
            )
        )
    if options.tricks != usual.tricks:
        counts = [
            words.say("{count} × {trick}", count=getattr(options.tricks, which), trick=trick(words, which))
            for which in TRICKS
            if getattr(options.tricks, which)
        ]
        sentences.append(words.say("The eight trick cards are {cards}.", cards=words.all_of(counts)))
    if options.starter is not None:
        sentences.append(words.say("Starting player: {name}.", name=names[options.starter]))
    return sentences


# ------------------------------------------------------------------------------------------- what matters now


def headline(words: Words, names: Sequence[str], view: View) -> str:
    """One line: whose turn it is and what it is about."""
    if view.mover == OVER:
        return _outcome(words, names, view)
    if view.mover == CHANCE:
        return words.say("Round {round} of {rounds}.", round=view.round, rounds=ROUNDS)
    name = names[view.mover]
    if view.step == "turn":
        return _turn(words, name, view)
    low, high = view.roll or (0, 0)
    if view.step == "both" or not view.one_at:
        return words.say("{name} rolled {low} and {high}: where is the 1?", name=name, low=low, high=high)
    return words.say("{name} rolled {low} and {high}: which die is placed?", name=name, low=low, high=high)


def _turn(words: Words, name: str, view: View) -> str:
    placed = sum(view.placed[view.mover])
    if placed > ROW - 2:
        return words.say("{name} has fewer than two dice left and must call “Shanghai!”.", name=name)
    if placed >= 2:
        return words.say("{name} rolls two dice, or calls “Shanghai!” and ends the round.", name=name)
    if not sum(view.placed[0]) + sum(view.placed[1]):
        return words.say("{name} starts round {round} and rolls.", name=name, round=view.round)
    return words.say("{name} rolls two dice.", name=name)


def _outcome(words: Words, names: Sequence[str], view: View) -> str:
    assert view.result is not None
    first, second = view.result.points
    if len(view.result.winners) > 1:
        return words.say("A draw, {points} all.", points=first)
    winner = view.result.winners[0]
    high, low = (second, first) if winner else (first, second)
    return words.say("{name} wins by {high} to {low}.", name=names[winner], high=high, low=low)


def addressed(words: Words, names: Sequence[str], view: View) -> str:
    """Return the headline for the viewing seat, which it addresses as "you" where it is about that seat."""
    if view.seat is None:
        return headline(words, names, view)
    if view.result and view.result.winners == (view.seat,):
        high, low = sorted(view.result.points, reverse=True)
        return words.say("You win by {high} to {low}.", high=high, low=low)
    if view.mover != view.seat:
        return headline(words, names, view)
    if view.step == "turn":
        return _your_turn(words, view)
    low, high = view.roll or (0, 0)
    if view.step == "both":
        return words.say("Your turn: where is the 1? Then the {low} and the {high} are placed.", low=low, high=high)
    if not view.one_at:
        return words.say("Your turn: you rolled {low} and {high}. Where is the 1?", low=low, high=high)
    if low == high:
        return words.say("Your turn: place a {die}.", die=low)
    return words.say("Your turn: place the {low} or the {high}.", low=low, high=high)


def _your_turn(words: Words, view: View) -> str:
    placed = sum(view.placed[view.mover])
    if placed > ROW - 2:
        return words.say("Your turn: you have fewer than two dice left and must call “Shanghai!”.")
    if placed >= 2:
        return words.say("Your turn: roll two dice, or call “Shanghai!” and end the round.")
    if not sum(view.placed[0]) + sum(view.placed[1]):
        return words.say("Your turn: start round {round} and roll.", round=view.round)
    return words.say("Your turn: roll two dice.")


# ---------------------------------------------------------------------------------------------- what happened


def describe_event(words: Words, names: Sequence[str], before: View, event: Event, after: View) -> list[str]:
    """Return sentences that describe one step; none for a step that needs no words."""
    action = event.action
    name = names[before.turn]
    match action:
        case Starter(seat):
            return [words.say("{name} starts (drawn at random).", name=names[seat])]
        case Row():
            return [
                words.say(
                    "Round {round} of {rounds}: six cards are laid out, {name} starts.",
                    round=after.round,
                    rounds=ROUNDS,
                    name=names[after.turn],
                )
            ]
        case Dice(low, high):
            return [words.say("{name} rolls {low} and {high}.", name=name, low=low, high=high)]
        case Shanghai():
            return [
                words.say("{name} calls “Shanghai!”: the round is over.", name=name),
                *_describe_dealing(words, names, event.happened),
            ]
        case Number(one_at):
            sentence = words.say("{name} puts the 1 {end}.", name=name, end=words.say(ENDS[one_at]))
            return [
                sentence,
                *(_describe_placing(words, name, after, die) for die in before.roll or () if before.step == "both"),
            ]
        case Place(die):
            return [_describe_placing(words, name, before, die)]
        case Roll():
            return []
        case _:
            return _describe_trick(words, name, before, action)


def _describe_dealing(words: Words, names: Sequence[str], awards: Sequence[Award]) -> list[str]:
    """Receiver of each card (S9)."""
    sentences = []
    for seat, name in enumerate(names):
        won = [card(words, given.card) for given in awards if given.taker == seat]
        if won:
            sentences.append(words.say("{name} gets {cards}.", name=name, cards=words.all_of(won)))
    gone = [card(words, given.card) for given in awards if given.taker is None]
    if gone:
        sentences.append(words.say("Out of the game: {cards}.", cards=words.all_of(gone)))
    return sentences


def _describe_placing(words: Words, name: str, view: View, die: int) -> str:
    which = card(words, card_at(view, die))
    return words.say("{name} places the {die} on {card}.", name=name, die=die, card=which)


def _describe_trick(words: Words, name: str, view: View, action: object) -> list[str]:
    match action:
        case Joker(which, sailors):
            return [
                words.say(
                    "{name} places {card} as a joker: two more {nation}.",
                    name=name,
                    card=card(words, which),
                    nation=nation(words, sailors),
                )
            ]
        case Nudge(die, to):
            return [words.say("{name} plays Nudge: the {die} becomes a {to}.", name=name, die=die, to=to)]
        case Both():
            sentences = [words.say("{name} plays Both: both dice are placed.", name=name)]
            return sentences + [_describe_placing(words, name, view, die) for die in view.roll or () if view.one_at]
        case Reroll():
            return [words.say("{name} plays Reroll: both dice are rolled again.", name=name)]
        case _:
            return []


# ---------------------------------------------------------------------------------- why cards and points go where


def award(words: Words, names: Sequence[str], given: Award) -> str:
    """Return the numbers that decided a card, and who gets it (S9)."""
    if given.taker is None:
        if given.pips is None:
            return words.say("no dice: it leaves the game")
        return words.say("dice and neighbours are equal: it leaves the game")
    taker, other = given.taker, 1 - given.taker
    name = names[taker]
    if given.pips is not None:
        return words.say(
            "dice are equal, neighbours {high} : {low}: {name}",
            high=given.pips[taker],
            low=given.pips[other],
            name=name,
        )
    return words.say("dice {high} : {low}: {name}", high=given.dice[taker], low=given.dice[other], name=name)


def comparison(words: Words, names: Sequence[str], row: Comparison) -> str:
    """Reason for the score of a nation (S11)."""
    if row.because == "none":
        return words.say("nobody has any")
    if row.because == "equal":
        return words.say("equal strength: no points")
    winner = 0 if row.points[0] else 1
    points = row.points[winner]
    if row.because == "alone":
        return words.count(
            "only {name} has any: {n} point", "only {name} has any: {n} points", points, name=names[winner]
        )
    return words.say("{name} is stronger: scores the weaker total, {points}", name=names[winner], points=points)


# ------------------------------------------------------------------------------------------------- the rules

RULES: Final[dict[str, str]] = {
    "S4": mark("On your turn you either roll and place a die, or call “Shanghai!”. For rolling you need two "
"dice in your supply; for shanghai, two of your own dice placed this round."),
    "S5": mark("With fewer than two dice left you must call “Shanghai!”."),
    "S6": mark("Roll two dice and put one on the card with its number; the other goes back to your supply."),
    "S7": mark("The starting player of the round chooses, after the first roll, at which end of the row the "
"1 is."),
    "S8": mark("Directly after your own roll you may use one trick per round: either half of the card."),
    "S8a": mark("Joker: place the card with a nation you already have; it counts as two of its sailors to "
"the end."),
    "S8b": mark("Nudge: change one of the two dice by 1, up or down, then place one of them."),
    "S8c": mark("Both: place both dice."),
    "S8d": mark("Reroll: roll both dice again and place one of the new ones."),
    "S9": mark("The captain with more dice takes the card. The same number: the higher total of your own "
"pips on the neighbouring cards. Equal again, or no dice: the card leaves the game."),
    "S10": mark("After eight rounds the game ends. The captain who did not call “Shanghai!” starts the next "
"round."),
    "S11": mark("In each nation the stronger crew scores the value of the weaker one, and the weaker crew scores "
"nothing; a crew without an opponent scores its own value; equal crews score nothing. Each unused trick card is "
"worth 1 point."),
    "S12": mark("Most points win."),
}  # fmt: skip
"""The rules that a player needs at a prompt, by number."""


def rules_now(view: View) -> tuple[str, ...]:
    """Return the numbers of the rules that matter now, the most important first."""
    if view.mover < 0:
        return ("S9", "S11")
    if view.step == "turn":
        return ("S5",) if sum(view.placed[view.mover]) > ROW - 2 else ("S4", "S9")
    if view.step == "both":
        return ("S7", "S8c")
    placing = ("S6",) if view.one_at else ("S7", "S6")
    crew = view.crews[view.mover]
    if not crew.tricks or view.spent[view.mover]:
        return placing
    numbers = {"nudge": "S8b", "both": "S8c", "reroll": "S8d"}
    return (*placing, "S8", "S8a", *(numbers[kind] for kind in TRICKS if kind in crew.tricks))
