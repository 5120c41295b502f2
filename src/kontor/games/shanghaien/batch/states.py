"""Conversion of a row of bytes to a state of the rules engine, and back; the same for outcomes of chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

from kontor.batch.arrays import GameRow
from kontor.game import CHANCE, OVER
from kontor.games.shanghaien.batch.layout import LAYOUT, MOST_SAILORS, MOST_TRICKS, NONE, STEPS
from kontor.games.shanghaien.rules.components import NATIONS, ROW, TRICKS, Card, End, Trick
from kontor.games.shanghaien.rules.numbering import CARD, CARDS
from kontor.games.shanghaien.rules.scoring import Crew, LaidJoker
from kontor.games.shanghaien.rules.state import Award, Dice, Numbers, Options, Outcome, Row, Starter, State

_ENDS: Final[tuple[End | None, ...]] = (None, "left", "right")
_CHANCES: Final = ("starter", "row", "roll", "reroll")


def read(row: GameRow, options: Options) -> State:
    """Return the state that a row holds."""
    held = LAYOUT.numbers(row)
    step = STEPS[held["step"]]
    low, high = held["roll"]
    one, other = held["placed"]
    return State(
        mover=OVER if step == "over" else CHANCE if step in _CHANCES else held["turn"],
        step=step,
        turn=held["turn"],
        placed=(cast("Numbers", tuple(one)), cast("Numbers", tuple(other))),
        roll=(low, high) if low else None,
        spent=(bool(held["spent"][0]), bool(held["spent"][1])),
        one_at=_ENDS[held["one_at"]],
        row=() if held["row"][0] == NONE else _cards(held["row"]),
        crews=(_crew(held, 0), _crew(held, 1)),
        round=held["round"],
        starter=None if held["starter"] == NONE else held["starter"],
        to_come=tuple(sorted(_cards(held["pile"][: held["left"]]))),
        gone=_cards(held["gone"][: held["left_game"]]),
        awards=() if held["award_card"][0] == NONE else tuple([_award(held, at) for at in range(ROW)]),
        awards_one_at=_ENDS[held["award_one_at"]],
        options=options,
    )


def _cards(numbers: Sequence[int]) -> tuple[Card, ...]:
    return tuple([CARDS[number] for number in numbers])


def _crew(held: dict[str, Any], seat: int) -> Crew:
    nudge, both, reroll = held["tricks"][seat]
    return Crew(
        sailors=_cards(held["sailors"][seat][: held["recruits"][seat]]),
        jokers=tuple([_JOKERS[joker] for joker in held["jokers"][seat][: held["laid"][seat]]]),
        tricks=(*_BOTH * both, *_NUDGE * nudge, *_REROLL * reroll),
    )


_BOTH: Final[tuple[Trick, ...]] = ("both",)
_NUDGE: Final[tuple[Trick, ...]] = ("nudge",)
_REROLL: Final[tuple[Trick, ...]] = ("reroll",)
_JOKERS: Final = tuple(LaidJoker(trick, nation) for trick in TRICKS for nation in NATIONS)


def _award(held: dict[str, Any], at: int) -> Award:
    first, second = held["award_dice"][at]
    pips, rival_pips = held["award_pips"][at]
    taker = held["award_taker"][at]
    return Award(
        CARDS[held["award_card"][at]],
        (first, second),
        None if pips == NONE else (pips, rival_pips),
        None if taker == NONE else taker,
    )


def write(state: State) -> GameRow:
    """Return the row that holds a state; unused places of its fields are 0."""
    held: dict[str, list[int]] = {}
    held["step"] = [STEPS.index(state.step)]
    held["turn"] = [state.turn]
    held["roll"] = list(state.roll or (0, 0))
    held["spent"] = [*map(int, state.spent)]
    held["one_at"] = [_ENDS.index(state.one_at)]
    held["round"] = [state.round]
    held["starter"] = [NONE if state.starter is None else state.starter]
    held["row"] = [CARD[card] for card in state.row] or [NONE] * ROW
    held["placed"] = [*state.placed[0], *state.placed[1]]
    held["dice"] = [sum(numbers) for numbers in state.placed]
    held["left"] = [len(state.to_come)]
    held["pile"] = [CARD[card] for card in state.to_come]
    held["left_game"] = [len(state.gone)]
    held["gone"] = [CARD[card] for card in state.gone]
    held["award_card"] = [CARD[award.card] for award in state.awards] or [NONE] * ROW
    if state.awards:
        held["award_dice"] = [dice for award in state.awards for dice in award.dice]
        held["award_pips"] = [pips for award in state.awards for pips in award.pips or (NONE, NONE)]
        held["award_taker"] = [NONE if award.taker is None else award.taker for award in state.awards]
    held["award_one_at"] = [_ENDS.index(state.awards_one_at)]
    for name in ("tricks", "nations", "strength", "recruits", "sailors", "laid", "jokers"):
        held[name] = [number for crew in state.crews for number in _crew_held(crew, name)]
    return LAYOUT.row(held)


def _pad_numbers(numbers: list[int], size: int) -> list[int]:
    return numbers + [0] * (size - len(numbers))


def _crew_held(crew: Crew, name: str) -> list[int]:
    match name:
        case "tricks":
            return [crew.tricks.count(trick) for trick in TRICKS]
        case "nations":
            return [sum(1 << NATIONS.index(nation) for nation in crew.nations)]
        case "strength":
            return [crew.strength(nation) for nation in NATIONS]
        case "recruits":
            return [len(crew.sailors)]
        case "sailors":
            return _pad_numbers([CARD[card] for card in crew.sailors], MOST_SAILORS)
        case "laid":
            return [len(crew.jokers)]
        case _:
            return _pad_numbers([_JOKERS.index(joker) for joker in crew.jokers], MOST_TRICKS)


def outcome_row(outcome: Outcome) -> bytes:
    """Return an outcome of chance in the form that kernels read: six cards, two dice, or a seat."""
    match outcome:
        case Row(cards):
            return bytes([CARD[card] for card in cards])
        case Dice(low, high):
            return bytes([low, high])
        case Starter(seat):
            return bytes([seat])


def outcome_of(before: State, after: State) -> Outcome:
    """Return the outcome of chance between two states."""
    if before.step == "row":
        return Row(after.row)
    if before.step == "starter":
        return Starter(after.turn)
    assert after.roll is not None
    return Dice(*after.roll)
