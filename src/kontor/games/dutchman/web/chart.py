"""The sea chart as it is drawn: where the fields and lines are on the sheet, and what lies on them.

The diamond stands on its corner in a round sea; in the round's own measure (a circle of radius 1) its corners are the
four ends of the axes, so a long line between two corners is a quarter of the circle round the outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import cos, hypot, pi, sin, sqrt
from random import Random
from typing import Any, Final
from zlib import crc32

from msgspec.structs import replace

from kontor.game import OVER, Event, Value
from kontor.games.dutchman import words as said
from kontor.games.dutchman.rules import View
from kontor.games.dutchman.rules.chart import MIDDLE, Chart, Field, Place, sea_of
from kontor.games.dutchman.rules.components import Colour
from kontor.games.dutchman.rules.state import Sailed
from kontor.words import Words, mark

WIDTH: Final = 960
HEIGHT: Final = 880
CENTRE: Final = (480, 450)
REACH: Final = (392, 340)
"""From the centre to the corners of the diamond, across and down."""

Seen = tuple[int, Event, View, View]
Point = tuple[float, float]

_WAKE: Final = 3
"""So many moves of the Dutchman are seen in its wake."""


class Spot(Value, frozen=True):
    """A field on the sheet: a ship at anchor or an island."""

    key: str
    """Safe in an id; also the class that places what lies over the sheet: ``0-1``."""
    name: str
    x: int
    y: int
    colour: Colour | None
    label: str
    means: str
    """What it is, what it would cost or earn the reader, and whether the Dutchman may sail there."""
    land: str = ""
    """The outline of an island."""
    grows: str = ""
    """What stands on the island."""
    here: bool = False
    ahead: bool = False
    behind: bool = False
    """The Dutchman came from there, and may not go back."""
    flags: tuple[str, ...] = ()
    """The initials of those who named it."""
    proposed: bool = False


class Route(Value, frozen=True):
    """A line between two fields."""

    key: str
    path: str
    long: bool
    ahead: bool = False


class Drawn(Value, frozen=True):
    """The chart as the template draws it."""

    spots: tuple[Spot, ...]
    routes: tuple[Route, ...]
    wake: tuple[str, ...]
    """Lines sailed, the last one first."""
    ghost: tuple[int, int]
    sailed: str
    """The last line sailed, in the direction sailed, for whoever can show it; empty at the beginning."""
    middle: tuple[int, int]
    pool: int
    pool_text: str
    heap: tuple[tuple[int, int, int], ...]
    """Horseshoes of the pool as they lie: across, down, turned."""
    text: str
    """All of it in one sentence."""
    choosing: bool
    """Whether the Dutchman is about to be moved."""
    islands: tuple[tuple[str, int, int], ...]
    """Their outlines, and where they lie."""
    labels: tuple[tuple[int, int, str, bool], ...]
    """What stands beside each field and where, and whether that is an island."""

    @property
    def wanted(self) -> tuple[Spot, ...]:
        """Where somebody wants the Dutchman to go."""
        return tuple(spot for spot in self.spots if spot.flags or spot.proposed)


# ---------------------------------------------------------------------------------------------------- geometry


def point(place: Place) -> tuple[int, int]:
    """Where a place of the lattice is on the sheet."""
    row, column = place
    u, v = (column - row) / 4, (column + row - 4) / 4
    return round(CENTRE[0] + REACH[0] * u), round(CENTRE[1] + REACH[1] * v)


def _straight(one: Place, other: Place, taken: Sequence[Place]) -> bool:
    """Whether nothing lies between the two."""
    (r0, c0), (r1, c1) = one, other
    for r, c in taken:
        across = (r - r0) * (c1 - c0) - (c - c0) * (r1 - r0)
        along = (r - r0) * (r - r1) + (c - c0) * (c - c1)
        if across == 0 and along < 0:
            return False
    return True


def _path(one: Place, other: Place, *, arc: bool) -> str:
    """A line, straight or as an arc that keeps away from the middle."""
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
    """For each line whether it is a long one, and whether it is drawn as an arc."""
    at = {field.name: field.at for field in chart.fields}
    taken = [*at.values(), MIDDLE]
    lines = {pair: (False, not _straight(at[pair[0]], at[pair[1]], taken)) for pair in chart.short}
    return lines | dict.fromkeys(chart.long, (True, True))


def _between(chart: Chart, here: str, there: str) -> str:
    """The line from one field to another, in this direction."""
    at = {field.name: field.at for field in chart.fields}
    lines = _lines(chart)
    _, arc = lines.get((here, there)) or lines.get((there, here)) or (False, False)
    return _path(at[here], at[there], arc=arc)


@lru_cache(maxsize=256)
def coast(name: str) -> str:
    """The outline of an island: its own for each name, round about its middle, and the same for ever."""
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
    """A closed curve through all points."""
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


# ------------------------------------------------------------------------------------------------- the chart


def drawn(words: Words, names: Sequence[str], view: View, last: Sequence[Seen]) -> Drawn:
    """The chart as it lies on the table."""
    chart = view.options.chart
    empty = engraved(words, chart)
    sailed = _between(chart, view.came_from, view.dutchman) if view.came_from else ""
    at = {field.name: field.at for field in chart.fields}
    ahead = {pair for to in view.ahead for pair in ((view.dutchman, to), (to, view.dutchman))}
    return Drawn(
        spots=tuple(_spots(words, names, view, empty.spots)),
        routes=tuple(
            replace(route, ahead=True) if pair in ahead and view.mover != OVER else route
            for pair, route in zip(_lines(chart), empty.routes, strict=True)
        ),
        wake=tuple(_between(chart, *leg) for leg in _legs(view, last)),
        ghost=point(at[view.dutchman]),
        sailed=sailed,
        middle=point(MIDDLE),
        pool=view.middle,
        pool_text=words.count("{n} horseshoe in the middle", "{n} horseshoes in the middle", view.middle),
        heap=_HEAP[: min(len(_HEAP), view.middle)],
        text=_text(words, view),
        choosing=view.step in ("sail", "name", "propose", "answer"),
        islands=empty.islands,
        labels=empty.labels,
    )


class Engraved(Value, frozen=True):
    """What is always the same of a chart: its fields and lines, while nothing is known of a game."""

    spots: tuple[Spot, ...]
    routes: tuple[Route, ...]
    islands: tuple[tuple[str, int, int], ...]
    labels: tuple[tuple[int, int, str, bool], ...]


@lru_cache(maxsize=64)
def engraved(words: Words, chart: Chart) -> Engraved:
    """The chart before a game."""
    at = {field.name: field.at for field in chart.fields}
    codes = said.codes(words, chart)
    islands = [field.name for field in chart.fields if not field.colour and field.name != chart.holland]

    def spot(field: Field) -> Spot:
        x, y = point(field.at)
        island = not field.colour
        return Spot(
            key=_key(field.at),
            name=field.name,
            x=x,
            y=y,
            colour=field.colour,
            label=field.name if island else codes[field.name],
            means=said.field(words, chart, field.name),
            land=coast(field.name) if island else "",
            grows=_growing(chart, islands, field.name) if island else "",
        )

    spots = tuple(spot(field) for field in chart.fields)
    return Engraved(
        spots=spots,
        routes=tuple(
            Route(f"{_key(at[one])}-{_key(at[other])}", _path(at[one], at[other], arc=arc), long)
            for (one, other), (long, arc) in _lines(chart).items()
        ),
        islands=tuple((spot.land, spot.x, spot.y) for spot in spots if spot.land),
        labels=tuple((spot.x, spot.y, spot.label, bool(spot.land)) for spot in spots),
    )


def _key(at: Place) -> str:
    return f"{at[0]}-{at[1]}"


def _spots(words: Words, names: Sequence[str], view: View, spots: Sequence[Spot]) -> list[Spot]:
    flags: dict[str, tuple[str, ...]] = {}
    proposed = None
    if view.bargain:
        for seat, to in zip(view.bargain.tied, view.bargain.named, strict=False):
            flags[to] = (*flags.get(to, ()), names[seat][:1])
        proposed = view.bargain.proposal and view.bargain.proposal.to
    stakes: dict[Colour | None, str] = {}
    if view.mover != OVER:  # a ship's is that of its colour, and all islands have the same
        one_of = {spot.colour: spot.name for spot in spots}
        stakes = {colour: said.stake(words, view, name) for colour, name in one_of.items()}
    return [
        _spot(
            words,
            spot,
            stakes.get(spot.colour),
            _standing(view, spot.name),
            flags.get(spot.name, ()),
            proposed=spot.name == proposed,
        )
        for spot in spots
    ]


@lru_cache(maxsize=4096)
def _spot(
    words: Words, spot: Spot, stake: str | None, standing: str, flags: tuple[str, ...], *, proposed: bool
) -> Spot:
    """``spot`` is that of the empty chart."""
    return replace(
        spot,
        means=spot.means if stake is None else words.say(_STANDING[standing], field=spot.means, stake=stake),
        here=standing == "here",
        ahead=standing == "ahead",
        behind=standing == "behind",
        flags=flags,
        proposed=proposed,
    )


_STANDING: Final = {
    "here": mark("{field}: {stake}. The Dutchman lies here."),
    "behind": mark("{field}: {stake}. The Dutchman came from here, and may not go back."),
    "ahead": mark("{field}: {stake}. The Dutchman may sail here."),
    "": mark("{field}: {stake}."),
}


def _standing(view: View, name: str) -> str:
    """How a field lies to the Dutchman."""
    if name == view.dutchman:
        return "here"
    if view.mover == OVER:
        return ""
    if name == view.came_from:
        return "behind"
    return "ahead" if name in view.ahead else ""


def _growing(chart: Chart, islands: Sequence[str], name: str) -> str:
    return "mill" if name == chart.holland else _GROWS[islands.index(name) % len(_GROWS)]


def _legs(view: View, last: Sequence[Seen]) -> list[tuple[str, str]]:
    """The last moves of the Dutchman that the reader can know of, the newest first."""
    legs = [(view.came_from, view.dutchman)] if view.came_from else []
    for happening in reversed(happenings(view, last)):
        if isinstance(happening, Sailed) and (happening.start, happening.to) not in legs:
            legs.append((happening.start, happening.to))
    return legs[:_WAKE]


def happenings(view: View, last: Sequence[Seen]) -> list[Any]:
    """What came of the steps since the reader's last move, that move included, in order."""
    if not last:
        return [*view.happened]
    return [*last[0][2].happened, *(happening for _, event, _, _ in last for happening in event.happened)]


