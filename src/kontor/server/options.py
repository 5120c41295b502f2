"""The options of ``kontor serve``, each declared once: flags, variables and help follow from the struct."""

from __future__ import annotations

import os
from collections.abc import Callable
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Final

from typer import Option

from kontor.game import Refusal, Value
from kontor.holidays.store import USUAL_DAYS
from kontor.notifying.mail import MailServer
from kontor.server.public_url import public_url
from kontor.storage import Place
from kontor.thinking.thinkers import usual_number
from kontor.web.http.hosts import host_of, normalise_host
from kontor.web.live.hub import MOST_STREAMS
from kontor.web.operation.logs import Level, Style
from kontor.words import mark

PORT: Final = 1729
"""The year in which the ghost ship sails."""

SMTP: Final = "KONTOR_SMTP"
"""The environment variable that can hold the address of the mail server, with its password."""

ANYBODY: Final = "*"
"""The value of ``proxy`` for which every client is a trusted proxy."""

MOST_PORT: Final = 65535

MOST_THINKERS: Final = 256

MOST_WORKERS: Final = 64

MOST_DAYS: Final = 36500


class CannotServe(Refusal):
    """The reason why a server can't be opened to others."""


class CannotPush(Refusal):
    """The reason why browsers can't be notified with these settings."""


