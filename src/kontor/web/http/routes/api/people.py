"""Who a program is, and its tokens."""

from __future__ import annotations

from litestar import delete, get, post
from litestar.params import FromPath, JSONBody

from kontor.players import players_of
from kontor.web.adapter import web_adapters
from kontor.web.http.api_values import (
    Known,
    Made,
    Me,
    NewPerson,
    NewToken,
    Playable,
    TokenInfo,
)
from kontor.web.http.faults import NoName, NoPage, named
from kontor.web.http.routes.api.common import (
    REFUSED,
    TOKEN,
    TheProgram,
    playing,
)
from kontor.web.http.sessions import AnyRequest, bearer_of
from kontor.web.http.site import TheSite, in_acting_thread, in_reading_thread


@post("/api/people", responses=REFUSED)
@in_acting_thread
def name_oneself(site: TheSite, program: TheProgram, data: JSONBody[NewPerson]) -> Known:
    """A new person, and a token to play as them."""
    site.spend("name", program)
    person, session = site.service.people.guest(data.name)
    site.service.people.end_session(session)
    return Known(person.name, site.service.people.api_token(person.id))


@get("/api/me", responses=REFUSED, security=TOKEN)
@in_reading_thread
def me(site: TheSite, program: TheProgram) -> Me:
    """As whom the program plays, and the commitment to the dice of the next table that it opens."""
    if program.person is None:
        raise NoName
    person = program.person
    return Me(person.name, person.scope, site.service.opening.next_commitment(person.id))


@delete("/api/me/token", responses=REFUSED, security=TOKEN)
@in_acting_thread
def forget_token(request: AnyRequest, site: TheSite, program: TheProgram) -> None:
    """Takes back the token with which this is asked: from now on it is good for nothing."""
    named(program)
    site.service.people.end_session(bearer_of(request))


@get("/api/me/tokens", responses=REFUSED, security=TOKEN)
@in_reading_thread
def my_tokens(site: TheSite, program: TheProgram) -> list[TokenInfo]:
    """By which tokens programs are known as this person, the newest first."""
    return [
        TokenInfo(known.id, known.label, known.scope, known.created, known.expires, known.used)
        for known in site.service.people.sessions(named(program))
        if known.kind == "api"
    ]


@post("/api/me/tokens", responses=REFUSED, security=TOKEN)
@in_acting_thread
def make_token(site: TheSite, program: TheProgram, data: JSONBody[NewToken]) -> Made:
    """A token for another program."""
    person = playing(program)
    site.spend("name", program)
    return Made(site.service.people.api_token(person, data.label, data.scope), data.scope)


@delete("/api/me/tokens/{token:str}", responses=REFUSED, security=TOKEN)
@in_acting_thread
def revoke_token(site: TheSite, program: TheProgram, token: FromPath[str]) -> None:
    """Takes back a token, by its id."""
    person = playing(program)
    if token not in {known.id for known in site.service.people.sessions(person) if known.kind == "api"}:
        raise NoPage
    site.service.people.revoke(person, token)


@get("/api/games", responses=REFUSED)
async def games() -> list[Playable]:
    """What is played here, and by which computer players."""
    return [
        Playable(name, adapter.title, adapter.game.version, players_of(name))
        for name, adapter in web_adapters().items()
    ]


ROUTES = (
    name_oneself,
    me,
    forget_token,
    my_tokens,
    make_token,
    revoke_token,
    games,
)
