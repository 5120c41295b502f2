"""The speed of the rules: random moves on one core, including the making of the legal moves.

A *decision* is a move of a seat. Outcomes of chance are drawn and played too; their time counts, but not their
number. Everything goes through the contract (``kontor.game``), as in any client, with nothing left out: every move
and outcome is checked before it is played.

The same games are measured in batches (``kontor.batch``), on one core and on two, if their packages are installed.
Games of other programs are measured if the caller brings them (:class:`Elsewhere`).
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError
from math import floor
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from kontor.distribution import installed_version
from kontor.game import OVER, AnyGame, Value
from kontor.plugins import games, usable

if TYPE_CHECKING:  # an extra, which may be missing
    from kontor.batch.lockstep import LockstepProof


def measured_games() -> tuple[tuple[AnyGame, Any], ...]:
    """Return the games to measure, with the options that they name for it, or the default ones."""
    named = usable("bench", lambda loaded: isinstance(loaded, tuple))
    return tuple((game, options) for name, game in games().items() for options in named.get(name, (game.options(),)))


RUNS: Final = 5
SECONDS: Final = 1.0
"""The number of runs of each game, and the least processor time of each run; time of other programs does not
count."""

SEED: Final = 1729


class Machine(Value, frozen=True):
    """The machine on which a benchmark ran."""

    processor: str
    cores: int
    system: str
    python: str
    kontor: str


class Speed(Value, frozen=True):
    """Decisions a second in one game: the median, the slowest and the fastest run, and each of them."""

    game: str
    players: int
    median: float
    slowest: float
    fastest: float
    runs: tuple[float, ...]
    games: int
    """The number of games in all runs together."""
    decisions: int
    """The number of decisions in all runs together."""


class BatchSpeed(Speed, frozen=True):
    """The speed of a game in batches, on so many cores at once."""

    cores: int


class ElsewhereSpeed(Speed, frozen=True):
    """The speed of a game in another program."""

    program: str
    """The name and version of the program."""
    rules: str
    """The language in which the rules of the game are written."""
    loop: str
    """The language of the loop over decisions."""


class Bench(Value, frozen=True):
    """All results of a benchmark."""

    machine: Machine
    speeds: tuple[Speed, ...]
    batches: tuple[BatchSpeed, ...] = ()
    vectors: tuple[Speed, ...] = ()
    """The speed by numbered steps, on one core, with the observations and masks of all decisions."""
    elsewhere: tuple[ElsewhereSpeed, ...] = ()


class RandomGames(Value, frozen=True):
    """A number of random games, and of the decisions in them; an average where decisions cannot be counted."""

    games: int
    decisions: float


@dataclass(frozen=True)
class Playing:
    """A game to be measured; ``play`` plays one or more random games to the end."""

    game: str
    players: int
    play: Callable[[Random], RandomGames]


@dataclass(frozen=True)
class Elsewhere(Playing):
    """A game in another program; the fields are those of :class:`ElsewhereSpeed`."""

    program: str
    rules: str
    loop: str


OnRun = Callable[[str, int, float], None]
"""A callback for each run: the game, its number of players, and the decisions a second."""


def measure(*, runs: int = RUNS, seconds: float = SECONDS, on_run: OnRun | None = None) -> Bench:
    """Measure every game by the rules engine."""
    playing = [
        Playing(game.name, game.seats(options), _by_the_rules(game, options)) for game, options in measured_games()
    ]
    measured = _in_turns(playing, runs, seconds, on_run)
    speeds = [_speed(Speed, each.game, each.players, done) for each, done in zip(playing, measured, strict=True)]
    return Bench(this_machine(), tuple(speeds))


def measure_elsewhere(
    games: Sequence[Elsewhere], *, runs: int = RUNS, seconds: float = SECONDS, on_run: OnRun | None = None
) -> tuple[ElsewhereSpeed, ...]:
    """Measure games in other programs."""
    return tuple([
        _speed(
            ElsewhereSpeed, each.game, each.players, done, program=each.program, rules=each.rules, loop=each.loop
        )
        for each, done in zip(games, _in_turns(games, runs, seconds, on_run), strict=True)
    ])  # fmt: skip


CORES: Final = (1, 2)
"""The numbers of cores on which batches are measured."""


def measure_batches(*, runs: int = RUNS, seconds: float = SECONDS) -> tuple[BatchSpeed, ...]:
    """Measure the games that can be played in batches. Raises Refusal if the extra that they need is missing."""
    from kontor.batch import all_simulated, speed

    names = {simulated.game.name for simulated in all_simulated()}
    speeds = []
    for game, options in measured_games():
        for cores in CORES if game.name in names else ():
            done = [speed.run(game, options, cores=cores, seconds=seconds, seed=SEED + run) for run in range(runs)]
            speeds.append(_speed(BatchSpeed, game.name, game.seats(options), done, cores=cores))
    return tuple(speeds)


def measure_vectors(*, runs: int = RUNS, seconds: float = SECONDS) -> tuple[Speed, ...]:
    """Measure the games that can be played in vector environments.

    Raises Refusal if the extra that they need is missing.
    """
    from kontor.batch import all_simulated, speed

    names = {simulated.game.name for simulated in all_simulated() if simulated.stepping}
    speeds = []
    for game, options in measured_games():
        if game.name in names:
            done = [speed.run_steps(game, options, seconds=seconds, seed=SEED + run) for run in range(runs)]
            speeds.append(_speed(Speed, game.name, game.seats(options), done))
    return tuple(speeds)


def games_to_prove(games: int) -> int:
    """Return how many games :func:`prove` plays in all. Raises Refusal if the extra that it needs is missing."""
    from kontor.batch import all_simulated

    return games * sum(len(each.proved) for each in all_simulated())


def prove(games: int, *, cores: int = 1, on_game: Callable[[], None] = lambda: None) -> tuple[LockstepProof, ...]:
    """Prove that batches follow the rules: play so many games of each game and number of players side by side.

    Raises Refusal if the extra that it needs is missing.
    """
    from kontor.batch.lockstep import prove_all

    def on_games(done: int) -> None:
        for _ in range(done):
            on_game()

    return tuple(prove_all(games, seed=SEED, cores=cores, on_games=on_games))


class _Ran(Protocol):
    """A run: decisions a second, and its games and decisions."""

    @property
    def speed(self) -> float: ...
    @property
    def games(self) -> int: ...
    @property
    def decisions(self) -> float: ...


class _Run:
    """Whole games with random moves, until the time is over."""

    def __init__(self, playing: Playing, random: Random, seconds: float) -> None:
        self.games, self.decisions = 0, 0.0
        began = process_time()
        while True:
            played = playing.play(random)
            self.games += played.games
            self.decisions += played.decisions
            passed = process_time() - began
            if passed >= seconds:
                break
        self.speed = self.decisions / passed


def _in_turns(playing: Sequence[Playing], runs: int, seconds: float, on_run: OnRun | None) -> list[list[_Run]]:
    """Run all games and return the runs of each.

    The games take turns, so that a machine that is busy for a moment does not slow down one game alone.
    """
    measured: list[list[_Run]] = [[] for _ in playing]
    for number in range(runs):
        for each, done in zip(playing, measured, strict=True):
            done.append(_Run(each, Random(f"{SEED}/{number}"), seconds))
            if on_run:
                on_run(each.game, each.players, done[-1].speed)
    return measured


def _by_the_rules(game: AnyGame, options: Any) -> Callable[[Random], RandomGames]:
    return lambda random: RandomGames(1, random_game(game, options, random))


def random_game(game: AnyGame, options: Any, random: Random) -> int:
    """Play a game with random moves, and return the number of decisions."""
    moves_of, chance_of, play = game.moves, game.chance, game.play
    uniform = random.random

    def below(number: int) -> int:
        # The fastest way to draw; a bias of 1 in 2⁵³ does not matter here.
        return floor(uniform() * number)

    decisions = 0
    state = game.start(options)
    while (mover := state.mover) != OVER:
        if mover >= 0:
            moves = moves_of(state)
            state = play(state, moves[floor(uniform() * len(moves))])
            decisions += 1
        else:
            state = play(state, chance_of(state).draw(below))
    return decisions


Kind = TypeVar("Kind", bound=Speed)


def _speed(kind: type[Kind], game: str, players: int, runs: Sequence[_Ran], **more: Any) -> Kind:
    speeds = [round(run.speed) for run in runs]
    return kind(
        game=game,
        players=players,
        median=median(speeds),
        slowest=min(speeds),
        fastest=max(speeds),
        runs=tuple(speeds),
        games=sum(run.games for run in runs),
        decisions=round(sum(run.decisions for run in runs)),
        **more,
    )


# ----------------------------------------------------------------------------------------------- the machine


def this_machine() -> Machine:
    """Return a description of this machine, from the standard library alone."""
    try:
        kontor = installed_version()
    except PackageNotFoundError:
        kontor = "not installed"
    return Machine(
        processor=_processor(),
        cores=os.cpu_count() or 1,
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        python=f"{platform.python_implementation()} {platform.python_version()}",
        kontor=kontor,
    )


def _processor() -> str:
    """Return the processor's name, where the system knows it."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
    except OSError:
        lines = []
    for line in lines:
        name, _, model = line.partition(":")
        if name.strip() == "model name" and model.strip():
            return model.strip()
    return platform.processor() or platform.machine() or "unknown"
