"""From a row of bytes to the state of the rules engine, and back; and so for outcomes of chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from kontor.game import CHANCE, OVER
from kontor.games.shanghaien.batch.layout import (
    CARD,
    CARDS,
    DECK,
    LAYOUT,
    MOST_SAILORS,
    MOST_TRICKS,
    NONE,
    STEPS,
)
from kontor.games.shanghaien.rules.components import NATIONS, ROW, TRICKS, Card, End, Trick
from kontor.games.shanghaien.rules.scoring import Crew, LaidJoker
from kontor.games.shanghaien.rules.state import Award, Dice, Numbers, Options, Outcome, Row, Starter, State

_AT: Final = {field.name: LAYOUT.at(field.name) for field in LAYOUT.fields}
_SPAN: Final = {
    field.name: slice(LAYOUT.at(field.name), LAYOUT.at(field.name) + field.size) for field in LAYOUT.fields
}
_ENDS: Final[tuple[End | None, ...]] = (None, "left", "right")
_CHANCES: Final = ("starter", "row", "roll", "reroll")


def read(row: Sequence[int], options: Options) -> State:
    """The state that a row holds."""
    step = STEPS[row[_AT["step"]]]
    turn = row[_AT["turn"]]
    roll = row[_SPAN["roll"]]
    starter = row[_AT["starter"]]
    pile = row[_AT["pile"] : _AT["pile"] + row[_AT["left"]]]
    gone = row[_AT["gone"] : _AT["gone"] + row[_AT["left_game"]]]
    placed = row[_SPAN["placed"]]
    spent = row[_SPAN["spent"]]
    return State(
        mover=OVER if step == "over" else CHANCE if step in _CHANCES else turn,
        step=step,
        turn=turn,
        placed=(cast("Numbers", tuple(placed[:ROW])), cast("Numbers", tuple(placed[ROW:]))),
        roll=(roll[0], roll[1]) if roll[0] else None,
        spent=(bool(spent[0]), bool(spent[1])),
        one_at=_ENDS[row[_AT["one_at"]]],
        row=() if row[_AT["row"]] == NONE else _cards(row[_SPAN["row"]]),
        crews=(_crew(row, 0), _crew(row, 1)),
        round=row[_AT["round"]],
        starter=None if starter == NONE else starter,
        to_come=tuple(sorted(_cards(pile))),
        gone=_cards(gone),
        awards=() if row[_AT["award_card"]] == NONE else tuple([_award(row, at) for at in range(ROW)]),
        awards_one_at=_ENDS[row[_AT["award_one_at"]]],
        options=options,
    )


def _cards(numbers: Sequence[int]) -> tuple[Card, ...]:
    return tuple([CARDS[number] for number in numbers])


def _crew(row: Sequence[int], seat: int) -> Crew:
    sailors = _AT["sailors"] + MOST_SAILORS * seat
    jokers = _AT["jokers"] + MOST_TRICKS * seat
    tricks = _AT["tricks"] + len(TRICKS) * seat
    nudge, both, reroll = row[tricks : tricks + len(TRICKS)]
    return Crew(
        sailors=_cards(row[sailors : sailors + row[_AT["recruits"] + seat]]),
        jokers=tuple([_JOKERS[joker] for joker in row[jokers : jokers + row[_AT["laid"] + seat]]]),
        tricks=(*_BOTH * both, *_NUDGE * nudge, *_REROLL * reroll),
    )


_BOTH: Final[tuple[Trick, ...]] = ("both",)
_NUDGE: Final[tuple[Trick, ...]] = ("nudge",)
_REROLL: Final[tuple[Trick, ...]] = ("reroll",)
_JOKERS: Final = tuple(LaidJoker(trick, nation) for trick in TRICKS for nation in NATIONS)


def _award(row: Sequence[int], at: int) -> Award:
    first, second = row[_AT["award_dice"] + 2 * at : _AT["award_dice"] + 2 * at + 2]
    pips, rival_pips = row[_AT["award_pips"] + 2 * at : _AT["award_pips"] + 2 * at + 2]
    taker = row[_AT["award_taker"] + at]
    return Award(
        CARDS[row[_AT["award_card"] + at]],
        (first, second),
        None if pips == NONE else (pips, rival_pips),
        None if taker == NONE else taker,
    )


def write(state: State) -> bytes:
    """The row that holds a state. What the fields keep beyond what is set is 0."""
    held: dict[str, list[int]] = {field.name: [0] * field.size for field in LAYOUT.fields}
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
    held["pile"] = _filled([CARD[card] for card in state.to_come], DECK)
    held["left_game"] = [len(state.gone)]
    held["gone"] = _filled([CARD[card] for card in state.gone], LAYOUT.field("gone").size)
    held["award_card"] = [CARD[award.card] for award in state.awards] or [NONE] * ROW
    if state.awards:
        held["award_dice"] = [dice for award in state.awards for dice in award.dice]
        held["award_pips"] = [pips for award in state.awards for pips in award.pips or (NONE, NONE)]
        held["award_taker"] = [NONE if award.taker is None else award.taker for award in state.awards]
    held["award_one_at"] = [_ENDS.index(state.awards_one_at)]
    for name in ("tricks", "nations", "strength", "recruits", "sailors", "laid", "jokers"):
        held[name] = [number for crew in state.crews for number in _crew_held(crew, name)]
    return bytes([number for field in LAYOUT.fields for number in held[field.name]])


def _filled(numbers: list[int], size: int) -> list[int]:
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
            return _filled([CARD[card] for card in crew.sailors], MOST_SAILORS)
        case "laid":
            return [len(crew.jokers)]
        case _:
            return _filled([_JOKERS.index(joker) for joker in crew.jokers], MOST_TRICKS)


def outcome_row(outcome: Outcome) -> bytes:
    """An outcome of chance as kernels read it: six cards, two dice, or a seat."""
    match outcome:
        case Row(cards):
            return bytes([CARD[card] for card in cards])
        case Dice(low, high):
            return bytes([low, high])
        case Starter(seat):
            return bytes([seat])


def outcome_of(before: State, after: State) -> Outcome:
    """What chance did between two states."""
    if before.step == "row":
        return Row(after.row)
    if before.step == "starter":
        return Starter(after.turn)
    assert after.roll is not None
    return Dice(*after.roll)
