"""Drawings of Der fliegende Holländer: the chart and the merchants, the chests with the stones, the own hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.console import Group
from rich.text import Text

from kontor.game import OVER
from kontor.games.dutchman import event_text
from kontor.games.dutchman import words as phrases
from kontor.games.dutchman.rules.components import CHESTS, COLOURS, MOST_SILVER, PLACE_OF, SHARES, Horseshoes
from kontor.games.dutchman.rules.state import Lain, Revealed, RolledFor, Sailed
from kontor.games.dutchman.rules.view import View
from kontor.games.dutchman.terminal import chart as chart_drawing
from kontor.games.dutchman.terminal.chart import SHIPS, SMALL
from kontor.terminal.adapter import Names, ObservedStep
from kontor.terminal.screen import WIDTH, Picture, flowing, padded
from kontor.words import Words

GOLD, SILVER = "bright_yellow", "bright_white"

# ---------------------------------------------------------------------------------------------------- the table


def board(words: Words, names: Names, view: View) -> Picture:
    """Draw the whole table as the view shows it."""
    parts: list[Picture] = [table(words, names, view), chests(words, view)]
    if view.seat is not None and not view.players[view.seat].bankrupt:
        parts.append(hand(words, names, view))
    return Group(*parts)


def table(words: Words, names: Names, view: View) -> Picture:
    """Draw the chart on the left, the merchants on the right."""
    left = chart_drawing.small(words, view.options.chart, _marks(view), _middle(view))
    right = [*_merchants(words, names, view), Text(), *_legend(words, view)]
    while len(right) > max(len(left), len(view.players) + 2):
        del right[len(view.players) + 2]  # the empty line goes first, where there are many merchants
        if len(right) <= len(left):
            break
        right.pop()
    rows = max(len(left), len(right))
    left += [Text(" " * SMALL)] * (rows - len(left))
    right += [Text()] * (rows - len(right))
    return Group(*(Text.assemble(one, " ", other, no_wrap=True) for one, other in zip(left, right, strict=True)))


def _marks(view: View) -> dict[str, tuple[str, str]]:
    """Return the signs of the Dutchman's field, of those ahead, and of the one that it came from."""
    marks = {} if view.mover == OVER else dict.fromkeys(view.ahead, ("[", "]"))
    if view.came_from:
        marks[view.came_from] = ("×", "")
    marks[view.dutchman] = ("<", ">")
    return marks


def _middle(view: View) -> str:
    """Return the number of horseshoes in the middle, with their sign."""
    return f"∩{view.middle}"


def _legend(words: Words, view: View) -> list[Text]:
    signs = words.say("<> Dutchman  [] ahead  ∩ horseshoes")
    if view.came_from:
        signs = words.say("<> Dutchman  [] ahead  × behind  ∩ horseshoes")
    return [Text(signs, "dim"), Text(words.say("= ≥ ≤ shares known to all  K, S cards left"), "dim")]


# widths of the columns: they make WIDTH - SMALL - 1 together
NAME, DUCATS, CARD, SHOES, SHARE = 10, 6, 2, 3, 3


def _merchants(words: Words, names: Names, view: View) -> list[Text]:
    """Return one line for each merchant: public facts, and what all can know of their shares."""
    head = Text.assemble(
        padded("", NAME),
        padded(words.say("ducats"), DUCATS, right=True),
        padded(words.say("K"), CARD, right=True),
        padded(words.say("S"), CARD, right=True),
        padded("∩", SHOES, right=True),
        " ",
    )
    for colour in COLOURS:
        head.append(_centre_letter(phrases.letter(words, colour), SHARE), f"bold {SHIPS[colour]}")
    return [head, *(_merchant(words, names, view, seat) for seat in range(len(view.players)))]


