"""The server for programs: the same views and the same moves as on the pages, as JSON.

A program is known by a token of its own, never by a cookie: so no page elsewhere can make a browser use this.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final

import msgspec
from litestar import Response, delete, get, post
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.types import ASGIApp, Receive, Scope, Send

from kontor.decoding import misfit
from kontor.game import OVER, BadOptions, Refusal
from kontor.players import players_of
from kontor.plugins import game_named
from kontor.records import encode
from kontor.table import (
    ChatLine,
    Conflict,
    FairDiceInfo,
    Hint,
    NoTable,
    NotAllowed,
    Plan,
    Share,
    TableInfo,
    TableView,
)
from kontor.web.adapter import adapter_of, web_adapters
from kontor.web.addresses import origin_of
from kontor.web.http.api_values import (
    Ending,
    Filling,
    Hinted,
    Invitation,
    Known,
    Line,
    Made,
    Me,
    Moves,
    NewHint,
    NewMove,
    NewPerson,
    NewTable,
    NewTalk,
    NewToken,
    Opened,
    Playable,
    Played,
    Revealed,
    Seen,
    Sitting,
    Tables,
    TokenInfo,
    Trouble,
    Undoing,
)
from kontor.web.http.faults import NoName, NoPage, fault_of, named
from kontor.web.http.routes.play import acting
from kontor.web.http.sessions import AnyRequest, bearer_of
from kontor.web.http.site import Site, TheSite, in_acting_thread, in_reading_thread
from kontor.web.live.rendering import EndOfStream
from kontor.web.live.stream import event, stream
from kontor.web.live.watcher import Watcher
from kontor.web.pages.seating import names_of
from kontor.web.pages.visitor import Visitor

TheProgram = NamedDependency[Visitor]
"""Whoever calls, known by the header ``Authorization: Bearer …``; or nobody, who sees what spectators see."""

SeatQuery = Annotated[int | None, QueryParameter(ge=0, le=99, description="By whose eyes; without it, one's own.")]

SaltQuery = Annotated[str, QueryParameter(description="A share of the dice.")]
SaltCommitmentQuery = Annotated[str, QueryParameter(description="In its place, where dice are strict: its SHA-256.")]

_REFUSED: Final = {
    status: ResponseSpec(Trouble, description=why, generate_examples=False)
    for status, why in (
        (400, "It could not be understood."),
        (401, "A token is needed."),
        (403, "Not for this person."),
        (404, "There is nothing here."),
        (409, "Something has happened meanwhile, or it is not the time for it."),
        (413, "It is too much at once."),
        (415, "The body is not said to be JSON."),
        (422, "The rules refuse it."),
        (429, "Too often; Retry-After says when."),
        (503, "Not just now."),
    )
}


_TOKEN: Final[list[dict[str, list[str]]]] = [{"token": []}]
"""For what nobody can do without a token. Elsewhere it says by whose eyes one looks."""


def playing(program: Visitor) -> str:
    """The id of the person as whom a program does something. Raises NoName, NotAllowed."""
    person = named(program)
    if program.person and program.person.scope == "read":
        raise NotAllowed("", "With this token a program can only watch.")
    return person


# ---------------------------------------------------------------------------------------------------------- people


@post("/api/people", responses=_REFUSED)
@in_acting_thread
def name_oneself(site: TheSite, program: TheProgram, data: JSONBody[NewPerson]) -> Known:
    """A new person, and a token to play as them."""
    site.spend("name", program)
    person, session = site.service.people.guest(data.name)
    site.service.people.end_session(session)
    return Known(person.name, site.service.people.api_token(person.id))


@get("/api/me", responses=_REFUSED, security=_TOKEN)
@in_reading_thread
def me(site: TheSite, program: TheProgram) -> Me:
    """As whom the program plays, and the commitment to the dice of the next table that it opens."""
    if program.person is None:
        raise NoName
    person = program.person
    return Me(person.name, person.scope, site.service.opening.next_commitment(person.id))


@delete("/api/me/token", responses=_REFUSED, security=_TOKEN)
@in_acting_thread
def forget_token(request: AnyRequest, site: TheSite, program: TheProgram) -> None:
    """Takes back the token with which this is asked: from now on it is good for nothing."""
    named(program)
    site.service.people.end_session(bearer_of(request))


@get("/api/me/tokens", responses=_REFUSED, security=_TOKEN)
@in_reading_thread
def my_tokens(site: TheSite, program: TheProgram) -> list[TokenInfo]:
    """By which tokens programs are known as this person, the newest first."""
    return [
        TokenInfo(known.id, known.label, known.scope, known.created, known.expires, known.used)
        for known in site.service.people.sessions(named(program))
        if known.kind == "api"
    ]


@post("/api/me/tokens", responses=_REFUSED, security=_TOKEN)
@in_acting_thread
def make_token(site: TheSite, program: TheProgram, data: JSONBody[NewToken]) -> Made:
    """A token for another program."""
    person = playing(program)
    site.spend("name", program)
    return Made(site.service.people.api_token(person, data.label, data.scope), data.scope)


@delete("/api/me/tokens/{token:str}", responses=_REFUSED, security=_TOKEN)
@in_acting_thread
def revoke_token(site: TheSite, program: TheProgram, token: FromPath[str]) -> None:
    """Takes back a token, by its id."""
    person = playing(program)
    if token not in {known.id for known in site.service.people.sessions(person) if known.kind == "api"}:
        raise NoPage
    site.service.people.revoke(person, token)


@get("/api/games", responses=_REFUSED)
async def games() -> list[Playable]:
    """What is played here, and by which computer players."""
    return [
        Playable(name, adapter.title, adapter.game.version, players_of(name))
        for name, adapter in web_adapters().items()
    ]


# ---------------------------------------------------------------------------------------------------------- tables


@get("/api/tables", responses=_REFUSED)
@in_reading_thread
def tables(site: TheSite, program: TheProgram) -> Tables:
    """Lists the tables that concern the person."""
    there = site.service.listing.lobby(program.id)
    mine = site.service.listing.my_tables(program.id) if program.id else ()
    finished = site.service.listing.finished(program.id) if program.id else ()
    return Tables(mine, finished, there.open, there.watchable)


@post("/api/tables", responses=_REFUSED, security=_TOKEN)
@in_acting_thread
def open_table(site: TheSite, program: TheProgram, data: JSONBody[NewTable]) -> Opened:
    """Opens a table with a plan."""
    person = playing(program)
    site.spend("open", program)
    game = game_named(data.game)
    try:
        options = msgspec.convert(data.options, game.options)
    except msgspec.ValidationError as error:
        raise BadOptions("", "These are not options of {game}: {why}.", game=game.name, why=misfit(error)) from error
    plan = Plan(
        game=game.name,
        options=options,
        seats=tuple(data.seats),
        pace=data.pace,
        watch=data.watch,
        stand_in=data.stand_in,
        order=data.order,
        hints=data.hints,
        takeover=data.takeover,
        tempo=data.tempo,
        dice=data.dice,
    )
    if plan.machines_only:
        site.spend("machines", program)
    share, origin = Share(data.salt, data.salt_commitment), origin_of(program.address)
    return Opened(site.service.opening.open(person, plan, share, data.commitment, origin))


@get("/api/tables/{table:str}", responses=_REFUSED)
@in_reading_thread
def table_info(site: TheSite, program: TheProgram, table: FromPath[str]) -> TableInfo:
    """A table from outside: who sits there, and whose turn it is."""
    now = site.service.table_view(table, program.id)
    site.service.visits.note(now.snapshot, now.person)
    return now.info


@post("/api/tables/{table:str}/seats/{seat:int}", responses=_REFUSED, security=_TOKEN)
@in_acting_thread
def sit(
    site: TheSite, program: TheProgram, table: FromPath[str], seat: FromPath[int], data: JSONBody[Sitting]
) -> TableInfo:
    """Takes a seat; the game begins when it was the last, and all salts are told that were committed to."""
    person = playing(program)
    site.spend("join", program)
    site.service.opening.sit(table, seat, person, data.invitation, Share(data.salt, data.salt_commitment))
    return site.service.info(table, person)


@post("/api/tables/{table:str}/salt", responses=_REFUSED, security=_TOKEN)
@in_acting_thread
def reveal(site: TheSite, program: TheProgram, table: FromPath[str], data: JSONBody[Revealed]) -> TableInfo:
    """Tells the salt that one has committed to, once all seats are taken (``revealing``)."""
    person = playing(program)
    site.spend("join", program)
    site.service.salts.reveal(table, person, data.salt)
    return site.service.info(table, person)


@post("/api/tables/{table:str}/begin", responses=_REFUSED, security=_TOKEN)
@in_acting_thread
def begin_without(site: TheSite, program: TheProgram, table: FromPath[str]) -> TableInfo:
    """Agrees to begin without the salts that have been missing for a minute (``may_begin_without``)."""
    person = playing(program)
    site.spend("join", program)
    site.service.salts.begin_without(table, person)
    return site.service.info(table, person)


@post("/api/tables/{table:str}/seats/{seat:int}/invitation", responses=_REFUSED, security=_TOKEN)
@in_acting_thread
def invite(site: TheSite, program: TheProgram, table: FromPath[str], seat: FromPath[int]) -> Invitation:
    """A token by which somebody can take a seat of one's table."""
    person = playing(program)
    site.spend("join", program)
    return Invitation(site.service.opening.invitation(table, seat, person))


