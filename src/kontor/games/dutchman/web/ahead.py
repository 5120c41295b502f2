"""Moves given ahead in Der fliegende Holländer: an action, passing in a deciding round, and a destination."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from kontor.game import Refusal, Value
from kontor.games.dutchman import words as phrases
from kontor.games.dutchman.rules import Move
from kontor.games.dutchman.rules.components import Horseshoes
from kontor.games.dutchman.rules.horseshoes import can_lay, split
from kontor.games.dutchman.rules.state import Lay, Name, Pass, Sail
from kontor.games.dutchman.rules.view import View
from kontor.games.dutchman.web.hand import describe_horseshoe, destinations, in_play, numbered
from kontor.games.dutchman.web.moves import move_of
from kontor.web.ahead import AheadChoice, AheadPart
from kontor.words import Words

LUCKY: Final = range(21, 50, 2)
"""The lucky numbers (H1)."""

LuckyNumber = Annotated[int, Meta(ge=LUCKY[0], le=LUCKY[-1])]


class PassAhead(Value, frozen=True, tag="pass", tag_field="ahead"):
    """Pass in a round: as the action (H6d), or in its deciding rounds (H10)."""

    round: int
    step: Literal["action", "again"]


class LayAhead(Value, frozen=True, tag="lay", tag_field="ahead"):
    """Lay horseshoes in a round, if its lucky number is from ``low`` to ``high`` (H6c)."""

    round: int
    horseshoes: Horseshoes
    low: LuckyNumber = LUCKY[0]
    high: LuckyNumber = LUCKY[-1]


class SailAhead(Value, frozen=True, tag="sail", tag_field="ahead"):
    """Name this destination, or sail there, as long as the Dutchman lies where he was in this round (H8, H9)."""

    round: int
    at: str
    to: str


Ahead = PassAhead | LayAhead | SailAhead


def _next_action(view: View) -> int | None:
    """Return the round in which the next action of the seat is due; None if it has none to come."""
    if view.seat is None or in_play(view) is None:
        return None
    return view.round if _acts_in_this_round(view) else view.round + 1


def _acts_in_this_round(view: View) -> bool:
    """Return True if the seat's action of this round is still to come."""
    if view.seat not in view.order or view.revealed or view.rolls or view.step in ("show", "check", "rolling"):
        return False
    return view.players[view.seat].action is None


def choices(words: Words, view: View) -> dict[str, Any] | None:
    """Return what the form offers: the round of the action, the rack, the lucky numbers, and the destinations."""
    round_ = _next_action(view)
    if round_ is None:
        return None
    is_lucky_known = round_ == view.round and view.lucky is not None
    return {
        "action_round": round_,
        "may_pass": len(view.rack) < view.options.box.few,
        "shoes": [
            (shoe, nth, describe_horseshoe(words, shoe, nth, every)) for shoe, nth, every in numbered(view.rack)
        ],
        "lucky": () if is_lucky_known else LUCKY,
        "fields": {place.name: phrases.field(words, view.options.chart, place.name) for place in destinations(view)},
    }


def given(form: Mapping[str, str], view: View) -> tuple[Ahead, ...]:
    """Return the moves of a form: of ``action`` (``pass`` or ``lay``, with ``shoe``), ``again`` and ``to``."""
    round_ = _next_action(view)
    if round_ is None:
        raise Refusal("H6", "Nothing can be given ahead just now.")
    moves: list[Ahead] = []
    match form.get("action"):
        case "pass":
            moves.append(PassAhead(round_, "action"))
        case "lay":
            low, high = (_number(form.get(name, "")) for name in ("low", "high"))
            lay = move_of({"move": "lay", "shoe": form.get("shoe", "")})
            assert isinstance(lay, Lay)
            moves.append(LayAhead(round_, lay.horseshoes, low or LUCKY[0], high or LUCKY[-1]))
        case _ if form.get("shoe"):
            raise Refusal("H6c", "Choose “play these horseshoes” to play them.")
    if form.get("again") == "pass":
        moves.append(PassAhead(view.round, "again"))
    if form.get("to"):
        moves.append(SailAhead(view.round, view.dutchman, form["to"]))
    return tuple(moves)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else 0


