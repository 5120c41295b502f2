"""Routes of seasons: one's own, opening and deleting one, its table, and the season of a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from kontor.people.texts import name_said
from kontor.tournaments.numbers import number
from kontor.tournaments.routes import draw_tournament
from kontor.tournaments.seasons import MOST_TOURNAMENTS
from kontor.tournaments.site import TheTournamentsSite, TournamentsSite
from kontor.tournaments.values import SeasonInfo, SeasonOfTournament, SeasonPlan, SeasonStanding, SeasonView
from kontor.web.forms import Form
from kontor.web.http.faults import refusal_response, require_person_id
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import in_acting_thread, in_reading_thread, redirect
from kontor.web.pages.refused import Refused
from kontor.web.pages.visitor import Visitor
from kontor.web.pages.whole_page import WholePage
from kontor.words import Words, mark

_USUAL_POINTS = "10 8 6 5 4 3 2 1"

_STATES = {"open": mark("to join"), "running": mark("running"), "over": mark("finished")}


class SeasonsPage(WholePage, frozen=True, kw_only=True):
    """The context of one's own seasons, and the form for a new one."""

    template: ClassVar = "tournaments/seasons.html"

    own: Sequence[SeasonOfTournament]
    form: Form
    """The fields as they were sent."""
    points: str
    """The points of the places, as they are in the form."""
    most: int
    """The most results that can count."""
    refused: Refused | None


class SeasonTournamentShown(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament of a season; ``number`` is that of its column."""

    id: str
    name: str
    state: str
    number: int


class SeasonRowShown(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the table: the points of each tournament, and whether they count."""

    place: int
    name: str
    mine: bool
    points: str
    results: Sequence[tuple[str, bool]]


class SeasonPage(WholePage, frozen=True, kw_only=True):
    """The context of the page of a season."""

    template: ClassVar = "tournaments/season.html"

    info: SeasonInfo
    opener: str
    points: str
    """The points of the places."""
    tournaments: Sequence[SeasonTournamentShown]
    rows: Sequence[SeasonRowShown]
    refused: Refused | None


@get("/seasons")
@in_reading_thread
def seasons(site: TheTournamentsSite, visitor: TheVisitor) -> Response[str]:
    """Return one's own seasons, and the form for a new one."""
    return _seasons_page(site, visitor, Form(()))


def _seasons_page(
    site: TournamentsSite, visitor: Visitor, form: Form, refusal: Refused | None = None
) -> Response[str]:
    own = site.seasons.of_host(visitor.id) if visitor.id else ()
    points = form.get("points", _USUAL_POINTS)
    return site.page(visitor, SeasonsPage(own=own, form=form, points=points, most=MOST_TOURNAMENTS, refused=refusal))


@post("/seasons")
@in_acting_thread
def open_season(site: TheTournamentsSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Open a season and redirect to it."""
    person = require_person_id(visitor)
    try:
        site.spend("open", visitor)
        season = site.seasons.open(person, _plan_of(form))
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, partial(_seasons_page, site, visitor, form))
    return redirect(f"/seasons/{season}")


def _plan_of(form: Form) -> SeasonPlan:
    """Return the season that a form means; text that is no number is worth a wrong number, which is refused."""
    words = form.text("points", 400).replace(",", " ").split()
    points = [int(word) if word.isascii() and word.isdigit() and len(word) < 6 else -1 for word in words]
    return SeasonPlan(form.text("name", 200), tuple(points), form.number("best") or None)


@get("/seasons/{season:str}")
@in_reading_thread
def season_page(site: TheTournamentsSite, visitor: TheVisitor, season: FromPath[str]) -> Response[str]:
    """Return the page of a season: its table and its tournaments."""
    return _season_page(site, visitor, season)


def _season_page(
    site: TournamentsSite, visitor: Visitor, season: str, refusal: Refused | None = None
) -> Response[str]:
    view, words = site.seasons.view(season, visitor.id), visitor.words
    page = SeasonPage(
        info=view.info,
        opener=name_said(words, view.info.opener),
        points=" – ".join(map(str, view.info.points)),
        tournaments=_tournaments(words, view),
        rows=[_row(words, standing) for standing in view.standings],
        refused=refusal,
    )
    return site.page(visitor, page)


def _tournaments(words: Words, view: SeasonView) -> list[SeasonTournamentShown]:
    return [
        SeasonTournamentShown(
            id=tournament.id, name=tournament.name, state=words.say(_STATES[tournament.status]), number=column
        )
        for column, tournament in enumerate(view.tournaments, 1)
    ]


def _row(words: Words, standing: SeasonStanding) -> SeasonRowShown:
    results = zip(standing.results, standing.counted, strict=True)
    return SeasonRowShown(
        place=standing.place,
        name=name_said(words, standing.name),
        mine=standing.mine,
        points=number(words, standing.points),
        results=[("" if points is None else number(words, points), counted) for points, counted in results],
    )


@post("/seasons/{season:str}/delete")
@in_acting_thread
def delete_season(site: TheTournamentsSite, visitor: TheVisitor, season: FromPath[str]) -> Response[Any]:
    """Delete a season, but not its tournaments."""
    person = require_person_id(visitor)
    try:
        site.spend("join", visitor)
        site.seasons.delete(season, person)
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, partial(_season_page, site, visitor, season))
    return redirect("/seasons")


@post("/tournaments/{tournament:str}/season")
@in_acting_thread
def choose_season(
    request: AnyRequest, site: TheTournamentsSite, visitor: TheVisitor, form: TheForm, tournament: FromPath[str]
) -> Response[Any]:
    """Let a tournament belong to a season, or to none."""
    person = require_person_id(visitor)
    try:
        site.spend("join", visitor)
        site.seasons.put(tournament, person, form.get("season", ""))
    except TURNED_DOWN as thrown:
        again = partial(draw_tournament, site, visitor, tournament, site.base(request), 0)
        return refusal_response(site, visitor, thrown, again)
    return redirect(f"/tournaments/{tournament}")


ROUTES = (seasons, open_season, season_page, delete_season, choose_season)
