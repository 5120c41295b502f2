"""Decoders that threads can share, and translatable refusals for errors of decoding.

msgspec's messages are English, and name types and regular expressions. Each kind of message becomes a sentence here.
The caller puts it into a sentence that says what was being read: “This is no move: {error}.”
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Final

import msgspec

from kontor.game import Refusal
from kontor.visible_text import quoted
from kontor.words import mark

_built: set[type] = set()


def build_decoders() -> None:
    """Make msgspec build its information on all structs that are loaded; call it before threads start.

    msgspec builds it when a struct is first decoded, and lets other threads use it half built. So a process crashes
    if two threads decode the same struct for the first time at once (msgspec 0.22).
    """
    waiting = [msgspec.Struct]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind not in _built:
            _built.add(kind)
            with suppress(TypeError, NameError):  # a struct that is only encoded: its fields cannot be decoded
                msgspec.json.Decoder(kind)


_LONGEST: Final = 60
"""The most characters of a quotation."""

_PATH: Final = re.compile(r" - at `(?:key`? in `)?\$(?P<path>.*?)`+$", re.DOTALL)

_MUST_BE: Final[dict[str, str]] = {
    "int": mark("“{at}” must be a whole number"),
    "float": mark("“{at}” must be a number"),
    "bool": mark("“{at}” must be true or false"),
    "str": mark("“{at}” must be text"),
    "array": mark("“{at}” must be a list"),
    "object": mark("“{at}” must be an object with fields"),
}
"""Sentences by the expected type, the first one where there are several."""

_BADLY_WRITTEN: Final = mark("“{at}” does not have the right form")

_KINDS: Final[tuple[tuple[re.Pattern[str], str], ...]] = (
    (re.compile(r"Object missing required field `(?P<field>.*)`", re.DOTALL), mark("“{at}” is missing")),
    (re.compile(r"Object contains unknown field `(?P<field>.*)`", re.DOTALL), mark("“{at}” is not known here")),
    (re.compile(r"Invalid (?:enum )?value '?(?P<given>.*?)'?", re.DOTALL), mark("“{at}” cannot be “{given}”")),
    (re.compile(r"Expected `\w+` (?:of length|of at most length) .*"), mark("“{at}” has the wrong length")),
    (re.compile(r"Expected `\w+` (?:>=|<=|>|<) .*"), mark("“{at}” is too small or too large")),
    (re.compile(r"Integer value out of range"), mark("“{at}” is too small or too large")),
)
"""msgspec's messages, without the path, and the sentences that replace them."""

_OF_A_TYPE: Final = re.compile(r"Expected `(?P<type>\w+)[^`]*`(?:, got .*)?")


def misfit(error: msgspec.ValidationError, name: str = "") -> Refusal:
    """Return the refusal for an error of decoding, without a full stop; paths begin with ``name``, if it is given."""
    message = str(error)
    path_match = _PATH.search(message)
    bare = message[: path_match.start()] if path_match else message
    path = path_match["path"].replace("[...]", ".…") if path_match else ""
    at = f"{name}{path}".removeprefix(".")
    for pattern, sentence in _KINDS:
        if matched := pattern.fullmatch(bare):
            given = matched.groupdict()
            if "field" in given:
                return Refusal("", sentence, at=quoted(f"{at}.{given['field']}".removeprefix("."), _LONGEST))
            return _describe(sentence, at, given)
    of_a_type = _OF_A_TYPE.fullmatch(bare)
    return _describe(_MUST_BE.get(of_a_type["type"], _BADLY_WRITTEN) if of_a_type else _BADLY_WRITTEN, at, {})


def _describe(sentence: str, at: str, given: dict[str, str]) -> Refusal:
    if not at:  # the error is in the outermost value, which is nearly always an object
        return Refusal("", "an object with fields is needed here")
    return Refusal(
        "", sentence, at=quoted(at, _LONGEST), **{key: quoted(value, _LONGEST) for key, value in given.items()}
    )
