"""The log: a line for each thing worth telling, for people or for programs, on the standard error output.

A log is read, kept and sent to others with less care than a database. So it holds no tokens, names, addresses, ids of
tables, nothing that was sent, and nothing of a game:

- of an error the kind and the place are told, never its message, which can quote what is hidden;
- beside its sentence a line holds the ``FIELDS``, and nothing else that somebody may have added;
- of what libraries say, the first line is told as it was written, without what was to fill its gaps.
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
"""What a line may hold besides its sentence; whoever logs gives it as ``extra``."""

THROTTLE: Final = 60.0
"""Seconds between two lines of the log about the same thing, where strangers can bring it about."""

_OURS: Final = "kontor"
_LONGEST: Final = 300

_LOG = logging.getLogger("kontor.web")


class Style(StrEnum):
    """How lines of the log look."""

    PLAIN = "plain"
    JSON = "json"


class Level(StrEnum):
    """How much is told: only what broke; what is odd as well; also each request; also what libraries think of."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    DEBUG = "debug"


def begin(style: Style, level: Level) -> None:
    """From now on all lines are of that style, also those of what broke where nobody caught it."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Json() if style is Style.JSON else Plain())
    root, ours = logging.getLogger(), logging.getLogger(_OURS)
    root.handlers[:] = [handler]
    ours.setLevel(level.upper())
    # Libraries tell of each statement and each connection below that.
    root.setLevel(logging.DEBUG if level is Level.DEBUG else max(logging.WARNING, ours.level))
    sys.excepthook = _uncaught
    threading.excepthook = lambda failed: _uncaught(failed.exc_type, failed.exc_value, failed.exc_traceback)
    sys.unraisablehook = lambda failed: _uncaught(failed.exc_type, failed.exc_value, failed.exc_traceback)


def _uncaught(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    _LOG.critical("nobody caught it", extra={"error": safe_traceback(error) if error else kind.__name__})


class Plain(logging.Formatter):
    """For whoever sits before it."""

    def format(self, record: logging.LogRecord) -> str:
        """One record as one line."""
        fields = " ".join(f"{name}={value}" for name, value in _fields(record).items())
        return f"{record.levelname} {record.name}: {_event(record)}{fields and f' ({fields})'}"


class Json(logging.Formatter):
    """For programs: one object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """One record as one line."""
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
    ours = record.name.partition(".")[0] == _OURS
    said = record.getMessage() if ours else str(record.msg).strip().partition("\n")[0]
    return " ".join(said.split())[:_LONGEST]


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    fields: dict[str, Any] = {name: record.__dict__[name] for name in FIELDS if name in record.__dict__}
    if record.exc_info and record.exc_info[1]:
        fields["error"] = safe_traceback(record.exc_info[1])
    return fields


class ThrottledLine:
    """A line for what strangers can bring about as often as they like. It is written the first time, and then once a
    minute at most, with how often it has happened since."""

    _all: ClassVar[list[ThrottledLine]] = []

    def __init__(self, log: logging.Logger, level: int, event: str) -> None:
        self._log = log
        self._level = level
        self._event = event
        self.count = 0
        """How often it has happened since the last line."""
        self._written = -THROTTLE
        ThrottledLine._all.append(self)

    def happened(self) -> None:
        """Counts one more, and writes the line if it is due."""
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
        """Whoever serves calls this now and then, so that the last of a flood is told as well."""
        for line in cls._all:
            line._write_if_due()

    @classmethod
    def write_all(cls) -> None:
        """What has not been told when the process ends."""
        for line in cls._all:
            line._write()
