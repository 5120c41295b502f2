"""The analysis board: any position, the moves tried from it, and what they are worth. All of it is in the address."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import SystemRandom
from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath

from kontor.analysis import BadPosition, Variations, decode, is_analysed, of_record
from kontor.game import CHANCE
from kontor.plugins import game_named
from kontor.table import NotAllowed, NotNow
from kontor.web.adapter import adapter_of
from kontor.web.forms import Form
from kontor.web.http.faults import NoPage, turned_down
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.routes.play import seat_asked
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import Site, TheSite, in_acting_thread, in_reading_thread, redirect
from kontor.web.pages.analysis import Place, names_at, outcomes_at, position_at, tried
from kontor.web.pages.position import hidden_fields, position_context
from kontor.web.pages.refused import Refused
from kontor.web.pages.visitor import Visitor

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
    )


def _beginning(game: str) -> Variations:
    return Variations(game, game_named(game).start(game_named(game).options()))


def _node(given: str, nodes: int) -> int:
    """Which node is meant; the beginning, where none is."""
    number = int(given) if given.isascii() and given.isdigit() and len(given) < 5 else -1
    return min(number, nodes - 1)


def _shown(
    site: Site, visitor: Visitor, place: Place, refused: Refused | None = None, sent: Mapping[str, str] | None = None
) -> Response[str]:
    words = visitor.words
    game = place.variations.game
    here = f"/analysis/{game}"
    position = replace(position_at(words, place, f"{here}/moves"), refused=refused, sent=sent or {})
    fields = place.fields()
    nodes = place.variations.nodes
    return site.page(
        "position/analysis.html",
        visitor,
        **position_context(site.pages, visitor, position),
        here=here,
        place=place,
        share=fields["p"],
        walk=hidden_fields({name: value for name, value in fields.items() if name != "at"}, token=False),
        stay=hidden_fields({name: value for name, value in fields.items() if name != "as"}, token=False),
        back=nodes[place.at].parent if place.at >= 0 else -1,
        on=next(iter(place.variations.children(place.at)), place.at),
        last=place.variations.last(place.at),
        chance=place.state.mover == CHANCE,
        outcomes=outcomes_at(words, place),
        tried=tried(words, place),
        seats=names_at(words, place),
    )


@get("/analysis/{game:str}")
@in_reading_thread
def look(request: AnyRequest, site: TheSite, visitor: TheVisitor, game: FromPath[str]) -> Response[str]:
    """The position of an address. Raises BadPosition where it has none."""
    return _shown(site, visitor, _place_in(game, request.query_params))


def _tried(site: Site, visitor: Visitor, form: Form, game: str, action: Callable[[Place], Any]) -> Response[Any]:
    """Something tried from the position of a form."""
    place = _place_in(game, form)
    try:
        site.spend("move", visitor)
        variations, at = place.variations.tried(place.at, action(place))
        return redirect(replace(place, variations=variations, at=at).address())
    except TURNED_DOWN as thrown:
        return turned_down(site, visitor, thrown, lambda told: _shown(site, visitor, place, told, form), game)


@post("/analysis/{game:str}/moves")
@in_acting_thread
def move(site: TheSite, visitor: TheVisitor, form: TheForm, game: FromPath[str]) -> Response[Any]:
    """A move tried on the board."""
    return _tried(site, visitor, form, game, lambda place: adapter_of(game).move_of(form))


@post("/analysis/{game:str}/chance")
@in_acting_thread
def chance(site: TheSite, visitor: TheVisitor, form: TheForm, game: FromPath[str]) -> Response[Any]:
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

    return _tried(site, visitor, form, game, outcome)


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
    variations = of_record(site.service.record(table), max(0, steps))
    place = Place(variations, variations.last(), seat_asked(request.query_params.get("as")))
    return redirect(place.address())


ROUTES = (look, move, chance, from_table)
