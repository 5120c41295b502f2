"""The form of response that a request asks for: head alone, JSON or page, compressed or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, cast

_HEAD_ONLY: Final = "kontor.head_only"
"""The key of a scope that marks a HEAD request which is handled as a GET."""

_API: Final = "/api/"


def as_get(scope: Mapping[str, Any]) -> dict[str, Any]:
    """Return the scope of a HEAD request as that of the GET for the same answer."""
    return {**scope, "method": "GET", _HEAD_ONLY: True}


def is_head_only(scope: object) -> bool:
    """Return True if only the head of the response is wanted: nobody sees the page then."""
    return _HEAD_ONLY in cast("Mapping[str, Any]", scope)


def accepts_gzip(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Return True if the ``Accept-Encoding`` of raw request headers allows gzip (RFC 9110, 12.5.3)."""
    weights = dict(_weighted(headers, b"accept-encoding"))
    return weights.get("gzip", weights.get("*", 0.0)) > 0


def wants_json(path: str, headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Return True if a refusal should be JSON: in the API, and for clients that accept JSON but no HTML."""
    if path.startswith(_API):
        return True
    accepted = {kind for kind, weight in _weighted(headers, b"accept") if weight > 0}
    return "application/json" in accepted and "text/html" not in accepted


def _weighted(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> Iterator[tuple[str, float]]:
    """Yield the items of a header's list with their weights; an item with an unreadable weight has none."""
    for key, value in headers:
        if key == name:
            for item in value.decode("latin-1").lower().split(","):
                kind, *parameters = (part.strip() for part in item.split(";"))
                yield kind, _weight(parameters)


def _weight(parameters: Iterable[str]) -> float:
    for parameter in parameters:
        key, _, value = parameter.partition("=")
        if key.strip() == "q":
            try:
                return float(value)
            except ValueError:
                return 0.0
    return 1.0
