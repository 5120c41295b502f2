"""The output of a terminal, and the input typed there."""

import io
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from rich.console import Console

from kontor.game import AnyGame
from kontor.games.dutchman.rules.state import Options, State
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.terminal.adapter import ObservedStep, TerminalAdapter, adapter_named
from kontor.terminal.prompt import Conversation, Keyboard
from kontor.terminal.screen import WIDTH, Screen
from kontor.words import Words
from random_steps import game_steps

WORDS = Words("en")
NAMES = ("Anna", "Bernd", "Carla", "Dora", "Emil", "Frieda")
LONG_NAMES = ("安娜安娜安娜安娜安娜", "B" * 60, "Clementine von und zu Hohenstein", "D", "[red]E[/red]", ":smile:")

DUTCHMAN_ADAPTER = adapter_named("dutchman")
SHANGHAIEN_ADAPTER = adapter_named("shanghaien")


def printed(*pictures: Any) -> list[str]:
    """Return the printed lines."""
    out = io.StringIO()
    Screen(Console(file=out, width=WIDTH, markup=False, emoji=False, highlight=False)).show(*pictures)
    return out.getvalue().splitlines()


def steps_of(
    adapter: TerminalAdapter, options: Any, seed: int, watcher: int | None = None
) -> Iterator[tuple[Any, ObservedStep, Any]]:
    """Yield the steps of a random game: the state before, the step as the watcher saw it, the state after."""
    game: AnyGame = adapter.game
    random = Random(seed)
    for before, action, state in game_steps(game, game.start(options), random):
        event = game.event(before, action, state, watcher)
        yield before, ObservedStep(game.view(before, watcher), event, game.view(state, watcher)), state


def options_of(adapter: TerminalAdapter, seats: int) -> Any:
    return Options(players=seats) if adapter is DUTCHMAN_ADAPTER else ShanghaienOptions(first_trick="nudge")


TABLES = [(SHANGHAIEN_ADAPTER, 2), *((DUTCHMAN_ADAPTER, seats) for seats in (3, 4, 5, 6))]


def type_answers(
    monkeypatch: pytest.MonkeyPatch, *answers: str, words: Words = WORDS
) -> tuple[Conversation, io.StringIO]:
    """Return a conversation in which these answers are typed, and its output."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
    out = io.StringIO()
    screen = Screen(Console(file=out, width=WIDTH, markup=False, emoji=False, highlight=False))
    return Conversation(words, screen, Keyboard(screen), "Anna"), out


def ask_move(
    monkeypatch: pytest.MonkeyPatch, adapter: TerminalAdapter, state: Any, *answers: str, words: Words = WORDS
) -> Any:
    """Return the move that results from these answers."""
    talk, _ = type_answers(monkeypatch, *answers, words=words)
    view = adapter.game.view(state, state.mover)
    return adapter.ask(talk, NAMES, view, adapter.game.moves(state))


def until(step: str, seats: int = 4, wanted: Callable[[State], bool] = lambda state: True) -> State:
    for seed in range(200):
        for _, _, state in steps_of(DUTCHMAN_ADAPTER, Options(players=seats, starter=0), seed):
            if state.step == step and wanted(state):
                return state  # type: ignore[no-any-return]
    raise AssertionError(step)
