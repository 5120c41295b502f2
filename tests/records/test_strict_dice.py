"""Records of games with strict, and with duplicate dice."""

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kontor import records
from kontor.endings import early_end
from kontor.fair import commitment, salt_commitment
from kontor.game import CHANCE, AnyGame, BadOptions, Result
from kontor.games.shanghaien.rules import SHANGHAIEN, Options
from kontor.recording import RecordWriter
from kontor.records import BadRecord, GameEnding, Record, decode, encode
from records.made import (
    EXAMPLE,
    HERS,
    HIS,
    OPTIONS,
    SEED,
    SHARES,
    STRICT,
    WITHOUT,
    at_random,
    choose_shortest,
    each_game,
    early_changed,
    header_with,
    play_record,
    random_record,
    refusal_of,
    reveal,
    shipped_schema,
    some,
    stop_game,
)

SAID_OF_SHARES = "Every contribution is the one that was promised."


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
NO_VERSION_OF_THESE = "line 1: Only records of versions 3 and 6 contain “salt_commitments”. (record.md#versions)"
NONE_COMMITTED = (
    "line 1: In this record of version 3 at least one seat has committed to its contribution. (record.md#versions)"
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
