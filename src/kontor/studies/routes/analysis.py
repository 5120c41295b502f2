"""The analysis board: any position, the moves tried from it, and their values. Its whole state is in the address."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random, SystemRandom
from typing import Any, ClassVar, Final

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath
from markupsafe import Markup

from kontor.analysis import BadPosition, BeliefTable, Variations, decode, is_analysed, seat_names
from kontor.analysis import adapter_of as analysed
from kontor.errors import NoTable, NotAllowed, NotNow
from kontor.game import CHANCE, OVER
from kontor.players import has_judge
from kontor.players.levels import level_name, levels
from kontor.plugins import game_named
from kontor.studies.pages.analysis import (
    MoveValues,
    Place,
    PossibleOutcome,
    TriedMove,
    address_of,
    address_of_view,
    leads_from,
    moves_tried,
    names_at,
    outcomes_at,
    position_at,
    values_of,
)
from kontor.studies.site import StudiesSite, TheStudiesSite
from kontor.tables.pages.position import PositionPage, hidden_fields, show_position
from kontor.tables.pages.seating import names_of
from kontor.tables.pages.table_page import file_of
from kontor.tables.routes.responses import parse_seat
from kontor.thinking.thinkers import Asker
from kontor.web.adapter import adapter_of
from kontor.web.addresses import origin_of
from kontor.web.forms import Form
from kontor.web.http.faults import NoPage, refusal_response
from kontor.web.http.refusals import TURNED_DOWN, describe_refusal
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import in_reading_thread, redirect
from kontor.web.pages.refused import Refused
from kontor.web.pages.template_context import GamePart, TemplateContext
from kontor.web.pages.visitor import Visitor
from kontor.web.pages.whole_page import WholePage
from kontor.words import Words

_below: Final = SystemRandom().randrange

_LONGEST_ID: Final = 40

_MOST_CHOSEN: Final = 200
"""The most characters of the pieces chosen of an outcome."""


def _place_in(game: str, fields: Mapping[str, str]) -> Place:
    """Return the place that the fields of an address, or a form, describe. Raises NoPage, BadPosition."""
    if not is_analysed(game):
        raise NoPage
    variations = decode(game, fields["p"]) if "p" in fields else _beginning(game)
    at = _node(fields.get("at", ""), len(variations.nodes))
    seats = game_named(game).seats(variations.begin.options)
    eyes = parse_seat(fields.get("as"))
    return Place(
        variations,
        at,
        eyes if eyes is not None and eyes < seats else None,
        fields.get("values") == "1",
        _opponent(game, fields.get("with", "")) if eyes is not None else "",
        fields.get("table", "")[:_LONGEST_ID],
    )


def _named(site: StudiesSite, visitor: Visitor, place: Place) -> Place:
    """Return the place with the names of the table it comes from, if the visitor may see that."""
    if not place.table:
        return place
    game = game_named(place.variations.game)
    try:
        info = site.tables.info(place.table, visitor.id)
    except NoTable:
        return replace(place, table="")
    is_fitting = info.game == game.name and len(info.seats) == game.seats(place.variations.begin.options)
    return replace(place, names=names_of(visitor.words, info) if is_fitting and info.may_watch else ())


def _with_names(tables: Sequence[BeliefTable], words: Words, names: Sequence[str]) -> Sequence[BeliefTable]:
    """Return tables of beliefs with names in place of the numbers of seats."""
    by_number = dict(zip(seat_names(words, len(names)), names, strict=True))
    return [
        msgspec.structs.replace(table, rows=tuple((by_number.get(name, name), row) for name, row in table.rows))
        for table in tables
    ]


def _opponent(game: str, requested: str) -> str:
    """Return the level of the computer player that moves for the others; empty if there is none."""
    return requested if requested in levels(game) else ""


def _asker(visitor: Visitor) -> Asker:
    return Asker(origin_of(visitor.address), visitor.id or "")


def _appraise_moves(site: StudiesSite, visitor: Visitor, place: Place) -> MoveValues | None:
    """Return the values of the moves, if they are requested and the seat looked at is to move."""
    state = place.state
    if not place.values or state.mover < 0 or state.mover != place.seat:
        return None
    game = place.variations.game
    view = game_named(game).view(state, state.mover)
    try:
        if not site.questions.knows(game, view):
            site.spend("analysis", visitor)
        return values_of(visitor.words, place, site.questions.appraisal(game, view, _asker(visitor)))
    except TURNED_DOWN as thrown:
        return MoveValues("refused", refused=describe_refusal(visitor.words, game, thrown).sentence)


def _beliefs(site: StudiesSite, visitor: Visitor, place: Place) -> Sequence[BeliefTable] | None:
    """Return what the seat looked at can believe, if values are requested; None while it is computed."""
    game, state, seat = game_named(place.variations.game), place.state, place.seat
    if not place.values or state.mover == OVER:
        return ()
    try:
        view = game.view(state, seat)
        question = site.questions.beliefs(game.name, view, visitor.language, _asker(visitor))
    except TURNED_DOWN:
        return ()  # the values say why
    return () if question.failed else question.answer


def _is_own_running_game(site: StudiesSite, visitor: Visitor, place: Place) -> bool:
    """Return True if the position comes from a running game of the visitor, as far as they can see.

    It may be that of the game, or have been tried from it. For such a position there is no help but hints.
    """
    for info in site.listing.my_tables(visitor.id) if visitor.id else ():
        if info.game == place.variations.game and info.status == "playing":
            now = site.tables.view(info.id, visitor.id)
            if any(leads_from(place, now.look(seat).view) for seat in info.mine):
                return True
    return False


@dataclass(frozen=True)
class _PlayedOn:
    """The ``place`` reached after moves of the others.

    If a computer player still thinks, ``waits`` is its place in the queue. ``refused`` is a message if it was
    refused.
    """

    place: Place
    waits: int = 0
    refused: str = ""


def _play_on(site: StudiesSite, visitor: Visitor, place: Place) -> _PlayedOn:
    """Return the place after moves of chance and the computer player, until the viewing seat is to move again.

    Chance draws the same outcomes for the same address, until something else is tried.
    """
    tree, at, game = place.variations, place.at, game_named(place.variations.game)
    first = at
    while place.against:
        state = tree.state(at)
        if state.mover in (OVER, place.eyes):
            break
        if state.mover == CHANCE:
            luck = Random(f"kontor analysis {place.text} {at}")
            tree, at = tree.tried(at, game.chance(state).draw(luck.randrange))
            continue
        view = game.view(state, state.mover)
        try:
            if not site.questions.knows(game.name, view, place.against):
                site.spend("analysis", visitor)
            question = site.questions.move(game.name, view, place.against, _asker(visitor))
        except TURNED_DOWN as thrown:
            return _PlayedOn(place, refused=describe_refusal(visitor.words, game.name, thrown).sentence)
        if question.answer is None:
            reached = replace(place, variations=tree, at=at)
            return _PlayedOn(reached, waits=0 if question.failed else question.place)
        tree, at = tree.tried(at, question.answer)
    return _PlayedOn(place if at == first else replace(place, variations=tree, at=at))


def _beginning(game: str) -> Variations:
    return Variations(game, game_named(game).start(game_named(game).options()))


def _node(text: str, nodes: int) -> int:
    """Return the number of a node; −1, the beginning, if the text is not a number."""
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 5 else -1
    return min(number, nodes - 1)


class ChoosingOutcome(TemplateContext, frozen=True, kw_only=True):
    """The context of a game's ``choose.html``."""

    game: str
    choosing: Mapping[str, Any]
    """The result of ``OutcomeForm.choices``."""
    fields: Markup
    """The hidden fields of the form that sets the outcome."""
    here: str
    """The address of the analysis board."""
    position_fields: Markup
    """The hidden fields of a form that requests another page of this position."""

    @property
    def template_name(self) -> str:
        """Return the name of the game's template."""
        return f"{self.game}/choose.html"


