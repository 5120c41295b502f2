"""Replay of a record: step by step, or all of it at once."""

from __future__ import annotations

from typing import Any, Final

from rich.text import Text

from kontor.endings import describe_early_end
from kontor.game import CHANCE
from kontor.questions import Choice, Question, asked_in
from kontor.records import EarlyEnding, Record, replay
from kontor.terminal.adapter import ObservedStep, adapter_named
from kontor.terminal.prompt import Conversation, Keyboard, Leave
from kontor.terminal.screen import Picture, Screen, flowing
from kontor.terminal.seats import names_shown, seat_called
from kontor.words import Words

NEXT, BACK, ROUND = 1, -1, 0
OPEN: Final = "open"
"""The watcher for whom everything is open, as it is for everybody once a game is over."""


class Replay:
    """A record and its watcher: a seat, a spectator (None), or :data:`OPEN`."""

    def __init__(self, words: Words, screen: Screen, record: Record, seat: str | None = None) -> None:
        """Replay the record. Raises BadRecord if it breaks a rule, BadOptions if no seat has the name ``seat``."""
        self._words = words
        self._screen = screen
        self._adapter = adapter_named(record.header.game)
        self._names = names_shown(record.header.seats)
        self._steps = record.steps
        self._states = list(replay(record))
        self._early = record.ending.early if isinstance(record.ending, EarlyEnding) else None
        self._watcher: int | str | None = OPEN if record.ending else None
        if seat is not None:
            self._watcher = seat_called(words, seat, self._names)

    # --------------------------------------------------------------------------------------------- one moment

    def _view(self, at: int) -> Any:
        """Return the watcher's view after ``at`` steps."""
        watcher = self._watcher if isinstance(self._watcher, int) else None
        return self._adapter.game.view(self._states[at], watcher)

    def _observe(self, at: int) -> ObservedStep:
        """Return step number ``at`` as the watcher sees it; with everything open, as its own seat sees it."""
        step = self._steps[at - 1]
        watcher: int | None = self._watcher if isinstance(self._watcher, int) else None
        if self._watcher == OPEN and step.seat != CHANCE:
            watcher = step.seat
        game, before, after = self._adapter.game, self._states[at - 1], self._states[at]
        return ObservedStep(
            game.view(before, watcher), game.event(before, step.action, after, watcher), game.view(after, watcher)
        )

    def _describe_step(self, at: int) -> list[str]:
        if not at:
            return []
        observed = self._observe(at)
        return self._adapter.describe_event(self._words, self._names, observed.before, observed.event, observed.after)

    def _ends_round(self, at: int) -> bool:
        """Return True if step number ``at`` was the last of its round."""
        return at > 0 and (at == len(self._steps) or self._states[at].round != self._states[at - 1].round)

    def _table(self, at: int) -> list[Picture | str]:
        """Return the board after ``at`` steps, or the report of the round that ended there.

        All hands follow, if they are open, and at the end of the game the totals.
        """
        view = self._view(at)
        pictures: list[Picture | str] = [self._adapter.board(self._words, self._names, view)]
        if self._adapter.report and self._ends_round(at):
            pictures = [self._adapter.report(self._words, self._names, self._round(at))]
        if self._watcher == OPEN and self._adapter.hand:
            pictures.append("")
            for seat in range(len(self._names)):
                seat_view = self._adapter.game.view(self._states[at], seat)
                pictures.append(self._adapter.hand(self._words, self._names, seat_view))
        if view.result and self._adapter.ending:
            pictures += ["", self._adapter.ending(self._words, self._names, view)]
        return pictures

    def _round(self, last: int) -> list[ObservedStep]:
        """Return the steps of the round that ended with step number ``last``."""
        first = last
        while first > 1 and not self._ends_round(first - 1):
            first -= 1
        return [self._observe(at) for at in range(first, last + 1)]

    def _headline(self, at: int) -> Text:
        if self._early is not None and at == len(self._steps):
            return Text(describe_early_end(self._words, self._names, self._early), "bold")
        return Text(self._adapter.headline(self._words, self._names, self._view(at)), "bold")

    # ----------------------------------------------------------------------------------------- the whole game

    def all(self) -> None:
        """Print the whole game: round by round what happened, and the board at the end of each round."""
        sentences: list[str] = []
        last = len(self._steps)
        for at in range(1, last + 1):
            sentences += self._describe_step(at)
            if self._ends_round(at):
                self._screen.show(flowing(sentences), "", *self._table(at), "")
                sentences = []
        self._screen.show(self._headline(last))

    def step(self, keyboard: Keyboard) -> None:
        """Show one step at a time, forward and back, as the person at the keyboard chooses. Raises Leave."""
        at = 0
        last = len(self._steps)
        while True:
            self._screen.clear()
            position = self._words.say("Step {at} of {last}.", at=at, last=last)
            sentences = (
                [] if self._adapter.report and self._ends_round(at) else self._describe_step(at)
            )  # the report tells it
            self._screen.show(self._headline(at), flowing([position, *sentences]), "", *self._table(at))
            at = self._next(keyboard, at)

    def _next(self, keyboard: Keyboard, at: int) -> int:
        words = self._words
        last = len(self._steps)
        talk = Conversation(words, self._screen, keyboard, words.say("replay"), playing=False)
        way = talk.ask(asked_in(words, _ways))
        if at == last and way != BACK:
            raise Leave
        if way == ROUND:
            return self._end_of_round(at)
        return max(0, min(at + way, last))

    def _end_of_round(self, at: int) -> int:
        """Return the number of the next step that ends a round."""
        now = self._states[at].round
        return next(
            (later for later in range(at + 1, len(self._states)) if self._states[later].round != now),
            len(self._steps),
        )


def _ways(words: Words) -> Question[int]:
    forward = Choice(NEXT, (words.say("next"), ""))
    choices = (Choice(ROUND, (words.say("n"),)), Choice(BACK, (words.say("back"),)), forward)
    return Question(words.say("Enter: on · n: next round · b: back · q: quit"), choices)
