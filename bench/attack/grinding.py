"""Gains of a server that tries seeds, or shares, until the dice please it.

``python -m bench.attack.grinding`` wishes that an accomplice of the server starts a game of the Holländer, and that
the first two dice show 49: fair dice grant that in one game of 54. Three people sit at the table, the accomplice on
the second chair. For each kind of dice and each attacker, ``kontor.fair`` draws games up to those dice, in the order
in which people learn seeds and shares. Attackers try seeds and shares of their own, by what they know at that time.
The first games of each are also played in a real server, with its database in the attackers' hands, until they are
ended and verified: the service must refuse what is not allowed, and its log must hold what was drawn.

If all dice should be as by chance, there are ten thousand games; otherwise fewer games suffice. The chi-square
compares the games with and without the granted wish with what chance gives. If a promise of the page is broken, the
command fails. The same ``--seed`` prints the same figures.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import product
from math import erfc, sqrt
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, TypeVar

from kontor import records
from kontor.errors import BadText, NotAllowed, NotNow
from kontor.fair import SEED_BYTES, FairDice, commitment, salt_commitment
from kontor.games.dutchman.rules import Options
from kontor.server.composition import KontorServer
from kontor.storage.sqlite import DATABASE
from kontor.tables.salts import REVEAL_TIMEOUT
from kontor.tables.values import DiceChoice, Pace, Plan, SeatPlan, Share

T = TypeVar("T")

GAMES: Final = 10_000
"""Games of an attack that must be shown to gain nothing."""

CHEATED: Final = 1_000
"""Games of an attack that gains something; fewer games show it."""

PLAYED: Final = 20
"""Games of each attack that are also played in a real server."""

MOST_TRIES: Final = 10_000
"""Most seeds or shares tried for one game. All of them displease once in 10⁸¹ games."""

DOUBT: Final = 0.001
"""The p-value below which a deviation is not put down to chance."""

LEAST: Final = 5
"""The least expected count for which a chi-square is meaningful."""

SEATS: Final = 3
FRIEND: Final = 1
"""The accomplice's seat."""

STARTER_LINE: Final = 2
DICE_LINE: Final = 4
"""Lines of a record: the lot for who starts (2), the deal (3), the first roll (4)."""

WISHED: Final = (4 * 6 + 5, 5 * 6 + 5)
"""Of the 36 faces in docs/fair-dice.md, those that show 40 and 9."""

FAIR: Final = 1 / SEATS * len(WISHED) / 36
"""The share of games in which fair dice grant the wish."""

WORDS: Final = ("anchor", "dice", "hello", "horse", "kontor", "luck", "please", "ship")
"""Words that people choose when asked for one, as known to the attackers."""

Salts = tuple[str, ...]


def grants(seed: bytes, salts: Salts) -> bool:
    """Return whether the dice of this seed and these salts grant the wish."""
    dice = FairDice(seed, salts)
    return dice.below(STARTER_LINE)(SEATS) == FRIEND and dice.below(DICE_LINE)(36) in WISHED


# ----------------------------------------------------------------------------------------------------- drawing games


@dataclass(frozen=True)
class Drawn:
    """One game, as its record will have it.

    ``promised`` are the seed and the salts that were committed to before (an empty salt if it was told openly).
    ``salts`` are those that the dice follow from (an empty one if it was left out).
    """

    seed: bytes
    salts: Salts
    promised: tuple[bytes, Salts]

    @property
    def is_as_promised(self) -> bool:
        """Return whether the record holds what was promised. If not, honest browsers notice it."""
        seed, salts = self.promised
        return seed == self.seed and all(
            "" in (promised, revealed) or promised == revealed
            for promised, revealed in zip(salts, self.salts, strict=True)
        )


