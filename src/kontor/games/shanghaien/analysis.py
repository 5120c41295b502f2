"""Positions of Shanghaien as text, at any moment of a round.

Nothing is hidden, so the text is complete. The cards still to come, and those that left the game, follow from the
cards elsewhere.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from kontor.analysis.adapter import AnalysisAdapter, BadPosition, impossible
from kontor.game import CHANCE, Value
from kontor.games.shanghaien.rules.components import ROUNDS, ROW, SAILORS, Card, End, whole_deck
from kontor.games.shanghaien.rules.scoring import Crew
from kontor.games.shanghaien.rules.state import NOBODY_PLACED, NOT_SPENT, Numbers, Options, State, Step, start
from kontor.games.shanghaien.rules.view import View

_BY_CHANCE: Final = ("row", "roll", "reroll")


class Setup(Value, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A position; its fields are those of the state."""

    round: int
    starter: int
    turn: int
    step: Step
    row: tuple[Card, ...]
    one_at: End | None
    placed: tuple[Numbers, Numbers]
    roll: tuple[int, int] | None
    spent: tuple[bool, bool]
    crews: tuple[Crew, Crew]
    gone: tuple[Card, ...]


def setup_of(state: State) -> Setup | None:
    """Return the position, or None for a game that has not begun, or is over."""
    if state.step in ("starter", "over") or state == start(state.options):
        return None
    assert state.starter is not None
    return Setup(
        state.round,
        state.starter,
        state.turn,
        state.step,
        state.row,
        state.one_at,
        state.placed,
        state.roll,
        state.spent,
        state.crews,
        tuple(sorted(state.gone)),
    )


def state_of(setup: Setup, options: Options) -> State:
    """Return the state of a position. Raises BadPosition, BadOptions."""
    begun = start(options)
    if setup.step in ("starter", "over"):
        raise impossible("S3")
    _check_turn(setup)
    _check_dice(setup)
    first = () if options.first_trick is None else (options.first_trick,) * 2  # beside the deck (S3a)
    to_come = _to_come(setup, whole_deck(options.tricks), first)
    return State(
        mover=CHANCE if setup.step in _BY_CHANCE else setup.turn,
        step=setup.step,
        turn=setup.turn,
        placed=setup.placed,
        roll=setup.roll,
        spent=setup.spent,
        one_at=setup.one_at,
        row=setup.row,
        crews=setup.crews,
        round=setup.round,
        starter=setup.starter,
        to_come=to_come,
        gone=setup.gone,
        awards=(),
        awards_one_at=None,
        options=begun.options,
    )


def _check_turn(setup: Setup) -> None:
    if not 1 <= setup.round <= ROUNDS:
        raise impossible("S3")
    if setup.starter not in (0, 1) or setup.turn not in (0, 1):
        raise impossible("S1")
    if setup.step == "row":
        if (setup.row, setup.placed, setup.spent, setup.one_at, setup.turn) != (
            (),
            NOBODY_PLACED,
            NOT_SPENT,
            None,
            setup.starter,
        ):
            raise impossible("S10")
    elif len(setup.row) != ROW:
        raise BadPosition("S3", "Six cards lie in the tavern, not {count}.", count=len(setup.row))


def _check_dice(setup: Setup) -> None:
    own_dice, other_dice = (sum(setup.placed[seat]) for seat in (setup.turn, 1 - setup.turn))
    if min(map(min, setup.placed)) < 0 or max(own_dice, other_dice) > ROW:
        raise impossible("S6")
    # They take turns, and each turn places one die; with a trick card, once a round, both (S8c).
    ahead = setup.turn != setup.starter
    more = [
        other_dice - own_dice - ahead + extra - other
        for extra in range(setup.spent[setup.turn] + 1)
        for other in range(setup.spent[1 - setup.turn] + 1)
    ]
    if 0 not in more:
        raise BadPosition("S6", "The captains take turns, and each places one die: these dice do not go together.")
    if (setup.one_at is not None) != bool(own_dice + other_dice) and not (
        setup.step in ("place", "roll", "reroll") and setup.one_at and not own_dice + other_dice
    ):
        raise BadPosition("S7", "Decide where the 1 is before placing a die.")
    rolled = setup.step in ("place", "both")
    if rolled != (setup.roll is not None):
        raise impossible("S6")
    if setup.roll and not 1 <= setup.roll[0] <= setup.roll[1] <= ROW:
        raise impossible("S6")
    if setup.step != "turn" and setup.step != "row" and own_dice > ROW - 2:
        raise impossible("S5")
    if setup.step in ("both", "reroll") and not setup.spent[setup.turn]:
        raise impossible("S8")
    if setup.step == "both" and setup.one_at:
        raise BadPosition("S7", "Decide where the 1 is before placing a die.")


def _to_come(setup: Setup, deck: tuple[Card, ...], first: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the cards still to come. Raises BadPosition where a card lies twice."""
    for crew in setup.crews:
        if not set(crew.sailors) <= set(SAILORS) or crew.tricks != tuple(sorted(crew.tricks)):
            raise impossible("S2")
        if any(joker.nation not in crew.nations for joker in crew.jokers):
            raise BadPosition("S8a", "A joker is laid with own sailors of its nation.")
    if setup.gone != tuple(sorted(setup.gone)):
        raise impossible("S2")
    left = Counter((*deck, *first))
    for card in (
        *setup.row,
        *setup.gone,
        *(card for crew in setup.crews for card in (*crew.sailors, *crew.tricks)),
        *(joker.trick for crew in setup.crews for joker in crew.jokers),
    ):
        left[card] -= 1
        if left[card] < 0:
            raise BadPosition("S2", "There are not so many cards “{card}”.", card=card[:10])
    laid = setup.round if setup.row else setup.round - 1
    to_come = tuple(sorted(left.elements()))
    if len(to_come) != len(deck) - ROW * laid:
        raise BadPosition(
            "S3", "In round {round} {count} cards are still to come.", round=setup.round, count=len(deck) - ROW * laid
        )
    return to_come


# ------------------------------------------------------------------------------------------------- what is learned

_OFF: Final = {2: 0.008, 3: 0.013, 4: 0.011, 5: 0.031, 6: 0.041, 7: 0.077, 8: 0.062}
"""Errors of the chances at the start of a round: the root of the mean square.

Measured by ``python -m training gauge shanghaien --effort 0.7 --seed 3``.
"""


def learned_error(view: View) -> float | None:
    """Return the error of the chances by which moves are valued, or None if they are exact.

    The moves of a round are valued by the start of the next; before the row is laid, by its own start.
    """
    return _OFF.get(view.round + 1 if view.row else max(2, view.round))


def essence(view: View) -> tuple[Any, ...]:
    """Return the parts of a view that matter, from its seat's side.

    Left out are the seat's number, the end of the 1, and which of the cards that do not lie on the table are still to
    come.
    """
    seat = view.seat or 0
    sides = (seat, 1 - seat)
    row, mirrored = view.row, view.row[::-1]
    row = mirrored if view.one_at == "right" else row if view.one_at else min(row, mirrored)
    return (
        *(view.step, view.round, row, view.one_at is None, view.roll, view.turn == seat, view.starter == seat),
        *((view.placed[side], view.spent[side]) for side in sides),
        *((sorted(view.crews[side].sailors), view.crews[side].tricks) for side in sides),
        *(sorted(joker.nation for joker in view.crews[side].jokers) for side in sides),
    )


ADAPTER: Final = AnalysisAdapter(Setup, setup_of, state_of, essence=essence, learned_error=learned_error)
