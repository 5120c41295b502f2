"""Records of games in which moves were taken back: outcomes that come from the streams of other lines."""

import json

import pytest
from msgspec.structs import replace

from kontor import records
from kontor.fair import salt_commitment, sources
from kontor.game import CHANCE, OVER
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.records import BadRecord, Record, Step
from records.made import EXAMPLE, SEED, choose_shortest

UNDONE = 1000
"""The lines taken back in the whole game, of which no stream is beyond."""


def taken_back(streams: tuple[tuple[int, int], ...], *, strict: bool = False, undone: int = UNDONE) -> Record:
    """Return the record of a whole game whose outcomes on some lines come from other streams."""
    header = replace(EXAMPLE.header, record=records.TAKEN_BACK_VERSION, streams=streams, undone=undone)
    if strict:
        header = replace(header, salt_commitments=tuple(map(salt_commitment, header.salts)))
    source, state = sources(SHANGHAIEN, records.dice_of(header, SEED)), SHANGHAIEN.start(header.options)
    steps: list[Step] = []
    while state.mover != OVER:
        by_chance = state.mover == CHANCE
        line = len(steps) + 2
        action = (
            SHANGHAIEN.chance(state).draw(source(state, line)) if by_chance else choose_shortest(SHANGHAIEN, state)
        )
        steps.append(Step(state.mover, action))
        state = SHANGHAIEN.play(state, action)
    result = SHANGHAIEN.result(state)
    assert result
    return records.ended(Record(header, tuple(steps)), SEED, result)


def outcome_lines() -> list[int]:
    """Return the first lines of outcomes; those of moves lie between them."""
    return [line for line, step in enumerate(EXAMPLE.steps, 2) if step.seat == CHANCE][:4]


def streams() -> tuple[tuple[int, int], ...]:
    """Return streams that no other outcome has, for some outcomes of the game."""
    return tuple((line, 1000 + line) for line in outcome_lines()[1:3])


@pytest.mark.parametrize("strict", [False, True])
def test_a_game_in_which_moves_were_taken_back_verifies(strict: bool) -> None:
    record = taken_back(streams(), strict=strict)
    verified = records.verify(records.decode(records.encode(record)))
    assert (verified.dice, verified.other_streams, verified.strict) == (True, 2, strict)
    assert "Moves were taken back: 2 outcomes come from the dice of other lines." in verified.sentence


def forged_texts() -> dict[str, str]:
    """Return texts of records whose streams are wrong."""
    text = records.encode(taken_back(streams())).decode()
    written = json.dumps([list(pair) for pair in streams()], separators=(",", ":"))
    (first, _), (second, other) = streams()
    changed = {
        "another stream": [[first, 2000], [second, other]],
        "a move's line": [[first, 1000 + first], [first + 1, other]] if first + 1 != second else [[4, 7], [5, 8]],
        "no such line": [[first, 1000 + first], [5000, other]],
        "the own stream": [[first, first], [second, other]],
        "one stream twice": [[first, other], [second, other]],
        "the stream of another outcome": [[first, second], [second, outcome_lines()[3]]],
        "not in order": [[second, other], [first, 1000 + first]],
        "none": [],
        "too great": [[first, 2**31], [second, other]],
    }
    texts = {name: text.replace(written, json.dumps(pairs, separators=(",", ":"))) for name, pairs in changed.items()}
    texts["another version"] = text.replace('{"record":6', '{"record":1')
    for name, undone in (("none taken back", 0), ("too many taken back", 2**31)):
        texts[name] = text.replace(f'"undone":{UNDONE}', f'"undone":{undone}')
    texts["beyond all lines"] = records.encode(taken_back(streams(), undone=100)).decode()
    texts["no number"] = text.replace(f',"undone":{UNDONE}', "")
    texts["no streams"] = text.replace(f',"streams":{written}', "")
    return texts


@pytest.mark.parametrize("name", list(forged_texts()))
def test_wrong_streams_are_refused(name: str) -> None:
    with pytest.raises(BadRecord):
        records.verify(records.decode(forged_texts()[name].encode()))


def test_no_stream_is_beyond_all_lines_that_were_ever_written() -> None:
    last = len(EXAMPLE.steps) + 1
    line = outcome_lines()[1]
    record = taken_back(((line, last + 5),), undone=5)
    written = len(record.steps) + 1 + 5
    assert records.verify(taken_back(((line, written),), undone=5)).dice == (written > last)
    with pytest.raises(BadRecord, match="beyond all lines"):
        records.verify(taken_back(((line, last + 400),), undone=5))
