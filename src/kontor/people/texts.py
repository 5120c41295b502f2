"""Names, salts and chat: checks and normalisation of text from strangers. Pages escape it when they show it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from kontor.errors import BadName, BadText
from kontor.people.confusables import alike
from kontor.players.levels import MACHINE_SIGNS
from kontor.records import LONGEST_NAME, LONGEST_SALT
from kontor.visible_text import is_hidden, is_joiner, is_variation_selector
from kontor.words import Words, mark

LONGEST_GUEST_NAME: Final = 40
_MOST_CODE_POINTS: Final = LONGEST_NAME - 4
"""Including accents and joiners; leaves room for a number that tells two people of one name apart."""

LEFT: Final = mark("someone who left")
"""The name of people who have left for good, in the database and in records; nobody else can have it."""

LONGEST_CHAT: Final = 500
_MOST_LINES: Final = 10
LONGEST_LABEL: Final = 60

LONGEST_DESCRIPTION: Final = 2000
_MOST_DESCRIPTION_LINES: Final = 60

_COMMITMENT: Final = re.compile("[0-9a-f]{64}")

_SPACES: Final = re.compile("[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
"""Spaces of any width."""

_JOINER: Final = "\u200d"

_CURSIVE: Final = ("ARABIC LETTER", "SYRIAC LETTER", "MONGOLIAN LETTER", "NKO LETTER", "ADLAM", "MANDAIC LETTER")
"""Prefixes of Unicode's names for letters that may join the next one."""

_VIRAMA: Final = 9
"""The combining class of signs of Indian scripts that may join two consonants into one."""

_KEYCAPS: Final = frozenset("0123456789#*")
_KEYCAP: Final = "\u20e3"

_BLANKS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2065\u2800\u3164\uffa0\U00016fe4\U0001d159")
"""Characters that Unicode counts as letters or symbols, but that are blank."""


def _is_hidden(character: str) -> bool:
    """Return True if no name or chat text may contain the character.

    Joiners and variation selectors may have an effect; ``_has_effect`` checks that.
    """
    if is_joiner(character) or is_variation_selector(character):
        return False
    return character in _BLANKS or is_hidden(character)


def _takes_room(character: str) -> bool:
    """Return True unless the character is a sign above or below another.

    A space within a name takes room as well.
    """
    return not is_joiner(character) and unicodedata.category(character) not in ("Mn", "Me")


def name_of(text: str) -> str:
    """Return the name composed (NFC), with single spaces and without spaces around it. Raises BadName."""
    if len(text) > 10 * LONGEST_GUEST_NAME:  # composing could take long
        raise _long_name()
    name = " ".join(filter(None, re.split(_SPACES, _compose(text))))
    if any(map(_is_hidden, name)) or not all(_has_effect(name, at) for at in range(len(name))):
        raise BadName("", "A name cannot contain control or invisible characters.")
    if not MACHINE_SIGNS.isdisjoint(name):
        raise BadName("", "This sign is reserved for computer players: choose a name without it.")
    if alike(name, LEFT):
        raise BadName("", "This name is reserved for people who have left.")
    visible_count = sum(map(_takes_room, name))
    if not visible_count:
        raise BadName("", "A name needs at least one character.")
    if visible_count > LONGEST_GUEST_NAME or len(name) > _MOST_CODE_POINTS:
        raise _long_name()
    return name


def _long_name() -> BadName:
    return BadName("", "A name can have at most {longest} characters.", longest=LONGEST_GUEST_NAME)


def _compose(text: str) -> str:
    """Return the text composed (NFC), with question marks for halves of characters, which no file could hold."""
    return unicodedata.normalize("NFC", text.encode(errors="replace").decode())


