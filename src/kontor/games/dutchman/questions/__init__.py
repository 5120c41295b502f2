"""Moves that a player of Der fliegende Holländer can type."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations_with_replacement

from kontor.games.dutchman import words as phrases
from kontor.games.dutchman.event_text import proposed
from kontor.games.dutchman.questions.proposing import terms_read
from kontor.games.dutchman.rules.bargain import Proposal
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
from kontor.questions import Choice, Question, at_once, matching, plainly
from kontor.words import Words

Names = Sequence[str]


def question(words: Words, names: Names, view: View, moves: Sequence[Move]) -> Question[Move]:
    """Return the question for a move in one line; the rules may refuse the answer."""
    match view.step:
        case "action" | "again":
            return action_question(words, view, moves)
        case "put":
            return put_question(words, view, moves)
        case "sail" | "name":
            return where_question(words, view)
        case "propose":
            return whole_proposal_question(words, names, view)
        case "answer":
            return answer_question(words)
        case "show":
            return show_question(words, view, moves)
        case _:
            return check_question(words)


# ------------------------------------------------------------------------------------- actions, and laying again


def action_question(words: Words, view: View, moves: Sequence[Move]) -> Question[Move]:
    """Return the question for an action; horseshoes are typed as numbers."""
    simple: list[tuple[Move, str]] = [
        (Kontor(), words.say("kontor")),
        (Smith(), words.say("smith")),
        (Pass(), words.say("pass")),
    ]
    choices: list[Choice[Move]] = [Choice(move, (word,)) for move, word in simple if move in moves]
    others: list[Choice[Move]] = [Choice(move, (word,)) for move, word in simple if move not in moves]
    hint = [choice.forms[0] for choice in choices]
    if view.rack:
        hint.append(words.say("or play, like {example}", example=_example(view)))

    def confirm(move: Move) -> str:
        return lay_confirmed(words, view, move) if isinstance(move, Lay) and move in moves else at_once(move)

    return Question(" · ".join(hint), choices, others, partial(lay_read, words), confirm)


def _example(view: View) -> str:
    """Return a lay from the rack as an example of how to type one."""
    return " ".join(map(str, view.rack if len(view.rack) < 2 else (view.rack[0], view.rack[-1])))


_NUMBERS = re.compile(r"[\d\s+-]*\d[\d\s+-]*")


def lay_read(words: Words, typed: str) -> Lay | None:
    """Return the lay in typed text such as ``45 -2`` or ``lay 20 20 2 1``, or None.

    The signs are ignored: the best reading is taken (H7).
    """
    plain = plainly(typed).removeprefix(plainly(words.say("play")))
    if not _NUMBERS.fullmatch(plain):
        return None
    return Lay(highest_first(int(number[:4]) for number in re.findall(r"\d+", plain)))


def lay_confirmed(words: Words, view: View, move: Lay) -> str:
    """Return how a lay is read, and the question whether to play it."""
    lucky = view.lucky or 0
    reading = phrases.read(words, move.horseshoes, lucky)
    return words.say("Lucky number {lucky}. {reading}. Play this?", lucky=lucky, reading=reading)


# ----------------------------------------------------------------------------------------------------- exchange


def put_question(words: Words, view: View, moves: Sequence[Move]) -> Question[Move]:
    """Return the question which two shares are put under the pile."""
    every = [Put(pair) for pair in combinations_with_replacement(COLOURS, 2)]
    choices = [Choice[Move](move, _pair_forms(words, move)) for move in every if move in moves]
    others = [Choice[Move](move, _pair_forms(words, move)) for move in every if move not in moves]
    first = "".join(phrases.letter(words, share) for share in view.shares[:2])
    return Question(words.say("two shares to put back, like {example}", example=first), choices, others)


def _pair_forms(words: Words, move: Put) -> tuple[str, ...]:
    one, other = move.shares
    forms = []
    for pair in ((one, other), (other, one)):
        forms.append(" ".join(phrases.colour(words, share) for share in pair))
        forms.append(" ".join(phrases.letter(words, share) for share in pair))
        forms.append("".join(phrases.letter(words, share) for share in pair))
    return tuple(forms)


# -------------------------------------------------------------------------------------------- sailing, bargaining


def where_question(words: Words, view: View) -> Question[Move]:
    """Return the question where the Dutchman sails, or is to sail."""
    ahead, others = fields(words, view, Sail if view.step == "sail" else Name)
    return Question(words.say("a number, or the name of the field"), ahead, others)


def fields(words: Words, view: View, make: Callable[[str], Move]) -> tuple[list[Choice[Move]], list[Choice[Move]]]:
    """Return the fields ahead, by number, sign or name, and all the others, which the rules refuse."""
    chart = view.options.chart
    codes = phrases.codes(words, chart)
    ahead, others = [], []
    for field in chart.fields:
        forms: tuple[str, ...] = (codes[field.name], field.name, phrases.field(words, chart, field.name))
        if field.colour:
            forms = (*forms, f"{phrases.colour(words, field.colour)} {codes[field.name]}")
        if field.name in view.ahead:
            ahead.append(Choice(make(field.name), (*forms, str(view.ahead.index(field.name) + 1))))
        else:
            others.append(Choice(make(field.name), forms))
    return ahead, others


def places_to_propose(
    words: Words, names: Names, view: View
) -> tuple[list[Choice[Move]], list[Choice[Move]], Choice[Move], Callable[[str], Propose | None]]:
    """Return the parts of a question for a proposal.

    These are the fields ahead, the fields that the rules refuse, the choice of no proposal, and the function that
    reads a whole proposal.
    """
    assert view.bargain is not None
    tied = view.bargain.tied
    ahead, others = fields(words, view, lambda to: Propose(to, (0,) * len(tied)))
    none = Choice[Move](Withhold(), (words.say("none"), words.say("no proposal")))
    return ahead, others, none, partial(_proposal_read, words, names, view, ahead)


def whole_proposal_question(words: Words, names: Names, view: View) -> Question[Move]:
    """Return the question for a whole proposal in one line, or none."""
    assert view.bargain is not None
    ahead, others, none, read_line = places_to_propose(words, names, view)
    me = view.mover
    other = next(names[seat] for seat in view.bargain.tied if seat != me)
    where = ahead[0].forms[0] if ahead else ""
    hint = words.say(
        "{field}, nobody · {field}, {name} pays me 3 · none", field=where, name=other.split()[0] if other else other
    )

    def confirm(move: Move) -> str:
        return proposal_confirmed(words, names, view, move) if isinstance(move, Propose) else at_once(move)

    return Question(hint, [none], others, read_line, confirm)


def _proposal_read(
    words: Words, names: Names, view: View, ahead: Sequence[Choice[Move]], typed: str
) -> Propose | None:
    """Return the proposal in typed text such as ``Madeira, Anna pays me 3`` or ``Madeira, nobody``, or None."""
    assert view.bargain is not None
    where, comma, terms = typed.partition(",")
    matches = matching(where, ahead)
    if len(matches) != 1 or not comma or not isinstance(matches[0].value, Propose):
        return None
    if plainly(terms) == plainly(words.say("nobody")):
        return matches[0].value
    ducats = terms_read(words, names, view.bargain.tied, view.mover, terms)
    return None if ducats is None else Propose(matches[0].value.to, ducats)


def proposal_confirmed(words: Words, names: Names, view: View, move: Propose) -> str:
    """Return the proposal in words, and the question whether to make it."""
    assert view.bargain is not None
    proposal = Proposal(view.mover, move.to, move.ducats)
    sentence = proposed(words, names, view.options.chart, view.bargain.tied, proposal)
    return words.say("{sentence} Propose this?", sentence=sentence)


def answer_question(words: Words) -> Question[Move]:
    """Return the question whether to accept a proposal."""
    accept = Choice[Move](Accept(), (words.say("accept"), words.say("yes")))
    decline = Choice[Move](Decline(), (words.say("decline"), words.say("no")))
    return Question(words.say("accept · decline"), (accept, decline))


# -------------------------------------------------------------------------------- on an island, and the check


def show_question(words: Words, view: View, moves: Sequence[Move]) -> Question[Move]:
    """Return the question which share to show, if any."""
    choices: list[Choice[Move]] = [Choice(Keep(), (words.say("nothing"), words.say("hide")))]
    others: list[Choice[Move]] = []
    for colour in COLOURS:
        choice = Choice[Move](Show(colour), (phrases.colour(words, colour), phrases.letter(words, colour)))
        (choices if choice.value in moves else others).append(choice)
    earnings = [
        words.say("{colour} earns {ducats}", colour=phrases.colour(words, colour), ducats=phrases.value(view, colour))
        for colour in dict.fromkeys(view.shares)
    ]
    return Question(" · ".join([*earnings, choices[0].forms[0]]), choices, others)


def check_question(words: Words) -> Question[Move]:
    """Return the question whether to check the Kontor pile."""
    check = Choice[Move](Check(), (words.say("check"), words.say("yes")))
    waive = Choice[Move](Waive(), (words.say("no check"), words.say("no"), ""))
    return Question(words.say("Enter: no check · check"), (check, waive))
