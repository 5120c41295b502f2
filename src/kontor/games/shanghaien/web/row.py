"""The row of the tavern with its dice, and how it was dealt out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from kontor.game import Value
from kontor.games.shanghaien import words as said
from kontor.games.shanghaien.rules import View
from kontor.games.shanghaien.rules.components import ROW, End
from kontor.games.shanghaien.rules.state import Award, Number, Place
from kontor.games.shanghaien.web.moves import Choice, field_of
from kontor.games.shanghaien.web.reader import Face, Reader, Seen, Side


class Lane(Value, frozen=True):
    """The dice of one player on one card. ``new`` are those that came since the reader's last move."""

    side: Side
    dice: int
    new: int
    text: str
    tally: int | None = None
    """The number that decided the card: dice, or ``by_pips`` those of the neighbouring cards. ``more``: it won."""
    by_pips: bool = False
    more: bool = False


class Stand(Value, frozen=True):
    """A card of the row with its dice; afterwards, who got it."""

    place: int
    face: Face
    number: int | None
    theirs: Lane
    mine: Lane
    lit: Side | None = None
    """Whose die just rolled would go here."""
    landing: Choice | None = None
    taker: Literal["mine", "theirs", "nobody"] | None = None
    why: str = ""


class Settled(Value, frozen=True):
    """A finished round: who got which card, and by which numbers (Y4)."""

    round: int
    title: str
    stands: tuple[Stand, ...]


class Rail(Value, frozen=True):
    """One way to number the row: where the 1 is, and the numbers from left to right (Y3)."""

    end: Literal["left", "right"]
    choice: Choice
    numbers: tuple[tuple[int, bool], ...]


def stands(reader: Reader, events: Sequence[Seen]) -> list[Stand]:
    """The row from left to right, with the dice on it."""
    view = reader.view
    new = _new_dice(view, events)
    found = []
    for at, card in enumerate(view.row):
        number = {None: None, "left": at + 1, "right": ROW - at}[view.one_at]
        lit, landing = None, None
        if number and number in (view.roll or ()):
            lit = reader.side(view.turn)
            landing = reader.choice(Place(number), "")
        found.append(
            Stand(
                place=at + 1,
                face=reader.face(card),
                number=number,
                theirs=_lane(reader, "theirs", number, new),
                mine=_lane(reader, "mine", number, new),
                lit=lit,
                landing=landing,
            )
        )
    return found


def _lane(reader: Reader, side: Side, number: int | None, new: Counter[tuple[int, int]]) -> Lane:
    seat = reader.seat(side)
    dice = reader.view.placed[seat][number - 1] if number else 0
    return Lane(side, dice, min(dice, new[seat, number or 0]), _dice_text(reader, seat, dice))


def _dice_text(reader: Reader, seat: int, dice: int) -> str:
    if not dice:
        return ""
    return reader.words.count("{name} has {n} die here.", "{name} has {n} dice here.", dice, name=reader.names[seat])


def settled(reader: Reader) -> Settled | None:
    """The overview of the round that has just ended: until somebody rolls, the row waits beside it (Y4)."""
    view = reader.view
    if not view.awards or any(_has_rolled(view, seat) for seat in (0, 1)):
        return None
    return _overview(reader)


def last_round(reader: Reader) -> Settled | None:
    """The overview of the round before, while the row is played on already: until the reader's own first roll (Y4);
    for spectators, until both have rolled."""
    view = reader.view
    readers = (0, 1) if view.seat is None else (view.seat,)
    if not view.awards or settled(reader) or all(_has_rolled(view, seat) for seat in readers):
        return None
    return _overview(reader)


def _has_rolled(view: View, seat: int) -> bool:
    """Whether a seat has rolled in this round."""
    return any(view.placed[seat]) or (view.turn == seat and view.step in ("roll", "place", "both", "reroll"))


def _overview(reader: Reader) -> Settled:
    view = reader.view
    number = view.round if view.step == "over" else view.round - 1
    title = reader.words.say("Round {round} is over: who gets whom", round=number)
    return Settled(number, title, tuple(dealt(reader, view.awards, view.awards_one_at)))


def dealt(reader: Reader, awards: Sequence[Award], one_at: End | None) -> list[Stand]:
    """How a row is dealt out, from left to right."""
    found = [
        Stand(
            place=number,
            face=reader.face(award.card),
            number=number,
            theirs=_counted(reader, "theirs", award),
            mine=_counted(reader, "mine", award),
            taker="nobody" if award.taker is None else reader.side(award.taker),
            why=said.award(reader.words, reader.names, award),
        )
        for number, award in enumerate(awards, 1)
    ]
    return found if one_at == "left" else found[::-1]


def _counted(reader: Reader, side: Side, award: Award) -> Lane:
    seat = reader.seat(side)
    numbers = award.pips or award.dice
    tally = numbers[seat] if any(award.dice) else None
    text = _dice_text(reader, seat, award.dice[seat])
    return Lane(side, award.dice[seat], 0, text, tally, award.pips is not None, award.taker == seat)


def rails(reader: Reader) -> list[Rail]:
    """The two ways to number the row (Y3)."""
    said_by_end = {
        "left": reader.words.say("The 1 is on the left"),
        "right": reader.words.say("The 1 is on the right"),
    }
    found = []
    for move in reader.moves:
        if isinstance(move, Number):
            numbers = range(1, ROW + 1) if move.one_at == "left" else range(ROW, 0, -1)
            rolled = reader.view.roll or ()
            choice = Choice(field_of(move), said_by_end[move.one_at])
            found.append(Rail(move.one_at, choice, tuple((number, number in rolled) for number in numbers)))
    return found


def _new_dice(view: View, events: Sequence[Seen]) -> Counter[tuple[int, int]]:
    """By seat and number: dice that were placed in this round since the reader's last move."""
    new: Counter[tuple[int, int]] = Counter()
    for _, _, before, after in events:
        if before.round != view.round or after.round != view.round:
            continue
        for seat in (0, 1):
            for number, (was, now) in enumerate(zip(before.placed[seat], after.placed[seat], strict=True), 1):
                if now > was and seat != view.seat:
                    new[seat, number] += now - was
    return new
