"""Parts of a server that every route uses: people, pages, streams and limits."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial, wraps
from typing import Any, Final, ParamSpec, Protocol, TypeVar

from litestar import Response
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import SkipValidation
from litestar.response import Redirect
from litestar.types import Scope

from kontor.people.people import People
from kontor.storage.errors import StorageFailure
from kontor.web.addresses import network_of
from kontor.web.http.lanes import Lane, Lanes
from kontor.web.http.limits import READING, WORKING, Limits
from kontor.web.http.request_cost import current_cost, in_executor
from kontor.web.http.sessions import AnyRequest
from kontor.web.live.hub import Hub
from kontor.web.pages.refused import Refused
from kontor.web.pages.render import Pages
from kontor.web.pages.template_context import TemplateContext
from kontor.web.pages.visitor import Visitor

Given = ParamSpec("Given")
Answer = TypeVar("Answer")

MOVING_SHARE: Final = 0.7
"""Recent processor time of a network, in seconds, up to which its moves still go before all other requests."""


def in_moving_thread(route: Callable[Given, Answer]) -> Callable[Given, Coroutine[Any, Any, Answer]]:
    """Wrap a route to run in a worker thread before all other requests: a move at a running table.

    The route waits for the database, so it needs a thread. Its processor time is charged to the ``visitor`` or the
    ``program`` that it gets. Raises RateLimited, ServerBusy. (Litestar's own ``sync_to_thread`` fails where GET and
    POST share a path, and where two applications share a process: it wraps a route twice.)
    """
    return _in_thread(route, Lane.MOVE)


def in_acting_thread(route: Callable[Given, Answer]) -> Callable[Given, Coroutine[Any, Any, Answer]]:
    """Wrap a route that changes something else to run in a worker thread, as ``in_moving_thread`` does."""
    return _in_thread(route, Lane.ACT)


def in_reading_thread(route: Callable[Given, Answer]) -> Callable[Given, Coroutine[Any, Any, Answer]]:
    """Wrap a route that changes nothing, of any method, to run in a worker thread."""
    return _in_thread(route, Lane.READ)


def _in_thread(route: Callable[Given, Answer], lane: Lane) -> Callable[Given, Coroutine[Any, Any, Answer]]:
    @wraps(route)
    async def in_thread(*args: Given.args, **kwargs: Given.kwargs) -> Answer:
        site: Any = kwargs["site"]
        visitor: Any = kwargs.get("visitor") or kwargs["program"]
        answer: Answer = await site.run_for(visitor, partial(route, *args, **kwargs), lane)
        return answer

    return in_thread


class YourPage(Protocol):
    """A function that draws the page of a person's own data, on which several features have forms."""

    def __call__(
        self, site: Any, visitor: Visitor, opened: str, refusal: Refused | None = None, /, *, notified: Any = None
    ) -> Response[str]:
        """Return the page with the section ``opened`` unfolded.

        ``notified`` are the notification settings if they are more than those stored.
        """


@dataclass(frozen=True, kw_only=True)
class Site:
    """One server on the web, as far as no feature is concerned; each feature adds what its own routes need."""

    people: People
    now: Callable[[], datetime]
    pages: Pages
    hub: Hub
    limits: Limits
    lanes: Lanes
    draw_your_page: YourPage
    address: str = ""
    """The public address of the server, if it differs from the one that browsers request."""
    contact: str = ""
    """The contact for security problems, as a URI."""

    async def run_for(
        self,
        visitor: Visitor,
        job: Callable[[], Answer],
        lane: Lane = Lane.READ,
        *,
        apart: ThreadPoolExecutor | None = None,
    ) -> Answer:
        """Run a job for a visitor in a worker thread and charge the processor time to them.

        If ``apart`` is given, the job runs in that executor, separate from the others. Raises RateLimited,
        ServerBusy.
        """
        address, cost = visitor.address, current_cost()
        cost.budget = budget = READING if lane is Lane.READ else WORKING

        def work() -> Answer:
            with suppress(StorageFailure):  # a job that needs the person raises it again
                cost.person = visitor.id
            self.limits.check(budget, address, cost.person)
            return job()

        self.limits.check(budget, address)  # before the job waits for a thread
        if apart is not None:
            return await in_executor(apart, work)
        network = network_of(address)
        if lane is Lane.MOVE and self.limits.used(network) > MOVING_SHARE:
            lane = Lane.ACT
        return await self.lanes.run(lane, network, work, cost)

    def spend(self, action: str, visitor: Visitor) -> None:
        """Charge a visitor for an action. Raises RateLimited."""
        self.limits.spend(action, visitor.address, visitor.id)

    def your_page(
        self, visitor: Visitor, opened: str, refusal: Refused | None = None, notified: Any = None
    ) -> Response[str]:
        """Return the page of the person's own data with the section ``opened`` unfolded."""
        return self.draw_your_page(self, visitor, opened, refusal, notified=notified)

    def page(
        self,
        visitor: Visitor,
        context: TemplateContext,
        *,
        status: int = 200,
        headers: dict[str, str] | None = None,
    ) -> Response[str]:
        """Return a response with a rendered template."""
        return Response(
            self.pages.text(visitor, context),
            status_code=status,
            media_type="text/html",
            headers={"vary": "accept-language, cookie", **(headers or {})},
        )

    def base(self, request: AnyRequest) -> str:
        """Return the server's address, for links that are sent to others."""
        return self.address or str(request.base_url).rstrip("/")


TheSite = NamedDependency[SkipValidation[Site]]
"""The site that a request came to. It is not validated, because msgspec accepts no subclass of a dataclass."""


def site_of(scope: Scope) -> Site:
    """Return the site that a request came to."""
    site: Site = scope["state"]["site"]
    return site


_LONGEST_PATH: Final = 8000
"""Maximum number of characters of a path. The address of a position on the analysis board holds all moves tried from
it."""


def local_path(path: str) -> str:
    """Return the path if it is one of this server, else that of the lobby.

    So nobody is redirected from here to other sites.
    """
    inside = path.startswith("/") and not path.startswith(("//", "/\\"))
    return path if inside and path.isprintable() and len(path) < _LONGEST_PATH else "/"


def redirect(path: str, cookies: list[Cookie] | None = None) -> Response[None]:
    """Return a redirect to another page, after a form (status 303)."""
    answer: Response[None] = Redirect(path, status_code=303)
    for cookie in cookies or ():
        answer.set_cookie(cookie)
    return answer
