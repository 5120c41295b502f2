"""Routes for tournaments: the list, opening one, its page, and the actions on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Final
from urllib.parse import urlencode

from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from markupsafe import Markup

from kontor.people.texts import name_said
from kontor.tables.values import ShownRating
from kontor.tournaments.organiser_pages import (
    ChangeShown,
    ProposalShown,
    can_correct,
    correction_of,
    describe_log,
    describe_proposal,
    swap_of,
)
from kontor.tournaments.pages import (
    SHOWS,
    TournamentCard,
    TournamentChoices,
    TournamentShown,
    card,
    choices,
    describe_state,
    describe_terms,
    describe_tournament,
    may_take_more,
    plan_of,
    preview_of,
)
from kontor.tournaments.site import TheTournamentsSite, TournamentsSite
from kontor.tournaments.values import SeasonOfTournament, TournamentFilter, TournamentInfo, TournamentView
from kontor.web.adapter import adapter_of, web_adapters
from kontor.web.cursors import cursor_text, parse_cursor
from kontor.web.forms import Form
from kontor.web.http.faults import refusal_response, require_game, require_person_id
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import in_acting_thread, in_reading_thread, redirect
from kontor.web.pages.moments import moment
from kontor.web.pages.refused import Refused
from kontor.web.pages.visitor import Visitor
from kontor.web.pages.whole_page import WholePage

_LONGEST_NAME: Final = 40

_MOST_NOTICED: Final = 6
"""Maximum number of one's own tournaments shown above the list."""


def filter_of(form: Form) -> TournamentFilter:
    """Return the filter of the list that a form asks for; ignore invalid values."""
    return TournamentFilter(
        show=form.one_of("show", ("open", "running", "over"), "open"),
        game=form.one_of("game", tuple(web_adapters()), ""),
        name=form.text("name", _LONGEST_NAME),
        after=parse_cursor(form.get("after", "")),
    )


class TournamentsPage(WholePage, frozen=True, kw_only=True):
    """The context of the list of tournaments."""

    template: ClassVar = "tournaments/list.html"

    wanted: TournamentFilter
    mine: Sequence[TournamentCard]
    public_cards: Sequence[TournamentCard]
    shows: Mapping[str, str]
    """The choices of what the list shows."""
    first: str
    """The address of the first page; empty on that page."""
    onward: str
    """The address of the next page; empty on the last."""


class NewTournamentPage(WholePage, frozen=True, kw_only=True):
    """The context of the form for a new tournament."""

    template: ClassVar = "tournaments/new.html"

    game: str
    title: str
    choices: TournamentChoices
    clubs: Mapping[str, str]
    """The names of the reader's clubs, by their ids."""
    form: Form
    """The fields as they were sent."""
    refused: Refused | None


class TournamentPage(WholePage, frozen=True, kw_only=True):
    """The context of the page of a tournament."""

    template: ClassVar = "tournaments/tournament.html"

    info: TournamentInfo
    view: TournamentView
    title: str
    """The title of the game."""
    tone: str
    """The background of the game's sign."""
    facts: Sequence[str]
    """Sentences about its terms."""
    state: Markup
    begins: Markup | str
    """The time at which it begins; empty if its host begins it."""
    next_round: Markup | str
    """The time of the next round; empty if it has none."""
    overview: TournamentShown
    names: Mapping[int, str]
    """The names of the entrants by their numbers."""
    ratings: Mapping[int, ShownRating]
    """The ratings and pages that entrants show, by their numbers."""
    queue: Sequence[int]
    """The numbers of those who wait for a place, the first one first."""
    own_seasons: Sequence[SeasonOfTournament]
    """The seasons to which the reader can add it."""
    proposal: ProposalShown | None
    log: Sequence[ChangeShown]
    can_correct: bool
    """True if the reader can correct results of the round whose boards are shown."""
    address: str
    """The address of the page, to be sent to others."""
    may_take_more: bool
    """True if the host can let people join."""
    fresh: bool
    """True if the page reloads now and then."""
    refused: Refused | None


