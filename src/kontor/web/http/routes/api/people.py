"""Who a program is, and its tokens."""

from __future__ import annotations

from litestar import delete, get, post
from litestar.params import FromPath, JSONBody

from kontor.players import players_of
from kontor.table import Scope
from kontor.table.people import granted
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
    ANY_TOKEN,
    NOBODY,
    PLAY,
    READ,
    REFUSED,
    TheProgram,
    spending,
)
from kontor.web.http.sessions import AnyRequest, MissingScope, bearer_of
from kontor.web.http.site import TheSite, in_acting_thread, in_reading_thread


def widest(scopes: tuple[Scope, ...]) -> Scope:
    """The one by which programs know a token that know of one alone."""
    return scopes[0]


@post("/api/people", responses=REFUSED, security=NOBODY)
@in_acting_thread
def name_oneself(site: TheSite, program: TheProgram, data: JSONBody[NewPerson]) -> Known:
    """A new person, and a token to play as them."""
    site.spend("name", program)
    person, session = site.service.people.guest(data.name)
    site.service.people.end_session(session)
    return Known(person.name, site.service.people.api_token(person.id))


@get("/api/me", responses=REFUSED, security=ANY_TOKEN)
@in_reading_thread
def me(site: TheSite, program: TheProgram) -> Me:
    """As whom the program plays, and the commitment to the dice of the next table that it opens."""
    if program.person is None:
        raise NoName
    person = program.person
    commitment = site.service.opening.next_commitment(person.id)
    return Me(person.name, widest(person.scopes), commitment, person.scopes)


@delete("/api/me/token", responses=REFUSED, security=ANY_TOKEN)
@in_acting_thread
def forget_token(request: AnyRequest, site: TheSite, program: TheProgram) -> None:
    """Takes back the token with which this is asked: from now on it is good for nothing."""
    named(program)
    site.service.people.end_session(bearer_of(request))


@get("/api/me/tokens", responses=REFUSED, security=READ)
@in_reading_thread
def my_tokens(site: TheSite, program: TheProgram) -> list[TokenInfo]:
    """By which tokens programs are known as this person, the newest first."""
    return [
        TokenInfo(known.id, known.label, widest(known.scopes), known.created, known.expires, known.used, known.scopes)
        for known in site.service.people.sessions(named(program))
        if known.kind == "api"
    ]


@post("/api/me/tokens", responses=REFUSED, security=PLAY)
@spending("name")
def make_token(site: TheSite, program: TheProgram, data: JSONBody[NewToken]) -> Made:
    """A token for another program, for no more than this one is good for."""
    assert program.person
    wanted = granted(data.scopes or (data.scope,))
    for scope in wanted:
        if scope not in program.person.scopes:
            raise MissingScope(scope)
    return Made(site.service.people.api_token(program.person.id, data.label, wanted), widest(wanted), wanted)


@delete("/api/me/tokens/{token:str}", responses=REFUSED, security=PLAY)
@in_acting_thread
def revoke_token(site: TheSite, program: TheProgram, token: FromPath[str]) -> None:
    """Takes back a token, by its id."""
    person = named(program)
    if token not in {known.id for known in site.service.people.sessions(person) if known.kind == "api"}:
        raise NoPage
    site.service.people.revoke(person, token)


@get("/api/games", responses=REFUSED, security=NOBODY)
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
