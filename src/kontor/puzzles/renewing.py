"""Solving puzzles again after the judge of their game has learned better.

A puzzle whose best move is still the same and clear, and holds in play-outs, keeps its place, so its day does not
change. It gets the new values of its moves. The others are retired: a link still finds them, but no day and no list
does. New puzzles from machine games take their places. Without new ones the last puzzles do, so that earlier days
change least.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from kontor.game import Value
from kontor.puzzles.adapter import adapter_of
from kontor.puzzles.checking import replayed
from kontor.puzzles.making import SEED, luck_of, make, puzzle_from
from kontor.puzzles.play_outs import agrees
from kontor.puzzles.values import Puzzle, PuzzlePosition


class Renewed(Value, frozen=True):
    """The puzzles in the order of their days, and all retired ones."""

    puzzles: tuple[Puzzle, ...]
    retired: tuple[Puzzle, ...]


def renew(
    game: str,
    puzzles: Sequence[Puzzle],
    retired: Iterable[Puzzle] = (),
    seed: int = SEED,
    tell: Callable[[], None] | None = None,
    *,
    refill: bool = True,
) -> Renewed:
    """Solve the puzzles of a game again; with ``refill``, new ones come from the series with that seed."""
    remaining: list[Puzzle | None] = []
    gone = list(retired)
    for puzzle in puzzles:
        anew, clear = _solved_anew(puzzle)
        if clear and anew.best == puzzle.best and agrees(anew):
            remaining.append(anew)
        else:
            remaining.append(None)
            gone.append(anew)
        if tell:
            tell()
    if not refill:
        return Renewed(_closed_up(remaining), tuple(gone))
    ids = {puzzle.id for puzzle in (*puzzles, *gone)}
    fresh = iter([puzzle for puzzle in make(game, len(puzzles), seed) if puzzle.id not in ids])
    return Renewed(tuple(puzzle or next(fresh) for puzzle in remaining), tuple(gone))


def _closed_up(remaining: Sequence[Puzzle | None]) -> tuple[Puzzle, ...]:
    """Return the puzzles without gaps: the last ones move to the places of retired ones."""
    left = [puzzle for puzzle in remaining if puzzle is not None]
    first = remaining[: len(left)]
    movers = reversed([puzzle for puzzle in remaining[len(left) :] if puzzle is not None])
    return tuple(puzzle or next(movers) for puzzle in first)


def _solved_anew(puzzle: Puzzle) -> tuple[Puzzle, bool]:
    """Return the same decision with new values of its moves, and True if its best move is clear."""
    position, adapter = PuzzlePosition(puzzle), adapter_of(puzzle.game)
    view, moves = position.view, position.moves
    solved = adapter.solve(view, moves, luck_of(puzzle.game, puzzle.source, "solve"))
    theme = adapter.theme(view, moves, moves[solved.best], moves[solved.second])
    source = replace(puzzle.source, replays=replayed(puzzle))
    anew = puzzle_from(position.game, source, position.state, solved, theme, puzzle.tried)
    return anew, adapter.clear(solved)
