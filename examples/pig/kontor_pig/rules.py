"""The rules of Pig (P1 to P6), as pure functions."""

from typing import Final

from msgspec.structs import replace

from kontor.game import CHANCE, OVER, BadOptions, Chance, Die, IllegalMove, Result, Starter, Value, is_malformed
from kontor.open_game import open_game


class Options(Value, frozen=True, forbid_unknown_fields=True):
    """The number of players, the points to win, and the seat that starts (None: drawn at random)."""

    players: int = 2
    goal: int = 100
    starter: int | None = None


class Roll(Value, frozen=True, tag="roll", tag_field="move"):
    """Roll the die (P2)."""


class Hold(Value, frozen=True, tag="hold", tag_field="move"):
    """Keep what was rolled in this turn (P4)."""


class Rolled(Value, frozen=True, tag="rolled", tag_field="chance"):
    """The number on the die (P2, P3)."""

    pips: int


Move = Roll | Hold
Outcome = Starter | Rolled


class State(Value, frozen=True):
    """A game of Pig. It is the ``turn`` of a seat, which has rolled ``total`` in it; the die shows ``pips``."""

    mover: int
    turn: int
    starter: int | None
    points: tuple[int, ...]
    options: Options
    round: int = 1
    total: int = 0
    pips: int = 0


class View(State, frozen=True):
    """The table as ``seat`` sees it (None is a spectator): everything."""

    seat: int | None = None
    result: Result | None = None


def start(options: Options) -> State:
    """Return the first state (P1). Raises BadOptions."""
    players, goal, starter = options.players, options.goal, options.starter
    fits = not is_malformed(options, Options) and 2 <= players <= 4 and 20 <= goal <= 500
    if not fits or (starter is not None and starter not in range(players)):
        raise BadOptions("P1", "Two to four play, one of them starts, and it goes to 20 to 500 points.")
    return State(CHANCE if starter is None else starter, starter or 0, starter, (0,) * players, options)


def moves(state: State) -> tuple[Move, ...]:
    """Return the legal moves: a turn begins with a roll (P2); a seat that has rolled enough must hold (P5)."""
    if state.mover < 0:
        return ()
    enough = state.points[state.turn] + state.total >= state.options.goal
    return (Hold(),) if enough else (Roll(), Hold()) if state.total else (Roll(),)


def chance(state: State) -> Chance[Outcome]:
    """Return the chance of the next outcome: the lot for the starting player, or the die."""
    if state.starter is None:
        return Die([Starter(seat) for seat in range(state.options.players)])
    return Die([Rolled(pips) for pips in range(1, 7)])


def play(state: State, action: object) -> State:
    """Return the state after a move or an outcome. Raises IllegalMove."""
    if state.mover == OVER or action not in (chance(state) if state.mover == CHANCE else moves(state)):
        raise IllegalMove("P2", "A turn begins with a roll, and ends when enough is rolled to win.")
    match action:
        case Starter(seat):
            return replace(state, mover=seat, turn=seat, starter=seat)
        case Roll():
            return replace(state, mover=CHANCE)
        case Rolled(pips) if pips > 1:
            return replace(state, mover=state.turn, total=state.total + pips, pips=pips)
    gained = state.total if action == Hold() else 0
    points = tuple(had + gained * (seat == state.turn) for seat, had in enumerate(state.points))
    turn = (state.turn + 1) % len(points)
    number = state.round + (turn == state.starter)
    if max(points) >= state.options.goal or number > state.options.goal:
        return replace(state, mover=OVER, points=points, total=0)
    return replace(state, mover=turn, turn=turn, points=points, round=number, total=0, pips=0 if gained else 1)


def result(state: State) -> Result | None:
    """Return the result of a finished game, else None; most points win (P5, P6)."""
    winners = tuple(seat for seat, points in enumerate(state.points) if points == max(state.points))
    return Result(state.points, winners) if state.mover == OVER else None


PIG: Final = open_game(
    name="pig",
    options=Options,
    move=Move,
    outcome=Outcome,
    state=State,
    view=View,
    seats=lambda options: options.players,
    start=start,
    moves=moves,
    chance=chance,
    occasion=lambda state: ("starter",) if state.starter is None else ("roll", state.round, state.turn),
    play=play,
    result=result,
)
