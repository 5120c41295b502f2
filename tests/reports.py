"""Shared code of tests of recorded games and counts: renewing files, and reporting differences."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import pytest

RENEW: Final = "KONTOR_RENEW" in os.environ
"""True if files are to be written again instead of compared."""


def _hint(test: str) -> str:
    return f"If this is what the rules demand: KONTOR_RENEW=1 pytest -n0 {test}"


def renew_counts(file: Path, name: str, counts: list[int]) -> None:
    """Write the counts of a position into its file, and change nothing else."""
    text = file.read_text(encoding="utf-8")
    pattern = rf'(name = "{re.escape(name)}"\n(?:(?!\n\n).)*?counts = )\[.*?\]'
    file.write_text(re.sub(pattern, rf"\g<1>{counts}", text, count=1, flags=re.DOTALL), encoding="utf-8")


def compare_counts(
    name: str, written: Sequence[int], counts: Sequence[int], split: Callable[[int], str], position: str, test: str
) -> None:
    """Fail where counts differ: report the first difference, ``split`` by the first choice, and the position."""
    if list(counts) == list(written):
        return
    report = [f"“{name}”: the counts have changed", "steps       written           now    difference"]
    pairs = list(zip((*written, *[0] * (len(counts) - len(written))), counts, strict=False))
    for steps, (was, now) in enumerate(pairs, 1):
        report.append(
            f"{steps:>5} {was:>13,} {now:>13,} {now - was or '':>+13}" if was != now else f"{steps:>5} {was:>13,}"
        )
    first = next((steps for steps, (was, now) in enumerate(pairs, 1) if was != now), 1)
    report += [f"{first} steps, by the first choice:", split(first), "from", position, _hint(test)]
    pytest.fail("\n".join(report))


def compare_game(name: str, text: str, now: str, test: str) -> None:
    """Fail where a game does not match its recorded text, with the lines that differ."""
    if now != text:
        changes = difflib.unified_diff(
            text.splitlines(), now.splitlines(), f"golden/{name}", "played now", lineterm=""
        )
        pytest.fail("\n".join((*changes, "", _hint(test))))
