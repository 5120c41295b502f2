"""What a server gains that tries seeds, or shares, until the dice please it.

``python -m bench.attack.grinding`` opens a server in a folder of its own and cheats there, with the server's database
in its hands. It wishes that a friend of the house starts a game of Shanghaien and rolls two fives at once: fair dice
grant that in one game of 72. Whatever it tries, the games are opened, sat down to and played through the service, and
what is counted stands in their logs.

- *the old way*: the host sends a share, and then the server makes the seed;
- *alone*: the seed stands before any share. The server chooses one that would please it if nobody gave a share, for
  it knows none; all players are honest;
- *with the host*: the server tells the seed to the host, who tries shares before the honest guest sits down;
- *with the last to sit*: the server tells the seed to the guest, who tries shares when all others are known. To end
  this, players would have to commit to their shares before any is shown.

With the same ``--seed`` it prints the same.
"""

from __future__ import annotations

import argparse
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from math import erfc, sqrt
from pathlib import Path
from random import Random
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Final, TypeVar

from kontor.fair import SEED_BYTES, FairDice, commitment
from kontor.games.shanghaien.rules import Options
from kontor.games.shanghaien.rules.state import Roll
from kontor.table import NotNow, Plan, SeatPlan, Share, TableService
from kontor.table.storage.sqlite import DATABASE

T = TypeVar("T")

GAMES: Final = 10_000
"""Of honest players, by which it is judged whether a server alone gains anything."""

CHEATED: Final = 200
"""Games of the other situations, where one sees without counting."""

MOST_TRIES: Final = 10_000
"""Seeds or shares for one game. Of so many, all displease once in 10⁶⁰ games."""

FAIR: Final = 1 / 2 / 36
"""How often fair dice grant the wish."""

STARTER_LINE: Final = 2
ROLL_LINE: Final = 5
"""Of a record: the lot for who starts, the row, the decision to roll, the roll."""

FRIEND: Final = 1
"""The friend's seat: that of the guest, or of whoever sits at the host's device."""

FIVES: Final = 5 * 6 - 2
"""Of the 36 faces in docs/fair-dice.md, the one that shows two fives."""

_ALONE: Final = Plan("shanghaien", Options(), (SeatPlan("me"), SeatPlan("here", "Guest")))
_TWO: Final = Plan("shanghaien", Options(), (SeatPlan("me"), SeatPlan("open")))


def grants(seed: bytes, salts: tuple[str, ...]) -> bool:
    """Whether the dice of this seed and these shares grant the wish."""
    dice = FairDice(seed, salts)
    return dice.below(STARTER_LINE)(2) == FRIEND and dice.below(ROLL_LINE)(36) == FIVES


@dataclass(frozen=True)
class Gain:
    """What came of so many games."""

    situation: str
    games: int
    granted: int
    tries: float
    """For one game, on average."""
    kept: int
    """Games with the commitment that the host was shown before the share was given."""

    @property
    def p(self) -> float:
        """How likely fair dice grant the wish so often, or so seldom, or less likely still: a chi-square test."""
        expected = self.games * FAIR
        square = (self.granted - expected) ** 2 * (1 / expected + 1 / (self.games - expected))
        return erfc(sqrt(square / 2))

    def __str__(self) -> str:
        expected = self.games * FAIR
        figures = f"{self.games:7,}{self.granted:9,}{expected:9.1f}{self.p:10.3g}{self.tries:9.1f}{self.kept:9,}"
        return f"{self.situation:24}{figures}"


HEAD: Final = f"{'':24}{'games':>7}{'granted':>9}{'fair':>9}{'p':>10}{'tries':>9}{'promised':>9}"