@post("/api/tables/{table:str}/seats/{seat:int}/machine", responses=_REFUSED, security=_TOKEN)
@in_acting_thread
def fill(
    site: TheSite, program: TheProgram, table: FromPath[str], seat: FromPath[int], data: JSONBody[Filling]
) -> TableInfo:
    """Puts a computer player on a seat of one's table that nobody has taken."""
    person = playing(program)
    site.spend("join", program)
    site.service.opening.fill(table, seat, person, data.player)
    return site.service.info(table, person)


@delete("/api/tables/{table:str}/seats", responses=_REFUSED, security=_TOKEN)
@in_acting_thread
def leave(site: TheSite, program: TheProgram, table: FromPath[str]) -> None:
    """Stands up before the game has begun."""
    site.spend("join", program)
    site.service.opening.leave(table, playing(program))


@post("/api/tables/{table:str}/seats/{seat:int}/stand-in", responses=_REFUSED, security=_TOKEN)
@in_acting_thread
def stand_in(site: TheSite, program: TheProgram, table: FromPath[str], seat: FromPath[int]) -> TableInfo:
    """Lets a computer player stand in for somebody who is late."""
    site.spend("join", program)
    site.service.clocks.stand_in(table, seat, playing(program))
    return site.service.info(table, program.id)


