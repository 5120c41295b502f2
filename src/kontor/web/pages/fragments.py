"""What a page is put together from, so that a table that hardly changed costs little to draw and little to send.

A *fragment* is one element of a page with an id: a card of the row, the ledger, the log's last lines. It is drawn
from its inputs and nothing else: its template knows no table, no visitor and no seat, only what was handed to it, and
a name that it was not given is an error. So the digest of its inputs, its *etag*, says all there is to know of how it
looks: what is drawn once may be shown to everybody for whom it has the same inputs, and a page that has the etag
already need not be sent the fragment again. What stands between the fragments, the *layout*, is sent again when it
has changed; what changes often is a fragment.

Inputs come from what the reader may know (a view), so an etag tells nothing more than the page could. A form's token
is no input: where it stands there is a gap, in fragments as in the layout.
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

_ETAG_BYTES: Final = 5
"""Bytes of a digest that pages carry: enough to tell what an element was from what it is."""

_encoded: Final = msgspec.msgpack.Encoder().encode

_MOST: Final = 5_000_000
"""Letters of drawn fragments that are kept."""


class Fragment(msgspec.Struct, frozen=True):
    """An element ``<tag id="…">`` of a page, not drawn yet. ``about`` are its inputs; ``language`` is one, too."""

    element: str
    """Its tag and id, as in ``section#ledger``."""
    template: str
    language: str
    about: Mapping[str, Any]
    digest: bytes
    """Of all of the above."""
    etag: str
    """How the digest begins: by it a page and its stream tell whether they mean the same."""


Render = Callable[[str, str, Mapping[str, Any]], str]
"""``draw(template, language, inputs)``."""


class FragmentCache:
    """Draws fragments, and keeps those that were asked for last."""

    def __init__(self, draw: Render, version: str, most: int = _MOST) -> None:
        """``version`` is another whenever templates or words are: pages may outlive a server."""
        self._draw = draw
        self._version = blake2b(version.encode(), digest_size=blake2b.PERSON_SIZE).digest()
        self._most = most
        self._kept: OrderedDict[bytes, str] = OrderedDict()
        self._letters = 0
        self._lock = Lock()

    def fragment(self, element: str, template: str, language: str, about: Mapping[str, Any]) -> Fragment:
        """A fragment. Raises TypeError for inputs that are no plain values."""
        told = _encoded((element, template, language, about))
        digest = blake2b(told, digest_size=16, person=self._version).digest()
        return Fragment(element, template, language, about, digest, digest[:_ETAG_BYTES].hex())

    def text(self, fragment: Fragment) -> str:
        """The element, with its etag; with gaps for tokens."""
        with self._lock:
            kept = self._kept.get(fragment.digest)
            if kept is not None:
                self._kept.move_to_end(fragment.digest)
                return kept
        drawn = _with_etag(fragment, self._draw(fragment.template, fragment.language, fragment.about).strip())
        with self._lock:
            if fragment.digest not in self._kept:
                self._kept[fragment.digest] = drawn
                self._letters += len(drawn)
            while self._letters > self._most:
                self._letters -= len(self._kept.popitem(last=False)[1])
        return drawn


def _with_etag(fragment: Fragment, drawn: str) -> str:
    """Raises ValueError where a template draws something else than it was asked for."""
    tag, _, id_ = fragment.element.partition("#")
    opening = drawn[: drawn.find(">") + 1]
    if not opening.startswith(f"<{tag} ") or f' id="{id_}"' not in opening:
        raise ValueError(f"{fragment.template} does not draw <{tag} id={id_!r}>")
    return f'<{tag} data-etag="{fragment.etag}"{drawn[len(tag) + 1 :]}'


# --------------------------------------------------------------------------------------------------------- pages


_MARK: Final = secrets.token_hex(8)
"""What people write cannot hold a gap: nobody can know how gaps look."""

_GAP: Final = f"\0{_MARK}{{}}\0"
_GAPS: Final = re.compile(f"\0{_MARK}([0-9]+)\0")


@cache
def _gap(what: object) -> str:
    """Nothing in it needs to be escaped."""
    return _GAP.format(what)


