"""The operator's requests about people.

If the server is not running, they work on its data directly. If a folder is being served, they go to the process that
serves it, for only that may write there. That process listens on a socket in the folder, which leads to no network.
It answers only its own user, and root.
"""

from __future__ import annotations

import logging
import os
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any, Final

import msgspec

from kontor.accounts.values import ActInfo, PersonInfo, ReportInfo
from kontor.clubs.values import ClubSummary
from kontor.game import Refusal, Value
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.storage.errors import InUse
from kontor.words import mark
from kontor.work.failures import safe_traceback
from kontor.work.loops import Loop

_LOG = logging.getLogger(__name__)

SOCKET: Final = "kontor.sock"

_LONGEST: Final = 64 * 1024
"""The most bytes of a request."""

_WAITS: Final = 10
"""Seconds within which a request has to arrive."""

_ANSWER_TIMEOUT: Final = 300
"""Seconds that a running server has for its answer: deleting a person takes a while."""

_ACCEPT_TIMEOUT: Final = 1.0
"""Seconds after which the loop shows that it is alive while nobody connects."""

_MOST_CALLERS: Final = 8
"""The most callers that are answered at the same time."""

_ROOT: Final = 0

_NOT_UNDERSTOOD: Final = mark("The running server is of another version: restart it first.")
_NO_ANSWER: Final = mark("The running server did not answer. Try again, or stop it first.")
_FAILED: Final = mark("Something went wrong in the running server; its log says more.")


class Find(Value, frozen=True, tag=True):
    """Find people whose name contains or looks like the text."""

    text: str


class Rename(Value, frozen=True, tag=True):
    """Give another name to a person."""

    person: str
    name: str


class Suspend(Value, frozen=True, tag=True):
    """Keep a person from signing in."""

    person: str


class Restore(Value, frozen=True, tag=True):
    """Let a suspended person sign in again."""

    person: str


class HandCode(Value, frozen=True, tag=True):
    """Make a code with which a person who has lost everything else signs in once."""

    person: str


class Delete(Value, frozen=True, tag=True):
    """Delete a person's account."""

    person: str


class Reports(Value, frozen=True, tag=True):
    """List the reports, with ``handled`` those already handled too."""

    handled: bool


class Handle(Value, frozen=True, tag=True):
    """Mark a report as handled."""

    report: str


class FindClubs(Value, frozen=True, tag=True):
    """Find clubs whose name or line contains the text."""

    text: str


class CloseClub(Value, frozen=True, tag=True):
    """Close a club."""

    club: str


class Acts(Value, frozen=True, tag=True):
    """List the acts about people."""


Request = Find | Rename | Suspend | Restore | HandCode | Delete | Reports | Handle | FindClubs | CloseClub | Acts
Found = (
    tuple[PersonInfo, ...] | tuple[ReportInfo, ...] | tuple[ClubSummary, ...] | tuple[ActInfo, ...] | tuple[str, ...]
)


class _Answer(Value, frozen=True):
    """Result of a request as JSON, or the reason why it was refused."""

    found: msgspec.Raw = msgspec.Raw(b"[]")
    rule: str = ""
    reason: str = ""
    details: dict[str, str | int | float] = {}  # noqa: RUF012 (msgspec copies it)


_FOUND: Final[dict[type[Request], Any]] = {
    Find: tuple[PersonInfo, ...],
    HandCode: tuple[str, ...],
    Reports: tuple[ReportInfo, ...],
    FindClubs: tuple[ClubSummary, ...],
    Acts: tuple[ActInfo, ...],
}


def do(service: KontorServer, request: Request) -> Found:
    """Carry out the request; return what was found if it was a query. Raises Refusal."""
    match request:
        case Find(text):
            return service.operating.find(text)
        case Rename(person, name):
            service.operating.rename(person, name)
        case Suspend(person):
            service.operating.suspend(person)
        case Restore(person):
            service.operating.restore(person)
        case HandCode(person):
            return (service.operating.hand_code(person),)
        case Delete(person):
            service.leaving.remove(person)
        case Reports(handled):
            return service.operating.reports(handled=handled)
        case Handle(report):
            service.operating.handle(report)
        case FindClubs(text):
            return service.operating.clubs(text)
        case CloseClub(club):
            service.operating.close_club(club)
        case Acts():
            return service.operating.acts()
    return ()


# ------------------------------------------------------------------------------------------------------------- asking


