"""The house's ledger: what each crew scores and what is in play (Y6), and the crews card by card (Y7)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from kontor.game import Value
from kontor.games.shanghaien import words as said
from kontor.games.shanghaien.rules.components import (
    JOKER,
    NATIONS,
    TRICKS,
    VALUES,
    Card,
    Nation,
    TrickCounts,
    is_sailor,
    nation_of,
    value_of,
)
from kontor.games.shanghaien.rules.scoring import Crew, comparisons, totals
from kontor.games.shanghaien.web.reader import Face, Reader, Side, face_of
from kontor.words import Words


class Cell(Value, frozen=True):
    """A player's sailors of a nation, and what they score as things stand."""

    strength: int
    points: int
    text: str


class Line(Value, frozen=True):
    """A line of the ledger (Y6)."""

    key: str
    name: str
    nation: Nation | None
    theirs: Cell
    mine: Cell
    cards: int
    worth: int
    in_play: str
    """The cards of the row and the pile together, and what they are worth, in words."""
    why: str


class Gang(Value, frozen=True):
    """The sailors of one nation in a crew, with the jokers laid there."""

    nation: Nation
    name: str
    faces: tuple[Face, ...]
    strength: int


class Company(Value, frozen=True):
    """A crew, for the overview (Y7)."""

    side: Side
    title: str
    gangs: tuple[Gang, ...]
    tricks: tuple[Face, ...]
    empty: str


class Coming(Value, frozen=True):
    """The cards of a nation, or the tricks, with those still to come (Y7)."""

    name: str
    nation: Nation | None
    faces: tuple[tuple[Face, bool], ...]
    text: str


@dataclass(frozen=True)
class Books:
    """The crews and the cards still to come, told from one side. ``points`` are those of the seats."""

    ledger: tuple[Line, ...]
    sums: Line
    crews: tuple[Company, Company]
    coming: tuple[Coming, ...]
    points: tuple[int, int]


@dataclass(frozen=True)
class _Round:
    """All that the books are made from. It changes once a round, and is asked for after every move."""

    words: Words
    names: tuple[str, ...]
    me: int
    crews: tuple[Crew, Crew]
    row: tuple[Card, ...]
    to_come: tuple[Card, ...]
    tricks: TrickCounts

    @property
    def in_play(self) -> tuple[Card, ...]:
        """The row and the pile: what a crew can still get (Y6). It changes when a row is dealt out, not when one is
        laid."""
        return self.row + self.to_come

    def seat(self, side: Side) -> int:
        return self.me if side == "mine" else 1 - self.me


def books(reader: Reader) -> Books:
    """How the crews stand."""
    view = reader.view
    names = tuple(reader.names)
    return _books(_Round(reader.words, names, reader.me, view.crews, view.row, view.to_come, view.options.tricks))


@lru_cache(maxsize=1024)
def _books(now: _Round) -> Books:
    crews = _company(now, "theirs"), _company(now, "mine")
    return Books(tuple(_ledger(now)), _sums(now), crews, tuple(_coming(now)), totals(now.crews))


def _ledger(now: _Round) -> list[Line]:
    """Every nation, and the tricks: the crews, what they score, and what is in play (Y6)."""
    words = now.words
    lines = []
    for row in comparisons(now.crews):
        values = [value_of(card) for card in now.in_play if is_sailor(card) and nation_of(card) == row.nation]
        lines.append(
            Line(
                key=row.nation,
                name=said.nation(words, row.nation),
                nation=row.nation,
                theirs=_cell(now, row.strengths, row.points, "theirs"),
                mine=_cell(now, row.strengths, row.points, "mine"),
                cards=len(values),
                worth=sum(values),
                in_play=_cards_and_points(now.words, len(values), sum(values)),
                why=said.comparison(words, now.names, row),
            )
        )
    tricks = len(now.crews[0].tricks), len(now.crews[1].tricks)
    left = sum(not is_sailor(card) for card in now.in_play)
    why = words.say("each unused one is a point")
    theirs, mine = _cell(now, tricks, tricks, "theirs"), _cell(now, tricks, tricks, "mine")
    text = _cards_and_points(now.words, left, left)
    return [*lines, Line("tricks", words.say("Tricks"), None, theirs, mine, left, left, text, why)]


