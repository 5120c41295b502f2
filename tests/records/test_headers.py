"""Headers that no game can have, and the games that records name."""

from typing import Any

import pytest

from kontor.game import BadOptions
from kontor.games.shanghaien.rules import Options
from kontor.games.shanghaien.rules.components import TrickCounts
from kontor.plugins import game_named, games
from kontor.records import Record, decode, encode
from records.made import header_with


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"options": Options(tricks=TrickCounts(4, 4, 4))}, "There must be eight trick cards: 4 Nudge, 4 Both and"),
        ({"seats": ["Anna"]}, "The game has 2 seats; “seats” has 1."),
        ({"players": ["person"] * 3}, "The game has 2 seats; “players” has 3."),
        ({"salts": ["", "\udcff"]}, "In “salts”, “�” contains a control character."),
        ({"seats": ["Anna", ""]}, "In “seats”, “” has 0 characters; it should be 1 to 60."),
    ],
)
def test_a_header_that_no_game_can_have_is_refused_before_it_is_written(parts: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadOptions) as caught:
        header_with(**parts)
    assert caught.value.sentence.startswith(sentence)


def test_names_can_be_in_any_script() -> None:
    names = ["山田　太郎", "👩‍👧 Zoë 🏴‍☠️"]
    record = Record(header_with(seats=names))
    assert list(decode(encode(record)).header.seats) == names


def test_a_game_is_found_by_its_name() -> None:
    for name, game in games().items():
        assert game.name == name
        assert game_named(name) is game
    with pytest.raises(BadOptions, match=r"There is no game “skat”. There are: .*shanghaien"):
        game_named("skat")
