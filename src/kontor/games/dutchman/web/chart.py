"""The drawing of the sea chart: the places of fields and lines on the sheet, and the things on them.

The diamond stands on its corner in a round sea. In the round's own measure (a circle of radius 1) its corners are the
four ends of the axes. So a long line between two corners is a quarter of the circle round the outside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import cos, hypot, pi, sin, sqrt
from random import Random
from typing import Final
from zlib import crc32

from kontor.game import OVER, Value
from kontor.games.dutchman import words as phrases
from kontor.games.dutchman.rules import View
from kontor.games.dutchman.rules.chart import MIDDLE, Chart, Field, Place, sea_of
from kontor.games.dutchman.rules.components import COLOURS, Colour
from kontor.games.dutchman.rules.state import Sailed
from kontor.games.dutchman.web.story import Happenings
from kontor.words import Words, mark

WIDTH: Final = 960
HEIGHT: Final = 880
CENTRE: Final = (480, 450)
REACH: Final = (392, 340)
"""Distance from the centre to the corners of the diamond, across and down."""

Point = tuple[float, float]

_WAKE: Final = 3
"""Moves of the Dutchman drawn as its wake."""


# ---------------------------------------------------------------------------------------------------- geometry


def point(place: Place) -> tuple[int, int]:
    """Return the position on the sheet of a place of the lattice."""
    row, column = place
    u, v = (column - row) / 4, (column + row - 4) / 4
    return round(CENTRE[0] + REACH[0] * u), round(CENTRE[1] + REACH[1] * v)


def _is_straight(one: Place, other: Place, taken: Sequence[Place]) -> bool:
    """Return True if no taken place lies between the two."""
    (r0, c0), (r1, c1) = one, other
    for r, c in taken:
        across = (r - r0) * (c1 - c0) - (c - c0) * (r1 - r0)
        along = (r - r0) * (r - r1) + (c - c0) * (c - c1)
        if across == 0 and along < 0:
            return False
    return True


def _path(one: Place, other: Place, *, arc: bool) -> str:
    """Return the path of a line, straight or as an arc that keeps away from the middle."""
    (x0, y0), (x1, y1) = point(one), point(other)
    if not arc:
        return f"M{x0} {y0}L{x1} {y1}"
    u0, v0 = (x0 - CENTRE[0]) / REACH[0], (y0 - CENTRE[1]) / REACH[1]
    u1, v1 = (x1 - CENTRE[0]) / REACH[0], (y1 - CENTRE[1]) / REACH[1]
    radius = hypot(u1 - u0, v1 - v0) / sqrt(2)
    clockwise = u0 * v1 - u1 * v0 >= 0
    return f"M{x0} {y0}A{radius * REACH[0]:.0f} {radius * REACH[1]:.0f} 0 0 {int(clockwise)} {x1} {y1}"


@lru_cache(maxsize=64)
def _lines(chart: Chart) -> dict[tuple[str, str], tuple[bool, bool]]:
    """Return for each line whether it is a long one, and whether it is drawn as an arc."""
    at = {field.name: field.at for field in chart.fields}
    taken = [*at.values(), MIDDLE]
    lines = {pair: (False, not _is_straight(at[pair[0]], at[pair[1]], taken)) for pair in chart.short}
    return lines | dict.fromkeys(chart.long, (True, True))


@lru_cache(maxsize=256)
def _line_path(chart: Chart, start: str, end: str) -> str:
    """Return the path of the line from one field to another, in this direction."""
    at = {field.name: field.at for field in chart.fields}
    lines = _lines(chart)
    _, arc = lines.get((start, end)) or lines.get((end, start)) or (False, False)
    return _path(at[start], at[end], arc=arc)


@lru_cache(maxsize=256)
def coast(name: str) -> str:
    """Return the outline of an island about its middle: different for each name, and always the same."""
    random = Random(crc32(name.encode()))
    waves = [(n, random.uniform(0, 2 * pi), random.uniform(0.35, 1.0) * strength) for n, strength in _SWELL]
    points: list[Point] = []
    for step in range(_CAPES):
        angle = 2 * pi * step / _CAPES
        swell = sum(high * sin(n * angle + phase) for n, phase, high in waves)
        reach = max(0.6, 0.88 + 0.24 * swell + random.uniform(-0.06, 0.06))
        points.append((64 * reach * cos(angle), 38 * reach * sin(angle)))
    return _smooth(points)


_SWELL: Final = ((2, 0.6), (3, 0.75), (5, 0.5))
_CAPES: Final = 22


def _smooth(points: Sequence[Point]) -> str:
    """Return a closed curve through all points."""
    path = [f"M{points[0][0]:.0f} {points[0][1]:.0f}"]
    for place in range(len(points)):
        before, start, end, after = (points[(place + step) % len(points)] for step in (-1, 0, 1, 2))
        bends = (
            *((start[i] + (end[i] - before[i]) / 6) for i in (0, 1)),
            *((end[i] - (after[i] - start[i]) / 6) for i in (0, 1)),
        )
        path.append("C" + " ".join(f"{number:.0f}" for number in (*bends, *end)))
    return "".join(path) + "Z"


_GROWS: Final = ("palms", "hills", "fort", "trees", "smoke", "palms")


def grows(number: int) -> str:
    """Return the kind of landmark on an island, by its number; Holland has a mill."""
    return _GROWS[(number - 1) % len(_GROWS)] if number else "mill"


# ------------------------------------------------------------------------------------------------- the chart


@lru_cache(maxsize=64)
def numbered_fields(chart: Chart) -> tuple[tuple[Field, int], ...]:
    """Return all fields with numbers: ships among those of their colour, islands among islands, from 1.

    Holland is number 0.
    """
    counted = Counter[Colour | None]()
    numbered = []
    for field in chart.fields:
        counted[field.colour] += field.name != chart.holland
        numbered.append((field, 0 if field.name == chart.holland else counted[field.colour]))
    return tuple(numbered)


def place(chart: Chart, name: str) -> Place:
    """Return the place of a field on the diamond."""
    return next(field.at for field in chart.fields if field.name == name)


def colour_of(chart: Chart, name: str) -> Colour | None:
    """Return the colour of a ship by the name of its field; None for an island."""
    return sea_of(chart).ship[name]


def key(field: Field) -> str:
    """Return a key of a field that is safe in ids, and in the class that places things over the sheet: ``0-1``."""
    return f"{field.at[0]}-{field.at[1]}"


class Spot(Value, frozen=True):
    """A field on the table; ``number`` is as in :func:`numbered_fields`."""

    field: Field
    number: int
    lies: str
    """Position relative to the Dutchman: ``here``, ``ahead``, ``behind`` (it may not go back there), or nothing."""
    stake: phrases.Stake | None
    """The reader's stake; None when the game is over."""
    proposed: bool

    @property
    def key(self) -> str:
        """Return the key of its field, for ids and classes."""
        return key(self.field)


