"""Tables as lists show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from kontor.endings import describe_early_end_briefly
from kontor.people.texts import name_said
from kontor.tables.pages.seating import names_of, seats_still_mine, terms, unusual_terms
from kontor.tables.values import ChatLine, LatestTalk, TableInfo
from kontor.web.adapter import adapter_of
from kontor.web.pages.moments import left_text, since_text
from kontor.words import Words

_MOST_SPOKEN: Final = 80
"""The most letters of a message that a list shows."""


@dataclass(frozen=True)
class Card:
    """A table in a list."""

    id: str
    game: str
    title: str
    who: str
    how: str
    unusual: list[str]
    my_turn: bool
    since: str = ""
    """The time for which it has been so, on the reader's own tables."""
    left: str = ""
    """The time that the mover has left, on the reader's own tables."""
    speaker: str = ""
    spoken: str = ""
    """The last message in the chat, shortened, on the reader's own tables."""


Ratings = Mapping[tuple[str, int], str]
"""The ratings that people show, by table and seat."""

_NO_RATINGS: Final[Ratings] = {}


def card(words: Words, info: TableInfo, ratings: Ratings = _NO_RATINGS) -> Card:
    """Return a table as lists show it."""
    names = [
        f"{name}\N{NO-BREAK SPACE}{ratings.get((info.id, seat), '')}".rstrip()
        for seat, name in enumerate(names_of(words, info))
    ]
    return Card(
        id=info.id,
        game=info.game,
        title=adapter_of(info.game).title,
        who=words.all_of([name for name, seat in zip(names, info.seats, strict=True) if seat.taken]),
        how=_status_text(words, info),
        unusual=unusual_terms(words, info) if info.status == "waiting" else [],
        my_turn=info.my_turn,
    )


def own_cards(
    words: Words, tables: Sequence[TableInfo], talk: LatestTalk, ratings: Ratings = _NO_RATINGS
) -> list[Card]:
    """Return the reader's own unfinished tables, with times and the last messages."""
    return [_with_news(words, card(words, info, ratings), info, talk.lines.get(info.id), talk.at) for info in tables]


def _with_news(words: Words, plain: Card, info: TableInfo, line: ChatLine | None, now: datetime) -> Card:
    begun = info.since if info.status == "playing" else info.created
    spoken = " ".join(line.text.split()) if line else ""
    return replace(
        plain,
        since=since_text(words, (now - begun).total_seconds()) if begun else "",
        left=left_text(words, (info.deadline - now).total_seconds()) if info.deadline else "",
        speaker=name_said(words, line.name) if line else "",
        spoken=spoken if len(spoken) <= _MOST_SPOKEN else f"{spoken[:_MOST_SPOKEN].rstrip()} …",
    )


def _status_text(words: Words, info: TableInfo) -> str:
    if info.my_turn:
        return words.say("Your turn")
    if info.status == "over":
        return outcome_text(words, info)
    if info.revealing:
        return words.say("The contributions to the dice are being revealed.")
    if info.status == "waiting":
        free = sum(not seat.taken for seat in info.seats)
        waiting = words.count("Waiting for one more", "Waiting for {n} more", free)
        return words.say("{waiting}. {terms}", waiting=waiting, terms=terms(words, info))
    if info.paused:
        return words.say("Paused")
    if info.mover is None:
        return words.say("Playing")
    if info.mine and not seats_still_mine(info):
        return words.say("You have resigned; the game goes on")
    return words.say("{name} to move", name=names_of(words, info)[info.mover])


def outcome_text(words: Words, info: TableInfo) -> str:
    """Return who has won a game that is over, or how it ended early."""
    if info.early:
        return describe_early_end_briefly(words, names_of(words, info), info.early)
    assert info.result
    winners = [names_of(words, info)[seat] for seat in info.result.winners]
    if len(winners) > 1:
        return words.say("{names} share the win", names=words.all_of(winners))
    return words.say("You won") if info.result.winners[0] in info.mine else words.say("{name} won", name=winners[0])
