"""What the clients see of a table, and what they choose to do: a browser by its page, a program by its view.

Whatever the form of frames is known to the clients stands here, most of it in ``version_of`` and ``Page.take``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Final, Protocol

import msgspec

from kontor.game import OVER
from kontor.games import GAMES
from kontor.web.games import dutchman_moves, shanghaien_moves

_MOVE_OF: Final = {"shanghaien": shanghaien_moves.move_of, "dutchman": dutchman_moves.move_of}

_VERSION: Final = b'data-version="'
_LINES: Final = 100_000
"""A page's version is the number of the last line times this, and the number of what was last said."""

_PIECE: Final = re.compile(rb'<(\w+) data-piece="([\w-]+)"|<\w+ id="[^"]*" data-same="([\w-]+)">')
_FIELD: Final = b' name="'
_MOVE: Final = b'name="move" value="'
_REMATCH: Final = b'/rematch"'
_PAYS: Final = re.compile(rb'name="pays(\d)"')


class Nothing(Exception):
    """There is nothing to choose from."""


class Choice(msgspec.Struct, frozen=True):
    """A move: as the fields of a form, where a page was looked at, and as JSON for the API."""

    move: bytes
    fields: Mapping[str, str | tuple[str, ...]] = {}


class Screen(Protocol):
    """What somebody sees. ``number`` is that of the last line that it shows."""

    number: int
    mine: bool
    over: bool

    def take(self, lines: bytes) -> None:
        """Something new to be shown: the lines of an event, or a page."""

    def choose(self, random: Random) -> Choice:
        """A move that can be made. Raises Nothing."""


def version_of(lines: bytes) -> int | None:
    """The number of the last line that a frame shows, or None if it says nothing of it."""
    at = lines.find(_VERSION)
    if at < 0:
        return None
    begin = at + len(_VERSION)
    return int(lines[begin : lines.index(b'"', begin)]) // _LINES


def values_of(lines: bytes, marked: bytes) -> Iterator[str]:
    """What stands behind each mark, up to the next quotation mark."""
    at = lines.find(marked)
    while at >= 0:
        begin = at + len(marked)
        end = lines.index(b'"', begin)
        yield lines[begin:end].decode()
        at = lines.find(marked, end)


def pieces_of(lines: bytes, kept: Mapping[bytes, bytes]) -> dict[bytes, bytes]:
    """A frame's pieces by their signs, and under no sign what stands between them: as far as they have fields. Of a
    piece that the page has already only an empty shell is sent, and it is as it was kept."""
    found, between, at = {}, [], 0
    for mark in _PIECE.finditer(lines):
        between.append(lines[at : mark.start()])
        if mark[3]:
            found[mark[3]] = kept.get(mark[3], b"")
            at = mark.end()
        else:
            at = _end(lines, mark)
            piece = lines[mark.start() : at]
            found[mark[2]] = piece if _FIELD in piece else b""
    found[b""] = b"".join(text for text in (*between, lines[at:]) if _FIELD in text)
    return found


def _end(lines: bytes, opening: re.Match[bytes]) -> int:
    """Where the element ends that is opened there: no piece lies within another, but elements of its kind may."""
    kind, at, depth = opening[1], opening.end(), 1
    while depth:
        closing = lines.index(b"</" + kind + b">", at)
        depth += lines.count(b"<" + kind + b" ", at, closing) + lines.count(b"<" + kind + b">", at, closing) - 1
        at = closing + len(kind) + 3
    return at


class Page:
    """A browser's. A piece that did not change is not sent again, so what was there still counts."""

    def __init__(self, game: str) -> None:
        self.number = 0
        self.mine = False
        self.over = False
        self._game = game
        self._pieces: dict[bytes, bytes] = {}

    def take(self, lines: bytes) -> None:
        """An event of the live stream, or the page itself."""
        number = version_of(lines)
        if number is None or number < self.number:
            return
        self.number = number
        self.mine = b'data-turn="mine"' in lines
        self.over = self.over or _REMATCH in lines
        self._pieces = pieces_of(lines, self._pieces)

    def choose(self, random: Random) -> Choice:
        """Presses one of the buttons, with what the form wants to be filled in."""
        form = b"".join(self._pieces.values())
        moves = tuple(values_of(form, _MOVE))
        if not moves:
            raise Nothing
        fields: dict[str, str | tuple[str, ...]] = {"move": random.choice(moves)}
        match fields["move"]:
            case "lay":
                fields["shoe"] = _one(random, form, "shoe")
            case "put":
                fields["put"] = tuple(random.sample(tuple(values_of(form, b'name="put" value="')), 2))
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


def _one(random: Random, form: bytes, name: str) -> str:
    """What one of the fields with this name says. Raises Nothing."""
    there = tuple(dict.fromkeys(values_of(form, f'name="{name}" value="'.encode())))
    if not there:
        raise Nothing
    return random.choice(there)


class _Stands(msgspec.Struct):
    """How a game stands for a seat, as the API tells it."""

    number: int
    mover: int
    view: msgspec.Raw
    seat: int | None = None


class _Told(msgspec.Struct):
    """An event of the API's stream, before the game and in it."""

    seen: _Stands | None = None


class Console:
    """A program's. It finds the legal moves itself: they are those of any state that its view could come from."""

    def __init__(self, game: str) -> None:
        self.number = 0
        self.mine = False
        self.over = False
        self._game = GAMES[game]
        self._view = msgspec.Raw()

    def take(self, lines: bytes) -> None:
        """An event of the API's stream."""
        _, _, data = lines.rpartition(b"data: ")
        told = msgspec.json.decode(data, type=_Told).seen
        if told is not None:
            self._see(told)

    def look(self, body: bytes) -> int:
        """The answer to ``GET …/view``; the mover."""
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
        """One of the legal moves, all equally likely."""
        if not self.mine:
            raise Nothing
        view: Any = msgspec.json.decode(self._view, type=self._game.view_type)
        moves = self._game.moves(self._game.imagine(view, random.randrange))
        return Choice(msgspec.json.encode(moves[random.randrange(len(moves))]))
