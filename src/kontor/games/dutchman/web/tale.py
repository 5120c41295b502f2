"""The tale of a game that is over: the curve of wealth, and the moments on which it turned.

When the game is over nothing is hidden any more, so it is told from the views of every seat. Wealth is cash and what
the shares were worth at the time (H2), which only their owner knew while it lasted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from msgspec.structs import replace

from kontor.game import Value
from kontor.games.dutchman import words as said
from kontor.games.dutchman.rules import View
from kontor.games.dutchman.rules.play import worth
from kontor.games.dutchman.rules.state import Agreed, Bankrupt, Checked, Paid, Sailed
from kontor.games.dutchman.web.chart import Seen
from kontor.words import Words

WIDTH: Final = 480
HEIGHT: Final = 300
LEFT: Final = 40
RIGHT: Final = 384
TOP: Final = 14
BOTTOM: Final = 262
_LABEL: Final = 22
"""From one name at the end of a line to the next."""
_LONGEST: Final = 10
"""Letters of a name for which there is room."""
_STEPS: Final = (5, 10, 20, 25, 50, 100, 200, 500)
_MOST_STEPS: Final = 6

Wealth = tuple[int, ...]
"""What a merchant had at the beginning, and after each round."""


class Line(Value, frozen=True):
    """The curve of one merchant. ``label`` is how high the name stands."""

    seat: int
    name: str
    short: str
    you: bool
    path: str
    end: tuple[int, int]
    label: int
    ruined: bool
    wealth: Wealth


class Mark(Value, frozen=True):
    """A number along an edge."""

    at: int
    text: str


class Curve(Value, frozen=True):
    """The wealth of all over the rounds."""

    lines: tuple[Line, ...]
    rounds: tuple[Mark, ...]
    ducats: tuple[Mark, ...]


class Tale(Value, frozen=True):
    """What is told in the end."""

    curve: Curve
    moments: tuple[str, ...]


def afterwards(words: Words, names: Sequence[str], reader: int | None, seen: Sequence[Sequence[Seen]]) -> Tale:
    """The tale of a whole game. ``seen`` are all its steps, by the eyes of each seat."""
    wealth = [wealth_of(steps) for steps in seen]
    steps = seen[0]
    return Tale(_curve(names, reader, steps[-1][3], wealth), tuple(_moments(words, names, steps, wealth)))


def wealth_of(steps: Sequence[Seen]) -> Wealth:
    """What a seat had when the game was dealt and after each round; a bankrupt has nothing from then on."""
    found: dict[int, int] = {}
    for _, _, before, after in steps:
        found.setdefault(0, _has(after))
        if after.round > before.round:
            found[before.round] = _has(after)
    last = steps[-1][3]
    found[last.round] = _has(last)
    return tuple(found[number] for number in range(last.round + 1))


def _has(view: View) -> int:
    assert view.seat is not None
    return view.players[view.seat].cash + worth(view.shares, view.stones)


# ---------------------------------------------------------------------------------------------------- the curve


def _curve(names: Sequence[str], reader: int | None, last: View, wealth: Sequence[Wealth]) -> Curve:
    rounds, most = last.round, max(max(line) for line in wealth)
    step = next((step for step in _STEPS if step * _MOST_STEPS >= most), most)
    top = -(-most // step) * step

    def across(number: int) -> int:
        return round(LEFT + (RIGHT - LEFT) * number / rounds)

    def down(ducats: int) -> int:
        return round(BOTTOM - (BOTTOM - TOP) * ducats / top)

    lines = []
    for seat, line in enumerate(wealth):
        ruined = last.players[seat].bankrupt
        points = [
            (across(number), down(ducats)) for number, ducats in enumerate(line[: ruined + 1 if ruined else None])
        ]
        name = names[seat]
        lines.append(
            Line(
                seat=seat,
                name=name,
                short=name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…",
                you=seat == reader,
                path="M" + "L".join(f"{x} {y}" for x, y in points),
                end=points[-1],
                label=points[-1][1],
                ruined=bool(ruined),
                wealth=line,
            )
        )
    every = 1 if rounds <= 2 * _MOST_STEPS else 2
    return Curve(
        lines=tuple(_labelled(lines)),
        rounds=tuple(Mark(across(number), str(number)) for number in range(0, rounds + 1, every)),
        ducats=tuple(Mark(down(ducats), str(ducats)) for ducats in range(0, top + 1, step)),
    )


def _labelled(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines with their names set apart, from the lowest upwards; those of bankrupts stand where they ended."""
    free = BOTTOM
    for line in sorted(lines, key=lambda line: (-line.end[1], -line.seat)):
        height = min(line.end[1], free)
        free = height - _LABEL if not line.ruined else free
        yield replace(line, label=line.end[1] - _LABEL // 2 if line.ruined else height)


# ------------------------------------------------------------------------------------------------- the moments


def _moments(words: Words, names: Sequence[str], steps: Sequence[Seen], wealth: Sequence[Wealth]) -> Iterator[str]:
    happened = [(before, one) for _, event, before, _ in steps for one in event.happened]
    yield from _lead(words, names, steps[-1][3], wealth)
    yield from _dearest(words, names, happened)
    for before, one in happened:
        if isinstance(one, Bankrupt):
            who = said.everyone(words, names, one.seats)
            yield words.say("Bankrupt in round {round}: {names}.", round=before.round, names=who)
    yield from _bargain(words, names, happened)
    yield from _helm(words, names, happened)
    checks = sum(isinstance(one, Checked) for _, one in happened)
    if checks:
        yield words.count("The Kontor pile was checked {n} time.", "The Kontor pile was checked {n} times.", checks)


def _lead(words: Words, names: Sequence[str], last: View, wealth: Sequence[Wealth]) -> Iterator[str]:
    """Since when the winner was ahead."""
    assert last.result is not None
    if len(last.result.winners) > 1 or last.players[last.result.winners[0]].bankrupt:
        return
    winner = last.result.winners[0]
    since = last.round
    while since > 0 and all(line[since - 1] <= wealth[winner][since - 1] for line in wealth):
        since -= 1
    name = names[winner]
    if since <= 1:
        yield words.say("{name} was ahead from the beginning to the end.", name=name)
    elif since == last.round:
        yield words.say("{name} got ahead only in the last round.", name=name)
    else:
        yield words.say("{name} got ahead in round {round} and stayed there.", name=name, round=since)


def _dearest(words: Words, names: Sequence[str], happened: Sequence[tuple[View, Any]]) -> Iterator[str]:
    """The most that a merchant ever paid for a ship."""
    most, moment = 0, ""
    for (_, sailed), (before, paid) in pairwise(happened):
        if isinstance(sailed, Sailed) and isinstance(paid, Paid) and max(paid.paid) > most:
            most = max(paid.paid)
            moment = words.count(
                "The dearest moment: {field} cost {name} {n} ducat in round {round}.",
                "The dearest moment: {field} cost {name} {n} ducats in round {round}.",
                most,
                field=said.field(words, before.options.chart, sailed.to),
                name=names[paid.paid.index(most)],
                round=before.round,
            )
    if moment:
        yield moment


def _bargain(words: Words, names: Sequence[str], happened: Sequence[tuple[View, Any]]) -> Iterator[str]:
    """The most that anybody paid to come to an agreement."""
    most, moment = 0, ""
    for before, one in happened:
        if isinstance(one, Agreed) and -min(one.ducats) > most:
            most = -min(one.ducats)
            moment = words.count(
                "The largest bargain: {name} paid {n} ducat for an agreement in round {round}.",
                "The largest bargain: {name} paid {n} ducats for an agreement in round {round}.",
                most,
                name=names[one.tied[one.ducats.index(-most)]],
                round=before.round,
            )
    if moment:
        yield moment


def _helm(words: Words, names: Sequence[str], happened: Sequence[tuple[View, Any]]) -> Iterator[str]:
    """Who moved the Dutchman most often, alone or with others."""
    often = Counter(seat for _, one in happened if isinstance(one, Sailed) for seat in one.by)
    most = max(often.values(), default=0)
    who = sorted(seat for seat, times in often.items() if times == most)
    if most > 1 and len(who) == 1:
        yield words.count(
            "Most often at the helm: {name}, {n} time.",
            "Most often at the helm: {name}, {n} times.",
            most,
            name=names[who[0]],
        )
