"""Drawing Shanghaien: the row with the dice, the crews, and how cards and points are won.

The reader sits below, the opponent above (a spectator sits with the first seat). ▼ and ▲ say whose something is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.console import Group
from rich.text import Text

from kontor.games.shanghaien import words as phrases
from kontor.games.shanghaien.rules.components import (
    NATIONS,
    ROUNDS,
    ROW,
    TRICKS,
    Card,
    Nation,
    is_sailor,
    nation_of,
    value_of,
)
from kontor.games.shanghaien.rules.scoring import Crew, comparisons, totals
from kontor.games.shanghaien.rules.view import View
from kontor.terminal.adapter import Names, ObservedStep
from kontor.terminal.screen import Picture, padded
from kontor.words import Words

COLOURS: Final[dict[Nation, str]] = {
    "A": "red",
    "F": "bright_cyan",
    "G": "bright_blue",
    "C": "bright_yellow",
    "D": "dark_orange",
    "T": "magenta",
    "S": "green",
    "I": "bright_black",
}
TRICK: Final = "bold"
TONES: Final = ("bright_red", "bright_blue")
"""The colours of the two sides: the reader's is red, the opponent's blue."""

CARD: Final = 12
BODY: Final = CARD - 3
"""The longest text that has a space before it on a card."""
SIDES: Final = ("▼", "▲")
"""Mine lie below the row, theirs above."""
CAPTAINS: Final = ("○", "●")
"""Beside the card with the 1 (Y3, S8): a grey captain keeps the place, or the captain has used a trick this round."""

DICE_SHOWN: Final = 3


def below(view: View) -> int:
    """Return the seat that is drawn below the row."""
    return view.seat or 0


def side(view: View, seat: int) -> str:
    """Return the sign of a seat."""
    return SIDES[seat != below(view)]


def style(view: View, seat: int) -> str:
    """Return the colour of a seat."""
    return TONES[seat != below(view)]


# ---------------------------------------------------------------------------------------------------- the table


def board(words: Words, names: Names, view: View) -> Picture:
    """Draw the whole table: supplies, the row with dice above and below, and the scores."""
    me = below(view)
    parts: list[Picture] = [player(words, names, view, 1 - me)]
    if view.row:
        parts += [_dice(view, 1 - me), *_row(words, view), _dice(view, me)]
    parts.append(player(words, names, view, me))
    if view.roll:
        parts.append(_roll(words, names, view))
    return Group(*parts, Text(), scores(words, names, view))


def player(words: Words, names: Names, view: View, seat: int) -> Text:
    """One line: dice left, tricks in hand, and whether the captain stands at the row."""
    left = ROW - sum(view.placed[seat])
    crew = view.crews[seat]
    line = Text.assemble((f"{side(view, seat)} ", style(view, seat)), padded(names[seat], 16), " ")
    line.append(words.say("dice {dice}", dice="■" * left + "□" * (ROW - left)))
    if crew.tricks:
        line.append(words.say(" · tricks {tricks}", tricks=words.all_of(_count_tricks(words, crew.tricks))))
    if view.spent[seat] and view.one_at:
        line.append(words.say(" · captain {sign} by the 1", sign=CAPTAINS[True]), "bold")
    elif view.spent[seat]:
        line.append(words.say(" · captain at the row"), "bold")
    return line


def _dice(view: View, seat: int) -> Text:
    """Draw one seat's dice beside the cards they lie on, and its captain's place beside the card with the 1."""
    spent = view.spent[seat]
    sign, tone = CAPTAINS[spent], style(view, seat) if spent else "dim"
    line = Text(no_wrap=True)
    line.append(f"{sign} " if view.one_at == "left" else "  ", tone)
    for place in range(ROW):
        number = _number(view, place)
        count = view.placed[seat][number - 1] if number else 0
        text = f"[{number}]" * count if count <= DICE_SHOWN else f"[{number}]×{count}"
        line.append(f" {text:^{CARD}}", style(view, seat))
    if view.one_at == "right":
        line.right_crop(1)  # the last card's space, which dice never fill
        line.append(sign, tone)
    return line


def _number(view: View, place: int) -> int | None:
    """Return the number of the card at a place from the left, or None if it is not known yet."""
    if not view.one_at:
        return None
    return place + 1 if view.one_at == "left" else ROW - place


def _row(words: Words, view: View) -> list[Text]:
    """Draw the six cards, four lines high; a card that the roll would reach has a double edge."""
    lines = [Text("  ", no_wrap=True) for _ in range(4)]
    for place, card in enumerate(view.row):
        number = _number(view, place)
        title = f" {number} " if number else f" {place + 1}/{ROW - place} "
        reached = bool(view.roll) and number in (view.roll or ())
        for line, part in zip(lines, _card(words, card, title, reached), strict=True):
            line.append(" ").append_text(part)
    return lines


def _card(words: Words, card: Card, title: str, reached: bool) -> list[Text]:
    corners, level, upright = ("╔╗╚╝", "═", "║") if reached else ("╭╮╰╯", "─", "│")
    edge = "bold" if reached else "dim"
    if is_sailor(card):
        nation = nation_of(card)
        value, tone = value_of(card), COLOURS[nation]
        inside = [f"{phrases.letter(words, nation)} {value} {'●' * value}", phrases.nation(words, nation)]
    else:
        tone = TRICK
        inside = [words.say("joker ●●"), words.say("or {trick}", trick=phrases.trick(words, card))]  # type: ignore[arg-type]
    top = Text(corners[0] + title.center(CARD - 2, level) + corners[1], edge)
    body = [
        Text.assemble((upright, edge), _style_cell(padded(part, CARD - 2), tone), (upright, edge))
        for part in (part if cell_len(part) > BODY else f" {part}" for part in inside)
    ]
    return [top, *body, Text(corners[2] + level * (CARD - 2) + corners[3], edge)]


def _style_cell(cell: Text, tone: str) -> Text:
    cell.stylize(tone)
    return cell


def _roll(words: Words, names: Names, view: View) -> Text:
    low, high = view.roll or (0, 0)
    line = Text.assemble((f"{side(view, view.turn)} ", style(view, view.turn)), padded(names[view.turn], 16), " ")
    line.append(words.say("has rolled "))
    return line.append(f" ┃{low}┃  ┃{high}┃ ", f"bold reverse {style(view, view.turn)}")


# --------------------------------------------------------------------------------------------------- the scores

NAME: Final = 12
CELL: Final = 6
LAST: Final = 9


def scores(words: Words, names: Names, view: View) -> Picture:
    """Draw what each crew has of each nation, who scores what, and what is in play (Y6)."""
    me = below(view)
    return Group(
        _heads(words),
        _crew_line(words, names, view, 1 - me),
        _points_line(words, view),
        _crew_line(words, names, view, me),
        _in_play_line(words, view),
    )


def _heads(words: Words) -> Text:
    line = Text(" " * NAME, no_wrap=True)
    for nation in NATIONS:
        line.append_text(
            _style_cell(padded(phrases.letter(words, nation), CELL, right=True), f"bold {COLOURS[nation]}")
        )
    return line.append_text(padded(words.say("tricks"), LAST, right=True)).append_text(
        padded(words.say("points"), LAST, right=True)
    )


def _crew_line(words: Words, names: Names, view: View, seat: int) -> Text:
    crew = view.crews[seat]
    tone = style(view, seat)
    line = Text.assemble((f"{side(view, seat)} ", tone), _style_cell(padded(names[seat], NAME - 2), tone))
    for nation in NATIONS:
        line.append_text(padded(_or_dot(crew.strength(nation)), CELL, right=True))
    line.append_text(padded(_or_dot(len(crew.tricks)), LAST, right=True))
    total = totals(view.crews)[seat]
    return line.append_text(_style_cell(padded(str(total), LAST, right=True), f"bold {tone}"))


def _points_line(words: Words, view: View) -> Text:
    """Owner of each nation's points: ▲3 for the one above, ▼2 for the one below."""
    line = padded(words.say("  scores"), NAME)
    for row in comparisons(view.crews):
        winner = 0 if row.points[0] else 1
        points = row.points[winner]
        text = f"{side(view, winner)}{points}" if points else ""
        line.append_text(_style_cell(padded(text, CELL, right=True), style(view, winner)))
    return line


