"""The analysis board: any position, the moves tried from it, and what they are worth. All of it is in the address."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random, SystemRandom
from typing import Any, Final

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath
from markupsafe import Markup

from kontor.analysis import BadPosition, BeliefTable, Variations, decode, encode, is_analysed
from kontor.analysis import adapter_of as analysed
from kontor.game import CHANCE, OVER
from kontor.players import has_judge
from kontor.players.levels import level_name, levels
from kontor.plugins import game_named
from kontor.table import NotAllowed, NotNow
from kontor.thinking.thinkers import Asker
from kontor.web.adapter import adapter_of
from kontor.web.addresses import origin_of
from kontor.web.forms import Form
from kontor.web.http.faults import NoPage, turned_down
from kontor.web.http.refusals import TURNED_DOWN, refused
from kontor.web.http.routes.play import seat_asked
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import Site, TheSite, in_acting_thread, in_reading_thread, redirect
from kontor.web.pages.analysis import (
    Place,
    Worths,
    address_of,
    is_same,
    names_at,
    outcomes_at,
    position_at,
    seat_names,
    tried,
    worths_of,
)
from kontor.web.pages.position import hidden_fields, position_context
from kontor.web.pages.refused import Refused
from kontor.web.pages.table_page import file_of
from kontor.web.pages.visitor import Visitor
from kontor.words import Words

_below: Final = SystemRandom().randrange


def _place_in(game: str, fields: Mapping[str, str]) -> Place:
    """Where an address, or a form, is. Raises NoPage, BadPosition."""
    if not is_analysed(game):
        raise NoPage
    variations = decode(game, fields["p"]) if "p" in fields else _beginning(game)
    at = _node(fields.get("at", ""), len(variations.nodes))
    seats = game_named(game).seats(variations.begin.options)
    eyes = seat_asked(fields.get("as"))
    return Place(
        variations,
        at,
        eyes if eyes is not None and eyes < seats else None,
        fields.get("values") == "1",
        _opponent(game, fields.get("with", "")) if eyes is not None else "",
    )


def _opponent(game: str, wished: str) -> str:
    """The computer player that moves for the others; empty where nobody does."""
    return wished if wished in levels(game) else ""


def _asker(visitor: Visitor) -> Asker:
    return Asker(origin_of(visitor.address), visitor.id or "")


def _worths(site: Site, visitor: Visitor, place: Place) -> Worths | None:
    """What the moves are worth, if that is asked for and anybody looked at is to move."""
    state = place.state
    if not place.values or state.mover < 0 or state.mover != place.seat:
        return None
    game = place.variations.game
    view = game_named(game).view(state, state.mover)
    try:
        if not site.questions.knows(game, view):
            site.spend("analysis", visitor)
        if _plays(site, visitor, place):
            raise NotNow("", "You are playing this position right now. Its values are for after the game.")
        return worths_of(visitor.words, place, site.questions.appraisal(game, view, _asker(visitor)))
    except TURNED_DOWN as thrown:
        return Worths("refused", refused=refused(visitor.words, game, thrown).sentence)


def _plays(site: Site, visitor: Visitor, place: Place) -> bool:
    """Whether the position is that of a game of theirs which goes on: for that there is no help but hints."""
    game = game_named(place.variations.game)
    for info in site.service.listing.my_tables(visitor.id) if visitor.id else ():
        if info.game == game.name and info.status == "playing":
            now = site.service.table_view(info.id, visitor.id)
            if any(is_same(game, place.state, now.look(seat).view) for seat in info.mine):
                return True
    return False


@dataclass(frozen=True)
class _PlayedOn:
    """How far the others have played on: to a ``place``; ``waits`` for a computer player whose place in the line that
    is, or was ``refused``."""

    place: Place
    waits: int = 0
    refused: str = ""


def _played_on(site: Site, visitor: Visitor, place: Place) -> _PlayedOn:
    """What chance and the computer player do until the eyes' seat is to move again. Chance draws the same whenever
    the page is asked for, until something else is tried."""
    tree, at, game = place.variations, place.at, game_named(place.variations.game)
    begun = at
    while place.against and not tree.children(at):
        state = tree.state(at)
        if state.mover in (OVER, place.eyes):
            break
        if state.mover == CHANCE:
            if at < 0:
                break
            luck = Random(f"kontor analysis {encode(tree)} {at}")
            tree, at = tree.tried(at, game.chance(state).draw(luck.randrange))
            continue
        view = game.view(state, state.mover)
        try:
            if not site.questions.knows(game.name, view, place.against):
                site.spend("analysis", visitor)
            asked = site.questions.move(game.name, view, place.against, _asker(visitor))
        except TURNED_DOWN as thrown:
            return _PlayedOn(place, refused=refused(visitor.words, game.name, thrown).sentence)
        if asked.found is None:
            there = replace(place, variations=tree, at=at)
            return _PlayedOn(there, waits=0 if asked.failed else asked.place)
        tree, at = tree.tried(at, asked.found)
    return _PlayedOn(place if at == begun else replace(place, variations=tree, at=at))


def _beginning(game: str) -> Variations:
    return Variations(game, game_named(game).start(game_named(game).options()))


def _node(given: str, nodes: int) -> int:
    """Which node is meant; the beginning, where none is."""
    number = int(given) if given.isascii() and given.isdigit() and len(given) < 5 else -1
    return min(number, nodes - 1)


def _shown(
    request: AnyRequest,
    site: Site,
    visitor: Visitor,
    place: Place,
    told: Refused | None = None,
    sent: Mapping[str, str] | None = None,
    waits: int = 0,
) -> Response[str]:
    words = visitor.words
    game = place.variations.game
    here = f"/analysis/{game}"
    position = replace(position_at(words, place, f"{here}/moves"), refused=told, sent=sent or {})
    fields = place.fields()
    nodes = place.variations.nodes
    return site.page(
        "position/analysis.html",
        visitor,
        **position_context(site.pages, visitor, position),
        here=here,
        place=place,
        link_here=site.base(request) + place.address(),
        walk=_without(fields, "at", "with"),
        stay=_without(fields, "as", "with"),
        weigh=_without(fields, "values"),
        oppose=_without(fields, "with", "as"),
        worths=_worths(site, visitor, place),
        beliefs=_beliefs(words, place) if place.values else [],
        judged=has_judge(game),
        machines={name: level_name(words, name) for name in levels(game)},
        waits=waits,
        may_set_up=adapter_of(game).setting_up is not None,
        back=nodes[place.at].parent if place.at >= 0 else -1,
        on=next(iter(place.variations.children(place.at)), place.at),
        last=place.variations.last(place.at),
        chance=place.state.mover == CHANCE,
        outcomes=outcomes_at(words, place),
        tried=tried(words, place),
        seats=names_at(words, place),
    )


def _without(fields: Mapping[str, str], *names: str) -> Markup:
    """The fields of a form that changes some of them, and only asks for a page."""
    return hidden_fields({name: value for name, value in fields.items() if name not in names}, token=False)


def _beliefs(words: Words, place: Place) -> list[BeliefTable]:
    game, state, seat = game_named(place.variations.game), place.state, place.seat
    if state.mover == OVER:
        return []
    return analysed(game.name).beliefs(words, names_at(words, place), game.view(state, seat))


@get("/analysis/{game:str}")
@in_reading_thread
def look(request: AnyRequest, site: TheSite, visitor: TheVisitor, game: FromPath[str]) -> Response[Any]:
    """The position of an address; the usual beginning, if it has none. Raises BadPosition for what is none."""
    place = _place_in(game, request.query_params)
    played = _played_on(site, visitor, place)
    if played.place != place and not played.waits:
        return redirect(played.place.address())
    told = Refused(played.refused) if played.refused else None
    return _shown(request, site, visitor, played.place, told, waits=played.waits)


def _tried(
    request: AnyRequest, site: Site, visitor: Visitor, form: Form, game: str, action: Callable[[Place], Any]
) -> Response[Any]:
    """Something tried from the position of a form."""
    place = _place_in(game, form)
    try:
        site.spend("move", visitor)
        variations, at = place.variations.tried(place.at, action(place))
        return redirect(replace(place, variations=variations, at=at).address())
    except TURNED_DOWN as thrown:
        return turned_down(
            site, visitor, thrown, lambda told: _shown(request, site, visitor, place, told, form), game
        )


@post("/analysis/{game:str}/moves")
@in_acting_thread
def move(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, game: FromPath[str]
) -> Response[Any]:
    """A move tried on the board."""
    return _tried(request, site, visitor, form, game, lambda place: adapter_of(game).move_of(form))


@post("/analysis/{game:str}/worths")
@in_acting_thread
def move_of_worths(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, game: FromPath[str]
) -> Response[Any]:
    """A move tried from the list of what the moves are worth."""

    def listed(place: Place) -> Any:
        try:
            return msgspec.json.decode(form.get("action", ""), type=game_named(game).move)
        except msgspec.DecodeError:
            raise BadPosition("", "There is no such move.") from None

    return _tried(request, site, visitor, form, game, listed)


@post("/analysis/{game:str}/chance")
@in_acting_thread
def chance(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, game: FromPath[str]
) -> Response[Any]:
    """What chance does: as it was chosen, or drawn."""

    def outcome(place: Place) -> Any:
        state = place.state
        if state.mover != CHANCE:
            raise BadPosition("", "Nothing is drawn here: it is a player’s turn.")
        could = game_named(game).chance(state)
        if form.get("outcome") != "chosen":
            return could.draw(_below)
        number, listed = form.number("chosen", 9999), could.outcomes() or ()
        if number >= len(listed):
            raise BadPosition("", "Chance cannot do that here.")
        return listed[number][0]

    return _tried(request, site, visitor, form, game, outcome)


def _setup_page(
    site: Site, visitor: Visitor, game: str, form: Mapping[str, str], told: Refused | None = None
) -> Response[str]:
    adapter = adapter_of(game)
    assert adapter.setting_up is not None
    players = game_named(game).seats(game_named(game).options())
    return site.page(
        "position/setup.html",
        visitor,
        game=game,
        title=adapter.title,
        board_css=file_of(site.pages, f"{game}.css"),
        form=form,
        refused=told,
        seats=seat_names(visitor.words, players),
        **adapter.setting_up.choices(visitor.words),
    )


@get("/analysis/{game:str}/setup")
@in_reading_thread
def setup_form(request: AnyRequest, site: TheSite, visitor: TheVisitor, game: FromPath[str]) -> Response[str]:
    """The form in which a position is set up; filled in with that of an address, if it has one. Raises NoPage."""
    form = adapter_of(game).setting_up if is_analysed(game) else None
    if form is None:
        raise NoPage
    setup = analysed(game).setup_of(_place_in(game, request.query_params).state)
    return _setup_page(site, visitor, game, {} if setup is None else form.fields(setup))


@post("/analysis/{game:str}/setup")
@in_acting_thread
def set_up(site: TheSite, visitor: TheVisitor, form: TheForm, game: FromPath[str]) -> Response[Any]:
    """The position of a form. Raises NoPage."""
    setting_up = adapter_of(game).setting_up if is_analysed(game) else None
    if setting_up is None:
        raise NoPage
    try:
        site.spend("move", visitor)
        options, setup = setting_up.position(form)
        return redirect(Place(Variations(game, analysed(game).state_of(setup, options))).address())
    except TURNED_DOWN as thrown:
        return turned_down(site, visitor, thrown, lambda told: _setup_page(site, visitor, game, form, told), game)


@get("/tables/{table:str}/analysis")
@in_reading_thread
def from_table(request: AnyRequest, site: TheSite, visitor: TheVisitor, table: FromPath[str]) -> Response[Any]:
    """The analysis board with the position after a line of a game that is over. Raises NotNow, NotAllowed."""
    info = site.service.info(table, visitor.id)
    if not info.may_watch:
        raise NotAllowed("", "This game is for its players only.")
    if info.status != "over":
        raise NotNow("", "This game is not over yet: you can review it afterwards.")
    if not is_analysed(info.game):
        raise NoPage
    line = request.query_params.get("at", "")
    steps = int(line) - 1 if line.isascii() and line.isdigit() and 0 < len(line) < 6 else 0
    return redirect(address_of(site.service.record(table), max(0, steps), seat_asked(request.query_params.get("as"))))


ROUTES = (look, move, move_of_worths, chance, setup_form, set_up, from_table)
