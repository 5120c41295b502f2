"""``kontor serve``: a server on a port, until it is told to end."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from kontor.command_options import DATABASE, Data, Database, place_from, translated
from kontor.game import Refusal
from kontor.notifying import MailServer
from kontor.table.storage import make_empty, open_storage
from kontor.thinking.thinkers import usual_number
from kontor.visible_text import visible
from kontor.web.http.hosts import host_of, plain
from kontor.web.live.hub import MOST_STREAMS
from kontor.web.operation import logs
from kontor.web.server.public_url import public_url
from kontor.web.server.serving import ANYBODY, ServeOptions, check_push_contact, serve_place
from kontor.web.server.workers import Workers
from kontor.words import Words, mark

PORT: Final = 1729
"""The year in which the ghost ship sails."""

SMTP: Final = "KONTOR_SMTP"
"""The environment variable that can hold the address of the mail server, with its password."""

MOST_PORT: Final = 65535

MOST_THINKERS: Final = 256

MOST_WORKERS: Final = 64

MOST_DAYS: Final = 36500

LONGEST_SILENCE: Final = 20
"""Seconds after which a connection is given up if the client acknowledges none of the data sent."""


class CannotServe(Refusal):
    """The reason why a server can't be opened to others."""


def serve(
    host: Annotated[
        str,
        typer.Option(
            "--host", metavar="ADDRESS", help=mark("Address to listen on; 0.0.0.0 accepts the whole network.")
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            "--port", min=0, max=MOST_PORT, metavar="NUMBER", help=mark("Port to listen on; 0 picks a free one.")
        ),
    ] = PORT,
    data: Data = None,
    database: Database = "",
    empty: Annotated[
        bool,
        typer.Option(
            "--start-empty",
            help=mark(
                "Start an empty server where the folder holds files of an earlier one, but no database; they are "
                "kept under other names."
            ),
        ),
    ] = False,
    workers: Annotated[
        int,
        typer.Option(
            "--workers",
            min=1,
            max=MOST_WORKERS,
            metavar="NUMBER",
            help=mark(
                "Number of processes that serve a PostgreSQL database, each on its own port, from --port upwards."
            ),
        ),
    ] = 1,
    address: Annotated[
        str,
        typer.Option(
            "--url",
            metavar="URL",
            help=mark("Public address for invitation links, if it differs: scheme, host and port, without a path."),
        ),
    ] = "",
    allowed: Annotated[
        list[str] | None,
        typer.Option(
            "--allowed-host",
            metavar="NAME",
            help=mark("Another name under which people reach the server; can be given several times."),
        ),
    ] = None,
    contact: Annotated[
        str,
        typer.Option(
            "--security-contact",
            metavar="URI",
            help=mark(
                "Whom to tell about a security problem, such as mailto:me@games.example; published as security.txt."
            ),
        ),
    ] = "",
    proxy: Annotated[
        str,
        typer.Option(
            "--proxy",
            metavar="ADDRESSES",
            help=mark("Proxies whose X-Forwarded headers are trusted, comma-separated."),
        ),
    ] = "127.0.0.1",
    thinkers: Annotated[
        int,
        typer.Option(
            "--thinkers",
            min=1,
            max=MOST_THINKERS,
            metavar="NUMBER",
            show_default=False,
            help=mark("Processes for computer players, per serving process; default: cores minus one."),
        ),
    ] = usual_number(),
    streams: Annotated[
        int,
        typer.Option(
            "--streams",
            min=1,
            metavar="NUMBER",
            help=mark("Open table pages per process (live updates); each takes about 100 KB."),
        ),
    ] = MOST_STREAMS,
    keep: Annotated[
        int | None,
        typer.Option(
            "--keep",
            min=1,
            max=MOST_DAYS,
            metavar="DAYS",
            help=mark(
                "How many days to keep finished games; default: for ever. Games between computer players "
                "only are kept for a week at most."
            ),
        ),
    ] = None,
    smtp: Annotated[
        str,
        typer.Option(
            "--smtp",
            metavar="URL",
            envvar=SMTP,
            show_envvar=False,
            help=mark(
                "Server for outgoing mail, such as smtp://user:password@mail.example:587; you can also set "
                "KONTOR_SMTP in the environment."
            ),
        ),
    ] = "",
    sender: Annotated[
        str, typer.Option("--mail-from", metavar="ADDRESS", help=mark("The address that mails come from."))
    ] = "",
    webhooks: Annotated[
        bool,
        typer.Option(
            "--webhooks", help=mark("Let people have notifications posted to a public https address or to Discord.")
        ),
    ] = False,
    push_contact: Annotated[
        str,
        typer.Option(
            "--push-contact",
            metavar="URI",
            help=mark("Notify browsers by Web Push; who runs them can reach you at this mailto: or https: address."),
        ),
    ] = "",
    figures: Annotated[
        str,
        typer.Option(
            "--metrics",
            metavar="ADDRESS:PORT",
            help=mark(
                "Address for Prometheus metrics, such as 127.0.0.1:9464, each further worker on the next "
                "port; keep it private."
            ),
        ),
    ] = "",
    style: Annotated[
        logs.Style, typer.Option("--log", help=mark("Log format: plain text, or one JSON object per line."))
    ] = logs.Style.PLAIN,
    level: Annotated[
        logs.Level, typer.Option("--log-level", help=mark("Log level; info logs every request."))
    ] = logs.Level.WARNING,
) -> None:
    """Open a server for playing in the browser; end on Ctrl-C or SIGTERM. Raises Refusal."""
    logs.begin(style, level)
    place = place_from(data, database)
    for secret in (DATABASE, SMTP):
        os.environ.pop(secret, None)  # the processes that think need not know it
    if smtp:
        MailServer.of(smtp, sender)
    if push_contact:
        check_push_contact(push_contact)
    if workers > 1 and isinstance(place, Path):
        reason = (
            "A folder can be served by one process only. For several use PostgreSQL (--database); "
            "otherwise leave out --workers."
        )
        raise CannotServe("", reason)
    if workers > 1 and os.name != "posix":
        raise CannotServe("", "Several processes can serve together only on Linux and other kinds of Unix.")
    address = public_url(address)
    names = _names(host, address, allowed or ())
    if contact and not (contact.startswith(("mailto:", "https://", "tel:")) and contact.isprintable()):
        raise CannotServe("", "A contact begins with mailto:, https:// or tel:, not “{contact}”.", contact=contact)
    proxies = _proxies(proxy)
    options = ServeOptions(
        address=address,
        hosts=names,
        contact=contact,
        proxy=proxies,
        style=style,
        level=level,
        streams=streams,
        thinkers=thinkers,
        figures=figures,
        keep=keep,
        smtp=smtp,
        sender=sender,
        webhooks=webhooks,
        push_contact=push_contact,
    )
    with ExitStack() as open_:
        listening = [open_.enter_context(_listening(host, port and port + number)) for number in range(workers)]

        if empty:
            make_empty(place)

        def ready() -> None:
            for said in [address] if address else [_address(host, line) for line in listening]:
                print(said, flush=True)  # noqa: T201

        if isinstance(place, str) and workers > 1:
            open_storage(place).close()  # an error is reported once, and here
            Workers(place, listening, options).run(ready)
        else:
            serve_place(place, listening[0], options, ready)