@post("/api/tables/{table:str}/seats/{seat:int}/come-back", responses=_REFUSED, security=_TOKEN)
@in_acting_thread
def come_back(site: TheSite, program: TheProgram, table: FromPath[str], seat: FromPath[int]) -> TableInfo:
    """Takes one's seat again."""
    site.spend("join", program)
    site.service.clocks.come_back(table, seat, playing(program))
    return site.service.info(table, program.id)


@post("/api/tables/{table:str}/seats/{seat:int}/resign", responses=_REFUSED, security=_TOKEN)
@in_acting_thread
def resign(site: TheSite, program: TheProgram, table: FromPath[str], seat: FromPath[int]) -> TableInfo:
    """Resigns. Of two seats the other wins; among more a computer player plays on, for good."""
    person = playing(program)
    site.spend("join", program)
    site.service.early_endings.resign(table, seat, person)
    return site.service.info(table, program.id)


@post("/api/tables/{table:str}/seats/{seat:int}/claim", responses=_REFUSED, security=_TOKEN)
@in_acting_thread
def claim(site: TheSite, program: TheProgram, table: FromPath[str], seat: FromPath[int]) -> TableInfo:
    """No longer waits for a seat whose person has stayed away for seven days (``claimable``). Of two seats the other
    wins; among more a computer player stands in."""
    person = playing(program)
    site.spend("join", program)
    site.service.early_endings.claim(table, seat, person)
    return site.service.info(table, program.id)


