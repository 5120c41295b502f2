"""A server on a port, until it is told to end."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from typing import Final

from kontor.server.options import MOST_PORT, CannotServe, ServeOptions
from kontor.server.serving import serve_place
from kontor.server.workers import Workers
from kontor.storage import make_empty, open_storage
from kontor.web.operation import logs

LONGEST_SILENCE: Final = 20
"""Seconds after which a connection is given up if the client acknowledges none of the data sent."""


def serve(options: ServeOptions) -> None:
    """Open a server for playing in the browser; end on Ctrl-C or SIGTERM. Raises Refusal."""
    logs.begin(options.log_style, options.log_level)
    place = options.place
    options.check()
    with ExitStack() as open_:
        listening = [
            open_.enter_context(_listening(options.host, options.port and options.port + number))
            for number in range(options.workers)
        ]
        if options.start_empty:
            make_empty(place)
        addresses = [options.public_address] if options.url else [_address(options.host, line) for line in listening]

        def ready() -> None:
            print(*addresses, sep="\n", flush=True)  # noqa: T201

        if isinstance(place, str) and options.workers > 1:
            open_storage(place).close()  # an error is reported once, and here
            Workers(place, listening, options).run(ready)
        else:
            serve_place(place, listening[0], options, ready)


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