def check(view: View, moves: Sequence[Ahead]) -> None:
    """Raise Refusal unless the moves can be given ahead together."""
    round_ = _next_action(view)
    if round_ is None:
        raise Refusal("H6", "Nothing can be given ahead just now.")
    if not moves:
        raise Refusal("H6", "Choose at least one move.")
    actions = [move for move in moves if _is_action(move)]
    if len(actions) > 1 or len(moves) > len(actions) + len({type(move) for move in moves if move not in actions}):
        raise Refusal("H6", "For each decision only one move can be given ahead.")
    for move in moves:
        match move:
            case PassAhead(at, "again"):
                _check_round(at, view.round)
            case PassAhead(at):
                _check_round(at, round_)
                _check_pass(view)
            case LayAhead(at):
                _check_round(at, round_)
                _check_lay(view, move)
            case SailAhead(at):
                _check_round(at, view.round)
                _check_destination(view, move)


def _is_action(move: Ahead) -> bool:
    return isinstance(move, LayAhead) or (isinstance(move, PassAhead) and move.step == "action")


def _check_round(at: int, due: int) -> None:
    if at != due:
        raise Refusal("H6", "This can be given ahead for round {round} only.", round=due)


def _check_pass(view: View) -> None:
    few = view.options.box.few
    if len(view.rack) >= few:
        raise Refusal("H6d", "You can pass only with fewer than {few} horseshoes.", few=few)


def _check_lay(view: View, move: LayAhead) -> None:
    if not move.horseshoes or not can_lay(move.horseshoes, *split(view.rack)):
        raise Refusal("H6c", "These horseshoes cannot be played: at most one golden one, and only your own.")
    if move.low > move.high:
        raise Refusal(
            "H5", "The lucky number cannot be at least {low} and at most {high}.", low=move.low, high=move.high
        )


def _check_destination(view: View, move: SailAhead) -> None:
    if move.at != view.dutchman or move.to not in view.ahead:
        raise Refusal("H8", "The Dutchman cannot sail there from where he is now.")


def choose(view: View, moves: Sequence[Move], ahead: tuple[Ahead, ...]) -> AheadChoice:
    """Return what is to be played now, by the round and the place of the Dutchman."""
    left = tuple([move for move in ahead if _is_to_come(view, move)])
    for given_move in left if moves else ():
        move = _move_now(view, given_move)
        if move is None:
            continue
        if not _fits(view, given_move) or move not in moves:
            return AheadChoice(missed=True)
        return AheadChoice(move, tuple([other for other in left if other != given_move]))
    return AheadChoice(left=left)


def _is_to_come(view: View, move: Ahead) -> bool:
    """Return True if the decision for which a move was given can still come."""
    if in_play(view) is None:
        return False
    match move:
        case SailAhead(round_, at):
            return view.dutchman == at and view.round <= round_ + 1
        case PassAhead(round_, "again"):
            return view.round == round_
        case PassAhead(round_) | LayAhead(round_):
            return view.round < round_ or (view.round == round_ and _acts_in_this_round(view))


def _move_now(view: View, move: Ahead) -> Move | None:
    """Return the move that was given ahead for this decision; None if it was given for another."""
    match move:
        case SailAhead(_, _, to):
            if view.step == "sail":
                return Sail(to)
            return Name(to) if view.step == "name" else None
        case PassAhead(round_, step):
            return Pass() if view.step == step and view.round == round_ else None
        case LayAhead(round_, horseshoes):
            return Lay(horseshoes) if view.step == "action" and view.round == round_ else None


def _fits(view: View, move: Ahead) -> bool:
    if not isinstance(move, LayAhead) or view.lucky is None:
        return True
    return move.low <= view.lucky <= move.high


def describe(words: Words, view: View, ahead: Sequence[Ahead]) -> list[str]:
    """Return a sentence for each move given ahead."""
    return [_describe(words, view, move) for move in ahead]


def _describe(words: Words, view: View, move: Ahead) -> str:
    match move:
        case SailAhead(_, _, to):
            place = phrases.field(words, view.options.chart, to)
            return words.say("If you say where the Dutchman goes: {field}.", field=place)
        case PassAhead(round_, "again"):
            return words.say("In a deciding round of round {round}: pass.", round=round_)
        case PassAhead(round_):
            return words.say("In round {round}: pass.", round=round_)
        case LayAhead(round_, shoes, low, high) if (low, high) == (LUCKY[0], LUCKY[-1]):
            return words.say("In round {round}: play {shoes}.", round=round_, shoes=phrases.plain(shoes))
        case LayAhead(round_, shoes, low, high):
            return words.say(
                "In round {round}: play {shoes}, if the lucky number is from {low} to {high}.",
                round=round_,
                shoes=phrases.plain(shoes),
                low=low,
                high=high,
            )


AHEAD: Final = AheadPart(Ahead, choices, given, check, choose, describe)
