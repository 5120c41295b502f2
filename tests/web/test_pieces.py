"""Pieces of pages: drawn from their inputs and nothing else, shown to all for whom these are the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from jinja2 import UndefinedError

from kontor.web.pieces import TOKEN, Cut, Cutter, Drawings, Sheet
from kontor.web.render import Pages
from kontor.web.sessions import Visitor, nobody


class Drawer:
    """Draws a paragraph, and remembers of whom."""

    def __init__(self, most: int = 1000) -> None:
        self.drawn: list[tuple[str, Mapping[str, Any]]] = []
        self.drawings = Drawings(self.draw, "1", most)

    def draw(self, template: str, language: str, about: Mapping[str, Any]) -> str:
        self.drawn.append((language, about))
        return f'\n<p class="x" id="{template}">{language}: {about["of"]}</p>\n'

    def page(self, language: str, token: str = "", **pieces: Any) -> Cut:
        cutter = Cutter(self.drawings, language)
        drawn = " | ".join([TOKEN, *(cutter.piece(f"p#{id_}", id_, of=of) for id_, of in pieces.items())])
        return Cut("", drawn, 1, lambda: token, cutter.pieces, self.drawings)


def signs(cut: Cut) -> list[str]:
    return [piece.sign for piece in cut.pieces.values()]


def test_a_piece_is_drawn_once_for_all_who_see_the_same_of_it() -> None:
    drawer = Drawer()
    anna, bernd = drawer.page("en", table="green", hand="A"), drawer.page("en", table="green", hand="B")
    assert "en: A" in anna.whole()
    assert "en: B" in bernd.whole()
    assert [about["of"] for _, about in drawer.drawn] == ["green", "A", "B"]
    assert "de: green" in drawer.page("de", table="green").whole(), "another language is another piece"


def test_only_what_a_page_has_not_is_sent() -> None:
    drawer = Drawer()
    before = drawer.page("en", a=1, b=2).shown()
    after = drawer.page("en", a=1, b=3)
    news = after.since(before, after.shown())
    (told,) = news.pieces.items()
    assert told == ("p#b", f'<p data-piece="{after.pieces["p#b"].sign}" class="x" id="b">en: 3</p>')
    assert news.sheet is None
    more = drawer.page("en", "secret", a=1, b=3, c=4)
    news = more.since(after.shown(), more.shown())
    assert [*news.pieces] == ["p#c"]
    assert news.sheet == Sheet(["secret | ", " | ", " | ", ""], ["p#a", "p#b", "p#c"], signs(more))


def test_a_piece_in_another_language_is_not_what_it_was_before() -> None:
    drawer = Drawer()
    english, german = drawer.page("en", a=1).shown(), drawer.page("de", a=1)
    assert [*german.since(english, german.shown()).pieces] == ["p#a"]


def test_two_pages_are_the_same_but_for_their_token() -> None:
    drawer = Drawer()
    assert drawer.page("en", "one", a=1).shown() == drawer.page("en", "two", a=1).shown()
    assert drawer.page("en", "one", a=1).shown().digest != drawer.page("en", "one", a=2).shown().digest


@pytest.mark.parametrize(("one", "other"), [(1, "1"), (1, True), ("", None), (("a", "b"), ("ab",)), (("1",), "1")])
def test_inputs_that_are_drawn_otherwise_have_other_signs(one: object, other: object) -> None:
    drawer = Drawer()
    assert signs(drawer.page("en", a=one)) != signs(drawer.page("en", a=other))


def test_few_are_kept_and_the_others_are_drawn_again() -> None:
    drawer = Drawer(most=200)
    for of in (*range(20), 0):
        drawer.page("en", a=of).whole()
    assert len(drawer.drawn) == 21
    drawer.page("en", a=0).whole()
    assert len(drawer.drawn) == 21


def test_a_template_that_draws_another_element_and_inputs_that_are_no_values_are_mistakes() -> None:
    drawer = Drawer()
    cutter = Cutter(drawer.drawings, "en")
    with pytest.raises(ValueError, match="does not draw"):
        drawer.drawings.text(drawer.drawings.piece("section#a", "a", "en", {"of": 1}))
    with pytest.raises(TypeError):
        cutter.piece("p#a", "a", of=lambda: 1)
    cutter.piece("p#a", "a", of=1)
    with pytest.raises(ValueError, match="twice"):
        cutter.piece("p#a", "a", of=2)


def test_what_people_write_is_no_gap() -> None:
    drawer = Drawer()
    cutter = Cutter(drawer.drawings, "en")
    cutter.piece("p#a", "a", of="secret")
    written = "\0a0\0 \0" + "0" * 16 + "0\0 \0" + "0" * 16 + "token\0"
    assert Cut("", written, 1, lambda: "token", cutter.pieces, drawer.drawings).whole() == written


def test_a_piece_knows_nothing_but_its_inputs() -> None:
    pages, visitor = Pages(), Visitor(nobody, "session", "en", "", "", False, "/", False)
    with pytest.raises(UndefinedError):
        pages._draw("settings.html", "en", {})
    assert visitor.token not in pages._draw("table/said.html", "en", {"part": 0, "lines": ()})
