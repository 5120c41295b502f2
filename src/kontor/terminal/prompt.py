"""Prompts at a terminal; a person can leave at each of them."""

from __future__ import annotations

import os
import re
import select
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from rich.table import Table
from rich.text import Text

from kontor.game import IllegalMove, Refusal
from kontor.questions import Choice, Question, asked_in, matching, meant, plainly
from kontor.terminal.screen import Picture, Screen, text
from kontor.words import Words, mark

Value = TypeVar("Value")


class Leave(Exception):
    """Raised when the player leaves the table: by q, Ctrl-C, Ctrl-D, the end of the answers, or a signal."""


# --------------------------------------------------------------------------------------------------- typing


POLL_INTERVAL: Final = 0.25
"""Seconds of waiting for input after which a pending signal is noticed."""

_CONTROLS: Final = re.compile(r"\x1b\[[\d;]*[A-Za-z~]|[\x00-\x1f\x7f]")
"""Control sequences that arrow keys and the like leave in a line."""


class Keyboard:
    """A source of lines: a person who types, or a file of answers.

    The terminal itself edits the line. There is no history, so that the next seat can't recall with the arrow keys
    what another seat typed.
    """

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self.live = sys.stdin.isatty()
        """True if a person types: only then is there somebody to wait for."""

    def line(self, sign: str) -> str:
        """Return the next line. Raises Leave when there is none."""
        if self.live:
            return self._read_typed(sign)
        while True:
            line = sys.stdin.readline()
            if not line:
                raise Leave
            if line.strip():
                self._screen.show(f"{sign}{line.strip()}")
                return line.strip()

    def _read_typed(self, sign: str) -> str:
        self._screen.console.print(sign, end="", soft_wrap=True)
        self._screen.console.file.flush()
        try:
            # Wait in short turns: a signal that comes just before the wait begins would go unnoticed otherwise.
            while os.name == "posix" and not select.select([sys.stdin], [], [], POLL_INTERVAL)[0]:
                pass
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            line = ""
        if not line:
            self._screen.console.print()
            raise Leave
        return _CONTROLS.sub("", line).strip()

    def wait(self, sign: str) -> None:
        """Wait until Enter is pressed, but not for a file of answers. Raises Leave on q."""
        if not self.live:
            self._screen.show(sign)
        elif plainly(self.line(sign)) in LEAVING:
            raise Leave


LEAVING: Final = ("q", "quit", "exit", "leave")
ASKING: Final = "?"
HELP: Final = mark("help")
"""The word for ``?``. As all words, it can be typed in the reader's language or in English."""


# ---------------------------------------------------------------------------------------------------- asking


@dataclass
class Conversation:
    """The conversation with one person at one prompt."""

    words: Words
    screen: Screen
    keyboard: Keyboard
    name: str
    rules: Sequence[tuple[str, str]] = ()
    """The rules that matter at this prompt: number and text."""
    looks: Mapping[str, Callable[[], Picture]] = field(default_factory=dict)
    """Things to look at without moving, by the word to be typed."""
    english_looks: Mapping[str, Callable[[], Picture]] = field(default_factory=dict)
    """The same by English words; they count where an input means nothing in the reader's language."""
    playing: bool = True
    """True if there is a game to explain and save, and the hint about that was not shown yet."""

    def ask(self, question: Question[Value]) -> Value:
        """Ask until the answer is understood, and return its value. Raises Leave."""
        self._hint(question.hint, *self._general_hints())
        while True:
            typed = self.keyboard.line(self.words.say("{name}> ", name=self.name))
            answer = self._interpret(typed, question)
            if answer:
                return answer[0]
            self._hint(question.hint)

    def _interpret(self, typed: str, question: Question[Value]) -> tuple[Value] | None:
        """Return the answer in a tuple, or None after something else was said or shown. Raises Leave."""
        plain = plainly(typed)
        if plain in LEAVING:
            raise Leave
        rule = self._rule_asked_for(plain)
        if rule is not None:
            self._explain(rule)
            return None
        for variant, looks in ((question, self.looks), (question.english, self.english_looks)):
            if variant is None:
                continue
            understood, answer = self._interpret_in(typed, variant, looks)
            if understood:
                return answer
        self.say(self.words.say("“{typed}” is not an answer here. Type ? for help.", typed=typed))
        return None

    def _rule_asked_for(self, plain: str) -> str | None:
        """Return the number of the rule to explain, "" for all of them, or None if no explanation was asked for."""
        if plain.startswith(ASKING):
            return plain.removeprefix(ASKING).strip()
        word, _, rule = plain.partition(" ")
        return rule if word in (HELP, plainly(self.words.say(HELP))) else None

    def _interpret_in(
        self, typed: str, question: Question[Value], looks: Mapping[str, Callable[[], Picture]]
    ) -> tuple[bool, tuple[Value] | None]:
        """Return whether the input means something in this language, and the answer that it gives, if any."""
        plain = plainly(typed)
        try:
            choices = meant(typed, question)
        except IllegalMove as refusal:
            self.refuse(refusal)
            return True, None
        if len({id(choice) for choice in choices}) == 1:
            return True, (choices[0].value,)
        if choices:
            several = self.words.one_of([choice.forms[0] for choice in choices])
            self.say(self.words.say("Did you mean {meant}?", meant=several))
            return True, None
        if not plain or self._look(plain, looks):
            return True, None
        refused = matching(typed, question.refused)
        return (True, (refused[0].value,)) if refused else (False, None)

    def confirm(self, sentence: str) -> bool:
        """Return True if the person says yes."""
        self.say(sentence)
        return self.ask(asked_in(self.words, _yes_or_no))

    def say(self, sentence: str) -> None:
        """Show a sentence between two prompts."""
        self.screen.show(text(f"  {sentence}", "bold"))

    def refuse(self, refusal: Refusal) -> None:
        """Say which rule refuses the input."""
        self.say(self.words.refuse(refusal))

    def _hint(self, hint: str, *more: Picture) -> None:
        """Show what can be typed, with the rule that matters most."""
        rule = f"{self.rules[0][0]} " if self.rules else ""
        self.screen.show(Text.assemble((rule, "bold"), hint), *more)

    def _general_hints(self) -> list[Picture]:
        """Return the hint about what can be typed at every prompt of a game; only the first time."""
        if not self.playing:
            return []
        self.playing = False
        looks = self.words.in_row([*self.looks])
        return [text(self.words.say("? help · {looks} · q saves and leaves", looks=looks), "dim")]

    def _look(self, plain: str, looks: Mapping[str, Callable[[], Picture]]) -> bool:
        matches = [look for name, look in looks.items() if plainly(name).startswith(plain)]
        if len(matches) == 1:
            self.screen.show("", matches[0](), "")
        return len(matches) == 1

    def _explain(self, number: str) -> None:
        rules = [rule for rule in self.rules if not number or plainly(rule[0]) == number]
        if not rules:
            self.say(self.words.say("Rule {number} does not matter here.", number=number.upper()))
        table = Table.grid(padding=(0, 1))
        table.add_column()
        table.add_column(overflow="fold")  # in Japanese there are no spaces to break a line at
        for rule, sentence in rules:
            table.add_row(Text(rule, "bold"), Text(sentence))
        self.screen.show("", table, "")


def _yes_or_no(words: Words) -> Question[bool]:
    yes = Choice(True, (words.say("yes"), ""))
    no = Choice(False, (words.say("no"), words.say("back")))
    return Question(words.say("Enter or yes · no: choose again"), (yes, no))
