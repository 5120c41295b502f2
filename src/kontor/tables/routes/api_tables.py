"""API routes for tables: find, open, join and leave them; early endings and rematches."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from litestar import get, post
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from kontor.decoding import misfit
from kontor.game import BadOptions
from kontor.plugins import game_named
from kontor.tables.agreed_undo import SeenMoves
from kontor.tables.api_values import (
    Ending,
    Filling,
    Found,
    Invitation,
    NewTable,
    Opened,
    Revealed,
    Sitting,
    Tables,
    TakingBack,
)
from kontor.tables.reading import require_seat
from kontor.tables.routes.actions import TableAction
from kontor.tables.routes.api_calls import person_seat, table_call
from kontor.tables.site import TablesSite, TheTablesSite
from kontor.tables.values import Plan, Share, TableFilter, TableInfo
from kontor.web.addresses import origin_of
from kontor.web.cursors import cursor_text, parse_cursor
from kontor.web.http.faults import require_person_id
from kontor.web.http.programs import PLAY, READ_OR_NOBODY, REFUSED, TheProgram, spending
from kontor.web.http.site import in_reading_thread

SaltQuery = Annotated[str, QueryParameter(description="A share of the dice.")]
SaltCommitmentQuery = Annotated[str, QueryParameter(description="In its place, where dice are strict: its SHA-256.")]

CursorQuery = Annotated[
    str, QueryParameter(pattern=r"^(\d{1,15}-[a-z0-9]{1,20})?$", description="`after` of the page before.")
]


@get("/api/tables", responses=REFUSED, security=READ_OR_NOBODY)
@in_reading_thread
def tables(site: TheTablesSite, program: TheProgram) -> Tables:
    """List the tables that concern the person."""
    lobby = site.listing.lobby(program.id)
    mine = site.listing.my_tables(program.id) if program.id else ()
    finished = site.listing.finished(program.id) if program.id else ()
    return Tables(mine, finished, lobby.open, lobby.watchable)


@get("/api/tables/found", responses=REFUSED, security=READ_OR_NOBODY)
@in_reading_thread
def found(
    site: TheTablesSite,
    program: TheProgram,
    show: FromQuery[Literal["open", "watch"]] = "open",
    game: Annotated[str, QueryParameter(max_length=40)] = "",
    pace: FromQuery[Literal["", "live", "slow", "none"]] = "",
    name: Annotated[str, QueryParameter(max_length=40, description="Part of a player's name.")] = "",
    free: Annotated[int, QueryParameter(ge=0, le=99, description="So many free seats.")] = 0,
    rated: Annotated[bool, QueryParameter(description="Only games for ratings.")] = False,
    after: CursorQuery = "",
) -> Found:
    """Find tables with a free seat, or games to watch: the newest first, 24 a page."""
    wanted = TableFilter(show, game, pace, name, free, rated, parse_cursor(after))
    page = site.listing.find(wanted, program.id)
    return Found(page.tables, cursor_text(page.after), page.number, page.more)


def plan_of_table(data: NewTable) -> Plan:
    """Return the plan of a table that a program asks for. Raises BadOptions."""
    game = game_named(data.game)
    try:
        options = msgspec.convert(data.options, game.options)
    except msgspec.ValidationError as error:
        raise BadOptions("", "These are not options of {game}: {why}.", game=game.name, why=misfit(error)) from error
    return Plan(
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


@post("/api/tables", responses=REFUSED, security=PLAY)
@spending("open")
def open_table(site: TheTablesSite, program: TheProgram, data: JSONBody[NewTable]) -> Opened:
    """Open a table with a plan."""
    plan = plan_of_table(data)
    if plan.machines_only:
        site.spend("machines", program)
    share, origin = Share(data.salt, data.salt_commitment), origin_of(program.address)
    return Opened(site.opening.open(require_person_id(program), plan, share, data.commitment, origin))


@get("/api/tables/{table:str}", responses=REFUSED, security=READ_OR_NOBODY)
@in_reading_thread
def table_info(site: TheTablesSite, program: TheProgram, table: FromPath[str]) -> TableInfo:
    """Return a table from outside: its seats, and whose turn it is."""
    now = site.tables.view(table, program.id)
    if not program.speculative:
        site.visits.note(now.snapshot, None)  # a program looks, not its person
    return now.info


@table_call(TableAction.SIT)
def sit(
    site: TheTablesSite, program: TheProgram, table: FromPath[str], seat: FromPath[int], data: JSONBody[Sitting]
) -> TableInfo:
    """Take a seat. The last one starts the game, and reveals all salts that were committed to."""
    site.opening.sit(table, seat, require_person_id(program), data.invitation, Share(data.salt, data.salt_commitment))
    return site.tables.info(table, require_person_id(program))


@table_call(TableAction.SIT_ANYWHERE)
def sit_anywhere(
    site: TheTablesSite, program: TheProgram, table: FromPath[str], data: JSONBody[Sitting]
) -> TableInfo:
    """Take the first empty seat, by an invitation to the table."""
    share = Share(data.salt, data.salt_commitment)
    site.opening.sit_anywhere(table, require_person_id(program), data.invitation or "", share)
    return site.tables.info(table, require_person_id(program))


@table_call(TableAction.REVEAL)
def reveal(site: TheTablesSite, program: TheProgram, table: FromPath[str], data: JSONBody[Revealed]) -> TableInfo:
    """Reveal the salt that one has committed to, once all seats are taken (``revealing``)."""
    site.salts.reveal(table, require_person_id(program), data.salt)
    return site.tables.info(table, require_person_id(program))


@table_call(TableAction.BEGIN)
def begin_without(site: TheTablesSite, program: TheProgram, table: FromPath[str]) -> TableInfo:
    """Agree to begin without the salts that have been missing for a minute (``may_begin_without``)."""
    site.salts.begin_without(table, require_person_id(program))
    return site.tables.info(table, require_person_id(program))


@table_call(TableAction.INVITE)
def invite(site: TheTablesSite, program: TheProgram, table: FromPath[str], seat: FromPath[int]) -> Invitation:
    """Create a token by which somebody can take a seat at one's table."""
    return Invitation(site.opening.invitation(table, seat, require_person_id(program)))


