"""Moves that are taken back because all agree, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kontor.tables.agreed_undo import line_before
from kontor.tables.pages.log_text import log_lines
from kontor.tables.pages.seating import describe_missing_answers, names_of, others_to_ask, seats_still_mine
from kontor.tables.values import TableInfo
from kontor.tables.views import TableView
from kontor.web.adapter import adapter_of
from kontor.words import Words


@dataclass(frozen=True)
class TakingBackShown:
    """A proposal to take back moves, on the page of a table."""

    sentence: str
    own: bool
    """True if the reader proposes it."""
    must_answer: bool
    may_act: bool
    """True if the reader plays here: they can decline it."""


def describe_taking_back(words: Words, info: TableInfo) -> TakingBackShown | None:
    """Return the proposal to take back moves, if there is one."""
    if info.undo_proposed is None or info.undo_to is None:
        return None
    mine = seats_still_mine(info)
    sentences = [
        words.say("{name} asks to take back a move.", name=names_of(words, info)[info.undo_proposed]),
        words.count(
            "The game would go back by one step.",
            "The game would go back by {n} steps.",
            info.number - info.undo_to,
        ),
        describe_missing_answers(words, info),
    ]
    sentence = sentences[0]
    for following in sentences[1:]:
        sentence = words.say("{first} {second}", first=sentence, second=following) if following else sentence
    return TakingBackShown(
        sentence,
        own=info.undo_proposed in info.mine,
        must_answer=any(not info.seats[seat].agreed for seat in mine),
        may_act=bool(mine),
    )


def describe_agreement(words: Words, info: TableInfo) -> str:
    """Return the consequence if the reader asks to take back a move."""
    others = others_to_ask(words, info, away=True)
    if not others:
        return words.say("Computer players always agree: it is taken back at once.")
    return words.count(
        "It is taken back when {names} agrees. If someone moves before, the game goes on.",
        "It is taken back when {names} agree. If someone moves before, the game goes on.",
        len(others),
        names=words.all_of(others),
    )


def lines_to_return_to(now: TableView, seat: int) -> tuple[int | None, int | None]:
    """Return the last lines that stay if the seat takes back its last move, and its last turn.

    The first is None if the seat has not moved; the second if its last turn was a single move.
    """
    movers = [(step.number, step.event.seat) for step in reversed(now.events(seat))]
    move, turn = (line_before(movers, seat, turn=whole) for whole in (False, True))
    return move, None if turn == move else turn


def describe_lines(words: Words, now: TableView, seat: int, last: int) -> Sequence[str]:
    """Return the log after the line ``last``, as the seat may know it.

    Where several people share the reader's device it is empty: the others must not read what the seat knows.
    """
    info = now.info
    if len(info.mine) > 1:
        return ()
    lines = log_lines(words, adapter_of(info.game), names_of(words, info), now.events(seat, since=last))
    return [line.text for line in lines if not line.head]