@get("/tournaments")
@in_reading_thread
def tournaments(request: AnyRequest, site: TheTournamentsSite, visitor: TheVisitor) -> Response[Any]:
    """Return a page of the tournaments that match the filter, with one's own above them."""
    wanted = filter_of(Form(request.query_params.multi_items()))
    page = site.tournaments.find(wanted, visitor.id)
    fields = {"show": wanted.show, "game": wanted.game, "name": wanted.name}
    query = {name: value for name, value in fields.items() if value}
    onward = cursor_text(page.after)
    words = visitor.words
    mine = site.tournaments.mine(visitor.id) if visitor.id else ()
    listed = TournamentsPage(
        wanted=wanted,
        mine=[card(words, info) for info in mine[:_MOST_NOTICED]],
        public_cards=[card(words, info) for info in page.tournaments],
        shows={value: words.say(label) for value, label in SHOWS.items()},
        first=f"/tournaments?{urlencode(query)}" if wanted.after else "",
        onward=f"/tournaments?{urlencode({**query, 'after': onward})}" if onward else "",
    )
    return site.page(visitor, listed)


@get("/tournaments/new/{game:str}")
@in_reading_thread
def new_tournament(
    request: AnyRequest, site: TheTournamentsSite, visitor: TheVisitor, game: FromPath[str]
) -> Response[str]:
    """Return the form for a new tournament, of the club that the address names."""
    query = Form(request.query_params.multi_items())
    return _form(site, visitor, game, Form([("club", query.text("club", 40))]))


def _form(
    site: TournamentsSite, visitor: Visitor, game: str, form: Form, refusal: Refused | None = None
) -> Response[str]:
    require_game(game)
    page = NewTournamentPage(
        game=game,
        title=adapter_of(game).title,
        choices=choices(visitor.words, game, form, site.now()),
        clubs=site.tournaments.clubs_of(visitor.id) if visitor.id else {},
        form=form,
        refused=refusal,
    )
    return site.page(visitor, page)


