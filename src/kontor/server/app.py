"""The ASGI application: all routes of one server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, Final

from litestar import HttpMethod, Litestar, MediaType, Response, Router, get, route
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, OpenAPIType, Schema, SecurityScheme
from litestar.params import FromPath
from litestar.serialization import encode_json
from litestar.status_codes import HTTP_404_NOT_FOUND
from litestar.types import ASGIApp, Receive, Scope, Send

from kontor.accounts.routes import api as accounts_api
from kontor.accounts.routes import clubs as club_reports
from kontor.accounts.routes import correspondents, entrants, others, own_data, passkeys, people, returning
from kontor.ahead import api as ahead_api
from kontor.ahead import routes as ahead
from kontor.archive import api as archive_api
from kontor.archive import routes as archive
from kontor.challenges import api as challenges_api
from kontor.challenges import routes as challenges
from kontor.clubs import routes as clubs
from kontor.decoding import build_decoders
from kontor.distribution import installed_version
from kontor.following import api as following_api
from kontor.following import routes as following
from kontor.holidays import api as holidays_api
from kontor.holidays import routes as holidays
from kontor.lessons.routes import lessons, rules
from kontor.lobby.routes import api as lobby_api
from kontor.lobby.routes import finding, home, seeking
from kontor.messages import api as messages_api
from kontor.messages import routes as messages
from kontor.moving import routes as moving
from kontor.notes import routes as notes
from kontor.notifying import api as notifying_api
from kontor.notifying import routes as notifying
from kontor.notifying import table_routes as table_webhooks
from kontor.own_records import routes as own_records
from kontor.ratings import api as ratings_api
from kontor.ratings import routes as ratings
from kontor.server.composition import KontorServer
from kontor.server.site import SiteOptions, TheServerSite, server_site
from kontor.studies.routes import analysis, puzzles, reviews
from kontor.tables.routes import (
    api_moves,
    api_streaming,
    api_tables,
    api_talk,
    breaks,
    commands,
    early_endings,
    fairness,
    history,
    play,
    seats,
    taking_back,
)
from kontor.thinking import Thinking
from kontor.tournaments import api as tournaments_api
from kontor.tournaments import routes as tournaments
from kontor.tournaments import season_routes, talk_routes
from kontor.web.base_path import base_path_in, base_path_of
from kontor.web.forms import Form
from kontor.web.http import faults, icons, notices
from kontor.web.http.address_throttle import AddressThrottle
from kontor.web.http.base_path_middleware import BasePathMiddleware
from kontor.web.http.compression import CompressionMiddleware
from kontor.web.http.head_requests import HeadMiddleware
from kontor.web.http.hosts import Hosts
from kontor.web.http.limits import Limits
from kontor.web.http.request_metrics import RequestMetrics
from kontor.web.http.security_middleware import SecurityMiddleware
from kontor.web.http.sessions import AnyRequest, TheVisitor, form_of, program_of, prolong_cookies, visitor_of
from kontor.web.http.site import Site, TheSite, in_reading_thread, site_of
from kontor.web.http.turned_away import RefusalPages
from kontor.web.live.hub import Hub
from kontor.web.negotiation import accepts_gzip
from kontor.web.operation.metrics import ActivityMetrics
from kontor.web.pages.visitor import Visitor, nobody
from kontor.web.pages.whole_page import OfflinePage

MOST_BYTES: Final = 64 * 1024
"""The most bytes of a request's body. The longest form is a player's own chart; only records may be longer."""

_FOR_EVER: Final = "public, max-age=31536000, immutable"

_NOTHING: Final = "default-src 'none'; frame-ancestors 'none'"
"""Content policy of a static file: it shows nothing else, if somebody opens it alone."""


@get("/static/{digest:str}/{name:str}", sync_to_thread=False)
def static(request: AnyRequest, site: TheSite, digest: FromPath[str], name: FromPath[str]) -> Response[bytes]:
    """Return a static file. Under the current digest it never changes."""
    asset = site.pages.assets.get(name)
    if asset is None:
        raise faults.NoPage
    headers = {"vary": "accept-encoding", "content-security-policy": _NOTHING}
    headers["cache-control"] = _FOR_EVER if digest == site.pages.assets.digest else "no-cache"
    body = asset.plain
    if asset.compressed is not None and accepts_gzip(request.scope["headers"]):
        body = asset.compressed
        headers["content-encoding"] = "gzip"
    return Response(body, media_type=asset.media_type, headers=headers)


@get("/service-worker.js", sync_to_thread=False)
def service_worker(site: TheSite) -> Response[bytes]:
    """Return the service worker of the whole site. It runs without a page, and browsers check for updates."""
    asset = site.pages.assets.get("service-worker.js")
    assert asset
    return Response(asset.plain, media_type=asset.media_type, headers={"cache-control": "no-cache"})


@get("/offline")
@in_reading_thread
def offline(site: TheSite, visitor: TheVisitor) -> Response[str]:
    """Return the page that the service worker shows without a network; it is about nobody in particular."""
    return site.page(replace(visitor, find_person=nobody, session=""), OfflinePage())


@get("/health", sync_to_thread=False)
def health() -> Response[str]:
    """Respond, to show that the process is alive. If it does not respond, restarting it helps."""
    return Response("well", media_type=MediaType.TEXT)


@get("/ready")
async def ready(site: TheServerSite) -> Response[str]:
    """Respond with 200 if people should be sent here; else with 503 and the reason.

    It is not ready while it ends, or while the database can't be reached. Strangers may ask, so it tells nothing
    more.
    """
    hindrance = "ending" if site.hub.closing else await site.readiness.hindrance()
    return Response(hindrance or "ready", status_code=503 if hindrance else 200, media_type=MediaType.TEXT)


@get("/robots.txt", sync_to_thread=False)
def robots(request: AnyRequest) -> Response[str]:
    """Return the rules for crawlers; tables concern only their players.

    Crawlers read them at the root of a host alone: below a path, its operator copies them there.
    """
    others = "analysis challenges clubs device feed games invitations messages records unsubscribe"
    folders = [*others.split(), "seasons", "tables", "tournaments"]
    base_path = base_path_of(request.scope)
    rules = "User-agent: *\n" + "".join(f"Disallow: {base_path}/{folder}/\n" for folder in sorted(folders))
    return Response(rules, media_type=MediaType.TEXT)


def api_document() -> OpenAPIConfig:
    """Return the settings of the API's OpenAPI document."""
    bearer = SecurityScheme(
        type="http", scheme="bearer", description="A token of POST /api/people, or of the page /you."
    )
    return OpenAPIConfig(
        title="Kontor",
        version=installed_version(),
        description="Tables of board games, for programs.",
        components=Components(security_schemes={"token": bearer}),
        security=[{"token": []}, {}],
        use_handler_docstrings=True,
        render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        openapi_router=Router(
            "/api/schema", route_handlers=[], include_in_schema=False, after_request=_raise_if_missing
        ),
    )


