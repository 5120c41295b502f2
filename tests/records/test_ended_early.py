"""Records of games that were ended early."""

import json

import pytest
from msgspec.structs import replace

from kontor import records
from kontor.endings import EarlyEnd, How, early_end
from kontor.game import AnyGame
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.plugins import games
from kontor.records import BadRecord, EarlyEnding, Record, decode, encode
from records.made import EXAMPLE, LINES, PAGE, SEED, each_game, early_changed, ended_early, shipped_schema


@each_game
@pytest.mark.parametrize("how", ["resigned", "agreed"])
@pytest.mark.parametrize("steps", [0, 20])
def test_a_game_that_was_ended_early_is_read_and_verified(game: AnyGame, how: How, steps: int) -> None:
    record = ended_early(game, steps, how)
    data = encode(record)
    assert decode(data) == record
    assert data.startswith(b'{"record":2,'), "no reader of the first version takes it for something else"
    verified = records.verify(record)
    assert isinstance(record.ending, EarlyEnding)
    assert (verified.dice, verified.result, verified.early) == (True, None, record.ending.early)
    assert verified.sentence.endswith("The game was ended early.")
    schema = shipped_schema()
    for line in (data.splitlines()[0], data.splitlines()[-1]):
        schema.validate(json.loads(line))


def test_the_last_line_of_a_game_that_was_ended_early() -> None:
    last = encode(ended_early(SHANGHAIEN)).splitlines()[-1].decode()
    assert last.startswith(f'{{"seed":"{SEED.hex()}","early":{{"how":"resigned","seat":1,"winners":[0]}},"digest":"')


def test_the_page_shows_the_last_line_of_a_game_that_was_ended_early() -> None:
    left = Record(EXAMPLE.header, EXAMPLE.steps[:6])
    line = encode(records.ended_early(left, SEED, early_end("resigned", 1, 2))).splitlines()[-1].decode()
    assert f"```json\n{line}\n```" in PAGE.read_text("utf-8")


def early_with(early: EarlyEnd, game: AnyGame = SHANGHAIEN) -> bytes:
    """Return a skilled forgery: the digest fits."""
    return encode(records.ended_early(replace(ended_early(game), ending=None), SEED, early))


EARLY_LAST = len(encode(ended_early(SHANGHAIEN)).splitlines())
EARLY_DAMAGES: dict[str, tuple[bytes, str]] = {
    "the first version": (
        early_changed('"record":2', '"record":1'),
        f"line {EARLY_LAST}: A game that was ended early is a record of version 2. (record.md#versions)",
    ),
    "the second version of a game that was played to its end": (
        b"".join(LINES).replace(b'"record":1', b'"record":2', 1),
        "line 1: Only a game that was ended early is a record of version 2. (record.md#versions)",
    ),
    "no ending": (
        b"".join(encode(ended_early(SHANGHAIEN)).splitlines(keepends=True)[:-1]),
        "line 1: Only a game that was ended early is a record of version 2. (record.md#versions)",
    ),
    "whoever resigns wins": (
        early_with(EarlyEnd("resigned", 1, (1,))),
        f"line {EARLY_LAST}: A game with 2 seats cannot end like this: "
        '{"how":"resigned","seat":1,"winners":[1]}. (record.md#ending)',
    ),
    "nobody wins": (
        early_with(EarlyEnd("resigned", 1, ())),
        f"line {EARLY_LAST}: A game with 2 seats cannot end like this: "
        '{"how":"resigned","seat":1,"winners":[]}. (record.md#ending)',
    ),
    "somebody wins by agreement": (
        early_with(EarlyEnd("agreed", 0, (1,))),
        f"line {EARLY_LAST}: A game with 2 seats cannot end like this: "
        '{"how":"agreed","seat":0,"winners":[1]}. (record.md#ending)',
    ),
    "a seat that there is not": (
        early_with(EarlyEnd("agreed", 2, ())),
        f"line {EARLY_LAST}: A game with 2 seats cannot end like this: "
        '{"how":"agreed","seat":2,"winners":[]}. (record.md#ending)',
    ),
    "after the game's own end": (
        encode(records.ended_early(replace(EXAMPLE, ending=None), SEED, early_end("agreed", 0, 2))),
        "line 117: A game can end early only while it is someone’s turn. (record.md#ending)",
    ),
    "another name": (
        early_changed('"Anna"', '"Inge"'),
        f"line {EARLY_LAST}: A line before this one has been changed: the digest belongs to other lines. "
        "(record.md#ending)",
    ),
    "points": (
        early_changed('"winners":[0]', '"winners":[0],"points":[1,2]'),
        f"line {EARLY_LAST}: “early.points” is not known here. (record.md#ending)",
    ),
}


@pytest.mark.parametrize("damage", EARLY_DAMAGES)
def test_an_early_end_that_cannot_be_is_refused(damage: str) -> None:
    data, sentence = EARLY_DAMAGES[damage]
    with pytest.raises(BadRecord) as refusal:
        records.verify(decode(data))
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    "early", [EarlyEnd("claimed", 1, ()), EarlyEnd("resigned", 1, (0,)), EarlyEnd("resigned", 1, (0, 2))], ids=str
)
def test_among_more_than_two_nobody_wins_because_somebody_went(early: EarlyEnd) -> None:
    with pytest.raises(BadRecord, match="cannot end like this"):
        records.verify(decode(early_with(early, games()["dutchman"])))
