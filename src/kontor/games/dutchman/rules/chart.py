"""The sea chart (H3): fields of the Dutchman and the lines that join them.

A chart is data. The one that comes with Kontor is ``chart.toml`` in this folder; owners of another board can write it
down in the same form (``docs/chart.md``).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

import msgspec

from kontor.decoding import misfit
from kontor.game import BadOptions, Value
from kontor.games.dutchman.rules.components import BOX, COLOURS, Box, Colour

FEWEST_LINES: Final = 3
SIZE: Final = 5
MOST_TEXT: Final = 20_000
LONGEST_LINE: Final = 1000
"""Characters of a chart file."""

MIDDLE: Final = (2, 2)
"""Kept free for the horseshoes."""

Place = tuple[int, int]
"""Row and column on the diamond, a lattice standing on its corner: (0, 0) is the top, (0, 4) the right."""


class BadChart(BadOptions):
    """A chart that breaks H3."""

    def __init__(self, reason: str, **details: object) -> None:
        super().__init__("H3", reason, **details)


class Field(Value, frozen=True, forbid_unknown_fields=True):
    """A field of the Dutchman: a ship of a colour, or an island (without a colour)."""

    name: str
    at: Place
    colour: Colour | None = None


class Chart(Value, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """Fields, and lines as pairs of their names. The Dutchman starts on the island ``holland``."""

    holland: str
    fields: tuple[Field, ...]
    short: tuple[tuple[str, str], ...]
    long: tuple[tuple[str, str], ...]


class Sea(Value, frozen=True, eq=False):
    """A valid chart with lookup tables: the neighbours of each field, and its ship (None for an island)."""

    chart: Chart
    ways: dict[str, tuple[str, ...]]
    ship: dict[str, Colour | None]
    ahead: dict[str, dict[str | None, tuple[str, ...]]]
    """Destinations of the Dutchman, by its field and the field it came from: along one line, not back (H8)."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sea) and self.chart == other.chart

    def __hash__(self) -> int:
        return hash(self.chart)


@lru_cache(maxsize=64)
def sea_of(chart: Chart, box: Box = BOX) -> Sea:
    """Return the sea of a chart, with the ships of a box. Raises BadChart, saying what of H3 it breaks."""
    ways: dict[str, list[str]] = {}
    for field in chart.fields:
        if not field.name.strip():
            raise BadChart("A field at {place} has no name.", place=list(field.at))
        if field.name in ways:
            raise BadChart("Two fields have the same name, {name}.", name=field.name)
        ways[field.name] = []
    _check_places(chart)
    for one, other in (*chart.short, *chart.long):
        for name in (one, other):
            if name not in ways:
                raise BadChart("A line leads to {name}, which is not a field.", name=name)
        if one == other or other in ways[one]:
            raise BadChart(
                "There must be one line between two different fields: {one} – {other}.", one=one, other=other
            )
        ways[one].append(other)
        ways[other].append(one)
    sea = Sea(
        chart=chart,
        ways={name: tuple(neighbours) for name, neighbours in ways.items()},
        ship={field.name: field.colour for field in chart.fields},
        ahead={
            name: {back: tuple(field for field in neighbours if field != back) for back in (None, *neighbours)}
            for name, neighbours in ways.items()
        },
    )
    _check_rule(sea, box)
    return sea


def _check_places(chart: Chart) -> None:
    taken: dict[Place, str] = {}
    for field in chart.fields:
        if not all(0 <= part < SIZE for part in field.at):
            raise BadChart(
                "{name} lies outside the diamond: rows and columns are 0 to {most}.", name=field.name, most=4
            )
        if field.at == MIDDLE:
            raise BadChart("{name} lies in the middle, which is kept free for the horseshoes.", name=field.name)
        if field.at in taken:
            raise BadChart("{name} and {other} lie in the same place.", name=taken[field.at], other=field.name)
        taken[field.at] = field.name


def _check_rule(sea: Sea, box: Box) -> None:
    """Raise BadChart unless the sea keeps to H3."""
    ships = list(sea.ship.values())
    for colour in COLOURS:
        if ships.count(colour) != (box.ships if colour in box.colours else 0):
            raise BadChart(
                "There must be three ships of each colour; of {colour} there are {count}.",
                colour=colour,
                count=ships.count(colour),
            )
    holland = sea.chart.holland
    if holland not in sea.ship or sea.ship[holland]:
        raise BadChart("The Dutchman starts on an island; {name} is not one.", name=holland)
    reached = {holland}
    harbours = [holland]
    while harbours:
        for name in sea.ways[harbours.pop()]:
            if name not in reached:
                reached.add(name)
                harbours.append(name)
    for name, neighbours in sea.ways.items():
        if name not in reached:
            raise BadChart("{name} cannot be reached from {holland}.", name=name, holland=holland)
        if len(neighbours) < FEWEST_LINES:
            raise BadChart(
                "Every field needs at least three lines; {name} has {count}.", name=name, count=len(neighbours)
            )
        for other in neighbours:
            if sea.ship[name] == sea.ship[other]:
                if sea.ship[name] is None:
                    raise BadChart("No two islands may be neighbours: {one} – {other}.", one=name, other=other)
                raise BadChart(
                    "No two ships of one colour may be neighbours: {one} – {other}.", one=name, other=other
                )


