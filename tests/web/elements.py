"""Pages parsed as trees of elements, and checks for all pages that a game draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from web.html_reader import HtmlReader

VOID: Final = {"input", "br", "img", "hr", "meta", "link"}
MAY_STAND_OPEN: Final = {"path", "rect", "circle", "ellipse", "use", "polyline", "line", "polygon", "stop"}
"""Shapes without content, written ``<path …/>``."""


class Element:
    """Element of a page; ``page`` lists all elements of that page in order.

    In that list its own descendants come directly after it.
    """

    def __init__(
        self, tag: str, attributes: dict[str, str | None], parent: Element | None, page: list[Element]
    ) -> None:
        self.tag = tag
        self.attributes = attributes
        self.parent = parent
        self.parts: list[Element | str] = []
        self._page = page
        self._first = len(page)
        page.append(self)
        self._after = len(page)

    def __getitem__(self, name: str) -> str:
        return self.attributes.get(name) or ""

    def end(self) -> None:
        """Note that the element is closed: no more elements come into it."""
        self._after = len(self._page)

    def all(self) -> Sequence[Element]:
        return self._page[self._first : self._after]

    def find(self, tag: str, **wanted: str) -> list[Element]:
        return [
            element
            for element in self.all()
            if element.tag == tag and all(element[key] == wanted[key] for key in wanted)
        ]

    @property
    def spoken(self) -> str:
        """Return the text that a screen reader would read aloud."""
        if self["aria-hidden"] == "true":
            return ""
        parts = [part if isinstance(part, str) else part.spoken for part in self.parts]
        return " ".join(" ".join(parts).split())

    @property
    def text(self) -> str:
        """Return all text of the element, read aloud or not."""
        return "".join(part if isinstance(part, str) else part.text for part in self.parts).strip()

    @property
    def classes(self) -> set[str]:
        return set(self["class"].split())


class _Reader(HtmlReader):
    """Parser that insists that every element is closed in its place."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._page: list[Element] = []
        self.root = self.at = Element("page", {}, None, self._page)
        self.feed(text)
        self.close()
        assert self.at is self.root, f"<{self.at.tag}> is not closed"
        self.root.end()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = self._begun(tag, attrs)
        if tag not in VOID:
            self.at = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID | MAY_STAND_OPEN, f"<{tag}/> does not close itself"
        self._begun(tag, attrs)

    def _begun(self, tag: str, attrs: list[tuple[str, str | None]]) -> Element:
        attributes = dict(attrs)
        assert len(attributes) == len(attrs), f"<{tag}> says something twice: {attrs}"
        element = Element(tag, attributes, self.at, self._page)
        self.at.parts.append(element)
        return element

    def handle_endtag(self, tag: str) -> None:
        assert self.at.tag == tag, f"</{tag}> closes <{self.at.tag}>"
        assert self.at.parent is not None
        self.at.end()
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        self.at.parts.append(data)


def read(text: str) -> Element:
    """Return the page as an element that holds all others."""
    return _Reader(text).root


def find(root: Element, **wanted: str) -> list[Element]:
    one_class = wanted.pop("class_", "")
    return [
        element
        for element in root.all()
        if (not one_class or one_class in element.classes) and all(element[name] == wanted[name] for name in wanted)
    ]


def check_sound(root: Element) -> None:
    """Check that ids are unique, controls have names, and a strict content security policy allows everything."""
    ids = Counter(element["id"] for element in root.all() if element["id"])
    assert [name for name, number in ids.items() if number > 1] == []
    labels = {
        element["for"]: element
        for element in root.find("label")
        if element["for"] and element["aria-hidden"] != "true"
    }
    for one in root.all():
        assert one.tag not in ("style", "script", "foreignobject"), one.tag
        assert not [name for name in one.attributes if name == "style" or name.startswith("on")], one.attributes
        assert not [value for value in one.attributes.values() if value and "javascript:" in value], one.attributes
        for name in ("for", "aria-labelledby", "popovertarget"):
            assert not one[name] or one[name] in ids, f"{name} says {one[name]}, which is not there"
        if one.tag == "use":
            assert one["href"].removeprefix("#") in ids, one["href"]
        if one.tag == "svg":
            assert one["aria-hidden"] == "true" or one["aria-label"] or one["aria-labelledby"], one.attributes
        if one.tag in ("h2", "h3", "h4", "th", "a"):
            assert one.spoken, f"<{one.tag}> says nothing: {one.attributes}"
        if one.tag in ("button", "input") and one["type"] != "hidden":
            assert one["id"], f"<{one.tag}> has no id: its focus would be lost when the page is morphed"
        if one.tag == "button":
            hidden = one["aria-hidden"] == "true"
            assert bool(one.spoken) != hidden, f"button {one['id']}: {one.attributes}"
            assert hidden == (one["tabindex"] == "-1"), f"button {one['id']}: {one.attributes}"
        if one.tag == "input" and one["type"] != "hidden":
            label = labels.get(one["id"], one.parent)
            assert label is not None
            assert label.tag == "label", f"input {one['id']} has no label"
            assert label.spoken