class ServeOptions(Value, frozen=True, kw_only=True):
    """The options of a server. Further environment variables are ``KONTOR_`` and the flag's name."""

    host: Annotated[
        str,
        Option("--host", metavar="ADDRESS", help=mark("Address to listen on; 0.0.0.0 accepts the whole network.")),
    ] = "127.0.0.1"
    port: Annotated[
        int,
        Option("--port", min=0, max=MOST_PORT, metavar="NUMBER", help=mark("Port to listen on; 0 picks a free one.")),
    ] = PORT
    place: Place
    """The folder of the server, or the address of its database: from the options that all commands share."""
    start_empty: Annotated[
        bool,
        Option(
            "--start-empty",
            help=mark(
                "Start an empty server where the folder holds files of an earlier one, but no database; they are "
                "kept under other names."
            ),
        ),
    ] = False
    workers: Annotated[
        int,
        Option(
            "--workers",
            min=1,
            max=MOST_WORKERS,
            metavar="NUMBER",
            help=mark(
                "Number of processes that serve a PostgreSQL database, each on its own port, from --port upwards."
            ),
        ),
    ] = 1
    url: Annotated[
        str,
        Option(
            "--url",
            metavar="URL",
            help=mark(
                "Public address, if it differs from the one browsers request; it may have a path: https://games.example/kontor."
            ),
        ),
    ] = ""
    allowed_hosts: Annotated[
        list[str] | None,
        Option(
            "--allowed-host",
            metavar="NAME",
            help=mark("Another name under which people reach the server; can be given several times."),
        ),
    ] = None
    security_contact: Annotated[
        str,
        Option(
            "--security-contact",
            metavar="URI",
            help=mark(
                "Whom to tell about a security problem, such as mailto:me@games.example; published as security.txt."
            ),
        ),
    ] = ""
    proxy: Annotated[
        str,
        Option(
            "--proxy",
            metavar="ADDRESSES",
            help=mark("Proxies whose X-Forwarded headers are trusted, comma-separated."),
        ),
    ] = "127.0.0.1"
    thinkers: Annotated[
        int,
        Option(
            "--thinkers",
            min=1,
            max=MOST_THINKERS,
            metavar="NUMBER",
            show_default=False,
            help=mark("Processes for computer players, per serving process; default: cores minus one."),
        ),
    ] = usual_number()
    streams: Annotated[
        int,
        Option(
            "--streams",
            min=1,
            metavar="NUMBER",
            help=mark("Open table pages per process (live updates); each takes about 100 KB."),
        ),
    ] = MOST_STREAMS
    keep: Annotated[
        int | None,
        Option(
            "--keep",
            min=1,
            max=MOST_DAYS,
            metavar="DAYS",
            help=mark(
                "How many days to keep finished games; default: for ever. Games between computer players "
                "only are kept for a week at most."
            ),
        ),
    ] = None
    holidays: Annotated[
        int,
        Option(
            "--holidays",
            min=0,
            max=366,
            metavar="DAYS",
            help=mark(
                "Days of holiday that each person has a year; their clocks stand still then at turn-based tables. "
                "0: none."
            ),
        ),
    ] = USUAL_DAYS
    smtp: Annotated[
        str,
        Option(
            "--smtp",
            metavar="URL",
            envvar=SMTP,
            show_envvar=False,
            help=mark(
                "Server for outgoing mail, such as smtp://user:password@mail.example:587; you can also set "
                "KONTOR_SMTP in the environment."
            ),
        ),
    ] = ""
    mail_from: Annotated[
        str, Option("--mail-from", metavar="ADDRESS", help=mark("The address that mails come from."))
    ] = ""
    webhooks: Annotated[
        bool,
        Option(
            "--webhooks", help=mark("Let people have notifications posted to a public https address or to Discord.")
        ),
    ] = False
    push_contact: Annotated[
        str,
        Option(
            "--push-contact",
            metavar="URI",
            help=mark("Notify browsers by Web Push; who runs them can reach you at this mailto: or https: address."),
        ),
    ] = ""
    metrics: Annotated[
        str,
        Option(
            "--metrics",
            metavar="ADDRESS:PORT",
            help=mark(
                "Address for Prometheus metrics, such as 127.0.0.1:9464, each further worker on the next "
                "port; keep it private."
            ),
        ),
    ] = ""
    log_style: Annotated[
        Style, Option("--log", help=mark("Log format: plain text, or one JSON object per line."))
    ] = Style.PLAIN
    log_level: Annotated[Level, Option("--log-level", help=mark("Log level; info logs every request."))] = (
        Level.WARNING
    )

    @property
    def public_address(self) -> str:
        """The address in links, if it differs from the one that browsers ask for. Raises a Refusal."""
        return public_url(self.url)

    @property
    def host_names(self) -> tuple[str, ...]:
        """The host names that the server accepts beside those of its machine and network. Raises CannotServe."""
        url = [_host_name(host_of, self.public_address)] if self.url else []
        return (*url, *(_host_name(normalise_host, name) for name in (self.host, *(self.allowed_hosts or ()))))

    @property
    def trusted_proxies(self) -> str:
        """The addresses of trusted proxies in uvicorn's notation. Raises CannotServe.

        uvicorn would ignore an invalid one; then all people would have the address of the proxy, and share the limits
        of one address.
        """
        if self.proxy.strip() in ("", ANYBODY):
            return self.proxy.strip()
        networks = []
        for proxy in self.proxy.split(","):
            try:
                network = ip_network(proxy.strip(), strict=False)
            except ValueError as error:
                reason = "--proxy takes addresses and networks, comma-separated, or *, not “{given}”."
                raise CannotServe("", reason, given=proxy.strip()) from error
            networks.append(str(network))
            if network.version == 4:
                networks.append(
                    f"::ffff:{network.network_address}/{96 + network.prefixlen}"
                )  # on a dual-stack socket
        return ",".join(networks)

    def check(self) -> None:
        """Raise a Refusal if the options contradict each other, or if one of them is no address, host or contact."""
        if self.smtp:
            MailServer.of(self.smtp, self.mail_from)
        if self.push_contact:
            _check_push_contact(self.push_contact)
        if self.workers > 1:
            _check_workers(self.place)
        _ = self.host_names, self.trusted_proxies
        contact = self.security_contact
        if contact and not (contact.startswith(("mailto:", "https://", "tel:")) and contact.isprintable()):
            raise CannotServe(
                "", "A contact begins with mailto:, https:// or tel:, not “{contact}”.", contact=contact
            )


def _check_push_contact(contact: str) -> None:
    """Raise CannotPush if it is no contact for push services, MissingExtra if packages for Web Push are missing."""
    if not contact.startswith(("mailto:", "https://")) or not contact.isprintable():
        raise CannotPush("", "--push-contact begins with mailto: or https://, not “{contact}”.", contact=contact)
    import kontor.notifying.push  # noqa: F401 (an extra, which may be missing)


def _check_workers(place: Place) -> None:
    """Raise CannotServe if a place or the system does not allow several processes."""
    if isinstance(place, Path):
        reason = (
            "A folder can be served by one process only. For several use PostgreSQL (--database); "
            "otherwise leave out --workers."
        )
        raise CannotServe("", reason)
    if os.name != "posix":
        raise CannotServe("", "Several processes can serve together only on Linux and other kinds of Unix.")


def _host_name(read: Callable[[str], str], given: str) -> str:
    try:
        return read(given)
    except ValueError as error:
        raise CannotServe("", "“{given}” is not the name of a host.", given=given) from error
