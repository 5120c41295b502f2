"""Routes of the talk of a tournament: its page, and writing a line."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath
from markupsafe import Markup

from kontor.people.texts import LONGEST_CHAT, name_said
from kontor.tournaments.site import TheTournamentsSite, TournamentsSite
from kontor.tournaments.values import TournamentInfo, TournamentLine
from kontor.web.http.faults import refusal_response, require_game, require_person_id
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import in_acting_thread, in_reading_thread, redirect
from kontor.web.pages.moments import moment
from kontor.web.pages.refused import Refused
from kontor.web.pages.visitor import Visitor
from kontor.web.pages.whole_page import WholePage
from kontor.words import Words


class TalkRow(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the talk as the page shows it."""

    number: int
    name: str
    text: str
    at: Markup
    own: bool


class TalkState(msgspec.Struct, frozen=True, kw_only=True):
    """The text and the choices that the page keeps after a refusal."""

    typed: str = ""
    reported: bool = False
    """True if a line was just reported."""
    number: int = 0
    """The line that is to be reported, and why."""
    reason: str = ""


class TalkPage(WholePage, frozen=True, kw_only=True):
    """The context of the page of a tournament's talk."""

    template: ClassVar = "tournaments/talk.html"

    info: TournamentInfo
    rows: Sequence[TalkRow]
    most: int
    """The longest line."""
    state: TalkState
    refused: Refused | None


def _row(words: Words, line: TournamentLine) -> TalkRow:
    return TalkRow(
        number=line.number,
        name=name_said(words, line.name),
        text=line.text,
        at=moment(words, line.at),
        own=line.own,
    )


def draw_talk(
    site: TournamentsSite, visitor: Visitor, tournament: str, state: TalkState, refusal: Refused | None = None
) -> Response[str]:
    """Return the page of a tournament's talk. Raises NoTable, NotAllowed."""
    person = require_person_id(visitor)
    lines = site.entrants_talk.read(tournament, person)
    info = site.tournaments.view(tournament, person).info
    require_game(info.game)
    rows = [_row(visitor.words, line) for line in reversed(lines)]
    return site.page(visitor, TalkPage(info=info, rows=rows, most=LONGEST_CHAT, state=state, refused=refusal))


@get("/tournaments/{tournament:str}/chat")
@in_reading_thread
def talk(
    request: AnyRequest, site: TheTournamentsSite, visitor: TheVisitor, tournament: FromPath[str]
) -> Response[str]:
    """Return the talk of a tournament, for those who take part and its host."""
    return draw_talk(site, visitor, tournament, TalkState(reported=request.query_params.get("reported") == "yes"))


@post("/tournaments/{tournament:str}/chat")
@in_acting_thread
def say(site: TheTournamentsSite, visitor: TheVisitor, form: TheForm, tournament: FromPath[str]) -> Response[Any]:
    """Write a line of the talk."""
    person, text = require_person_id(visitor), form.get("text", "")
    try:
        site.spend("chat", visitor)
        site.entrants_talk.say(tournament, person, text)
    except TURNED_DOWN as thrown:
        again = partial(draw_talk, site, visitor, tournament, TalkState(typed=text))
        return refusal_response(site, visitor, thrown, again)
    return redirect(f"/tournaments/{tournament}/chat")


ROUTES = (talk, say)
