"""Records: round trips, errors found by replaying and verifying, forgeries, unfinished games, and the documents.

``python tests/test_records.py`` renews the generated files: the JSON Schema, and the record in the document.
"""

from __future__ import annotations

import json
import os
import random
import re
import runpy
import stat
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from importlib.resources import files
from inspect import cleandoc
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from kontor import recording, records
from kontor.endings import EarlyEnd, How, early_end
from kontor.fair import commitment, salt_commitment, sources
from kontor.game import CHANCE, OVER, AnyGame, BadOptions, Result
from kontor.games.shanghaien.rules import SHANGHAIEN, Options
from kontor.games.shanghaien.rules.components import TRICKS, TrickCounts
from kontor.games.shanghaien.rules.state import Both, Dice, Roll, Shanghai
from kontor.plugins import game_named, games
from kontor.recording import RecordWriter
from kontor.records import BadRecord, EarlyEnding, GameEnding, Header, Record, Step, decode, encode, sections
from profiles import scale_examples

DOCS = Path(__file__).parents[1] / "docs"
SCHEMA = Path(__file__).parents[1] / "src" / "kontor" / "record.schema.json"
PAGE = DOCS / "record.md"
SHOWN = DOCS / "example.jsonl"

# ------------------------------------------------------------------------------------------ playing for a record

Chooser = Callable[[AnyGame, Any], Any]


def play_record(
    game: AnyGame,
    options: Any,
    choose: Chooser,
    seed: bytes,
    salts: tuple[str, ...] | None = None,
    salt_commitments: tuple[str, ...] = (),
    *,
    duplicate: bool = False,
    stepped: bool = False,
) -> Record:
    """Return the record of a whole game with fair dice."""
    count = game.seats(options)
    header = records.new_header(
        game,
        options,
        seats=["Anna", "Bernd", "Karin", "Helga", "Klaus", "Reiner"][:count],
        players=["person", "greedy", "random", "random", "random", "random"][:count],
        salts=salts if salts is not None else ("",) * count,
        commitment=commitment(seed),
        salt_commitments=salt_commitments,
        duplicate=duplicate,
    )
    if stepped:
        header = replace(header, record=records.STEPPED_VERSION)
    source = sources(game, records.dice_of(header, seed))
    steps: list[Step] = []
    state = game.start(options)
    while state.mover != OVER:
        line = len(steps) + 2
        action = game.chance(state).draw(source(state, line)) if state.mover == CHANCE else choose(game, state)
        steps.append(Step(state.mover, action))
        state = game.play(state, action)
    return records.ended(Record(header, tuple(steps)), seed, game.result(state) or Result((), ()))


def at_random(number: int) -> Chooser:
    chooser = random.Random(number)
    return lambda game, state: chooser.choice(game.moves(state))


def choose_shortest(game: AnyGame, state: Any) -> Any:
    """Choose a move that ends each round of Shanghaien as soon as possible."""
    moves = game.moves(state)
    return next((move for move in (Shanghai(), Both()) if move in moves), moves[0])


EXAMPLE = play_record(SHANGHAIEN, Options(), choose_shortest, bytes(range(32)), ("zwölf Hufeisen", ""))
"""The record in the documents."""

LINES = encode(EXAMPLE).splitlines(keepends=True)
SEED = bytes(range(32))


def shanghaien_options() -> st.SearchStrategy[Options]:
    cuts = st.lists(st.integers(0, 8), min_size=2, max_size=2).map(sorted)
    return st.builds(
        Options,
        tricks=cuts.map(lambda cut: TrickCounts(cut[0], cut[1] - cut[0], 8 - cut[1])),
        starter=st.sampled_from([None, 0, 1]),
        first_trick=st.sampled_from([None, *TRICKS]),
    )


def dutchman_options() -> st.SearchStrategy[Any]:
    """Return a strategy for options, by the name of the type only: the game may not be there yet."""
    options = games()["dutchman"].options
    count = st.integers(3, 6)
    return count.flatmap(
        lambda players: st.builds(
            options,
            players=st.just(players),
            starter=st.none() | st.integers(0, players - 1),
            circles=st.integers(0, 5),
        )
    )


OPTIONS: dict[str, Callable[[], st.SearchStrategy[Any]]] = {
    "shanghaien": shanghaien_options,
    "dutchman": dutchman_options,
}
"""Strategies for the options of each game."""

each_game = pytest.mark.parametrize("game", list(games().values()), ids=list(games()))
some = settings(
    deadline=None,
    max_examples=scale_examples(25),
    suppress_health_check=[HealthCheck.data_too_large, HealthCheck.too_slow],
)


def random_record(data: st.DataObject, game: AnyGame) -> Record:
    options = data.draw(OPTIONS[game.name](), label="options")
    number = data.draw(st.integers(0, 2**32), label="the players' number")
    seed = data.draw(st.binary(min_size=32, max_size=32), label="seed")
    salt = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=records.LONGEST_SALT)
    salts = data.draw(st.tuples(*[salt] * game.seats(options)), label="salts")
    committed: tuple[str, ...] = ()
    if data.draw(st.booleans(), label="duplicate"):
        stepped = data.draw(st.booleans(), label="stepped")
        return play_record(game, options, at_random(number), seed, duplicate=True, stepped=stepped)
    if data.draw(st.booleans(), label="strict"):
        committed, salts = reveal(salts, data.draw(st.tuples(*[SHARES] * len(salts)), label="shares"))
    return play_record(game, options, at_random(number), seed, salts, committed)


SHARES = st.sampled_from(["revealed", "left out", "none"])
"""The possible fates of a salt."""


