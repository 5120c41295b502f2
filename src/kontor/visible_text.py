"""Text from strangers, made safe to show: without characters that are invisible or change the text around them.

Stored text (a record, a name in the database) stays unchanged; it is made visible where it is shown.
"""

from __future__ import annotations

import unicodedata
from typing import Final

HIDDEN_CATEGORIES: Final = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
"""Unicode categories of characters that control text, turn its direction, join letters, or have no standard glyph."""

_HIDDEN_RANGES: Final = ((0xFFF0, 0xFFF8), (0x13441, 0x13446), (0xE0000, 0xE0FFF))
"""More invisible characters (Unicode's ``Default_Ignorable_Code_Point``); the last range are tags.

Most have no category yet, and programs that do not know a character there show nothing.
"""

LONGEST_QUOTED: Final = 160
"""The most characters of a text that a sentence quotes."""

_JOINERS: Final = frozenset("\u200c\u200d")
_TAGS: Final = range(0xE0000, 0xE1000)


def is_variation_selector(character: str) -> bool:
    """Return True if the character only chooses between two pictures of the character before it."""
    code = ord(character)
    return 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF or 0x180B <= code <= 0x180D or code == 0x180F


def is_joiner(character: str) -> bool:
    """Return True if the character only joins the letters beside it, or keeps them apart."""
    return character in _JOINERS


def is_hidden(character: str) -> bool:
    """Return True if the character itself is invisible: a joiner, selector, tag, control or the like."""
    if is_variation_selector(character) or unicodedata.category(character) in HIDDEN_CATEGORIES:
        return True
    return any(first <= ord(character) <= last for first, last in _HIDDEN_RANGES)


def visible(text: str) -> str:
    """Return the text without hidden characters: those that shape emoji and letters are dropped, the others replaced.

    Letters and pictures that were joined then stand side by side.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_visible_character, text))


def quoted(text: str, longest: int = LONGEST_QUOTED) -> str:
    """Return the text as a sentence quotes it: visible, and shortened to ``longest`` characters."""
    visible_text = visible(text)
    return visible_text if len(visible_text) <= longest else visible_text[: longest - 1] + "…"


def escape_hidden(json: str) -> str:
    """Return equivalent JSON with hidden characters escaped; the line feeds of its layout stay."""
    if json.isascii() and json.isprintable():
        return json
    return "".join(
        _escape(character) if character != "\n" and is_hidden(character) else character for character in json
    )


def _visible_character(character: str) -> str:
    if not is_hidden(character):
        return character
    makes_others = is_joiner(character) or is_variation_selector(character) or ord(character) in _TAGS
    return "" if makes_others else "\N{REPLACEMENT CHARACTER}"


def _escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
