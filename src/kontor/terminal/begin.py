"""Games at a terminal: beginning one, with its record and its fair dice, or going on with an unfinished one."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.text import Text

from kontor.fair import commitment, new_seed
from kontor.players.levels import level_name, marked
from kontor.recording import RecordWriter
from kontor.records import LONGEST_SALT, Header, new_header
from kontor.terminal.adapter import TerminalAdapter
from kontor.terminal.play import Session
from kontor.terminal.prompt import Keyboard
from kontor.terminal.screen import WIDTH, Screen, columns
from kontor.terminal.seats import PERSON, SeatAssignment
from kontor.words import Words


@dataclass(frozen=True)
class GamePlan:
    """A game to begin: its options, players and record file. With salts each person adds a word to the dice."""

    adapter: TerminalAdapter
    options: Any
    seats: Sequence[SeatAssignment]
    path: Path
    salts: bool = False

    @property
    def has_people(self) -> bool:
        """Return True if a person plays."""
        return any(seat.player == PERSON for seat in self.seats)

    def header(self, promise: str, salts: Sequence[str], started: datetime | None = None) -> Header:
        """Return the record's header. Raises BadOptions if the game cannot be played like that."""
        return new_header(
            self.adapter.game,
            self.options,
            seats=[seat.name for seat in self.seats],
            players=[seat.player for seat in self.seats],
            salts=salts,
            commitment=promise,
            started=started,
        )


def begin(words: Words, screen: Screen, keyboard: Keyboard, plan: GamePlan) -> Session:
    """Begin a game, and show the commitment before anybody adds a word. Raises BadOptions and FileExistsError."""
    seed = new_seed()
    promise = commitment(seed)
    salts = [""] * len(plan.seats)
    plan.header(promise, salts)  # a game that cannot be played is refused before any question
    _welcome(words, screen, plan, promise)
    if plan.salts:
        salts = _salts(words, screen, keyboard, plan.seats)
    elif plan.has_people:
        keyboard.wait(words.say("Press Enter to begin. "))
    header = plan.header(promise, salts, datetime.now(UTC).replace(microsecond=0))
    return Session(words, screen, keyboard, plan.path, RecordWriter.begin(plan.path, header, seed))


def _welcome(words: Words, screen: Screen, plan: GamePlan, promise: str) -> None:
    table = [
        seat.name
        if seat.player == PERSON
        else words.say("{name} ({player})", name=marked(seat.name), player=level_name(words, seat.player))
        for seat in plan.seats
    ]
    screen.clear()
    screen.show(
        Text(plan.adapter.title, "bold"),
        words.say("At the table: {names}.", names=words.all_of(table)),
        *plan.adapter.unusual(words, [seat.name for seat in plan.seats], plan.options),
        words.say("Every move is saved to {file}; type q to leave at any time.", file=plan.path),
        words.say("Type ? or help for an explanation; you can shorten words."),
        "",
        words.say("The dice follow from a secret that is revealed at the end. Its SHA-256 is"),
        f"  {promise}",
        "",
    )
    if columns() < WIDTH:
        narrow = words.say(
            "This window is {columns} columns wide; make it {width}, or lines will wrap.",
            columns=columns(),
            width=WIDTH,
        )
        screen.show(narrow, "")


def _salts(words: Words, screen: Screen, keyboard: Keyboard, seats: Sequence[SeatAssignment]) -> list[str]:
    """Return a word from each person, which goes into the dice after the seed is fixed."""
    screen.show(
        words.say("Everyone may add a word that is mixed into the dice, so that nobody can have known them before.")
    )
    return [
        keyboard.line(words.say("{name}, a word for the dice> ", name=seat.name))[:LONGEST_SALT]
        if seat.player == PERSON
        else ""
        for seat in seats
    ]


def resume(words: Words, screen: Screen, keyboard: Keyboard, path: Path) -> Session:
    """Go on with an unfinished game. Raises BadRecord, BadOptions and OSError."""
    return Session(words, screen, keyboard, path, RecordWriter.resume(path))


def free_path(game: str) -> Path:
    """Return a path in the current folder without a file yet, named after the game and the day."""
    name = f"{game}-{datetime.now().astimezone():%Y-%m-%d}"
    number = 1
    while True:
        path = Path(f"{name}.jsonl" if number == 1 else f"{name}-{number}.jsonl")
        if not path.exists():
            return path
        number += 1


def check_new_file(path: Path) -> None:
    """Raise OSError if no file can be created at the path, before anybody has answered a question."""
    if path.exists():
        raise FileExistsError(errno.EEXIST, "", str(path))
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path.parent))
    if not os.access(path.parent, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path.parent))
