"""The drawing of a sea chart: the diamond with its lines, and a list of neighbours (H3).

The lattice stands on its corner, so a field at row r and column c lies in line r + c. The further right it is, the
greater is c − r.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.console import Group
from rich.text import Text

from kontor.games.dutchman import words as phrases
from kontor.games.dutchman.rules.chart import MIDDLE, SIZE, Chart, Field, Place, sea_of
from kontor.games.dutchman.rules.components import Colour
from kontor.terminal.screen import WIDTH, Picture, padded
from kontor.words import Words

SHIPS: Final[dict[Colour, str]] = {
    "blue": "bright_blue",
    "yellow": "bright_yellow",
    "green": "green",
    "orange": "dark_orange",
    "red": "bright_red",
    "violet": "magenta",
}
ISLAND: Final = "bold"

LINES: Final = 2 * SIZE - 1
ACROSS: Final = 9
"""Columns from one place to the next on the large drawing."""

Marks = Mapping[str, tuple[str, str]]
"""Signs before and after some of the fields."""


class Canvas:
    """Text that is written at places, later over earlier."""

    def __init__(self, width: int, height: int) -> None:
        self._width = width
        self._rows: list[list[tuple[int, str, str]]] = [[] for _ in range(height)]

    def put(self, row: int, column: int, text: str, style: str = "") -> None:
        """Write a text that begins in a column."""
        self._rows[row].append((max(0, min(column, self._width - cell_len(text))), text, style))

    def centre(self, row: int, column: int, text: str, style: str = "") -> None:
        """Write a text centred on a column."""
        self.put(row, column - cell_len(text) // 2, text, style)

    def lines(self) -> list[Text]:
        """Return the rows, each as wide as the canvas."""
        return [self._line(row) for row in self._rows]

    def _line(self, row: list[tuple[int, str, str]]) -> Text:
        plain, styles = " " * self._width, []
        for column, text, style in row:
            # A wide character takes two columns but is one character: cut by columns, not by characters.
            before, after = set_cell_size(plain, column), plain_from(plain, column + cell_len(text))
            styles.append((len(before), len(before) + len(text), style))
            plain = before + text + after
        line = Text(plain, no_wrap=True)
        for start, end, style in styles:
            line.stylize(style, start, end)
        return line


def plain_from(plain: str, column: int) -> str:
    """Return the text from a column on."""
    width = cell_len(plain) - column
    for at in range(len(plain) + 1):
        if cell_len(plain[at:]) <= width:
            return plain[at:]
    return ""


def tone(field: Field) -> str:
    """Return the style of a field's colour."""
    return SHIPS[field.colour] if field.colour else ISLAND


# ---------------------------------------------------------------------------------------------- the large drawing


def diamond(words: Words, chart: Chart, marks: Marks | None = None, middle: str = "") -> Picture:
    """Return a picture of the whole chart with its lines."""
    canvas = Canvas(WIDTH, 2 * LINES - 1)
    fields = {field.at: field for field in chart.fields}
    codes = phrases.codes(words, chart)
    _frame(canvas, chart)
    for one, other in chart.short:
        _short(canvas, _at(chart, one), _at(chart, other))
    for at, field in fields.items():
        before, after = (marks or {}).get(field.name, ("", ""))
        label = codes[field.name] if field.colour else _short_name(phrases.island(words, field.name))
        row, column = _spot(at)
        canvas.centre(row, column, f" {before}{label}{after} ", tone(field))
    canvas.centre(*_spot(MIDDLE), middle)
    return Group(*canvas.lines())


def _short_name(name: str) -> str:
    """Return as much of a name as has room between two others in its row."""
    room = 2 * ACROSS - 4
    return name if cell_len(name) <= room else f"{set_cell_size(name, room - 1)}…"


def _at(chart: Chart, name: str) -> Place:
    return next(field.at for field in chart.fields if field.name == name)


def _spot(at: Place) -> tuple[int, int]:
    """Return row and column on the large drawing."""
    row, column = at
    return 2 * (row + column), WIDTH // 2 + ACROSS * (column - row)