class PlaceShown(msgspec.Struct, frozen=True):
    """The place of the analysis board in its tree of moves: ``place``. Its state is not shown."""

    at: int
    """The node after which the game stands; −1 for the beginning."""
    eyes: int | None
    """The seat whose view is shown; None for that of the seat to move."""
    against: str
    """The computer player that moves for the others; empty if there is none."""
    values: bool
    """True if the values of the moves are requested."""


class AnalysisPage(PositionPage, frozen=True, kw_only=True):
    """The context of the analysis board."""

    template: ClassVar = "analysis/analysis.html"

    here: str
    """The address without the position."""
    place: PlaceShown
    link_here: str
    """The whole address, for others."""
    walk: Markup
    """The hidden fields of the form that steps through the moves, as those below are of other forms."""
    stay: Markup
    weigh: Markup
    oppose: Markup
    position_fields: Markup
    values: MoveValues | None
    """The values of the moves; None if they are not requested, or others move."""
    beliefs: Sequence[BeliefTable]
    waiting: bool
    """True if something is still computed: the page reloads."""
    judged: bool
    """True if values can be requested."""
    plays: bool
    """True if the reader is playing this position right now."""
    machines: Mapping[str, str]
    """The computer players that can move for the others."""
    waits: int
    """The place of a computer player's move in the queue; 0 if none is awaited."""
    may_set_up: bool
    back: int
    """The node before this one, as ``on`` and ``last`` are the next and the last."""
    on: int
    last: int
    chance: bool
    """True if chance is to act."""
    outcomes: Sequence[PossibleOutcome]
    choosing: ChoosingOutcome | None
    tried: Sequence[TriedMove]
    seats: Sequence[str]