TOKEN: Final = _gap("token")
NUMBER: Final = _gap("number")
"""Where a page's forms have their token, and the number of the last line that it shows. Both are another in each
answer, and are filled in at last: the layout stays the same."""


class PageState(msgspec.Struct, frozen=True):
    """What a page shows by now, as far as its stream must know: its digest, that of its layout, and the etags of its
    fragments."""

    digest: str = ""
    layout: str = ""
    etags: Mapping[str, str] = {}
    """By the fragments' elements."""


NOTHING_SHOWN: Final = PageState()
"""By a page of which nothing is known."""


class PageLayout(msgspec.Struct, frozen=True):
    """What stands between the fragments of a page: ``between`` has one more than there are fragments. ``elements``,
    as ``section#ledger``, and ``etags`` are theirs."""

    between: Sequence[str]
    elements: Sequence[str]
    etags: Sequence[str]


class PageUpdate(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is new for a page. Whatever is not told stays as it is."""

    head: str
    """The page's title, and how it stands; it is always told."""
    number: int
    """Of the last line, for its forms."""
    fragments: Mapping[str, str]
    """Those that are new, by their elements."""
    layout: PageLayout | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A page, or a part of one, divided into its fragments and its layout, which is what stands between them."""

    head: str
    """How it begins. It is told anew with everything that is new, so it is kept short."""
    drawn: str
    """The layout, with a gap for each fragment."""
    number: int
    token: Callable[[], str] = field(repr=False)
    fragments: Mapping[str, Fragment]
    """By their elements, in the order of their gaps."""
    cache: FragmentCache = field(repr=False)

    def shown(self) -> PageState:
        """By whoever shows all of it. Two pages with the same digest are the same."""
        layout = blake2b("\0".join((self.drawn, *self.fragments)).encode(), digest_size=8).hexdigest()
        etags = {element: fragment.etag for element, fragment in self.fragments.items()}
        told = " ".join([layout, self.head, *etags.values()])
        return PageState(blake2b(told.encode(), digest_size=8).hexdigest(), layout, etags)

    def html(self) -> str:
        """The whole page as HTML."""
        between, fragments = self._parts()
        text = [self.head, between[0]]
        for fragment, after in zip(fragments, between[1:], strict=True):
            text += (self.cache.text(fragment), after)
        return "".join(text).replace(TOKEN, self.token())

    def since(self, before: PageState, now: PageState) -> PageUpdate:
        """What is new for a page that has shown something before, and is to be as ``now``, which is its own."""
        new = [fragment for element, fragment in self.fragments.items() if before.etags.get(element) != fragment.etag]
        layout = None
        if now.layout != before.layout:
            between, fragments = self._parts()
            layout = PageLayout(
                [self._with_token(text) for text in between],
                [fragment.element for fragment in fragments],
                [fragment.etag for fragment in fragments],
            )
        told = {fragment.element: self._with_token(self.cache.text(fragment)) for fragment in new}
        return PageUpdate(self.head, self.number, told, layout)

    def _with_token(self, text: str) -> str:
        return text.replace(TOKEN, self.token()) if TOKEN in text else text

    def _parts(self) -> tuple[list[str], list[Fragment]]:
        """What stands between the fragments, with gaps for tokens, and the fragments in their order."""
        parts = _GAPS.split(self.drawn.replace(NUMBER, str(self.number)))
        fragments = list(self.fragments.values())
        return parts[::2], [fragments[int(place)] for place in parts[1::2]]


class PageBuilder:
    """Collects the fragments of one page while it is drawn: its :meth:`fragment` is what templates call."""

    def __init__(self, cache: FragmentCache, language: str) -> None:
        self._fragment_cache = cache
        self._language = language
        self.fragments: dict[str, Fragment] = {}

    def fragment(self, element: str, template: str, /, **about: Any) -> str:
        """Leaves a gap for the fragment."""
        fragment = self._fragment_cache.fragment(element, template, self._language, about)
        place = len(self.fragments)
        if self.fragments.setdefault(element, fragment) is not fragment:
            raise ValueError(f"{element} is drawn twice")
        return _gap(place)
