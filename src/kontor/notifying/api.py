"""API routes for turns and notifications, for programs that need nothing of the games themselves."""

from __future__ import annotations

from urllib.parse import urlsplit

from litestar import delete, get, post
from litestar.params import FromPath, JSONBody

from kontor.notifying.api_values import MadeWay, NewWay, Turn, WayInfo
from kontor.notifying.pages import check_webhook
from kontor.notifying.site import TheNotifyingSite
from kontor.notifying.webhook import new_secret
from kontor.storage.stored_times import datetime_of
from kontor.web.http.faults import NoPage, require_person_id
from kontor.web.http.programs import NOTIFY, REFUSED, TheProgram, spending
from kontor.web.http.sessions import AnyRequest
from kontor.web.http.site import in_reading_thread


@get("/api/me/turns", responses=REFUSED, security=NOTIFY)
@in_reading_thread
def turns(site: TheNotifyingSite, program: TheProgram) -> list[Turn]:
    """Return the tables where it is one's turn, the most urgent first."""
    return [
        Turn(
            turn.table,
            turn.game,
            turn.number,
            datetime_of(turn.since),
            None if turn.deadline is None else datetime_of(turn.deadline),
        )
        for turn in site.ways.turns(require_person_id(program))
    ]


@get("/api/me/ways", responses=REFUSED, security=NOTIFY)
@in_reading_thread
def my_ways(site: TheNotifyingSite, program: TheProgram) -> list[WayInfo]:
    """Return one's notification channels."""
    return [
        WayInfo(
            way.id,
            way.kind,
            urlsplit(way.address).hostname or "",
            way.frequency,
            way.dead,
            way.failure.reason if way.failure else None,
            datetime_of(way.failure.since) if way.failure else None,
        )
        for way in site.ways.of(require_person_id(program)).ways
    ]


@post("/api/me/ways", responses=REFUSED, security=NOTIFY)
@spending("notify")
def add_way(request: AnyRequest, site: TheNotifyingSite, program: TheProgram, data: JSONBody[NewWay]) -> MadeWay:
    """Add an address that is called whenever it is one's turn. Adding it again gives a new id and secret."""
    if data.kind not in site.offered_ways:
        raise NoPage
    secret = new_secret() if data.kind == "webhook" else ""
    address = data.address.strip()
    check_webhook(site, address)
    way = site.ways.add(require_person_id(program), data.kind, address, secret, program.language, site.base(request))
    return MadeWay(way, secret)


@delete("/api/me/ways/{way:str}", responses=REFUSED, security=NOTIFY)
@spending("notify")
def remove_way(site: TheNotifyingSite, program: TheProgram, way: FromPath[str]) -> None:
    """Remove a notification channel."""
    if way not in {own_way.id for own_way in site.ways.of(require_person_id(program)).ways}:
        raise NoPage
    site.ways.remove(require_person_id(program), way)


ROUTES = (turns, my_ways, add_way, remove_way)
