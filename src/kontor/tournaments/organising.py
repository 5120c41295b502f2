"""Changes that a tournament's host makes by hand: to results, and to the pairing proposed for a round.

Each change needs a reason, and is logged for all to see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import update

from kontor.errors import BadPlan, NotNow
from kontor.game import Refusal
from kontor.storage.schema import pairings
from kontor.storage.stored_times import past_time
from kontor.tables.transactions import TableChange
from kontor.tournaments import tournament_rounds
from kontor.tournaments.checks import check_host
from kontor.tournaments.organiser_log import Act, note, reason_of
from kontor.tournaments.pairing import pairing_faults
from kontor.tournaments.rows import (
    PairingRow,
    TournamentRow,
    byes,
    entrant_rows,
    is_pairing,
    matches,
    numbers_text,
    pairing_rows,
    set_row,
)
from kontor.tournaments.scoring import placed
from kontor.tournaments.values import Correction, PairingFault, Swap

_CORRECTABLE: Final = 7 * 24 * 3600 * 1000
"""Milliseconds after the end for which results of the last rounds can be corrected."""


def correct(change: TableChange, row: TournamentRow, person: str, correction: Correction) -> None:
    """Correct the result of a game of the present round or the one before.

    The standings follow, and a pairing that is proposed is drawn anew. Ratings stay those of the game as it was
    played. Raises NotAllowed, NotNow, BadPlan, BadText.
    """
    check_host(row, person)
    _check_correctable(change, row, correction.round)
    reason = reason_of(correction.reason)
    wanted = (correction.round, correction.board, int(correction.second))
    rows = pairing_rows(change.db, row.id)
    pairing = next((each for each in rows if (each.round, each.board, each.game) == wanted), None)
    if pairing is None or pairing.is_bye or pairing.points is None:
        raise NotNow("", "This game has no result yet.")
    places = correction.places
    if len(places) != len(pairing.entrants) or not all(1 <= place <= len(places) for place in places):
        raise BadPlan("", "Give each player of this table a place.")
    points = placed(pairing.round, tuple(map(str, pairing.entrants)), places).points
    if points == pairing.points:
        raise NotNow("", "This is the result already.")
    values = {"points": numbers_text(points), "scores": numbers_text(()), "corrected": True}
    change.db.execute(update(pairings).where(is_pairing(row, pairing)).values(**values))
    if row.proposal is not None:
        set_row(change, row.id, proposal=None)
    act = Act("corrected", pairing.round, pairing.entrants, pairing.board, pairing.points, points)
    note(change, row.id, person, act, reason)


def _check_correctable(change: TableChange, row: TournamentRow, number: int) -> None:
    ended = 0 if row.ended is None else past_time(row.ended, change.now)
    if row.status not in ("running", "over") or (row.status == "over" and change.now - ended > _CORRECTABLE):
        raise NotNow("", "Results can be corrected until a week after the end of the tournament.")
    if not row.round - 1 <= number <= row.round:
        raise NotNow("", "Only results of this round and the one before can be corrected.")


def swap(change: TableChange, row: TournamentRow, person: str, swapped: Swap) -> None:
    """Let two entrants take each other's seats, or bye, in the pairing proposed for the next round.

    Raises NotAllowed, NotNow, BadText; NotNow also if that breaks rules of pairing, unless it is done ``anyway``.
    """
    check_host(row, person)
    proposal = _proposal_of(row)
    reason = reason_of(swapped.reason)
    one, other = swapped.entrants
    paired = {number for board in proposal for number in board}
    if one == other or not {one, other} <= paired:
        raise NotNow("", "Choose two players of the proposed pairing.")
    exchanged = {one: other, other: one}
    changed = tuple([tuple([exchanged.get(number, number) for number in board]) for board in proposal])
    rows = pairing_rows(change.db, row.id)
    before = faults_of(rows, proposal)
    added = tuple([fault for fault in faults_of(rows, changed) if fault not in before])
    if added and not swapped.anyway:
        raise _refusal(added[0], {entrant.number: entrant.name for entrant in entrant_rows(change.db, row.id)})
    set_row(change, row.id, proposal=tournament_rounds.proposal_text(changed))
    note(change, row.id, person, Act("swapped", row.round + 1, (one, other), faults=added), reason)


def _refusal(fault: PairingFault, names: Mapping[int, str]) -> Refusal:
    """Return the refusal of a change by which a pairing breaks a rule."""
    name = names[fault.entrants[0]]
    if fault.kind == "met":
        reason = "{name} and {other} would meet again. Tick the box below if you want that all the same."
        return NotNow("", reason, name=name, other=names[fault.entrants[1]])
    if fault.kind == "bye":
        return NotNow(
            "", "{name} would have a second bye. Tick the box below if you want that all the same.", name=name
        )
    reason = "{name} would have the same seat too often. Tick the box below if you want that all the same."
    return NotNow("", reason, name=name)


def begin_round(change: TableChange, row: TournamentRow, person: str) -> None:
    """Begin the round whose pairing is proposed, before its time. Raises NotAllowed, NotNow."""
    check_host(row, person)
    _proposal_of(row)
    tournament_rounds.step(change, set_row(change, row.id, next=change.now))


def _proposal_of(row: TournamentRow) -> tuple[tuple[int, ...], ...]:
    if row.status != "running" or row.proposal is None:
        raise NotNow("", "No pairing is proposed at the moment.")
    return row.proposal


def faults_of(rows: Sequence[PairingRow], proposal: Sequence[Sequence[int]]) -> tuple[PairingFault, ...]:
    """Return the rules of pairing that a proposed pairing breaks, after these rounds."""
    faults = pairing_faults(
        tournament_rounds.round_of(proposal), matches(rows), [entrant_id for _, entrant_id in byes(rows)]
    )
    return tuple([PairingFault(fault.kind, tuple(map(int, fault.entrants))) for fault in faults])
