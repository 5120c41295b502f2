"""Commands that people type at a table: their meaning, and the answer.

An answer holds only what the page may show.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from kontor.players.levels import seat_name
from kontor.questions import Question, asked_in, matching, meant, plainly
from kontor.tables.pages.confirming import ask_about
from kontor.tables.pages.log_text import last_move, sentences
from kontor.tables.pages.seating import chairs, names_of
from kontor.tables.values import SeatView, VisibleStep
from kontor.tables.views import TableView
from kontor.web.adapter import WebAdapter
from kontor.words import Words, mark

MOST_TYPED: Final = 200
"""Maximum number of letters of a command."""

_ASKING: Final = "?"


@dataclass(frozen=True)
class Answer:
    """The answer to a command: lines, or a ``move`` to make.

    ``asks`` is the command, if it must be confirmed first.
    """

    lines: Sequence[str] = ()
    move: Any = None
    asks: str = ""


@dataclass(frozen=True)
class TypingPlayer:
    """A person who types, and the table with the view of their seat. ``rules`` are those that matter now."""

    words: Words
    adapter: WebAdapter
    now: TableView
    look: SeatView
    seat: int
    rules: Sequence[tuple[str, str]]
    confirms: bool = False
    """True if they confirm each move."""

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the seats."""
        return names_of(self.words, self.now.info)

    @property
    def typed_names(self) -> tuple[str, ...]:
        """Return the names without the mark of computer players, which is on no keyboard."""
        return tuple(seat_name(self.words, seat.name, seat.player) for seat in self.now.info.seats)


def answer_to(player: TypingPlayer, typed: str, to_confirm: str) -> Answer:
    """Return the answer to a command. Raises IllegalMove.

    ``to_confirm`` is the command that was to be confirmed, if there was one: typed again, it is confirmed.
    """
    words = player.words
    plain = plainly(typed)
    question = question_of(player)
    if question and to_confirm and plain in ("", plainly(to_confirm), "yes", plainly(words.say("yes"))):
        typed, plain = to_confirm, plainly(to_confirm)
    if plain.startswith(_ASKING) or plain in (plainly(words.say("help")), "help"):
        return Answer(_help(player, question))
    english = Words("en")
    for language, each in ((words, question), (english, question.english if question else None)):
        matches = meant(typed, each) if each else []
        if len({id(choice) for choice in matches}) == 1:
            move = matches[0].value
            sentence = (each.confirm(move) if each else "") or _confirmation(player, move)
            if sentence and plainly(to_confirm) != plain:
                return Answer([sentence, words.say("Enter or yes confirms.")], asks=typed)
            return Answer(move=move)
        if matches:
            several = words.one_of([choice.forms[0] for choice in matches])
            return Answer([words.say("Did you mean {meant}?", meant=several)])
        if look := _match_look(player, language, plain):
            return Answer(look(player))
        refused_matches = matching(typed, each.refused) if each else []
        if refused_matches:
            return Answer(move=refused_matches[0].value)
    return Answer([words.say("“{typed}” is not an answer here. Type ? for help.", typed=typed)])


def _confirmation(player: TypingPlayer, move: Any) -> str:
    """Return the question whether to make a possible move, for those who confirm each move; else an empty text."""
    if not player.confirms or move not in player.look.moves:
        return ""
    return ask_about(player.words, player.now, player.seat, move)


def question_of(player: TypingPlayer) -> Question[Any] | None:
    """Return what the player is asked to do now, if it is their turn."""
    ask = player.adapter.question
    view = player.look.view
    if ask is None or view.mover != player.seat or player.now.info.status != "playing":
        return None
    return asked_in(player.words, lambda words: ask(words, player.typed_names, view, player.look.moves))


def after_move(player: TypingPlayer, number: int) -> Answer:
    """Return what a move led to, from the log line after ``number`` on, and what can be typed next."""
    words, names = player.words, player.names
    log = [sentence for line in player.now.events(player.seat, since=number) for sentence in _sentences(player, line)]
    view = player.look.view
    headline = (player.adapter.addressed or player.adapter.headline)(words, names, view)
    question = question_of(player)
    return Answer([*log, headline, *([question.hint] if question else [])])


# --------------------------------------------------------------------------------------------------------- looks


def _help(player: TypingPlayer, question: Question[Any] | None) -> list[str]:
    """Return what can be typed now, what can be looked at, and the rules that matter."""
    words = player.words
    looks = words.all_of([words.say(name) for name in _looks(player)])
    rules = [words.say("{rule}: {sentence}", rule=rule, sentence=sentence) for rule, sentence in player.rules]
    return [
        *([question.hint] if question else []),
        words.say("To look without moving: {looks}.", looks=looks),
        *rules,
    ]


def _last(player: TypingPlayer) -> list[str]:
    steps = player.now.events(player.seat)
    mine = last_move(steps, player.seat, 0)
    lines = [sentence for line in steps if line.number > mine for sentence in _sentences(player, line)]
    return lines or [player.words.say("Nothing yet.")]


def _sentences(player: TypingPlayer, line: VisibleStep) -> list[str]:
    return sentences(player.words, player.adapter, player.names, line)


def _clock(player: TypingPlayer) -> list[str]:
    words = player.words
    timed = [chair for chair in chairs(words, player.now.info) if chair.until or chair.clock]
    times = [
        words.say("{name}: {time}", name=chair.sitter, time=time)
        for chair in timed
        for time in (chair.until and chair.until_said, chair.clock)
        if time
    ]
    return times or [words.say("No time limit.")]


def _looks(player: TypingPlayer) -> Mapping[str, Callable[[TypingPlayer], list[str]]]:
    """Return the functions that show something without moving, by the English word for it."""
    return {**_LOOKS, **{name: partial(_of_game, look) for name, look in player.adapter.looks.items()}}


def _of_game(look: Callable[[Words, Sequence[str], Any], list[str]], player: TypingPlayer) -> list[str]:
    return look(player.words, player.names, player.look.view)


_LOOKS: Final[Mapping[str, Callable[[TypingPlayer], list[str]]]] = {mark("last"): _last, mark("clock"): _clock}


def _match_look(player: TypingPlayer, words: Words, plain: str) -> Callable[[TypingPlayer], list[str]] | None:
    """Return the look that a word, or the beginning of one, means; None if it fits none or several."""
    looks = [look for name, look in _looks(player).items() if plain and plainly(words.say(name)).startswith(plain)]
    return looks[0] if len(looks) == 1 else None