def _raise_if_missing(response: Response[Any]) -> Response[Any]:
    """Raise NoPage where Litestar would answer with a 404 page of its own."""
    if response.status_code == HTTP_404_NOT_FOUND:
        raise faults.NoPage
    return response


@get("/openapi.json", include_in_schema=False)
@in_reading_thread
def openapi(request: AnyRequest, site: TheSite, visitor: TheVisitor) -> Response[bytes]:
    """Return the OpenAPI 3.1 document of the API."""
    return Response(openapi_document(request.app, base_path_of(request.scope)), media_type=MediaType.JSON)


@lru_cache(maxsize=1)
def openapi_document(app: Litestar, base_path: str = "") -> bytes:
    """Return the document; cached, because making it takes half a second of processor time.

    Litestar gives a struct the default of the field where it first meets it. Other fields have other defaults, and
    which comes first depends on the order of a set.
    """
    document = app.openapi_schema
    for schema in document.components.schemas.values():
        if isinstance(schema, Schema) and schema.type is OpenAPIType.OBJECT:
            schema.default = None
    return encode_json({**document.to_schema(), "servers": [{"url": base_path or "/"}]})


def with_options(handlers: Sequence[HTTPRouteHandler]) -> list[HTTPRouteHandler]:
    """Return the handlers, and for each path a handler of OPTIONS that names all its methods.

    Litestar's own names only those of the first handler, if GET and POST have one each.
    """
    methods: dict[str, set[str]] = {}
    for handler in handlers:
        for path in handler.paths:
            methods.setdefault(path, {"OPTIONS"}).update(handler.http_methods)
    options_handlers = [
        _options_handler(path, faults.allow_header(http_methods)) for path, http_methods in methods.items()
    ]
    return [*options_handlers, *handlers]  # in this order, or Litestar adds its own


def _options_handler(path: str, allow: str) -> HTTPRouteHandler:
    @route(path, http_method=HttpMethod.OPTIONS, status_code=204, include_in_schema=False, sync_to_thread=False)
    def respond() -> Response[None]:
        return Response(None, headers={"allow": allow})

    return respond


