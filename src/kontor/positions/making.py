"""Taking decisions out of machine games, and judging every move of them.

All is determined by the seed. A game and its positions follow from the seed and the game's number alone. So the
number of processes that share the work does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, count, islice
from random import Random
from typing import Any, Final

import msgspec

from kontor.arena import Series
from kontor.distribution import installed_version
from kontor.game import AnyGame
from kontor.plugins import game_named
from kontor.positions.adapter import Luck, adapter_of
from kontor.positions.values import DIGITS, FORMAT, JudgedMove, JudgedPosition, PositionsHeader, PositionTable
from kontor.puzzles.values import compact
from kontor.records import replay
from kontor.work import Jobs, executor_of

SEED: Final = 1
"""The default seed of the games."""


def header_of(game: str, seed: int, wanted: int) -> PositionsHeader:
    """Return the header of a file with ``wanted`` positions. Raises BadOptions if the game has no adapter."""
    adapter = adapter_of(game)
    tables = tuple(PositionTable(msgspec.to_builtins(options), players) for options, players in adapter.tables)
    version = game_named(game).version
    return PositionsHeader(FORMAT, game, version, installed_version(), seed, wanted, adapter.judge, tables)


def make(game: str, seed: int, wanted: int, jobs: Jobs = 1) -> Iterator[JudgedPosition]:
    """Yield ``wanted`` positions, in the order of the games. Raises BadOptions, WorkerLost, ClusterLost."""
    adapter_of(game)
    with executor_of(jobs) as executor:
        games = executor.map(partial(positions_in, game, seed), count())
        yield from islice(chain.from_iterable(games), wanted)


def positions_in(game: str, seed: int, number: int) -> tuple[JudgedPosition, ...]:
    """Return the positions of the game with a number: one decision each of rounds drawn for it."""
    rules, adapter = game_named(game), adapter_of(game)
    options, players = adapter.tables[number % len(adapter.tables)]
    record = Series(rules, options, players, seed).play(number, recorded=True).record
    assert record
    by_round: dict[int, list[tuple[int, Any]]] = {}
    for line, state in enumerate(replay(record), 2):
        if state.mover >= 0 and len(rules.moves(state)) > 1:
            by_round.setdefault(state.round, []).append((line, state))
    drawing = Random(f"kontor positions {game} {seed} {number}")
    rounds = drawing.sample(sorted(by_round), min(adapter.of_a_game, len(by_round)))
    chosen = [drawing.choice(by_round[which]) for which in rounds]
    positions = (judged(rules, state, seed, number, line) for line, state in sorted(chosen, key=lambda one: one[0]))
    return tuple(position for position in positions if position is not None)


def judged(rules: AnyGame, state: Any, seed: int, number: int, line: int) -> JudgedPosition | None:
    """Return the judged decision of the seat to move; None where there is nothing to judge.

    It depends on the seat's view alone: any other state with that view gives the same.
    """
    view, moves = rules.view(state, state.mover), rules.moves(state)
    adapter = adapter_of(rules.name)
    name = f"{number}-{line}"
    luck = luck_of(rules.name, seed, name)
    thought = adapter.shortlist(view, moves, luck)
    if len(thought) < 2:
        return None
    judgement = adapter.value(view, thought, luck)
    return JudgedPosition(
        id=name,
        game=number,
        round=view.round,
        certainty=judgement.certainty,
        legal=len(moves),
        moves=tuple(map(_round_values, judgement.moves)),
        view=compact(view),
        off=judgement.off,
    )


def value_of(game: str, seed: int, name: str, view: Any, moves: Sequence[Any]) -> tuple[JudgedMove, ...]:
    """Return what further moves of the position with that name are worth, by the same two judgements."""
    judgement = adapter_of(game).value(view, moves, luck_of(game, seed, name))
    return tuple(map(_round_values, judgement.moves))


def luck_of(game: str, seed: int, name: str) -> Luck:
    """Return random numbers for a position: they follow from it, and from their purpose."""
    return lambda purpose: Random(f"kontor positions {game} {seed} {name} {purpose}")


def _round_values(one: JudgedMove) -> JudgedMove:
    error = None if one.error is None else round(one.error, DIGITS)
    return JudgedMove(msgspec.to_builtins(one.move), round(one.a, DIGITS), round(one.b, DIGITS), error)
