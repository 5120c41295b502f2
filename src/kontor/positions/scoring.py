"""Share of the chance to win that a player gives away at each decision of a file.

The best move is chosen by one judgement and valued by the other, and the other way round. So the loss of a player is
not exaggerated by a move that only luck made look the best. The loss against the best of both judgements together is
exaggerated, and is reported too: the truth lies between the two. (A double estimator: H. van Hasselt, *Double
Q-learning*, 2010.)
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from math import fsum, isnan
from random import Random
from time import process_time
from typing import Any, Final

import msgspec

from kontor.decoding import misfit
from kontor.game import AnyGame, IllegalMove, Value
from kontor.intervals import ratio
from kontor.players import player_named
from kontor.positions.making import value_of
from kontor.positions.values import (
    BadPositions,
    JudgedMove,
    JudgedPosition,
    PositionsFile,
    PositionsHeader,
    decoded_line,
    rules_of,
)
from kontor.puzzles.values import view_from
from kontor.work import Jobs, executor_of

_AT_ONCE: Final = 20
"""Positions that form one task for a process."""


class MoveAnswer(Value, frozen=True):
    """A line of a file of answers: the move that a program makes in the position with that id.

    The move is written as in records. ``seconds`` is how long the program thought, if known.
    """

    id: str
    move: Any
    seconds: float | None = None


class LostChance(Value, frozen=True):
    """Share of the chance to win that a decision gave away, 0 to 1.

    For ``lost``, the best move is chosen by one judgement and valued by the other; luck can make it negative.
    ``at_most`` is the loss against the best move by both judgements.
    """

    game: int
    round: int
    lost: float
    at_most: float
    seconds: float | None


class LostChances(Value, frozen=True):
    """The mean over a number of decisions (``positions``), with its 95 % interval.

    Games are independent of each other, the decisions of one game are not. There is no interval if all are from one
    game.
    """

    positions: int
    lost: float
    ci95: tuple[float, float] | None
    at_most: float


class PositionsScore(Value, frozen=True):
    """Result of a player: in all positions, and by round.

    ``best`` is the share of decisions in which it made the best move by both judgements together. ``seconds`` is the
    mean time of a decision, if known.
    """

    game: str
    player: str
    best: float
    seconds: float | None
    total: LostChances
    rounds: Mapping[int, LostChances]


def score_player(
    file: PositionsFile, player: str, jobs: Jobs = 1, tell: Callable[[], None] | None = None
) -> PositionsScore:
    """Return how a computer player of Kontor does.

    Its random numbers follow from its name and the position. Raises BadOptions, BadPositions, WorkerLost,
    ClusterLost.
    """
    player_named(file.header.game, player)
    parts = [file.positions[first : first + _AT_ONCE] for first in range(0, len(file.positions), _AT_ONCE)]
    losses: list[LostChance] = []
    with executor_of(jobs) as executor:
        for part in executor.map(partial(_play_positions, file.header, player), parts):
            for lost in part:
                losses.append(lost)
                if tell:
                    tell()
    return _score(file.header, player, losses)


def score_answers(
    file: PositionsFile, player: str, answers: bytes, tell: Callable[[], None] | None = None
) -> PositionsScore:
    """Return how a program did, by its answers: a line of JSON for each position, in any order.

    Raises BadPositions for a position that is not in the file, is answered twice, or has no answer. It also raises it
    for a move that is not legal there.
    """
    answered = _answers(answers)
    ids = {position.id for position in file.positions}
    for name in answered:
        if name not in ids:
            raise BadPositions("", "There is no position {id} in the file.", id=name)
    losses: list[LostChance] = []
    for position in file.positions:
        answer = answered.get(position.id)
        if answer is None:
            raise BadPositions("", "Position {id} has no answer.", id=position.id)
        place = _Place(file.header, position)
        losses.append(place.lost(place.legal(answer.move), answer.seconds))
        if tell:
            tell()
    return _score(file.header, player, losses)


def _answers(data: bytes) -> dict[str, MoveAnswer]:
    answers: dict[str, MoveAnswer] = {}
    for number, line in enumerate(data.splitlines(), 1):
        answer: MoveAnswer = decoded_line(number, line, MoveAnswer)
        if answer.id in answers:
            raise BadPositions("", "Position {id} is answered twice.", id=answer.id)
        answers[answer.id] = answer
    return answers


def _play_positions(header: PositionsHeader, player: str, positions: Sequence[JudgedPosition]) -> list[LostChance]:
    """Return what a computer player of Kontor gives away in some of the positions."""
    choose = player_named(header.game, player)
    losses: list[LostChance] = []
    for position in positions:
        place = _Place(header, position)
        if not losses:  # the first decision loads and compiles: do it once untimed
            choose(place.view, place.moves, Random(0))
        luck = Random(f"kontor positions {player} {position.id}")
        began = process_time()
        move = choose(place.view, place.moves, luck)
        losses.append(place.lost(move, process_time() - began))
    return losses


class _Place:
    """A position set up: its view, its legal moves, and what they are worth."""

    def __init__(self, header: PositionsHeader, position: JudgedPosition) -> None:
        self._header = header
        self._position = position
        self._game: AnyGame = rules_of(header)
        try:
            self.view = view_from(self._game, position.view)
        except msgspec.ValidationError as error:
            raise BadPositions(
                "", "Position {id} has no readable view: {error}.", id=position.id, error=misfit(error)
            ) from error
        # The legal moves depend only on what the seat knows: any state with that view will do.
        self._state = self._game.imagine(self.view, Random(position.id).randrange)
        self.moves = self._game.moves(self._state)

    def legal(self, written: Any) -> Any:
        """Return the move that a program's answer holds. Raises BadPositions."""
        name = self._position.id
        try:
            move = msgspec.convert(written, self._game.move)
            self._game.play(self._state, move)
        except msgspec.ValidationError as error:
            raise BadPositions(
                "", "The answer to position {id} is not a move: {error}.", id=name, error=misfit(error)
            ) from error
        except IllegalMove as error:
            raise BadPositions(
                error.rule, "The move in position {id} is not legal: {why}", id=name, why=error
            ) from error
        return move

    def lost(self, move: Any, seconds: float | None) -> LostChance:
        """Return what a legal move gives away."""
        values = self._position.moves
        value = self._value(move, values)
        by_a, by_b = max(values, key=lambda one: one.a), max(values, key=lambda one: one.b)
        lost = (by_a.b - value.b + by_b.a - value.a) / 2
        at_most = max(0.0, max(one.both for one in values) - value.both)
        return LostChance(self._position.game, self._position.round, lost, at_most, seconds)

    def _value(self, move: Any, values: Iterable[JudgedMove]) -> JudgedMove:
        for one in values:
            if msgspec.convert(one.move, self._game.move) == move:
                return one
        # The move was not on the shortlist, but the player made it: judge it now.
        header, name = self._header, self._position.id
        (judged,) = value_of(header.game, header.seed, name, self.view, [move])
        return judged


def _score(header: PositionsHeader, player: str, losses: Sequence[LostChance]) -> PositionsScore:
    by_round: defaultdict[int, list[LostChance]] = defaultdict(list)
    for loss in losses:
        by_round[loss.round].append(loss)
    times = [loss.seconds for loss in losses if loss.seconds is not None]
    return PositionsScore(
        game=header.game,
        player=player,
        best=sum(loss.at_most == 0 for loss in losses) / len(losses),
        seconds=fsum(times) / len(times) if times else None,
        total=_mean(losses),
        rounds={which: _mean(by_round[which]) for which in sorted(by_round)},
    )


def _mean(losses: Sequence[LostChance]) -> LostChances:
    """Return the mean loss, with Student's t interval over games, whose decisions depend on each other."""
    lost: defaultdict[int, float] = defaultdict(float)
    for loss in losses:
        lost[loss.game] += loss.lost
    decisions = Counter(loss.game for loss in losses)
    mean, half = ratio(list(lost.values()), [decisions[game] for game in lost])
    at_most = fsum(loss.at_most for loss in losses) / len(losses)
    return LostChances(len(losses), mean, None if isnan(half) else (mean - half, mean + half), at_most)