def _has_effect(name: str, at: int) -> bool:
    """Return False for a joiner or variation selector that changes nothing visible.

    Such a sign could only make two names out of one. Every other character has an effect.
    """
    sign, before, after = name[at], name[:at], name[at + 1 :]
    if is_variation_selector(sign):
        return _is_symbol(before[-1:]) or (before[-1:] in _KEYCAPS and after[:1] == _KEYCAP)
    if not is_joiner(sign):
        return True
    if before and after and unicodedata.combining(before[-1]) == _VIRAMA:
        return True
    letter = before.rstrip("".join(filter(unicodedata.combining, before)))[-1:]
    if _is_cursive(letter) and _is_cursive(after[:1]):
        return True
    return sign == _JOINER and _is_symbol(before.rstrip("\ufe0f")[-1:]) and _is_symbol(after[:1])


def _is_symbol(character: str) -> bool:
    """Return True if the character has a category of emoji."""
    return bool(character) and unicodedata.category(character) in ("So", "Sm", "Sk")


def _is_cursive(character: str) -> bool:
    return bool(character) and unicodedata.name(character, "").startswith(_CURSIVE)


def distinct(name: str, taken: Iterable[str]) -> str:
    """Return the name, with a number if somebody at the table has it already, or a similar-looking one."""
    number, told_apart = 1, name
    while any(alike(told_apart, other) for other in taken):
        number += 1
        told_apart = f"{name} {number}"
    return told_apart


def name_said(words: Words, name: str) -> str:
    """Return a name for a reader: that of people who have left in the reader's language, with its number."""
    number = name.removeprefix(LEFT)
    return name if number == name else words.say(LEFT) + number


def check_salt(text: str) -> str:
    """Check a salt for the fair dice and return it unchanged, since it is hashed. Raises BadText."""
    if len(text) > LONGEST_SALT:
        raise BadText("", "The word for the dice can have at most {longest} characters.", longest=LONGEST_SALT)
    if any(_is_hidden(character) for character in text):
        raise BadText("", "The word for the dice cannot contain control or invisible characters.")
    return text


def check_salt_commitment(text: str) -> str:
    """Check a commitment to a salt, or an empty text, and return it. Raises BadText."""
    if text and not _COMMITMENT.fullmatch(text):
        raise BadText("", "A promised contribution has 64 hexadecimal digits, in lower case.")
    return text


def label_of(text: str) -> str:
    """Return the name that a person gives to one of their programs. A long one is cut, not refused."""
    return " ".join("".join([c for c in _compose(text[:1000]) if not _is_hidden(c)]).split())[:LONGEST_LABEL]


def chat_of(text: str) -> str:
    """Return a chat text composed (NFC), without invisible characters, in a few lines. Raises BadText."""
    if len(text) > 4 * LONGEST_CHAT:
        raise _too_long()
    message = "\n".join(line for line in _visible_lines(text) if line)
    if not any(map(_takes_room, message)):
        raise BadText("", "The message is empty.")
    if len(message) > LONGEST_CHAT or message.count("\n") >= _MOST_LINES:
        raise _too_long()
    return message


def _visible_lines(text: str) -> list[str]:
    """Return the lines of a text composed (NFC), without invisible characters."""
    return [
        "".join([character for character in line if not _is_hidden(character)]).strip()
        for line in _compose(text).replace("\t", " ").splitlines()
    ]


def description_of(text: str) -> str:
    """Return a longer text composed (NFC), without invisible characters; it can be empty. Raises BadText."""
    if len(text) > 4 * LONGEST_DESCRIPTION:
        raise _long_description()
    description = re.sub("\n{3,}", "\n\n", "\n".join(_visible_lines(text))).strip()
    if len(description) > LONGEST_DESCRIPTION or description.count("\n") >= _MOST_DESCRIPTION_LINES:
        raise _long_description()
    return description


def _long_description() -> BadText:
    reason = "A description can have at most {longest} characters and {lines} lines."
    return BadText("", reason, longest=LONGEST_DESCRIPTION, lines=_MOST_DESCRIPTION_LINES)


def _too_long() -> BadText:
    reason = "A message can have at most {longest} characters and {lines} lines."
    return BadText("", reason, longest=LONGEST_CHAT, lines=_MOST_LINES)
