"""Tournaments' automatic steps: begin at a set time, record finished games, pair the next round, make its tables.

With any number of processes, each round is paired once and each table is made once. Nobody can keep a round from
ending: a computer player plays for entrants who are late, and those who leave forfeit their game or are played for.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

import msgspec
from sqlalchemy import (
    BigInteger,
    BindParameter,
    Connection,
    bindparam,
    case,
    delete,
    exists,
    insert,
    or_,
    select,
    update,
)

from kontor.fair import commitment
from kontor.storage.errors import StorageFailure
from kontor.storage.schema import entrants, pairings, ratings, seats, tables, tournaments
from kontor.storage.stored_times import SLACK, is_to_come
from kontor.tables import advance, duplicates, early_endings, opening, stepping
from kontor.tables.enqueuing import note_round
from kontor.tables.rows import seat_rows, table_row
from kontor.tables.transactions import TableChange, TableTransactions
from kontor.tournaments import (
    Entrant,
    Round,
    played_early,
    round_robin,
    rounds_in_all,
    swiss,
    tables_of,
    tournament_entrants,
)
from kontor.tournaments.rows import (
    EntrantRow,
    PairingRow,
    TournamentRow,
    bye_points,
    byes,
    entrant_rows,
    is_pairing,
    matches,
    numbers_text,
    options_by_size,
    pairing_rows,
    seed_for,
    seed_of,
    set_row,
    take_free,
)
from kontor.work.failing_items import FailingItems

_SECOND: Final = 1000

BREAK: Final = 60 * _SECOND
"""Milliseconds between two live rounds."""

_LIVE_APPROVAL: Final = 5 * 60 * _SECOND
_SLOW_APPROVAL: Final = 24 * 3600 * _SECOND
"""Milliseconds that the host has to look over a pairing; then the round begins."""

_AT_ONCE: Final = 10
"""Number of tables made in one transaction, so that players can write in between."""

_USUAL_STRENGTH: Final = 1500.0

_NOW: Final[BindParameter[int]] = bindparam("now", type_=BigInteger)
_DUE_BY: Final[BindParameter[int]] = bindparam("due_by", type_=BigInteger)
_LONGEST_WAIT: Final = case(
    (tournaments.c.approval & (tournaments.c.pace == "live"), _LIVE_APPROVAL),
    (tournaments.c.approval, _SLOW_APPROVAL),
    else_=BREAK,
)
_IS_BREAK: Final = tournaments.c.next.between(_NOW + 1, _NOW + _LONGEST_WAIT + SLACK)
_THEIRS: Final = pairings.c.tournament == tournaments.c.id
_PENDING: Final = exists().where(_THEIRS, pairings.c.points.is_(None))
_FIRST: Final = pairings.alias()
_FIRST_IS_OVER: Final = exists().where(
    _FIRST.c.tournament == pairings.c.tournament,
    _FIRST.c.round == pairings.c.round,
    _FIRST.c.board == pairings.c.board,
    _FIRST.c.game == 0,
    _FIRST.c.points.is_not(None),
)
_UNMADE: Final = exists().where(
    _THEIRS,
    pairings.c.points.is_(None),
    pairings.c.table_id.is_(None),
    tournaments.c.in_step | (pairings.c.game == 0) | _FIRST_IS_OVER,
)
_FINISHED: Final = exists().where(
    _THEIRS, pairings.c.points.is_(None), tables.c.id == pairings.c.table_id, tables.c.status == "over"
)
_UNPROPOSED: Final = tournaments.c.approval & tournaments.c.proposal.is_(None)
_WAITING: Final = select(tournaments.c.id).where(
    or_(
        (tournaments.c.status == "open") & (tournaments.c.starts <= _DUE_BY),
        (tournaments.c.status == "running")
        & or_(_UNMADE, _FINISHED, ~_PENDING & or_(tournaments.c.next.is_(None), ~_IS_BREAK, _UNPROPOSED)),
    )
)


def go_on(transactions: TableTransactions, failing: FailingItems, due_by: int | None = None) -> None:
    """Do what is due at all tournaments. Raises StorageFailure.

    One that fails is left alone for a while, and the others go on. Those that should begin later than ``due_by``
    wait. Call this every second.
    """
    now = transactions.now()
    with transactions.reading() as db:
        waiting = db.scalars(_WAITING, {"now": now, "due_by": now if due_by is None else due_by}).all()
    for tournament in waiting:
        if failing.is_resting(tournament):
            continue
        try:
            with transactions.changing() as change:
                row = take_free(change, tournament)
                if row is not None:
                    step(change, row, due_by)
        except StorageFailure:
            raise
        except Exception as error:  # noqa: BLE001 (a row that does not decode, a game that is not there any more …)
            failing.failed(tournament, error, f"Tournament {tournament}")
        else:
            failing.succeeded(tournament)
    stepping.go_on(transactions, failing)


def step(change: TableChange, row: TournamentRow, due_by: int | None = None) -> None:
    """Do all that is due at a tournament that was taken; if it should begin later than ``due_by``, it waits."""
    due_by = change.now if due_by is None else due_by
    if row.status == "open" and row.starts is not None and row.starts <= due_by:
        tournament_entrants.move_up(change, row)
        players = playing_now(entrant_rows(change.db, row.id))
        enough = len(players) >= max(row.fewest, row.smallest)
        row = begin(change, row) if enough else set_row(change, row.id, status="cancelled", ended=change.now)
    while row.status == "running" and not _settle(change, row):
        if row.next is None:
            row = _end_of_round(change, row)
        if row.status == "running" and row.approval and row.proposal is None:
            row = _propose(change, row)
        if row.status != "running" or row.next is None or is_to_come(row.next, change.now, longest_wait(row)):
            return
        row = _pair(change, row)


def longest_wait(row: TournamentRow) -> int:
    """Return how many milliseconds a round can wait at most after the one before."""
    if row.approval:
        return _LIVE_APPROVAL if row.pace == "live" else _SLOW_APPROVAL
    return BREAK


def playing_now(rows: Sequence[EntrantRow]) -> list[EntrantRow]:
    """Return the entrants who are to be paired."""
    return [entrant for entrant in rows if entrant.plays]


def begin(change: TableChange, row: TournamentRow) -> TournamentRow:
    """Begin the tournament: its first round is to be paired. People who still wait for a place have none."""
    is_entrant = entrants.c.tournament == row.id
    change.db.execute(delete(entrants).where(is_entrant, entrants.c.waiting, entrants.c.left.is_(None)))
    rounds = row.rounds
    if row.everybody:
        everybody = entrant_rows(change.db, row.id)
        # Who cannot play now is not drawn into the circle, and so cannot come back to it.
        absent = [entrant.number for entrant in everybody if entrant.left is None and not entrant.plays]
        change.db.execute(update(entrants).where(is_entrant, entrants.c.number.in_(absent)).values(left=change.now))
        rounds = rounds_in_all(len(playing_now(everybody))) * (2 if row.system == "all twice" else 1)
    first = change.now + (longest_wait(row) if row.approval else 0)
    return set_row(
        change, row.id, status="running", started=change.now, starts=None, next=first, round=0, rounds=rounds
    )


def _end_of_round(change: TableChange, row: TournamentRow) -> TournamentRow:
    """Schedule the next round after a break, or end the tournament, once all tables of a round are over."""
    if row.duplicate and row.round:
        duplicates.release(change, commitment(_dice_seed(change.db, row, row.round)))
    players = playing_now(entrant_rows(change.db, row.id))
    if row.round >= row.rounds or len(players) < row.smallest:
        return set_row(change, row.id, status="over", ended=change.now)
    has_break = row.approval or (row.pace == "live" and row.round)
    return set_row(change, row.id, next=change.now + (longest_wait(row) if has_break else 0), proposal=None)


# ---------------------------------------------------------------------------------------------------------- results


def _settle(change: TableChange, row: TournamentRow) -> bool:
    """Record the games that are over, and make missing tables. Return True if anything is still being played."""
    paired = pairing_rows(change.db, row.id)
    over = {(pairing.round, pairing.board) for pairing in paired if pairing.game == 0 and pairing.points is not None}
    pending = [pairing for pairing in paired if pairing.points is None]
    unfinished = len(pending)
    for pairing in pending:
        game = pairing.settled_game(_forfeits(change.db, row, pairing))
        if game is not None:
            _record_points(change, row, pairing, game.points, game.scores)
            unfinished -= 1
            over.add((pairing.round, pairing.board))
    missing = [pairing for pairing in pending if pairing.table is None]
    # Of two games with the same luck the second comes after the first, so that nobody profits from what the other
    # game has shown. In step, neither game shows anything before the other.
    due = [
        pairing for pairing in missing if row.in_step or pairing.game == 0 or (pairing.round, pairing.board) in over
    ]
    for pairing in due[:_AT_ONCE]:
        unfinished -= not _make_table(change, row, pairing)
    return unfinished > 0


def _record_points(
    change: TableChange, row: TournamentRow, pairing: PairingRow, points: Sequence[int], scores: Sequence[int]
) -> None:
    values = {"points": numbers_text(points), "scores": numbers_text(scores)}
    change.db.execute(update(pairings).where(is_pairing(row, pairing)).values(**values))


def _forfeits(db: Connection, row: TournamentRow, pairing: PairingRow) -> Sequence[int]:
    """Return the seats of a finished table that were given up, if that forfeits the game."""
    if row.leavers != "forfeit" or not pairing.is_settled:
        return ()
    given_up = select(seats.c.seat).where(seats.c.table_id == pairing.table, seats.c.resigned)
    return db.scalars(given_up).all()


# ---------------------------------------------------------------------------------------------------------- pairing


def _pair(change: TableChange, row: TournamentRow) -> TournamentRow:
    """Pair the next round."""
    number = row.round + 1
    players = playing_now(entrant_rows(change.db, row.id))
    if len(players) < row.smallest:
        return set_row(change, row.id, status="over", ended=change.now, proposal=None)
    proposed = row.proposal or ()
    is_current = {number for board in proposed for number in board} == {entrant.number for entrant in players}
    paired = round_of(proposed) if is_current else _next_round(change.db, row, number)
    rows: list[dict[str, Any]] = []
    for table in paired.tables:
        board = len({drawn["board"] for drawn in rows}) + 1
        sides = (table, table[::-1]) if row.duplicate else (table,)
        for game, side in enumerate(sides):
            rows.append({"board": board, "game": game, "entrants": _ids_text(side), "points": None, "scores": None})
    first = len({drawn["board"] for drawn in rows}) + 1
    for board, entrant_id in enumerate(paired.byes, first):
        rows.append(
            {"board": board, "game": 0, "entrants": _ids_text([entrant_id]), "points": bye_points(), "scores": "[]"}
        )
    if rows:
        change.db.execute(insert(pairings), [{"tournament": row.id, "round": number, **drawn} for drawn in rows])
    return set_row(change, row.id, round=number, next=None, proposal=None)


def _propose(change: TableChange, row: TournamentRow) -> TournamentRow:
    """Propose a pairing of the next round to the host, who can change it until the round begins."""
    paired = _next_round(change.db, row, row.round + 1)
    boards = [*paired.tables, *((entrant_id,) for entrant_id in paired.byes)]
    return set_row(change, row.id, proposal=proposal_text([tuple(map(int, board)) for board in boards]))


def proposal_text(boards: Sequence[Sequence[int]]) -> str:
    """Return a proposed pairing as the database stores it."""
    return msgspec.json.encode([tuple(board) for board in boards]).decode()


def round_of(boards: Sequence[Sequence[int]]) -> Round:
    """Return a proposed pairing as a round."""
    names = [tuple(map(str, board)) for board in boards]
    return Round(
        tuple([board for board in names if len(board) > 1]), tuple([board[0] for board in names if len(board) == 1])
    )


def _ids_text(ids: Sequence[str]) -> str:
    return numbers_text([int(entrant_id) for entrant_id in ids])


def _next_round(db: Connection, row: TournamentRow, number: int) -> Round:
    """Return the pairings of the round with this number."""
    everybody = entrant_rows(db, row.id)
    players = playing_now(everybody)
    rows = pairing_rows(db, row.id)
    seed = seed_for(seed_of(db, row.id), f"pairing {number}")
    if row.everybody:
        started = row.started or 0
        began = [each for each in everybody if each.first == 1 and (each.left is None or each.left > started)]
        drawn = [str(each.number) for each in began]
        Random(seed_for(seed_of(db, row.id), "order")).shuffle(drawn)
        return _without(round_robin(drawn, number), {str(entrant.number) for entrant in players})
    strengths = _strengths(db, row, players)
    entered = [Entrant(str(entrant.number), strengths[entrant.number]) for entrant in players]
    if row.system == "tables":
        return tables_of(entered, matches(rows), row.sizes, seed)
    return swiss(entered, matches(rows), [entrant_id for _, entrant_id in byes(rows)], seed)


def _without(paired: Round, players: set[str]) -> Round:
    """Return the round without players who have left; their opponents have a bye."""
    tables_: list[tuple[str, ...]] = []
    free = [entrant_id for entrant_id in paired.byes if entrant_id in players]
    for table in paired.tables:
        still_playing = [entrant_id for entrant_id in table if entrant_id in players]
        if len(still_playing) == len(table):
            tables_.append(table)
        else:
            free += still_playing
    return Round(tuple(tables_), tuple(free))


def _strengths(db: Connection, row: TournamentRow, players: Sequence[EntrantRow]) -> dict[int, float]:
    """Return the entrants' ratings, or the usual strength for those without one."""
    query = select(ratings.c.person, ratings.c.points).where(
        ratings.c.game == row.game, ratings.c.person.in_([entrant.person for entrant in players])
    )
    points_by_person = {person: float(points) for person, points in db.execute(query)}
    return {entrant.number: points_by_person.get(entrant.person, _USUAL_STRENGTH) for entrant in players}


