"""``kontor serve``: a house on a port, until it is told to end."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, Final

import typer
import uvicorn

from kontor.commands import translated
from kontor.game import Refusal
from kontor.table import House, Machines
from kontor.thinking import Thinkers
from kontor.thinking.thinkers import usual_number
from kontor.web.app import application
from kontor.web.live import Hub
from kontor.web.operation import logs, metrics
from kontor.web.operation.sampler import Sampler
from kontor.words import Words, mark

PORT: Final = 1729
"""The year in which the Dutchman sails."""

MOST_THINKERS: Final = 256

_GRACE: Final = 2
"""Seconds that answers which have begun are given to end."""


class CannotServe(Refusal):
    """Why a house cannot be opened to others."""


def data_folder() -> Path:
    """Where the house is kept if nothing else is said."""
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "kontor"


def serve(
    host: Annotated[
        str,
        typer.Option("--host", metavar="ADDRESS", help=mark("Where to listen; 0.0.0.0 lets the whole network in.")),
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option("--port", min=0, max=65535, metavar="NUMBER", help=mark("On which port; 0 takes a free one.")),
    ] = PORT,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="FOLDER",
            show_default="~/.local/share/kontor",
            help=mark("Where people, tables and games are kept; one house a folder."),
        ),
    ] = None,
    address: Annotated[
        str,
        typer.Option(
            "--url",
            metavar="URL",
            help=mark("The address in links to friends, if others reach the house by another."),
        ),
    ] = "",
    proxy: Annotated[
        str,
        typer.Option(
            "--proxy", metavar="ADDRESSES", help=mark("Whose X-Forwarded headers are believed, with commas between.")
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
            help=mark("In how many processes machine players think; if nothing is said, one for each core but one."),
        ),
    ] = usual_number(),
    figures: Annotated[
        str,
        typer.Option(
            "--metrics",
            metavar="ADDRESS:PORT",
            help=mark("Where Prometheus finds figures, like 127.0.0.1:9464; not for strangers."),
        ),
    ] = "",
    style: Annotated[
        logs.Style, typer.Option("--log", help=mark("How the log looks: for people, or an object of JSON a line."))
    ] = logs.Style.PLAIN,
    level: Annotated[
        logs.Level, typer.Option("--log-level", help=mark("How much is logged; info tells of each request."))
    ] = logs.Level.WARNING,
) -> None:
    """Opens a house where people play in the browser; ends on Ctrl-C or SIGTERM. Raises Refusal."""
    logs.begin(style, level)
    folder = data or data_folder()
    if address and not address.startswith(("http://", "https://")):
        raise CannotServe("", "An address begins with http:// or https://, not “{address}”.", address=address)
    with (
        _listening(host, port) as listening,
        Thinkers(thinkers) as thinking,
        House.open(folder) as house,
        Machines(house, thinking.submit),
        _shown(figures, house, hub := Hub(), thinking),
    ):
        config = uvicorn.Config(
            application(house, thinking, address=address, hub=hub),
            log_config=None,
            access_log=False,  # addresses of pages hold invitations
            server_header=False,
            lifespan="off",
            ws="none",
            proxy_headers=True,
            forwarded_allow_ips=proxy,
            timeout_graceful_shutdown=_GRACE,
            timeout_keep_alive=30,
        )
        _Server(config, hub, address or _address(host, listening)).run(sockets=[listening])


@contextmanager
def _shown(at: str, house: House, hub: Hub, thinkers: Thinkers) -> Iterator[None]:
    """The figures, if somebody wants them. Raises CannotShow."""
    if at:
        with metrics.shown(at, thinkers), Sampler(house, hub):
            yield
    else:
        yield


class _Server(uvicorn.Server):
    """Says where it is as soon as it listens, and lets go of all streams when it is to end."""

    def __init__(self, config: uvicorn.Config, hub: Hub, address: str) -> None:
        super().__init__(config)
        self._hub = hub
        self._address = address

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listens, and prints the address as the first line."""
        await super().startup(sockets)
        if self.started:
            print(self._address, flush=True)  # noqa: T201

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """SIGTERM or Ctrl-C."""
        super().handle_exit(sig, frame)
        self._hub.close()

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serves until it is told to end. Afterwards the signal has done its work and must not kill us."""
        before = {number: signal.signal(number, _done) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            super().run(sockets)
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _done(number: int, frame: FrameType | None) -> None:
    """uvicorn raises the signal once more when it has ended."""


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises CannotServe."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM)
    except OSError as error:
        raise CannotServe("", "There is no address “{host}” on this machine.", host=host) from error
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(512)
    except OSError as error:
        listening.close()
        reason = "Port {port} of {host} cannot be had ({why}). Choose another with --port."
        raise CannotServe("", reason, port=port, host=host, why=(error.strerror or str(error)).lower()) from error
    return listening


def _address(host: str, listening: socket.socket) -> str:
    port = listening.getsockname()[1]
    if host in ("0.0.0.0", "::"):  # noqa: S104 (it is the user who listens there)
        host = "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def main(arguments: Sequence[str], words: Words) -> int:
    """Serves; whatever stands in the way is said in a sentence. Returns the exit code."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(
        help=mark("Open a house where people play in the browser. Ctrl-C ends it; games go on when it opens again."),
        epilog=mark("\b\nExamples:\n  kontor serve\n  kontor serve --port 8000 --data ./house"),
    )(serve)
    command: Any = translated(typer.main.get_command(app), words)
    try:
        command.main(list(arguments), prog_name="kontor serve", standalone_mode=False)
    except Refusal as refusal:
        print(words.refuse(refusal), file=sys.stderr)  # noqa: T201
        return 1
    return 0
