"""Forged and damaged records: a change is found, wherever it was made."""

import json
import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kontor import records
from kontor.game import CHANCE, AnyGame
from kontor.plugins import games
from kontor.records import Step, decode, encode
from profiles import scale_examples
from records.made import EXAMPLE, LINES, at_random, each_game, play_record, random_record, refusal_of, some


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
