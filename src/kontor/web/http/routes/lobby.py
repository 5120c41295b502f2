"""The lobby, and the form for a new table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath

from kontor.endings import describe_early_end_briefly
from kontor.lobby.values import Lobby
from kontor.players.levels import levels, likeness, usual
from kontor.tables.values import Plan, TableInfo
from kontor.web.adapter import adapter_of, web_adapters
from kontor.web.addresses import origin_of
from kontor.web.forms import Form
from kontor.web.http.faults import NoPage, refusal_response, require_person_id
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor, share_of
from kontor.web.http.site import Site, TheSite, in_acting_thread, in_reading_thread, redirect
from kontor.web.pages import previews
from kontor.web.pages.opening import choices, plan_against, plan_of
from kontor.web.pages.refused import Refused
from kontor.web.pages.seating import names_of, seats_still_mine, terms, unusual_terms
from kontor.web.pages.seeking import seek_choices
from kontor.web.pages.visitor import Visitor
from kontor.words import Words

_SHOWN: Final = 8
"""Tables in each list of the lobby; the others are found by searching."""


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


def card(words: Words, info: TableInfo) -> Card:
    """Return a table as the lobby shows it."""
    return Card(
        id=info.id,
        game=info.game,
        title=adapter_of(info.game).title,
        who=words.all_of([name for name, seat in zip(names_of(words, info), info.seats, strict=True) if seat.taken]),
        how=_status_text(words, info),
        unusual=unusual_terms(words, info) if info.status == "waiting" else [],
        my_turn=info.my_turn,
    )


def _status_text(words: Words, info: TableInfo) -> str:
    if info.my_turn:
        return words.say("Your turn")
    if info.status == "over":
        return _outcome(words, info)
    if info.revealing:
        return words.say("The contributions to the dice are being revealed.")
    if info.status == "waiting":
        free = sum(not seat.taken for seat in info.seats)
        waiting = words.count("Waiting for one more", "Waiting for {n} more", free)
        return words.say("{waiting}. {terms}", waiting=waiting, terms=terms(words, info))
    if info.mover is None:
        return words.say("Playing")
    if info.mine and not seats_still_mine(info):
        return words.say("You have resigned; the game goes on")
    return words.say("{name} to move", name=names_of(words, info)[info.mover])


def _outcome(words: Words, info: TableInfo) -> str:
    if info.early:
        return describe_early_end_briefly(words, names_of(words, info), info.early)
    assert info.result
    winners = [names_of(words, info)[seat] for seat in info.result.winners]
    if len(winners) > 1:
        return words.say("{names} share the win", names=words.all_of(winners))
    return words.say("You won") if info.result.winners[0] in info.mine else words.say("{name} won", name=winners[0])


@get("/")
@in_reading_thread
def lobby(request: AnyRequest, site: TheSite, visitor: TheVisitor) -> Response[str]:
    """Return the lobby: one's own tables, free seats, and games to watch."""
    preview = previews.of_server(visitor.words, site.pages, site.base(request))
    return _lobby(site, visitor, {}, preview=preview)


def _lobby(
    site: Site, visitor: Visitor, form: Mapping[str, str], refusal: Refused | None = None, **more: Any
) -> Response[str]:
    words, person = visitor.words, visitor.id
    lists: Lobby = site.service.listing.lobby(person, _SHOWN + 1)
    mine = site.service.listing.my_tables(person) if person else ()
    finished = site.service.listing.finished(person, limit=6) if person else ()
    mine_ids = {info.id for info in (*mine, *finished)}

    def cards(tables: tuple[TableInfo, ...]) -> list[Card]:
        return [card(words, info) for info in tables[:_SHOWN] if info.id not in mine_ids]

    return site.page(
        "lobby/lobby.html",
        visitor,
        form=form,
        refused=refusal,
        levels={game: {level: likeness(words, level) for level in levels(game)} for game in web_adapters()},
        commitment=site.service.opening.next_commitment(person) if person else "",
        mine=[card(words, info) for info in mine],
        finished=[card(words, info) for info in finished],
        open=cards(lists.open),
        watchable=cards(lists.watchable),
        more_open=len(lists.open) > _SHOWN,
        more_watchable=len(lists.watchable) > _SHOWN,
        offers_code=bool(finished) and person is not None and site.service.recovery.is_offered(person),
        unreached=site.service.ways.unreached(person) if person else (),
        waiting_for_me=sum(info.my_turn for info in mine),
        **seek_choices(words, {}, site.service.seeking.count_waiting()),
        **more,
    )


@post("/play")
@in_acting_thread
def play_now(site: TheSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Open a table with computer players, and redirect to it: the game begins at once."""
    game = form.get("game", "")
    if game not in web_adapters():
        raise NoPage
    level = form.one_of("level", levels(game), usual(game))
    planned = partial(plan_against, game, level)
    return _open_and_redirect(site, visitor, game, form, planned, partial(_lobby, site, visitor, form))


@get("/open/{game:str}")
@in_reading_thread
def opening(request: AnyRequest, site: TheSite, visitor: TheVisitor, game: FromPath[str]) -> Response[str]:
    """Return the form for a new table."""
    return _form(site, visitor, game, {"way": request.query_params.get("way", "")})


def _form(
    site: Site, visitor: Visitor, game: str, form: Mapping[str, str], refusal: Refused | None = None
) -> Response[str]:
    if game not in web_adapters():
        raise NoPage
    commitment = site.service.opening.next_commitment(visitor.id) if visitor.id else ""
    context = choices(visitor.words, game, form)
    return site.page("lobby/open.html", visitor, refused=refusal, commitment=commitment, **context)


@post("/tables")
@in_acting_thread
def open_table(site: TheSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Open a table, and redirect to it."""
    game = form.get("game", "")
    if game not in web_adapters():
        raise NoPage
    again = partial(_form, site, visitor, game, form)
    return _open_and_redirect(site, visitor, game, form, partial(plan_of, game, form), again)


def _open_and_redirect(
    site: Site,
    visitor: Visitor,
    game: str,
    form: Form,
    planned: Callable[[], Plan],
    again: Callable[[Refused], Response[Any]],
) -> Response[Any]:
    """Open the planned table, and redirect to it. Its commitment was shown on the page before."""
    person = require_person_id(visitor)
    try:
        site.spend("open", visitor)
        plan = planned()
        if plan.machines_only:
            site.spend("machines", visitor)
        share, expected = share_of(form), form.get("commitment", "")
        table = site.service.opening.open(person, plan, share, expected, origin_of(visitor.address))
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, again, game)
    return redirect(f"/tables/{table}")


ROUTES = (lobby, play_now, opening, open_table)