def _sums(now: _Round) -> Line:
    points = totals(now.crews)
    worth = sum(value_of(card) if is_sailor(card) else 1 for card in now.in_play)
    theirs, mine = _cell(now, points, points, "theirs"), _cell(now, points, points, "mine")
    count = len(now.in_play)
    text = _cards_and_points(now.words, count, worth)
    return Line("total", now.words.say("Total"), None, theirs, mine, count, worth, text, "")


def _cell(now: _Round, strengths: tuple[int, int], points: tuple[int, int], side: Side) -> Cell:
    seat = now.seat(side)
    return _cell_of(now.words, strengths[seat], points[seat])


@lru_cache(maxsize=1024)
def _cell_of(words: Words, strength: int, points: int) -> Cell:
    return Cell(strength, points, _points(words, points))


@lru_cache(maxsize=1024)
def _points(words: Words, points: int) -> str:
    return words.count("{n} point", "{n} points", points)


@lru_cache(maxsize=4096)
def _cards_and_points(words: Words, cards: int, worth: int) -> str:
    cards_text = words.count("{n} card", "{n} cards", cards)
    return words.say("{cards}, {points}", cards=cards_text, points=_points(words, worth))


def _company(now: _Round, side: Side) -> Company:
    seat = now.seat(side)
    crew = now.crews[seat]
    gangs = [
        Gang(nation, said.nation(now.words, nation), tuple(_gang(now, crew, nation)), crew.strength(nation))
        for nation in NATIONS
        if crew.strength(nation)
    ]
    return Company(
        side=side,
        title=now.words.say("The crew of {name}", name=now.names[seat]),
        gangs=tuple(gangs),
        tricks=tuple(face_of(now.words, trick) for trick in crew.tricks),
        empty=now.words.say("Nobody has signed on yet.") if not gangs and not crew.tricks else "",
    )


def _gang(now: _Round, crew: Crew, nation: Nation) -> list[Face]:
    sailors = sorted((card for card in crew.sailors if nation_of(card) == nation), key=value_of)
    jokers = [joker for joker in crew.jokers if joker.nation == nation]
    joker_text = now.words.say("a joker, counts as {n}", n=JOKER)
    return [
        *(face_of(now.words, card) for card in sailors),
        *(Face(joker_text, trick=joker.trick) for joker in jokers),
    ]


def _coming(now: _Round) -> list[Coming]:
    """The box, card by card, and which of them are still to come (Y7)."""
    words = now.words
    left = Counter(now.to_come)
    found = [_coming_of(words, nation, tuple([left[f"{nation}{value}"] for value in VALUES])) for nation in NATIONS]
    tricks = [
        (face_of(now.words, trick), at < left[trick]) for trick in TRICKS for at in range(getattr(now.tricks, trick))
    ]
    counts = [
        words.say("{count} × {trick}", count=left[trick], trick=said.trick(words, trick))
        for trick in TRICKS
        if left[trick]
    ]
    text = words.all_of(counts) if counts else words.say("none")
    return [*found, Coming(words.say("Tricks"), None, tuple(tricks), text)]


@lru_cache(maxsize=2048)
def _coming_of(words: Words, nation: Nation, left: tuple[int, ...]) -> Coming:
    """The cards of a nation, each with whether it is still to come; of two alike, the second goes first. ``left`` are
    how many there are of each."""
    before: Counter[int] = Counter()
    faces = []
    for value, there in zip(VALUES, left, strict=True):
        faces.append((face_of(words, f"{nation}{value}"), before[value] < there))
        before[value] += 1
    values = [str(face.value) for face, there in faces if there]
    text = words.all_of(values) if values else words.say("none")
    return Coming(said.nation(words, nation), nation, tuple(faces), text)