def reveal(salts: tuple[str, ...], shares: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the commitments of the seats, and the salts with which the game begins."""
    pairs = list(zip(salts, shares, strict=True))
    committed = tuple("" if share == "none" else salt_commitment(salt) for salt, share in pairs)
    return committed, tuple(salt if share == "revealed" else "" for salt, share in pairs)


def refusal_of(data: bytes) -> BadRecord:
    """Return the refusal of a file that is read and verified."""
    with pytest.raises(BadRecord) as caught:
        records.verify(decode(data))
    return caught.value


# --------------------------------------------------------------------------------------------- reading and writing


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


# ------------------------------------------------------------------------------------------ replaying and verifying


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


# ------------------------------------------------------------------------------------------------- ended early


def ended_early(game: AnyGame, steps: int = 20, how: How = "resigned", seat: int = 1) -> Record:
    """Return a random game, ended after at least ``steps`` steps, when a seat is to move."""
    complete = play_record(game, game.options(), at_random(1), SEED)
    states = list(records.replay(complete))
    steps = next(at for at in range(steps, len(states)) if states[at].mover >= 0)
    left = Record(complete.header, complete.steps[:steps])
    return records.ended_early(left, SEED, early_end(how, seat, len(complete.header.seats)))


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


def early_changed(old: str, new: str) -> bytes:
    """Return a game that was ended early, with a text replaced."""
    text = encode(ended_early(SHANGHAIEN)).decode()
    assert old in text
    return text.replace(old, new, 1).encode()


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


# ------------------------------------------------------------------------------------------------- strict dice

HERS, HIS = "zwölf Hufeisen", "Anker"
STRICT = play_record(
    SHANGHAIEN, Options(), choose_shortest, SEED, (HERS, HIS), (salt_commitment(HERS), salt_commitment(HIS))
)
"""A record in which both have revealed their salts."""

WITHOUT = play_record(SHANGHAIEN, Options(), choose_shortest, SEED, (HERS, ""), STRICT.header.salt_commitments)
"""A record in which Bernd has not: the game began without his salt."""

SAID_OF_SHARES = "Every contribution is the one that was promised."


def stop_game(record: Record, steps: int) -> tuple[Record, Record]:
    """Return the game left after about ``steps`` steps, when a seat is to move; and ended early there."""
    assert record.ending
    states = list(records.replay(record))[:-1]
    steps = max(at for at, state in enumerate(states) if state.mover >= 0 and at <= max(steps, 5))
    left = Record(record.header, record.steps[:steps])
    seats = len(record.header.seats)
    return left, records.ended_early(left, bytes.fromhex(record.ending.seed), early_end("agreed", 0, seats))


@each_game
@some
@given(data=st.data())
def test_a_game_with_strict_dice_is_of_the_third_version_however_it_ends(game: AnyGame, data: st.DataObject) -> None:
    record = random_record(data, game)
    strict = any(record.header.salt_commitments)
    left, early = stop_game(record, data.draw(st.integers(0, len(record.steps)), label="steps"))
    versions = {version: [version] * 3 for version in (records.STRICT_VERSION, *records.SHARED_VERSIONS)}
    assert [part.header.record for part in (record, left, early)] == versions.get(record.header.record, [1, 1, 2])
    for part in (record, left, early):
        assert decode(encode(part)) == part
        assert records.verify(part).strict == strict


@each_game
@some
@given(data=st.data())
def test_games_with_duplicate_dice_have_the_same_luck_whatever_is_played(game: AnyGame, data: st.DataObject) -> None:
    options = data.draw(OPTIONS[game.name](), label="options")
    seed = data.draw(st.binary(min_size=32, max_size=32), label="seed")
    drawn: dict[tuple[object, int], object] = {}
    for number in range(4):
        record = play_record(game, options, at_random(number), seed, duplicate=True)
        states, times = [*records.replay(record)], Counter[object]()
        for before, step in zip(states, record.steps, strict=False):
            if step.seat == CHANCE:
                occasion = game.occasion(before)
                # The smiths, and the pile of the bankrupt, depend on the moves.
                if occasion[0] not in ("share", "shuffle", "reshuffle"):
                    assert drawn.setdefault((occasion, times[occasion]), step.action) == step.action
                times[occasion] += 1
    record = play_record(game, options, at_random(9), seed, duplicate=True)
    assert records.verify(record).dice
    another = replace(record.header, commitment=commitment(bytes(32)))
    other = records.ended(replace(record, header=another), bytes(32), cast(GameEnding, record.ending).result)
    if seed != bytes(32):
        assert refusal_of(encode(other)).rule == "fair-dice.md#the-outcomes"


@each_game
@some
@given(data=st.data())
def test_games_in_step_have_the_same_luck_where_they_ask_for_the_same_at_the_same_time(
    game: AnyGame, data: st.DataObject
) -> None:
    """Check that the n-th outcome of a round is drawn from a source of its own."""
    options = data.draw(OPTIONS[game.name](), label="options")
    seed = data.draw(st.binary(min_size=32, max_size=32), label="seed")
    drawn: dict[tuple[object, int], object] = {}
    refusals: list[str] = []
    for number in range(4):
        record = play_record(game, options, at_random(number), seed, duplicate=True, stepped=True)
        assert records.verify(decode(encode(record))).dice
        times = Counter[object]()
        for before, step in zip(records.replay(record), record.steps, strict=False):
            if step.seat == CHANCE:
                occasion = game.occasion(before)
                place = occasion, times[occasion[1]]
                if occasion[0] not in ("share", "shuffle", "reshuffle"):
                    assert drawn.setdefault(place, step.action) == step.action
                times[occasion[1]] += 1
        as_duplicate = replace(record, header=replace(record.header, record=records.DUPLICATE_VERSION))
        with pytest.raises(BadRecord) as refusal:
            records.verify(as_duplicate)
        refusals.append(str(refusal.value))
    # In a game that asks for little luck, both ways may draw the same.
    assert any("According to the seed" in refused for refused in refusals), refusals


def test_only_a_game_in_step_can_end_early_while_chance_is_to_act() -> None:
    for stepped in (False, True):
        record = play_record(SHANGHAIEN, Options(), choose_shortest, SEED, duplicate=True, stepped=stepped)
        left = Record(record.header, record.steps[:1])
        early = records.ended_early(left, SEED, early_end("resigned", 0, 2))
        if stepped:
            assert records.verify(decode(encode(early))).early
        else:
            assert "only while it is someone’s turn" in str(refusal_of(encode(early)))


def test_nobody_contributes_to_duplicate_dice() -> None:
    record = play_record(SHANGHAIEN, Options(), choose_shortest, SEED, duplicate=True)
    salted = replace(record.header, salts=("a", ""))
    refusal = refusal_of(encode(records.ended(replace(record, header=salted), SEED, Result((0, 0), (0, 1)))))
    assert str(refusal) == (
        "line 1: Nobody contributes to dice that several games share. (fair-dice.md#duplicate-dice)"
    )


@each_game
@some
@given(data=st.data())
def test_verifying_finds_which_shares_were_left_out(game: AnyGame, data: st.DataObject) -> None:
    options = data.draw(OPTIONS[game.name](), label="options")
    count = game.seats(options)
    shares = data.draw(st.tuples(*[SHARES] * count).filter(lambda shares: {*shares} != {"none"}), label="shares")
    committed, salts = reveal(tuple(f"salt {seat}" for seat in range(count)), shares)
    record = play_record(game, options, at_random(1), SEED, salts, committed)
    verified = records.verify(record)
    pairs = zip(record.header.seats, shares, strict=True)
    assert verified.left_out == tuple(name for name, share in pairs if share == "left out")
    assert SAID_OF_SHARES in verified.sentence
    assert ("The game began without the contribution" in verified.sentence) == ("left out" in shares)


@each_game
@some
@given(data=st.data())
def test_another_salt_than_the_one_committed_to_is_refused(game: AnyGame, data: st.DataObject) -> None:
    record = random_record(data, game)
    header = record.header
    if header.record != records.STRICT_VERSION:
        return
    seat = data.draw(st.integers(0, len(header.seats) - 1), label="seat")
    salt = data.draw(st.text("abc", min_size=1, max_size=records.LONGEST_SALT), label="salt")
    if header.salt_commitments[seat] in ("", salt_commitment(salt)):
        return
    salts = (*header.salts[:seat], salt, *header.salts[seat + 1 :])
    refusal = refusal_of(encode(replace(record, header=replace(header, salts=salts))))
    assert (refusal.line, refusal.rule) == (1, "fair-dice.md#strict-dice")


def test_strict_dice_fall_as_the_salts_say_and_not_the_commitments() -> None:
    usual = play_record(SHANGHAIEN, Options(), choose_shortest, SEED, (HERS, HIS))
    assert usual.steps == STRICT.steps
    assert usual.steps != WITHOUT.steps


def test_where_nobody_has_committed_to_a_salt_the_header_is_as_ever() -> None:
    for committed in ((), ("", "")):
        header = header_with(salts=[HERS, HIS], salt_commitments=committed)
        assert header == header_with(salts=[HERS, HIS])
        assert encode(Record(header)).startswith(b'{"record":1,')
        assert b"salt_commitments" not in encode(Record(header))


def test_the_header_of_a_game_with_strict_dice() -> None:
    header = header_with(
        salts=[HERS, ""],
        salt_commitments=[salt_commitment(HERS), ""],
        started=datetime(2026, 3, 1, 19, 30, tzinfo=UTC),
    )
    line = encode(Record(header)).decode()
    assert line.startswith('{"record":3,')
    assert line.endswith(
        f'"commitment":"{commitment(SEED)}","salt_commitments":["{salt_commitment(HERS)}",""],'
        '"started":"2026-03-01T19:30:00Z"}\n'
    )
    shipped_schema().validate(json.loads(line))


def test_of_strict_dice_it_is_said_that_the_shares_were_committed_to_and_whose_is_missing() -> None:
    sentence = "All 115 steps follow the rules, and all 39 outcomes of chance follow from the seed."
    assert records.verify(STRICT).sentence == f"{sentence} {SAID_OF_SHARES}"
    assert records.verify(WITHOUT).sentence.endswith(
        f"{SAID_OF_SHARES} The game began without the contribution of Bernd."
    )
    both = play_record(SHANGHAIEN, Options(), choose_shortest, SEED, ("", ""), STRICT.header.salt_commitments)
    assert records.verify(both).sentence.endswith("The game began without the contributions of Anna and Bernd.")
    one = play_record(SHANGHAIEN, Options(), choose_shortest, SEED, (HERS, ""), (salt_commitment(HERS), ""))
    assert records.verify(one).left_out == ()


def test_a_salt_without_a_commitment_was_told_openly() -> None:
    record = play_record(SHANGHAIEN, Options(), choose_shortest, SEED, (HERS, HIS), (salt_commitment(HERS), ""))
    verified = records.verify(decode(encode(record)))
    assert (verified.strict, verified.left_out) == (True, ())


def test_whoever_commits_to_the_empty_salt_is_not_left_out() -> None:
    record = play_record(
        SHANGHAIEN, Options(), choose_shortest, SEED, (HERS, ""), (salt_commitment(HERS), salt_commitment(""))
    )
    assert records.verify(record).left_out == ()


def test_a_game_with_strict_dice_goes_on_wherever_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with RecordWriter.begin(path, WITHOUT.header, SEED) as writer:
        writer.append(WITHOUT.steps[0])
    with RecordWriter.resume(path) as writer:
        for step in WITHOUT.steps[1:]:
            writer.append(step)
        assert isinstance(WITHOUT.ending, GameEnding)
        writer.finish(WITHOUT.ending.result)
    assert path.read_bytes() == encode(WITHOUT)


def strict_changed(old: str, new: str, record: Record = STRICT) -> bytes:
    """Return a game with strict dice, with a text of its header replaced."""
    text = encode(record).decode()
    assert old in text
    return text.replace(old, new, 1).encode()


COMMITTED = '"salt_commitments":["{}","{}"]'.format(*STRICT.header.salt_commitments)
NOT_COMMITTED_TO = "line 1: The contribution of {} is not the one that line 1 commits to. (fair-dice.md#strict-dice)"
NO_VERSION_OF_THESE = "line 1: Only a record of version 3 contains “salt_commitments”. (record.md#versions)"
NONE_COMMITTED = (
    "line 1: In a record of version 3 at least one seat has committed to its contribution. (record.md#versions)"
)
STRICT_DAMAGES: dict[str, tuple[bytes, str]] = {
    "another salt": (strict_changed(HIS, "anker"), NOT_COMMITTED_TO.format("Bernd")),
    "salts exchanged": (strict_changed(f'"{HERS}","{HIS}"', f'"{HIS}","{HERS}"'), NOT_COMMITTED_TO.format("Anna")),
    "the commitment to another salt": (
        strict_changed(salt_commitment(HERS), salt_commitment("Anker 2")),
        NOT_COMMITTED_TO.format("Anna"),
    ),
    "the first version": (strict_changed('"record":3', '"record":1'), NO_VERSION_OF_THESE),
    "the second version": (strict_changed('"record":3', '"record":2'), NO_VERSION_OF_THESE),
    "the second version of a game that was ended early": (
        strict_changed('"record":3', '"record":2', stop_game(STRICT, 20)[1]),
        NO_VERSION_OF_THESE,
    ),
    "no commitments": (strict_changed(f",{COMMITTED}", ""), NONE_COMMITTED),
    "the third version of a game with usual dice": (
        strict_changed('"record":1', '"record":3', EXAMPLE),
        NONE_COMMITTED,
    ),
    "the third version of a game with usual dice that was ended early": (
        early_changed('"record":2', '"record":3'),
        NONE_COMMITTED,
    ),
    "only empty commitments": (strict_changed(COMMITTED, '"salt_commitments":["",""]'), NONE_COMMITTED),
    "an empty list": (
        strict_changed(COMMITTED, '"salt_commitments":[]'),
        "line 1: Kontor would write this line differently: from byte 300, “}”. (record.md#lines)",
    ),
    "one commitment": (
        strict_changed(f',"{salt_commitment(HIS)}"]', "]"),
        "line 1: The game has 2 seats; “salt_commitments” has 1. (record.md#header)",
    ),
    "three commitments": (
        strict_changed('"]}', '",""]}'),
        "line 1: The game has 2 seats; “salt_commitments” has 3. (record.md#header)",
    ),
    "a short commitment": (
        strict_changed(salt_commitment(HIS), salt_commitment(HIS)[:-1]),
        "line 1: “salt_commitments[1]” does not have the right form. (record.md#header)",
    ),
    "a long commitment": (
        strict_changed(salt_commitment(HIS), salt_commitment(HIS) + "0"),
        "line 1: “salt_commitments[1]” has the wrong length. (record.md#header)",
    ),
    "a commitment in capitals": (
        strict_changed(salt_commitment(HIS), salt_commitment(HIS).upper()),
        "line 1: “salt_commitments[1]” does not have the right form. (record.md#header)",
    ),
    "a commitment that is null": (
        strict_changed(f'"{salt_commitment(HIS)}"', "null"),
        "line 1: “salt_commitments[1]” must be text. (record.md#header)",
    ),
    "another place in the line": (
        strict_changed(
            f'"commitment":"{commitment(SEED)}",{COMMITTED}', f'{COMMITTED},"commitment":"{commitment(SEED)}"'
        ),
        "line 1: Kontor would write this line differently: from byte 222, "
        '“commitment":"630dcd2966c4336691125448bb…”. (record.md#lines)',
    ),
    "a share left out afterwards": (
        strict_changed(f'"{HERS}","{HIS}"', f'"{HERS}",""'),
        'line 2: According to the seed, {"chance":"starter","seat":1} comes here, not {"chance":"starter","seat":0}. '
        "(fair-dice.md#the-outcomes)",
    ),
}


@pytest.mark.parametrize("damage", STRICT_DAMAGES)
def test_what_is_wrong_with_strict_dice_is_refused(damage: str) -> None:
    data, sentence = STRICT_DAMAGES[damage]
    assert str(refusal_of(data)) == sentence


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"salt_commitments": [salt_commitment("a")]}, "The game has 2 seats; “salt_commitments” has 1."),
        (
            {"salt_commitments": [salt_commitment("a"), "\n"]},
            "In “salt_commitments”, “�” contains a control character.",
        ),
        (
            {"salts": ["b", ""], "salt_commitments": [salt_commitment("a"), ""]},
            "The contribution of Anna is not the one that line 1 commits to.",
        ),
    ],
)
def test_no_header_is_made_with_commitments_that_do_not_fit(parts: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadOptions) as caught:
        header_with(**parts)
    assert caught.value.sentence == sentence


# -------------------------------------------------------------------------------------------------------- forging


@each_game
@some
@given(data=st.data())
def test_a_forged_step_is_refused(game: AnyGame, data: st.DataObject) -> None:
    """Check another outcome, or another seat, on its own line.

    Another move need not break a rule; then the digest does not fit.
    """
    record = random_record(data, game)
    at = data.draw(st.integers(0, len(record.steps) - 1), label="step")
    state = list(records.replay(record))[at]
    step = record.steps[at]
    number = data.draw(st.integers(0, 99), label="number")
    if step.seat == CHANCE:
        action = game.chance(state).draw(random.Random(number).randrange)
        forged = Step(CHANCE, action)
    elif number % 3:
        forged = Step(step.seat, random.Random(number).choice(game.moves(state)))
    else:
        forged = Step((step.seat + 1) % len(record.header.seats), step.action)
    changed = replace(record, steps=(*record.steps[:at], forged, *record.steps[at + 1 :]))
    if forged == step:
        assert records.verify(changed).dice
        return
    refusal = refusal_of(encode(changed))
    if step.seat == CHANCE or forged.seat != step.seat:
        assert refusal.line == at + 2
    else:
        assert refusal.line > at + 2


@each_game
@some
@given(data=st.data())
def test_a_file_with_a_line_missing_doubled_exchanged_or_moved_is_refused(game: AnyGame, data: st.DataObject) -> None:
    lines = encode(random_record(data, game)).splitlines(keepends=True)
    place = st.integers(0, len(lines) - 1)
    at, to = data.draw(place), data.draw(place)
    without = [*lines[:at], *lines[at + 1 :]]
    exchanged = list(lines)
    exchanged[at], exchanged[to] = lines[to], lines[at]
    for changed in (
        without,
        [*lines[:at], *lines[at:][:1], *lines[at:]],
        exchanged,
        [*without[:to], lines[at], *without[to:]],
    ):
        if changed != lines:
            assert 1 <= refusal_of(b"".join(changed)).line <= len(lines) + 1


@each_game
@some
@given(data=st.data())
def test_a_file_with_any_byte_changed_is_refused(game: AnyGame, data: st.DataObject) -> None:
    written = encode(random_record(data, game))
    at = data.draw(st.integers(0, len(written) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != written[at]))
    line = written.count(b"\n", 0, at) + 1
    assert refusal_of(written[:at] + bytes([byte]) + written[at + 1 :]).line >= line


def test_a_file_cut_off_at_any_byte_is_refused_or_unfinished() -> None:
    written = encode(EXAMPLE)
    for size in range(len(written)):
        cut = written[:size]
        line = cut.count(b"\n") + 1
        if size and cut.endswith(b"\n") and line < len(LINES):
            verified = records.verify(decode(cut))
            assert (verified.steps, verified.dice, verified.result) == (line - 2, False, None)
        else:
            assert refusal_of(cut).line == line


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)


@some
@given(data=st.binary(max_size=200), at=st.integers(0, len(LINES)))
def test_any_bytes_in_the_place_of_a_line_are_refused(data: bytes, at: int) -> None:
    if data != b"".join(LINES[at : at + 1]):
        refusal_of(b"".join([*LINES[:at], data, b"\n", *LINES[at + 1 :]]))


def draw_container(data: st.DataObject, value: Any) -> tuple[Any, Any]:
    """Return a list or dictionary inside the value, and one of its keys."""
    while True:
        key = data.draw(st.sampled_from(list(value) if isinstance(value, dict) else list(range(len(value)))))
        inner = value[key]
        if not isinstance(inner, dict | list) or not inner or data.draw(st.booleans()):
            return value, key
        value = inner


def draw_other(data: st.DataObject, value: Any) -> Any:
    """Return another value, usually of the same type, so that only the rules can refuse it."""
    if isinstance(value, list) and value and data.draw(st.booleans()):
        return data.draw(st.permutations(value)) if data.draw(st.booleans()) else [*value, *value[:1]]
    if isinstance(value, list) and data.draw(st.booleans()):
        return value[1:]
    if type(value) is int and data.draw(st.booleans()):
        return data.draw(st.integers(-2, 50))
    return data.draw(JSON)


@each_game
@settings(some, max_examples=scale_examples(300))
@given(data=st.data())
def test_any_other_value_in_a_line_is_refused(game: AnyGame, data: st.DataObject) -> None:
    """Check values deep inside too: in the options, among the cards of a row, in the result."""
    lines = SOME_RECORDS[game.name]
    at = data.draw(st.sampled_from([0, 1, 2, len(lines) - 1]) | st.integers(0, len(lines) - 1))
    line = json.loads(lines[at])
    where, key = draw_container(data, line)
    where[key] = draw_other(data, where[key])
    changed = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode(errors="surrogatepass") + b"\n"
    if changed != lines[at]:
        refusal = refusal_of(b"".join([*lines[:at], changed, *lines[at + 1 :]]))
        assert str(refusal).startswith("line ")


SOME_RECORDS = {
    name: encode(play_record(game, game.options(), at_random(3), bytes(32))).splitlines(keepends=True)
    for name, game in games().items()
}


# --------------------------------------------------------------------------------- refusals of each kind of damage


def with_line(number: int, old: str, new: str) -> bytes:
    """Return the example with a text on a line replaced."""
    line = LINES[number - 1].decode()
    assert old in line
    return b"".join([*LINES[: number - 1], line.replace(old, new, 1).encode(), *LINES[number:]])


def without_lines(*numbers: int) -> bytes:
    return b"".join(line for number, line in enumerate(LINES, 1) if number not in numbers)


def ended_anew(record: Record, seed: bytes = SEED, result: Result | None = None) -> bytes:
    """Return a skilled forgery: the digest fits."""
    assert isinstance(record.ending, GameEnding)
    return encode(records.ended(record, seed, result or record.ending.result))


WHOLE = encode(EXAMPLE)
OTHER_ROLL = (*EXAMPLE.steps[:-3], Step(CHANCE, Dice(2, 5)), *EXAMPLE.steps[-2:])

DAMAGES: dict[str, tuple[bytes, str]] = {
    # Lines
    "empty": (b"", "line 1: The file is empty. (record.md#lines)"),
    "no line feed": (
        WHOLE[:-1],
        "line 117: The line is cut off: it does not end in a line feed. (record.md#lines)",
    ),
    "one line without a line feed": (
        b"{",
        "line 1: The line is cut off: it does not end in a line feed. (record.md#lines)",
    ),
    "an empty line": (
        with_line(5, "{", "\n{"),
        "line 5: The line is not JSON: it ends too early. (record.md#lines)",
    ),
    "no JSON": (
        with_line(5, "3", "three"),
        "line 5: The line is not JSON from byte 25 on. (record.md#lines)",
    ),
    "NaN": (
        with_line(5, "3", "NaN"),
        "line 5: The line is not JSON from byte 24 on. (record.md#lines)",
    ),
    "no object": (
        with_line(5, '{"chance":"dice","low":3,"high":4}', "[1]"),
        "line 5: an object with fields is needed here. (record.md#lines)",
    ),
    "another line end": (
        WHOLE.replace(b"\n", b"\r\n"),
        "line 1: Character 295 of the line is the control character U+000D. (record.md#lines)",
    ),
    "a byte order mark": (
        b"\xef\xbb\xbf" + WHOLE,
        "line 1: The line is not JSON from byte 1 on. (record.md#lines)",
    ),
    "spaces": (
        with_line(7, ":", ": "),
        "line 7: Kontor would write this line differently: from byte 9, "
        '“1,"move":"place","die":3}”. (record.md#lines)',
    ),
    "a field twice": (
        with_line(7, "}", ',"die":3}'),
        "line 7: Kontor would write this line differently: from byte 33, “}”. (record.md#lines)",
    ),
    "another order": (
        with_line(5, '"low":3,"high":4', '"high":4,"low":3'),
        'line 5: Kontor would write this line differently: from byte 19, “low":3,"high":4}”. (record.md#lines)',
    ),
    "an unknown field of a move": (
        with_line(7, "}", ',"cheat":true}'),
        "line 7: Kontor would write this line differently: from byte 33, “}”. (record.md#lines)",
    ),
    "not UTF-8": (
        WHOLE.replace("ö".encode(), "ö".encode("latin-1")),
        "line 1: Byte 197 of the line is not UTF-8. (record.md#lines)",
    ),
    "half of a character": (
        with_line(7, "place", "\\ud800"),
        "line 7: The line is not JSON from byte 25 on. (record.md#lines)",
    ),
    "deeply nested": (
        with_line(7, "3", "[" * 30_000 + "]" * 30_000),
        "line 7: The line is nested too deeply. (record.md#lines)",
    ),
    "a long line": (
        with_line(7, "3", "3" * 70_000),
        "line 7: A line can have at most 65536 bytes. (record.md#lines)",
    ),
    "a long file": (
        WHOLE + b"\n" * records.MOST_BYTES,
        "line 16772946: A record can have at most 16777216 bytes. (record.md#lines)",
    ),
    # Header
    "no record": (b'{"name":"game"}\n', "line 1: The header lacks “record”. (record.md#header)"),
    "a newer format": (
        b'{"record":6,"spiel":{"who":"knows"}}\n',
        "line 1: This is a record of version 6; this Kontor knows 1, 2, 3, 4, 5. (record.md#versions)",
    ),
    "newer rules": (
        with_line(1, '"rules":1', '"rules":2'),
        "line 1: This record was played by version 2 of the rules of shanghaien; this Kontor knows 1. "
        "(record.md#versions)",
    ),
    "a record that is no number": (
        with_line(1, '"record":1', '"record":"1"'),
        "line 1: “record” must be a whole number. (record.md#header)",
    ),
    "an unknown game": (
        with_line(1, "shanghaien", "skat"),
        f"line 1: There is no game “skat”. There are: {', '.join(games())}. (record.md#header)",
    ),
    "an unknown option": (
        with_line(1, "first_trick", "second_trick"),
        "line 1: “options.second_trick” is not known here. (record.md#header)",
    ),
    "an unknown part of an option": (
        with_line(1, '"reroll":3', '"reroll":3,"x":1'),
        "line 1: “options.tricks.x” is not known here. (record.md#header)",
    ),
    "options that cannot be": (
        with_line(1, '"reroll":3', '"reroll":4'),
        "line 1: There must be eight trick cards: 3 Nudge, 2 Both and 4 Reroll make 9. (S2)",
    ),
    "an unknown field": (
        with_line(1, '"seats"', '"date":0,"seats"'),
        "line 1: “date” is not known here. (record.md#header)",
    ),
    "a field missing": (
        with_line(1, '"salts":["zwölf Hufeisen",""],', ""),
        "line 1: “salts” is missing. (record.md#header)",
    ),
    "three seats": (
        with_line(1, '"Bernd"', '"Bernd","Karin"'),
        "line 1: The game has 2 seats; “seats” has 3. (record.md#header)",
    ),
    "one salt": (
        with_line(1, ',""]', "]"),
        "line 1: The game has 2 seats; “salts” has 1. (record.md#header)",
    ),
    "no name": (
        with_line(1, '"Bernd"', '""'),
        "line 1: In “seats”, “” has 0 characters; it should be 1 to 60. (record.md#header)",
    ),
    "a long salt": (
        with_line(1, ',""]', f',"{"x" * 61}"]'),
        f"line 1: In “salts”, “{'x' * 59}…” has 61 characters; it should be 0 to 60. (record.md#header)",
    ),
    "a name that clears the screen": (
        with_line(1, "Bernd", "\\u001b[2J"),
        'line 1: The line contains an escape other than \\" and \\\\. (record.md#lines)',
    ),
    "a name that turns the line round": (
        with_line(1, "Bernd", "\u202edneB"),
        "line 1: Character 147 of the line is the control character U+202E. (record.md#lines)",
    ),
    "a game that clears the screen": (
        with_line(1, "shanghaien", "\x9b2J"),
        "line 1: Character 21 of the line is the control character U+009B. (record.md#lines)",
    ),
    "a game with a long name": (
        with_line(1, "shanghaien", "x" * 60_000),
        f"line 1: There is no game “{'x' * 159}…”. There are: {', '.join(games())}. (record.md#header)",
    ),
    "a space at the end": (
        with_line(7, "}", "} "),
        "line 7: Kontor would write this line differently: it ends before byte 34. (record.md#lines)",
    ),
    "a commitment in capitals": (
        with_line(1, "630dcd", "630DCD"),
        "line 1: “commitment” does not have the right form. (record.md#header)",
    ),
    "a start without a time zone": (
        with_line(1, '10dd"', '10dd","started":"2026-03-01T19:30:00"'),
        "line 1: “started” does not have the right form. (record.md#header)",
    ),
    # Steps
    "neither move nor outcome nor ending": (
        with_line(7, "seat", "chair"),
        "line 7: This is neither a move of a “seat”, nor “chance”, nor an ending with a “seed”. (record.md#steps)",
    ),
    "a seat too many": (
        with_line(7, ":1", ":2"),
        "line 7: There is no seat 2; the seats are 0 to 1. (record.md#steps)",
    ),
    "chance as a seat": (
        with_line(7, ":1", ":-1"),
        "line 7: There is no seat -1; the seats are 0 to 1. (record.md#steps)",
    ),
    "a seat that is no number": (
        with_line(7, ":1", ":true"),
        "line 7: “seat” must be a whole number. (record.md#steps)",
    ),
    "the other seat": (
        with_line(7, '"seat":1', '"seat":0'),
        "line 7: It is Bernd who acts here, not Anna. (record.md#steps)",
    ),
    "a move where chance is due": (
        without_lines(5),
        "line 5: It is chance that acts here, not Bernd. (record.md#steps)",
    ),
    "chance where a move is due": (
        without_lines(4),
        "line 4: It is Bernd who acts here, not chance. (record.md#steps)",
    ),
    "an unknown move": (
        with_line(7, "place", "throw"),
        "line 7: “move” cannot be “throw”. (record.md#steps)",
    ),
    "a move of no kind": (
        with_line(7, '"move":"place",', ""),
        "line 7: “move” is missing. (record.md#steps)",
    ),
    "a die that is no number": (
        with_line(7, "3", "3.5"),
        "line 7: “die” must be a whole number. (record.md#steps)",
    ),
    "an unknown outcome": (
        with_line(5, "dice", "coin"),
        "line 5: “chance” cannot be “coin”. (record.md#steps)",
    ),
    "a long number": (
        with_line(7, "3", "3" * 5000),
        "line 7: “die” is too small or too large. (record.md#steps)",
    ),
    "an illegal move": (with_line(7, ":3", ":5"), "line 7: You did not roll a 5. (S6)"),
    "a move too early": (
        with_line(10, '{"seat":0,"move":"place","die":2}', '{"seat":0,"move":"shanghai"}'),
        "line 10: You have rolled: now place one of the dice. (S6)",
    ),
    "shanghai without dice": (
        with_line(8, "roll", "shanghai"),
        "line 8: You can call “Shanghai!” only after placing at least two of your own dice. (S4)",
    ),
    "an outcome that cannot be": (with_line(5, ":3", ":7"), "line 5: That outcome is not possible here. (S6)"),
    "a card that is gone": (with_line(18, "T2", "G2"), "line 18: That outcome is not possible here. (S10)"),
    "a forged die": (
        with_line(5, ":3", ":4"),
        'line 5: According to the seed, {"chance":"dice","low":3,"high":4} comes here, '
        'not {"chance":"dice","low":4,"high":4}. (fair-dice.md#the-outcomes)',
    ),
    # Ending
    "no ending": (
        without_lines(117),
        "line 117: The game is over, but the line with its seed and result is missing. (record.md#ending)",
    ),
    "an ending too early": (
        without_lines(116),
        "line 116: The game is not over yet, so it cannot have a result. (record.md#ending)",
    ),
    "a line after the end": (
        WHOLE + LINES[6],
        "line 118: The game ended on line 117: nothing can follow. (record.md#ending)",
    ),
    "a step after the game": (
        encode(replace(EXAMPLE, steps=(*EXAMPLE.steps, Step(1, Roll())), ending=None)),
        "line 117: The game is over: only its result can follow. (record.md#steps)",
    ),
    "a wrong result": (
        with_line(117, "[8,8]", "[9,8]"),
        'line 117: The result is {"points":[8,8],"winners":[0,1]}, not {"points":[9,8],"winners":[0,1]}. '
        "(record.md#ending)",
    ),
    "no result": (
        with_line(117, '"result":{"points":[8,8],"winners":[0,1]},', ""),
        "line 117: “result” is missing. (record.md#ending)",
    ),
    "a wrong seed": (
        with_line(117, "000102", "ff0102"),
        "line 117: The seed is not the one that line 1 commits to. (fair-dice.md#the-commitment)",
    ),
    "a wrong commitment": (
        with_line(1, "630dcd", "000000"),
        "line 117: The seed is not the one that line 1 commits to. (fair-dice.md#the-commitment)",
    ),
    "another name": (
        with_line(1, "Anna", "Hanna"),
        "line 117: A line before this one has been changed: the digest belongs to other lines. (record.md#ending)",
    ),
    "another move": (
        with_line(67, '"die":1', '"die":3'),
        "line 117: A line before this one has been changed: the digest belongs to other lines. (record.md#ending)",
    ),
    "a forger's die": (
        ended_anew(replace(EXAMPLE, steps=OTHER_ROLL)),
        'line 114: According to the seed, {"chance":"dice","low":2,"high":6} comes here, '
        'not {"chance":"dice","low":2,"high":5}. (fair-dice.md#the-outcomes)',
    ),
    "a forger's seed": (
        ended_anew(EXAMPLE, bytes(32)),
        "line 117: The seed is not the one that line 1 commits to. (fair-dice.md#the-commitment)",
    ),
}
"""Files that are no records, and their refusals."""


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_wrong_is_refused_with_the_line_and_the_rule(damage: str) -> None:
    data, sentence = DAMAGES[damage]
    assert str(refusal_of(data)) == sentence


def test_every_section_named_by_a_refusal_is_there() -> None:
    headings = {
        f"{page.name}#{re.sub('[^a-z -]', '', title.lower()).replace(' ', '-')}"
        for page in DOCS.glob("*.md")
        for title in re.findall(r"^##+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    }
    named = {value for name, value in vars(sections).items() if ".md#" in str(value)}
    assert len(named) == 10
    assert named <= headings


# ---------------------------------------------------------------------------------------------- headers and games


def header_with(**parts: Any) -> Header:
    return records.new_header(
        **{
            "game": SHANGHAIEN,
            "options": Options(),
            "seats": ["Anna", "Bernd"],
            "players": ["person", "random"],
            "salts": ["", ""],
            "commitment": commitment(SEED),
            **parts,
        }
    )


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


# ------------------------------------------------------------------------------------------------ an unfinished game


def test_a_record_written_while_playing_is_the_one_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    state = SHANGHAIEN.start(Options())
    with RecordWriter.begin(path, EXAMPLE.header, SEED) as writer:
        for step in EXAMPLE.steps:
            if state.mover == CHANCE:
                assert SHANGHAIEN.chance(state).draw(writer.dice.below(writer.line)) == step.action
            writer.append(step)
            assert records.read(path) == writer.record
            state = SHANGHAIEN.play(state, step.action)
        writer.finish(Result((8, 8), (0, 1)))
    assert path.read_bytes() == encode(EXAMPLE)
    assert list(tmp_path.iterdir()) == [path]  # the seed has been revealed


@pytest.mark.skipif(os.name != "posix", reason="elsewhere files have no such modes")
def test_seed_and_record_of_a_game_that_is_going_on_are_for_their_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with RecordWriter.begin(path, EXAMPLE.header, SEED):
        for file in (path, recording.seed_path(path)):
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert recording.seed_path(path).name == "game.jsonl.seed"
    assert SEED.hex() not in path.read_text()


def test_wherever_a_game_stops_it_goes_on(tmp_path: Path) -> None:
    """Stop after every byte of two lines: confirmed steps are there, and the same dice come again."""
    path = tmp_path / "game.jsonl"
    recording.save_seed(path, SEED)
    complete = encode(EXAMPLE)
    start = len(b"".join(LINES[:6]))
    for size in range(start, start + len(LINES[6] + LINES[7]) + 1):
        path.write_bytes(complete[:size])
        with RecordWriter.resume(path) as writer:
            steps = len(writer.record.steps)
            assert steps == complete[:size].count(b"\n") - 1
            for step in EXAMPLE.steps[steps:9]:
                writer.append(step)
        assert path.read_bytes() == b"".join(LINES[:10])


def test_a_game_that_stopped_just_before_its_ending_can_be_ended(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(b"".join(LINES[:-1]))
    recording.save_seed(path, SEED)
    with RecordWriter.resume(path) as writer:
        writer.finish(Result((8, 8), (0, 1)))
    assert records.verify(records.read(path)).dice


def test_a_game_that_is_over_cannot_go_on(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(encode(EXAMPLE))
    with pytest.raises(BadRecord, match="line 117: The game is over: it cannot go on"):
        RecordWriter.resume(path)


def test_a_game_cannot_go_on_without_its_seed_or_with_another(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(b"".join(LINES[:9]))
    with pytest.raises(BadRecord, match=r"line 1: The game cannot go on without its seed, and .*seed is missing"):
        RecordWriter.resume(path)
    for content in ("", "00" * 32, SEED.hex() + SEED.hex(), "no seed", "\udcff"):
        recording.seed_path(path).write_text(content, "utf-8", errors="surrogateescape")
        with pytest.raises(BadRecord, match=r"does not hold the seed that line 1 commits to"):
            RecordWriter.resume(path)


def test_a_game_with_forged_dice_cannot_go_on(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(LINES[0] + LINES[1].replace(b"1", b"0"))
    recording.save_seed(path, SEED)
    with pytest.raises(BadRecord, match="line 2: According to the seed"):
        RecordWriter.resume(path)


def test_no_game_and_no_seed_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(WHOLE)
    with pytest.raises(FileExistsError):
        RecordWriter.begin(path, EXAMPLE.header, SEED)
    assert path.read_bytes() == WHOLE
    assert not recording.seed_path(path).exists()
    path.unlink()
    recording.save_seed(path, bytes(32))
    with pytest.raises(FileExistsError):
        RecordWriter.begin(path, EXAMPLE.header, SEED)
    assert not path.exists()
    assert recording.seed_path(path).read_text() == "00" * 32 + "\n"


def test_a_header_must_commit_to_the_seed_that_is_kept(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="does not commit"):
        RecordWriter.begin(tmp_path / "game.jsonl", EXAMPLE.header, bytes(32))
    assert not list(tmp_path.iterdir())


def test_a_game_that_is_open_twice_is_not_written_by_both(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with RecordWriter.begin(path, EXAMPLE.header, SEED) as one, RecordWriter.resume(path) as other:
        other.append(EXAMPLE.steps[0])
        with pytest.raises(
            BadRecord, match="line 2: Someone else has written to this record: is the game open twice"
        ):
            one.append(EXAMPLE.steps[0])
    assert path.read_bytes() == b"".join(LINES[:2])


def test_a_full_disk_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    write = os.write
    free = 20

    def full(file: int, data: bytes) -> int:
        nonlocal free
        written = write(file, data[:free])
        free -= written
        if not written:
            raise OSError("No space left on device")
        return written

    with RecordWriter.begin(path, EXAMPLE.header, SEED) as writer:
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", full)
            with pytest.raises(OSError, match="No space left"):
                writer.append(EXAMPLE.steps[0])
        assert records.read(path) == writer.record == Record(EXAMPLE.header)
        writer.append(EXAMPLE.steps[0])
    assert path.read_bytes() == b"".join(LINES[:2])


def test_each_line_is_on_the_disk_before_the_game_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    synced: list[int] = []
    with RecordWriter.begin(path, EXAMPLE.header, SEED) as writer, monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: synced.append(os.fstat(file).st_size))
        writer.append(EXAMPLE.steps[0])
        writer.append(EXAMPLE.steps[1])
    assert synced == [len(b"".join(LINES[:2])), len(b"".join(LINES[:3]))]


def test_no_seed_is_shown_by_accident(tmp_path: Path) -> None:
    with RecordWriter.begin(tmp_path / "game.jsonl", EXAMPLE.header, SEED) as writer:
        texts = repr(writer) + repr(writer.dice) + repr(writer.record)
    assert SEED.hex() not in texts
    assert repr(SEED) not in texts


# ------------------------------------------------------------------------------------------------------- the schema


def json_schema() -> str:
    """Return the content of record.schema.json, made from the types."""
    defs: dict[str, Any] = {}
    lines = []
    kinds = [GameEnding, EarlyEnding, Header]
    (ending, early, _), parts = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    header = parts.pop("Header")
    defs |= parts
    texts = {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength": records.LONGEST_NAME}}
    salts = {"type": "array", "items": {"type": "string", "maxLength": records.LONGEST_SALT}}
    for game in games().values():
        unions = [game.options, game.move, game.outcome]
        (options, moves, outcomes), parts = msgspec.json.schema_components(
            unions, ref_template=f"#/$defs/{game.name}.{{name}}"
        )
        defs |= {f"{game.name}.{name}": part for name, part in parts.items()}
        properties = header["properties"] | {
            "record": {"enum": records.VERSIONS},
            "game": {"const": game.name},
            "rules": {"const": game.version},
            "options": options,
            "seats": texts,
            "players": texts,
            "salts": salts,
        }
        defs[f"{game.name}.header"] = header | {"properties": properties}
        for move in moves["anyOf"]:
            made = defs[move["$ref"].removeprefix("#/$defs/")]
            made["properties"] = {"seat": {"type": "integer", "minimum": 0}} | made["properties"]
        defs[f"{game.name}.move"] = {"anyOf": moves["anyOf"]}
        defs[f"{game.name}.outcome"] = {"anyOf": outcomes["anyOf"]}
        lines += [{"$ref": f"#/$defs/{game.name}.{kind}"} for kind in ("header", "move", "outcome")]
    for part in defs.values():
        if "description" in part:
            part["description"] = cleandoc(part["description"])  # Python 3.13 does so itself, older ones do not
        if "properties" in part:  # every field is written, but for three, and there are no others
            optional = ("salt_commitments", "started", "check")
            part["required"] = [name for name in part["properties"] if name not in optional]
            part["additionalProperties"] = False
            for value in part["properties"].values():
                value.pop("default", None)
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of a record of Kontor",
        "description": "docs/record.md says what it means. The first line is a header, the last may be an ending.",
        "anyOf": [*lines, ending, early],
        "$defs": defs,
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def shipped_schema() -> Draft202012Validator:
    schema = json.loads((files("kontor") / "record.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_the_schema_is_that_of_the_types() -> None:
    assert SCHEMA.read_text("utf-8") == json_schema(), "renew it with: python tests/test_records.py"


@each_game
@settings(some, max_examples=scale_examples(8))
@given(data=st.data())
def test_every_line_of_every_record_keeps_the_schema(game: AnyGame, data: st.DataObject) -> None:
    schema = shipped_schema()
    record = random_record(data, game)
    started = replace(record.header, started=datetime(2026, 3, 1, 19, 30, tzinfo=UTC))
    seen = set()
    for line in (*encode(record).splitlines(), records.encode_line(started)):
        value = json.loads(line)
        shape = tuple((key, value[key] if key in ("move", "chance") else type(value[key])) for key in value)
        if shape not in seen:  # the validator is slow, and most lines are like others
            seen.add(shape)
            schema.validate(value)


@pytest.mark.parametrize(
    "damage",
    [
        "no object",
        "a newer format",
        "newer rules",
        "an unknown game",
        "an unknown option",
        "an unknown part of an option",
        "an unknown field",
        "a field missing",
        "no name",
        "a long salt",
        "a commitment in capitals",
        "neither move nor outcome nor ending",
        "chance as a seat",
        "a seat that is no number",
        "an unknown move",
        "an unknown field of a move",
        "a move of no kind",
        "a die that is no number",
        "an unknown outcome",
        "no result",
    ],
)
def test_lines_of_another_shape_do_not_keep_the_schema(damage: str) -> None:
    schema = shipped_schema()
    changed = [json.loads(line) for line in DAMAGES[damage][0].splitlines()]
    assert not all(schema.is_valid(line) for line in changed)


# ------------------------------------------------------------------------------------------------------ the document

FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def fenced_blocks(language: str) -> list[str]:
    return [text for kind, text in FENCED.findall(PAGE.read_text("utf-8")) if kind == language]


def test_the_record_beside_the_document_is_a_real_one_and_verifies() -> None:
    data = SHOWN.read_bytes()
    assert data == encode(EXAMPLE), "renew it with: python tests/test_records.py"
    assert records.verify(decode(data)).dice
    assert "has 117 lines" in PAGE.read_text("utf-8")
    assert len(LINES) == 117


def test_the_lines_shown_in_the_document_are_of_that_record() -> None:
    *blocks, early = fenced_blocks("json")
    assert len(blocks) == 4
    assert "early" in early
    for text in blocks:
        for line in text.splitlines(keepends=True):
            assert line.encode() in LINES


def test_the_refusals_shown_in_the_document_are_real() -> None:
    sentences = {sentence for _, sentence in DAMAGES.values()}
    quoted = fenced_blocks("text")[0].splitlines()
    assert len(quoted) >= 5
    assert set(quoted) <= sentences


def test_the_example_in_the_document_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = fenced_blocks("python")
    (tmp_path / "example.py").write_text(code, "utf-8")
    records.write(tmp_path / "game.jsonl", EXAMPLE)
    monkeypatch.chdir(tmp_path)
    runpy.run_path("example.py")
    assert capsys.readouterr().out == fenced_blocks("text")[1]


def renew() -> None:
    """Write the generated files anew."""
    SCHEMA.write_text(json_schema(), "utf-8")
    SHOWN.write_bytes(encode(EXAMPLE))


if __name__ == "__main__":
    renew()
