"""Asking for a move of Der fliegende Holländer, and its adapter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, Literal

from kontor.game import BadOptions
from kontor.games.dutchman import event_text
from kontor.games.dutchman import words as phrases
from kontor.games.dutchman.questions import (
    action_question,
    answer_question,
    check_question,
    lay_confirmed,
    lay_read,
    places_to_propose,
    proposal_confirmed,
    put_question,
    show_question,
    where_question,
)
from kontor.games.dutchman.questions.proposing import terms_read
from kontor.games.dutchman.rules import DUTCHMAN, Options
from kontor.games.dutchman.rules.chart import OURS, Chart
from kontor.games.dutchman.rules.horseshoes import highest_first
from kontor.games.dutchman.rules.state import Lay, Move, Propose
from kontor.games.dutchman.rules.view import View
from kontor.games.dutchman.terminal import board as drawing
from kontor.games.dutchman.terminal.chart_file import chart_from
from kontor.questions import Choice, Question, asked_in
from kontor.terminal.adapter import Names, Setting, TerminalAdapter, seat_named, whole_number
from kontor.terminal.prompt import Conversation
from kontor.words import Words, mark

Ask = Callable[[Conversation, Names, View, Sequence[Move]], Move]


def ask(talk: Conversation, names: Names, view: View, moves: Sequence[Move]) -> Move:
    """Ask for a move, which the rules may still refuse."""
    return _ASK[view.step](talk, names, view, moves)


# ------------------------------------------------------------------------------------- actions, and laying again


def _action(talk: Conversation, names: Names, view: View, moves: Sequence[Move]) -> Move:
    question = asked_in(talk.words, partial(_action_question, view, moves))
    while True:
        move = talk.ask(question)
        if move == _GUIDED:
            move = _guided_lay(talk, view)
        if move == _GUIDED:  # the player went back
            continue
        if not isinstance(move, Lay) or move not in moves or talk.confirm(lay_confirmed(talk.words, view, move)):
            return move


_GUIDED: Final = Lay(())
"""The mark of an answer: horseshoes are to be played, and picked first."""


def _action_question(view: View, moves: Sequence[Move], words: Words) -> Question[Move]:
    question = action_question(words, view, moves)
    guided = [Choice[Move](_GUIDED, (words.say("play"),))] if view.rack else []
    return replace(question, choices=[*question.choices, *guided])


def _guided_lay(talk: Conversation, view: View) -> Move:
    """Ask for horseshoes, picked by letters from the rack."""
    kinds = list(dict.fromkeys(view.rack))
    letters = dict(zip("abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ", kinds, strict=False))  # without q
    labels = [
        f"{letter} {kind}" if view.rack.count(kind) == 1 else f"{letter} {kind} (×{view.rack.count(kind)})"
        for letter, kind in letters.items()
    ]
    talk.say(" · ".join(labels))

    def question(words: Words) -> Question[Move]:
        back = Choice[Move](_GUIDED, (words.say("back"),))
        read = partial(_letters_read, words, letters)
        return Question(words.say("letters, like a or ab, or numbers · back"), [back], read=read)

    return talk.ask(asked_in(talk.words, question))


def _letters_read(words: Words, letters: Mapping[str, int], typed: str) -> Lay | None:
    """Return the lay of letters like ``ab``, or of numbers.

    “Back” is a word, even if the rack has all its letters.
    """
    bare = typed.replace(" ", "").replace(",", "")
    if bare not in (words.say("back"), "back", "") and all(letter in letters for letter in bare):
        return Lay(highest_first(letters[letter] for letter in bare))
    return lay_read(words, typed)


# ----------------------------------------------------------------------------------------------------- exchange


def _put(talk: Conversation, names: Names, view: View, moves: Sequence[Move]) -> Move:
    return talk.ask(asked_in(talk.words, lambda words: put_question(words, view, moves)))


# -------------------------------------------------------------------------------------------- sailing, bargaining


def _where(talk: Conversation, names: Names, view: View, moves: Sequence[Move]) -> Move:
    talk.screen.show(*drawing.ways_on(talk.words, view))
    return talk.ask(asked_in(talk.words, lambda words: where_question(words, view)))


def _propose(talk: Conversation, names: Names, view: View, moves: Sequence[Move]) -> Move:
    """Ask for a proposal: destination, payments, and the whole as a sentence; or all in one line."""
    assert view.bargain is not None
    words, tied = talk.words, view.bargain.tied
    for seat, to in zip(tied, view.bargain.named, strict=True):
        field_name = phrases.field(words, view.options.chart, to)
        talk.screen.show(f"  {words.say('{name} named {field}.', name=names[seat], field=field_name)}")
    talk.screen.show(*drawing.ways_on(words, view))

    def question(words: Words) -> Question[Move]:
        ahead, others, none, read_line = places_to_propose(words, names, view)
        return Question(words.say("a destination to propose, or none"), [*ahead, none], others, read_line)

    while True:
        move = talk.ask(asked_in(words, question))
        if not isinstance(move, Propose) or move.to not in view.ahead:
            return move
        if not any(move.ducats):
            move = Propose(move.to, _terms(talk, names, view))
        if move not in moves or talk.confirm(proposal_confirmed(words, names, view, move)):
            return move


def _terms(talk: Conversation, names: Names, view: View) -> tuple[int, ...]:
    """Ask who pays whom."""
    assert view.bargain is not None
    tied = view.bargain.tied
    other = names[next(seat for seat in tied if seat != view.mover)]

    def question(words: Words) -> Question[tuple[int, ...]]:
        nobody = Choice((0,) * len(tied), (words.say("nobody"), ""))
        hint = words.say(
            "who pays: Enter or nobody · {name} pays me 3 · I pay {name} 3", name=other.split()[0] if other else other
        )
        return Question(hint, [nobody], read=partial(terms_read, words, names, tied, view.mover))

    return talk.ask(asked_in(talk.words, question))


def _answer(talk: Conversation, names: Names, view: View, moves: Sequence[Move]) -> Move:
    bargain = view.bargain
    assert bargain is not None
    assert bargain.proposal is not None
    words, proposal = talk.words, bargain.proposal
    talk.say(event_text.proposed(words, names, view.options.chart, bargain.tied, proposal))
    talk.screen.show(f"  {words.say('For you: {stake}.', stake=phrases.stake(words, view, proposal.to))}")
    return talk.ask(asked_in(words, answer_question))


# -------------------------------------------------------------------------------------------------- on an island


def _show(talk: Conversation, names: Names, view: View, moves: Sequence[Move]) -> Move:
    return talk.ask(asked_in(talk.words, lambda words: show_question(words, view, moves)))


# ----------------------------------------------------------------------------------------------------- the check


def _check(talk: Conversation, names: Names, view: View, moves: Sequence[Move]) -> Move:
    return talk.ask(asked_in(talk.words, check_question))


_ASK: Final[dict[str, Ask]] = {
    "action": _action,
    "again": _action,
    "put": _put,
    "sail": _where,
    "name": _where,
    "propose": _propose,
    "answer": _answer,
    "show": _show,
    "check": _check,
}

# ------------------------------------------------------------------------------------------------------- options


def options(given: Mapping[str, str], names: Names) -> Options:
    """Return the options from the command line. Raises BadOptions."""
    chart: Chart = chart_from(Path(given["chart"])) if "chart" in given else OURS
    starter = given.get("starter")
    return Options(
        players=len(names),
        starter=None if starter is None else seat_named(starter, names, "H5"),
        circles=whole_number(given["circles"], "H9") if "circles" in given else Options().circles,
        chart=chart,
        check=_may_be_checked(given.get("check", "never")),
    )


def _may_be_checked(given: str) -> Literal["never", "on request"]:
    match given.replace("-", " "):
        case "never":
            return "never"
        case "on request":
            return "on request"
        case _:
            raise BadOptions("H11a", "The check is never or on-request, not “{given}”.", given=given)


def rules(words: Words, view: View) -> list[tuple[str, str]]:
    """Return the rules that matter now, as numbers and texts."""
    return [(number, words.say(phrases.RULES[number])) for number in phrases.rules_now(view)]


DUTCHMAN_ADAPTER: Final = TerminalAdapter(
    game=DUTCHMAN,
    title=phrases.TITLE,
    usual=("Karin", "Helga", "Karl", "Klaus"),
    secrets=True,
    settings=(
        Setting("circles", "0-5", mark("Bargaining rounds when players tie; default 2 (H9).")),
        Setting(
            "check",
            "never|on-request",
            mark("Whether players may ask for the Kontor pile to be checked after a ship; default: never (H11a)."),
        ),
        Setting("chart", "FILE", mark("A sea chart of your own (H3); see kontor chart.")),
        Setting("starter", "NAME", mark("Who starts the first round (S3, H5); default: drawn at random.")),
    ),
    options=options,
    unusual=phrases.unusual,
    headline=phrases.headline,
    board=drawing.board,
    hand=drawing.open_hand,
    describe_event=event_text.describe_event,
    rules=rules,
    looks={mark("map"): drawing.chart_now, mark("pile"): drawing.pile},
    ask=ask,
    report=drawing.report,
    ending=drawing.ending,
)
