"""Fast path of the HTML reader: it gives the same result as Python's own parser."""

from html.parser import HTMLParser
from typing import Any, Final

import pytest

from web.dutchman_positions import mover_html, places
from web.html_reader import HtmlReader

ODD: Final = (
    '<p class="a" hidden id=b title=\'c"\'>&lt;<BR/><br><input value="&quot;>" disabled/></p>',
    '<title>a <b class="c"></title><textarea name="d"><i id="e"></textarea><script src="f">"<g h="i">"</script>',
    '<svg viewBox="0 0 1 1"><use href="#k" xlink:href="#l"/></svg><a b="c"d="e" f = "g"><h i="j',
    "<a <b> </a b='c'><!-- <d e='f'> --><!doctype html><1><a\nb\n=\n'c'\n>",
)


class Python(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.heard: list[tuple[str, Any]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.heard.append((f"<{tag}>", attrs))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.heard.append((f"<{tag}/>", attrs))

    def handle_endtag(self, tag: str) -> None:
        self.heard.append((f"</{tag}>", None))

    def handle_data(self, data: str) -> None:
        self.heard.append(("", data))


class Ours(HtmlReader, Python):
    pass


def parse_events(reader: Python, text: str) -> list[tuple[str, Any]]:
    reader.feed(text)
    reader.close()
    return reader.heard


@pytest.mark.parametrize("text", ODD)
def test_odd_texts_are_read_as_python_does(text: str) -> None:
    assert parse_events(Ours(), text) == parse_events(Python(), text)


def test_pages_are_read_as_python_does() -> None:
    for state, _ in places()[::20]:
        if state.mover >= 0:
            text = mover_html(state)
            assert parse_events(Ours(), text) == parse_events(Python(), text)
