"""Sentences that can be read to a person who types at a table."""

from __future__ import annotations

from collections.abc import Sequence

from kontor.games.dutchman import words as phrases
from kontor.games.dutchman.rules import View
from kontor.games.dutchman.web.chart import ahead, describe_chart
from kontor.games.dutchman.web.hand import describe_lucky, in_play
from kontor.games.dutchman.web.people import describe_doing, doing
from kontor.words import Words


def hand(words: Words, names: Sequence[str], view: View) -> list[str]:
    """Return the reader's ducats, rack, shares and cards in sentences."""
    me = in_play(view)
    if me is None:
        return [words.say("Spectators have no hand.")]
    rack = words.all_of([str(shoe) for shoe in view.rack]) or words.say("none")
    shares = words.all_of([phrases.colour(words, share) for share in view.shares]) or words.say("none")
    kontor = words.count("{n} Kontor card", "{n} Kontor cards", me.kontor)
    smith = words.count("{n} Smith card", "{n} Smith cards", me.smith)
    return [
        words.count("{n} ducat", "{n} ducats", me.cash),
        words.say("Horseshoes: {shoes}.", shoes=rack),
        words.say("Shares: {shares}.", shares=shares),
        words.all_of([kontor, smith]),
    ]


def chart_now(words: Words, names: Sequence[str], view: View) -> list[str]:
    """Return where the Dutchman lies, and the lucky number, in sentences."""
    sentence = describe_chart(words, view.options.chart, view.dutchman, view.came_from, ahead(view))
    return [sentence, describe_lucky(words, view.lucky)] if view.lucky else [sentence]


def merchants(words: Words, names: Sequence[str], view: View) -> list[str]:
    """Return the public facts of the merchants, a sentence each."""
    sentences = []
    for seat, (name, player) in enumerate(zip(names, view.players, strict=True)):
        facts = [
            describe_doing(words, doing(view, seat)),
            words.count("{n} ducat", "{n} ducats", player.cash),
            words.count("{n} share", "{n} shares", player.shares),
            words.count("{n} horseshoe", "{n} horseshoes", player.horseshoes),
        ]
        if player.bankrupt:
            facts = [words.say("bankrupt since round {round}", round=player.bankrupt)]
        sentences.append(
            words.say("{name}: {facts}.", name=name, facts=words.all_of([fact for fact in facts if fact]))
        )
    return sentences