@post("/api/tables/{table:str}/end", responses=_REFUSED, security=_TOKEN)
@in_acting_thread
def end(site: TheSite, program: TheProgram, table: FromPath[str], data: JSONBody[Ending]) -> TableInfo:
    """Proposes to end the game without a result, or agrees to what another has proposed. It is over once all agree
    who still play; computer players always do."""
    person = playing(program)
    site.spend("join", program)
    info = site.service.info(table, person)
    if info.proposed is None:
        seat = eyes_in(info, data.seat)
        if seat is None:
            raise NotAllowed("", "You have no seat at this table.")
        site.service.early_endings.propose(table, seat, person)
    else:
        site.service.early_endings.agree(table, person)
    return site.service.info(table, person)


@delete("/api/tables/{table:str}/end", responses=_REFUSED, security=_TOKEN)
@in_acting_thread
def play_on(site: TheSite, program: TheProgram, table: FromPath[str]) -> None:
    """Does not agree to end the game, or withdraws what oneself has proposed."""
    person = playing(program)
    site.spend("join", program)
    site.service.early_endings.decline(table, person)


@post("/api/tables/{table:str}/rematch", responses=_REFUSED, security=_TOKEN)
@in_acting_thread
def rematch(
    site: TheSite,
    program: TheProgram,
    table: FromPath[str],
    salt: SaltQuery = "",
    salt_commitment: SaltCommitmentQuery = "",
) -> Opened:
    """The table of the rematch. Its dice are committed to already: see the table's ``next_commitment``."""
    person = playing(program)
    site.spend("open", program)
    return Opened(site.service.opening.rematch(table, person, Share(salt, salt_commitment)))


@delete("/api/tables/{table:str}/rematch", responses=_REFUSED, security=_TOKEN)
@in_acting_thread
def decline_rematch(site: TheSite, program: TheProgram, table: FromPath[str]) -> None:
    """Will not play the rematch that waits (``rematch_offer``), or withdraws that one has offered it."""
    person = playing(program)
    site.spend("join", program)
    site.service.opening.decline_rematch(table, person)


# --------------------------------------------------------------------------------------------------------- playing


def eyes_of(site: Site, program: Visitor, table: str, seat: int | None) -> int | None:
    """By whose eyes a program sees a table: by its own seat's, or as a spectator. Raises NotAllowed."""
    now = site.service.table_view(table, program.id)
    site.service.visits.note(now.snapshot, now.person)
    return eyes_in(now.info, seat)


def eyes_in(info: TableInfo, seat: int | None) -> int | None:
    """The same, for whom the table is described."""
    if seat is None:
        return acting(info, None)
    if seat not in info.mine:
        raise NotAllowed("", "That seat is not yours.")
    return seat


def seen(site: Site, table: str, seat: int | None) -> Seen:
    """How a game stands for a seat."""
    return seen_in(site.service.table_view(table), seat)


def seen_in(now: TableView, seat: int | None) -> Seen:
    """The same, at a moment."""
    look = now.look(seat)
    mover = OVER if now.info.status == "over" else look.view.mover  # also where it was ended early
    return Seen(look.number, seat, mover, look.view, len(look.moves), now.info.undone)


@get("/api/tables/{table:str}/view", responses=_REFUSED)
@in_reading_thread
def view(site: TheSite, program: TheProgram, table: FromPath[str], seat: SeatQuery = None) -> Seen:
    """How the game stands, as the seat may know it."""
    return seen(site, table, eyes_of(site, program, table, seat))


