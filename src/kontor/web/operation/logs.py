"""The log: a line for each notable event, for people or for programs, on the standard error output.

A log is read, stored and sent to others with less care than a database. So it holds no tokens, names, addresses, ids
of tables, request bodies, and nothing of a game:

- of an error, the log gives the kind and the place, never the message, which can quote hidden data;
- beside its sentence a line holds the ``FIELDS``, and no other fields that a caller may have added;
- of a library's record, the log gives the first line of the template, without the values for its gaps.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from datetime import UTC, datetime
from enum import StrEnum
from time import monotonic
from types import TracebackType
from typing import Any, ClassVar, Final

import msgspec

from kontor.work.failures import safe_traceback

FIELDS: Final = ("method", "route", "status", "milliseconds", "error", "count")
"""Fields of a line besides its sentence; callers give it as ``extra``."""

THROTTLE: Final = 60.0
"""Seconds between two log lines about the same event, where strangers can cause it."""

_OURS: Final = "kontor"
_LONGEST: Final = 300

_LOG = logging.getLogger("kontor.web")


class Style(StrEnum):
    """The format of log lines."""

    PLAIN = "plain"
    JSON = "json"


class Level(StrEnum):
    """Level of logging.

    The levels add to each other: what broke; what is unusual; each request; the records of libraries.
    """

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    DEBUG = "debug"


def begin(style: Style, level: Level) -> None:
    """Set the style and the level of all log lines, also those of exceptions that nobody caught."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Json() if style is Style.JSON else Plain())
    root, ours = logging.getLogger(), logging.getLogger(_OURS)
    root.handlers[:] = [handler]
    ours.setLevel(level.upper())
    # Below that level libraries log each statement and each connection.
    root.setLevel(logging.DEBUG if level is Level.DEBUG else max(logging.WARNING, ours.level))
    sys.excepthook = _log_uncaught
    threading.excepthook = lambda failed: _log_uncaught(failed.exc_type, failed.exc_value, failed.exc_traceback)
    sys.unraisablehook = lambda failed: _log_uncaught(failed.exc_type, failed.exc_value, failed.exc_traceback)


def _log_uncaught(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    _LOG.critical("nobody caught it", extra={"error": safe_traceback(error) if error else kind.__name__})


class Plain(logging.Formatter):
    """The format for people."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as one line."""
        fields = " ".join(f"{name}={value}" for name, value in _fields(record).items())
        return f"{record.levelname} {record.name}: {_event(record)}{fields and f' ({fields})'}"


class Json(logging.Formatter):
    """The format for programs: one object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as one line."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "event": _event(record),
            "worker": os.getpid(),
            **_fields(record),
        }
        return msgspec.json.encode(line).decode()


def _event(record: logging.LogRecord) -> str:
    is_own = record.name.partition(".")[0] == _OURS
    message = record.getMessage() if is_own else str(record.msg).strip().partition("\n")[0]
    return " ".join(message.split())[:_LONGEST]


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    fields: dict[str, Any] = {name: record.__dict__[name] for name in FIELDS if name in record.__dict__}
    if record.exc_info and record.exc_info[1]:
        fields["error"] = safe_traceback(record.exc_info[1])
    return fields


class ThrottledLine:
    """A log line about an event that strangers can cause as often as they like.

    It is written the first time, and then at most once a minute, with the number of events since.
    """

    _all: ClassVar[list[ThrottledLine]] = []

    def __init__(self, log: logging.Logger, level: int, event: str) -> None:
        self._log = log
        self._level = level
        self._event = event
        self.count = 0
        """The number of events since the last line."""
        self._written = -THROTTLE
        ThrottledLine._all.append(self)

    def happened(self) -> None:
        """Count an event, and write the line if it is due."""
        self.count += 1
        self._write_if_due()

    def _write_if_due(self) -> None:
        if monotonic() - self._written >= THROTTLE:
            self._write()

    def _write(self) -> None:
        if self.count:
            count, self.count, self._written = self.count, 0, monotonic()
            self._log.log(self._level, self._event, extra={"count": count})

    @classmethod
    def write_due(cls) -> None:
        """Write the lines that are due.

        The server calls this now and then, so that the end of a flood is logged too.
        """
        for line in cls._all:
            line._write_if_due()

    @classmethod
    def write_all(cls) -> None:
        """Write all lines with unlogged events, when the process ends."""
        for line in cls._all:
            line._write()
