"""The tale of a game that is over: the curve of wealth, and its turning points.

When the game is over nothing is hidden any more, so it is told from the views of every seat. Wealth is cash and the
value of the shares at the time (H2), which only their owner knew during the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final
from unicodedata import east_asian_width

from msgspec.structs import replace

from kontor.game import Value
from kontor.games.dutchman.rules import View
from kontor.games.dutchman.rules.play import worth
from kontor.games.dutchman.rules.state import Agreed, Bankrupt, Checked, Happening, Paid, Sailed
from kontor.games.dutchman.web.story import Seen
from kontor.words import Words

LEFT: Final = 40
RIGHT: Final = 384
TOP: Final = 14
BOTTOM: Final = 262
_USUAL_WIDTH: Final = 480
_LETTER: Final = 10
"""Width of a letter of a name, rather too much than too little."""
_LABEL: Final = 22
"""Distance from one name at the end of a line to the next."""
_STEPS: Final = (5, 10, 20, 25, 50, 100, 200, 500)
_MOST_STEPS: Final = 6

Wealth = tuple[int, ...]
"""The wealth of a merchant at the beginning, and after each round."""


class Ahead(Value, frozen=True):
    """The winner, and the round since which nobody had more."""

    seat: int
    since: int


class Dearest(Value, frozen=True):
    """The most that a merchant ever paid for a ship."""

    seat: int
    ducats: int
    to: str
    round: int


class LargestBargain(Value, frozen=True):
    """The most that anybody paid to come to an agreement."""

    seat: int
    ducats: int
    round: int


class Helm(Value, frozen=True):
    """The merchant who moved the Dutchman most often, alone or with others."""

    seat: int
    times: int


class Tale(Value, frozen=True):
    """The tale of a game: the wealth of each merchant, and the turning points, as far as there are any."""

    wealth: tuple[Wealth, ...]
    ahead: Ahead | None
    dearest: Dearest | None
    bankrupt: tuple[tuple[int, tuple[int, ...]], ...]
    """Rounds, and the seats that went bankrupt in them."""
    bargain: LargestBargain | None
    helm: Helm | None
    checks: int


def afterwards(words: Words, names: Sequence[str], reader: int | None, seen: Sequence[Sequence[Seen]]) -> Tale:
    """Return the tale of a whole game; ``seen`` are all its steps, as each seat saw them."""
    wealth = tuple(wealth_of(steps) for steps in seen)
    steps = seen[0]
    happened = [(before.round, one) for _, event, before, _ in steps for one in event.happened]
    return Tale(
        wealth,
        ahead=_ahead(steps[-1][3], wealth),
        dearest=_dearest(happened),
        bankrupt=tuple((number, one.seats) for number, one in happened if isinstance(one, Bankrupt)),
        bargain=_bargain(happened),
        helm=_helm(happened),
        checks=sum(isinstance(one, Checked) for _, one in happened),
    )


def wealth_of(steps: Sequence[Seen]) -> Wealth:
    """Return the wealth of a seat after the deal and after each round; a bankrupt has nothing from then on."""
    wealth: dict[int, int] = {}
    for _, _, before, after in steps:
        wealth.setdefault(0, _wealth_in(after))
        if after.round > before.round:
            wealth[before.round] = _wealth_in(after)
    last = steps[-1][3]
    wealth[last.round] = _wealth_in(last)
    return tuple(wealth[number] for number in range(last.round + 1))


def _wealth_in(view: View) -> int:
    assert view.seat is not None
    return view.players[view.seat].cash + worth(view.shares, view.stones)


# ------------------------------------------------------------------------------------------------- the moments

Happened = Sequence[tuple[int, Happening]]
"""Happenings with their rounds."""


def _ahead(last: View, wealth: Sequence[Wealth]) -> Ahead | None:
    """Return the winner and since when they were ahead; None if several win, or the winner is bankrupt."""
    assert last.result is not None
    winner, *others = last.result.winners
    if others or last.players[winner].bankrupt:
        return None
    since = last.round
    while since > 0 and all(line[since - 1] <= wealth[winner][since - 1] for line in wealth):
        since -= 1
    return Ahead(winner, since)


def _dearest(happened: Happened) -> Dearest | None:
    paid = [
        Dearest(paid.paid.index(max(paid.paid)), max(paid.paid), sailed.to, number)
        for (_, sailed), (number, paid) in pairwise(happened)
        if isinstance(sailed, Sailed) and isinstance(paid, Paid) and any(paid.paid)
    ]
    return max(paid, key=lambda one: one.ducats, default=None)


def _bargain(happened: Happened) -> LargestBargain | None:
    paid = [
        LargestBargain(one.tied[one.ducats.index(min(one.ducats))], -min(one.ducats), number)
        for number, one in happened
        if isinstance(one, Agreed) and any(one.ducats)
    ]
    return max(paid, key=lambda one: one.ducats, default=None)


def _helm(happened: Happened) -> Helm | None:
    """Return who moved the Dutchman more often than all others, or None."""
    often = Counter(seat for _, one in happened if isinstance(one, Sailed) for seat in one.by)
    most = max(often.values(), default=0)
    who = [seat for seat, times in often.items() if times == most]
    return Helm(who[0], most) if most > 1 and len(who) == 1 else None


# ---------------------------------------------------------------------------------------------------- the curve


class Line(Value, frozen=True):
    """The curve of one merchant; ``label`` is the height of the name."""

    seat: int
    points: tuple[tuple[int, int], ...]
    ruined: bool
    label: int


class Curve(Value, frozen=True):
    """The wealth of all over the rounds, and the numbers along the edges, each with its position."""

    lines: tuple[Line, ...]
    rounds: tuple[tuple[int, int], ...]
    ducats: tuple[tuple[int, int], ...]


def curve(wealth: Sequence[Wealth], bankrupt: Sequence[int]) -> Curve:
    """Return the curve to draw; ``bankrupt`` are the rounds in which merchants went bankrupt, or 0."""
    rounds, most = len(wealth[0]) - 1, max(map(max, wealth))
    step = next((step for step in _STEPS if step * _MOST_STEPS >= most), most)
    top = -(-most // step) * step

    def across(number: int) -> int:
        return round(LEFT + (RIGHT - LEFT) * number / rounds)

    def down(ducats: int) -> int:
        return round(BOTTOM - (BOTTOM - TOP) * ducats / top)

    lines = []
    for seat, (line, ruin) in enumerate(zip(wealth, bankrupt, strict=True)):
        until = line[: ruin + 1] if ruin else line
        points = tuple((across(number), down(ducats)) for number, ducats in enumerate(until))
        lines.append(Line(seat, points, bool(ruin), points[-1][1]))
    every = 1 if rounds <= 2 * _MOST_STEPS else 2
    return Curve(
        tuple(_place_labels(lines)),
        rounds=tuple((number, across(number)) for number in range(0, rounds + 1, every)),
        ducats=tuple((ducats, down(ducats)) for ducats in range(0, top + 1, step)),
    )


def width_with_names(names: Sequence[str]) -> int:
    """Return the width of the drawing of the curve: the longest name has room behind the end of its line."""
    longest = max(sum(2 if east_asian_width(letter) in "WF" else 1 for letter in name) for name in names)
    return max(_USUAL_WIDTH, RIGHT + _LABEL + _LETTER * longest)


def _place_labels(lines: Sequence[Line]) -> Iterator[Line]:
    """Yield the lines with their names set apart, from the lowest upwards: all names stand at the right edge."""
    free = BOTTOM
    for line in sorted(lines, key=lambda line: (-line.label, -line.seat)):
        height = min(line.label, free)
        free = height - _LABEL
        yield replace(line, label=height)
