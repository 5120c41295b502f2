"""Shared code of tests of recorded games and counts: renewing files, and reporting differences."""

import difflib
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from kontor.game import IllegalMove

RENEW: Final = "KONTOR_RENEW" in os.environ
"""True if files are to be written again instead of compared."""


def _hint(test: str) -> str:
    file = Path(test).relative_to(Path(__file__).parents[1]).as_posix()
    return f"If this is what the rules demand: KONTOR_RENEW=1 pytest -n0 {file}"


def _renew_counts(file: Path, name: str, counts: list[int]) -> None:
    """Write the counts of a position into its file, and change nothing else."""
    text = file.read_text(encoding="utf-8")
    pattern = rf'(name = "{re.escape(name)}"\n(?:(?!\n\n).)*?counts = )\[.*?\]'
    file.write_text(re.sub(pattern, rf"\g<1>{counts}", text, count=1, flags=re.DOTALL), encoding="utf-8")


def check_counts(
    test: str, name: str, written: Sequence[int], counts: list[int], split: Callable[[int], str], position: str
) -> None:
    """Compare the counts of a position with those in ``counts.toml`` beside the test, or write them there.

    The report of a failure has the first difference, ``split`` by the first choice, and the position.
    """
    if RENEW:
        _renew_counts(Path(test).with_name("counts.toml"), name, counts)
        return
    if counts == list(written):
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


def check_golden_game(
    test: str, name: str, read: Callable[[str], Any], write: Callable[..., str], play: Callable[[], Any]
) -> None:
    """Compare a game in the folder ``golden`` beside the test with the same steps played now.

    ``read`` is the inverse of ``write``. When files are to be written again, a game that is missing, or that the
    rules no longer allow, is played anew by ``play``.
    """
    file = Path(test).with_name("golden") / name
    if RENEW:
        try:
            renewed = write(*read(file.read_text(encoding="utf-8")))
        except (FileNotFoundError, IllegalMove):
            renewed = write(*play())
        file.write_text(renewed, encoding="utf-8")
    text = file.read_text(encoding="utf-8")
    try:
        now = write(*read(text))
    except IllegalMove as refusal:
        pytest.fail(f"{name}: a step is refused now: {refusal}")
    if now != text:
        changes = difflib.unified_diff(
            text.splitlines(), now.splitlines(), f"golden/{name}", "played now", lineterm=""
        )
        pytest.fail("\n".join((*changes, "", _hint(test))))