def spots(view: View) -> list[Spot]:
    """Return all fields, for a reader."""
    proposed = view.bargain.proposal.to if view.bargain and view.bargain.proposal else None
    stakes: dict[Colour | None, phrases.Stake] = {}
    if view.mover != OVER:  # ships of a colour have the same stake, and so have all islands
        stakes = {colour: phrases.at_stake(view, colour) for colour in (*COLOURS, None)}
    return [
        Spot(field, number, _lies(view, field.name), stakes.get(field.colour), field.name == proposed)
        for field, number in numbered_fields(view.options.chart)
    ]


def _lies(view: View, name: str) -> str:
    if name == view.dutchman:
        return "here"
    if view.mover == OVER:
        return ""
    if name == view.came_from:
        return "behind"
    return "ahead" if name in view.ahead else ""


_SPOT: Final = {
    "here": mark("{field}: {stake}. The Dutchman lies here."),
    "behind": mark("{field}: {stake}. The Dutchman came from here and cannot go back."),
    "ahead": mark("{field}: {stake}. The Dutchman can sail here."),
    "": mark("{field}: {stake}."),
}


def describe_spot(words: Words, spot: Spot) -> str:
    """Return a field in words: its name, the reader's stake, and whether the Dutchman may sail there."""
    colour = spot.field.colour
    name = phrases.ship(words, colour, spot.number) if colour else phrases.island(words, spot.field.name)
    if spot.stake is None:
        return name
    return words.say(_SPOT[spot.lies], field=name, stake=phrases.describe_stake(words, colour, *spot.stake))