def ask(place: Place, request: Request) -> Found:
    """Carry out the request at a server, whether it is running or not. Raises Refusal."""
    served = _connected(place)
    if served is None:
        with KontorServer.open(place) as service:
            return do(service, request)
    with served:
        served.settimeout(_ANSWER_TIMEOUT)
        try:
            served.sendall(msgspec.json.encode(request) + b"\n")
            with served.makefile("rb") as answered:
                line = answered.readline()
        except OSError as error:
            raise InUse("", _NO_ANSWER) from error
    try:
        answer = msgspec.json.decode(line, type=_Answer)
        result: Found = msgspec.json.decode(answer.found, type=_FOUND.get(type(request), tuple[()]))
    except msgspec.DecodeError as error:  # another version, or the server was just ending
        raise InUse("", _NO_ANSWER) from error
    if answer.reason:
        raise Refusal(answer.rule, answer.reason, **answer.details)
    return result


def _connected(place: Place) -> socket.socket | None:
    """Return a connection to the process that serves a folder, if one listens."""
    if not isinstance(place, Path) or not hasattr(socket, "AF_UNIX"):
        return None
    asking = socket.socket(socket.AF_UNIX)
    try:
        asking.connect(str(place / SOCKET))
    except (FileNotFoundError, ConnectionRefusedError):
        asking.close()
        return None
    except OSError:
        asking.close()
        raise
    return asking


# ---------------------------------------------------------------------------------------------------------- listening


@contextmanager
def listening(place: Place, service: KontorServer) -> Iterator[None]:
    """Answer the operator's requests while the block lasts, if this process alone has a folder."""
    listener = _listener(place / SOCKET) if isinstance(place, Path) and hasattr(socket, "AF_UNIX") else None
    if listener is None:
        yield
        return
    with _OperatorSocket(listener, service):
        yield


def _listener(path: Path) -> socket.socket | None:
    """Return a socket that listens at the path, or None if the system refuses.

    The caller holds the folder's lock, so an existing socket was left by a process that was killed.
    """
    listener = socket.socket(socket.AF_UNIX)
    before = os.umask(0o177)
    try:
        path.unlink(missing_ok=True)
        listener.bind(str(path))
        listener.listen()
    except OSError as error:  # the path is too long, or the folder's file system has no sockets
        _LOG.warning("kontor people has to wait until this server ends: %s", error)
        listener.close()
        return None
    finally:
        os.umask(before)
    return listener


class _OperatorSocket(Loop):
    """Loop that answers the operator's requests. Each caller has a thread, so that a silent one delays no other."""

    def __init__(self, listener: socket.socket, service: KontorServer) -> None:
        super().__init__("operator")
        self._listener = listener
        self._service = service
        self._callers: list[Thread] = []
        listener.settimeout(_ACCEPT_TIMEOUT)

    def stop(self, timeout: float = _WAITS) -> None:
        """Stop listening, and remove the socket."""
        super().stop(timeout)
        Path(self._listener.getsockname()).unlink(missing_ok=True)
        self._listener.close()

    def once(self) -> float:
        """Accept the next caller, if there is one soon; return the seconds until the next call."""
        self._callers = [thread for thread in self._callers if thread.is_alive()]
        if len(self._callers) >= _MOST_CALLERS:
            return _ACCEPT_TIMEOUT
        try:
            caller, _ = self._listener.accept()
        except TimeoutError:
            return 0.0
        thread = Thread(target=self._serve, args=(caller,), name="operator's request", daemon=True)
        try:
            thread.start()
        except BaseException:
            caller.close()
            raise
        self._callers.append(thread)
        return 0.0

    def _serve(self, caller: socket.socket) -> None:
        """Answer one request."""
        with caller, suppress(OSError):  # a caller that has gone needs no answer
            caller.settimeout(_WAITS)
            if _is_allowed(caller):
                with caller.makefile("rb") as sent:
                    line = sent.readline(_LONGEST)
                caller.sendall(msgspec.json.encode(_answer(self._service, line)) + b"\n")


def _is_allowed(asking: socket.socket) -> bool:
    """Return True if the caller is this process's user, or root.

    If the system does not tell, the mode of the socket's file has to suffice.
    """
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    credentials = asking.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    _, user, _ = struct.unpack("3i", credentials)
    return user in (os.geteuid(), _ROOT)


def _plain(details: dict[str, object]) -> dict[str, str | int | float]:
    return {name: value if isinstance(value, int | float) else str(value) for name, value in details.items()}


def _answer(service: KontorServer, line: bytes) -> _Answer:
    try:
        request = msgspec.json.decode(line, type=Request)
        return _Answer(msgspec.Raw(msgspec.json.encode(do(service, request))))
    except Refusal as refusal:
        return _Answer(rule=refusal.rule, reason=refusal.reason, details=_plain(refusal.details))
    except msgspec.DecodeError:
        return _Answer(reason=_NOT_UNDERSTOOD)
    except Exception as error:  # noqa: BLE001 (the server goes on; what it says may quote a secret)
        _LOG.error("a request of the operator failed", extra={"error": safe_traceback(error)})
        return _Answer(reason=_FAILED)