@get("/api/tables/{table:str}/moves", responses=_REFUSED)
@in_reading_thread
def moves(
    site: TheSite,
    program: TheProgram,
    table: FromPath[str],
    seat: SeatQuery = None,
    start: Annotated[int, QueryParameter(ge=0, lt=2**31)] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=1000)] = 100,
) -> Moves:
    """The legal moves from ``start`` on."""
    eyes = eyes_of(site, program, table, seat)
    now = site.service.table_view(table)
    look = now.look(eyes)
    count = len(look.moves)
    some = tuple(look.moves[at] for at in range(min(start, count), min(start + limit, count)))
    return Moves(look.number, count, some, now.info.undone)


_PLAYED: Final = ResponseSpec(Played, description="It was played.", generate_examples=False)


@post("/api/tables/{table:str}/moves", responses={**_REFUSED, 201: _PLAYED}, security=_TOKEN)
@in_acting_thread
def play(site: TheSite, program: TheProgram, table: FromPath[str], data: JSONBody[NewMove]) -> Response[Any]:
    """Plays a move. What comes too late is answered with 409 and how the game stands now."""
    playing(program)
    site.spend("move", program)
    seat = eyes_of(site, program, table, data.seat)
    if seat is None:
        raise NotAllowed("", "You have no seat at this table.")
    try:
        number = site.service.play(table, seat, data.number, data.move, data.undone, data.undo)
        return Response(Played(number), status_code=201)
    except Conflict as conflict:
        fault = fault_of(program, conflict)
        return Response(Trouble(409, fault.sentence, now=seen(site, table, seat)), status_code=409)


@post("/api/tables/{table:str}/undo", responses=_REFUSED, security=_TOKEN)
@in_acting_thread
def undo(site: TheSite, program: TheProgram, table: FromPath[str], data: JSONBody[Undoing]) -> TableInfo:
    """Takes back one's last move, until ``undo_until`` and until the next one acts."""
    person = playing(program)
    site.spend("move", program)
    site.service.undo(table, person, data.number, data.undone)
    return site.service.info(table, person)


@post("/api/tables/{table:str}/hint", responses=_REFUSED, security=_TOKEN)
async def hint(site: TheSite, program: TheProgram, table: FromPath[str], data: JSONBody[NewHint]) -> Hinted:
    """What the judge thinks of the moves, at a table for practice. The others are told that it was asked."""

    def ask() -> Hint:
        playing(program)
        site.spend("hint", program)
        seat = eyes_of(site, program, table, data.seat)
        if seat is None:
            raise NotAllowed("", "You have no seat at this table.")
        return site.hints.ask(table, seat)

    asked = await asyncio.to_thread(ask)
    # Whoever leaves meanwhile must not take it from others who wait for the same.
    found = await asyncio.shield(asyncio.wrap_future(asked.answer))
    return Hinted(asked.number, found.moves, found.exact)


@get("/api/tables/{table:str}/events", responses=_REFUSED)
@in_reading_thread
def events(
    site: TheSite,
    program: TheProgram,
    table: FromPath[str],
    seat: SeatQuery = None,
    since: Annotated[int, QueryParameter(ge=0, lt=2**31)] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=1000)] = 200,
) -> list[Line]:
    """What happened after the line ``since``, as the seat may know it."""
    eyes = eyes_of(site, program, table, seat)
    info = site.service.info(table, program.id)
    adapter, names, words = adapter_of(info.game), names_of(program.words, info), program.words
    return [
        Line(
            line.number,
            line.at,
            line.event,
            tuple(adapter.describe_event(words, names, line.before, line.event, line.after)),
        )
        for line in site.service.table_view(table).events(eyes, since, max(since, 1) + limit)
    ]