PAGES: Final = [
    *(static, service_worker, offline, health, ready, robots),
    *icons.ROUTES,
    *home.ROUTES,
    *finding.ROUTES,
    *tournaments.ROUTES,
    *talk_routes.ROUTES,
    *season_routes.ROUTES,
    *people.ROUTES,
    *ratings.ROUTES,
    *following.ROUTES,
    *notes.ROUTES,
    *ahead.ROUTES,
    *moving.ROUTES,
    *challenges.ROUTES,
    *archive.ROUTES,
    *returning.ROUTES,
    *passkeys.ROUTES,
    *own_data.ROUTES,
    *others.ROUTES,
    *messages.ROUTES,
    *correspondents.ROUTES,
    *entrants.ROUTES,
    *clubs.ROUTES,
    *club_reports.ROUTES,
    *seats.ROUTES,
    *seeking.ROUTES,
    *early_endings.ROUTES,
    *breaks.ROUTES,
    *taking_back.ROUTES,
    *play.ROUTES,
    *commands.ROUTES,
    *history.ROUTES,
    *reviews.ROUTES,
    *analysis.ROUTES,
    *puzzles.ROUTES,
    *own_records.ROUTES,
    *fairness.ROUTES,
    *rules.ROUTES,
    *lessons.ROUTES,
    *notices.ROUTES,
    *notifying.ROUTES,
    *table_webhooks.ROUTES,
    *holidays.ROUTES,
]
"""The handlers of everything but the API."""

API: Final = [
    *accounts_api.ROUTES,
    *ratings_api.ROUTES,
    *archive_api.ROUTES,
    *messages_api.ROUTES,
    *following_api.ROUTES,
    *challenges_api.ROUTES,
    *holidays_api.ROUTES,
    *api_tables.ROUTES,
    *lobby_api.ROUTES,
    *api_moves.ROUTES,
    *ahead_api.ROUTES,
    *api_streaming.ROUTES,
    *api_talk.ROUTES,
    *notifying_api.ROUTES,
    *tournaments_api.ROUTES,
]
"""The handlers of the API for programs: the same views and moves as on the pages, as JSON.

A program is identified by a token of its own, never by a cookie, so no page elsewhere can make a browser use it.
"""


def application(
    service: KontorServer,
    thinkers: Thinking,
    options: SiteOptions | None = None,
    *,
    hosts: Hosts | None = None,
    limits: Limits | None = None,
    hub: Hub | None = None,
) -> ASGIApp:
    """Return the server as an ASGI application. ``hosts`` are the names to which it answers."""
    limits = limits or Limits()
    site = server_site(service, thinkers, options or SiteOptions(), limits, hub or Hub())
    service.count_activity(ActivityMetrics())
    service.watch(site.hub.watched)
    service.presence.attend(site.hub.present)
    service.listen(site.hub.changed)
    app = WithSite(all_routes(), site)
    build_decoders()  # for the API's own structs
    refusals = RefusalPages(site.pages, site.address)
    secured = SecurityMiddleware(CompressionMiddleware(app), hosts or Hosts(), refusals)
    around = RequestMetrics(HeadMiddleware(AddressThrottle(secured, limits)))
    base_path = base_path_in(site.address)
    return BasePathMiddleware(around, base_path) if base_path else around


@cache
def all_routes() -> Litestar:
    """Return the routes; made once for all servers of a process, because making them takes a second of a core."""
    return Litestar(
        route_handlers=[
            Router("/", route_handlers=with_options(PAGES), include_in_schema=False),
            Router("/", route_handlers=with_options([*API, openapi])),
        ],
        dependencies=dependencies(),
        before_send=[prolong_cookies],
        exception_handlers={Exception: faults.handle},
        request_max_body_size=MOST_BYTES,
        openapi_config=api_document(),
        logging_config=None,
        debug=False,
    )


class WithSite:
    """ASGI middleware that gives the routes the site that a request came to."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app = app
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request with the site in its state."""
        scope.setdefault("state", {})["site"] = self._site
        await self._app(scope, receive, send)


def dependencies() -> dict[str, Provide]:
    """Return the providers of what handlers ask for by name.

    Each depends on the one before, because Litestar starts a task for each dependency without one.
    """

    def provide_site(scope: Scope) -> Site:
        return site_of(scope)

    def provide_visitor(request: AnyRequest, site: TheSite) -> Visitor:
        return visitor_of(request, site.people)

    def provide_program(request: AnyRequest, site: TheSite) -> Visitor:
        return program_of(request, site.people)

    async def provide_form(request: AnyRequest, visitor: TheVisitor) -> Form:
        return await form_of(request, visitor)

    async def provide_body(request: AnyRequest, visitor: TheVisitor) -> bytes:
        return await request.body()

    return {
        "site": Provide(provide_site, sync_to_thread=False),
        "visitor": Provide(provide_visitor, sync_to_thread=False),
        "form": Provide(provide_form),
        "sent": Provide(provide_body),
        "program": Provide(provide_program, sync_to_thread=False),
    }
