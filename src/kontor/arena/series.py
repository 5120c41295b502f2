"""Games in a series: who sits where in each of them, and where its chance comes from."""

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
    """One game. ``players`` are those of the seats, each as a place in the list of players."""

    number: int
    players: tuple[int, ...]
    result: Result
    decisions: int
    record: Record | None


Source = Callable[[Any, int], Below]
"""By the state in which chance is to act, and the line of the record: where the outcome is drawn from."""


class Series:
    """Games among the same players, numbered from 0; any of them can be played, in any order."""

    group = 1
    """How many games in a row have the same luck."""

    def __init__(self, game: AnyGame, options: Any, players: Sequence[str], seed: int) -> None:
        """In the options, a seat means the player on that place of the list, wherever they sit. Raises BadOptions if
        these players cannot play it."""
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
        """Series cross from one process to another; the game and the players, who may be anything, are found anew
        there."""
        return _series, (type(self), self.game.name, self.options, self.players, self.seed)

    def seating(self, number: int) -> tuple[int, ...]:
        """Who sits on each seat of a game: they move on by one seat from game to game."""
        count = len(self.players)
        return tuple((seat - number) % count for seat in range(count))

    def options_of(self, number: int) -> Any:
        """The options of a game: who starts is a player, and moves on with them."""
        return self.game.moved_on(self.options, number)

    def secret(self, number: int) -> bytes:
        """The seed of the fair dice of a game."""
        return hashlib.sha256(f"kontor arena {self.seed} {number}".encode()).digest()

    def source(self, number: int) -> Source:
        """What chance in a game draws from: fair dice, by the line of the record on which its outcome stands."""
        dice = FairDice(self.secret(number), ("",) * len(self.players))
        return lambda state, line: dice.below(line)

    def play(self, number: int, *, recorded: bool = False) -> ArenaGame:
        """Plays one of the games."""
        game = self.game
        seating = self.seating(number)
        choose = [self._choose[player] for player in seating]
        luck = [Random(f"{self.seed}/{number}/{player}") for player in seating]
        source = self.source(number)
        steps: list[Step] = []
        line = 2  # of the record: the header stands on the first
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
        """What the record of a game is called, if there are so many of them: ``pig-1-007.jsonl``."""
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
        """``greedy``; but ``random 1``, ``random 2`` where there are several."""
        name = self.players[player]
        return f"{name} {self.players[: player + 1].count(name)}" if self.players.count(name) > 1 else name


class Mirrored(Series):
    """Games in groups of as many as there are seats: in a group everybody sits once on each seat, with the same luck.

    The luck belongs to the seats: whoever sits there has it. It is drawn from a source of its own for every occasion
    (``Game.occasion``), and for each time the occasion comes again: so a round has the same cards whatever was
    played, and so are the dice of a seat's third roll in it. What hangs on the game played (how many roll for
    something) is the same as far as it can be.

    What is left to luck is then much less, and is the same for all: differences between players show in fewer games
    (*common random numbers*, see A. M. Law, *Simulation Modeling and Analysis*, 5th edition 2015, section 11.2). But
    such games are no independent tries, and no dice that anybody could verify.
    """

    def __init__(self, game: AnyGame, options: Any, players: Sequence[str], seed: int) -> None:
        """Raises BadOptions if these players cannot play it."""
        super().__init__(game, options, players, seed)
        self.group = len(self.players)

    def source(self, number: int) -> Source:
        """What chance in a game draws from, by occasion."""
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