class Luck:
    """Reproducible random numbers, and a counter of the values that attackers have tried."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.tries = 0

    def seed(self) -> bytes:
        """Return the seed of a game."""
        return self.random.randbytes(SEED_BYTES)

    def salt(self) -> str:
        """Return a salt as a browser draws it."""
        return self.random.randbytes(16).hex()

    def draw_until(self, new: Callable[[], T], pleases: Callable[[T], bool]) -> T:
        """Draw values until one pleases, at most MOST_TRIES; return the last one drawn."""
        for _ in range(MOST_TRIES):
            self.tries += 1
            value = new()
            if pleases(value):
                break
        return value


def _early(seed: bytes, *salts: str, instead_of: bytes | None = None) -> Drawn:
    return Drawn(seed, salts, (instead_of or seed, ("",) * SEATS))


def _strict(seed: bytes, *salts: str, instead_of: Salts | None = None) -> Drawn:
    return Drawn(seed, salts, (seed, instead_of or salts))


def the_old_way(luck: Luck) -> Drawn:
    """Choose the seed once the host's share is known; the host plays with two friends at one device.

    The host was shown the commitment of another seed.
    """
    promised, share = luck.seed(), luck.salt()
    seed = luck.draw_until(luck.seed, lambda seed: grants(seed, (share,) * SEATS))
    return _early(seed, share, share, share, instead_of=promised)


def early_alone(luck: Luck) -> Drawn:
    """Choose the seed before any share is known."""
    seed = luck.draw_until(luck.seed, lambda seed: grants(seed, ("",) * SEATS))
    return _early(seed, luck.salt(), luck.salt(), luck.salt())


def early_with_the_first(luck: Luck) -> Drawn:
    """Let the server, the host and the second try shares without knowing that of the honest third, who comes last."""
    seed, host = luck.seed(), luck.salt()
    second = luck.draw_until(luck.salt, lambda salt: grants(seed, (host, salt, "")))
    return _early(seed, host, second, luck.salt())


def early_with_the_last(luck: Luck) -> Drawn:
    """Let the server and the last player try shares; they know all others."""
    seed, host, second = luck.seed(), luck.salt(), luck.salt()
    return _early(seed, host, second, luck.draw_until(luck.salt, lambda salt: grants(seed, (host, second, salt))))


def early_with_a_word(luck: Luck) -> Drawn:
    """Attack as with the first two, but the honest third chooses a word, and the attackers know the likely words.

    They look for a share that pleases with at least two of the eight words.
    """
    seed, host = luck.seed(), luck.salt()
    second = luck.draw_until(luck.salt, lambda salt: sum(grants(seed, (host, salt, word)) for word in WORDS) >= 2)
    return _early(seed, host, second, luck.random.choice(WORDS))


def strict_alone(luck: Luck) -> Drawn:
    """Choose the seed before any share is promised."""
    seed = luck.draw_until(luck.seed, lambda seed: grants(seed, ("",) * SEATS))
    return _strict(seed, luck.salt(), luck.salt(), luck.salt())


def strict_with_all_others(luck: Luck) -> Drawn:
    """Let the server and two players try shares before they promise them; the honest host has already promised one.

    They know only the host's commitment, and use it in place of the share. Afterwards they tell another share, keep
    theirs back, or stand up: all is refused, because the host does not agree.
    """
    seed, host, second = luck.seed(), luck.salt(), luck.salt()
    promise = salt_commitment(host)
    third = luck.draw_until(luck.salt, lambda salt: grants(seed, (promise, second, salt)))
    return _strict(seed, host, second, third)


def strict_held_back(luck: Luck) -> Drawn:
    """Attack as with all others, but the two players may each keep their share back once the host has told theirs.

    The host agrees each time to begin without it.
    """
    seed, host = luck.seed(), luck.salt()
    own_shares = (luck.salt(), luck.salt())
    choices = iter(product(*[(salt, "") for salt in own_shares]))
    chosen = next((choice for choice in choices if _count_try(luck, grants(seed, (host, *choice)))), own_shares)
    return _strict(seed, host, *chosen, instead_of=(host, *own_shares))


def _count_try(luck: Luck, pleased: bool) -> bool:
    luck.tries += 1
    return pleased


def strict_with_other_shares(luck: Luck) -> Drawn:
    """Exchange what the last player has promised, after the honest host has told their share."""
    seed, host, second, promised = luck.seed(), luck.salt(), luck.salt(), luck.salt()
    third = luck.draw_until(luck.salt, lambda salt: grants(seed, (host, second, salt)))
    return _strict(seed, host, second, third, instead_of=(host, second, promised))


def strict_told_openly(luck: Luck) -> Drawn:
    """Let the last player try shares against an honest host without scripts, whose share is a word told at once."""
    seed, host, second = luck.seed(), luck.random.choice(WORDS), luck.salt()
    third = luck.draw_until(luck.salt, lambda salt: grants(seed, (host, second, salt)))
    return _strict(seed, host, second, third, instead_of=("", second, third))


@dataclass(frozen=True)
class Attack:
    """An attempt by certain attackers to choose the dice of one kind, and what the page says about it."""

    dice: DiceChoice
    attackers: str
    draw: Callable[[Luck], Drawn]
    page: str
    promised: bool = False
    """True if the page promises that such an attack gains nothing or is seen as cheating."""
    many: bool = False
    """True if only many games can show that nothing is gained."""


ATTACKS: Final = (
    Attack("early", "server, as once it was", the_old_way, "impossible: browsers name the seed", promised=True),
    Attack("early", "server", early_alone, "the server alone cannot choose", promised=True, many=True),
    Attack("early", "server, first two", early_with_the_first, "nothing; an honest share comes after", many=True),
    Attack("early", "server, last two", early_with_the_last, "they may have looked for a share"),
    Attack("early", "server, first two; a word", early_with_a_word, "a share that is a word may be guessed"),
    Attack("strict", "server", strict_alone, "nobody can choose", promised=True, many=True),
    Attack("strict", "server, both others", strict_with_all_others, "nobody can choose", promised=True, many=True),
    Attack("strict", "… holding shares back", strict_held_back, "only if all others agree, as the record says"),
    Attack("strict", "… exchanging shares", strict_with_other_shares, "impossible: browsers warn", promised=True),
    Attack("strict", "…; host without scripts", strict_told_openly, "the server alone cannot choose"),
)


# ------------------------------------------------------------------------------------------------------ playing games

_OPEN: Final = SeatPlan("open")
_HERE: Final = SeatPlan("here", "Guest")
_PACE: Final = Pace("live", 60, 600)


class Server:
    """A cheating server, and three people at it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._now = datetime(2026, 3, 1, 19, 30, tzinfo=UTC)
        self._service = KontorServer.open(folder, lambda: self._now)
        self._people = [self._service.people.guest(name)[0].id for name in ("Host", "Friend", "Third")]

    def close(self) -> None:
        """Close the service; everything is on the disk already."""
        self._service.close()

    def play(self, attack: Attack, drawn: Drawn) -> None:
        """Play the game as it was drawn, to an early end, and verify its record.

        Raises AssertionError if the service does otherwise, or lets somebody do what is not allowed.
        """
        if attack.draw is the_old_way:
            table = self._open_in_the_old_way(drawn)
        else:
            table = self._open(attack.dice, drawn)
            self._tell(table, drawn)
        self._end(table)
        record = records.decode(records.encode(self._service.tables.record(table)))
        assert record.ending
        assert records.verify(record).dice
        assert (record.ending.seed, record.header.salts) == (drawn.seed.hex(), drawn.salts)
        seed, salts = drawn.promised
        as_promised = commitment(seed), tuple(salt and salt_commitment(salt) for salt in salts)
        recorded = record.header.commitment, record.header.salt_commitments or ("",) * SEATS
        assert drawn.is_as_promised == (recorded == as_promised)
        starter, _, roll = (step.action for step in record.steps[STARTER_LINE - 2 : DICE_LINE - 1])
        assert grants(drawn.seed, drawn.salts) == (starter.seat == FRIEND and (roll.tens, roll.ones) == (40, 9))

    def _open_in_the_old_way(self, drawn: Drawn) -> str:
        """Open a table as a browser does that does not insist on the seed it was promised; ours do."""
        host, plan = self._people[0], Plan("dutchman", Options(SEATS), (SeatPlan("me"), _HERE, _HERE))
        self._promise(drawn.promised[0])
        promised = self._service.opening.next_commitment(host)
        self._promise(drawn.seed)
        _require_refusal(NotNow, lambda: self._service.opening.open(host, plan, Share(drawn.salts[0]), promised))
        return self._service.opening.open(host, plan, Share(drawn.salts[0]))

    def _open(self, dice: DiceChoice, drawn: Drawn) -> str:
        """Open a table and seat all three people, one after the other."""
        seed, salts = drawn.promised
        shares = [
            Share(commitment=salt_commitment(promised)) if promised else Share(revealed)
            for promised, revealed in zip(salts, drawn.salts, strict=True)
        ]
        self._promise(seed)
        promised = self._service.opening.next_commitment(self._people[0])
        plan = Plan("dutchman", Options(SEATS), (SeatPlan("me"), _OPEN, _OPEN), _PACE, dice=dice)
        table = self._service.opening.open(self._people[0], plan, shares[0], promised)
        for seat in range(1, SEATS):
            self._service.opening.sit(table, seat, self._people[seat], share=shares[seat])
        return table

    def _tell(self, table: str, drawn: Drawn) -> None:
        """Reveal the host's share, then those of the others as far as the attack reveals them."""
        promised = drawn.promised[1]
        for seat, person in enumerate(self._people):
            if not promised[seat]:
                continue
            if seat:
                self._try_what_is_not_allowed(table, person)
            if drawn.salts[seat] not in ("", promised[seat]):
                self._exchange(table, seat, drawn.salts[seat])
            if drawn.salts[seat]:
                self._service.salts.reveal(table, person, drawn.salts[seat])
        if self._service.tables.info(table).status == "waiting":
            self._now += timedelta(milliseconds=REVEAL_TIMEOUT)
            for person, salt in zip(self._people, drawn.salts, strict=True):
                if salt:
                    self._service.salts.begin_without(table, person)

    def _try_what_is_not_allowed(self, table: str, person: str) -> None:
        """Check that a person who knows the others' shares can't tell another, stand up, or begin without theirs."""
        _require_refusal(BadText, lambda: self._service.salts.reveal(table, person, "another"))
        if any(self._service.tables.fair(table).salts):
            _require_refusal(NotNow, lambda: self._service.opening.leave(table, person))
        self._now += timedelta(milliseconds=REVEAL_TIMEOUT)
        _require_refusal(NotAllowed, lambda: self._service.salts.begin_without(table, person))

    def _end(self, table: str) -> None:
        """End the game early, with the agreement of all."""
        sitting = self._service.tables.info(table).seats
        host, *others = self._people
        self._service.early_endings.propose(table, next(at for at, seat in enumerate(sitting) if seat.name), host)
        if self._service.tables.info(table).status == "playing":
            for person in others:
                self._service.early_endings.agree(table, person)

    # ---- changing the database

    def _promise(self, seed: bytes) -> None:
        """Make this the seed of the host's next table."""
        self._write("UPDATE people SET next_seed = ? WHERE id = ?", seed, self._people[0])

    def _exchange(self, table: str, seat: int, salt: str) -> None:
        """Replace the commitment of a seat in the database with that of this salt."""
        changed = "UPDATE seats SET salt_commitment = ? WHERE table_id = ? AND seat = ?"
        self._write(changed, salt_commitment(salt), table, seat)

    def _write(self, sentence: str, *values: object) -> None:
        with closing(sqlite3.connect(self._folder / DATABASE)) as database, database:
            database.execute(sentence, values)


