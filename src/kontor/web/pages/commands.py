"""Commands that somebody types at a table: what they mean, and what is answered. Who asks is told what their page may
show, and no more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from kontor.players.levels import seat_name
from kontor.questions import Question, asked_in, matching, meant, plainly
from kontor.table import SeatView, TableView, VisibleStep
from kontor.web.adapter import WebAdapter
from kontor.web.pages.log_text import last_move, sentences
from kontor.web.pages.seating import chairs, names_of
from kontor.words import Words, mark

MOST_TYPED: Final = 200
"""Letters of a command, at the most."""

_ASKING: Final = "?"


@dataclass(frozen=True)
class Answer:
    """What is said to a command: in lines, or a ``move`` that is to be made. ``asks`` is the command, if it is to be
    confirmed first."""

    lines: Sequence[str] = ()
    move: Any = None
    asks: str = ""


@dataclass(frozen=True)
class Asker:
    """Somebody who types, and the table as they see it by their seat's eyes. ``rules`` are those that matter now."""

    words: Words
    adapter: WebAdapter
    now: TableView
    look: SeatView
    seat: int
    rules: Sequence[tuple[str, str]]

    @property
    def names(self) -> tuple[str, ...]:
        """What the seats are called."""
        return names_of(self.words, self.now.info)

    @property
    def typed_names(self) -> tuple[str, ...]:
        """The same without the mark of computer players, which is on no keyboard."""
        return tuple(seat_name(self.words, seat.name, seat.player) for seat in self.now.info.seats)


def answer_to(asker: Asker, typed: str, asked: str) -> Answer:
    """What a command means. ``asked`` is the one that was asked about, if there was one: given again, it counts.
    Raises IllegalMove."""
    words = asker.words
    plain = plainly(typed)
    question = question_of(asker)
    if question and asked and plain in ("", plainly(asked), "yes", plainly(words.say("yes"))):
        typed, plain = asked, plainly(asked)
    if plain.startswith(_ASKING) or plain in (plainly(words.say("help")), "help"):
        return Answer(_help(asker, question))
    english = Words("en")
    for language, each in ((words, question), (english, question.english if question else None)):
        found = meant(typed, each) if each else []
        if len({id(choice) for choice in found}) == 1:
            move = found[0].value
            sentence = each.confirm(move) if each else ""
            if sentence and plainly(asked) != plain:
                return Answer([sentence, words.say("Enter or yes confirms.")], asks=typed)
            return Answer(move=move)
        if found:
            several = words.one_of([choice.forms[0] for choice in found])
            return Answer([words.say("Did you mean {meant}?", meant=several)])
        if look := _look_meant(asker, language, plain):
            return Answer(look(asker))
        refused = matching(typed, each.refused) if each else []
        if refused:
            return Answer(move=refused[0].value)
    return Answer([words.say("“{typed}” is not an answer here. Type ? for help.", typed=typed)])


def question_of(asker: Asker) -> Question[Any] | None:
    """What the asker is asked to do now, if it is their turn."""
    ask = asker.adapter.question
    view = asker.look.view
    if ask is None or view.mover != asker.seat or asker.now.info.status != "playing":
        return None
    return asked_in(asker.words, lambda words: ask(words, asker.typed_names, view, asker.look.moves))


def after_move(asker: Asker, number: int) -> Answer:
    """What came of a move, the line of which is after the one numbered so; and what can be typed next."""
    words, names = asker.words, asker.names
    told = [said for line in asker.now.events(asker.seat, since=number) for said in _told(asker, line)]
    view = asker.look.view
    said = (asker.adapter.addressed or asker.adapter.headline)(words, names, view)
    question = question_of(asker)
    return Answer([*told, said, *([question.hint] if question else [])])


# ------------------------------------------------------------------------------------------------------- looking


def _help(asker: Asker, question: Question[Any] | None) -> list[str]:
    """What can be typed now, what can be looked at, and the rules that matter."""
    words = asker.words
    looks = words.all_of([words.say(name) for name in _looks(asker)])
    rules = [words.say("{rule}: {sentence}", rule=rule, sentence=sentence) for rule, sentence in asker.rules]
    return [
        *([question.hint] if question else []),
        words.say("To look without moving: {looks}.", looks=looks),
        *rules,
    ]


def _last(asker: Asker) -> list[str]:
    told = asker.now.events(asker.seat)
    mine = last_move(told, asker.seat, 0)
    lines = [said for line in told if line.number > mine for said in _told(asker, line)]
    return lines or [asker.words.say("Nothing yet.")]


def _told(asker: Asker, line: VisibleStep) -> list[str]:
    return sentences(asker.words, asker.adapter, asker.names, line)


def _clock(asker: Asker) -> list[str]:
    words = asker.words
    shown = [chair for chair in chairs(words, asker.now.info, None) if chair.until or chair.clock]
    times = [
        words.say("{name}: {time}", name=chair.said, time=time)
        for chair in shown
        for time in (chair.until and chair.until_said, chair.clock)
        if time
    ]
    return times or [words.say("No time limit.")]


def _looks(asker: Asker) -> Mapping[str, Callable[[Asker], list[str]]]:
    """What can be looked at without moving, by the English word for it."""
    return {**_LOOKS, **{name: partial(_of_game, look) for name, look in asker.adapter.looks.items()}}


def _of_game(look: Callable[[Words, Sequence[str], Any], list[str]], asker: Asker) -> list[str]:
    return look(asker.words, asker.names, asker.look.view)


_LOOKS: Final[Mapping[str, Callable[[Asker], list[str]]]] = {mark("last"): _last, mark("clock"): _clock}


def _look_meant(asker: Asker, words: Words, plain: str) -> Callable[[Asker], list[str]] | None:
    """The look that is meant by a word, or by the beginning of one."""
    found = [look for name, look in _looks(asker).items() if plain and plainly(words.say(name)).startswith(plain)]
    return found[0] if len(found) == 1 else None
