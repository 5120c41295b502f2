"""Tournaments: the pairings of a round, and the standings after it. Pure: no storage, no clock.

People are identified by ids. Points are whole numbers of 1/:data:`POINT`, so that sums are exact. The scoring is
described in ``docs/tournaments.md``.
"""

from __future__ import annotations

from kontor.tournaments.pairing import Entrant, Round, round_robin, rounds_in_all, swiss, tables_of
from kontor.tournaments.scoring import POINT, TournamentGame, duplicate_match, played, played_early
from kontor.tournaments.standings import TIE_BREAKS, Kind, Placing, standings

__all__ = [
    "POINT",
    "TIE_BREAKS",
    "Entrant",
    "Kind",
    "Placing",
    "Round",
    "TournamentGame",
    "duplicate_match",
    "played",
    "played_early",
    "round_robin",
    "rounds_in_all",
    "standings",
    "swiss",
    "tables_of",
]