# ----------------------------------------------------------------------------------------------------------- tables


def _make_table(change: TableChange, row: TournamentRow, pairing: PairingRow) -> bool:
    """Make the table of a pairing, and begin its game. Return False if none of its entrants is left to play it."""
    by_number = {entrant.number: entrant for entrant in entrant_rows(change.db, row.id)}
    sitting = [by_number[number] for number in pairing.entrants]
    if not any(entrant.plays for entrant in sitting):
        unplayed = played_early(pairing.round, tuple(map(str, pairing.entrants)), ())
        _record_points(change, row, pairing, unplayed.points, unplayed.scores)
        return False
    absent_seats = [seat for seat, entrant in enumerate(sitting) if not entrant.plays]
    if absent_seats and row.leavers == "forfeit" and len(sitting) == 2:
        unplayed = played_early(pairing.round, tuple(map(str, pairing.entrants)), (), absent_seats)
        _record_points(change, row, pairing, unplayed.points, unplayed.scores)
        return False
    host = next(entrant.person for entrant in sitting if entrant.plays)
    seed = _dice_seed(change.db, row, pairing.round, 0 if row.duplicate else pairing.board)
    table = opening.insert_table(change, host, seed, _columns(row, len(sitting)))
    for seat, entrant in enumerate(sitting):
        salt = "" if row.duplicate else entrant.salt
        seat_values = {"kind": "friend", "name": entrant.name, "player": "", "person": entrant.person, "salt": salt}
        opening.insert_seat(change, table, seat, row.reserve, seat_values)
    change.db.execute(update(pairings).where(is_pairing(row, pairing)).values(table_id=table))
    advance.begin(change, table)
    if absent_seats:
        early_endings.hand_over(change, table_row(change.db, table), absent_seats)
    if pairing.game == 0 or not row.in_step:
        note_round(change, table_row(change.db, table), seat_rows(change.db, table))
    return True


def _dice_seed(db: Connection, row: TournamentRow, number: int, board: int = 0) -> bytes:
    """Return the seed of the dice of a board in the round with this number.

    Without a board, return the seed of all boards with the same luck.
    """
    purpose = f"dice {number}"
    return seed_for(seed_of(db, row.id), f"{purpose} {board}" if board else purpose)


def _columns(row: TournamentRow, size: int) -> dict[str, Any]:
    """Return the columns of ``tables``: without hints, and with computer players that stand in at once."""
    columns = {
        "game": row.game,
        "rules": 0,  # known when the game begins
        "options": options_by_size(row)[size],
        "pace": row.pace,
        "seconds": row.seconds,
        "reserve": row.reserve,
        "watch": True,
        "stand_in": "at once",
        "seating": "given",
        "hints": False,
        "takeover": row.takeover,
        "tempo": "brisk",
        "breaks": row.breaks,
        "dice": "early",
        "origin": 0,
    }
    if row.in_step:
        return columns | duplicates.IN_STEP
    return columns | duplicates.SEALED if row.duplicate else columns