# ------------------------------------------------------------------------------------------- the file

_PLACE: Final = re.compile(r"\(at line (\d+), column (\d+)\)$")
"""The position at which the TOML reader stopped."""


LONGEST_ISLAND: Final = 20
"""The most characters of an island's name in a chart file, so that it fits in the browser and at terminals."""


class _Island(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    at: Place


class _Line(msgspec.Struct, forbid_unknown_fields=True, rename={"start": "from", "end": "to"}):
    start: Place
    end: Place


class _File(msgspec.Struct, forbid_unknown_fields=True):
    holland: str
    island: list[_Island]
    ships: dict[Colour, list[Place]]
    long: list[_Line] = []
    short: list[_Line] | None = None


def read_chart(text: str) -> Chart:
    """Return the chart of a chart file's text. Raises BadChart with the reason."""
    # Python's TOML reader takes quadratic time for a key of thousands of parts: many seconds for 64 KB.
    if len(text) > MOST_TEXT or max(map(len, text.splitlines()), default=0) > LONGEST_LINE:
        reason = "A chart file has at most {most} characters, and at most {longest} in a line."
        raise BadChart(reason, most=MOST_TEXT, longest=LONGEST_LINE)
    try:
        table: dict[str, Any] = tomllib.loads(text)
    except (ValueError, RecursionError) as fault:  # also numbers too long, and brackets too deep, for the reader
        if place := _PLACE.search(str(fault)):
            reason = "The chart file is not in TOML form: look at line {line}, column {column}."
            raise BadChart(reason, line=int(place[1]), column=int(place[2])) from None
        raise BadChart("The chart file is not in TOML form.") from None
    try:
        file = msgspec.convert(table, _File)
    except msgspec.ValidationError as fault:
        raise BadChart("The chart file does not have the form of one: {fault}.", fault=misfit(fault)) from None
    fields = [Field(_island_name(island.name), island.at) for island in file.island]
    for colour in COLOURS:
        places = file.ships.get(colour, [])
        fields += [Field(f"{colour} {number}", at, colour) for number, at in enumerate(places, 1)]
    fields.sort(key=lambda field: field.at)
    names = {field.at: field.name for field in fields}
    short = tuple(_lattice(names)) if file.short is None else tuple(_named_lines(file.short, names))
    chart = Chart(file.holland, tuple(fields), short, tuple(_named_lines(file.long, names)))
    sea_of(chart)
    return chart


def write_chart(chart: Chart) -> str:
    """Return the text of a chart file that ``read_chart`` reads as the same chart, with all lines written out."""
    places = {field.name: list(field.at) for field in chart.fields}
    text = [f"holland = {_quoted(chart.holland)}"]
    for field in chart.fields:
        if field.colour is None:
            text += ["[[island]]", f"name = {_quoted(field.name)}", f"at = {list(field.at)}"]
    for name, lines in (("short", chart.short), ("long", chart.long)):
        for start, end in lines:
            text += [f"[[{name}]]", f"from = {places[start]}", f"to = {places[end]}"]
    text.append("[ships]")
    for colour in COLOURS:
        ships = sorted((field for field in chart.fields if field.colour == colour), key=lambda ship: ship.name)
        text += [f"{colour} = {[list(ship.at) for ship in ships]}"] if ships else []
    return "\n".join([*text, ""])


def _quoted(text: str) -> str:
    """Return a text as a basic string of TOML: JSON's escapes are also TOML's."""
    return msgspec.json.encode(text).decode()


def _island_name(name: str) -> str:
    """Return the name if it can be drawn on a chart. Records skip this check: they keep the names that they hold."""
    if not (name.strip() and name.isprintable() and len(name) <= LONGEST_ISLAND):
        raise BadChart(
            "The name of an island needs 1 to {longest} visible characters; {name} does not fit.",
            longest=LONGEST_ISLAND,
            name=ascii(name),
        )
    return name


def _lattice(names: dict[Place, str]) -> Iterator[tuple[str, str]]:
    """Yield the short lines that follow from the lattice: to the neighbours along both axes."""
    for (row, column), name in names.items():
        for beside in ((row, column + 1), (row + 1, column)):
            if beside in names:
                yield name, names[beside]


def _named_lines(lines: list[_Line], names: dict[Place, str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        for end in (line.start, line.end):
            if end not in names:
                raise BadChart("A line leads to {place}, where there is no field.", place=list(end))
        yield names[line.start], names[line.end]


MINI_CHART: Final = Chart(
    "Holland",
    (
        Field("Holland", (0, 0)),
        Field("blue 1", (0, 1), "blue"),
        Field("yellow 1", (1, 0), "yellow"),
        Field("green 1", (1, 1), "green"),
    ),
    (("Holland", "blue 1"), ("Holland", "yellow 1"), ("blue 1", "green 1"), ("yellow 1", "green 1")),
    (("Holland", "green 1"), ("blue 1", "yellow 1")),
)
"""Three ships and Holland, each joined to all others: the chart for the box ``MINI``."""

OURS: Final = read_chart(files("kontor.games.dutchman.rules").joinpath("chart.toml").read_text(encoding="utf-8"))
"""The chart that comes with Kontor."""
