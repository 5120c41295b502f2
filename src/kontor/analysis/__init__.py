"""Analysis of any position of a game: what was played from it, what else could be, and what the moves are worth.

Start with ``adapter`` (what a game brings), then ``variations`` (a position with the moves tried from it, as an
address holds it). ``appraisals`` has the questions that judges and computer players answer about a position.
"""

from kontor.analysis.adapter import (
    AnalysisAdapter,
    BadPosition,
    Belief,
    BeliefTable,
    adapter_of,
    is_analysed,
    seat_names,
)
from kontor.analysis.variations import Node, Variations, decode, encode, of_record, of_view

__all__ = [
    "AnalysisAdapter",
    "BadPosition",
    "Belief",
    "BeliefTable",
    "Node",
    "Variations",
    "adapter_of",
    "decode",
    "encode",
    "is_analysed",
    "of_record",
    "of_view",
    "seat_names",
]
