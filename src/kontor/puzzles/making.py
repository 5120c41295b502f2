"""Finding puzzles in games between computer players.

All is determined by the seed: the same command makes the same puzzles. Only a few decisions are taken from one game.
The shares of each theme and of easy puzzles are limited.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import count, islice
from random import Random
from typing import Any, Final

from kontor.arena.series import Series
from kontor.game import OVER, AnyGame
from kontor.players import judge_named, player_named
from kontor.plugins import game_named
from kontor.puzzles.adapter import adapter_of
from kontor.puzzles.play_outs import agrees
from kontor.puzzles.values import POINT, Puzzle, Solved, Source, compact, id_of, level_of
from kontor.records import Record, replay

SEED: Final = 1
"""The default seed of the series."""

OF_A_GAME: Final = 2
"""The most puzzles from one game."""

OF_A_THEME: Final = 0.25
"""The largest share of one theme, 0 to 1."""

EASY: Final = 0.3
"""The largest share, 0 to 1, of puzzles that every player of the ladder solves."""

Tell = Callable[[int, int], None]
"""``tell(made, wanted)`` reports the progress."""


def make(game: str, wanted: int, seed: int = SEED, tell: Tell | None = None) -> list[Puzzle]:
    """Make ``wanted`` puzzles of a game; return them sorted by their ids."""
    report = tell or (lambda made, of: None)
    parts = _Parts(wanted)
    puzzles: list[Puzzle] = []
    for number in count():
        if len(puzzles) >= wanted:
            break
        for puzzle in islice(puzzles_in(game, seed, number, parts), min(OF_A_GAME, wanted - len(puzzles))):
            puzzles.append(puzzle)
            report(len(puzzles), wanted)
    return sorted(puzzles, key=lambda puzzle: puzzle.id)


class _Parts:
    """Counts of the puzzles of each theme, and of those that every player of the ladder solves."""

    def __init__(self, wanted: int) -> None:
        self._wanted = wanted
        self._themes: Counter[str] = Counter()
        self._easy = 0

    def take(self, theme: str, easy: bool) -> bool:
        """Return True if there is room for one more."""
        return self._themes[theme] < OF_A_THEME * self._wanted and (not easy or self._easy < EASY * self._wanted)

    def add(self, theme: str, easy: bool) -> None:
        """Count a puzzle that was taken."""
        self._themes[theme] += 1
        self._easy += easy


def game_of(game: str, seed: int, number: int) -> Record:
    """Return the record of the machine game with a number."""
    options, players = adapter_of(game).tables(number)
    record = Series(game_named(game), options, players, seed).play(number, recorded=True).record
    assert record
    return record


def puzzles_in(game: str, seed: int, number: int, parts: _Parts) -> Iterator[Puzzle]:
    """Yield puzzles from one machine game as long as there is room, in an order drawn for it."""
    rules, adapter, record = game_named(game), adapter_of(game), game_of(game, seed, number)
    states = [state for state in replay(record) if state.mover != OVER]
    steps = [step for step, state in enumerate(states) if state.mover >= 0]
    Random(f"kontor puzzles {game} {seed} {number}").shuffle(steps)
    for step in steps:
        state = states[step]
        if not 2 <= len(rules.moves(state)) <= MOST_MOVES:
            continue
        source = Source(seed, number, step + 2, record.header.players)
        view, moves = rules.view(state, state.mover), tuple(rules.moves(state))
        screened = adapter.screen(view, moves, luck_of(game, source, "screen"))
        if screened is None:
            continue
        tried = {
            name: moves.index(player_named(game, name)(view, moves, luck_of(game, source, name)))
            for name in adapter.ladder
        }
        best = moves.index(screened[0])
        if not parts.take(adapter.theme(view, moves, *screened), _easy(tried, best)):
            continue
        solved = adapter.solve(view, moves, luck_of(game, source, "solve"))
        theme = adapter.theme(view, moves, moves[solved.best], moves[solved.second])
        if adapter.clear(solved) and parts.take(theme, _easy(tried, solved.best)):
            puzzle = puzzle_from(rules, source, state, solved, theme, tried)
            if agrees(puzzle):
                parts.add(theme, _easy(tried, solved.best))
                yield puzzle


def _easy(tried: Mapping[str, int], best: int) -> bool:
    return all(place == best for place in tried.values())


MOST_MOVES: Final = 160
"""The most legal moves of a puzzle: each of them is valued."""


def luck_of(game: str, source: Source, purpose: str) -> Random:
    """Return the random numbers for a purpose in a decision."""
    return Random(f"kontor puzzles {purpose} {game} {source.seed} {source.game} {source.line}")


def puzzle_from(
    rules: AnyGame, source: Source, state: Any, solved: Solved, theme: str, tried: dict[str, int]
) -> Puzzle:
    """Return the decision of a state as a puzzle; ``tried`` is the move that each player of the ladder makes."""
    return Puzzle(
        id=id_of(rules.name, source),
        game=rules.name,
        version=rules.version,
        theme=theme,
        level=level_of(solved, tried),
        certainty=solved.certainty,
        chances=tuple(round(POINT * chance) for chance in solved.chances),
        errors=tuple(round(POINT * error) for error in solved.errors),
        line=tuple(_line(rules, state, solved.best)),
        tried=tried,
        source=source,
        view=compact(rules.view(state, state.mover)),
    )


def _line(rules: AnyGame, state: Any, best: int) -> Iterator[int]:
    """Yield the best move, and the best moves after it, as indices among the legal moves.

    The line ends when chance or another seat acts, or when a move reveals something.
    """
    seat = state.mover
    while True:
        yield best
        move = rules.moves(state)[best]
        after = rules.play(state, move)
        if after.mover != seat or rules.reveals(state, move, after):
            return
        state, moves = after, tuple(rules.moves(after))
        judge = judge_named(rules.name)
        appraisal = judge.appraise(rules.view(state, seat), moves, Random(f"kontor puzzles line {best}"))
        best = moves.index(appraisal.best.move)
