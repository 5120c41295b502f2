"""Routes of challenges: the form, and the answers to a challenge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from litestar import Response, get, post
from litestar.params import FromPath

from kontor.challenges.pages import ChallengePage
from kontor.challenges.site import ChallengesSite, TheChallengesSite
from kontor.challenges.values import OpponentKey, Terms
from kontor.tables.pages.opening import choices, fields_of_table, plan_of, share_of
from kontor.tables.values import TableInfo
from kontor.web.adapter import web_adapters
from kontor.web.addresses import origin_of
from kontor.web.forms import Form
from kontor.web.http.faults import NoPage, refusal_response, require_game, require_person_id
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import in_acting_thread, in_reading_thread, redirect
from kontor.web.pages.refused import Refused
from kontor.web.pages.visitor import Visitor

_USUAL_PACE: Final = "slow-86400-0"
"""The key of the pace with which the form begins: the other may come hours later."""

Draw = Callable[[str, Mapping[str, str], Refused | None], Response[str]]
"""``draw(game, fields, refusal)`` returns the page of a form that was filled in so far."""


class _Target(NamedTuple):
    """The person whom a form is about, its address, and that address for each game that can be chosen."""

    name: str
    address: str
    game_addresses: Mapping[str, str]


# --------------------------------------------------------------------------------------------------------- the form


@get("/challenges/to/{handle:str}")
@in_reading_thread
def form_by_page(
    request: AnyRequest, site: TheChallengesSite, visitor: TheVisitor, handle: FromPath[str]
) -> Response[str]:
    """Return the form in which the person of a page is challenged."""
    return _form(request, site, visitor, OpponentKey(handle=handle))


@get("/challenges/to/{table:str}/{seat:int}")
@in_reading_thread
def form_by_seat(
    request: AnyRequest, site: TheChallengesSite, visitor: TheVisitor, table: FromPath[str], seat: FromPath[int]
) -> Response[str]:
    """Return the form in which somebody is challenged with whom the reader has finished a game."""
    return _form(request, site, visitor, OpponentKey(table=table, seat=seat))


def _form(request: AnyRequest, site: ChallengesSite, visitor: Visitor, key: OpponentKey) -> Response[str]:
    draw = _drawing(site, visitor, key)
    if key.table and request.query_params.get("again"):
        info = site.tables.info(key.table, visitor.id)
        return draw(require_game(info.game), _fields_of(info, key.seat), None)
    game = request.query_params.get("game", "") or next(iter(web_adapters()))
    return draw(require_game(game), {"pace": _USUAL_PACE}, None)


def _drawing(site: ChallengesSite, visitor: Visitor, key: OpponentKey) -> Draw:
    """Return a function that draws the form in which somebody is challenged. Raises NoPage."""
    opponent = site.challenges.opponent(key, visitor.id)
    if opponent is None:
        raise NoPage
    addresses = {game: f"{key.address}?game={game}" for game in web_adapters()}
    return partial(_page, site, visitor, _Target(opponent.name, key.address, addresses))


def _page(
    site: ChallengesSite,
    visitor: Visitor,
    target: _Target,
    game: str,
    fields: Mapping[str, str],
    refusal: Refused | None,
) -> Response[str]:
    page = ChallengePage(
        opponent=target.name,
        address=target.address,
        counters=not target.game_addresses,
        game_addresses=target.game_addresses,
        opening=choices(visitor.words, game, fields),
        commitment=site.opening.next_commitment(visitor.id) if visitor.id else "",
        refused=refusal,
    )
    return site.page(visitor, page)


def _fields_of(info: TableInfo, opponent: int) -> dict[str, str]:
    """Return the fields of a form that mean a table like another, where the opponent has a seat."""
    own = info.mine[0] if info.mine else next((seat for seat in range(len(info.seats)) if seat != opponent), 0)
    return fields_of_table(info, {own, opponent})


@post("/challenges/to/{handle:str}")
@in_acting_thread
def challenge_by_page(
    site: TheChallengesSite, visitor: TheVisitor, form: TheForm, handle: FromPath[str]
) -> Response[Any]:
    """Challenge the person of a page, and redirect to the table."""
    return _challenge(site, visitor, form, OpponentKey(handle=handle))


@post("/challenges/to/{table:str}/{seat:int}")
@in_acting_thread
def challenge_by_seat(
    site: TheChallengesSite, visitor: TheVisitor, form: TheForm, table: FromPath[str], seat: FromPath[int]
) -> Response[Any]:
    """Challenge somebody with whom the person has finished a game, and redirect to the table."""
    return _challenge(site, visitor, form, OpponentKey(table=table, seat=seat))


def _challenge(site: ChallengesSite, visitor: Visitor, form: Form, key: OpponentKey) -> Response[Any]:
    person, game = require_person_id(visitor), require_game(form.get("game", ""))
    draw = _drawing(site, visitor, key)

    def send() -> str:
        return site.challenges.send(person, key, _terms(visitor, game, form))

    return _open_and_redirect(site, visitor, send, partial(draw, game, form), game)


def _terms(visitor: Visitor, game: str, form: Form) -> Terms:
    """Return the terms that a form means, in which the first of the other seats is that of the opponent."""
    fields = {**form, "chair-2": "friend", "name-2": ""}
    plan = plan_of(game, Form(fields.items()))
    return Terms(plan, share_of(form), form.get("commitment", ""), origin_of(visitor.address))


def _open_and_redirect(
    site: ChallengesSite,
    visitor: Visitor,
    send: Callable[[], str],
    again: Callable[[Refused], Response[str]],
    game: str,
) -> Response[Any]:
    try:
        site.spend("open", visitor)
        table = send()
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, again, game)
    return redirect(f"/tables/{table}")


# -------------------------------------------------------------------------------------------------------- the answer


@post("/challenges/{challenge:str}/accept")
@in_acting_thread
def accept(site: TheChallengesSite, visitor: TheVisitor, form: TheForm, challenge: FromPath[str]) -> Response[Any]:
    """Accept a challenge: sit down at its table."""
    person = require_person_id(visitor)
    site.spend("join", visitor)
    accepted = site.challenges.find(challenge, person)
    site.opening.sit(accepted.table.id, accepted.seat, person, share=share_of(form))
    return redirect(f"/tables/{accepted.table.id}")


@post("/challenges/{challenge:str}/decline")
@in_acting_thread
def decline(site: TheChallengesSite, visitor: TheVisitor, form: TheForm, challenge: FromPath[str]) -> Response[Any]:
    """Decline a challenge."""
    site.spend("join", visitor)
    site.challenges.decline(challenge, require_person_id(visitor))
    return redirect("/")


@post("/challenges/{challenge:str}/dismiss")
@in_acting_thread
def dismiss(site: TheChallengesSite, visitor: TheVisitor, form: TheForm, challenge: FromPath[str]) -> Response[Any]:
    """Remove the note that one's own challenge was declined."""
    site.challenges.dismiss(challenge, require_person_id(visitor))
    return redirect("/")


