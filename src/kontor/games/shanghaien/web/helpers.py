"""Helpers of the templates of the tavern: values computed from a view, and sentences about them.

Everything is seen from one side (Y2): the reader is *mine*, below and red with an anchor; the other is *theirs*,
above and blue with a wheel. A spectator looks over the shoulder of the first captain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Literal

from kontor.games.shanghaien import words as phrases
from kontor.games.shanghaien.rules import View
from kontor.games.shanghaien.rules.components import (
    JOKER,
    NATIONS,
    ROUNDS,
    ROW,
    SAILORS,
    TRICKS,
    VALUES,
    Card,
    End,
    Nation,
    Trick,
    TrickCounts,
    is_sailor,
    nation_of,
    value_of,
)
from kontor.games.shanghaien.rules.play import deal_out
from kontor.games.shanghaien.rules.scoring import Crew, compare, comparisons, totals
from kontor.games.shanghaien.rules.state import Numbers
from kontor.games.shanghaien.web.moves import field_of
from kontor.games.shanghaien.web.tale import course, label, outcome, reasons, scale
from kontor.words import Words

# --------------------------------------------------------------------------------------------------- who is who


def side(me: int, seat: int | None) -> Literal["mine", "theirs", "nobody"]:
    """Side of a seat."""
    if seat is None:
        return "nobody"
    return "mine" if seat == me else "theirs"


def sides(me: int) -> tuple[tuple[str, int], tuple[str, int]]:
    """Both sides from above to below, and who sits there."""
    return ("theirs", 1 - me), ("mine", me)


def strokes(number: int, over: bool) -> list[Literal["done", "now", "open"]]:
    """Mark of each round on the slate, when the one with this number is played."""
    return ["done" if over or each < number else "now" if each == number else "open" for each in range(1, ROUNDS + 1)]


def player(view: View, names: Sequence[str], seat: int) -> dict[str, Any]:
    """Return what is shown of a captain; dice just rolled are not in the supply."""
    spent, tricks = view.spent[seat], view.crews[seat].tricks
    return {
        "side": side(view.seat or 0, seat),
        "name": names[seat],
        "supply": ROW - sum(view.placed[seat]) - (2 if view.roll and view.turn == seat else 0),
        "points": points(view.crews)[seat],
        "to_move": view.mover == seat,
        "spent": spent,
        "by_the_1": spent and view.one_at is not None,
        "tricks": tricks,
        "you": view.seat == seat,
    }


def name_size(name: str) -> str:
    """Return the class, with a space before it, of a name that needs smaller letters to keep its words whole.

    A word of more than twenty letters is kept whole by no size.
    """
    longest = max((len(word) for word in name.split()), default=0)
    if longest > 20:
        return " longest endless"
    return " longest" if longest > 14 else " long" if longest > 9 or len(name) > 12 else ""


# ----------------------------------------------------------------------------------------------------- the row

Stand = tuple[int | None, Card, tuple[int, int], tuple[int, int]]
"""The number of a card; the card; of both seats the dice on it, and how many of them are new."""


def numbers(one_at: End | None) -> Sequence[int | None]:
    """Return the numbers of the cards from left to right (S7)."""
    return {None: [None] * ROW, "left": range(1, ROW + 1), "right": range(ROW, 0, -1)}[one_at]


def by_number(row: Sequence[Card], one_at: End | None) -> Sequence[Card]:
    """Return the cards of a row by number, 1 to 6; none until the place of the 1 is chosen."""
    return {None: (), "left": row, "right": row[::-1]}[one_at]


def stands(view: View, new: tuple[Numbers, Numbers]) -> list[Stand]:
    """Return the row from left to right. ``new`` are dice, counted by seat and number."""
    return [
        (number, card, _at(view.placed, number), _at(new, number))
        for number, card in zip(numbers(view.one_at), view.row, strict=False)
    ]


def _at(dice: tuple[Numbers, Numbers], number: int | None) -> tuple[int, int]:
    return (dice[0][number - 1], dice[1][number - 1]) if number else (0, 0)


def shows_overview(view: View) -> bool:
    """Return whether the overview of the last deal-out is shown: until somebody rolls in the new round (Y4)."""
    return bool(view.awards) and not any(_has_rolled(view, seat) for seat in (0, 1))


def _has_rolled(view: View, seat: int) -> bool:
    """Return True if a seat has rolled in this round."""
    return any(view.placed[seat]) or (view.turn == seat and view.step in ("roll", "place", "both", "reroll"))


# ------------------------------------------------------------------------------- the ledger and the crews (Y6, Y7)


@lru_cache(maxsize=256)
def in_play(row: tuple[Card, ...], to_come: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the cards that a crew can still get, sorted. Laying a row does not change them, so they are cached."""
    return tuple(sorted(row + to_come))


