"""Careful reading of chart files: every fault becomes a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from kontor.games.dutchman.rules.chart import BadChart, Chart, read_chart

MOST_BYTES: Final = 1024 * 1024


def chart_from(path: Path) -> Chart:
    """Return the chart in a file. Raises BadChart, and OSError where the file itself cannot be read."""
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise BadChart("{file} is too large to be a chart.", file=path)
    try:
        return read_chart(data.decode())
    except RecursionError:
        raise BadChart("{file} is nested too deeply to be a chart.", file=path) from None
    except UnicodeDecodeError:
        raise BadChart("{file} is not a text in UTF-8.", file=path) from None
