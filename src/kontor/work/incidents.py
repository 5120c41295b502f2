"""Incidents: unexpected events without lasting harm, counted by kind since the process began, and logged rarely."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping
from threading import Lock
from time import monotonic
from typing import Final, Literal, get_args

_LOG = logging.getLogger(__name__)

Incident = Literal["clock jumped ahead", "clock put back", "time from the future"]

_LOGGED_EVERY: Final = 24 * 3600.0
"""Seconds in which at most one incident of a kind is logged."""

_lock: Final = Lock()
_counts: Final[Counter[Incident]] = Counter(dict.fromkeys(get_args(Incident), 0))
_logged_at: Final[dict[Incident, float]] = {}


def note_incident(kind: Incident, message: str) -> None:
    """Count an incident; log the message, unless one of its kind was logged within the day."""
    now = monotonic()
    with _lock:
        _counts[kind] += 1
        if now - _logged_at.get(kind, -_LOGGED_EVERY) < _LOGGED_EVERY:
            return
        _logged_at[kind] = now
    _LOG.warning("%s", message)


def incidents() -> Mapping[Incident, int]:
    """Return how many incidents of each kind there were."""
    with _lock:
        return dict(_counts)
