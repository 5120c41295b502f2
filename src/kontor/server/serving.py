"""A process that serves: uvicorn, until it is told to end."""

from __future__ import annotations

import faulthandler
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import nullcontext
from types import FrameType
from typing import TYPE_CHECKING, Final

import uvicorn

from kontor.notifying.mail import MailServer
from kontor.notifying.notifier import Notifier
from kontor.notifying.posting import PostingProcesses
from kontor.notifying.sending import Send
from kontor.notifying.values import SendKind
from kontor.notifying.webhook import Webhooks
from kontor.optional_packages import is_installed
from kontor.review import by_thinkers
from kontor.server import operator_requests
from kontor.server.app import application
from kontor.server.composition import KontorServer
from kontor.server.connections import Connection, most_connections
from kontor.server.forwarded import LastHop
from kontor.server.gc_tuning import Collector, no_gc
from kontor.server.machines import Machines
from kontor.server.nightly_ratings import NightlyRatings
from kontor.server.nightly_reviews import NightlyReviews
from kontor.server.options import ANYBODY, ServeOptions
from kontor.server.sampler import Sampler
from kontor.server.site import SiteOptions
from kontor.storage import Place
from kontor.thinking import Thinkers, Thinking
from kontor.web.adapter import adapter_of
from kontor.web.http.hosts import Hosts
from kontor.web.live.hub import Hub
from kontor.web.operation import logs, metrics
from kontor.work.loops import report_failure

if TYPE_CHECKING:
    from kontor.notifying.push import Push

_TICK: Final = 0.1
"""Seconds between two ticks of the web server."""

SWITCH_INTERVAL: Final = 0.0005
"""Seconds after which a working thread lets another one run. A move passes through several threads, and each time
waits that long for a thread that renders a page."""

GRACE: Final = 2
"""Seconds that responses which have begun have to end."""


Ready = Callable[[], object]
"""Called as soon as a process serves."""


def serve_place(place: Place, listening: socket.socket, options: ServeOptions, ready: Ready) -> None:
    """Open the database and serve it until SIGTERM or SIGINT; computer players think in processes of their own.

    Raises CannotShow, CannotOpen.
    """
    if sys.__stderr__ is not None:
        faulthandler.enable(sys.__stderr__)  # a process that crashes says where
    with (
        Thinkers(options.thinkers) as thinkers,
        metrics.serve_metrics(options.metrics, thinkers) if options.metrics else nullcontext(),
        KontorServer.open(place, keep=options.keep) as service,
        Machines(service, thinkers.submit),
        operator_requests.listening(place, service),
        NightlyRatings(service, place, counter=metrics.RatingMetrics()),
        NightlyReviews(service, by_thinkers(thinkers, low_priority=True)),
    ):
        serve_tables(service, thinkers, listening, options, ready)


def push_of(service: KontorServer, options: ServeOptions, posting: PostingProcesses) -> Push | None:
    """Return the sender of Web Push, if the options have a contact for it."""
    if not options.push_contact:
        return None
    from kontor.notifying.push import Push

    return Push.of(service.ways.key_made, options.push_contact, posting)


def ways_of(options: ServeOptions, push: Push | None, posting: PostingProcesses) -> dict[SendKind, Send]:
    """Return the ways in which people can be notified. Raises CannotMail."""
    ways: dict[SendKind, Send] = {}
    if options.smtp:
        ways["mail"] = MailServer.of(options.smtp, options.mail_from).send
    if options.webhooks:
        hooks = Webhooks(posting)
        ways |= {"webhook": hooks.send, "discord": hooks.send_to_discord, "table": hooks.send_of_table}
    if push is not None:
        ways["push"] = push.send
    return ways


def title_of(game: str) -> str:
    """Return the title of an installed game."""
    return adapter_of(game).title


def serve_tables(
    service: KontorServer, thinkers: Thinking, listening: socket.socket, options: ServeOptions, ready: Ready
) -> None:
    """Serve until SIGTERM or SIGINT."""
    most_connections()  # raises the limit of open files before the first connection
    sys.setswitchinterval(SWITCH_INTERVAL)
    metrics.show_missing(service.missing_commits())
    posting = PostingProcesses()
    push = push_of(service, options, posting)
    ways = ways_of(options, push, posting)
    notifier = Notifier(service, ways, title_of, options.public_address, counter=metrics.SendingMetrics())
    hub = Hub(most=options.streams)
    with no_gc():
        app = application(
            service,
            thinkers,
            SiteOptions(
                address=options.public_address,
                contact=options.security_contact,
                holidays=options.holidays,
                ways=frozenset(ways),
                push_key=push.public_key if push else "",
                check_url=posting.check,
                passkeys=is_installed("webauthn"),
            ),
            hosts=Hosts(options.host_names),
            hub=hub,
        )
    proxies = options.trusted_proxies
    anybody = proxies == ANYBODY
    config = uvicorn.Config(
        LastHop(app) if anybody else app,
        http=Connection,
        log_config=None,
        access_log=False,  # paths hold invitations
        server_header=False,
        lifespan="off",
        ws="none",
        proxy_headers=not anybody,
        forwarded_allow_ips=proxies,
        timeout_graceful_shutdown=GRACE,
        timeout_keep_alive=30,
    )
    with Sampler(service, hub) if options.metrics else nullcontext(), posting, notifier, no_gc():
        _Server(config, hub, ready).run(sockets=[listening])


class _Server(uvicorn.Server):
    """uvicorn's server, which reports as soon as it listens, and ends all streams when it must end."""

    def __init__(self, config: uvicorn.Config, hub: Hub, ready: Ready) -> None:
        super().__init__(config)
        self._hub = hub
        self._ready = ready
        self._collector = Collector()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and report it."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def on_tick(self, counter: int) -> bool:
        """Write log lines and collect garbage that are due, ten times a second."""
        try:
            self._collector.collect_due()
            logs.ThrottledLine.write_due()
        except Exception as error:  # noqa: BLE001 (a log that cannot be written must not end the server)
            report_failure("web server", error, _TICK)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close all connections, then write the rest of the log."""
        await super().shutdown(sockets)
        logs.ThrottledLine.write_all()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End all streams on SIGTERM or Ctrl-C."""
        super().handle_exit(sig, frame)
        self._hub.close()

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until the process is told to end, which can happen before it serves.

        uvicorn listens to signals only later. When it has ended it raises them once more; they have done their work
        by then and must not kill the process.
        """
        before = {number: signal.signal(number, self._end_soon) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            super().run(sockets)
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _end_soon(self, number: int, frame: FrameType | None) -> None:
        self.should_exit = True
