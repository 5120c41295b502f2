"""Games in a series: their seating, their options, and the source of their chance."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from kontor import records
from kontor.fair import FairDice, commitment
from kontor.game import CHANCE, OVER, AnyGame, BadOptions, Below, Result, Value
from kontor.players import player_named
from kontor.plugins import game_named
from kontor.records import Record, Step


class ArenaGame(Value, frozen=True):
    """One finished game; ``players`` holds for each seat an index into the list of players."""

    number: int
    players: tuple[int, ...]
    result: Result
    decisions: int
    record: Record | None


Source = Callable[[Any, int], Below]
"""A function from the state in which chance is to act, and the line of the record, to the source of the outcome."""


class Series:
    """Games among the same players, numbered from 0; they can be played in any order."""

    group = 1
    """The number of consecutive games with the same luck."""

    def __init__(self, game: AnyGame, options: Any, players: Sequence[str], seed: int) -> None:
        """Prepare a series; in the options, a seat means the player with that index, wherever they sit.

        Raises BadOptions if these players cannot play it.
        """
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

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by name: another process looks up the game and the players, which can be any objects."""
        return _series, (type(self), self.game.name, self.options, self.players, self.seed)

    def seating(self, number: int) -> tuple[int, ...]:
        """Return the player on each seat of a game: players move on by one seat from game to game."""
        count = len(self.players)
        return tuple((seat - number) % count for seat in range(count))

    def options_of(self, number: int) -> Any:
        """Return the options of a game: a starting seat means a player, and moves on with them."""
        return self.game.moved_on(self.options, number)

    def secret(self, number: int) -> bytes:
        """Return the seed of the fair dice of a game."""
        return hashlib.sha256(f"kontor arena {self.seed} {number}".encode()).digest()

    def source(self, number: int) -> Source:
        """Return the source of chance of a game: fair dice, by the line of the record on which the outcome stands."""
        dice = FairDice(self.secret(number), ("",) * len(self.players))
        return lambda state, line: dice.below(line)

    def play(self, number: int, *, recorded: bool = False) -> ArenaGame:
        """Play one of the games."""
        game = self.game
        seating = self.seating(number)
        choose = [self._choose[player] for player in seating]
        luck = [Random(f"{self.seed}/{number}/{player}") for player in seating]
        source = self.source(number)
        steps: list[Step] = []
        line = 2  # of the record; line 1 is the header
        decisions = 0
        state = game.start(self.options_of(number))
        while state.mover != OVER:
            seat = state.mover
            if seat == CHANCE:
                action = game.chance(state).draw(source(state, line))
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
        return ArenaGame(number, seating, result, decisions, record)

    def file_name(self, number: int, games: int) -> str:
        """Return the name of a game's record in a series of so many games: ``pig-1-007.jsonl``."""
        return f"{self.game.name}-{self.seed}-{number:0{len(str(games - 1))}}.jsonl"

    def _record(self, number: int, steps: list[Step], result: Result) -> Record:
        secret = self.secret(number)
        seating = self.seating(number)
        header = records.new_header(
            self.game,
            self.options_of(number),
            seats=[self._seat_name(player) for player in seating],
            players=[self.players[player] for player in seating],
            salts=("",) * len(seating),
            commitment=commitment(secret),
        )
        return records.ended(Record(header, tuple(steps)), secret, result)

    def _seat_name(self, player: int) -> str:
        """Return the name of a player's seat: ``greedy``, but ``random 1``, ``random 2`` where there are several."""
        name = self.players[player]
        return f"{name} {self.players[: player + 1].count(name)}" if self.players.count(name) > 1 else name


class Mirrored(Series):
    """Games in groups, one game for each seat: in a group each player has each seat once, with the same luck.

    Luck belongs to the seats. It is drawn from a source of its own for every occasion (``Game.occasion``), and for
    each repetition of the occasion. So a round has the same cards after any moves, and a seat's third roll in it has
    the same dice. Where luck depends on the moves (how many roll for something) it is the same as far as possible.

    Luck then decides much less, and equally for all: differences between players show in fewer games (*common random
    numbers*, see A. M. Law, *Simulation Modeling and Analysis*, 5th edition 2015, section 11.2). But the games of a
    group are not independent, and their dice cannot be verified.
    """

    def __init__(self, game: AnyGame, options: Any, players: Sequence[str], seed: int) -> None:
        """Prepare a series in which each group has as many games as seats. Raises BadOptions as :class:`Series`."""
        super().__init__(game, options, players, seed)
        self.group = len(self.players)

    def source(self, number: int) -> Source:
        """Return the source of chance of a game, by occasion."""
        head = f"mirrored/{self.seed}/{number // self.group}"
        occasion = self.game.occasion
        times: Counter[tuple[str | int, ...]] = Counter()

        def of(state: Any, _: int) -> Below:
            now = occasion(state)
            times[now] += 1
            return Random(f"{head}/{now}/{times[now]}").randrange

        return of


def _series(kind: type[Series], game: str, options: Any, players: Sequence[str], seed: int) -> Series:
    return kind(game_named(game), options, players, seed)
