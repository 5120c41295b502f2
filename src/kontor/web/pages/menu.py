"""The menu of all pages: the ways through the site, by their addresses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from kontor.words import Words, mark


class _Entry(NamedTuple):
    """An entry of the menu."""

    address: str
    label: str
    folders: frozenset[str]
    """The first parts of the addresses of its pages; empty for the lobby."""


_ENTRIES: Final = (
    _Entry("/", mark("Play"), frozenset({"", "open", "play", "tables", "invitations", "challenges"})),
    _Entry("/learn", mark("Learn"), frozenset({"learn", "analysis", "records"})),
    _Entry("/puzzles", mark("Puzzles"), frozenset({"puzzles"})),
    _Entry("/tournaments", mark("Tournaments"), frozenset({"tournaments", "seasons"})),
    _Entry("/people", mark("People"), frozenset({"people", "best", "games", "messages", "clubs"})),
    _Entry("/rules", mark("Rules"), frozenset({"rules"})),
)


class MenuEntry(NamedTuple):
    """An entry of the menu, as a page shows it."""

    address: str
    label: str
    current: str
    """The value of ``aria-current``: ``page`` on this very page, ``true`` on one below it; else empty."""


def menu_entries(words: Words, path: str) -> Iterator[MenuEntry]:
    """Yield the entries of the menu for the page at a path; the query does not count."""
    here = urlsplit(path).path
    folder = here.split("/")[1] if here.startswith("/") else ""
    for entry in _ENTRIES:
        current = "page" if here == entry.address else "true" if folder in entry.folders else ""
        yield MenuEntry(entry.address, words.say(entry.label), current)