def _require_refusal(kind: type[Exception], attempt: Callable[[], object]) -> None:
    """Raise AssertionError unless the attempt raises an exception of this kind."""
    try:
        attempt()
    except kind:
        return
    raise AssertionError(f"{kind.__name__} was not raised")


# ---------------------------------------------------------------------------------------------------------- the gains


@dataclass(frozen=True)
class Gain:
    """The result of an attack over many games."""

    attack: Attack
    games: int
    granted: int
    tries: int
    as_promised: int
    """Games whose records hold what was promised."""
    played: int
    """Games that were also played in a real server."""

    @property
    def expected(self) -> float:
        """Return in how many of the games fair dice grant the wish."""
        return self.games * FAIR

    @property
    def chi_square(self) -> float:
        """Return the chi-square of granted and other games against the expected numbers.

        It has one degree of freedom.
        """
        return (self.granted - self.expected) ** 2 * (1 / self.expected + 1 / (self.games - self.expected))

    @property
    def p(self) -> float:
        """Return the probability that fair dice differ from what is expected by so much, or more."""
        return erfc(sqrt(self.chi_square / 2))

    @property
    def breaks_promise(self) -> bool:
        """Return whether the page promised otherwise and no browser notices it; False for too few games."""
        return self.attack.promised and self.as_promised > 0 and self.p < DOUBT and self.expected >= LEAST

    def __str__(self) -> str:
        return (
            f"{self.attack.dice:7}{self.attack.attackers:27}{self.games:7,}{self.granted:8,}{self.expected:8.1f}"
            f"{self.chi_square:10,.1f}{1:4}{self.p:10.2g}{self.tries / self.games:8.1f}{self.as_promised:8,}"
            f"{self.played:8,}  {self.attack.page}"
        )


