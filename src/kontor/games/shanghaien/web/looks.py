"""Sentences that describe a table to a reader who types commands."""

from __future__ import annotations

from collections.abc import Sequence

from kontor.games.shanghaien import words as phrases
from kontor.games.shanghaien.rules import View
from kontor.games.shanghaien.web.helpers import kinds, lines, player, points, stands
from kontor.words import Words


def hand(words: Words, names: Sequence[str], view: View) -> list[str]:
    """Return the reader's dice, tricks and crew."""
    seat = view.seat or 0
    own = player(view, names, seat)
    tricks = [
        words.say("{count} × {trick}", count=n, trick=phrases.trick(words, trick))
        for trick, n in kinds(own["tricks"])
    ]
    crew = [
        words.say("{nation} {strength}", nation=phrases.nation(words, nation), strength=strengths[seat])
        for nation, strengths, _ in lines(view.crews)
        if nation and strengths[seat]
    ]
    return [
        words.count("{n} die in the supply", "{n} dice in the supply", own["supply"]),
        words.say("Tricks: {tricks}.", tricks=words.all_of(tricks) or words.say("none")),
        words.say("Crew: {crew}.", crew=words.all_of(crew) or words.say("none")),
    ]


def row(words: Words, names: Sequence[str], view: View) -> list[str]:
    """Return the cards of the row, and the dice on them."""
    sentences = []
    for number, card, dice, _ in stands(view, ((0,) * 6, (0,) * 6)):
        name = phrases.card(words, card)
        lie = [
            words.count("{name} has {n} die here.", "{name} has {n} dice here.", n, name=names[seat])
            for seat, n in enumerate(dice)
            if n
        ]
        sentences.append(" ".join([f"{number}: {name}." if number else f"{name}.", *lie]))
    return sentences


def score(words: Words, names: Sequence[str], view: View) -> list[str]:
    """Return the current points."""
    return [
        words.say("{name}: {points}.", name=name, points=words.count("{n} point", "{n} points", n))
        for name, n in zip(names, points(view.crews), strict=True)
    ]
