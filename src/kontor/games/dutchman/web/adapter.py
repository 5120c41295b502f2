"""What Der fliegende Holländer brings to the browser."""

from __future__ import annotations

from typing import Final

from kontor.games.dutchman import words as said
from kontor.games.dutchman.event_text import describe_event
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.web.board import context, move_of
from kontor.games.dutchman.web.opening import OPENING
from kontor.games.dutchman.web.pictures import pictures
from kontor.games.dutchman.web.rulebook import BOOK
from kontor.games.dutchman.web.tale import afterwards
from kontor.web.adapter import WebAdapter
from kontor.words import mark

ADAPTER: Final = WebAdapter(
    game=DUTCHMAN,
    title=said.TITLE,
    authors=("Klaus Teuber",),
    invitation=mark("Steer the ghost ship in 1729."),
    summary=mark("Three to six merchants and one ghost ship. About an hour."),
    tone="sea",
    opening=OPENING,
    headline=said.headline,
    addressed=said.addressed,
    describe_event=describe_event,
    context=context,
    move_of=move_of,
    book=BOOK,
    pictures=pictures,
    rules_now=said.rules_now,
    rules=said.RULES,
    unusual=said.unusual,
    afterwards=afterwards,
)
