"""Python's reader of HTML, with a short way for tags as templates write them, which took most of its time."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from typing import Final

_NAME: Final = r"[A-Za-z][-\w:.]*"
_TAG: Final = re.compile(rf"""<([a-z][a-z0-9]*)((?:\s+{_NAME}(?:="[^"]*")?)*)\s*(/?)>""")
_ATTRIBUTE: Final = re.compile(rf"""({_NAME})(?:="([^"]*)")?""")
_OTHERWISE: Final = {"script", "style", "textarea", "title"}
"""Elements whose content is read in another way."""


class HtmlReader(HTMLParser):
    """Calls the same methods in the same order as its base; but it does not know in which line it is."""

    def updatepos(self, i: int, j: int) -> int:
        """Nobody asks for the line."""
        return j

    def parse_starttag(self, i: int) -> int:
        """All in double quotes and nothing unusual; else it is for the base to read."""
        found = _TAG.match(self.rawdata, i)
        if found is None or found[1] in _OTHERWISE:
            return super().parse_starttag(i)
        attributes = [(one[1].lower(), one[2] and unescape(one[2])) for one in _ATTRIBUTE.finditer(found[2])]
        if found[3]:
            self.handle_startendtag(found[1], attributes)
        else:
            self.handle_starttag(found[1], attributes)
        return found.end()
