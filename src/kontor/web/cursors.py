"""Cursors: where the next page of a list begins, as text in an address."""

from __future__ import annotations

Cursor = tuple[int, str]
"""The time and the id of the last entry of a page."""


def parse_cursor(text: str) -> Cursor | None:
    """Return the cursor that a text holds; None for other text, such as an empty one."""
    since, _, last = text.partition("-")
    return (int(since), last) if since.isascii() and since.isdigit() and len(since) < 16 else None


def cursor_text(cursor: Cursor | None) -> str:
    """Return the cursor as text, empty where no page follows."""
    return "-".join(map(str, cursor)) if cursor else ""
