"""Links in texts that people write."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

_ADDRESS: Final = re.compile(r"(?<![a-z0-9])https?://[\w.~:/?#\[\]@!$&'()*+,;=%-]+", re.ASCII | re.IGNORECASE)
"""ASCII only, as browsers copy addresses: Japanese text continues after an address without a space."""

_TRAILING: Final = ".,;:!?'*_~"
"""Characters that end a sentence, but no address."""

_BRACKETS: Final = {")": "(", "]": "["}


@dataclass(frozen=True, slots=True)
class TextPart:
    """A part of a text; ``url`` is the address to which it leads, or empty."""

    text: str
    url: str = ""


def parts(text: str) -> tuple[TextPart, ...]:
    """Return a text in parts, with each address in a part of its own. Only http and https make links."""
    text_parts: list[TextPart] = []
    end = 0
    for match in _ADDRESS.finditer(text):
        address = _without_end(match[0])
        if not _leads_somewhere(address):
            continue
        text_parts += (TextPart(text[end : match.start()]), TextPart(address, address))
        end = match.start() + len(address)
    return tuple(part for part in (*text_parts, TextPart(text[end:])) if part.text)


def _without_end(address: str) -> str:
    """Return the address without the punctuation of the sentence around it. A bracket opened in it belongs to it."""
    while address:
        last = address[-1]
        opening_bracket = _BRACKETS.get(last)
        if last not in _TRAILING and (
            opening_bracket is None or address.count(last) <= address.count(opening_bracket)
        ):
            break
        address = address[:-1]
    return address


def _leads_somewhere(address: str) -> bool:
    """Return True if the address has a host, and no user name before it, which would look like the host."""
    try:
        split = urlsplit(address)
        return bool(split.hostname) and "@" not in split.netloc
    except ValueError:
        return False