def _short(canvas: Canvas, one: Place, other: Place) -> None:
    """Draw a stroke between two neighbours on the lattice; other lines are in the list below."""
    (row, column), (next_row, next_column) = sorted((one, other))
    if (next_row - row, next_column - column) not in ((0, 1), (1, 0)):
        return
    (top, left), (_, right) = _spot((row, column)), _spot((next_row, next_column))
    canvas.put(top + 1, (left + right) // 2, "╲" if right > left else "╱", "dim")


TOP, RIGHT, BOTTOM, LEFT = (0, 0), (0, SIZE - 1), (SIZE - 1, SIZE - 1), (SIZE - 1, 0)


def _frame(canvas: Canvas, chart: Chart) -> None:
    """Draw the long lines between the corners round the outside."""
    joined = {frozenset((_at(chart, one), _at(chart, other))) for one, other in chart.long}
    half, edge, last = WIDTH // 2, WIDTH - 1, 2 * LINES - 2
    for corner, row, beside, column, sign in (
        (TOP, 0, RIGHT, edge, "╮"),
        (TOP, 0, LEFT, 0, "╭"),
        (BOTTOM, last, RIGHT, edge, "╯"),
        (BOTTOM, last, LEFT, 0, "╰"),
    ):
        if frozenset((corner, beside)) not in joined:
            continue
        canvas.put(row, min(column, half), "┄" * half, "dim")
        canvas.put(row, column, sign, "dim")
        for between in range(1, SIZE + 3):
            canvas.put(between if row == 0 else last - between, column, "┆", "dim")
        canvas.put(last // 2, column, "┄┄", "dim")


# ---------------------------------------------------------------------------------------------- the small drawing

STEP: Final = 3
SMALL: Final = STEP * (LINES - 1) + 5
"""Columns of the small drawing."""


def small(words: Words, chart: Chart, marks: Marks, middle: str) -> list[Text]:
    """Return the chart in nine lines without strokes: each field is joined to the four round it."""
    canvas = Canvas(SMALL, LINES)
    codes = phrases.codes(words, chart)
    for field in chart.fields:
        before, after = marks.get(field.name, ("", ""))
        row, column = field.at
        marked = "reverse" if before else ""
        label = set_cell_size(codes[field.name], min(3, cell_len(codes[field.name])))
        canvas.centre(
            row + column, SMALL // 2 + STEP * (column - row), f"{before}{label}{after}", f"{tone(field)} {marked}"
        )
    canvas.centre(sum(MIDDLE), SMALL // 2, middle)
    return canvas.lines()


# ------------------------------------------------------------------------------------------------ the whole page


def page(words: Words, chart: Chart) -> Picture:
    """Return the drawing, the meaning of its signs, and the neighbours of every field."""
    sea = sea_of(chart)
    ships = sum(bool(field.colour) for field in chart.fields)
    summary = words.say(
        "{ships} ships, {islands} islands, {lines} lines. The Dutchman starts on {holland}.",
        ships=ships,
        islands=len(chart.fields) - ships,
        lines=len(chart.short) + len(chart.long),
        holland=chart.holland,
    )
    letters = words.say(
        "Ships: {colours}. Lines are short connections, dots long ones.",
        colours=words.all_of(
            [
                words.say("{letter} {colour}", letter=phrases.letter(words, c), colour=phrases.colour(words, c))
                for c in SHIPS
            ]
        ),
    )
    codes = phrases.codes(words, chart)
    lines = []
    for field in sorted(chart.fields, key=lambda field: (field.colour is not None, codes[field.name])):
        line = padded(codes[field.name] if field.colour else phrases.island(words, field.name), 10)
        line.stylize(tone(field))
        lines.append(line.append(" ".join(codes[other] for other in sea.ways[field.name])))
    half = (len(lines) + 1) // 2
    table = [_beside(*lines[row::half]) for row in range(half)]
    title = Text(words.say("Neighbours"), "bold")
    return Group(diamond(words, chart), Text(), Text(summary), Text(letters), Text(), title, *table)


def _beside(left: Text, right: Text | None = None) -> Text:
    left.truncate(WIDTH // 2, pad=True)
    return left.append_text(right) if right else left