def _in_play_line(words: Words, view: View) -> Text:
    """Cards and points of the row and the pile together, ``5/13``; a trick is worth 1 (Y6)."""
    cards = view.row + view.to_come
    line = padded(words.say("  in play"), NAME)
    for nation in NATIONS:
        values = [value_of(card) for card in cards if is_sailor(card) and nation_of(card) == nation]
        line.append_text(padded(f"{len(values)}/{sum(values)}" if values else "·", CELL, right=True))
    tricks = sum(not is_sailor(card) for card in cards)
    line.append_text(padded(f"{tricks}/{tricks}" if tricks else "·", LAST, right=True))
    worth = sum(value_of(card) if is_sailor(card) else 1 for card in cards)
    return line.append_text(padded(f"{len(cards)}/{worth}", LAST, right=True))


def _or_dot(number: int) -> str:
    return str(number) if number else "·"


# ---------------------------------------------------------------------------------------------- to be looked at


def crews(words: Words, names: Names, view: View) -> Picture:
    """Both crews, card by card."""
    lines = []
    for seat in (1 - below(view), below(view)):
        whose = words.say("{what}:", what=f"{side(view, seat)} {names[seat]}")
        line = Text.assemble((f"{whose} ", style(view, seat)))
        held = _describe_crew(words, view.crews[seat])
        lines.append(line.append(words.all_of(held) if held else words.say("nobody yet")))
    return Group(*lines)


