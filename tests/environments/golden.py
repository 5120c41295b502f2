"""One game of each kind as OpenSpiel writes it down: ``python -m tests.environments.golden`` writes them anew."""

import gzip
from pathlib import Path

from absl import flags

import kontor.environments.openspiel  # noqa: F401

FOLDER = Path(__file__).parent / "golden"
GAMES = {"shanghaien": ("shanghaien(first_trick=both)", 4), "dutchman": ("dutchman(players=3,circles=1)", 11)}
"""The game and the seed of each file; with this seed every important event happens."""


def file_of(name: str) -> Path:
    return FOLDER / f"{name}.txt.gz"


def make_ready() -> None:
    """Parse an empty command line: OpenSpiel's playthroughs read flags."""
    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["kontor"])


if __name__ == "__main__":
    from open_spiel.python.algorithms import generate_playthrough

    make_ready()
    for name, (game, seed) in GAMES.items():
        text = generate_playthrough.playthrough(game, None, seed=seed)
        file_of(name).write_bytes(gzip.compress(text.encode(), mtime=0))