class GameSetup(GamePart, frozen=True, kw_only=True):
    """The context of a game's ``setup.html``: what ``SettingUp.choices`` returns, and these."""

    game: str
    form: Mapping[str, str]
    """The fields as they were sent."""
    seats: Sequence[str]
    """The names of the seats."""

    @property
    def template_name(self) -> str:
        """Return the name of the game's template."""
        return f"{self.game}/setup.html"


class SetupPage(WholePage, frozen=True, kw_only=True):
    """The context of the page on which a position is set up."""

    template: ClassVar = "analysis/setup.html"

    setup: GameSetup
    title: str
    board_css: str
    setup_css: str
    """The game's own files; empty if it has none."""
    refused: Refused | None


def _analysis_page(
    request: AnyRequest,
    site: StudiesSite,
    visitor: Visitor,
    place: Place,
    refusal: Refused | None = None,
    sent: Mapping[str, str] | None = None,
    waits: int = 0,
) -> Response[str]:
    words, place = visitor.words, _named(site, visitor, place)
    game = place.variations.game
    here = f"/analysis/{game}"
    plays = _is_own_running_game(site, visitor, place)
    if plays:  # so that the page's address, if it is shared, requests no values
        place = replace(place, values=False, against="")
    position = replace(position_at(words, place, f"{here}/moves"), refused=refusal, sent=sent or {})
    fields = place.fields()
    nodes = place.variations.nodes
    values, beliefs = _appraise_moves(site, visitor, place), _beliefs(site, visitor, place)
    page = AnalysisPage(
        position=show_position(site.pages, visitor, position),
        here=here,
        place=PlaceShown(place.at, place.eyes, place.against, values=place.values),
        link_here=site.base(request) + replace(place, table="").address(),
        walk=_without(fields, "at", "with"),
        stay=_without(fields, "as", "with"),
        weigh=_without(fields, "values"),
        oppose=_without(fields, "with", "as"),
        position_fields=_without(fields),
        values=values,
        beliefs=_with_names(beliefs or (), words, names_at(words, place)),
        waiting=bool(waits) or (values is not None and values.stage == "thinking") or beliefs is None,
        judged=has_judge(game) and not plays,
        plays=plays,
        machines={} if plays else {name: level_name(words, name) for name in levels(game)},
        waits=waits,
        may_set_up=adapter_of(game).setting_up is not None,
        back=nodes[place.at].parent if place.at >= 0 else -1,
        on=next(iter(place.variations.children(place.at)), place.at),
        last=place.variations.last(place.at),
        chance=place.state.mover == CHANCE,
        outcomes=outcomes_at(words, place),
        choosing=_choosing(words, place, request.query_params.get("choose", "")),
        tried=moves_tried(words, place),
        seats=names_at(words, place),
    )
    return site.page(visitor, page)


