"""Play at the terminal, between people and computer players; each move is written to a record on the disk."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from shlex import quote
from types import FrameType
from typing import Any, Final

from rich.text import Text

from kontor.game import CHANCE, OVER, Refusal
from kontor.players import player_named
from kontor.recording import RecordWriter
from kontor.records import Step
from kontor.terminal.adapter import adapter_named
from kontor.terminal.chronicle import Chronicle, Watcher
from kontor.terminal.prompt import Conversation, Keyboard, Leave
from kontor.terminal.screen import Picture, Screen, flowing
from kontor.terminal.seats import PERSON, names_shown
from kontor.words import Words, mark

NEWS: Final = 3
"""Rows of news that are always shown, even if they push something else off the screen."""
PROMPT: Final = 6
"""Rows that a prompt may take."""


class Session:
    """A game being played. Only this class holds the state; players, drawing and prompts get views."""

    def __init__(self, words: Words, screen: Screen, keyboard: Keyboard, path: Path, writer: RecordWriter) -> None:
        header = writer.record.header
        self._words = words
        self._screen = screen
        self._keyboard = keyboard
        self._path = path
        self._writer = writer
        self._adapter = adapter_named(header.game)
        self._game = self._adapter.game
        self._names = names_shown(header.seats)
        self._people = [seat for seat, player in enumerate(header.players) if player == PERSON]
        self._machines = {
            seat: player_named(header.game, player)
            for seat, player in enumerate(header.players)
            if seat not in self._people
        }
        self._random = Random()
        self._chronicle = Chronicle(self._adapter, words, self._names, self._people)
        self._state = self._game.start(header.options)
        self._round_is_over = False
        self._at_keyboard: int | None = None
        self._catch_up()

    def _catch_up(self) -> None:
        """Apply the steps that the record already has."""
        for step in self._writer.record.steps:
            if step.seat in self._people:
                self._chronicle.clear_news(step.seat)
            self._follow(step.action)

    @property
    def _curtains(self) -> bool:
        """Return True if the screen must be hidden from one person before the next sits down."""
        return self._adapter.secrets and len(self._people) > 1

    # ------------------------------------------------------------------------------------------------ the loop

    def run(self) -> None:
        """Play to the end. Raises Leave when somebody leaves; nothing is lost then."""
        while self._state.mover != OVER:
            seat = self._state.mover
            if seat == CHANCE:
                self._go(CHANCE, self._game.chance(self._state).draw(self._writer.dice.below(self._writer.line)))
            elif seat in self._machines:
                view, moves = self._game.view(self._state, seat), self._game.moves(self._state)
                self._go(seat, self._machines[seat](view, moves, self._random))
            else:
                self._person(seat)
        result = self._game.result(self._state)
        assert result is not None
        self._writer.finish(result)
        self._end()

    def _go(self, seat: int, action: Any) -> None:
        """Check a step by the rules, write it to the disk, then apply and tell it. Raises IllegalMove."""
        self._game.play(self._state, action)
        self._writer.append(Step(seat, action))
        if self._follow(action) and self._adapter.report:
            self._report(self._adapter.report)

    def _follow(self, action: Any) -> bool:
        """Apply a step and tell it; return True if it ended a round. The next step after that begins a new round."""
        if self._round_is_over:
            self._chronicle.next_round()
        before = self._state
        self._state = self._game.play(before, action)
        self._round_is_over = self._chronicle.follow(before, action, self._state)
        return self._round_is_over

    # ------------------------------------------------------------------------------------------------- people

    def _person(self, seat: int) -> None:
        """Ask the person at a seat for a move, and make it."""
        self._hand_over(seat)
        view, moves = self._game.view(self._state, seat), self._game.moves(self._state)
        self._screen.clear()
        self._screen.show(*self._table(seat, view))
        talk = self._talk(seat, view)
        while True:
            move = self._adapter.ask(talk, self._names, view, moves)
            try:
                self._game.play(self._state, move)
            except Refusal as refusal:
                talk.refuse(refusal)
                continue
            self._chronicle.clear_news(seat)
            return self._go(seat, move)

    def _hand_over(self, seat: int) -> None:
        """Hand the keyboard to another person, behind a curtain, if there are secrets and several people."""
        if not self._curtains or seat == self._at_keyboard:
            return
        self._draw_curtain()
        self._screen.show("", "", Text(self._headline(None), "bold"), "")
        name = self._names[seat]
        self._keyboard.wait(self._words.say("Hand the keyboard to {name}, then press Enter. ", name=name))
        self._draw_curtain()
        self._at_keyboard = seat

    def _draw_curtain(self) -> None:
        """Clear the screen and its scrollback if they could show what a seat has seen."""
        if self._curtains:
            self._screen.clear(with_history=True)
            self._at_keyboard = None

    def _headline(self, watcher: Watcher) -> str:
        return self._adapter.headline(self._words, self._names, self._game.view(self._state, watcher))

    def _table(self, watcher: Watcher, view: Any) -> list[Picture | str]:
        """Return the headline, as many rows of news as there is room for, and the board."""
        board = self._adapter.board(self._words, self._names, view)
        pictures: list[Picture | str] = [Text(self._adapter.headline(self._words, self._names, view), "bold")]
        news = self._chronicle.news(watcher)
        if news:
            pictures.append(self._fit_news(news, self._screen.rows([*pictures, board])))
        return [*pictures, "", board]

    def _fit_news(self, news: Sequence[str], taken_rows: int) -> Picture:
        """Return the last news that fit; the earlier ones are in the log."""
        height = self._screen.height
        room = max(NEWS, height - taken_rows - PROMPT) if height else None
        first = 0
        while True:
            picture = flowing([*([self._words.say("…")] if first else []), *news[first:]])
            if room is None or first >= len(news) - 1 or self._screen.rows([picture]) <= room:
                return picture
            first += 1

    def _talk(self, seat: int, view: Any) -> Conversation:
        looks: dict[str, Callable[[], Picture]] = {
            name: lambda draw=draw: draw(self._words, self._names, view)  # type: ignore[misc]
            for name, draw in self._adapter.looks.items()
        }
        looks[mark("log")] = lambda: self._log(seat)
        return Conversation(
            self._words,
            self._screen,
            self._keyboard,
            self._names[seat],
            self._adapter.rules(self._words, view),
            looks={self._words.say(name): look for name, look in looks.items()},
            english_looks=looks,
        )

    def _log(self, watcher: Watcher) -> Picture:
        """Return the sentences of this round and the one before."""
        rounds = [sentences for sentences in self._chronicle.rounds(watcher) if sentences]
        return Text("\n\n".join(" ".join(sentences) for sentences in rounds[-2:]))

    # --------------------------------------------------------------------------------------------------- all

    def _report(self, report: Callable[..., Picture]) -> None:
        """Show everybody how a round ended."""
        if self._people:
            self._draw_curtain()
            self._screen.clear()
        self._screen.show("", report(self._words, self._names, self._chronicle.round), "")
        if self._state.mover != OVER and self._people:
            self._keyboard.wait(self._words.say("Press Enter to go on. "))

    def _end(self) -> None:
        view = self._game.view(self._state, None)
        ending = self._adapter.ending or self._adapter.board
        say = self._words.say
        if self._people:
            self._keyboard.wait(say("The game is over. Press Enter for the final score. "))
        self._screen.clear()
        self._screen.show(
            Text(self._adapter.headline(self._words, self._names, view), "bold"),
            "",
            ending(self._words, self._names, view),
            "",
            say("The record is {file}. Watch it with: kontor replay {file}", file=quote(str(self._path))),
        )

    # ------------------------------------------------------------------------------------------------ leaving

    def leave(self) -> None:
        """Tell how to resume the game. Everything is on the disk already."""
        self._draw_curtain()
        self._screen.show(
            "",
            self._words.say(
                "The game is saved. Resume it with: kontor play --resume {file}", file=quote(str(self._path))
            ),
        )

    def close(self) -> None:
        """Close the record's file."""
        self._writer.close()


def sit_down(words: Words, screen: Screen, table: Callable[[], Session]) -> None:
    """Play until the game is over or somebody leaves."""
    session = None
    with leaving_on_signals():
        try:
            session = table()
            session.run()
        except Leave:
            with suppress(OSError):  # the terminal may be gone
                session.leave() if session else screen.show("", words.say("No game was started."))
        finally:
            if session:
                session.close()


@contextmanager
def leaving_on_signals() -> Iterator[None]:
    """Raise Leave on the first Ctrl-C, termination signal or loss of the terminal; ignore later ones."""
    has_left = False

    def leave(number: int, frame: FrameType | None) -> None:
        nonlocal has_left
        if not has_left:
            has_left = True
            raise Leave

    kinds = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = [signal.signal(kind, leave) for kind in kinds]
    try:
        yield
    finally:
        for kind, handler in zip(kinds, before, strict=True):
            signal.signal(kind, handler)