HEAD: Final = (
    f"{'dice':7}{'attackers':27}{'games':>7}{'granted':>8}{'fair':>8}{'chi²':>10}{'df':>4}{'p':>10}{'tries':>8}"
    f"{'kept':>8}{'played':>8}  what the page says"
)


def gains(seed: int, honest: int, cheated: int, played: int = PLAYED) -> Iterator[Gain]:
    """Yield the gain of each attack.

    An attack has ``honest`` games if only many games can show that nothing is gained, else ``cheated`` games;
    ``played`` of them are also played in a server.
    """
    with TemporaryDirectory() as folder, closing(Server(Path(folder))) as server:
        for number, attack in enumerate(ATTACKS):
            luck = Luck(1000 * seed + number)
            games = [attack.draw(luck) for _ in range(honest if attack.many else cheated)]
            for drawn in games[:played]:
                server.play(attack, drawn)
            granted = sum(grants(drawn.seed, drawn.salts) for drawn in games)
            as_promised = sum(drawn.is_as_promised for drawn in games)
            yield Gain(attack, len(games), granted, luck.tries, as_promised, len(games[:played]))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table, and fail if a promise of the page is broken."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=GAMES, help="where it has to be counted that nothing is gained")
    parser.add_argument("--cheated", type=int, default=CHEATED, help="elsewhere")
    parser.add_argument("--played", type=int, default=PLAYED, help="of each in a real server, too")
    args = parser.parse_args(arguments)
    print(HEAD)
    rows = []
    for gain in gains(args.seed, args.games, args.cheated, args.played):
        rows.append(gain)
        print(gain, flush=True)
    if any(gain.breaks_promise for gain in rows):
        sys.exit("A promise of the page is broken.")


if __name__ == "__main__":
    main()
