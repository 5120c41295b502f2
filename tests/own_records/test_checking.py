"""Records that people send to a server: checked as by the commands, but the ends of lines are forgiven."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kontor.game import AnyGame
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.own_records.checking import MOST_BYTES, BadUpload, checked_record
from kontor.records import BadRecord, Record, decode, encode, verify
from kontor.words import Words
from records.damages import DAMAGES
from records.made import (
    EXAMPLE,
    LINES,
    SEED,
    STRICT,
    WHOLE,
    at_random,
    each_game,
    ended_early,
    play_record,
    random_record,
    some,
    stop_game,
)

FORGIVEN = {"no line feed", "another line end", "a byte order mark", "a long file"}
"""Damages that browsers and people make when they pass a text on."""

ANOTHER_REFUSAL = {
    "empty": "Paste a record",
    "one line without a line feed": "Line 1: The line is not JSON",
    "not UTF-8": "According to the seed",
    "half of a character": "Line 7: The line is not JSON",
}


def sentence_of(text: str) -> str:
    """Return the sentence with which a text is refused."""
    with pytest.raises(BadUpload) as caught:
        checked_record(text)
    return Words("en").reason(caught.value)


@each_game
@some
@given(data=st.data())
def test_every_record_is_taken_also_one_that_was_left_or_ended_early(game: AnyGame, data: st.DataObject) -> None:
    record = random_record(data, game)
    left, early = stop_game(record, data.draw(st.integers(0, len(record.steps)), label="steps"))
    for part in (record, left, early):
        assert checked_record(encode(part).decode()) == part


@pytest.mark.parametrize(
    "record",
    [
        EXAMPLE,
        ended_early(SHANGHAIEN),
        STRICT,
        play_record(SHANGHAIEN, SHANGHAIEN.options(), at_random(1), SEED, duplicate=True),
        play_record(SHANGHAIEN, SHANGHAIEN.options(), at_random(1), SEED, duplicate=True, stepped=True),
    ],
    ids=lambda record: f"version {record.header.record}",
)
def test_every_version_of_the_format_is_taken(record: Record) -> None:
    assert checked_record(encode(record).decode()) == record


@pytest.mark.parametrize("damage", [*DAMAGES])
def test_what_verification_refuses_is_refused_with_its_line(damage: str) -> None:
    data, refusal = DAMAGES[damage]
    text = data.decode(errors="replace")
    if damage in FORGIVEN:
        assert checked_record(text) == EXAMPLE
    elif damage in ANOTHER_REFUSAL:
        assert ANOTHER_REFUSAL[damage] in sentence_of(text)
    else:
        line, reason = refusal.removeprefix("line ").split(": ", 1)
        reason = reason.rpartition(" (")[0] if reason.endswith(")") and ".md#" in reason else reason
        assert sentence_of(text) == f"Line {line}: {reason}"


@some
@given(
    before=st.text(" \n\t", max_size=5), after=st.text(" \n\t", max_size=5), windows=st.booleans(), mark=st.booleans()
)
def test_what_a_browser_or_a_hand_adds_round_the_lines_does_not_matter(
    before: str, after: str, windows: bool, mark: bool
) -> None:
    text = before + WHOLE.decode().removesuffix("\n") + after
    text = text.replace("\n", "\r\n") if windows else text
    assert checked_record("\ufeff" * mark + text) == EXAMPLE


def test_the_comments_of_a_review_are_left_out_and_lines_keep_their_numbers() -> None:
    lines = [line.decode() for line in LINES]
    lines.insert(3, "# {}\n")
    assert checked_record("".join(lines)) == EXAMPLE
    lines[7] = lines[7].replace(":3", ":5")
    assert sentence_of("".join(lines)) == "Line 8: You did not roll a 5. (S6)"


@some
@given(data=st.data())
def test_a_changed_text_is_refused_in_words_or_is_the_same_record(data: st.DataObject) -> None:
    text = WHOLE.decode()
    first = data.draw(st.integers(0, len(text)), label="first")
    last = data.draw(st.integers(first, min(len(text), first + 40)), label="last")
    changed = text[:first] + data.draw(st.text(max_size=20), label="instead") + text[last:]
    with suppress(BadUpload):
        record = checked_record(changed)
        assert verify(record)
        assert decode(encode(record)) == record


def test_a_record_of_a_game_that_is_not_installed_is_refused_in_words() -> None:
    assert sentence_of(WHOLE.decode().replace("shanghaien", "skat", 1)).startswith("Line 1: There is no game “skat”.")


def test_a_game_without_pages_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kontor.own_records.checking.web_adapters", dict)
    assert sentence_of(WHOLE.decode()) == "Games of shanghaien can’t be shown in the browser."


def test_a_large_text_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(data: bytes) -> Record:
        raise BadRecord(1, "", "The file is empty.")

    monkeypatch.setattr("kontor.own_records.checking.decode", fail)
    assert sentence_of("x" * MOST_BYTES) == "A record can have at most 256 KB here."
    assert sentence_of("x" * (MOST_BYTES - 1)) == "Line 1: The file is empty."
