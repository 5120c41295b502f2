"""Asking for a move of Der fliegende Holländer, and its adapter."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Final, Literal

from kontor.game import BadOptions
from kontor.games.dutchman import event_text
from kontor.games.dutchman import words as said
from kontor.games.dutchman.rules import DUTCHMAN, Options
from kontor.games.dutchman.rules.bargain import Proposal
from kontor.games.dutchman.rules.chart import OURS, Chart
from kontor.games.dutchman.rules.components import COLOURS
from kontor.games.dutchman.rules.horseshoes import highest_first
from kontor.games.dutchman.rules.state import (
    Accept,
    Check,
    Decline,
    Keep,
    Kontor,
    Lay,
    Move,
    Name,
    Pass,
    Propose,
    Put,
    Sail,
    Show,
    Smith,
    Waive,
    Withhold,
)
from kontor.games.dutchman.rules.view import View
from kontor.games.dutchman.terminal import board as drawing
from kontor.games.dutchman.terminal.chart_file import chart_from
from kontor.games.dutchman.terminal.proposing import terms_read
from kontor.terminal.adapter import Names, Setting, TerminalAdapter, seat_named, whole_number
from kontor.terminal.prompt import Choice, Conversation, Question, asked_in, matching, plainly
from kontor.words import Words, mark

Ask = Callable[[Conversation, Names, View, Sequence[Move]], Move]


def ask(talk: Conversation, names: Names, view: View, moves: Sequence[Move]) -> Move:
    """A move, which the rules may refuse."""
    return _ASK[view.step](talk, names, view, moves)


# ------------------------------------------------------------------------------------- actions, and laying again


def _action(talk: Conversation, names: Names, view: View, moves: Sequence[Move]) -> Move:
    lay = Lay(())
    question = asked_in(talk.words, partial(_action_question, view, moves))
    while True:
        move = talk.ask(question)
        if move == lay:
            move = _guided_lay(talk, view)
        if move == lay:  # thought better of it
            continue
        if not isinstance(move, Lay) or move not in moves or _confirmed(talk, view, move):
            return move


def _action_question(view: View, moves: Sequence[Move], words: Words) -> Question[Move]:
    simple: list[tuple[Move, str]] = [
        (Kontor(), words.say("kontor")),
        (Smith(), words.say("smith")),
        (Pass(), words.say("pass")),
    ]
    choices: list[Choice[Move]] = [Choice(move, (word,)) for move, word in simple if move in moves]
    others: list[Choice[Move]] = [Choice(move, (word,)) for move, word in simple if move not in moves]
    hint = [choice.forms[0] for choice in choices]
    if view.rack:
        choices.append(Choice(Lay(()), (words.say("play"),)))
        hint.append(words.say("or play, like {example}", example=_example(view)))
    return Question(" · ".join(hint), choices, others, partial(_lay_read, words))


def _example(view: View) -> str:
    """A lay from the rack, to show how one is typed."""
    return " ".join(map(str, view.rack if len(view.rack) < 2 else (view.rack[0], view.rack[-1])))


_NUMBERS: Final = re.compile(r"[\d\s+-]*\d[\d\s+-]*")


def _lay_read(words: Words, typed: str) -> Lay | None:
    """``45 -2`` or ``lay 20 20 2 1``. The signs are as you like: the best reading is taken (H7)."""
    plain = plainly(typed).removeprefix(plainly(words.say("play")))
    if not _NUMBERS.fullmatch(plain):
        return None
    return Lay(highest_first(int(number[:4]) for number in re.findall(r"\d+", plain)))


def _guided_lay(talk: Conversation, view: View) -> Move:
    """Horseshoes picked by letters from the rack."""
    kinds = list(dict.fromkeys(view.rack))
    letters = dict(zip("abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ", kinds, strict=False))  # without q
    shown = [
        f"{letter} {kind}" if view.rack.count(kind) == 1 else f"{letter} {kind} (×{view.rack.count(kind)})"
        for letter, kind in letters.items()
    ]
    talk.say(" · ".join(shown))

    def question(words: Words) -> Question[Move]:
        back = Choice[Move](Lay(()), (words.say("back"),))
        read = partial(_letters_read, words, letters)
        return Question(words.say("letters, like a or ab, or numbers · back"), [back], read=read)

    return talk.ask(asked_in(talk.words, question))


def _letters_read(words: Words, letters: Mapping[str, int], typed: str) -> Lay | None:
    """``ab``, by the letters just shown. “Back” is a word, even where the rack has all its letters."""
    bare = typed.replace(" ", "").replace(",", "")
    if bare not in (words.say("back"), "back", "") and all(letter in letters for letter in bare):
        return Lay(highest_first(letters[letter] for letter in bare))
    return _lay_read(words, typed)


def _confirmed(talk: Conversation, view: View, move: Lay) -> bool:
    lucky = view.lucky or 0
    reading = said.read(talk.words, move.horseshoes, lucky)
    return talk.confirm(talk.words.say("Lucky number {lucky}. {reading}. Play this?", lucky=lucky, reading=reading))


# ----------------------------------------------------------------------------------------------------- exchange


def _put(talk: Conversation, names: Names, view: View, moves: Sequence[Move]) -> Move:
    every = [Put(pair) for pair in combinations_with_replacement(COLOURS, 2)]

    def question(words: Words) -> Question[Move]:
        choices = [Choice[Move](move, _pair_forms(words, move)) for move in every if move in moves]
        others = [Choice[Move](move, _pair_forms(words, move)) for move in every if move not in moves]
        first = "".join(said.letter(words, share) for share in view.shares[:2])
        return Question(words.say("two shares to put back, like {example}", example=first), choices, others)

    return talk.ask(asked_in(talk.words, question))


def _pair_forms(words: Words, move: Put) -> tuple[str, ...]:
    one, other = move.shares
    forms = []
    for pair in ((one, other), (other, one)):
        forms.append(" ".join(said.colour(words, share) for share in pair))
        forms.append(" ".join(said.letter(words, share) for share in pair))
        forms.append("".join(said.letter(words, share) for share in pair))
    return tuple(forms)


# -------------------------------------------------------------------------------------------- sailing, bargaining


def _fields(words: Words, view: View, make: Callable[[str], Move]) -> tuple[list[Choice[Move]], list[Choice[Move]]]:
    """The fields ahead, by number, sign or name; and all the others, which the rules refuse."""
    chart = view.options.chart
    codes = said.codes(words, chart)
    ahead, others = [], []
    for field in chart.fields:
        forms: tuple[str, ...] = (codes[field.name], field.name, said.field(words, chart, field.name))
        if field.colour:
            forms = (*forms, f"{said.colour(words, field.colour)} {codes[field.name]}")
        if field.name in view.ahead:
            ahead.append(Choice(make(field.name), (*forms, str(view.ahead.index(field.name) + 1))))
        else:
            others.append(Choice(make(field.name), forms))
    return ahead, others


def _where(talk: Conversation, names: Names, view: View, moves: Sequence[Move]) -> Move:
    talk.screen.show(*drawing.ways_on(talk.words, view))

    def question(words: Words) -> Question[Move]:
        ahead, others = _fields(words, view, Sail if view.step == "sail" else Name)
        return Question(words.say("a number, or the name of the field"), ahead, others)

    return talk.ask(asked_in(talk.words, question))


def _propose(talk: Conversation, names: Names, view: View, moves: Sequence[Move]) -> Move:
    """Step by step: where to, who pays whom, and then the whole as a sentence; or all in one line."""
    assert view.bargain is not None
    words, tied = talk.words, view.bargain.tied
    for seat, to in zip(tied, view.bargain.named, strict=True):
        there = said.field(words, view.options.chart, to)
        talk.screen.show(f"  {words.say('{name} named {field}.', name=names[seat], field=there)}")
    talk.screen.show(*drawing.ways_on(words, view))

    def question(words: Words) -> Question[Move]:
        ahead, others = _fields(words, view, lambda to: Propose(to, (0,) * len(tied)))
        none = Choice[Move](Withhold(), (words.say("none"), words.say("no proposal")))
        whole = partial(_proposal_read, words, names, view, ahead)
        return Question(words.say("a destination to propose, or none"), [*ahead, none], others, whole)

    while True:
        move = talk.ask(asked_in(words, question))
        if not isinstance(move, Propose) or move.to not in view.ahead:
            return move
        if not any(move.ducats):
            move = Propose(move.to, _terms(talk, names, view))
        proposal = Proposal(view.mover, move.to, move.ducats)
        sentence = event_text.proposed(words, names, view.options.chart, tied, proposal)
        if move not in moves or talk.confirm(words.say("{sentence} Propose this?", sentence=sentence)):
            return move


def _terms(talk: Conversation, names: Names, view: View) -> tuple[int, ...]:
    """Who pays whom."""
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


def _proposal_read(
    words: Words, names: Names, view: View, ahead: Sequence[Choice[Move]], typed: str
) -> Propose | None:
    """``Madeira, Anna pays me 3`` all in one line."""
    assert view.bargain is not None
    where, comma, terms = typed.partition(",")
    found = matching(where, ahead)
    ducats = terms_read(words, names, view.bargain.tied, view.mover, terms) if comma else None
    if len(found) != 1 or ducats is None or not isinstance(found[0].value, Propose):
        return None
    return Propose(found[0].value.to, ducats)


def _answer(talk: Conversation, names: Names, view: View, moves: Sequence[Move]) -> Move:
    bargain = view.bargain
    assert bargain is not None
    assert bargain.proposal is not None
    words, proposal = talk.words, bargain.proposal
    talk.say(event_text.proposed(words, names, view.options.chart, bargain.tied, proposal))
    talk.screen.show(f"  {words.say('For you: {stake}.', stake=said.stake(words, view, proposal.to))}")
    return talk.ask(asked_in(words, _answer_question))


def _answer_question(words: Words) -> Question[Move]:
    accept = Choice[Move](Accept(), (words.say("accept"), words.say("yes")))
    decline = Choice[Move](Decline(), (words.say("decline"), words.say("no")))
    return Question(words.say("accept · decline"), (accept, decline))


# -------------------------------------------------------------------------------------------------- on an island


def _show(talk: Conversation, names: Names, view: View, moves: Sequence[Move]) -> Move:
    return talk.ask(asked_in(talk.words, partial(_show_question, view, moves)))


def _show_question(view: View, moves: Sequence[Move], words: Words) -> Question[Move]:
    choices: list[Choice[Move]] = [Choice(Keep(), (words.say("nothing"), words.say("hide")))]
    others: list[Choice[Move]] = []
    for colour in COLOURS:
        choice = Choice[Move](Show(colour), (said.colour(words, colour), said.letter(words, colour)))
        (choices if choice.value in moves else others).append(choice)
    shown = [
        words.say("{colour} earns {ducats}", colour=said.colour(words, colour), ducats=said.value(view, colour))
        for colour in dict.fromkeys(view.shares)
    ]
    return Question(" · ".join([*shown, choices[0].forms[0]]), choices, others)


# ----------------------------------------------------------------------------------------------------- the check


def _check(talk: Conversation, names: Names, view: View, moves: Sequence[Move]) -> Move:
    return talk.ask(asked_in(talk.words, _check_question))


def _check_question(words: Words) -> Question[Move]:
    check = Choice[Move](Check(), (words.say("check"), words.say("yes")))
    waive = Choice[Move](Waive(), (words.say("no check"), words.say("no"), ""))
    return Question(words.say("Enter: no check · check"), (check, waive))


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
    """The options from the command line. Raises BadOptions."""
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
    """The rules that matter now."""
    return [(number, words.say(said.RULES[number])) for number in said.rules_now(view)]


DUTCHMAN_ADAPTER: Final = TerminalAdapter(
    game=DUTCHMAN,
    title=said.TITLE,
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
    unusual=said.unusual,
    headline=said.headline,
    board=drawing.board,
    hand=drawing.open_hand,
    describe_event=event_text.describe_event,
    rules=rules,
    looks={mark("map"): drawing.chart_now, mark("pile"): drawing.pile},
    ask=ask,
    report=drawing.report,
    ending=drawing.ending,
)
