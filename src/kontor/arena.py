"""Machine players against each other: who wins how often, and how sure that is.

Every game follows from the seed and its own number alone, so the results do not depend on the order in which games
are played, nor on what else is played. Chance is drawn by fair dice (``kontor.fair``), as at a table where people
play: whether games are recorded or not makes no difference to them, and their records can be verified. The dice take
up to a quarter of the time where ``random`` plays ``random``, and less than a twentieth with any player that thinks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from math import sqrt
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, Final

from kontor import records
from kontor.fair import FairDice, commitment
from kontor.game import CHANCE, OVER, AnyGame, BadOptions, Result, Value
from kontor.players import player_named
from kontor.records import Record, Step

CONFIDENT: Final = 1.959964
"""Standard deviations to either side that hold 95 % of a normal distribution."""


class Standing(Value, frozen=True):
    """How one of the players did. ``wins`` are sole victories, ``draws`` shared ones. ``share`` is the share of
    victories, where one shared by n counts 1/n; ``ci95`` is its 95 % interval (Wilson's, see :func:`wilson`)."""

    name: str
    games: int
    wins: int
    draws: int
    share: float
    ci95: tuple[float, float]
    mean_points: float


class Report(Value, frozen=True):
    """What came of the games, for the players in the order given. ``decisions`` are all moves of all players; their
    number a second counts everything: the rules, the views, the players' thoughts and the dice."""

    game: str
    rules: int
    """The version of the game's rules."""
    games: int
    seed: int
    decisions: int
    seconds: float
    decisions_per_second: float
    players: tuple[Standing, ...]


class Played(Value, frozen=True):
    """One game. ``players`` are those of the seats, each as a place in the list of players."""

    number: int
    players: tuple[int, ...]
    result: Result
    decisions: int
    record: Record | None


def simulate(
    game: AnyGame,
    options: Any,
    players: Sequence[str],
    games: int,
    seed: int,
    *,
    folder: Path | None = None,
    on_game: Callable[[Played], None] | None = None,
) -> Report:
    """Plays so many games and tells how the players did. Raises BadOptions.

    With a ``folder`` each game is written there as a record. ``on_game`` is told of each game.
    """
    series = Series(game, options, players, seed)
    if games < 1:
        raise BadOptions("", "At least one game must be played, not {games}.", games=games)
    if folder:
        _make_room(folder, [series.file_name(number, games) for number in range(games)])
    tallies = [_Tally(name) for name in players]
    decisions = 0
    began = perf_counter()
    for number in range(games):
        played = series.play(number, recorded=folder is not None)
        if folder and played.record:
            records.write(folder / series.file_name(number, games), played.record)
        decisions += played.decisions
        for seat, player in enumerate(played.players):
            tallies[player].add(played.result, seat)
        if on_game:
            on_game(played)
    seconds = perf_counter() - began
    return Report(
        game=game.name,
        rules=game.version,
        games=games,
        seed=seed,
        decisions=decisions,
        seconds=round(seconds, 3),
        decisions_per_second=round(decisions / seconds, 1),
        players=tuple([tally.standing() for tally in tallies]),
    )


# ----------------------------------------------------------------------------------------------- one game


class Series:
    """Games among the same players, numbered from 0; any of them can be played, in any order."""

    def __init__(self, game: AnyGame, options: Any, players: Sequence[str], seed: int) -> None:
        """Raises BadOptions if these players cannot play it."""
        game.start(options)
        seats = game.seats(options)
        if len(players) != seats:
            reason = "This game of {game} has {seats} seats, but {given} players are named."
            if len(players) == 1:
                reason = "This game of {game} has {seats} seats, but 1 player is named."
            raise BadOptions("", reason, game=game.name, seats=seats, given=len(players))
        self.game = game
        self.options = options
        self.players = tuple(players)
        self.seed = seed
        self._choose = [player_named(game.name, name) for name in players]

    def seating(self, number: int) -> tuple[int, ...]:
        """Who sits on each seat of a game: they move on by one seat from game to game."""
        count = len(self.players)
        return tuple((seat - number) % count for seat in range(count))

    def secret(self, number: int) -> bytes:
        """The seed of the fair dice of a game."""
        return hashlib.sha256(f"kontor arena {self.seed} {number}".encode()).digest()

    def play(self, number: int, *, recorded: bool = False) -> Played:
        """Plays one of the games."""
        game = self.game
        seating = self.seating(number)
        choose = [self._choose[player] for player in seating]
        luck = [Random(f"{self.seed}/{number}/{player}") for player in seating]
        dice = FairDice(self.secret(number), ("",) * len(seating))
        steps: list[Step] = []
        line = 2  # of the record: the header stands on the first
        decisions = 0
        state = game.start(self.options)
        while state.mover != OVER:
            seat = state.mover
            if seat == CHANCE:
                action = game.chance(state).draw(dice.below(line))
            else:
                action = choose[seat](game.view(state, seat), game.moves(state), luck[seat])
                decisions += 1
            state = game.play(state, action)
            line += 1
            if recorded:
                steps.append(Step(seat, action))
        result = game.result(state)
        assert result
        record = self._record(number, steps, result) if recorded else None
        return Played(number, seating, result, decisions, record)

    def file_name(self, number: int, games: int) -> str:
        """What the record of a game is called, if there are so many of them: ``dutchman-1-007.jsonl``."""
        return f"{self.game.name}-{self.seed}-{number:0{len(str(games - 1))}}.jsonl"

    def _record(self, number: int, steps: list[Step], result: Result) -> Record:
        secret = self.secret(number)
        seating = self.seating(number)
        header = records.new_header(
            self.game,
            self.options,
            seats=[self._seat_name(player) for player in seating],
            players=[self.players[player] for player in seating],
            salts=("",) * len(seating),
            commitment=commitment(secret),
        )
        return records.ended(Record(header, tuple(steps)), secret, result)

    def _seat_name(self, player: int) -> str:
        """``greedy``; but ``random 1``, ``random 2`` where there are several."""
        name = self.players[player]
        return f"{name} {self.players[: player + 1].count(name)}" if self.players.count(name) > 1 else name


def _make_room(folder: Path, names: Sequence[str]) -> None:
    """The folder is there, and none of these records. Raises BadOptions."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadOptions(
            "", "The folder {folder} cannot be made: {why}.", folder=folder, why=error.strerror
        ) from error
    for name in names:
        if (folder / name).exists():
            raise BadOptions("", "There is a record {file} already: choose another folder.", file=folder / name)


# ----------------------------------------------------------------------------------------------- counting


class _Tally:
    """What one player has won so far."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.games = self.wins = self.draws = self.points = 0
        self.share = 0.0

    def add(self, result: Result, seat: int) -> None:
        self.games += 1
        self.points += result.points[seat]
        winners = result.winners
        if seat in winners:
            self.wins += len(winners) == 1
            self.draws += len(winners) > 1
            self.share += 1 / len(winners)

    def standing(self) -> Standing:
        return Standing(
            self.name,
            self.games,
            self.wins,
            self.draws,
            self.share / self.games,
            wilson(self.share, self.games),
            self.points / self.games,
        )


def wilson(successes: float, tries: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share: it stays within 0 and 1, and says something even after ten wins out of ten.

    Shared victories count as parts of a success; since a share so counted varies less than one of wins and losses
    alone, the interval is then a little wider than need be.
    """
    share = successes / tries
    z = CONFIDENT**2 / tries
    middle = (share + z / 2) / (1 + z)
    half = sqrt(z * share * (1 - share) + z**2 / 4) / (1 + z)
    # Rounding must not push the ends of 0 of 10, or 10 of 10, beyond what a share can be, nor past the share itself.
    return min(share, max(0.0, middle - half)), max(share, min(1.0, middle + half))
