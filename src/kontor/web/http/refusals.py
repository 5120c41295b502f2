"""The HTTP status and the message of each refusal."""

from __future__ import annotations

from math import ceil
from typing import Final

from kontor.errors import (
    BadCode,
    BadInvitation,
    BadLink,
    BadPasskey,
    Conflict,
    Malformed,
    NoClub,
    NoConversation,
    NoHint,
    NoRecord,
    NoSeat,
    NoTable,
    NotAllowed,
    NotNow,
    NotYourTurn,
    SeatTaken,
    StoodIn,
    TooMany,
    Unreadable,
)
from kontor.game import Refusal
from kontor.storage.errors import StorageFailure
from kontor.web.http.limits import RateLimited
from kontor.web.pages.refused import Refused, rule_url
from kontor.words import Words

TURNED_DOWN: Final = (Refusal, RateLimited)
"""Exceptions that refuse a form."""

_SECONDS: Final = 30
"""The longest wait that is told in seconds; longer ones are told in minutes."""

_STORAGE_RETRY: Final = 60
"""Seconds after which to try again if the database refused."""

_STATUS: Final[tuple[tuple[type[Exception], int], ...]] = (
    (NoTable, 404),
    (NoSeat, 404),
    (NoRecord, 404),
    (NoConversation, 404),
    (NoClub, 404),
    (BadCode, 403),
    (BadInvitation, 403),
    (BadPasskey, 403),
    (BadLink, 410),
    (NotAllowed, 403),
    (Conflict, 409),
    (SeatTaken, 409),
    (NotNow, 409),
    (NotYourTurn, 409),
    (StoodIn, 409),
    (Malformed, 400),
    (TooMany, 429),
    (RateLimited, 429),
    (StorageFailure, 503),
    (Unreadable, 503),
    (NoHint, 503),
)


def status_of(refusal: Refusal | RateLimited) -> int:
    """Return the HTTP status of a refusal; 422 if a game's rules refuse."""
    return next((status for kind, status in _STATUS if isinstance(refusal, kind)), 422)


def retry_after(refusal: Refusal | RateLimited) -> int:
    """Return the seconds to wait before trying again; 0 if waiting does not help."""
    if isinstance(refusal, RateLimited):
        return refusal.seconds
    return _STORAGE_RETRY if isinstance(refusal, StorageFailure) else 0


def describe_refusal(words: Words, game: str, refusal: Refusal | RateLimited) -> Refused:
    """Return a refusal in the visitor's language, with a link to its rule."""
    if isinstance(refusal, RateLimited):
        return Refused(_too_quick(words, refusal.seconds), seconds=refusal.seconds)
    sentence = words.reason(refusal)
    is_numbered = refusal.rule[:1].isalpha() and refusal.rule[1:2].isdigit()
    url = rule_url(game, refusal.rule) if is_numbered else ""
    return Refused(sentence, refusal.rule if is_numbered else "", url)


def _too_quick(words: Words, seconds: int) -> str:
    if seconds <= _SECONDS:
        return words.count("Too fast. Try again in a second.", "Too fast. Try again in {n} seconds.", seconds)
    minutes = ceil(seconds / 60)
    return words.count("Too fast. Try again in a minute.", "Too fast. Try again in {n} minutes.", minutes)