@lru_cache(maxsize=1024)
def points(crews: tuple[Crew, Crew]) -> tuple[int, int]:
    """Return the current points of both seats, cached because each move asks for them."""
    return totals(crews)


def every_card() -> tuple[Card, ...]:
    """Return all kinds of cards, each once."""
    return tuple(dict.fromkeys((*SAILORS, *TRICKS)))


def by_line(cards: Iterable[Card]) -> dict[Nation | None, list[Card]]:
    """Cards by their nation, the lowest first; those of no nation are tricks."""
    by_nation: dict[Nation | None, list[Card]] = {line: [] for line in (*NATIONS, None)}
    for card in sorted(cards):
        by_nation[nation_of(card) if is_sailor(card) else None].append(card)
    return by_nation


def worth(cards: Iterable[Card]) -> int:
    """Return the most that cards can score: sailors their value, tricks 1 point."""
    return sum(value_of(card) if is_sailor(card) else 1 for card in cards)


Line = tuple[Nation | None, tuple[int, int], tuple[int, int]]
"""A nation, or None for the tricks; of both seats the strengths, or the tricks, and the points as things stand."""


def lines(crews: tuple[Crew, Crew]) -> list[Line]:
    """Return the lines to compare (S11)."""
    tricks = len(crews[0].tricks), len(crews[1].tricks)
    return [*((row.nation, row.strengths, row.points) for row in comparisons(crews)), (None, tricks, tricks)]


def line_name(words: Words, nation: Nation | None) -> str:
    """Return the name of a line."""
    return phrases.nation(words, nation) if nation else words.say("Tricks")


def line_reason(words: Words, names: Sequence[str], nation: Nation | None, strengths: tuple[int, int]) -> str:
    """Reason for the score of a line."""
    if nation:
        return phrases.comparison(words, names, compare(nation, strengths))
    return words.say("each unused one is worth a point")


def coming(tricks: TrickCounts, to_come: Sequence[Card]) -> list[tuple[Nation | None, list[tuple[Card, bool]]]]:
    """Return the box by line, with whether each card is still to come; of two alike, the second goes first."""
    left = Counter(to_come)
    box: dict[Nation | None, list[Card]] = {nation: [f"{nation}{value}" for value in VALUES] for nation in NATIONS}
    box[None] = [trick for trick in TRICKS for _ in range(getattr(tricks, trick))]
    return [
        (nation, [(card, cards[:at].count(card) < left[card]) for at, card in enumerate(cards)])
        for nation, cards in box.items()
    ]


def coming_text(words: Words, cards: Sequence[tuple[Card, bool]]) -> str:
    """Return the cards of one line still to come, as text for screen readers."""
    left = [card for card, is_left in cards if is_left]
    tricks = [words.say("{count} × {trick}", count=n, trick=phrases.trick(words, trick)) for trick, n in kinds(left)]
    return words.all_of(tricks or [str(value_of(card)) for card in left]) or words.say("none")


# --------------------------------------------------------------------------------------------------- the tricks


def kinds(tricks: Sequence[Card]) -> list[tuple[Trick, int]]:
    """Trick cards by kind, and how many there are of each."""
    return [(trick, tricks.count(trick)) for trick in TRICKS if trick in tricks]


def joined(crew: Crew, nation: Nation) -> int:
    """Return the strength of a nation with one more joker."""
    return crew.strength(nation) + JOKER


def joker_text(words: Words) -> str:
    """Return the text that explains a joker laid with sailors."""
    return words.say("a joker, counts as {n}", n=JOKER)


_FUNCTIONS: Final[tuple[Callable[..., Any], ...]] = (
    *(side, sides, strokes, player, name_size, numbers, by_number, stands, shows_overview),
    *(in_play, points, every_card, by_line, worth, lines, line_name, line_reason, coming, coming_text),
    *(kinds, joined, joker_text, field_of),
    *(outcome, reasons, course, scale, label),
    *(phrases.nation, lru_cache(maxsize=1024)(phrases.card), phrases.award, deal_out, is_sailor, nation_of, value_of),
)
HELPERS: Final[Mapping[str, Callable[..., Any]]] = {function.__name__: function for function in _FUNCTIONS}