@table_call(TableAction.INVITE_TO_TABLE)
def invite_to_table(site: TheTablesSite, program: TheProgram, table: FromPath[str]) -> Invitation:
    """Create a token by which people can take all empty seats of one's table, one after the other."""
    return Invitation(site.opening.invitation_to_table(table, require_person_id(program)))


@table_call(TableAction.FILL)
def fill(
    site: TheTablesSite, program: TheProgram, table: FromPath[str], seat: FromPath[int], data: JSONBody[Filling]
) -> TableInfo:
    """Put a computer player on a free seat of one's table."""
    site.opening.fill(table, seat, require_person_id(program), data.player)
    return site.tables.info(table, require_person_id(program))


@table_call(TableAction.LEAVE)
def leave(site: TheTablesSite, program: TheProgram, table: FromPath[str]) -> None:
    """Leave one's seat before the game has begun."""
    site.opening.leave(table, require_person_id(program))


@table_call(TableAction.STAND_IN)
def stand_in(site: TheTablesSite, program: TheProgram, table: FromPath[str], seat: FromPath[int]) -> TableInfo:
    """Let a computer player stand in for somebody who is late."""
    site.clocks.stand_in(table, seat, require_person_id(program))
    return site.tables.info(table, require_person_id(program))


@table_call(TableAction.COME_BACK)
def come_back(site: TheTablesSite, program: TheProgram, table: FromPath[str], seat: FromPath[int]) -> TableInfo:
    """Take one's seat back from the computer player."""
    site.clocks.come_back(table, seat, require_person_id(program))
    return site.tables.info(table, require_person_id(program))


@table_call(TableAction.RESIGN)
def resign(site: TheTablesSite, program: TheProgram, table: FromPath[str], seat: FromPath[int]) -> TableInfo:
    """Resign. With two seats the other wins; with more a computer player plays on, for good."""
    site.early_endings.resign(table, seat, require_person_id(program))
    return site.tables.info(table, require_person_id(program))


@table_call(TableAction.CLAIM)
def claim(site: TheTablesSite, program: TheProgram, table: FromPath[str], seat: FromPath[int]) -> TableInfo:
    """Stop waiting for a seat whose person has stayed away for seven days (``claimable``).

    With two seats the other wins; with more a computer player stands in.
    """
    site.early_endings.claim(table, seat, require_person_id(program))
    return site.tables.info(table, require_person_id(program))


@table_call(TableAction.PROPOSE)
def end(site: TheTablesSite, program: TheProgram, table: FromPath[str], data: JSONBody[Ending]) -> TableInfo:
    """Propose to end the game without a result, or agree to another's proposal.

    It ends when all who still play agree; computer players always do.
    """
    return _propose_or_agree(site, require_person_id(program), table, data, "end")


