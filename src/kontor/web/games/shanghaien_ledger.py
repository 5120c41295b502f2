"""The house's ledger: what each crew scores and what is still to come (Y6), and the crews card by card (Y7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from kontor.game import Value
from kontor.shanghaien import words as said
from kontor.shanghaien.components import JOKER, NATIONS, TRICKS, VALUES, Card, Nation, is_sailor, nation_of, value_of
from kontor.shanghaien.scoring import Crew, comparisons, totals
from kontor.web.games.shanghaien_reader import Face, Reader, Side
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
    to_come: str
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


def ledger(reader: Reader) -> list[Line]:
    """Every nation, and the tricks: the crews, what they score, and what is still to come (Y6)."""
    words, view = reader.words, reader.view
    lines = []
    for row in comparisons(view.crews):
        values = [value_of(card) for card in view.to_come if is_sailor(card) and nation_of(card) == row.nation]
        lines.append(
            Line(
                key=row.nation,
                name=said.nation(words, row.nation),
                nation=row.nation,
                theirs=_cell(reader, row.strengths, row.points, "theirs"),
                mine=_cell(reader, row.strengths, row.points, "mine"),
                cards=len(values),
                worth=sum(values),
                to_come=_still(reader.words, len(values), sum(values)),
                why=said.comparison(words, reader.names, row),
            )
        )
    tricks = len(view.crews[0].tricks), len(view.crews[1].tricks)
    left = sum(not is_sailor(card) for card in view.to_come)
    why = words.say("each unused one is a point")
    theirs, mine = _cell(reader, tricks, tricks, "theirs"), _cell(reader, tricks, tricks, "mine")
    still = _still(reader.words, left, left)
    return [*lines, Line("tricks", words.say("Tricks"), None, theirs, mine, left, left, still, why)]


def sums(reader: Reader) -> Line:
    view = reader.view
    points = totals(view.crews)
    worth = sum(value_of(card) if is_sailor(card) else 1 for card in view.to_come)
    theirs, mine = _cell(reader, points, points, "theirs"), _cell(reader, points, points, "mine")
    count = len(view.to_come)
    return Line(
        "total", reader.words.say("Total"), None, theirs, mine, count, worth, _still(reader.words, count, worth), ""
    )


def _cell(reader: Reader, strengths: tuple[int, int], points: tuple[int, int], side: Side) -> Cell:
    seat = reader.seat(side)
    return Cell(strengths[seat], points[seat], _points(reader.words, points[seat]))


@lru_cache(maxsize=1024)
def _points(words: Words, points: int) -> str:
    return words.count("{n} point", "{n} points", points)


@lru_cache(maxsize=4096)
def _still(words: Words, cards: int, worth: int) -> str:
    cards_text = words.count("{n} card", "{n} cards", cards)
    return words.say("{cards}, {points}", cards=cards_text, points=_points(words, worth))


def company(reader: Reader, side: Side) -> Company:
    seat = reader.seat(side)
    crew = reader.view.crews[seat]
    gangs = [
        Gang(nation, said.nation(reader.words, nation), tuple(_gang(reader, crew, nation)), crew.strength(nation))
        for nation in NATIONS
        if crew.strength(nation)
    ]
    return Company(
        side=side,
        title=reader.words.say("The crew of {name}", name=reader.names[seat]),
        gangs=tuple(gangs),
        tricks=tuple(reader.face(trick) for trick in crew.tricks),
        empty=reader.words.say("Nobody has signed on yet.") if not gangs and not crew.tricks else "",
    )


def _gang(reader: Reader, crew: Crew, nation: Nation) -> list[Face]:
    sailors = sorted((card for card in crew.sailors if nation_of(card) == nation), key=value_of)
    jokers = [joker for joker in crew.jokers if joker.nation == nation]
    joker_text = reader.words.say("a joker, counts as {n}", n=JOKER)
    return [
        *(reader.face(card) for card in sailors),
        *(Face(joker_text, trick=joker.trick) for joker in jokers),
    ]


def coming(reader: Reader) -> list[Coming]:
    """The box, card by card, and which of them are still to come (Y7)."""
    words = reader.words
    left = Counter(reader.view.to_come)
    found = []
    for nation in NATIONS:
        faces = _marked([reader.face(f"{nation}{value}") for value in VALUES], left, nation)
        values = [str(face.value) for face, there in faces if there]
        text = words.all_of(values) if values else words.say("none")
        found.append(Coming(said.nation(words, nation), nation, tuple(faces), text))
    tricks = [
        (reader.face(trick), at < left[trick])
        for trick in TRICKS
        for at in range(getattr(reader.view.options.tricks, trick))
    ]
    counts = [
        words.say("{count} × {trick}", count=left[trick], trick=said.trick(words, trick))
        for trick in TRICKS
        if left[trick]
    ]
    text = words.all_of(counts) if counts else words.say("none")
    return [*found, Coming(words.say("Tricks"), None, tuple(tricks), text)]


def _marked(faces: Sequence[Face], left: Counter[Card], nation: Nation) -> list[tuple[Face, bool]]:
    """The cards of a nation, each with whether it is still to come; of two alike, the second goes first."""
    before: Counter[int] = Counter()
    marked = []
    for face in faces:
        marked.append((face, before[face.value] < left[f"{nation}{face.value}"]))
        before[face.value] += 1
    return marked
