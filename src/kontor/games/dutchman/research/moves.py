"""Lays and proposals, which are several steps each, and the names of steps."""

from __future__ import annotations

from collections.abc import Sequence

from kontor.environments.encoders import Steps
from kontor.games.dutchman.research.steps import (
    DUCATS,
    FIRST_SILVER,
    GOLD,
    LAY,
    NAME,
    PAIRS,
    PLAIN,
    PUT,
    SAIL,
    SHOW,
    SILVER,
    SILVERS,
    TO,
)
from kontor.games.dutchman.rules import DUTCHMAN, State
from kontor.games.dutchman.rules.components import COLOURS, MOST_SILVER, Horseshoes
from kontor.games.dutchman.rules.state import Lay, Withhold


def silver_in_rack(state: State) -> list[int]:
    """Return the kinds of silver that the mover has."""
    silver = state.merchants[state.mover].silver.horseshoes
    return [kind for kind in SILVER if kind in silver]


def first_steps(state: State) -> list[int]:
    """Return the possible first steps of the mover in an action, or in a deciding round."""
    merchant = state.merchants[state.mover]
    moves = DUTCHMAN.moves(state)
    plain = [step for step in range(PLAIN.index(Withhold())) if PLAIN[step] in moves]
    gold = [LAY + 1 + GOLD.index(horseshoe) for horseshoe in merchant.gold]
    return plain + [LAY] * bool(merchant.silver.horseshoes) + sorted(gold)


def next_horseshoes(state: State, begun: Steps) -> list[int]:
    """Return the steps that lay 0 or more of the next kind of silver.

    Of the last kind it is at least one, if there is nothing in the lay yet.
    """
    kinds = silver_in_rack(state)
    kind = kinds[len(begun) - 1]
    count = state.merchants[state.mover].silver.horseshoes.count(kind)
    last = kind == kinds[-1]
    return [SILVERS[kind] + laid for laid in range(last and not lay_by(begun).horseshoes, count + 1)]


def lay_by(begun: Steps) -> Lay:
    """Return the lay so far."""
    gold = GOLD[begun[0] - LAY - 1 : begun[0] - LAY] if begun[0] > LAY else ()
    return Lay((*gold, *[kind for step in begun[1:] for kind in _kind_and_count(step)]))


def _kind_and_count(step: int) -> tuple[int, ...]:
    """Return the horseshoes that a step lays."""
    kind = next(kind for kind in reversed(SILVER) if step >= SILVERS[kind])
    return (kind,) * (step - SILVERS[kind])


def first_of(lay: Horseshoes) -> int:
    """Return the step that begins a lay."""
    return LAY + 1 + GOLD.index(lay[0]) if lay[0] > MOST_SILVER else LAY


def given_by(begun: Steps, most: int) -> list[int]:
    """Return the ducats that each tied player gets or pays by the proposal so far.

    ``most`` is the most ducats that anybody can have.
    """
    return [step - DUCATS - most for step in begun[1:]]


def action_name(step: int, fields: Sequence[str], most: int) -> str:
    """Return a step of a move in English, with the names of the fields.

    ``most`` is the most ducats that anybody can have. On a small chart some steps have no field.
    """
    if step < SHOW:
        return type(PLAIN[step]).__name__.lower()
    if step < PUT:
        return f"show {COLOURS[step - SHOW]}"
    if step < SAIL:
        return f"put {' and '.join(PAIRS[step - PUT])}"
    if step < NAME:
        return f"sail to {_field(fields, step - SAIL)}"
    if step < LAY:
        return f"name {_field(fields, step - NAME)}"
    if step < FIRST_SILVER:
        return f"lay {GOLD[step - LAY - 1]} and silver" if step > LAY else "lay silver"
    for kind in reversed(SILVER):
        if SILVERS[kind] <= step < TO:
            return f"{step - SILVERS[kind]} of silver {kind}"
    if step < DUCATS:
        return f"propose {_field(fields, step - TO)}"
    change = step - DUCATS - most
    return f"gets {change}" if change >= 0 else f"pays {-change}"


def _field(fields: Sequence[str], place: int) -> str:
    return fields[place] if place < len(fields) else f"field {place}, which the chart does not have"
