"""API routes for the chat, the dice and the record of a table."""

from __future__ import annotations

from typing import Annotated

from litestar import get
from litestar.params import FromPath, JSONBody, QueryParameter

from kontor.errors import NotAllowed
from kontor.records import encode
from kontor.tables.api_values import NewTalk, Played
from kontor.tables.routes.actions import TableAction
from kontor.tables.routes.api_calls import table_call
from kontor.tables.site import TablesSite, TheTablesSite
from kontor.tables.values import ChatLine, FairDiceInfo
from kontor.web.http.faults import require_person_id
from kontor.web.http.programs import READ_OR_NOBODY, REFUSED, TheProgram
from kontor.web.http.site import in_reading_thread
from kontor.web.pages.visitor import Visitor


def _check_talk(site: TablesSite, program: Visitor, table: str) -> None:
    info = site.tables.info(table, program.id)
    if not (info.may_watch or info.mine or info.host):
        raise NotAllowed("", "This game is for its players only.")


@get("/api/tables/{table:str}/chat", responses=REFUSED, security=READ_OR_NOBODY)
@in_reading_thread
def talk(
    site: TheTablesSite,
    program: TheProgram,
    table: FromPath[str],
    since: Annotated[int, QueryParameter(ge=0, lt=2**31)] = 0,
) -> list[ChatLine]:
    """Return the chat of the table."""
    _check_talk(site, program, table)
    return list(site.tables.view(table, program.id).chat_lines(since))


@table_call(TableAction.CHAT)
def say(site: TheTablesSite, program: TheProgram, table: FromPath[str], data: JSONBody[NewTalk]) -> Played:
    """Say something at one's table; return the number of the chat line."""
    return Played(site.talk.say(table, require_person_id(program), data.text))


@get("/api/tables/{table:str}/fair", responses=REFUSED, security=READ_OR_NOBODY)
@in_reading_thread
def fair(site: TheTablesSite, program: TheProgram, table: FromPath[str]) -> FairDiceInfo:
    """Return the commitments and salts of the dice, and, when the game is over, the seed."""
    _check_talk(site, program, table)
    return site.tables.fair(table)


@get("/api/tables/{table:str}/record", responses=REFUSED, security=READ_OR_NOBODY, media_type="application/jsonl")
@in_reading_thread
def record(site: TheTablesSite, program: TheProgram, table: FromPath[str]) -> bytes:
    """Return the record of a game that is over, as JSON Lines."""
    _check_talk(site, program, table)
    return encode(site.tables.record(table))


ROUTES = (
    talk,
    say,
    fair,
    record,
)
