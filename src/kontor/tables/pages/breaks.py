"""Pauses, holidays and more time, in sentences."""

from __future__ import annotations

from dataclasses import dataclass

from kontor.tables.pages.seating import (
    describe_missing_answers,
    is_something_proposed,
    names_of,
    others_to_ask,
    seats_still_mine,
)
from kontor.tables.values import TableInfo
from kontor.words import Words


@dataclass(frozen=True)
class PauseShown:
    """A pause, or the proposal of one, on the page of a table."""

    sentence: str
    begun: bool
    own: bool
    """True if the reader proposes it."""
    must_answer: bool
    may_act: bool
    """True if the reader plays here: they can end the pause, or decline it."""


def describe_pause(words: Words, info: TableInfo) -> PauseShown | None:
    """Return the pause of a game, or the proposal of one, if there is one."""
    mine = seats_still_mine(info)
    if info.paused and info.resumes is not None:
        sentence = words.say(
            "The clocks stand still, and nobody can move. On {day} the game goes on by itself.",
            day=words.day(info.resumes.date()),
        )
        return PauseShown(sentence, begun=True, own=False, must_answer=False, may_act=bool(mine))
    if info.pause_proposed is None:
        return None
    names = names_of(words, info)
    sentence = words.say("{name} proposes a pause.", name=names[info.pause_proposed])
    missing = describe_missing_answers(words, info)
    if missing:
        sentence = words.say("{first} {second}", first=sentence, second=missing)
    must_answer = any(not info.seats[seat].agreed for seat in mine)
    return PauseShown(
        sentence, begun=False, own=info.pause_proposed in info.mine, must_answer=must_answer, may_act=bool(mine)
    )


def may_pause(info: TableInfo) -> bool:
    """Return True if those who play at the table can propose a pause now."""
    return info.breaks and not info.paused and not is_something_proposed(info)


def describe_pausing(words: Words, info: TableInfo) -> str:
    """Return the consequence if the reader proposes a pause."""
    others = others_to_ask(words, info)
    if not others:
        return words.say("Computer players always agree: the pause begins at once.")
    return words.count(
        "The pause begins when {names} agrees. Until then the game goes on.",
        "The pause begins when {names} agree. Until then the game goes on.",
        len(others),
        names=words.all_of(others),
    )
