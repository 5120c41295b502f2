"""Clients' views of a table and their choices: a browser's by its page, a program's by its view.

All that the clients know about the form of frames stands here, most of it in ``Page.take``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, Protocol

import msgspec

from kontor.game import OVER
from kontor.games.dutchman.web import moves as dutchman_moves
from kontor.games.shanghaien.web import moves as shanghaien_moves
from kontor.plugins import games

_MOVE_OF: Final = {"shanghaien": shanghaien_moves.move_of, "dutchman": dutchman_moves.move_of}

_VERSION: Final = 'data-version="'
_LINES: Final = 100_000
"""A page's version is the number of the last line times this, plus the number of the last chat message."""

_FRAGMENT: Final = re.compile(r'<(\w+) data-(?:etag|piece)="\w+"[^>]* id="([^"]+)"')
_MOVE: Final = 'name="move" value="'
_REMATCH: Final = '/rematch"'
_PAYS: Final = re.compile(r'name="pays(\d)"')


class Nothing(Exception):
    """Raised when there is nothing to choose from."""


class Choice(msgspec.Struct, frozen=True):
    """A move: as JSON for the API, and as the fields of a form if it comes from a page."""

    move: bytes
    fields: Mapping[str, str | tuple[str, ...]] = {}


class Screen(Protocol):
    """A client's view of a table. ``number`` is that of the last line that it shows."""

    number: int
    mine: bool
    over: bool

    def take(self, lines: bytes) -> None:
        """Take new content: the lines of an event, or a page."""

    def choose(self, random: Random) -> Choice:
        """Return a move that can be made. Raises Nothing."""


