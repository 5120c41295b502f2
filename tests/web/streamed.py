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
        self._layout: list[tuple[str, str]] = []
        self._etags: dict[str, str] = {}
        self._fragments = {**fragments}

    def take(self, event: bytes) -> str:
        """Return the content of ``#table`` after an event.

        Every fragment is written as it was last sent, where a browser would keep its element.
        """
        news: Any = msgspec.json.decode(event.partition(b"data: ")[2])
        layout = news.get("layout", {})
        self._etags |= layout.get("etags", {})
        self._fragments |= news["fragments"]
        self._etags |= {element: _ETAG.findall(text)[0] for element, text in news["fragments"].items()}
        if layout:
            before = self._layout
            self._layout = []
            for first, last in layout["entries"]:
                self._layout += before[first : last + 1] if isinstance(first, int) else [(first, last)]
        etags = {element: _ETAG.findall(self._fragments[element])[0] for element, _ in self._layout if element}
        assert etags.items() <= self._etags.items(), "otherwise a browser would ask for the page anew"
        texts = [
            self._fragments.get(element, "") + _NUMBER.sub(rf"\g<1>{news['number']}", after)
            for element, after in self._layout
        ]
        return "".join([news["head"], *texts])