def _choosing(words: Words, place: Place, chosen: str) -> ChoosingOutcome | None:
    """Return the form for choosing an outcome of chance, if there are too many to list; else None."""
    game, state = game_named(place.variations.game), place.state
    form = adapter_of(game.name).outcome_form
    if form is None or state.mover != CHANCE:
        return None
    choosing = form.choices(words, game.view(state, place.seat), chosen[:_MOST_CHOSEN])
    if choosing is None:
        return None
    fields = place.fields()
    return ChoosingOutcome(
        game=game.name,
        choosing=choosing,
        fields=hidden_fields(fields),
        here=f"/analysis/{game.name}",
        position_fields=_without(fields),
    )


def _without(fields: Mapping[str, str], *names: str) -> Markup:
    """Return hidden fields for a form that requests a page, without those that it sets itself."""
    return hidden_fields({name: value for name, value in fields.items() if name not in names}, token=False)


@get("/analysis/{game:str}")
@in_reading_thread
def look(request: AnyRequest, site: TheStudiesSite, visitor: TheVisitor, game: FromPath[str]) -> Response[Any]:
    """Return the page of the position in an address; without one, of the usual beginning. Raises BadPosition."""
    place = _place_in(game, request.query_params)
    if place.against and _is_own_running_game(site, visitor, place):
        place = replace(place, against="")
    played = _play_on(site, visitor, place)
    if played.place != place and not played.waits:
        return redirect(played.place.address())
    refusal = Refused(played.refused) if played.refused else None
    return _analysis_page(request, site, visitor, played.place, refusal, waits=played.waits)


def _try_action(
    request: AnyRequest, site: StudiesSite, visitor: Visitor, form: Form, game: str, action: Callable[[Place], Any]
) -> Response[Any]:
    """Try an action from the position of a form, and redirect to the new position."""
    place = _place_in(game, form)
    try:
        site.spend("move", visitor)
        variations, at = place.variations.tried(place.at, action(place))
        return redirect(replace(place, variations=variations, at=at).address())
    except TURNED_DOWN as thrown:
        return refusal_response(
            site, visitor, thrown, lambda refusal: _analysis_page(request, site, visitor, place, refusal, form), game
        )


@post("/analysis/{game:str}/moves")
@in_reading_thread
def move(
    request: AnyRequest, site: TheStudiesSite, visitor: TheVisitor, form: TheForm, game: FromPath[str]
) -> Response[Any]:
    """Try a move on the board."""
    return _try_action(request, site, visitor, form, game, lambda place: adapter_of(game).move_of(form))


@post("/analysis/{game:str}/values")
@in_reading_thread
def move_of_values(
    request: AnyRequest, site: TheStudiesSite, visitor: TheVisitor, form: TheForm, game: FromPath[str]
) -> Response[Any]:
    """Try a move from the list of values."""

    def parse_listed_move(place: Place) -> Any:
        try:
            return msgspec.json.decode(form.get("action", ""), type=game_named(game).move)
        except msgspec.DecodeError:
            raise BadPosition("", "There is no such move.") from None

    return _try_action(request, site, visitor, form, game, parse_listed_move)


@post("/analysis/{game:str}/chance")
@in_reading_thread
def chance(
    request: AnyRequest, site: TheStudiesSite, visitor: TheVisitor, form: TheForm, game: FromPath[str]
) -> Response[Any]:
    """Make a move of chance: the outcome that was chosen, or one that is drawn."""

    def choose_outcome(place: Place) -> Any:
        state = place.state
        if state.mover != CHANCE:
            raise BadPosition("", "Nothing is drawn here: it is a player’s turn.")
        distribution = game_named(game).chance(state)
        if form.get("outcome") != "chosen":
            return distribution.draw(_below)
        outcome_form = adapter_of(game).outcome_form
        if outcome_form is not None and distribution.outcomes() is None:
            return outcome_form.outcome(
                game_named(game).view(state, place.seat), form.get("choose", "")[:_MOST_CHOSEN], _below
            )
        number, listed = form.number("chosen", 9999), distribution.outcomes() or ()
        if number >= len(listed):
            raise BadPosition("", "Chance cannot do that here.")
        return listed[number][0]

    return _try_action(request, site, visitor, form, game, choose_outcome)