@table_call(TableAction.DECLINE)
def play_on(site: TheTablesSite, program: TheProgram, table: FromPath[str]) -> None:
    """Decline to end the game, or withdraw one's own proposal."""
    site.early_endings.decline(table, require_person_id(program))


@table_call(TableAction.GIVE_TIME)
def give_time(site: TheTablesSite, program: TheProgram, table: FromPath[str], seat: FromPath[int]) -> TableInfo:
    """Give another's seat more time (``more_time``): a minute, or a day where moves take hours."""
    site.clocks.give_time(table, seat, require_person_id(program))
    return site.tables.info(table, require_person_id(program))


@table_call(TableAction.PROPOSE_PAUSE)
def pause(site: TheTablesSite, program: TheProgram, table: FromPath[str], data: JSONBody[Ending]) -> TableInfo:
    """Propose a pause, or agree to another's proposal of one.

    It begins when all who still play agree; computer players always do.
    """
    return _propose_or_agree(site, require_person_id(program), table, data, "pause")


def _propose_or_agree(
    site: TablesSite,
    person: str,
    table: str,
    sent: Ending,
    kind: Literal["end", "pause"],
) -> TableInfo:
    """Propose something to all at the table, or agree to another's proposal of it; return the table then."""
    info = site.tables.info(table, person)
    proposed = {"end": info.proposed, "pause": info.pause_proposed}
    if proposed[kind] is None:
        site.early_endings.propose(table, require_seat(person_seat(info, sent.seat)), person, kind)
    else:
        site.early_endings.agree(table, person, kind)
    return site.tables.info(table, person)


@table_call(TableAction.PROPOSE_UNDO)
def take_back(
    site: TheTablesSite, program: TheProgram, table: FromPath[str], data: JSONBody[TakingBack]
) -> TableInfo:
    """Propose to take back the seat's last move with all that came after it, or agree to another's proposal.

    The game goes back when all who still play agree; computer players always do. A move by a person drops the
    proposal. With ``undone`` it only proposes, with ``undo_to`` it only agrees.
    """
    person, seen = require_person_id(program), SeenMoves(data.undone, data.undo_to)
    info = site.tables.info(table, person)
    if data.undo_to is not None or (data.undone is None and info.undo_proposed is not None):
        site.early_endings.agree(table, person, "undo", seen)
    else:
        seat = require_seat(person_seat(info, data.seat))
        site.early_endings.propose(table, seat, person, "undo", turn=data.turn, seen=seen)
    return site.tables.info(table, person)


@table_call(TableAction.DECLINE_UNDO)
def let_moves_stand(site: TheTablesSite, program: TheProgram, table: FromPath[str]) -> None:
    """Decline to take back moves, or withdraw one's own proposal."""
    site.early_endings.decline(table, require_person_id(program), "undo")


@table_call(TableAction.END_PAUSE)
def resume(site: TheTablesSite, program: TheProgram, table: FromPath[str]) -> None:
    """End the pause; or decline one, or withdraw one's own proposal."""
    person = require_person_id(program)
    if site.tables.info(table, person).pause_proposed is None:
        site.pauses.end(table, person)
    else:
        site.early_endings.decline(table, person, "pause")


@table_call(TableAction.REMATCH)
def rematch(
    site: TheTablesSite,
    program: TheProgram,
    table: FromPath[str],
    salt: SaltQuery = "",
    salt_commitment: SaltCommitmentQuery = "",
) -> Opened:
    """Return the table of the rematch. Its dice are committed to already: see the table's ``next_commitment``."""
    return Opened(site.opening.rematch(table, require_person_id(program), Share(salt, salt_commitment)))


@table_call(TableAction.DECLINE_REMATCH)
def decline_rematch(site: TheTablesSite, program: TheProgram, table: FromPath[str]) -> None:
    """Decline the rematch on offer (``rematch_offer``), or withdraw one's own offer."""
    site.opening.decline_rematch(table, require_person_id(program))


ROUTES = (
    tables,
    found,
    open_table,
    table_info,
    sit,
    sit_anywhere,
    reveal,
    begin_without,
    invite,
    invite_to_table,
    fill,
    leave,
    stand_in,
    come_back,
    resign,
    claim,
    end,
    play_on,
    give_time,
    pause,
    resume,
    take_back,
    let_moves_stand,
    rematch,
    decline_rematch,
)
