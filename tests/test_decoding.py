"""Errors of decoders: they are sentences in every language, without msgspec's own words."""

import re
from datetime import datetime
from typing import Annotated, Any

import msgspec
import pytest

from kontor.decoding import misfit
from kontor.game import Refusal
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.words import Words

Pattern = Annotated[str, msgspec.Meta(pattern="^a$")]

MISFITS: list[tuple[bytes, Any, str]] = [
    (b'{"starter":"x"}', SHANGHAIEN.options, "“starter” must be a whole number"),
    (b'{"tricks":3}', SHANGHAIEN.options, "“tricks” must be an object with fields"),
    (b'{"tricks":{"nudge":1.5}}', SHANGHAIEN.options, "“tricks.nudge” must be a whole number"),
    (b'{"tricks":{"x":1}}', SHANGHAIEN.options, "“tricks.x” is not known here"),
    (b'{"first_trick":"z"}', SHANGHAIEN.options, "“first_trick” cannot be “z”"),
    (b"[]", SHANGHAIEN.options, "an object with fields is needed here"),
    (b'{"players":true}', DUTCHMAN.options, "“players” must be a whole number"),
    (b'{"chart":{"holland":3}}', DUTCHMAN.options, "“chart.holland” must be text"),
    (b'{"move":"throw"}', SHANGHAIEN.move, "“move” cannot be “throw”"),
    (b'{"move":3}', SHANGHAIEN.move, "“move” must be text"),
    (b'{"move":"place"}', SHANGHAIEN.move, "“die” is missing"),
    (b'{"move":"lay","horseshoes":"x"}', DUTCHMAN.move, "“horseshoes” must be a list"),
    (b'{"move":"put","shares":["blue"]}', DUTCHMAN.move, "“shares” has the wrong length"),
    (b'{"move":"put","shares":["blue","pink"]}', DUTCHMAN.move, "“shares[1]” cannot be “pink”"),
    (b'{"a":"b"}', dict[str, Pattern], "“…” does not have the right form"),
    (b'{"a":"b"}', dict[str, datetime], "“…” does not have the right form"),
    (b'{"a":1}', dict[str, Annotated[int, msgspec.Meta(ge=3)]], "“…” is too small or too large"),
    (b'{"a":1}', dict[str, bool], "“…” must be true or false"),
    (b'{"a":"\\u001b[2J"}', dict[str, int], "“…” must be a whole number"),
    (b'{"\\u001b[2J":1}', SHANGHAIEN.options, "“�[2J” is not known here"),
]


def refusal_of(data: bytes, kind: Any) -> Refusal:
    with pytest.raises(msgspec.ValidationError) as error:
        msgspec.json.decode(data, type=kind)
    return misfit(error.value)


@pytest.mark.parametrize(("data", "kind", "sentence"), MISFITS)
def test_a_misfit_is_a_sentence(data: bytes, kind: Any, sentence: str) -> None:
    assert str(refusal_of(data, kind)) == sentence


@pytest.mark.parametrize("language", ["de", "fr", "it", "ja"])
def test_it_is_said_in_the_readers_language_also_inside_another_refusal(language: str) -> None:
    words = Words(language)
    for data, kind, english in MISFITS:
        inner = refusal_of(data, kind)
        sentence = words.reason(Refusal("", "This is not a move: {error}.", error=inner))
        assert words.reason(inner) in sentence
        assert english not in sentence
        assert not re.search(r"Expected|Invalid|Object|`", sentence)


def test_a_long_name_is_cut() -> None:
    message = str(refusal_of(b'{"%b":1}' % (b"x" * 500), SHANGHAIEN.options))
    assert len(message) < 90
