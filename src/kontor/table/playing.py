"""Playing: a move and the outcomes that follow it are appended to the log, in one transaction."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, delete, insert, update

from kontor.fair import FairDice
from kontor.game import CHANCE, OVER, AnyGame, shuffled
from kontor.games import game_named
from kontor.records import Record, Step, encode_line, ended
from kontor.table import clocks, states
from kontor.table.changes import Change
from kontor.table.errors import Conflict, Malformed, NotAllowed, NotNow, NotYourTurn, StoodIn
from kontor.table.rows import AnyRow, is_machine, moment, no_seat, seat_row, seat_rows, seed_of, table_row
from kontor.table.schema import seats, steps, tables
from kontor.table.states import FIRST, Standing, States, Stood
from kontor.table.values import Fair, Look, Told

_MACHINE: Final = b"kontor-machine-1"
_JUDGE: Final = b"kontor-judge-1"
"""Set what machine players and the judge draw from a seed apart from its dice, whose messages begin otherwise."""


# ------------------------------------------------------------------------------------------------------- beginning


def begin(change: Change, table: str) -> None:
    """All seats are taken: the game begins, up to the first move of a seat."""
    db = change.db
    row = table_row(db, table)
    if row.seating == "random":
        _draw_seats(db, row)
    game = game_named(row.game)
    started = {"status": "playing", "started": change.now, "number": FIRST, "rules": game.version}
    db.execute(update(tables).where(tables.c.id == table).values(**started))
    row = table_row(db, table)
    header = states.header_of(row, seat_rows(db, table))
    first = Stood(FIRST, game.start(header.options), None, change.now)
    standing = Standing(game, len(header.seats), FairDice(seed_of(db, table), header.salts), (first,))
    change.say(table, "started", None, "")
    _append(change, row, standing, [])


def _draw_seats(db: Connection, row: AnyRow) -> None:
    """By the stream of line 1, which is the header: it holds the seats, and no outcome. So whoever knows the seed
    afterwards can draw them again, from the salts in the order of the places."""
    sitting = [seat._asdict() for seat in seat_rows(db, row.id)]
    below = FairDice(seed_of(db, row.id), tuple(seat["salt"] for seat in sitting)).below(FIRST)
    drawn = shuffled(sitting, below)
    db.execute(delete(seats).where(seats.c.table_id == row.id))
    db.execute(insert(seats), [{**taken, "seat": seat} for seat, taken in enumerate(drawn)])


# --------------------------------------------------------------------------------------------------------- playing


def play(change: Change, table: str, seat: int, number: int, move: Any, *, machine: bool = False) -> int:
    """Appends the seat's move, and the outcomes that follow it. Returns the number of the last line then.

    Raises Conflict if ``number`` is not that of the last line now, IllegalMove if a rule refuses the move.
    """
    row = _begun(change.take(table))
    if number != row.number:
        raise Conflict(row.number)
    sitting = seat_row(change.db, table, seat)
    _check_turn(row, sitting, machine)
    standing = change.states.standing(change.db, row)
    action = _checked(standing.game, move)
    state = standing.game.play(standing.state, action)
    clocks.spend(change, row, sitting)
    return _append(change, row, standing, [Stood(number + 1, state, Step(seat, action), change.now)])


def _begun(row: AnyRow) -> AnyRow:
    if row.status == "waiting":
        raise NotNow("", "The game has not begun yet.")
    return row


def _check_turn(row: AnyRow, sitting: AnyRow, machine: bool) -> None:
    if row.status == "over":
        raise NotNow("", "The game is over.")
    if sitting.player and not machine:
        raise NotAllowed("", "A machine player sits here.")
    if sitting.seat != row.mover:
        raise NotYourTurn("", "It is not your turn.")
    if sitting.stood_in and not machine:
        raise StoodIn("", "A machine player sits in for you. Come back first.")
    if machine and not is_machine(sitting):
        raise _came_back()


def _came_back() -> NotYourTurn:
    return NotYourTurn("", "Whoever sits here moves for themselves.")


def _checked(game: AnyGame, move: Any) -> Any:
    """The move as it will be read again from the log. Python does not look at what it is made of."""
    try:
        return msgspec.convert(msgspec.to_builtins(move), game.move)
    except (msgspec.ValidationError, TypeError) as error:
        raise Malformed("", "This is no move: {error}.", error=str(error)) from error


def _append(change: Change, row: AnyRow, standing: Standing, new: list[Stood]) -> int:
    """Writes new lines, and lets chance act until a seat is to move or the game is over."""
    game = standing.game
    number, state = (new[-1].number, new[-1].state) if new else (standing.number, standing.state)
    while state.mover == CHANCE:
        number += 1
        outcome = game.chance(state).draw(standing.dice.below(number))
        state = game.play(state, outcome)
        new.append(Stood(number, state, Step(CHANCE, outcome), change.now))
    if new:
        change.db.execute(insert(steps), [_step_row(row.id, line) for line in new])
    over = state.mover == OVER
    change.db.execute(
        update(tables)
        .where(tables.c.id == row.id)
        .values(
            number=number,
            mover=None if over else state.mover,
            since=change.now,
            deadline=None if over else clocks.deadline(row, seat_row(change.db, row.id, state.mover), change.now),
            **(_ending(change, game, state) if over else {}),
        )
    )
    change.standings[row.id] = standing.after(new)
    change.touch(row.id)
    return number


def _step_row(table: str, line: Stood) -> dict[str, Any]:
    assert line.step
    text = encode_line(line.step).decode().rstrip("\n")
    return {"table_id": table, "number": line.number, "seat": line.step.seat, "step": text, "at": line.at}


def _ending(change: Change, game: AnyGame, state: Any) -> dict[str, Any]:
    return {"status": "over", "ended": change.now, "result": msgspec.json.encode(game.result(state)).decode()}


# --------------------------------------------------------------------------------------------------------- looking


def look(db: Connection, known: States, table: str, seat: int | None) -> Look:
    """What a seat sees and may do. None is a spectator."""
    row = _begun(table_row(db, table))
    standing = known.standing(db, row)
    _check_eye(row, standing, seat)
    state = standing.state
    moves: Sequence[Any] = standing.game.moves(state) if seat is not None and seat == state.mover else ()
    return Look(standing.number, standing.game.view(state, seat), moves)


def _check_eye(row: AnyRow, standing: Standing, seat: int | None) -> None:
    if seat is None:
        if not row.watch:
            raise NotAllowed("", "Only those who sit at this table can see the game.")
    elif not 0 <= seat < standing.seats:
        raise no_seat()


def events(
    db: Connection, known: States, table: str, seat: int | None, since: int, until: int | None
) -> tuple[Told, ...]:
    """The lines after ``since``, up to and with ``until``, as a seat may know them."""
    row = _begun(table_row(db, table))
    standing = known.standing(db, row)
    _check_eye(row, standing, seat)
    since = max(since, FIRST)
    until = standing.number if until is None else min(until, standing.number)
    if since >= until:
        return ()
    line = standing.tail
    if line[0].number > since:
        line = tuple(states.stood(db, row, states.record_of(db, row)))
    line = line[since - line[0].number : until + 1 - line[0].number]
    game = standing.game
    seen = [game.view(stood.state, seat) for stood in line]
    told = []
    for place, (before, after) in enumerate(pairwise(line)):
        assert after.step
        event = game.event(before.state, after.step.action, after.state, seat)
        told.append(Told(after.number, moment(after.at), event, seen[place], seen[place + 1]))
    return tuple(told)


def think(db: Connection, known: States, table: str, seat: int) -> tuple[Look, bytes]:
    """What a machine player is given: what its seat sees, and its luck, the same again for the same line."""
    if not is_machine(seat_row(db, table, seat)):
        raise _came_back()
    seen = look(db, known, table, seat)
    return seen, luck_of(seed_of(db, table), seen.number + 1)


def practise(db: Connection, known: States, table: str, seat: int) -> tuple[Look, bytes, str]:
    """What the judge is given where a person asks for a hint, and the game. Raises NotAllowed, NotYourTurn, NotNow,
    StoodIn."""
    row = _begun(table_row(db, table))
    check_practice(row)
    _check_turn(row, seat_row(db, table, seat), machine=False)
    seen = look(db, known, table, seat)
    return seen, luck_of(seed_of(db, table), seen.number + 1, _JUDGE), row.game


def check_practice(row: AnyRow) -> None:
    """Raises NotAllowed where there are no hints."""
    if not row.hints:
        raise NotAllowed("", "At this table nobody is given hints.")


def luck_of(seed: bytes, line: int, whose: bytes = _MACHINE) -> bytes:
    """From which the random numbers of a machine player follow, for the move on a line: 32 bytes. Nothing about the
    dice can be learned from it."""
    return hmac.digest(seed, whose + line.to_bytes(8, "big"), "sha256")


# ------------------------------------------------------------------------------------------------------- afterwards


def record(db: Connection, known: States, table: str) -> Record:
    """The whole game as a file, with its seed: only when it is over."""
    row = _begun(table_row(db, table))
    if row.status != "over":
        raise NotNow("", "The game is not over: its record would tell what is hidden.")
    standing = known.standing(db, row)
    result = standing.game.result(standing.state)
    assert result
    return ended(states.record_of(db, row), seed_of(db, table), result)


def fair(db: Connection, table: str) -> Fair:
    """What can be told of the dice by now."""
    row = table_row(db, table)
    sitting = seat_rows(db, table)
    return Fair(
        row.commitment,
        tuple(seat.salt for seat in sitting),
        None if row.status == "waiting" else tuple(seat.place for seat in sitting),
        seed_of(db, table).hex() if row.status == "over" else None,
    )
