"""The screen: printing on it, and clearing it. Everything fits 80 columns."""

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
"""Anything that can be printed."""


_MOST_CELLS: Final = 4
"""The most digits in a valid size: no screen has more columns or rows."""


def _environment() -> dict[str, str]:
    """Return the environment without an unusable COLUMNS or LINES.

    That is 0, letters, or a number larger than any screen: Rich would print nothing, or fail.
    """
    unusable = {
        name
        for name in ("COLUMNS", "LINES")
        if not re.fullmatch(rf"0*[1-9][0-9]{{0,{_MOST_CELLS - 1}}}", os.environ.get(name, ""))
    }
    return {name: value for name, value in os.environ.items() if name not in unusable}


class _VisibleConsole(Console):
    """A console that drops or replaces hidden characters, so that text from strangers can't control the terminal."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """Render it, with hidden characters of its text dropped or replaced; line feeds of its layout stay."""
        for segment in super().render(renderable, options):
            if segment.control or (segment.text.isascii() and segment.text.replace("\n", "").isprintable()):
                yield segment
            else:
                yield Segment("\n".join(map(visible, segment.text.split("\n"))), segment.style)


def columns() -> int:
    """Return the width of the terminal in columns, also those beyond the 80 that we use."""
    return Console(_environ=_environment()).width


def console(stderr: bool = False) -> Console:
    """Return a console of at most 80 columns that shows every text literally, never as markup."""
    created = _VisibleConsole(stderr=stderr, markup=False, emoji=False, highlight=False, _environ=_environment())
    created.width = min(created.width, WIDTH)
    return created


def survive_any_text() -> None:
    """Make the standard streams replace characters that can't be written, and bytes that can't be read."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def open_closed_streams() -> None:
    """Open the null device in place of each closed standard stream.

    Otherwise the next file to be opened would take its number, and text meant for the stream would go into that file.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 (it must get a descriptor)


def show_json(value: Any) -> None:
    """Print a value as JSON for programs; hidden characters are escaped, because people may read it at a terminal."""
    typer.echo(escape_hidden(msgspec.json.format(msgspec.json.encode(value), indent=2).decode()))


class Screen:
    """The screen on which a game is shown."""

    def __init__(self, on: Console | None = None) -> None:
        self.console = on or console()
        self.lasting = not self.console.is_terminal or self.console.is_dumb_terminal
        """True if printed text stays, as in a file or a pipe; nothing is cleared then."""

    @property
    def height(self) -> int | None:
        """Return the number of rows, or None where they are unlimited."""
        return None if self.lasting else self.console.height

    def show(self, *pictures: Picture | str) -> None:
        """Print pictures and lines of text below each other, all at once."""
        self.console.print(Group(*(text(picture) for picture in pictures)))

    def clear(self, *, with_history: bool = False) -> None:
        """Clear the screen; ``with_history`` also clears the scrollback."""
        if self.console.is_dumb_terminal and with_history:
            self.console.print("\n" * self.console.height)  # such a terminal can't be cleared
        if self.lasting:
            return
        self.console.file.write("\x1b[H\x1b[2J\x1b[3J\x1b[H" if with_history else "\x1b[H\x1b[2J")
        self.console.file.flush()

    def rows(self, pictures: Iterable[Picture | str]) -> int:
        """Return how many rows these take."""
        lines = self.console.render_lines(Group(*(text(picture) for picture in pictures)), pad=False)
        return len(lines)


_HELD: Final = str.maketrans({"\N{NO-BREAK SPACE}": "\ue000", "\N{NARROW NO-BREAK SPACE}": "\ue001"})
_RELEASED: Final = {ord(held): space for space, held in _HELD.items()}
"""The private characters that stand for no-break spaces while lines are broken, and the spaces they stand for."""


class _Prose(Text):
    """Text whose lines are never broken at no-break spaces; Rich itself would break there."""

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
        held = self.copy()  # a plain Text
        held.plain = self.plain.translate(_HELD)
        lines = held.wrap(console, width, justify=justify, overflow=overflow, tab_size=tab_size, no_wrap=no_wrap)
        for line in lines:
            line.plain = line.plain.translate(_RELEASED)
        return lines


def text(picture: Picture | str, style: str = "") -> Picture:
    """Return a string as a line of text shown literally; return any other picture unchanged."""
    return _Prose(picture, style) if isinstance(picture, str) else picture


def flowing(sentences: Sequence[str]) -> Text:
    """Return the sentences as one paragraph."""
    return _Prose(" ".join(sentences))


def padded(what: str, width: int, *, right: bool = False) -> Text:
    """Return the text cut or filled to ``width`` columns; wide characters count as two."""
    cell = Text(what, no_wrap=True)
    cell.truncate(width, overflow="ellipsis")
    blank = " " * (width - cell.cell_len)
    return Text.assemble(blank, cell) if right else Text.assemble(cell, blank)
