"""Durations of moves with and without people who ask the analysis board for the values of moves.

Both are measured in turns, so that other work of the machine affects both alike.

    .venv/bin/python -m bench.asking --rate 50 --seconds 20 --pairs 3
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from threading import Event, Thread
from typing import Final

import httpx

from bench.load.processes import serving
from kontor.analysis import Variations, encode
from kontor.game import CHANCE
from kontor.plugins import game_named

_PEOPLE: Final = 8
"""People who ask, each from an address of their own."""

_AGAIN: Final = 2
"""Seconds until a waiting page is fetched again, as its script does."""

_POSITIONS: Final = 600

_GAMES: Final = ("shanghaien", "dutchman")


def main() -> None:
    """Print the figures of ``bench.load`` for each run, and how many positions were answered in it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--rate", type=float, default=50, help="moves a second")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--pairs", type=int, default=3)
    args = parser.parse_args()
    # Positions are drawn beforehand, so that the people who ask cost this process no time during a run.
    random = Random(1)
    paths = [_position(random) for _ in range(_POSITIONS)]
    with serving([], [], 1) as (addresses, _):
        address = addresses[0]
        for _ in range(args.pairs):
            for people in (0, _PEOPLE):
                with _ask_meanwhile(address, people, paths) as answered:
                    load = ["--tables", str(args.tables), "--rate", str(args.rate), "--seconds", str(args.seconds)]
                    report = subprocess.run(
                        [sys.executable, "-m", "bench.load", address, *load],
                        check=True,
                        stdout=subprocess.PIPE,
                        text=True,
                    ).stdout
                print(f"{people} people ask, {len(answered)} positions answered\n{report}")


@contextmanager
def _ask_meanwhile(address: str, people: int, paths: list[str]) -> Iterator[list[str]]:
    """Let ``people`` threads fetch positions from the list; yield the list of the paths answered so far."""
    enough, answered = Event(), list[str]()
    threads = [Thread(target=_ask, args=(address, number, paths, enough, answered)) for number in range(people)]
    for thread in threads:
        thread.start()
    yield answered
    enough.set()
    for thread in threads:
        thread.join()


def _ask(address: str, number: int, paths: list[str], enough: Event, answered: list[str]) -> None:
    way = httpx.HTTPTransport(local_address=f"127.0.1.{number + 1}")
    with httpx.Client(base_url=address, transport=way, timeout=60) as client:
        while paths and not enough.is_set():
            path = paths.pop()
            while not enough.is_set():
                page = client.get(path).raise_for_status().text
                if 'id="values-thinking"' not in page:
                    if 'id="weighed"' in page:
                        answered.append(path)
                    break
                time.sleep(_AGAIN)
            time.sleep(0.5)


def _position(random: Random) -> str:
    """Return the address of a random position amid a game, with a seat to move and with the values of its moves."""
    name = random.choice(_GAMES)
    game = game_named(name)
    variations, at = Variations(name, game.start(game.options())), -1
    for _ in range(random.randrange(20, 60)):
        variations, at = _play_on(variations, at, random)
    while variations.state(at).mover == CHANCE:
        variations, at = _play_on(variations, at, random)
    query = httpx.QueryParams({"p": encode(variations), "at": str(at), "values": "1"})
    return f"/analysis/{name}?{query}"


def _play_on(variations: Variations, at: int, random: Random) -> tuple[Variations, int]:
    game, state = game_named(variations.game), variations.state(at)
    if state.mover == CHANCE:
        return variations.tried(at, game.chance(state).draw(random.randrange))
    moves = game.moves(state)
    return variations.tried(at, moves[random.randrange(len(moves))])


if __name__ == "__main__":
    main()
