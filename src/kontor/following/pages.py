"""The contents of the page of the people whom somebody follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from kontor.following.values import Doing, FollowedPerson
from kontor.web.adapter import adapter_of, web_adapters
from kontor.web.pages.refused import Refused
from kontor.web.pages.whole_page import WholePage
from kontor.words import Words


class DoingLine(msgspec.Struct, frozen=True):
    """A sentence on what a person does just now, and where it leads."""

    sentence: str
    address: str
    label: str


class FollowedRow(msgspec.Struct, frozen=True, kw_only=True):
    """A person whom the reader follows, as the page shows them."""

    name: str
    handle: str
    public: bool
    doings: Sequence[DoingLine]


class FollowedPage(WholePage, frozen=True, kw_only=True):
    """The context of the page of the people whom one follows."""

    template: ClassVar = "following/followed.html"

    rows: Sequence[FollowedRow]
    most: int
    """The most people whom one can follow."""
    refused: Refused | None


def followed_row(words: Words, person: FollowedPerson) -> FollowedRow:
    """Return a person whom the reader follows, as the page shows them."""
    return FollowedRow(
        name=person.name if person.public else words.say("Someone who no longer shows a page"),
        handle=person.handle,
        public=person.public,
        doings=[_line(words, doing) for doing in person.doings if doing.game in web_adapters()],
    )


def _line(words: Words, doing: Doing) -> DoingLine:
    game = adapter_of(doing.game).title
    match doing.kind:
        case "seeks":
            return DoingLine(words.say("Is looking for a game: {game}", game=game), "/", words.say("To the lobby"))
        case "waits":
            sentence = words.say("Waits at a table with a free seat: {game}", game=game)
            return DoingLine(sentence, f"/tables/{doing.table}", words.say("To the table"))
    return DoingLine(words.say("Is playing: {game}", game=game), f"/tables/{doing.table}", words.say("Watch"))
