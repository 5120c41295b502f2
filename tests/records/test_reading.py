"""Reading, writing, replaying and verifying records."""

import json
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kontor import records
from kontor.fair import commitment
from kontor.game import CHANCE, AnyGame, Result
from kontor.games.shanghaien.rules.state import Dice
from kontor.records import BadRecord, Record, decode, encode
from records.made import EXAMPLE, LINES, SEED, at_random, each_game, play_record, random_record, some


@each_game
@some
@given(data=st.data())
def test_writing_and_reading_are_mirror_images(game: AnyGame, data: st.DataObject) -> None:
    record = random_record(data, game)
    written = encode(record)
    assert decode(written) == record
    assert encode(decode(written)) == written


@each_game
@some
@given(data=st.data())
def test_a_game_that_was_left_is_a_record_too(game: AnyGame, data: st.DataObject) -> None:
    record = random_record(data, game)
    left = Record(record.header, record.steps[: data.draw(st.integers(0, len(record.steps) - 1))])
    assert decode(encode(left)) == left
    verified = records.verify(decode(encode(left)))
    assert (verified.steps, verified.dice, verified.result) == (len(left.steps), False, None)


def test_a_record_is_written_to_a_file_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    records.write(path, EXAMPLE)
    assert path.read_bytes() == encode(EXAMPLE)
    assert records.read(path) == EXAMPLE


@each_game
def test_the_one_way_to_write_a_line_is_that_of_every_json_library(game: AnyGame) -> None:
    record = play_record(
        game,
        game.options(),
        at_random(1),
        bytes(32),
        ('a "quoted" \\ salt: é 日本', "", *[""] * 4)[: game.seats(game.options())],
    )
    for line in encode(record).splitlines():
        assert json.dumps(json.loads(line), ensure_ascii=False, separators=(",", ":")).encode() == line


def test_when_a_game_started_may_be_told() -> None:
    for moment in (
        datetime(2026, 3, 1, 19, 30, tzinfo=UTC),
        datetime(2026, 3, 1, 19, 30, 1, tzinfo=timezone(timedelta(hours=9))),
    ):
        record = Record(replace(EXAMPLE.header, started=moment))
        assert decode(encode(record)) == record
    assert b'"started":"2026-03-01T19:30:01+09:00"}' in encode(record)
    assert b"started" not in LINES[0]


@each_game
def test_no_move_has_a_field_that_belongs_to_the_line(game: AnyGame) -> None:
    for kind in members(game.move):
        assert kind.__struct_config__.tag_field == "move"
        assert not {"seat", "chance", "seed"} & set(kind.__struct_encode_fields__)
    for kind in members(game.outcome):
        assert kind.__struct_config__.tag_field == "chance"


def members(union: Any) -> tuple[Any, ...]:
    return getattr(union, "__args__", (union,))


@each_game
@some
@given(data=st.data())
def test_a_record_replays_to_the_states_of_the_game_and_verifies(game: AnyGame, data: st.DataObject) -> None:
    record = random_record(data, game)
    states = list(records.replay(record))
    assert states[0] == game.start(record.header.options)
    for (before, after), step in zip(pairwise(states), record.steps, strict=True):
        assert after == game.play(before, step.action)
    verified = records.verify(record)
    assert verified.dice
    assert verified.steps == len(record.steps)
    assert verified.outcomes == sum(step.seat == CHANCE for step in record.steps)
    assert verified.result == game.result(states[-1])


@each_game
def test_events_are_what_a_seat_may_know_of_each_step(game: AnyGame) -> None:
    record = play_record(game, game.options(), at_random(2), bytes(32))
    states = list(records.replay(record))
    for seat in (None, 0, 1):
        events = records.events(record, seat)
        assert len(events) == len(record.steps)
        for event, (before, after), step in zip(events, pairwise(states), record.steps, strict=True):
            assert event == game.event(before, step.action, after, seat)


def test_replaying_needs_no_random_numbers_and_verifying_finds_that_they_are_others() -> None:
    """Check the same steps with the commitment of another seed."""
    other = replace(EXAMPLE.header, commitment=commitment(bytes(32)))
    record = records.ended(replace(EXAMPLE, header=other), bytes(32), Result((8, 8), (0, 1)))
    assert len(list(records.replay(record))) == 116
    with pytest.raises(
        BadRecord, match=r"^line 3: According to the seed, .* comes here, not .* \(fair-dice.md#the-outcomes\)$"
    ):
        records.verify(record)


def test_the_outcomes_of_a_game_that_was_left_are_verified_once_the_seed_is_known() -> None:
    left = Record(EXAMPLE.header, EXAMPLE.steps[:10])
    assert records.verify(left).sentence == (
        "All 10 steps follow the rules. The game was abandoned: its 4 outcomes of chance cannot be verified "
        "until the dealer reveals the seed."
    )
    assert records.verify(left, SEED).sentence == (
        "All 10 steps follow the rules, and all 4 outcomes of chance follow from the seed. The game was abandoned."
    )
    with pytest.raises(BadRecord, match="line 1: The seed is not the one that line 1 commits to"):
        records.verify(left, bytes(32))
    rolled = replace(EXAMPLE.steps[3], action=Dice(3, 5))
    forged = replace(left, steps=(*left.steps[:3], rolled))
    assert not records.verify(forged).dice
    with pytest.raises(BadRecord, match="line 5: According to the seed"):
        records.verify(forged, SEED)


def test_a_finished_game_says_so() -> None:
    assert records.verify(EXAMPLE).sentence == (
        "All 115 steps follow the rules, and all 39 outcomes of chance follow from the seed."
    )
