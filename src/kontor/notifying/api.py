"""API routes for turns and notifications, for programs that need nothing of the games themselves."""

from __future__ import annotations

from urllib.parse import urlsplit

from litestar import delete, get, post
from litestar.params import FromPath, JSONBody

from kontor.notifying.api_values import MadeWay, NewRhythm, NewWay, Turn, WayInfo
from kontor.notifying.pages import check_webhook
from kontor.notifying.site import TheNotifyingSite
from kontor.notifying.values import Rhythm, Way
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
    settings = site.ways.of(require_person_id(program))
    return [_way_info(way, settings.zone) for way in settings.ways]


def _way_info(way: Way, zone: str) -> WayInfo:
    """Return a channel as programs see it."""
    return WayInfo(
        way.id,
        way.kind,
        urlsplit(way.address).hostname or "",
        way.rhythm.frequency,
        way.dead,
        way.failure.reason if way.failure else None,
        datetime_of(way.failure.since) if way.failure else None,
        *(way.rhythm.hour, way.rhythm.lead, way.rhythm.quiet_from, way.rhythm.quiet_to, zone),
    )


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


@post("/api/me/ways/{way:str}/rhythm", responses=REFUSED, security=NOTIFY)
@spending("notify")
def choose_rhythm(
    request: AnyRequest, site: TheNotifyingSite, program: TheProgram, way: FromPath[str], data: JSONBody[NewRhythm]
) -> WayInfo:
    """Choose when a notification channel is used."""
    person = require_person_id(program)
    settings = site.ways.of(person)
    if way not in {own_way.id for own_way in settings.ways}:
        raise NoPage
    rhythm = Rhythm(data.frequency, data.hour, data.lead, data.quiet_from, data.quiet_to)
    zone = data.zone or settings.zone
    site.ways.choose(person, {way: rhythm}, program.language, site.base(request), zone=zone)
    changed = site.ways.of(person)
    return next(_way_info(own_way, changed.zone) for own_way in changed.ways if own_way.id == way)


@delete("/api/me/ways/{way:str}", responses=REFUSED, security=NOTIFY)
@spending("notify")
def remove_way(site: TheNotifyingSite, program: TheProgram, way: FromPath[str]) -> None:
    """Remove a notification channel."""
    if way not in {own_way.id for own_way in site.ways.of(require_person_id(program)).ways}:
        raise NoPage
    site.ways.remove(require_person_id(program), way)


ROUTES = (turns, my_ways, add_way, choose_rhythm, remove_way)
