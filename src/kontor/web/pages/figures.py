"""Pictures from the table's own templates, several on one page: each has ids of its own."""

from __future__ import annotations

import re
from typing import Final

_ID: Final = re.compile(r'(?<= id=")[^"]+')
_NAMED: Final = re.compile(r'(?P<before> (?:id|for|popovertarget|list|aria-\w+by|aria-controls)=")(?P<ids>[^"]*)')
_LINKED: Final = re.compile(r'(?P<before>href="#|url\(#)(?P<id>[^")]+)')
_OF_THE_TABLE: Final = re.compile(r' (?:data-etag|aria-keyshortcuts|tabindex|autofocus)(?:="[^"]*")?(?=[ >])')


def with_own_ids(html: str, name: str) -> str:
    """Return the element with its ids, and the references to them, beginning with ``name``.

    References to ids elsewhere, such as drawings that stand once on the page, stay as they are.
    """
    ids = frozenset(_ID.findall(html))

    def own_id(id_: str) -> str:
        return f"{name}-{id_}" if id_ in ids else id_

    html = _OF_THE_TABLE.sub("", html)
    html = _NAMED.sub(lambda match: match["before"] + " ".join(map(own_id, match["ids"].split())), html)
    return _LINKED.sub(lambda match: match["before"] + own_id(match["id"]), html)