class Server:
    """A server that cheats, with two people at it, and random numbers that come again."""

    def __init__(self, folder: Path, service: TableService, random: Random) -> None:
        self._service = service
        self._folder = folder
        self._random = random
        self._host, self._guest = (service.people.guest(name)[0].id for name in ("Host", "Guest"))
        self._tries: list[int] = []
        self._granted = 0
        self._kept = 0

    def gained(self, situation: str, play: Callable[[Server], None], games: int) -> Gain:
        """What comes of so many games that are played like that."""
        self._tries, self._granted, self._kept = [], 0, 0
        for _ in range(games):
            play(self)
        return Gain(situation, games, self._granted, mean(self._tries), self._kept)

    # ---- the situations

    def the_old_way(self) -> None:
        """The seed is made when the share is there. The host was shown another commitment: today they would see it,
        for their browser sends it along, and the service refuses to open the table."""
        self._promise(self._new_seed())
        promised = self._service.opening.next_commitment(self._host)
        share = self._share()
        self._promise(self._tried(self._new_seed, lambda seed: grants(seed, (share, share))))
        try:
            self._service.opening.open(self._host, _ALONE, Share(share), promised)
        except NotNow:
            self._end(self._service.opening.open(self._host, _ALONE, Share(share)), self._host, promised)

    def alone(self) -> None:
        """The seed is chosen before any share is known."""
        self._promise(self._tried(self._new_seed, lambda seed: grants(seed, ("", ""))))
        self._open(self._share(), self._share)

    def with_the_host(self) -> None:
        """The host tries shares, and does not know the guest's."""
        seed = self._new_seed()
        self._promise(seed)
        self._open(self._tried(self._share, lambda share: grants(seed, (share, ""))), self._share)

    def with_the_last(self) -> None:
        """The guest tries shares, and knows the host's."""
        seed, host = self._new_seed(), self._share()
        self._promise(seed)
        self._open(host, lambda: self._tried(self._share, lambda share: grants(seed, (host, share))))

    # ---- what they are made of

    def _new_seed(self) -> bytes:
        return self._random.randbytes(SEED_BYTES)

    def _share(self) -> str:
        """As a browser adds it."""
        return self._random.randbytes(16).hex()

    def _tried(self, new: Callable[[], T], pleases: Callable[[T], bool]) -> T:
        """The first that pleases; the last, where none does."""
        found, tries = new(), 1
        while not pleases(found) and tries < MOST_TRIES:
            found, tries = new(), tries + 1
        self._tries.append(tries)
        return found

    def _promise(self, seed: bytes) -> None:
        """From now on this is the seed of the host's next table."""
        with closing(sqlite3.connect(self._folder / DATABASE)) as database, database:
            database.execute("UPDATE people SET next_seed = ? WHERE id = ?", (seed, self._host))

    def _open(self, share: str, share_of_guest: Callable[[], str]) -> None:
        """The host opens a table, and then the guest sits down."""
        promised = self._service.opening.next_commitment(self._host)
        table = self._service.opening.open(self._host, _TWO, Share(share), promised)
        self._service.opening.sit(table, FRIEND, self._guest, share=Share(share_of_guest()))
        self._end(table, self._guest, promised)

    def _end(self, table: str, friend: str, promised: str) -> None:
        """Whoever starts rolls; then it is seen whether the wish is granted, and the friend resigns."""
        info = self._service.info(table)
        assert info.mover is not None
        self._service.play(table, info.mover, info.number, Roll())
        self._service.early_endings.resign(table, FRIEND, friend)
        record = self._service.record(table)
        assert record.ending
        assert commitment(bytes.fromhex(record.ending.seed)) == record.header.commitment
        starter, roll = (record.steps[line - 2].action for line in (STARTER_LINE, ROLL_LINE))
        self._granted += starter.seat == FRIEND and (roll.low, roll.high) == (5, 5)
        self._kept += record.header.commitment == promised


@dataclass(frozen=True)
class _Situation:
    name: str
    play: Callable[[Server], None]
    all_honest: bool
    """Whether it has to be counted over many games that nothing is gained."""
    told: str


SITUATIONS: Final = (
    _Situation(
        "the old way",
        Server.the_old_way,
        False,
        "gains everything, by another seed than the one promised to the host",
    ),
    _Situation("today, alone", Server.alone, True, "gains nothing"),
    _Situation("with the host", Server.with_the_host, False, "gains nothing: an honest share comes after"),
    _Situation("with the last to sit", Server.with_the_last, False, "gains everything, after so many tries"),
)


def gains(seed: int, honest: int, cheated: int) -> Iterator[Gain]:
    """What is gained in each situation: ``honest`` games of the server alone, ``cheated`` of each other."""
    with TemporaryDirectory() as folder, TableService.open(Path(folder)) as service:
        server = Server(Path(folder), service, Random(seed))
        for situation in SITUATIONS:
            yield server.gained(situation.name, situation.play, honest if situation.all_honest else cheated)


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=GAMES, help="of the server alone")
    parser.add_argument("--cheated", type=int, default=CHEATED, help="of each other situation")
    asked = parser.parse_args(arguments)
    print(HEAD)
    for gain in gains(asked.seed, asked.games, asked.cheated):
        print(gain, flush=True)
    print()
    for situation in SITUATIONS:
        print(f"{situation.name:24}{situation.told}")


if __name__ == "__main__":
    main()