def version_of(text: str) -> int | None:
    """Return the number of the last line that a frame shows, or None if it names none."""
    return next((int(version) // _LINES for version in values_of(text, _VERSION)), None)


def values_of(text: str, marked: str) -> Iterator[str]:
    """Yield the text behind each mark, up to the next quotation mark."""
    at = text.find(marked)
    while at >= 0:
        begin = at + len(marked)
        end = text.index('"', begin)
        yield text[begin:end]
        at = text.find(marked, end)


def fragments_of(page: str) -> tuple[str, dict[str, str]]:
    """Return the text between a page's fragments, and the fragments by their elements, as ``section#ledger``."""
    between, fragments, at = [], {}, 0
    while mark := _FRAGMENT.search(page, at):
        between.append(page[at : mark.start()])
        at = _end(page, mark)
        fragments[f"{mark[1]}#{mark[2]}"] = page[mark.start() : at]
    return "".join([*between, page[at:]]), fragments


def _end(page: str, opening: re.Match[str]) -> int:
    """Return where the opened element ends.

    Fragments are not nested, but they may contain elements of the same kind.
    """
    kind, at, depth = opening[1], opening.end(), 1
    while depth:
        closing = page.index(f"</{kind}>", at)
        depth += page.count(f"<{kind} ", at, closing) + page.count(f"<{kind}>", at, closing) - 1
        at = closing + len(kind) + 3
    return at


class _Layout(msgspec.Struct):
    """The text between the fragments: as a change of the layout before, or as older servers send it, whole."""

    entries: Sequence[tuple[int | str, int | str]] = ()
    between: Sequence[str] = ()
    elements: Sequence[str] = ()

    def since(self, before: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
        """Return the elements of the fragments, each with the text that follows it."""
        if self.between:
            return list(zip(("", *self.elements), self.between, strict=True))
        entries: list[tuple[str, str]] = []
        for first, last in self.entries:
            if isinstance(first, int) and isinstance(last, int):
                entries += before[first : last + 1]
            else:
                entries.append((str(first), str(last)))
        return entries


class _News(msgspec.Struct):
    """An event of a page's stream; servers with which ours is compared may still send ``pieces`` and ``sheet``."""

    head: str
    fragments: dict[str, str] = {}
    layout: _Layout | None = None
    pieces: dict[str, str] = {}
    sheet: _Layout | None = None


class Page:
    """A browser's view. A fragment that did not change is not sent again, so the old one still counts."""

    def __init__(self, game: str) -> None:
        self.number = 0
        self.mine = False
        self.over = False
        self._game = game
        self._between = ""
        self._layout: Sequence[tuple[str, str]] = ()
        self._fragments: dict[str, str] = {}

    def take(self, lines: bytes) -> None:
        """Take an event of the live stream, or the page itself."""
        if lines.startswith(b"<"):
            self._between, self._fragments = fragments_of(lines.decode())
            self._see(self._between)
            return
        _, _, data = lines.rpartition(b"data: ")
        news = msgspec.json.decode(data, type=_News)
        fragments, layout = self._fragments | news.fragments | news.pieces, news.layout or news.sheet
        if layout is not None:
            self._layout = layout.since(self._layout)
            self._between = "".join(text for _, text in self._layout)
            fragments = {element: fragments[element] for element, _ in self._layout if element}
        self._fragments = fragments
        self._see(news.head)

    def _see(self, head: str) -> None:
        self.number = version_of(head) or self.number
        self.mine = 'data-turn="mine"' in head
        self.over = self.over or _REMATCH in self._between

    def choose(self, random: Random) -> Choice:
        """Choose one of the buttons, and fill in the fields that its form needs. Raises Nothing."""
        form = self._between + "".join(self._fragments.values())
        moves = tuple(values_of(form, _MOVE))
        if not moves:
            raise Nothing
        fields: dict[str, str | tuple[str, ...]] = {"move": random.choice(moves)}
        match fields["move"]:
            case "lay":
                fields["shoe"] = _one(random, form, "shoe")
            case "put":
                fields["put"] = tuple(random.sample(tuple(values_of(form, 'name="put" value="')), 2))
            case "show":
                fields["colour"] = _one(random, form, "colour")
            case "sail" | "name":
                fields["to"] = _one(random, form, "to")
            case "propose":
                fields["to"] = _one(random, form, "to")
                for place in dict.fromkeys(_PAYS.findall(form)):
                    fields[f"pays{int(place)}"] = fields[f"gets{int(place)}"] = ""
        joined = {name: value if isinstance(value, str) else " ".join(value) for name, value in fields.items()}
        return Choice(msgspec.json.encode(_MOVE_OF[self._game](joined)), fields)


def _one(random: Random, form: str, name: str) -> str:
    """Return the value of a random field with this name. Raises Nothing."""
    values = tuple(dict.fromkeys(values_of(form, f'name="{name}" value="')))
    if not values:
        raise Nothing
    return random.choice(values)


class _Stands(msgspec.Struct):
    """A game's position for a seat, as the API sends it."""

    number: int
    mover: int
    view: msgspec.Raw
    seat: int | None = None


class _Told(msgspec.Struct):
    """An event of the API's stream, before the game and in it."""

    seen: _Stands | None = None


class Console:
    """A program's view.

    It finds the legal moves itself: they are those of any state that its view could come from.
    """

    def __init__(self, game: str) -> None:
        self.number = 0
        self.mine = False
        self.over = False
        self._game = games()[game]
        self._view = msgspec.Raw()

    def take(self, lines: bytes) -> None:
        """Take an event of the API's stream."""
        _, _, data = lines.rpartition(b"data: ")
        seen = msgspec.json.decode(data, type=_Told).seen
        if seen is not None:
            self._see(seen)

    def look(self, body: bytes) -> int:
        """Take the response to ``GET …/view``; return the mover."""
        stands = msgspec.json.decode(body, type=_Stands)
        self._see(stands)
        return stands.mover

    def _see(self, stands: _Stands) -> None:
        if stands.number >= self.number:
            self.number = stands.number
            self.mine = stands.mover == stands.seat
            self.over = stands.mover == OVER
            self._view = stands.view

    def choose(self, random: Random) -> Choice:
        """Return one of the legal moves, all equally likely. Raises Nothing."""
        if not self.mine:
            raise Nothing
        view: Any = msgspec.json.decode(self._view, type=self._game.view_type)
        moves = self._game.moves(self._game.imagine(view, random.randrange))
        return Choice(msgspec.json.encode(moves[random.randrange(len(moves))]))
