"""What a page is put together from, so that a table that hardly changed costs little to draw and little to send.

A *piece* is one element of a page with an id: a card of the row, the ledger, the log's last lines. It is drawn from
its inputs and nothing else: its template knows no table, no visitor and no seat, only what was handed to it, and a
name that it was not given is an error. So the digest of its inputs, its *sign*, says all there is to know of how it
looks: what is drawn once may be shown to everybody for whom it has the same inputs, and a page that has the sign
already need not be sent the piece again. What stands between the pieces, the *sheet*, is sent again when it has
changed; what changes often is a piece.

Inputs come from what the reader may know (a view), so a sign tells nothing more than the page could; addresses, names
of forms and tokens stay on the sheet.
"""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from threading import Lock
from typing import Any, Final

import msgspec
from markupsafe import Markup

_SIGN: Final = 5
"""Bytes of a digest that pages carry: enough to tell what an element was from what it is."""

_MOST: Final = 5_000_000
"""Letters of drawn pieces that are kept."""


class Piece(msgspec.Struct, frozen=True):
    """An element ``<tag id="…">`` of a page, not drawn yet. ``about`` are its inputs; ``language`` is one, too."""

    element: str
    """Its tag and id, as in ``section#ledger``."""
    template: str
    language: str
    about: Mapping[str, Any]
    digest: bytes
    """Of all of the above."""
    sign: str
    """How the digest begins: by it a page and its stream tell whether they mean the same."""


Draw = Callable[[str, str, Mapping[str, Any]], str]
"""``draw(template, language, inputs)``."""


class Drawings:
    """Draws pieces, and keeps those that were asked for last."""

    def __init__(self, draw: Draw, version: str, most: int = _MOST) -> None:
        """``version`` is another whenever templates or words are: pages may outlive a server."""
        self._draw = draw
        self._version = version.encode()
        self._most = most
        self._kept: OrderedDict[bytes, str] = OrderedDict()
        self._letters = 0
        self._lock = Lock()

    def piece(self, element: str, template: str, language: str, about: Mapping[str, Any]) -> Piece:
        """A piece. Raises TypeError for inputs that are no plain values."""
        told = msgspec.msgpack.encode((element, template, language, about))
        digest = blake2b(told, digest_size=16, key=self._version).digest()
        return Piece(element, template, language, about, digest, digest[:_SIGN].hex())

    def text(self, piece: Piece) -> str:
        """The element, with its sign."""
        with self._lock:
            kept = self._kept.get(piece.digest)
            if kept is not None:
                self._kept.move_to_end(piece.digest)
                return kept
        drawn = _signed(piece, self._draw(piece.template, piece.language, piece.about).strip())
        with self._lock:
            if piece.digest not in self._kept:
                self._kept[piece.digest] = drawn
                self._letters += len(drawn)
            while self._letters > self._most:
                self._letters -= len(self._kept.popitem(last=False)[1])
        return drawn


def _signed(piece: Piece, drawn: str) -> str:
    """Raises ValueError where a template draws something else than it was asked for."""
    tag, _, id_ = piece.element.partition("#")
    opening = drawn[: drawn.find(">") + 1]
    if not opening.startswith(f"<{tag} ") or f' id="{id_}"' not in opening:
        raise ValueError(f"{piece.template} does not draw <{tag} id={id_!r}>")
    return f'<{tag} data-piece="{piece.sign}"{drawn[len(tag) + 1 :]}'


# --------------------------------------------------------------------------------------------------------- pages


_MARK: Final = secrets.token_hex(8)
"""What people write cannot hold a gap: nobody can know how gaps look."""

_GAP: Final = f"\0{_MARK}{{}}\0"
_GAPS: Final = re.compile(f"\0{_MARK}([0-9]+)\0")


@cache
def _gap(what: object) -> Markup:
    """Markup, as it holds nothing that somebody wrote."""
    return Markup(_GAP.format(what))  # noqa: S704


TOKEN: Final = _gap("token")
NUMBER: Final = _gap("number")
"""Where a page's forms have their token, and the number of the last line that it shows. Both are another in each
answer, and are filled in at last: the sheet stays the same."""


class Shown(msgspec.Struct, frozen=True):
    """What a page shows by now, as far as its stream must know: its digest, that of its sheet, and the signs of its
    pieces."""

    digest: str = ""
    sheet: str = ""
    signs: Mapping[str, str] = {}
    """By the pieces' elements."""


NOTHING: Final = Shown()
"""By a page of which nothing is known."""


class Sheet(msgspec.Struct, frozen=True):
    """What stands between the pieces of a page: ``between`` has one more than there are pieces. ``elements``, as
    ``section#ledger``, and ``signs`` are theirs."""

    between: Sequence[str]
    elements: Sequence[str]
    signs: Sequence[str]


class News(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is new for a page. Whatever is not told stays as it is."""

    head: str
    """The page's title, and how it stands; it is always told."""
    number: int
    """Of the last line, for its forms."""
    pieces: Mapping[str, str]
    """Those that are new, by their elements."""
    sheet: Sheet | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """A page, or a part of one, cut into its pieces and its sheet, which is what stands between them."""

    head: str
    """How it begins. It is told anew with everything that is new, so it is kept short."""
    drawn: str
    """The sheet, with a gap for each piece."""
    number: int
    token: Callable[[], str] = field(repr=False)
    pieces: Mapping[str, Piece]
    """By their elements, in the order of their gaps."""
    drawings: Drawings = field(repr=False)

    def shown(self) -> Shown:
        """By whoever shows all of it. Two pages with the same digest are the same."""
        sheet = blake2b("\0".join((self.drawn, *self.pieces)).encode(), digest_size=8).hexdigest()
        signs = {element: piece.sign for element, piece in self.pieces.items()}
        told = " ".join([sheet, self.head, *signs.values()])
        return Shown(blake2b(told.encode(), digest_size=8).hexdigest(), sheet, signs)

    def whole(self) -> str:
        """All of it."""
        between, pieces = self._parts()
        text = [self.head, between[0]]
        for piece, after in zip(pieces, between[1:], strict=True):
            text += (self.drawings.text(piece), after)
        return "".join(text)

    def since(self, before: Shown, now: Shown) -> News:
        """What is new for a page that has shown something before, and is to be as ``now``, which is its own."""
        new = [piece for element, piece in self.pieces.items() if before.signs.get(element) != piece.sign]
        sheet = None
        if now.sheet != before.sheet:
            between, pieces = self._parts()
            sheet = Sheet(between, [piece.element for piece in pieces], [piece.sign for piece in pieces])
        return News(self.head, self.number, {piece.element: self.drawings.text(piece) for piece in new}, sheet)

    def _parts(self) -> tuple[list[str], list[Piece]]:
        """What stands between the pieces, filled in, and the pieces in their order."""
        parts = _GAPS.split(self.drawn.replace(NUMBER, str(self.number)).replace(TOKEN, self.token()))
        pieces = list(self.pieces.values())
        return parts[::2], [pieces[int(place)] for place in parts[1::2]]


class Cutter:
    """Collects the pieces of one page while it is drawn: its :meth:`piece` is what templates call."""

    def __init__(self, drawings: Drawings, language: str) -> None:
        self._drawings = drawings
        self._language = language
        self.pieces: dict[str, Piece] = {}

    def piece(self, element: str, template: str, /, **about: Any) -> Markup:
        """Leaves a gap for the piece."""
        piece = self._drawings.piece(element, template, self._language, about)
        place = len(self.pieces)
        if self.pieces.setdefault(element, piece) is not piece:
            raise ValueError(f"{element} is drawn twice")
        return _gap(place)
