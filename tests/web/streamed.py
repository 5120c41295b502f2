"""Page that a browser makes from the events of a table's live stream, as ``kontor.js`` does it."""

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

_ETAG: Final = re.compile(r'^<\w+ data-etag="(\w+)"')
_NUMBER: Final = re.compile(r'(name="number" value=")\d+')


class Put:
    """Page as its stream has described it so far."""

    def __init__(self, fragments: Mapping[str, str]) -> None:
        """Begin with the fragments of the page as it was loaded, by their elements."""
        self._between: list[str] = []
        self._elements: list[str] = []
        self._fragments = {**fragments}

    def take(self, event: bytes) -> str:
        """Return the content of ``#table`` after an event.

        Every fragment is written as it was last sent, where a browser would keep its element.
        """
        news: Any = msgspec.json.decode(event.partition(b"data: ")[2])
        if "layout" in news:
            self._between, self._elements = news["layout"]["between"], news["layout"]["elements"]
        self._fragments |= news["fragments"]
        if "layout" in news:
            etags = [_ETAG.findall(self._fragments[element])[0] for element in self._elements]
            assert etags == news["layout"]["etags"], "otherwise a browser would ask for the page anew"
        between = [_NUMBER.sub(rf"\g<1>{news['number']}", text) for text in self._between]
        fragments = [self._fragments[element] for element in self._elements]
        return "".join([news["head"], between[0], *map("".join, zip(fragments, between[1:], strict=True))])