def _centre_letter(letter: str, width: int) -> str:
    """Return a letter centred in ``width`` columns, narrow or wide."""
    blank = width - cell_len(letter)
    return " " * (blank // 2) + letter + " " * (blank - blank // 2)


def _merchant(words: Words, names: Names, view: View, seat: int) -> Text:
    player = view.players[seat]
    sign = "▶ " if seat == view.mover else "· " if seat == view.starter else "  "
    line = Text.assemble(sign, padded(names[seat], NAME - 2))
    if player.bankrupt:
        return line.append(words.say("   bankrupt and out of the game"), "dim")
    line.append(f"{player.cash:>{DUCATS}}{player.kontor:>{CARD}}{player.smith:>{CARD}}{player.horseshoes:>{SHOES}} ")
    for place, colour in enumerate(COLOURS):
        fact = phrases.public_count(player.at_least[place], player.at_most[place], len(view.players))
        line.append(f"{fact or '·':^{SHARE}}", SHIPS[colour] if fact else "dim")
    if seat == view.seat:
        line.stylize("bold")
    return line.append(f" {_action(words, view, seat)}")


def _action(words: Words, view: View, seat: int) -> str:
    player = view.players[seat]
    if player.laid:
        return words.say("played {count}", count=player.laid)
    match player.action:
        case "kontor":
            return words.say("kontor")
        case "smith":
            return words.say("smith")
        case "pass":
            return words.say("passed")
        case "lay":
            return words.say("played")
        case _:
            return ""


CHEST: Final = 6


def chests(words: Words, view: View) -> Picture:
    """Draw the chests like a ruler; the stones stand on them, and the counter's chest has brackets."""
    label = WIDTH - CHEST * len(CHESTS)
    ruler, stones = padded(words.say("chests"), label), padded(words.say("markers"), label)
    for chest, value in enumerate(CHESTS):
        worth = str(value) if value else "–"
        ruler.append(f"{f'[{worth}]' if chest == view.counter else worth:^{CHEST}}", "bold")
        here = [colour for place, colour in enumerate(COLOURS) if view.stones[place] == chest]
        letters = [(phrases.letter(words, colour), f"bold {SHIPS[colour]}") for colour in here]
        blank = CHEST - sum(cell_len(letter) for letter, _ in letters)
        stones.append(" " * (blank // 2))
        for letter, style in letters:
            stones.append(letter, style)
        stones.append(" " * (blank - blank // 2))
    return Group(ruler, stones)


# ----------------------------------------------------------------------------------------------------- the hand


def hand(words: Words, names: Names, view: View) -> Picture:
    """Draw what only the viewer knows: the own shares with their values, and the rack."""
    lines = [_shares(words, view), rack(words, view.rack)]
    if view.lay:
        lines.append(Text(words.say("Played face down: {shoes}", shoes=phrases.plain(view.lay))))
    return Group(*lines)


LABEL: Final = 8


def _shares(words: Words, view: View) -> Text:
    line = padded(words.say("shares"), LABEL)
    for share in view.shares:
        line.append(phrases.letter(words, share), f"bold {SHIPS[share]}")
        line.append(f" {phrases.colour(words, share)} {phrases.value(view, share)}  ")
    if len(view.shares) > SHARES:  # two of them go back, and there is no room for the sum
        return line
    total = sum(phrases.value(view, share) for share in view.shares)
    return line.append(words.say("worth {total} now", total=total), "dim")


MANY: Final = 16
"""Horseshoes that fill a line; where there are more, equal ones are counted."""


def rack(words: Words, shoes: Horseshoes) -> Text:
    """Draw the rack, sorted: golden ones, then silver ones."""
    return padded(words.say("rack"), LABEL).append_text(_shoes(words, shoes, compact=len(shoes) > MANY))


def _shoes(words: Words, shoes: Horseshoes, *, compact: bool) -> Text:
    line = Text()
    gold = [str(shoe) for shoe in shoes if shoe > MOST_SILVER]
    silver = [str(shoe) for shoe in shoes if shoe <= MOST_SILVER]
    if compact:
        counts = {shoe: silver.count(shoe) for shoe in silver}
        silver = [f"{shoe}×{count}" if count > 1 else shoe for shoe, count in counts.items()]
    if gold:
        line.append(words.say("gold {shoes}", shoes=" ".join(gold)), f"bold {GOLD}")
    if gold and silver:
        line.append("   ")
    if silver:
        line.append(words.say("silver {shoes}", shoes=" ".join(silver)), SILVER)
    return line if shoes else line.append(words.say("empty"))


def open_hand(words: Words, names: Names, view: View) -> Picture:
    """Draw the viewer's shares and horseshoes in one line, to stand among those of the others."""
    assert view.seat is not None
    line = padded(names[view.seat], NAME).append("  ")
    line.stylize("bold")
    if view.players[view.seat].bankrupt:
        return line.append(words.say("bankrupt and out of the game"), "dim")
    for share in view.shares:
        line.append(f"{phrases.letter(words, share)} {phrases.value(view, share)}  ", SHIPS[share])
    line.append_text(_shoes(words, view.rack, compact=True))
    if view.lay:
        line.append(words.say("   played {shoes}", shoes=phrases.plain(view.lay)))
    return line


# ---------------------------------------------------------------------------------------------- to be looked at


def chart_now(words: Words, names: Names, view: View) -> Picture:
    """Draw the whole chart, with the Dutchman on it and the stake of each way on."""
    drawn = chart_drawing.diamond(words, view.options.chart, _marks(view), _middle(view))
    return Group(drawn, *ways_on(words, view))


def ways_on(words: Words, view: View) -> list[Text]:
    """Return where the Dutchman may sail, numbered, and the viewer's stake there."""
    lines = []
    for number, to in enumerate(view.ahead, 1):
        ship = next((field.colour for field in view.options.chart.fields if field.name == to), None)
        line = Text.assemble(f" {number}  ")
        label = padded(phrases.field(words, view.options.chart, to), 22)
        label.stylize(SHIPS[ship] if ship else "bold")
        lines.append(line.append_text(label).append(f"  {phrases.stake(words, view, to)}"))
    return lines


def pile(words: Words, names: Names, view: View) -> Picture:
    """Draw the Kontor pile from its top: who put what, as far as the viewer knows."""
    title = words.count(
        "{n} share in the Kontor pile, from the top:", "{n} shares in the Kontor pile, from the top:", len(view.pile)
    )
    cards = [
        phrases.colour(words, card)
        if card
        else words.say("put back by {name}", name=names[by])
        if by is not None
        else words.say("unknown")
        for card, by in zip(view.pile, view.put_by, strict=True)
    ]
    lines = [Text(title, "bold"), Text("  " + " · ".join(cards))]
    left = phrases.left_of_check(words, view.inspection, view.put_by.count(None))
    return Group(*lines, Text(f"  {left}")) if left else Group(*lines)


# --------------------------------------------------------------------------------------------- the end of a round


def report(words: Words, names: Names, steps: Sequence[ObservedStep]) -> Picture:
    """Draw the course of the round: the lays, what was agreed, where the Dutchman sailed, who paid or earned."""
    last = steps[-1]
    lucky = next((seen.after.lucky for seen in reversed(steps) if seen.after.lucky), 0)
    title = words.say("Round {round} is over. The lucky number was {lucky}.", round=last.before.round, lucky=lucky)
    lines: list[Picture] = [Text(title, "bold"), Text()]
    for seen in steps:
        for happening in seen.event.happened:
            if isinstance(happening, Revealed):
                if seen.before.step == "again":
                    lines.append(Text(words.say("  Deciding round:")))
                lines += [_lay(words, names, lay, happening, lucky) for lay in happening.lays]
            elif isinstance(happening, RolledFor):
                lines.append(Text(event_text.rolled_for(words, names, happening.rolls)))
    lines += _without_lays(words, names, last.before)
    sentences = _course(words, names, steps)
    return Group(
        *lines, Text(), flowing(sentences), Text(), *_fortunes(words, names, steps), Text(), chests(words, last.after)
    )


def _without_lays(words: Words, names: Names, view: View) -> list[Text]:
    """Return a line for each player who laid nothing, with what they did instead."""
    done = {"kontor": words.say("Kontor card"), "smith": words.say("Smith card"), "pass": words.say("passed")}
    return [
        Text.assemble("    ", padded(names[seat], 16), "  ", done[action])
        for seat in view.order
        if (action := view.players[seat].action) in done
    ]


def _lay(words: Words, names: Names, lay: Lain, revealed: Revealed, lucky: int) -> Text:
    nearest = lay.seat in revealed.nearest
    line = Text.assemble("  ▶ " if nearest else "    ", padded(names[lay.seat], 16), "  ")
    return line.append(phrases.read(words, lay.horseshoes, lucky), "bold" if nearest else "")


def _course(words: Words, names: Names, steps: Sequence[ObservedStep]) -> list[str]:
    """Return what happened from the step on with which the Dutchman sailed."""
    sailed = [any(isinstance(happening, Sailed) for happening in seen.event.happened) for seen in steps]
    first = sailed.index(True) if True in sailed else len(steps)
    return [
        sentence
        for seen in steps[first:]
        for sentence in event_text.describe_event(words, names, seen.before, seen.event, seen.after)
    ]


def _fortunes(words: Words, names: Names, steps: Sequence[ObservedStep]) -> list[Text]:
    """Return the changes of the ducats since the round began."""
    first, last = steps[0].before, steps[-1].after
    changes = []
    for seat, (before, after) in enumerate(zip(first.players, last.players, strict=True)):
        if before.bankrupt:
            continue
        change = after.cash - before.cash
        sign = "+" if change > 0 else "−" if change < 0 else "±"
        changes.append(
            words.say(
                "{name} has {ducats} ({sign}{change})",
                name=names[seat],
                ducats=after.cash,
                sign=sign,
                change=abs(change),
            )
        )
    return [Text(words.say("Ducats: {changes}.", changes=words.all_of(changes)))]


# ----------------------------------------------------------------------------------------------- the end of the game

COLUMN: Final = 10


def ending(words: Words, names: Names, view: View) -> Picture:
    """Draw the sum of each total (H13): cash, and the shares with their values."""
    assert view.result is not None
    lines = [
        Text.assemble(
            padded("", 16),
            padded(words.say("cash"), COLUMN, right=True),
            padded(words.say("shares"), COLUMN, right=True),
            padded(words.say("total"), COLUMN, right=True),
        )
    ]
    for seat, player in enumerate(view.players):
        held = player.held or ()
        total = view.result.points[seat]
        won = seat in view.result.winners
        line = Text.assemble("▶ " if won else "  ", padded(names[seat], 14), style="bold" if won else "")
        line.append(f"{player.cash:>{COLUMN}}{total - player.cash:>{COLUMN}}{total:>{COLUMN}}   ")
        if player.bankrupt:
            line.append(words.say("bankrupt in round {round}", round=player.bankrupt))
        for share in held:
            line.append(f"{phrases.letter(words, share)} {CHESTS[view.stones[PLACE_OF[share]]]}  ", SHIPS[share])
        lines.append(line)
    return Group(*lines, Text(), chests(words, view))
