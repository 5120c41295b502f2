"""The texts beside the chart: the lays turned over, the last voyage, the check, and the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kontor.game import OVER, Event, Result, Value
from kontor.games.dutchman import event_text
from kontor.games.dutchman import words as phrases
from kontor.games.dutchman.rules import View
from kontor.games.dutchman.rules.components import CHESTS, FIRST_CHEST, Colour
from kontor.games.dutchman.rules.state import (
    Agreed,
    Bankrupt,
    Checked,
    Counts,
    Earned,
    Happening,
    Paid,
    Revealed,
    RolledFor,
    Sailed,
    Shared,
    Undecided,
)
from kontor.games.dutchman.rules.view import Player
from kontor.games.dutchman.web.chests import worths
from kontor.words import Words

Seen = tuple[int, Event, View, View]

Happenings = Sequence[tuple[View, Happening]]
"""Happenings, each with the view before it."""


def happenings(view: View, last: Sequence[Seen]) -> Happenings:
    """Return the happenings since the reader's last move, that move included, in order."""
    if not last:
        return [(view, happening) for happening in view.happened]
    first = last[0][2]
    entries = [(first, happening) for happening in first.happened]
    for _, event, before, _ in last:
        entries += [(before, happening) for happening in event.happened]
    return entries


# --------------------------------------------------------------------------------------------- lays turned over


def turned(view: View, happened: Happenings) -> list[tuple[int, int | None, Revealed]]:
    """Return the round, the lucky number and the lays of this round, those of deciding rounds last.

    Until something new is laid, they are those of the round before.
    """
    if view.revealed:
        return [(view.round, view.lucky, revealed) for revealed in view.revealed]
    return [
        (before.round, before.lucky, one)
        for before, one in happened
        if isinstance(one, Revealed) and before.round == view.round - 1
    ]


def shared(view: View, happened: Happenings) -> Shared | None:
    """Return what the smiths took just before the lays of this round were turned over."""
    sharings = [one for before, one in happened if isinstance(one, Shared) and before.round == view.round]
    return sharings[-1] if sharings else None


def checked(view: View, happened: Happenings) -> tuple[Colour, ...]:
    """Return the shares of the last check, as long as one lies where it was shuffled to (H11a).

    Shares of a check since the reader's last move, or by it, are returned in any case. Empty when the game is over.
    """
    if view.mover == OVER:
        return ()
    if view.inspection:
        return view.inspection.shares
    checks = [one.shares for _, one in happened if isinstance(one, Checked)]
    return checks[-1] if checks else ()


def describe_actions(words: Words) -> list[str]:
    """Return what the cards do; the question says how horseshoes are played."""
    return [words.say(phrases.RULES[number]) for number in ("H6a", "H6b")]


# ------------------------------------------------------------------------------------------------- the voyage


class Voyage(Value, frozen=True):
    """The last move of the Dutchman, the decision before it, and its effects."""

    round: int
    before: tuple[Agreed | RolledFor | Undecided, ...]
    sailed: Sailed
    paid: Paid | None
    """The payments for a ship."""
    ruined: tuple[int, ...]
    earned: tuple[Earned, ...]
    """The earnings on an island."""


_STEERING: Final = ("sail", "name", "propose", "answer", "again", "rolling")
"""Steps in which the lays lie open: the voyage of the round before is no longer shown."""


def voyage(view: View, happened: Happenings) -> Voyage | None:
    """Return the last move of the Dutchman, if it was made since the reader's last move or by it."""
    sailings = [place for place, (_, one) in enumerate(happened) if isinstance(one, Sailed)]
    if not sailings or view.step in _STEERING:
        return None
    place, start = sailings[-1], sailings[-2] + 1 if len(sailings) > 1 else 0
    (seen, sailed), after = happened[place], [one for _, one in happened[place + 1 :]]
    assert isinstance(sailed, Sailed)
    return Voyage(
        round=seen.round,
        before=tuple(one for _, one in happened[start:place] if isinstance(one, Agreed | RolledFor | Undecided)),
        sailed=sailed,
        paid=next((one for one in after if isinstance(one, Paid)), None),
        ruined=next((one.seats for one in after if isinstance(one, Bankrupt)), ()),
        earned=tuple(one for one in after if isinstance(one, Earned)),
    )


_BIG_QUESTIONS: Final = ("put", "sail", "name", "propose", "answer", "show", "check")
"""Steps whose question needs more room than a low window has beside the hand."""


def is_tall(view: View, can: Sequence[str], voyage: Voyage | None) -> bool:
    """Return True if the question or the slip may also take the places of the merchants and of the hand.

    The hand keeps its place when horseshoes are chosen from it, and while nothing is told.
    """
    if can or view.mover == OVER:
        return view.mover == OVER or view.step in _BIG_QUESTIONS
    return view.bargain is not None or view.step == "sail" or voyage is not None


def describe_decision(words: Words, names: Sequence[str], decision: Agreed | RolledFor | Undecided) -> str:
    """Return how the tied players came to a destination, or did not, in words."""
    match decision:
        case Agreed(tied, ducats):
            return event_text.agreed(words, names, tied, ducats)
        case RolledFor(rolls, _):
            return event_text.rolled_for(words, names, rolls)
        case Undecided(tied):
            return words.say(
                "No agreement: {names} play more horseshoes.", names=phrases.everyone(words, names, tied)
            )


def describe_walk(words: Words, paid: Paid) -> str:
    """Return how the stones move on after a ship was met, in words."""
    return words.say(
        "The {colour} marker moves from {before} to {now}; every other marker and the black marker "
        "move on one chest.",
        colour=phrases.colour(words, paid.colour),
        before=paid.value,
        now=CHESTS[FIRST_CHEST],
    )


# ---------------------------------------------------------------------------------------------------- the end


def ranking(result: Result) -> list[int]:
    """Return all seats, the winners and the richest first (H13)."""
    points, winners = result.points, result.winners
    return sorted(range(len(points)), key=lambda seat: (seat not in winners, -points[seat], seat))


def describe_total(words: Words, player: Player, stones: Counts, points: int) -> str:
    """Return in one sentence how a total is made up."""
    held = player.held or ()
    sums = [words.count("{n} ducat in cash", "{n} ducats in cash", player.cash)]
    sums += [
        words.count(
            "{n} share in {colour} at {worth}",
            "{n} shares in {colour} at {worth}",
            held.count(colour),
            colour=phrases.colour(words, colour),
            worth=worth,
        )
        for colour, worth in worths(stones)
        if colour in held
    ]
    return words.say("{sum}: {points}", sum=words.all_of(sums), points=points)
