"""Games that people end before the rules do: by resigning, by agreeing, or by claiming from somebody who stays away.

What is proposed to all is in ``proposals``.

The log stays as it is, and the table's row keeps the seat that was to move. Only the last line of the record tells of
the early end (``docs/record.md``).
"""

from __future__ import annotations

from collections.abc import Sequence

from kontor.endings import early_end
from kontor.errors import NotAllowed, NotNow
from kontor.game import Refusal
from kontor.people.person_rows import NOBODY
from kontor.tables import agreed_undo, clocks, late_seats, proposals
from kontor.tables.absence import claimable_seat, is_played_by_person
from kontor.tables.agreed_undo import NO_MOVES_SEEN, SeenMoves
from kontor.tables.game_end import end_game
from kontor.tables.playing import own_seat_of, own_seats_of, take_playing, update_seats
from kontor.tables.rows import SeatRow, TableRow, no_seat, seat_rows, table_row
from kontor.tables.transactions import TableChange, TableTransactions
from kontor.tables.values import ProposalKind

# --------------------------------------------------------------------------------------------------------- resigning


class EarlyEndings:
    """Resigning, proposals to all, and claiming."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def resign(self, table: str, seat: int, person: str) -> None:
        """Give up the seat for good. Raises NotAllowed, NotNow.

        Of two seats the other wins. Among more, a computer player plays on as long as a person is left.
        """
        with self._transactions.changing() as change:
            row, sitting = take_playing(change, table)
            give_up(change, row, sitting, own_seat_of(own_seats_of(sitting, person), seat), person)

    def propose(
        self,
        table: str,
        seat: int,
        person: str,
        kind: ProposalKind = "end",
        *,
        turn: bool = False,
        seen: SeenMoves = NO_MOVES_SEEN,
    ) -> None:
        """Propose to end the game without a result, to pause it, or to take back moves (``turn``: a whole turn).

        Raises NotAllowed, NotNow; Conflict if the moves would be others than those that were ``seen``.
        """
        with self._transactions.changing() as change:
            proposals.propose(change, table, seat, person, kind, turn=turn, seen=seen)

    def agree(self, table: str, person: str, kind: ProposalKind = "end", seen: SeenMoves = NO_MOVES_SEEN) -> None:
        """Agree to the proposal; when all do, it is carried out.

        Raises NotAllowed, NotNow; Conflict if the moves to take back are others than those that were ``seen``.
        """
        with self._transactions.changing() as change:
            proposals.agree(change, table, person, kind, seen)

    def decline(self, table: str, person: str, kind: ProposalKind = "end") -> None:
        """Reject the proposal of this kind, or withdraw the person's own. Raises NotAllowed, NotNow."""
        with self._transactions.changing() as change:
            proposals.decline(change, table, person, kind)

    def refusal_to_undo(self, table: str, seat: int, person: str) -> Refusal | None:
        """Return why the person cannot propose to take back moves of their seat, or None if they can."""
        with self._transactions.reading() as db:
            row, sitting = table_row(db, table), seat_rows(db, table)
            try:
                agreed_undo.check_can_undo(db, row, sitting, own_seats_of(sitting, person))
                agreed_undo.check_not_declined(db, row, seat)
            except Refusal as refusal:
                return refusal
        return None

    def claim(self, table: str, seat: int, person: str) -> None:
        """Stop waiting for the seat, whose person has stayed away for seven days. Raises NotAllowed, NotNow.

        Of two seats the other wins; among more, a computer player stands in.
        """
        with self._transactions.changing() as change:
            row, sitting = take_playing(change, table)
            if not 0 <= seat < len(sitting):
                raise no_seat()
            if sitting[seat] in own_seats_of(sitting, person):
                raise NotAllowed("", "This is your own seat.")
            if claimable_seat(row, sitting, change.now) != seat:
                reason = "It has not been {name}’s turn for seven days yet, or {name} has looked at the table since."
                raise NotNow("", reason, name=sitting[seat].name)
            if len(sitting) > 2:
                late_seats.stand_in(change, row, sitting[seat])
                return
            change.say(table, "claimed", seat, sitting[seat].name, person=sitting[seat].person)
            end_game(change, row, sitting, early_end("claimed", seat, len(sitting)), person)


def give_up(change: TableChange, row: TableRow, sitting: Sequence[SeatRow], own_seat: SeatRow, person: str) -> None:
    """Give up a seat for good: of two seats the other wins; among more, a computer player plays on if people stay."""
    seat = own_seat.seat
    update_seats(change, row.id, [own_seat], resigned=True, agreed=False)
    change.say(row.id, "resigned", seat, own_seat.name, person=person)
    remaining = [other for other in sitting if is_played_by_person(other) and other.seat != seat]
    if len(sitting) == 2 or not remaining:
        end_game(change, row, sitting, early_end("resigned", seat, len(sitting)), person)
        return
    _play_on(change, row, [own_seat], person)


def hand_over(change: TableChange, row: TableRow, seat_numbers: Sequence[int]) -> None:
    """Give up the seats of a person who has left; computer players play on if other people stay."""
    sitting = seat_rows(change.db, row.id)
    given_up = [seat for seat in sitting if seat.seat in seat_numbers]
    if not given_up:
        return
    update_seats(change, row.id, given_up, resigned=True, agreed=False)
    if not any(is_played_by_person(seat) for seat in sitting if seat.seat not in seat_numbers):
        end_game(change, row, sitting, early_end("resigned", given_up[0].seat, len(sitting)), NOBODY)
        return
    _play_on(change, row, given_up, NOBODY)


def _play_on(change: TableChange, row: TableRow, own_seats: Sequence[SeatRow], person: str) -> None:
    """Let computer players play on for seats that were given up together, and answer a proposal for them."""
    for seat in own_seats:
        clocks.take_over(change, row, seat)
        change.say(row.id, "plays on", seat.seat, seat.name, row.takeover, person=seat.person)
    proposals.note_computer_players(change, row.id, [seat.seat for seat in own_seats], person)
