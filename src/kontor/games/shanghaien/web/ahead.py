"""Moves given ahead in Shanghaien: to roll, to place a die if the dice allow it, to shanghai."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from kontor.game import OVER, Refusal, Value
from kontor.games.shanghaien import words as phrases
from kontor.games.shanghaien.rules import Move
from kontor.games.shanghaien.rules.components import ROW
from kontor.games.shanghaien.rules.state import Place, Roll, Shanghai
from kontor.games.shanghaien.rules.view import View
from kontor.web.ahead import AheadChoice, AheadPart
from kontor.words import Words, mark

_DICE: Final = 6
"""The dice of a player (S1)."""

MOST_PLACINGS: Final = 6
"""The most placings that the form offers, and that can be given."""


class RollAhead(Value, frozen=True, tag="roll", tag_field="ahead"):
    """Roll at the turn in ``round`` that begins with so many own dice ``placed``."""

    round: int
    placed: int


class PlaceAhead(Value, frozen=True, tag="place", tag_field="ahead"):
    """At that turn, place the ``die`` if it was rolled together with the ``other``; None for any other."""

    round: int
    placed: int
    die: int
    other: int | None = None

    def fits(self, roll: tuple[int, int]) -> bool:
        """Return True if the die was rolled, with the other one."""
        low, high = roll
        return self.other in (None, high if self.die == low else low) and self.die in roll


class ShanghaiAhead(Value, frozen=True, tag="shanghai", tag_field="ahead"):
    """End the round at that turn."""

    round: int
    placed: int


Ahead = RollAhead | PlaceAhead | ShanghaiAhead


def _placed(view: View) -> int:
    """Return the number of own dice placed in this round."""
    return 0 if view.seat is None else sum(view.placed[view.seat])


def _next_turn(view: View) -> int | None:
    """Return the number of dice placed when the next turn begins; None if nothing can be decided ahead now."""
    if view.seat is None or view.mover == OVER or not view.row:
        return None
    is_placing = view.turn == view.seat and view.step != "turn"
    return _placed(view) + is_placing


def _turns(placed: int) -> list[str]:
    """Return the possible turns that begin with so many own dice placed (S4, S5)."""
    turns = ["roll"] if placed <= _DICE - 2 else []
    return [*turns, "shanghai"] if placed >= 2 else turns


def choices(words: Words, view: View) -> dict[str, Any] | None:
    """Return the turns that can be chosen for the next turn and the one after, and the rows of the form."""
    first = _next_turn(view)
    if first is None:
        return None
    after = first + 1
    return {
        "first": {turn: words.say(_TURNS[turn]) for turn in _turns(first)},
        "after": {turn: words.say(_TURNS[turn]) for turn in _turns(after)} if after <= _DICE else {},
        "places": range(MOST_PLACINGS if "roll" in _turns(first) else 0),
        "dice": {die: _caption(words, view, die) for die in range(1, ROW + 1)},
    }


_TURNS: Final = {"roll": mark("roll"), "shanghai": mark("shanghai")}


def _caption(words: Words, view: View, die: int) -> str:
    """Return a die, with the card that it would lie on once that is decided (S7)."""
    if view.one_at is None:
        return str(die)
    return words.say("{die} – {card}", die=die, card=phrases.card(words, phrases.card_at(view, die)))


def given(form: Mapping[str, str], view: View) -> tuple[Ahead, ...]:
    """Return the moves of a form: of ``first``, the placings ``die0`` and ``other0`` …, and ``after``."""
    first = _next_turn(view)
    if first is None:
        raise Refusal("S4", "Nothing can be given ahead just now.")
    moves: list[Ahead] = _turn_of(form.get("first", ""), view.round, first)
    for place in range(MOST_PLACINGS):
        die, other = (_die(form.get(f"{name}{place}", "")) for name in ("die", "other"))
        if die is not None:
            moves.append(PlaceAhead(view.round, first, die, other))
    return (*moves, *_turn_of(form.get("after", ""), view.round, first + 1))


def _turn_of(name: str, round_: int, placed: int) -> list[Ahead]:
    if name == "roll":
        return [RollAhead(round_, placed)]
    return [ShanghaiAhead(round_, placed)] if name == "shanghai" else []


def _die(text: str) -> int | None:
    if not text:
        return None
    if text not in "123456" or len(text) != 1:
        raise Refusal("S6", "A die shows 1 to 6.")
    return int(text)


def check(view: View, moves: Sequence[Ahead]) -> None:
    """Raise Refusal unless the moves can be given ahead together."""
    first = _next_turn(view)
    if first is None:
        raise Refusal("S4", "Nothing can be given ahead just now.")
    if not moves:
        raise Refusal("S4", "Choose at least one move.")
    if any(move.round != view.round or move.placed not in (first, first + 1) for move in moves):
        raise Refusal("S4", "Moves can be given ahead for your next two turns of this round.")
    if sum(isinstance(move, PlaceAhead) for move in moves) > MOST_PLACINGS:
        raise Refusal("S6", "At most {most} placings can be given ahead.", most=MOST_PLACINGS)
    for placed in (first, first + 1):
        turns = [move for move in moves if move.placed == placed and not isinstance(move, PlaceAhead)]
        if len(turns) > 1:
            raise Refusal("S4", "A turn is either a roll or a shanghai.")
        _check_turn(turns[0] if turns else None, placed)
        shanghais = any(isinstance(move, ShanghaiAhead) for move in turns)
        if shanghais and any(move.placed >= placed for move in moves if move not in turns):
            raise Refusal("S4", "“Shanghai!” ends the round: nothing can follow it.")
    _check_placings([move for move in moves if isinstance(move, PlaceAhead)])


def _check_turn(turn: Ahead | None, placed: int) -> None:
    """Raise Refusal unless a turn that begins with so many own dice placed can be this one."""
    if isinstance(turn, RollAhead) and "roll" not in _turns(placed):
        raise Refusal("S5", "You will have fewer than two dice left: then you must call “Shanghai!”.")
    if isinstance(turn, ShanghaiAhead) and "shanghai" not in _turns(placed):
        raise Refusal("S4", "You can call “Shanghai!” only after placing at least two of your own dice.")


def _check_placings(placings: Sequence[PlaceAhead]) -> None:
    for placing in placings:
        if not all(1 <= die <= ROW for die in (placing.die, placing.other or 1)):
            raise Refusal("S6", "A die shows 1 to 6.")
        if "roll" not in _turns(placing.placed):
            raise Refusal("S5", "You will have fewer than two dice left: then you must call “Shanghai!”.")


def choose(view: View, moves: Sequence[Move], ahead: tuple[Ahead, ...]) -> AheadChoice:
    """Return what is to be played now, by the round and the number of own dice placed."""
    if view.seat is None or view.mover == OVER or not ahead:
        return AheadChoice()
    round_, placed = ahead[0].round, _placed(view)
    if view.round != round_:
        # The other seat has ended the round, so this one begins the next (S10); what was given for it is no use.
        return AheadChoice(missed=bool(moves) and view.starter == view.seat and view.round == round_ + 1)
    if any(move.placed < placed for move in ahead):
        return AheadChoice()  # the person has decided by hand
    if not moves:
        return AheadChoice(left=ahead)
    here = [move for move in ahead if move.placed == placed]
    if view.step == "turn":
        return _choose_turn(here, ahead)
    if view.step == "place" and view.one_at is not None and view.roll is not None and here:
        return _choose_placing(view.roll, here, ahead)
    return AheadChoice(left=ahead)


def _choose_turn(here: Sequence[Ahead], ahead: tuple[Ahead, ...]) -> AheadChoice:
    for move in here:
        if isinstance(move, RollAhead):
            return AheadChoice(Roll(), tuple([other for other in ahead if other != move]))
        if isinstance(move, ShanghaiAhead):
            return AheadChoice(Shanghai())
    return AheadChoice(left=ahead)


def _choose_placing(roll: tuple[int, int], here: Sequence[Ahead], ahead: tuple[Ahead, ...]) -> AheadChoice:
    """Return the first placing that fits the roll, or that none does."""
    if any(isinstance(move, ShanghaiAhead) for move in here):
        return AheadChoice()  # the person has rolled by hand instead
    placings = [move for move in here if isinstance(move, PlaceAhead)]
    later = tuple([move for move in ahead if move not in here])
    for move in placings:
        if move.fits(roll):
            return AheadChoice(Place(move.die), later)
    return AheadChoice(missed=True) if placings else AheadChoice(left=later)


def describe(words: Words, view: View, ahead: Sequence[Ahead]) -> list[str]:
    """Return a sentence for each move given ahead."""
    first = _next_turn(view)
    return [_describe(words, move, is_next=first is None or move.placed <= first) for move in ahead]


def _describe(words: Words, move: Ahead, *, is_next: bool) -> str:
    match move:
        case PlaceAhead(_, _, die, None):
            return words.say("If a {die} is rolled, place it.", die=die)
        case PlaceAhead(_, _, die, other):
            return words.say("If the dice are {die} and {other}, place the {die}.", die=die, other=other)
        case RollAhead() if is_next:
            return words.say("At your next turn: roll.")
        case RollAhead():
            return words.say("At the turn after that: roll.")
        case _ if is_next:
            return words.say("At your next turn: shanghai.")
        case _:
            return words.say("At the turn after that: shanghai.")


AHEAD: Final = AheadPart(Ahead, choices, given, check, choose, describe)