def _setup_page(
    site: StudiesSite, visitor: Visitor, game: str, form: Mapping[str, str], refusal: Refused | None = None
) -> Response[str]:
    adapter = adapter_of(game)
    assert adapter.setting_up is not None
    count = adapter.setting_up.seats
    players = count(form) if count else game_named(game).seats(game_named(game).options())
    page = SetupPage(
        setup=GameSetup(
            game=game,
            form=form,
            seats=seat_names(visitor.words, players),
            own=adapter.setting_up.choices(visitor.words, form),
        ),
        title=adapter.title,
        board_css=file_of(site.pages, f"{game}.css"),
        setup_css=file_of(site.pages, f"{game}-setup.css"),
        refused=refusal,
    )
    return site.page(visitor, page)


@get("/analysis/{game:str}/setup")
@in_reading_thread
def setup_form(request: AnyRequest, site: TheStudiesSite, visitor: TheVisitor, game: FromPath[str]) -> Response[str]:
    """Return the form in which a position is set up. Raises NoPage.

    It is filled in with the position of an address, or the last one before it that the form can express.
    """
    form = adapter_of(game).setting_up if is_analysed(game) else None
    if form is None:
        raise NoPage
    place = _place_in(game, request.query_params)
    tree, adapter = place.variations, analysed(game)
    for at in (*reversed(tree.path(place.at)), -1):
        if adapter.setup_of(tree.state(at)) is not None:
            return _setup_page(site, visitor, game, form.fields(game_named(game).view(tree.state(at), place.seat)))
    return _setup_page(site, visitor, game, {})


@post("/analysis/{game:str}/setup")
@in_reading_thread
def set_up(site: TheStudiesSite, visitor: TheVisitor, form: TheForm, game: FromPath[str]) -> Response[Any]:
    """Redirect to the position of a form, or return the form again for another number of seats. Raises NoPage."""
    setting_up = adapter_of(game).setting_up if is_analysed(game) else None
    if setting_up is None:
        raise NoPage
    if "redraw" in form:
        return _setup_page(site, visitor, game, {**form, "players": form["redraw"]})
    try:
        site.spend("move", visitor)
        position = setting_up.position(form)
        state = analysed(game).state_of(position.setup, position.options)
        return redirect(Place(Variations(game, state), eyes=position.eyes).address())
    except TURNED_DOWN as thrown:
        return refusal_response(
            site, visitor, thrown, lambda refusal: _setup_page(site, visitor, game, form, refusal), game
        )


@get("/tables/{table:str}/analysis")
@in_reading_thread
def from_table(request: AnyRequest, site: TheStudiesSite, visitor: TheVisitor, table: FromPath[str]) -> Response[Any]:
    """Redirect to the analysis board with a position of a game. Raises NotNow, NotAllowed.

    It is the position after a line of a game that is over, or what the visitor now sees of their own running game.
    """
    info = site.tables.info(table, visitor.id)
    if not info.may_watch:
        raise NotAllowed("", "This game is for its players only.")
    if not is_analysed(info.game):
        raise NoPage
    seat = parse_seat(request.query_params.get("as"))
    if info.status == "playing" and info.mine:
        own_seat = seat if seat in info.mine else info.mine[0]
        address = address_of_view(info.game, site.tables.view(table, visitor.id).look(own_seat).view, table)
        if address is None:
            raise NotNow("", "This moment cannot be opened on the analysis board. Try again after the next move.")
        return redirect(address)
    if info.status != "over":
        raise NotNow("", "This game is not over yet: you can review it afterwards.")
    line = request.query_params.get("at", "")
    steps = int(line) - 1 if line.isascii() and line.isdigit() and 0 < len(line) < 6 else 0
    return redirect(address_of(site.tables.record(table), max(0, steps), seat, table))


ROUTES = (look, move, move_of_values, chance, setup_form, set_up, from_table)