@get("/challenges/{challenge:str}/counter")
@in_reading_thread
def counter_form(site: TheChallengesSite, visitor: TheVisitor, challenge: FromPath[str]) -> Response[str]:
    """Return the form in which other terms are proposed, filled in with those of the challenge."""
    draw, info, seat = _answering(site, visitor, challenge)
    return draw(require_game(info.game), fields_of_table(info, {seat, _host_seat(info, seat)}), None)


def _answering(site: ChallengesSite, visitor: Visitor, challenge: str) -> tuple[Draw, TableInfo, int]:
    """Return a function that draws the form of an answer, the table of the challenge, and the seat that is kept."""
    answered = site.challenges.find(challenge, require_person_id(visitor))
    target = _Target(answered.name, f"/challenges/{challenge}/counter", {})
    return partial(_page, site, visitor, target), answered.table, answered.seat


def _host_seat(info: TableInfo, opponent: int) -> int:
    """Return the seat of the challenger: the first that is taken."""
    return next((seat for seat, at in enumerate(info.seats) if at.taken and seat != opponent), 0)


@post("/challenges/{challenge:str}/counter")
@in_acting_thread
def counter(site: TheChallengesSite, visitor: TheVisitor, form: TheForm, challenge: FromPath[str]) -> Response[Any]:
    """Propose other terms in answer to a challenge, and redirect to their table."""
    person, game = require_person_id(visitor), require_game(form.get("game", ""))
    draw, _, _ = _answering(site, visitor, challenge)

    def send() -> str:
        return site.challenges.counter(challenge, person, _terms(visitor, game, form))

    return _open_and_redirect(site, visitor, send, partial(draw, game, form), game)


ROUTES = (
    *(form_by_page, form_by_seat, challenge_by_page, challenge_by_seat),
    *(accept, decline, dismiss, counter_form, counter),
)