def ahead(view: View) -> tuple[str, ...]:
    """Return where the Dutchman may sail; empty when the game is over."""
    return view.ahead if view.mover != OVER else ()


def routes(chart: Chart, dutchman: str, ahead: Sequence[str]) -> list[tuple[str, str, bool, bool]]:
    """Return the lines between the fields.

    Each is a key, the path, whether it is a long one, and whether the Dutchman may sail along it.
    """
    fields = {field.name: field for field in chart.fields}
    return [
        (
            f"{key(fields[one])}-{key(fields[other])}",
            _path(fields[one].at, fields[other].at, arc=arc),
            long,
            (one == dutchman and other in ahead) or (other == dutchman and one in ahead),
        )
        for (one, other), (long, arc) in _lines(chart).items()
    ]


def wake(view: View, happened: Happenings) -> list[str]:
    """Return the last lines sailed that the reader can know of, in the direction sailed, the newest first."""
    legs = [(view.came_from, view.dutchman)] if view.came_from else []
    legs += [(one.start, one.to) for _, one in reversed(happened) if isinstance(one, Sailed)]
    return [_line_path(view.options.chart, *leg) for leg in list(dict.fromkeys(legs))[:_WAKE]]


def wanted(view: View, names: Sequence[str]) -> list[tuple[Place, list[str], bool]]:
    """Return the destinations wanted: the place, the initials of those who named it, and whether it was proposed."""
    bargain = view.bargain
    if bargain is None:
        return []
    named = list(zip(bargain.named, bargain.tied, strict=False))
    proposed = bargain.proposal.to if bargain.proposal else None
    return [
        (field.at, [names[seat][:1] for name, seat in named if name == field.name], field.name == proposed)
        for field in view.options.chart.fields
        if field.name == proposed or field.name in bargain.named
    ]


_TEXT: Final = {
    (False, False): mark("The Dutchman lies at {here}."),
    (True, False): mark("The Dutchman lies at {here}; it came from {back}."),
    (False, True): mark("The Dutchman lies at {here}. It can sail to {ahead}."),
    (True, True): mark("The Dutchman lies at {here}; it came from {back}. It can sail to {ahead}."),
}


def describe_chart(words: Words, chart: Chart, here: str, back: str | None, ahead: Sequence[str]) -> str:
    """Return where the Dutchman is, where it came from, and where it may sail, in a sentence."""
    return words.say(
        _TEXT[back is not None, bool(ahead)],
        here=phrases.field(words, chart, here),
        back=phrases.field(words, chart, back) if back else "",
        ahead=words.one_of([phrases.field(words, chart, to) for to in ahead]),
    )


def describe_lines(words: Words, chart: Chart, name: str) -> str:
    """Return in words where the lines of a field lead."""
    fields = [phrases.field(words, chart, to) for to in sea_of(chart).ways[name]]
    return words.say("lines to {fields}", fields=words.all_of(fields))


def heap(horseshoes: int) -> Sequence[tuple[int, int, int]]:
    """Return the positions of horseshoes in the middle: across, down, turned."""
    return _HEAP[:horseshoes]


_HEAP: Final = (
    (0, 8, -12),
    (-30, 20, 40),
    (30, 18, -50),
    (-14, -18, 100),
    (20, -16, 160),
    (-38, -6, -80),
    (40, -8, 75),
    (2, 32, 190),
    (0, -36, -30),
)
"""Positions of horseshoes in a heap: across, down, turned."""
