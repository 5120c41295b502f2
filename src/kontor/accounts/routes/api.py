"""API routes for the caller's identity and their tokens."""

from __future__ import annotations

from litestar import delete, get, post
from litestar.params import FromPath, JSONBody

from kontor.accounts.api_values import Known, Made, Me, NewPerson, NewToken, Playable, TokenInfo
from kontor.accounts.site import TheAccountsSite
from kontor.people.people import granted_scopes
from kontor.people.values import Scope
from kontor.players import players_of
from kontor.web.adapter import web_adapters
from kontor.web.http.faults import NoName, NoPage, require_person_id
from kontor.web.http.programs import ANY_TOKEN, NOBODY, PLAY, READ, REFUSED, TheProgram, spending
from kontor.web.http.sessions import AnyRequest, MissingScope, bearer_of
from kontor.web.http.site import in_acting_thread, in_reading_thread


def widest(scopes: tuple[Scope, ...]) -> Scope:
    """Return the widest scope of a token, for programs that know only one scope per token."""
    return scopes[0]


@post("/api/people", responses=REFUSED, security=NOBODY)
@in_acting_thread
def name_oneself(site: TheAccountsSite, program: TheProgram, data: JSONBody[NewPerson]) -> Known:
    """Create a person, and a token to play as them."""
    site.spend("name", program)
    person, session = site.people.guest(data.name)
    site.people.end_session(session)
    return Known(person.name, site.people.api_token(person.id))


@get("/api/me", responses=REFUSED, security=ANY_TOKEN)
@in_reading_thread
def me(site: TheAccountsSite, program: TheProgram) -> Me:
    """Return the person as whom the program plays, and the commitment to the dice of the next table that it opens."""
    if program.person is None:
        raise NoName
    person = program.person
    commitment = site.opening.next_commitment(person.id)
    return Me(person.name, widest(person.scopes), commitment, person.scopes)


@delete("/api/me/token", responses=REFUSED, security=ANY_TOKEN)
@in_acting_thread
def forget_token(request: AnyRequest, site: TheAccountsSite, program: TheProgram) -> None:
    """Revoke the token with which this request is made."""
    require_person_id(program)
    site.people.end_session(bearer_of(request))


@get("/api/me/tokens", responses=REFUSED, security=READ)
@in_reading_thread
def my_tokens(site: TheAccountsSite, program: TheProgram) -> list[TokenInfo]:
    """Return the tokens of programs for this person, the newest first."""
    return [
        TokenInfo(
            session.id,
            session.label,
            widest(session.scopes),
            session.created,
            session.expires,
            session.used,
            session.scopes,
        )
        for session in site.people.sessions(require_person_id(program))
        if session.kind == "api"
    ]


@post("/api/me/tokens", responses=REFUSED, security=PLAY)
@spending("name")
def make_token(site: TheAccountsSite, program: TheProgram, data: JSONBody[NewToken]) -> Made:
    """Create a token for another program, with no more scopes than this one has."""
    assert program.person
    wanted = granted_scopes(data.scopes or (data.scope,))
    for scope in wanted:
        if scope not in program.person.scopes:
            raise MissingScope(scope)
    return Made(site.people.api_token(program.person.id, data.label, wanted), widest(wanted), wanted)


@delete("/api/me/tokens/{token:str}", responses=REFUSED, security=PLAY)
@in_acting_thread
def revoke_token(site: TheAccountsSite, program: TheProgram, token: FromPath[str]) -> None:
    """Revoke a token by its id."""
    person = require_person_id(program)
    if token not in {session.id for session in site.people.sessions(person) if session.kind == "api"}:
        raise NoPage
    site.people.revoke(person, token)


@get("/api/games", responses=REFUSED, security=NOBODY)
async def games() -> list[Playable]:
    """Return the games of the server, and their computer players."""
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
