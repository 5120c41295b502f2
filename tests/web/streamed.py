"""What a browser makes of the events of a table's live stream, as ``kontor.js`` does it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

_SIGN: Final = re.compile(r'^<\w+ data-piece="(\w+)"')
_NUMBER: Final = re.compile(r'(name="number" value=")\d+')


class Put:
    """The page as a stream has told it by now."""

    def __init__(self, pieces: Mapping[str, str]) -> None:
        """``pieces`` are those of the page as it was loaded, by their elements."""
        self._between: list[str] = []
        self._elements: list[str] = []
        self._pieces = {**pieces}

    def take(self, event: bytes) -> str:
        """What stands in ``#table`` after an event: with every piece as it was told last, where a browser leaves the
        element that it has."""
        news: Any = msgspec.json.decode(event.partition(b"data: ")[2])
        if "sheet" in news:
            self._between, self._elements = news["sheet"]["between"], news["sheet"]["elements"]
        self._pieces |= news["pieces"]
        if "sheet" in news:
            told = [_SIGN.findall(self._pieces[element])[0] for element in self._elements]
            assert told == news["sheet"]["signs"], "otherwise a browser would ask for the page anew"
        between = [_NUMBER.sub(rf"\g<1>{news['number']}", text) for text in self._between]
        pieces = [self._pieces[element] for element in self._elements]
        return "".join([news["head"], between[0], *map("".join, zip(pieces, between[1:], strict=True))])
