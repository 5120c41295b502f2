"""The proof that kernels and rules engine agree: both play the same games, and are compared after every step.

Half of the moves and outcomes of chance come from the engine and are given to the kernels. The kernels choose or draw
the other half, which are given to the engine. Both refuse impossible ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

import numpy as np

from kontor.batch.batch import Batch, all_simulated
from kontor.batch.loops import NOTHING, SKIP
from kontor.game import CHANCE, OVER, AnyGame, Value
from kontor.work import executor_of

AT_ONCE: Final = 256
"""The number of games played side by side: a step of all of them is one call of a kernel."""


class LockstepProof(Value, frozen=True):
    """The number of games that were the same from beginning to end, with their decisions and outcomes of chance."""

    game: str
    players: int
    games: int
    decisions: int
    outcomes: int


class Mismatch(AssertionError):
    """A difference between the two versions of the rules: its kind, and the game."""


def prove(game: AnyGame, options: Any, games: int, *, seed: int, first: int = 0) -> LockstepProof:
    """Play random games side by side, numbered from ``first``, and compare engine and kernels.

    After each step every field of the state, the legal moves and the mover are compared; at the end the result.
    Raises Mismatch at the first difference.
    """
    several = _SideBySide(game, options, games, seed, first)
    several.play()
    return LockstepProof(game.name, game.seats(options), games, several.decisions, several.outcomes)


def prove_all(
    games: int,
    *,
    seed: int,
    cores: int = 1,
    at_once: int = AT_ONCE,
    on_games: Callable[[int], None] = lambda games: None,
) -> list[LockstepProof]:
    """Prove so many games of each game and number of players, with all options that a game lists for it in turn.

    ``on_games`` is called with the number of further games done. Raises Mismatch at the first difference.
    """
    proofs: dict[tuple[str, int], LockstepProof] = {}
    with executor_of(cores) as executor:
        for proof in executor.map(_part, _parts(games, at_once, seed)):
            key = proof.game, proof.players
            before = proofs.get(key, LockstepProof(proof.game, proof.players, 0, 0, 0))
            proofs[key] = LockstepProof(
                proof.game,
                proof.players,
                before.games + proof.games,
                before.decisions + proof.decisions,
                before.outcomes + proof.outcomes,
            )
            on_games(proof.games)
    return list(proofs.values())


class _Part(Value, frozen=True):
    """Games to be proved in one task: the game, its options, and their numbers."""

    game: int
    table: int
    options: int
    games: int
    seed: int
    first: int


def _parts(games: int, at_once: int, seed: int) -> Iterator[_Part]:
    for number, simulated in enumerate(all_simulated()):
        for table, options in enumerate(simulated.proved):
            for turn, first in enumerate(range(0, games, at_once)):
                yield _Part(number, table, turn % len(options), min(at_once, games - first), seed, first)


def _part(part: _Part) -> LockstepProof:
    simulated = all_simulated()[part.game]
    options = simulated.proved[part.table][part.options]
    return prove(simulated.game, options, part.games, seed=part.seed, first=part.first)


class _SideBySide:
    """Games played by the engine and by the kernels."""

    def __init__(self, game: AnyGame, options: Any, games: int, seed: int, first: int) -> None:
        self.game = game
        self.seed = seed
        self.first = first
        self.batch = Batch(game, options, games, seed=seed, first=first)
        self.states = [game.start(options)] * games
        self.randoms = [Random(f"{seed}/{first + number}") for number in range(games)]
        self.decisions = self.outcomes = 0

    def play(self) -> None:
        """Play all games to their end, and compare after every step. Raises Mismatch."""
        self._compare(range(len(self.states)))
        while playing := [number for number, state in enumerate(self.states) if state.mover != OVER]:
            self._moves([number for number in playing if self.states[number].mover != CHANCE])
            self._chance([number for number in playing if self.states[number].mover == CHANCE])
        self._results()

    def _moves(self, numbers: list[int]) -> None:
        which = np.full(len(self.states), SKIP, np.int64)
        chosen = {}
        for number in numbers:
            random = self.randoms[number]
            chosen[number] = random.randrange(len(self.game.moves(self.states[number])))
            if random.getrandbits(1):
                which[number] = chosen[number]
        actions = self.batch.nth(which)
        for number in numbers:
            state = self.states[number]
            if which[number] == SKIP:
                move = self.game.moves(state)[chosen[number]]
                actions[number] = self.batch.simulated.action_of(state, move)
            else:
                move = self.batch.simulated.move_of(state, int(actions[number]))
            self.states[number] = self.game.play(state, move)
        self.batch.step(actions)
        self.decisions += len(numbers)
        self._compare(numbers)

    def _chance(self, numbers: list[int]) -> None:
        """Apply outcomes of chance: half are drawn by the engine, half by the kernels."""
        simulated = self.batch.simulated
        given = np.full((len(self.states), simulated.outcome), NOTHING, np.uint8)
        drawn = np.zeros(len(self.states), np.bool_)
        for number in numbers:
            state = self.states[number]
            if self.randoms[number].getrandbits(1):
                outcome = self.game.chance(state).draw(self.randoms[number].randrange)
                row = simulated.outcome_row(outcome)
                given[number, : len(row)] = list(row)
                self.states[number] = self.game.play(state, outcome)
            else:
                drawn[number] = True
        self.batch.give(given)
        self.batch.draw_once(drawn)
        for number in np.flatnonzero(drawn).tolist():
            before = self.states[number]
            outcome = simulated.outcome_of(before, self.batch.state(number))
            self.states[number] = self.game.play(before, outcome)
        self.outcomes += len(numbers)
        self._compare(numbers)

    def _compare(self, numbers: list[int] | range) -> None:
        legal = self.batch.legal()
        choices = self.batch.choices().tolist()
        movers = self.batch.movers.tolist()
        rows = self.batch.rows
        simulated, options = self.batch.simulated, self.batch.options
        for number in numbers:
            state = self.states[number]
            batch_state = simulated.read(rows[number], options)
            if batch_state != state:
                self._raise_mismatch("the state", number, state, batch_state)
            if movers[number] != state.mover:
                self._raise_mismatch("the mover", number, state.mover, movers[number])
            wanted = len(self.game.moves(state)), simulated.columns_of(state)
            allowed = choices[number], np.flatnonzero(legal[number]).tolist()
            if wanted != allowed:
                self._raise_mismatch("the legal moves", number, wanted, allowed)

    def _results(self) -> None:
        points, winners = self.batch.score()
        for number, state in enumerate(self.states):
            result = self.game.result(state)
            assert result is not None
            batch_result = (tuple(points[number].tolist()), tuple(np.flatnonzero(winners[number]).tolist()))
            if (result.points, result.winners) != batch_result:
                self._raise_mismatch("the result", number, result, batch_result)

    def _raise_mismatch(self, difference: str, number: int, engine: object, kernels: object) -> None:
        where = f"{difference} of game {self.first + number}, seed {self.seed}, {self.batch.options}"
        raise Mismatch(f"{where}:\nengine  {engine}\nkernels {kernels}")