@post("/tournaments")
@in_acting_thread
def open_tournament(site: TheTournamentsSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Open a tournament and redirect to it. Its host takes part if the form says so."""
    game = require_game(form.get("game", ""))
    person = require_person_id(visitor)
    service = site.tournaments
    try:
        site.spend("open", visitor)
        tournament = service.open(person, plan_of(game, form))
        if form.get("join") == "yes":
            service.join(tournament, person, form.get("salt", ""))
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, partial(_form, site, visitor, game, form), game)
    return redirect(f"/tournaments/{tournament}")


@get("/tournaments/{tournament:str}")
@in_reading_thread
def tournament_page(
    request: AnyRequest, site: TheTournamentsSite, visitor: TheVisitor, tournament: FromPath[str]
) -> Response[str]:
    """Return the page of a tournament."""
    round_ = Form(request.query_params.multi_items()).number("round")
    return draw_tournament(site, visitor, tournament, site.base(request), round_)


def draw_tournament(
    site: TournamentsSite,
    visitor: Visitor,
    tournament: str,
    base: str,
    round_: int = 0,
    refusal: Refused | None = None,
) -> Response[str]:
    """Return the page of a tournament, with the boards of a round. Raises NoTable."""
    view = site.tournaments.view(tournament, visitor.id)
    require_game(view.info.game)
    words, info = visitor.words, view.info
    adapter = adapter_of(info.game)
    overview = describe_tournament(words, view, round_)
    names = {entrant.number: name_said(words, entrant.name) for entrant in view.entrants}
    page = TournamentPage(
        refused=refusal,
        preview=preview_of(words, site.pages, info, base),
        info=info,
        view=view,
        title=adapter.title,
        tone=adapter.tone,
        facts=describe_terms(words, view),
        state=describe_state(words, info),
        begins=moment(words, info.starts) if info.starts else "",
        next_round=moment(words, info.next) if info.next else "",
        overview=overview,
        names=names,
        queue=[entrant.number for entrant in view.entrants if entrant.waiting and not entrant.left],
        own_seasons=site.seasons.of_host(visitor.id) if visitor.id and info.host else (),
        proposal=describe_proposal(words, view, names),
        log=describe_log(words, view, names),
        can_correct=can_correct(info, overview.round, site.now()),
        ratings=site.ratings.in_tournament(tournament),
        address=f"{base}/tournaments/{tournament}",
        may_take_more=may_take_more(info),
        fresh=refusal is None and info.status in ("open", "running"),
    )
    return site.page(visitor, page)


Act = Callable[[TournamentsSite, str, str, Form], None]
"""An action at a tournament: it gets the site, the tournament, the person and their form."""


def tournament_form(action: str) -> Callable[[Act], HTTPRouteHandler]:
    """Return a decorator that makes a route of an action: ``POST /tournaments/{tournament}/{action}``.

    It redirects to the tournament. A refusal returns the tournament as it is, and the reason.
    """

    def wrap(act: Act) -> HTTPRouteHandler:
        def handle(
            request: AnyRequest,
            site: TheTournamentsSite,
            visitor: TheVisitor,
            form: TheForm,
            tournament: FromPath[str],
        ) -> Response[Any]:
            try:
                site.spend("join", visitor)
                act(site, tournament, require_person_id(visitor), form)
            except TURNED_DOWN as refusal:
                again = partial(draw_tournament, site, visitor, tournament, site.base(request), 0)
                return refusal_response(site, visitor, refusal, again)
            return redirect(f"/tournaments/{tournament}")

        handle.__name__, handle.__qualname__, handle.__doc__ = act.__name__, act.__qualname__, act.__doc__
        return post(f"/tournaments/{{tournament:str}}/{action}")(in_acting_thread(handle))

    return wrap


@tournament_form("join")
def join_tournament(site: TournamentsSite, tournament: str, person: str, form: Form) -> None:
    """Take part from the next round on."""
    site.tournaments.join(tournament, person, form.get("salt", ""))


@tournament_form("leave")
def leave_tournament(site: TournamentsSite, tournament: str, person: str, form: Form) -> None:
    """Leave the tournament, or its waiting list."""
    site.tournaments.leave(tournament, person)


@tournament_form("joining")
def allow_joining(site: TournamentsSite, tournament: str, person: str, form: Form) -> None:
    """Close the tournament to new entrants, or open it again."""
    site.tournaments.allow_joining(tournament, person, joining=form.get("joining") == "yes")


@tournament_form("start")
def start_tournament(site: TournamentsSite, tournament: str, person: str, form: Form) -> None:
    """Start the first round with its tables."""
    site.tournaments.start(tournament, person)


@tournament_form("cancel")
def cancel_tournament(site: TournamentsSite, tournament: str, person: str, form: Form) -> None:
    """Cancel the tournament."""
    site.tournaments.cancel(tournament, person)


@tournament_form("remove")
def remove_entrant(site: TournamentsSite, tournament: str, person: str, form: Form) -> None:
    """Remove an entrant, who cannot come back."""
    site.tournaments.remove(tournament, person, form.number("number"))


@tournament_form("correct")
def correct_result(site: TournamentsSite, tournament: str, person: str, form: Form) -> None:
    """Correct the result of a game."""
    site.tournaments.correct(tournament, person, correction_of(form))


@tournament_form("swap")
def swap_entrants(site: TournamentsSite, tournament: str, person: str, form: Form) -> None:
    """Swap two entrants of the proposed pairing."""
    site.tournaments.swap(tournament, person, swap_of(form))


@tournament_form("round")
def begin_round(site: TournamentsSite, tournament: str, person: str, form: Form) -> None:
    """Begin the round whose pairing is proposed."""
    site.tournaments.begin_round(tournament, person)


ROUTES = (
    tournaments,
    new_tournament,
    open_tournament,
    tournament_page,
    join_tournament,
    leave_tournament,
    allow_joining,
    start_tournament,
    cancel_tournament,
    remove_entrant,
    correct_result,
    swap_entrants,
    begin_round,
)
