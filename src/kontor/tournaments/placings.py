"""The standings of a stored tournament."""

from __future__ import annotations

from collections.abc import Sequence

from kontor.tournaments.rows import EntrantRow, PairingRow, TournamentRow, byes, matches
from kontor.tournaments.standings import Kind, Placing, standings


def kind_of(row: TournamentRow) -> Kind:
    """Return whether two play at a table, or more."""
    return "pairs" if row.of_pairs else "tables"


def placings(
    row: TournamentRow, everybody: Sequence[EntrantRow], paired: Sequence[PairingRow]
) -> tuple[Placing, ...]:
    """Return the standings of a tournament as it is now; a bye counts once its round is over."""
    unfinished = {pairing.round for pairing in paired if pairing.points is None}
    finished = {pairing.round for pairing in paired} - unfinished
    past_byes = [(number, entrant_id) for number, entrant_id in byes(paired) if number in finished]
    numbers = [str(entrant.number) for entrant in everybody]
    return standings(kind_of(row), numbers, matches(paired), past_byes, len(finished)) if paired else ()