@get("/api/tables/{table:str}/stream", responses=_REFUSED, media_type="text/event-stream")
async def streamed(
    request: AnyRequest, site: TheSite, program: TheProgram, table: FromPath[str], seat: SeatQuery = None
) -> ASGIApp:
    """An event stream: how the game stands now, and again after every change."""

    def begin() -> tuple[ViewOfTable, str | None]:
        site.spend("live", program)
        eyes_of(site, program, table, seat)
        sits = site.service.info(table, program.id).mine
        return ViewOfTable(site, Watcher(site.service, program), table, seat), program.id if sits else None

    screen, sitter = await asyncio.to_thread(begin)

    async def streaming(scope: Scope, receive: Receive, send: Send) -> None:
        await stream(scope, receive, send, site.hub, table, screen, sitter)

    return streaming


class ViewOfTable:
    """What a program that watches a table was told last."""

    def __init__(self, site: Site, watcher: Watcher, table: str, seat: int | None) -> None:
        self._site = site
        self._watcher = watcher
        self._table = table
        self._seat = seat
        self._known = b""
        self._left: float | None = None

    def look(self) -> TableView:
        """The table, for nobody in particular."""
        try:
            return self._site.service.table_view(self._table)
        except NoTable as gone:
            raise EndOfStream from gone

    def frame(self, seen: TableView) -> bytes:
        """The table, and the game as the program's seat sees it."""
        program = self._watcher.now()
        if program is None:
            raise EndOfStream
        now = seen.seen_by(program.id)
        self._left = now.left
        body: Any = {"table": now.info}
        try:
            if now.info.status != "waiting":
                body["seen"] = seen_in(now, eyes_in(now.info, self._seat))
        except Refusal as refusal:
            raise EndOfStream from refusal
        frame = event(body, number=str(now.info.number))
        if frame == self._known:
            return b""
        self._known = frame
        return frame

    def left(self) -> float | None:
        """Clocks run while nothing happens."""
        return self._left


# ------------------------------------------------------------------------------------------- talk, and afterwards


def _check_talk(site: Site, program: Visitor, table: str) -> None:
    info = site.service.info(table, program.id)
    if not (info.may_watch or info.mine or info.host):
        raise NotAllowed("", "This game is for its players only.")


@get("/api/tables/{table:str}/chat", responses=_REFUSED)
@in_reading_thread
def talk(
    site: TheSite,
    program: TheProgram,
    table: FromPath[str],
    since: Annotated[int, QueryParameter(ge=0, lt=2**31)] = 0,
) -> list[ChatLine]:
    """What was said at the table."""
    _check_talk(site, program, table)
    return list(site.service.table_view(table, program.id).said(since))


@post("/api/tables/{table:str}/chat", responses=_REFUSED, security=_TOKEN)
@in_acting_thread
def say(site: TheSite, program: TheProgram, table: FromPath[str], data: JSONBody[NewTalk]) -> Played:
    """Says something at one's table; its number comes back."""
    person = playing(program)
    site.spend("chat", program)
    return Played(site.service.talk.say(table, person, data.text))


@get("/api/tables/{table:str}/fair", responses=_REFUSED)
@in_reading_thread
def fair(site: TheSite, program: TheProgram, table: FromPath[str]) -> FairDiceInfo:
    """What makes the dice fair; the seed when the game is over."""
    _check_talk(site, program, table)
    return site.service.fair(table)


@get("/api/tables/{table:str}/record", responses=_REFUSED, media_type="application/jsonl")
@in_reading_thread
def record(site: TheSite, program: TheProgram, table: FromPath[str]) -> bytes:
    """The record of a game that is over: JSON Lines."""
    _check_talk(site, program, table)
    return encode(site.service.record(table))


ROUTES = (
    *(name_oneself, me, forget_token, my_tokens, make_token, revoke_token, games),
    *(
        tables,
        open_table,
        table_info,
        sit,
        reveal,
        begin_without,
        invite,
        fill,
        leave,
        stand_in,
        come_back,
        rematch,
        decline_rematch,
    ),
    *(resign, claim, end, play_on),
    *(view, moves, play, undo, hint, events, streamed),
    *(talk, say, fair, record),
)
