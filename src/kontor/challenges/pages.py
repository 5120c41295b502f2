"""The contents of the form of a challenge, and of the challenges on the first page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import msgspec

from kontor.challenges.values import DeclinedChallenge, OpenChallenge, OpponentKey, PastOpponent
from kontor.people.texts import LEFT
from kontor.tables.pages.opening import OpeningForm
from kontor.tables.pages.seating import describe_rating, names_of, terms, unusual_terms
from kontor.tables.values import TableInfo
from kontor.web.adapter import adapter_of, web_adapters
from kontor.web.pages.refused import Refused
from kontor.web.pages.whole_page import WholePage
from kontor.words import Words


class ChallengePage(WholePage, frozen=True, kw_only=True):
    """The context of the form in which somebody is challenged, or other terms are proposed."""

    template: ClassVar = "challenges/challenge.html"

    opponent: str
    """The name of the challenged person."""
    address: str
    """The address of the form."""
    counters: bool
    """True if it answers a challenge."""
    game_addresses: Mapping[str, str]
    """The address of the form for each game; empty if the game can't be chosen."""
    opening: OpeningForm
    commitment: str
    """The commitment to the dice of the table; empty for a visitor without a name."""
    refused: Refused | None


class ChallengeCard(msgspec.Struct, frozen=True, kw_only=True):
    """A challenge that waits for the reader's answer, as the first page shows it."""

    id: str
    table: str
    game: str
    title: str
    """The title of the game."""
    sentence: str
    page: str
    """The address of the challenger's page; empty if they show none."""
    name: str
    others: str
    """A sentence on who else sits at the table, or is expected; empty where they are two."""
    terms: str
    rated: str
    unusual: Sequence[str]
    strict: bool
    """True if the dice are strict: then a share is promised first."""
    commitment: str


class DeclinedLine(msgspec.Struct, frozen=True):
    """A challenge of the reader that was declined."""

    id: str
    sentence: str


class CompanionLink(msgspec.Struct, frozen=True):
    """A person with whom the reader has played, and the address at which they are challenged."""

    name: str
    address: str


def challenge_card(words: Words, challenge: OpenChallenge) -> ChallengeCard:
    """Return a challenge that waits for the reader's answer, as the first page shows it."""
    info, title = challenge.table, adapter_of(challenge.table.game).title
    names = names_of(words, info)
    others = [
        name
        for seat, name in enumerate(names)
        if info.seats[seat].taken and name != challenge.name and seat != challenge.seat
    ]
    if challenge.counters:
        sentence = words.say("{name} proposes other terms: {game}", name=challenge.name, game=title)
    else:
        sentence = words.say("{name} challenges you: {game}", name=challenge.name, game=title)
    return ChallengeCard(
        id=challenge.id,
        table=info.id,
        game=info.game,
        title=title,
        sentence=sentence,
        page=f"/people/{challenge.handle}" if challenge.handle else "",
        name=challenge.name,
        others=words.say("Also at the table: {names}.", names=words.all_of(others)) if others else "",
        terms=terms(words, info),
        rated=describe_rating(words, info),
        unusual=unusual_terms(words, info),
        strict=info.dice == "strict",
        commitment=info.commitment,
    )


def declined_line(words: Words, declined: DeclinedChallenge) -> DeclinedLine:
    """Return a challenge of the reader that was declined, as the first page tells of it."""
    adapter = web_adapters().get(declined.game)
    game = adapter.title if adapter else declined.game
    sentence = words.say("{name} has declined your challenge: {game}", name=declined.name, game=game)
    return DeclinedLine(declined.id, sentence)


def companion_links(companions: Sequence[PastOpponent], game: str) -> list[CompanionLink]:
    """Return the people with whom the reader has played, with the address of the form for a game."""
    return [CompanionLink(companion.name, f"{companion.key.address}?game={game}") for companion in companions]


def rematch_address(info: TableInfo) -> str:
    """Return the address of the challenge to play a finished game of two again; empty if it is not of the reader.

    Games of more people, and with computer players, have a rematch of their own.
    """
    if len(info.seats) != 2 or len(info.mine) != 1:
        return ""
    other = 1 - info.mine[0]
    seat = info.seats[other]
    if seat.player or seat.kind == "here" or seat.name == LEFT:
        return ""
    return f"{OpponentKey(table=info.id, seat=other).address}?again=yes"