def _describe_crew(words: Words, crew: Crew) -> list[str]:
    lines = []
    for nation in crew.nations:
        values = [str(value_of(card)) for card in sorted(crew.sailors) if nation_of(card) == nation]
        values += [words.say("joker") for joker in crew.jokers if joker.nation == nation]
        lines.append(words.say("{nation} {values}", nation=phrases.nation(words, nation), values="+".join(values)))
    return lines + [phrases.card(words, trick) for trick in crew.tricks]


def to_come(words: Words, names: Names, view: View) -> Picture:
    """Draw the cards still to come, and those that left the game."""
    coming = words.count("{n} card is still to come", "{n} cards are still to come", len(view.to_come))
    gone = words.count("{n} card has left the game", "{n} cards have left the game", len(view.gone))
    return Group(*_cards(words, coming, view.to_come), *_cards(words, gone, view.gone))


def _cards(words: Words, title: str, cards: Sequence[Card]) -> list[Text]:
    parts = []
    for nation in NATIONS:
        values = sorted(value_of(card) for card in cards if is_sailor(card) and nation_of(card) == nation)
        if values:
            numbers = " ".join(map(str, values))
            parts.append(words.say("{nation} {values}", nation=phrases.nation(words, nation), values=numbers))
    parts += _count_tricks(words, cards)
    return [Text(title, "bold"), Text("  " + " · ".join(parts))] if parts else [Text(title, "bold")]


def _count_tricks(words: Words, cards: Sequence[Card]) -> list[str]:
    """``nudge``, ``reroll ×2``: the trick cards among these."""
    return [
        phrases.trick(words, trick)
        if cards.count(trick) == 1
        else words.say("{trick} ×{count}", trick=phrases.trick(words, trick), count=cards.count(trick))
        for trick in TRICKS
        if trick in cards
    ]


def ending(words: Words, names: Names, view: View) -> Picture:
    """Draw how each total comes about (S11), nation by nation."""
    me = below(view)
    pair = (1 - me, me)
    lines = [Text(" " * NAME)]
    for seat in pair:
        lines[0].append_text(
            _style_cell(padded(f"{side(view, seat)} {names[seat]}", NAME, right=True), style(view, seat))
        )
    for row in comparisons(view.crews):
        line = _style_cell(padded(phrases.nation(words, row.nation), NAME), COLOURS[row.nation])
        for seat in pair:
            line.append_text(padded(_or_dot(row.strengths[seat]), NAME, right=True))
        lines.append(line.append(f"   {phrases.comparison(words, names, row)}"))
    tricks = padded(words.say("tricks left"), NAME)
    points = _style_cell(padded(words.say("points"), NAME), "bold")
    for seat in pair:
        tricks.append_text(padded(_or_dot(len(view.crews[seat].tricks)), NAME, right=True))
        points.append_text(_style_cell(padded(str(totals(view.crews)[seat]), NAME, right=True), "bold"))
    return Group(*lines, tricks, points)


def report(words: Words, names: Names, steps: Sequence[ObservedStep]) -> Picture:
    """Draw the end of a round: for every card the numbers that decided it, and an arrow to its winner (S9)."""
    before, after = steps[-1].before, steps[-1].after
    title = words.say(
        "Round {round} of {rounds} is over: {name} calls “Shanghai!”.",
        round=before.round,
        rounds=ROUNDS,
        name=names[before.mover],
    )
    lines = [Text(title, "bold"), Text()]
    for number, award in enumerate(after.awards, 1):
        taker = award.taker
        arrow = "×" if taker is None else side(after, taker)
        tone = "dim" if taker is None else style(after, taker)
        line = Text.assemble(f" {number}  ", (arrow, tone), "  ")
        line.append_text(padded(phrases.card(words, award.card), 18))
        lines.append(line.append(f"  {phrases.award(words, names, award)}", tone))
    return Group(*lines, Text(), scores(words, names, after))
