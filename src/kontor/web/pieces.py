"""What a page is put together from, so that a table that hardly changed costs little to draw and little to send.

A *piece* is one element of a page with an id: a card of the row, the ledger, the log's last lines. It is drawn from
its inputs and nothing else: its template knows no table, no visitor and no seat, only what was handed to it, and a
name that it was not given is an error. So the digest of its inputs, its *sign*, says all there is to know of how it
looks: what is drawn once may be shown to everybody for whom it has the same inputs, and a page that has the sign
already need not be sent the piece again. What stands between the pieces is drawn every time, and is kept small.

Inputs come from what the reader may know (a view), so a sign tells nothing more than the page could; addresses, names
of forms and tokens stay between the pieces.
"""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from threading import Lock
from typing import Any, Final

import msgspec
from markupsafe import Markup

_SIGN: Final = 10
"""Digits of a digest that pages carry: 40 bits, enough to tell what an element was from what it is."""

_MOST: Final = 16_000_000
"""Letters of drawn pieces that are kept."""


class Piece(msgspec.Struct, frozen=True):
    """An element ``<tag id="…">`` of a page, not drawn yet. ``about`` are its inputs; ``language`` is one, too."""

    tag: str
    id: str
    template: str
    language: str
    about: Mapping[str, Any]
    digest: str
    """Of all of the above."""
    sign: str
    """How the digest begins: by it a page and its stream tell whether they mean the same."""

    @property
    def shell(self) -> str:
        """Stands for a piece that the page has already."""
        return f'<{self.tag} id="{self.id}" data-same="{self.sign}"></{self.tag}>'


Draw = Callable[[str, str, Mapping[str, Any]], str]
"""``draw(template, language, inputs)``."""


class Drawings:
    """Draws pieces, and keeps those that were asked for last."""

    def __init__(self, draw: Draw, version: str, most: int = _MOST) -> None:
        """``version`` is another whenever templates or words are: pages may outlive a server."""
        self._draw = draw
        self._version = version.encode()
        self._most = most
        self._kept: OrderedDict[str, str] = OrderedDict()
        self._letters = 0
        self._lock = Lock()

    def piece(self, element: str, template: str, language: str, about: Mapping[str, Any]) -> Piece:
        """A piece; ``element`` is its tag and id, as in ``section#ledger``. Raises TypeError for inputs that are no
        plain values."""
        tag, _, id_ = element.partition("#")
        told = msgspec.msgpack.encode((element, template, language, about))
        digest = blake2b(told, digest_size=16, key=self._version).hexdigest()
        return Piece(tag, id_, template, language, about, digest, digest[:_SIGN])

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
    opening = drawn[: drawn.find(">") + 1]
    if not opening.startswith(f"<{piece.tag} ") or f' id="{piece.id}"' not in opening:
        raise ValueError(f"{piece.template} does not draw <{piece.tag} id={piece.id!r}>")
    return f'<{piece.tag} data-piece="{piece.sign}"{drawn[len(piece.tag) + 1 :]}'


# --------------------------------------------------------------------------------------------------------- pages


@dataclass(frozen=True, slots=True)
class Cut:
    """A page, or a part of one, cut into its pieces and what stands between: ``between`` has one more."""

    between: tuple[str, ...]
    pieces: tuple[Piece, ...]
    digest: str
    """Two pages with the same one are the same."""
    drawings: Drawings = field(repr=False)

    @property
    def signs(self) -> str:
        """Of all pieces, one after the other: what a page knows that shows them."""
        return _signs(self.pieces)

    def whole(self) -> str:
        """All of it."""
        return self.since(())

    def since(self, known: Container[str]) -> str:
        """All of it, with a shell for each piece whose sign is ``known``."""
        text = [self.between[0]]
        for piece, after in zip(self.pieces, self.between[1:], strict=True):
            text += (piece.shell if piece.sign in known else self.drawings.text(piece), after)
        return "".join(text)


class Cutter:
    """Collects the pieces of one page while it is drawn: its :meth:`piece` is what templates call."""

    def __init__(self, drawings: Drawings, language: str) -> None:
        self._drawings = drawings
        self._language = language
        self._pieces: list[Piece] = []

    def piece(self, element: str, template: str, /, **about: Any) -> Markup:
        """Leaves a gap for the piece. What people write cannot hold one: nobody can know how gaps look."""
        self._pieces.append(self._drawings.piece(element, template, self._language, about))
        return Markup(_GAP.format(len(self._pieces) - 1))  # noqa: S704

    def cut(self, drawn: str, token: str) -> Cut:
        """The page that was drawn meanwhile. Its forms' ``token`` is another in each answer, and says nothing."""
        parts = _GAPS.split(drawn)
        between, pieces = tuple(parts[::2]), tuple([self._pieces[int(number)] for number in parts[1::2]])
        told = "\0".join([*between, _signs(pieces)]).replace(token, "")
        return Cut(between, pieces, blake2b(told.encode(), digest_size=8).hexdigest(), self._drawings)


def _signs(pieces: Sequence[Piece]) -> str:
    return " ".join([piece.sign for piece in pieces])


_MARK: Final = secrets.token_hex(8)
_GAP: Final = f"\0{_MARK}{{}}\0"
_GAPS: Final = re.compile(f"\0{_MARK}([0-9]+)\0")
