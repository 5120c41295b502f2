"""Cursors: where the next page of a list begins, as text in an address."""

from __future__ import annotations

from kontor.storage.ids import is_id

Cursor = tuple[int, str]
"""The time and the id of the last entry of a page."""


def parse_cursor(text: str) -> Cursor | None:
    """Return the cursor that a text holds; None for other text, such as an empty one."""
    since, _, last = text.partition("-")
    is_time = since.isascii() and since.isdigit() and len(since) < 16
    return (int(since), last) if is_time and is_id(last) else None


def cursor_text(cursor: Cursor | None) -> str:
    """Return the cursor as text, empty where no page follows."""
    return "-".join(map(str, cursor)) if cursor else ""
