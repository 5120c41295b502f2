"""The screen: what is printed, and how it is cleared. Everything fits 80 columns."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec
import typer
from rich.console import (
    Console,
    ConsoleOptions,
    ConsoleRenderable,
    Group,
    JustifyMethod,
    OverflowMethod,
    RenderableType,
)
from rich.containers import Lines
from rich.segment import Segment
from rich.text import Text

from kontor.visible_text import escape_hidden, visible

WIDTH: Final = 80

Picture = ConsoleRenderable
"""Something that can be printed."""


_MOST_CELLS: Final = 4
"""Digits of a size that can be one: more columns or rows no screen has."""


def _environment() -> dict[str, str]:
    """Return the environment without a COLUMNS or LINES that says nothing (0, letters, a number beyond all screens):
    Rich would print nothing, or fail."""
    unusable = {
        name
        for name in ("COLUMNS", "LINES")
        if not re.fullmatch(rf"0*[1-9][0-9]{{0,{_MOST_CELLS - 1}}}", os.environ.get(name, ""))
    }
    return {name: value for name, value in os.environ.items() if name not in unusable}


class _VisibleConsole(Console):
    """A console on which no text from a stranger does anything but stand there, wherever it is shown."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """Render it, with hidden characters of its text dropped or replaced; line feeds are its layout."""
        for segment in super().render(renderable, options):
            if segment.control or (segment.text.isascii() and segment.text.replace("\n", "").isprintable()):
                yield segment
            else:
                yield Segment("\n".join(map(visible, segment.text.split("\n"))), segment.style)


def columns() -> int:
    """How wide the terminal is, whatever we use of it."""
    return Console(_environ=_environment()).width


def console(stderr: bool = False) -> Console:
    """A console of at most 80 columns on which every text is shown as it is written, never read as markup."""
    made = _VisibleConsole(stderr=stderr, markup=False, emoji=False, highlight=False, _environ=_environment())
    made.width = min(made.width, WIDTH)
    return made


def survive_any_text() -> None:
    """No character that cannot be written, and no byte that cannot be read, stops a game."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def open_closed_streams() -> None:
    """Open the null device in place of each standard stream that is closed. Otherwise the next file that is opened
    would take its number, and what is meant for the stream would be written into it."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 (a number, as files have)


def show_json(value: Any) -> None:
    """Print a value as JSON for programs; hidden characters in it are escaped, for whoever reads it at a terminal."""
    typer.echo(escape_hidden(msgspec.json.format(msgspec.json.encode(value), indent=2).decode()))


class Screen:
    """Where a game is shown."""

    def __init__(self, on: Console | None = None) -> None:
        self.console = on or console()
        self.lasting = not self.console.is_terminal or self.console.is_dumb_terminal
        """Whether what is printed stays: into a file or a pipe, nothing is cleared."""

    @property
    def height(self) -> int | None:
        """The rows there are; None where there is no end of them."""
        return None if self.lasting else self.console.height

    def show(self, *pictures: Picture | str) -> None:
        """Prints pictures and lines of text below each other, all at once."""
        self.console.print(Group(*(text(picture) for picture in pictures)))

    def clear(self, *, with_history: bool = False) -> None:
        """Empties the screen; with the history, also what could be scrolled back to."""
        if self.console.is_dumb_terminal and with_history:
            self.console.print("\n" * self.console.height)  # all that such a terminal can do
        if self.lasting:
            return
        self.console.file.write("\x1b[H\x1b[2J\x1b[3J\x1b[H" if with_history else "\x1b[H\x1b[2J")
        self.console.file.flush()

    def rows(self, pictures: Iterable[Picture | str]) -> int:
        """How many rows these take."""
        lines = self.console.render_lines(Group(*(text(picture) for picture in pictures)), pad=False)
        return len(lines)


_HELD: Final = str.maketrans({"\N{NO-BREAK SPACE}": "\ue000", "\N{NARROW NO-BREAK SPACE}": "\ue001"})
_RELEASED: Final = {ord(held): space for space, held in _HELD.items()}
"""No-break spaces, and letters of no meaning that stand for them while lines are broken."""


class _Prose(Text):
    """Text whose lines are broken anywhere but at no-break spaces, where Rich breaks them too."""

    def wrap(
        self,
        console: Console,
        width: int,
        *,
        justify: JustifyMethod | None = None,
        overflow: OverflowMethod | None = None,
        tab_size: int = 8,
        no_wrap: bool | None = None,
    ) -> Lines:
        held = self.copy()  # a mere Text
        held.plain = self.plain.translate(_HELD)
        lines = held.wrap(console, width, justify=justify, overflow=overflow, tab_size=tab_size, no_wrap=no_wrap)
        for line in lines:
            line.plain = line.plain.translate(_RELEASED)
        return lines


def text(picture: Picture | str, style: str = "") -> Picture:
    """A line of text, as it is written."""
    return _Prose(picture, style) if isinstance(picture, str) else picture


def flowing(sentences: Sequence[str]) -> Text:
    """Sentences as a paragraph."""
    return _Prose(" ".join(sentences))


def padded(what: str, width: int, *, right: bool = False) -> Text:
    """A text cut or filled to so many columns, however wide its characters are."""
    cell = Text(what, no_wrap=True)
    cell.truncate(width, overflow="ellipsis")
    blank = " " * (width - cell.cell_len)
    return Text.assemble(blank, cell) if right else Text.assemble(cell, blank)
