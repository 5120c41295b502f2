"""Fragments of pages: drawn from their inputs alone, and shared by all readers with the same inputs."""

from collections.abc import Mapping
from operator import itemgetter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment, UndefinedError

from kontor.web.live.stream import event
from kontor.web.pages.fragments import NOTHING_SHOWN, NUMBER, TOKEN, FragmentCache, Page, PageBuilder, PageLayout
from kontor.web.pages.render import Pages
from kontor.web.pages.visitor import Visitor, nobody
from web.streamed import Put


class Drawer:
    """Drawer of a paragraph that remembers its inputs."""

    def __init__(self, most: int = 1000) -> None:
        self.drawn: list[tuple[str, Mapping[str, Any]]] = []
        self.cache = FragmentCache(self.draw, "1", most)

    def draw(self, template: str, language: str, about: Mapping[str, Any]) -> str:
        self.drawn.append((language, about))
        return f'\n<p class="x" id="{template}">{language}: {about["of"]}</p>\n'

    def page(self, language: str, token: str = "", **fragments: Any) -> Page:
        builder = PageBuilder(self.cache, language)
        drawn = " | ".join([TOKEN, *(builder.fragment(f"p#{id_}", id_, of=of) for id_, of in fragments.items())])
        return Page("", drawn, 1, lambda: token, builder.fragments, self.cache)


def etags(page: Page) -> list[str]:
    return [fragment.etag for fragment in page.fragments.values()]


def test_a_piece_is_drawn_once_for_all_who_see_the_same_of_it() -> None:
    drawer = Drawer()
    anna, bernd = drawer.page("en", table="green", hand="A"), drawer.page("en", table="green", hand="B")
    assert "en: A" in anna.html()
    assert "en: B" in bernd.html()
    assert [about["of"] for _, about in drawer.drawn] == ["green", "A", "B"]
    assert "de: green" in drawer.page("de", table="green").html(), "another language is another piece"


def test_only_what_a_page_has_not_is_sent() -> None:
    drawer = Drawer()
    first = drawer.page("en", "secret", a=1, b=2)
    update, state = first.since(NOTHING_SHOWN, first.state())
    assert [*update.fragments] == ["p#a", "p#b"]
    signs = dict(zip(("p#a", "p#b"), etags(first), strict=True))
    assert update.layout == PageLayout([("", "secret | "), ("p#a", " | "), ("p#b", "")], signs)
    second = drawer.page("en", "secret", a=1, b=3)
    update, state = second.since(state, second.state())
    (sent,) = update.fragments.items()
    assert sent == ("p#b", f'<p data-etag="{second.fragments["p#b"].etag}" class="x" id="b">en: 3</p>')
    assert update.layout is None
    third = drawer.page("en", "secret", a=1, b=3, c=4)
    update, _ = third.since(state, third.state())
    assert [*update.fragments] == ["p#c"]
    assert update.layout == PageLayout([(0, 1), ("p#b", " | "), ("p#c", "")])


@given(st.lists(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("xyz")), unique_by=itemgetter(0))))
def test_a_layout_is_put_together_from_its_changes(layouts: list[list[tuple[str, str]]]) -> None:
    cache = FragmentCache(lambda _, __, about: f'<p id="{about["id"]}" >', "1")
    state, put = NOTHING_SHOWN, Put({})
    for entries in layouts:
        builder = PageBuilder(cache, "en")
        drawn = "".join(builder.fragment(f"p#{id_}", "one.html", id=id_) + text for id_, text in entries)
        page = Page(
            "", f'<input name="number" value="{NUMBER}">{drawn}', len(entries), lambda: "", builder.fragments, cache
        )
        update, state = page.since(state, page.state())
        assert put.take(event(update, number="")) == page.html()


def test_a_piece_in_another_language_is_not_what_it_was_before() -> None:
    drawer = Drawer()
    english, german = drawer.page("en", a=1).state(), drawer.page("de", a=1)
    update, _ = german.since(english, german.state())
    assert [*update.fragments] == ["p#a"]


def test_two_pages_are_the_same_but_for_their_token() -> None:
    drawer = Drawer()
    assert drawer.page("en", "one", a=1).state() == drawer.page("en", "two", a=1).state()
    assert drawer.page("en", "one", a=1).state().digest != drawer.page("en", "one", a=2).state().digest


@pytest.mark.parametrize(("one", "other"), [(1, "1"), (1, True), ("", None), (("a", "b"), ("ab",)), (("1",), "1")])
def test_inputs_that_are_drawn_otherwise_have_other_signs(one: object, other: object) -> None:
    drawer = Drawer()
    assert etags(drawer.page("en", a=one)) != etags(drawer.page("en", a=other))


def test_few_are_kept_and_the_others_are_drawn_again() -> None:
    drawer = Drawer(most=200)
    for of in (*range(20), 0):
        drawer.page("en", a=of).html()
    assert len(drawer.drawn) == 21
    drawer.page("en", a=0).html()
    assert len(drawer.drawn) == 21


def test_a_template_that_draws_another_element_and_inputs_that_are_no_values_are_mistakes() -> None:
    drawer = Drawer()
    builder = PageBuilder(drawer.cache, "en")
    with pytest.raises(ValueError, match="does not draw"):
        drawer.cache.text(drawer.cache.fragment("section#a", "a", "en", {"of": 1}))
    with pytest.raises(TypeError):
        builder.fragment("p#a", "a", of=lambda: 1)
    builder.fragment("p#a", "a", of=1)
    with pytest.raises(ValueError, match="twice"):
        builder.fragment("p#a", "a", of=2)


def test_what_people_write_is_no_gap() -> None:
    drawer = Drawer()
    builder = PageBuilder(drawer.cache, "en")
    builder.fragment("p#a", "a", of="secret")
    written = "\0a0\0 \0" + "0" * 16 + "0\0 \0" + "0" * 16 + "token\0"
    assert Page("", written, 1, lambda: "token", builder.fragments, drawer.cache).html() == written


def test_a_piece_knows_nothing_but_its_inputs() -> None:
    pages, visitor = Pages(), Visitor(nobody, "session", "en", "", "", False, "/", False)
    with pytest.raises(UndefinedError):
        pages._draw("settings.html", "en", {})
    assert visitor.token not in pages._draw("table/said.html", "en", {"part": 0, "lines": ()})


def test_what_a_template_is_compiled_to_serves_every_language_and_the_next_pages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def draw(pages: Pages, language: str) -> str:
        return pages._draw("table/said.html", language, {"part": 0, "lines": ()})

    first = draw(Pages(), "en")
    monkeypatch.setattr(Environment, "compile", lambda *_: pytest.fail("it is compiled again"))
    assert draw(Pages(), "en") == first
    assert draw(Pages(), "ja")
