"""Pages in fragments, so that a table that hardly changed costs little to render and little to send.

A *fragment* is one element of a page with an id: a card of the row, the ledger, the last lines of the log. It is
rendered from its inputs alone: its template knows no table, no visitor and no seat, only its inputs. A missing name
is an error. So the digest of its inputs, its *etag*, determines how it looks. A rendered fragment may be shown to
everyone who has the same inputs, and is not sent again to a page that has the etag. The *layout*, the text between
the fragments, is sent again when it has changed; parts that change often are fragments.

Inputs come from what the reader may know (a view), so an etag reveals no more than the page. A form's token is no
input: fragments and the layout have a gap in its place.
"""

from __future__ import annotations

import re
import secrets
from array import array
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from threading import Lock
from typing import Any, Final

import msgspec

from kontor.web.base_path import rebase_html

_ETAG_BYTES: Final = 5
"""Bytes of a digest that pages carry: enough to tell whether an element has changed."""

_encoded: Final = msgspec.msgpack.Encoder().encode

_MOST: Final = 5_000_000
"""Maximum number of letters of rendered fragments in the cache."""


class Fragment(msgspec.Struct, frozen=True):
    """An element ``<tag id="…">`` of a page, not rendered yet. Its inputs are ``about`` and ``language``."""

    element: str
    """Its tag and id, as in ``section#ledger``."""
    template: str
    language: str
    about: Mapping[str, Any]
    digest: bytes
    """The digest of all of the above."""
    etag: str
    """The beginning of the digest: a page and its stream compare it."""


Render = Callable[[str, str, Mapping[str, Any]], str]
"""``draw(template, language, inputs)``."""


class FragmentCache:
    """A renderer of fragments that caches those used last."""

    def __init__(self, draw: Render, version: str, most: int = _MOST) -> None:
        """Take the function that renders.

        ``version`` changes with templates and catalogues, because pages may outlive a server.
        """
        self._draw = draw
        self._version = blake2b(version.encode(), digest_size=blake2b.PERSON_SIZE).digest()
        self._most = most
        self._cached: OrderedDict[bytes, str] = OrderedDict()
        self._letters = 0
        self._lock = Lock()

    def fragment(self, element: str, template: str, language: str, about: Mapping[str, Any]) -> Fragment:
        """Return a fragment with its digest. Raises TypeError for inputs that are no plain values."""
        encoded = _encoded((element, template, language, about))
        digest = blake2b(encoded, digest_size=16, person=self._version).digest()
        return Fragment(element, template, language, about, digest, digest[:_ETAG_BYTES].hex())

    def text(self, fragment: Fragment) -> str:
        """Return the rendered element, with its etag, and with gaps for tokens."""
        with self._lock:
            cached = self._cached.get(fragment.digest)
            if cached is not None:
                self._cached.move_to_end(fragment.digest)
                return cached
        drawn = _with_etag(fragment, self._draw(fragment.template, fragment.language, fragment.about).strip())
        with self._lock:
            if fragment.digest not in self._cached:
                self._cached[fragment.digest] = drawn
                self._letters += len(drawn)
            while self._letters > self._most:
                self._letters -= len(self._cached.popitem(last=False)[1])
        return drawn


def _with_etag(fragment: Fragment, drawn: str) -> str:
    """Return the rendered element with its etag. Raises ValueError if the template renders another element."""
    tag, _, id_ = fragment.element.partition("#")
    opening = drawn[: drawn.find(">") + 1]
    if not opening.startswith(f"<{tag} ") or f' id="{id_}"' not in opening:
        raise ValueError(f"{fragment.template} does not draw <{tag} id={id_!r}>")
    return f'<{tag} data-etag="{fragment.etag}"{drawn[len(tag) + 1 :]}'


# --------------------------------------------------------------------------------------------------------- pages


_MARK: Final = secrets.token_hex(8)
"""A random mark of gaps, so that people can't write text that looks like a gap."""

_GAP: Final = f"\0{_MARK}{{}}\0"
_GAPS: Final = re.compile(f"\0{_MARK}([0-9]+)\0")


@cache
def _gap(name: object) -> str:
    """Return a gap, cached. It holds no character that needs to be escaped."""
    return _GAP.format(name)


TOKEN: Final = _gap("token")
NUMBER: Final = _gap("number")
"""The gaps for the token of a page's forms, and for the number of the last line that it shows. Both differ in each
response and are filled in last: so the layout stays the same."""


class PageState(msgspec.Struct, frozen=True):
    """The state of a page as its stream needs it: the digests of the page and of its layout, and the etags."""

    digest: str = ""
    layout: str = ""
    etags: Mapping[str, str] = {}
    """The etags of the fragments by their elements."""
    entries: array[int] = array("q")
    """The hashes of the layout's entries, for this process alone; empty if its stream has sent none of them."""


NOTHING_SHOWN: Final = PageState()
"""The state of an unknown page."""


Entry = tuple[str, str]
"""An entry of a layout: the element of a fragment, as ``section#ledger``, and the text that follows it.

The element of the first entry is empty: its text stands before all fragments.
"""