def _names(host: str, address: str, allowed: Sequence[str]) -> tuple[str, ...]:
    """Return the host names that the server accepts beside those of its machine and network. Raises CannotServe."""
    url = [_name(host_of, address)] if address else []
    return (*url, *(_name(plain, name) for name in (host, *allowed)))


def _proxies(given: str) -> str:
    """Return the addresses of trusted proxies in uvicorn's notation. Raises CannotServe.

    uvicorn would ignore an invalid one; then all people would have the address of the proxy, and share the limits of
    one address.
    """
    if given.strip() in ("", ANYBODY):
        return given.strip()
    networks = []
    for proxy in given.split(","):
        try:
            network = ip_network(proxy.strip(), strict=False)
        except ValueError as error:
            reason = "--proxy takes addresses and networks, comma-separated, or *, not “{given}”."
            raise CannotServe("", reason, given=proxy.strip()) from error
        networks.append(str(network))
        if network.version == 4:
            networks.append(f"::ffff:{network.network_address}/{96 + network.prefixlen}")  # on a dual-stack socket
    return ",".join(networks)


def _name(read: Callable[[str], str], given: str) -> str:
    try:
        return read(given)
    except ValueError as error:
        raise CannotServe("", "“{given}” is not the name of a host.", given=given) from error


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens. Raises CannotServe."""
    if port > MOST_PORT:
        raise CannotServe("", "There are ports up to {most}; choose another with --port.", most=MOST_PORT)
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM)
    except OSError as error:
        raise CannotServe("", "There is no address “{host}” on this machine.", host=host) from error
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            # Connections inherit it. Without it one whose client acknowledges nothing would stay open for ever.
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, LONGEST_SILENCE * 1000)
        listening.bind((host, port))
        listening.listen(512)
    except OSError as error:
        listening.close()
        reason = "Port {port} on {host} is not available ({why}). Choose another with --port."
        raise CannotServe("", reason, port=port, host=host, why=(error.strerror or str(error)).lower()) from error
    return listening


def _address(host: str, listening: socket.socket) -> str:
    port = listening.getsockname()[1]
    if host in ("0.0.0.0", "::"):  # noqa: S104 (it is the user who listens there)
        host = "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def main(arguments: Sequence[str], words: Words) -> int:
    """Serve; print a refusal as a sentence. Return the exit code."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(
        help=mark("Start a server for playing in the browser. Ctrl-C stops it; games go on when it starts again."),
        epilog=mark("\b\nExamples:\n  kontor serve\n  kontor serve --port 8000 --data ./kontor-data"),
    )(serve)
    command: Any = translated(typer.main.get_command(app), words)
    for option in command.params:  # containers are configured by their environment rather than by arguments
        option.envvar = option.envvar or f"KONTOR_{option.opts[0].removeprefix('--').replace('-', '_').upper()}"
    try:
        command.main(list(arguments), prog_name="kontor serve", standalone_mode=False)
    except Refusal as refusal:
        print(visible(words.refuse(refusal)), file=sys.stderr)  # noqa: T201
        return 1
    return 0
