"""View of a seat of Shanghaien: everything but what chance has not done yet.

The order of the cards still to come is not known to anybody, the program included; so every view holds the same, and
exactly one state lies behind it.
"""

from __future__ import annotations

from kontor.game import OVER, Below, Event, Result, Value
from kontor.games.shanghaien.rules.components import Card, End
from kontor.games.shanghaien.rules.play import result
from kontor.games.shanghaien.rules.scoring import Crew
from kontor.games.shanghaien.rules.state import Award, Move, Numbers, Options, Outcome, State, Step


class View(Value, frozen=True):
    """The table as ``seat`` sees it (None is a spectator). Fields are those of the state; ``to_come`` is sorted."""

    seat: int | None
    mover: int
    step: Step
    turn: int
    placed: tuple[Numbers, Numbers]
    roll: tuple[int, int] | None
    spent: tuple[bool, bool]
    one_at: End | None
    row: tuple[Card, ...]
    crews: tuple[Crew, Crew]
    round: int
    starter: int | None
    to_come: tuple[Card, ...]
    gone: tuple[Card, ...]
    awards: tuple[Award, ...]
    awards_one_at: End | None
    options: Options
    result: Result | None


def view(state: State, seat: int | None) -> View:
    """Return the state as a seat, or a spectator, may know it."""
    return View(
        seat=seat,
        mover=state.mover,
        step=state.step,
        turn=state.turn,
        placed=state.placed,
        roll=state.roll,
        spent=state.spent,
        one_at=state.one_at,
        row=state.row,
        crews=state.crews,
        round=state.round,
        starter=state.starter,
        to_come=state.to_come,
        gone=state.gone,
        awards=state.awards,
        awards_one_at=state.awards_one_at,
        options=state.options,
        result=result(state),
    )


def event(before: State, action: Move | Outcome, after: State, seat: int | None) -> Event:
    """Return one step, the same for every viewer. After *shanghai* the awards say what happened (S9)."""
    ended = after.round != before.round or after.mover == OVER
    return Event(before.mover, action, after.awards if ended else ())


def imagine(view: View, below: Below) -> State:
    """Return the only state that agrees with a view."""
    return State(
        mover=view.mover,
        step=view.step,
        turn=view.turn,
        placed=view.placed,
        roll=view.roll,
        spent=view.spent,
        one_at=view.one_at,
        row=view.row,
        crews=view.crews,
        round=view.round,
        starter=view.starter,
        to_come=view.to_come,
        gone=view.gone,
        awards=view.awards,
        awards_one_at=view.awards_one_at,
        options=view.options,
    )