class PageLayout(msgspec.Struct, frozen=True, omit_defaults=True):
    """The text between the fragments of a page, as a change of the layout that the page has.

    A pair of numbers stands for the entries with these indexes, first and last, of the layout before.
    """

    entries: Sequence[Entry | tuple[int, int]]
    etags: Mapping[str, str] = {}
    """The etags of all fragments, if the page has no layout yet."""


class PageUpdate(msgspec.Struct, frozen=True, omit_defaults=True):
    """The changes of a page. Parts that are missing here stay as they are."""

    head: str
    """The page's title and state; it is always sent."""
    number: int
    """The number of the last line, for the page's forms."""
    fragments: Mapping[str, str]
    """The changed fragments, by their elements."""
    layout: PageLayout | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A page, or a part of one, divided into its fragments and the layout between them."""

    head: str
    """The beginning. It is sent again with every change, so it is short."""
    drawn: str
    """The layout, with a gap for each fragment."""
    number: int
    token: Callable[[], str] = field(repr=False)
    fragments: Mapping[str, Fragment]
    """The fragments by their elements, in the order of their gaps."""
    cache: FragmentCache = field(repr=False)
    base_path: str = ""
    """The server's base path, which is written before addresses as the page leaves."""

    def state(self) -> PageState:
        """Return the state of a page that shows all of it. Pages with the same digest are the same."""
        layout = blake2b("\0".join((self.drawn, *self.fragments)).encode(), digest_size=8).hexdigest()
        etags = {element: fragment.etag for element, fragment in self.fragments.items()}
        text = " ".join([layout, self.head, *etags.values()])
        return PageState(blake2b(text.encode(), digest_size=8).hexdigest(), layout, etags)

    def html(self) -> str:
        """Return the whole page as HTML, for a reader."""
        return rebase_html(self.__html__(), self.base_path)

    def __html__(self) -> str:
        """Return the page as HTML, for a template that shows it as a part."""
        between, fragments = self._parts()
        text = [self.head, between[0]]
        for fragment, after in zip(fragments, between[1:], strict=True):
            text += (self.cache.text(fragment), after)
        return "".join(text).replace(NUMBER, str(self.number)).replace(TOKEN, self.token())

    def since(self, before: PageState, now: PageState) -> tuple[PageUpdate, PageState]:
        """Return what changes between the state ``before`` of a page and ``now``, the state of this page.

        The second is the state to give as ``before`` the next time.
        """
        new = [fragment for element, fragment in self.fragments.items() if before.etags.get(element) != fragment.etag]
        changed = {fragment.element: self._for_reader(self.cache.text(fragment)) for fragment in new}
        layout, entries = None, before.entries
        if now.layout != before.layout:
            layout, entries = self._layout_since(before)
        state = msgspec.structs.replace(now, entries=entries)
        return PageUpdate(self._for_reader(self.head), self.number, changed, layout), state

    def _layout_since(self, before: PageState) -> tuple[PageLayout, array[int]]:
        """Return the layout as a change of the one before, and the hashes of its entries."""
        between, fragments = self._parts()
        elements = ["", *[fragment.element for fragment in fragments]]
        entries = list(zip(elements, between, strict=True))
        hashes = array("q", map(hash, entries))
        places = {hashed: place for place, hashed in enumerate(before.entries)}
        changes: list[Entry | tuple[int, int]] = []
        run: tuple[int, int] | None = None
        for (element, text), hashed in zip(entries, hashes, strict=True):
            place = places.get(hashed)
            if run is not None and place == run[1] + 1:
                changes[-1] = run = (run[0], place)
                continue
            run = None if place is None else (place, place)
            changes.append(run or (element, self._for_reader(text)))
        etags = {} if before.entries else {fragment.element: fragment.etag for fragment in fragments}
        return PageLayout(changes, etags), hashes

    def _for_reader(self, text: str) -> str:
        """Return a part of the page with what its forms carry, and with addresses below the base path."""
        if _MARK in text:
            text = text.replace(NUMBER, str(self.number)).replace(TOKEN, self.token())
        return rebase_html(text, self.base_path)

    def _parts(self) -> tuple[list[str], list[Fragment]]:
        """Return the texts between the fragments, with gaps in forms, and the fragments in their order."""
        parts = _GAPS.split(self.drawn)
        fragments = list(self.fragments.values())
        return parts[::2], [fragments[int(place)] for place in parts[1::2]]


class PageBuilder:
    """The fragments of one page, collected while it is rendered: templates call its :meth:`fragment`."""

    def __init__(self, cache: FragmentCache, language: str) -> None:
        self._fragment_cache = cache
        self._language = language
        self.fragments: dict[str, Fragment] = {}

    def fragment(self, element: str, template: str, /, **about: Any) -> str:
        """Add a fragment; return the gap for it. Raises ValueError if the element is there already."""
        fragment = self._fragment_cache.fragment(element, template, self._language, about)
        place = len(self.fragments)
        if self.fragments.setdefault(element, fragment) is not fragment:
            raise ValueError(f"{element} is drawn twice")
        return _gap(place)