_TEXT: Final = {
    (False, False): mark("The Dutchman lies at {here}."),
    (True, False): mark("The Dutchman lies at {here}; it came from {back}."),
    (False, True): mark("The Dutchman lies at {here}. It may sail to {ahead}."),
    (True, True): mark("The Dutchman lies at {here}; it came from {back}. It may sail to {ahead}."),
}


def _text(words: Words, view: View) -> str:
    chart = view.options.chart
    ahead = view.ahead if view.mover != OVER else ()
    return words.say(
        _TEXT[view.came_from is not None, bool(ahead)],
        here=said.field(words, chart, view.dutchman),
        back=said.field(words, chart, view.came_from) if view.came_from else "",
        ahead=words.one_of([said.field(words, chart, to) for to in ahead]),
    )


class Written(Value, frozen=True):
    """A field in the chart's text form."""

    title: str
    text: str


def written(words: Words, view: View) -> tuple[Written, ...]:
    """The chart in words: each field, and where its lines lead."""
    return _written(words, view.options.chart)


@lru_cache(maxsize=64)
def _written(words: Words, chart: Chart) -> tuple[Written, ...]:
    ways = sea_of(chart).ways
    titles = {field.name: said.field(words, chart, field.name) for field in chart.fields}
    return tuple(
        Written(title, words.say("lines to {fields}", fields=words.all_of([titles[to] for to in ways[name]])))
        for name, title in titles.items()
    )


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
"""How horseshoes lie in a heap."""
