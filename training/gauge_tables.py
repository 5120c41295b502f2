"""Tables of the errors that ``python -m training gauge`` measures."""

from __future__ import annotations

from rich.console import Group

from kontor.cli.results import table_of
from kontor.terminal.screen import Picture
from training.trainers import BeliefError, Calibration, Gauged


def gauge_tables(measured: Gauged) -> Picture:
    """Return tables of the errors of learned chances, of their calibration, and of the beliefs about hidden cards."""
    misses = table_of([], ["round", "positions", "error", "reference error"])
    for miss in measured.misses:
        misses.add_row(f"{miss.round}", f"{miss.tables:,}", f"{miss.rmse:.4f}", f"{miss.doubt:.4f}")
    bins = table_of([], ["positions", "predicted", "actual"])
    for calibration_bin in measured.bins:
        bins.add_row(f"{calibration_bin.count:,}", f"{calibration_bin.said:.1%}", f"{calibration_bin.came:.1%}")
    heads = ["hands", "bias", "standard error", "log loss", "expected"]
    beliefs = table_of(["player", "rounds", "deals"], heads)
    for belief in measured.beliefs:
        variants: list[tuple[str, BeliefError | Calibration]]
        variants = [("equally likely", belief), ("weighed", belief.weighed)]
        for deals, error in variants:
            beliefs.add_row(
                belief.player,
                f"{belief.first}–{belief.last}",
                deals,
                f"{belief.hands:,}",
                f"{error.bias:+.2f}",
                f"{error.bias_error:.2f}",
                f"{error.log_loss:.4f}",
                f"{error.expected:.4f}",
            )
    return Group(*(table for table in (misses, bins, beliefs) if table.row_count))
