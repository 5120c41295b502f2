"""The site of a server: all its features, as their routes work with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from kontor.accounts.routes.people import draw_your_page
from kontor.analysis.appraisals import PositionQuestions
from kontor.holidays.store import USUAL_DAYS
from kontor.lobby.site import LobbySite
from kontor.notifying.values import SendKind
from kontor.review import by_thinkers
from kontor.server.composition import KontorServer
from kontor.server.readiness import Readiness
from kontor.studies.reviews import ReviewQueue, Reviews
from kontor.tables.hints import Hints
from kontor.thinking import Thinking
from kontor.web.base_path import base_path_in
from kontor.web.http.lanes import Lanes
from kontor.web.http.limits import Limits
from kontor.web.live.hub import Hub
from kontor.web.pages.render import Pages


@dataclass(frozen=True)
class SiteOptions:
    """The choices of an operator for a server on the web."""

    address: str = ""
    """The public address of the server, if it differs from the one that browsers request."""
    contact: str = ""
    """The contact for security problems, as a URI."""
    ways: frozenset[SendKind] = frozenset()
    """The ways in which people can be notified."""
    push_key: str = ""
    """The server's public key for Web Push; empty if it does not send any."""
    check_url: Callable[[str], None] = lambda _: None
    """A function that raises Failed if a webhook's host does not resolve, or not to a public address."""
    holidays: int = USUAL_DAYS
    """Days of holiday that each person has a year; 0: there are none."""
    passkeys: bool = False
    """True if people can have passkeys, where their browsers support them."""


@dataclass(frozen=True, kw_only=True)
class ServerSite(LobbySite):
    """A server on the web, with all its features."""

    readiness: Readiness


TheServerSite = NamedDependency[SkipValidation[ServerSite]]


def server_site(
    service: KontorServer, thinkers: Thinking, options: SiteOptions, limits: Limits, hub: Hub
) -> ServerSite:
    """Return the site of an open server."""
    share, queue = by_thinkers(thinkers, low_priority=True), ReviewQueue()
    return ServerSite(
        people=service.people,
        now=service.now,
        pages=Pages(base_path_in(options.address)),
        hub=hub,
        limits=limits,
        lanes=Lanes(limits.used),
        draw_your_page=draw_your_page,
        address=options.address,
        contact=options.contact,
        tables=service.tables,
        moves=service.moves,
        opening=service.opening,
        listing=service.listing,
        finished_games=service.finished_games,
        salts=service.salts,
        clocks=service.clocks,
        early_endings=service.early_endings,
        pauses=service.pauses,
        talk=service.talk,
        visits=service.visits,
        hints=Hints(service.tables, service.hints, thinkers.submit),
        tournament_of=service.tournaments.of_table,
        ratings_beside_names=service.ratings.beside_names,
        ahead_of=service.moves_ahead.marks_of,
        following=service.following,
        notes=service.notes,
        moves_ahead=service.moves_ahead,
        own_moves=service.own_moves,
        challenges=service.challenges,
        messages=service.messages,
        ratings=service.ratings,
        histories=service.histories,
        reviewed_seats=service.reviewed_seats,
        people_search=service.people_search,
        holidays=service.holidays,
        holiday_days=options.holidays,
        ways=service.ways,
        table_webhooks=service.table_webhooks,
        offers_webhooks="table" in options.ways,
        offered_ways=options.ways,
        push_key=options.push_key,
        check_url=options.check_url,
        tournaments=service.tournaments,
        entrants_talk=service.entrants_talk,
        seasons=service.seasons,
        clubs=service.clubs,
        solving=service.solving,
        reviews=Reviews(service.tables, service.reviews, service.reviewed_seats, share, queue),
        own_records=service.own_records,
        record_reviews=Reviews(service.own_records, service.record_reviews, None, share, queue),
        questions=PositionQuestions(thinkers),
        thinkers=thinkers,
        recovery=service.recovery,
        passkeys=service.passkeys,
        offers_passkeys=options.passkeys,
        leaving=service.leaving,
        export=service.export,
        blocking=service.blocking,
        merging=service.merging,
        mail_sign_in=service.mail_sign_in,
        seeking=service.seeking,
        readiness=Readiness(service),
    )
