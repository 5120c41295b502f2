"""Checks of puzzles by solving them again: their source, their legal moves, and their best move."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice

from msgspec.structs import replace

from kontor.game import Value
from kontor.plugins import game_named
from kontor.puzzles.adapter import adapter_of
from kontor.puzzles.making import game_of, luck_of
from kontor.puzzles.play_outs import agrees
from kontor.puzzles.values import POINT, Puzzle, PuzzlePosition, Solved, id_of, view_from
from kontor.records import replay


class Checked(Value, frozen=True):
    """The result of a check of a puzzle.

    ``wrong`` names the fault in a word, and is empty if there is none. ``source``: its machine game differs on that
    line. ``moves``: the number of legal moves differs. ``best``: another move is the best, or the best is not plainly
    better. ``chances``: those that are not sampled came out differently. ``play-outs``: the claim does not hold among
    the strongest players. ``gap`` is the gap found in this check.
    """

    id: str
    game: str
    theme: str
    level: int
    certainty: str
    gap: float
    wrong: str


def check(
    puzzles: Iterable[Puzzle], tell: Callable[[], None] | None = None, *, play_outs: bool = False
) -> Iterator[Checked]:
    """Solve each of the puzzles again, with other random numbers where some were sampled.

    With ``play_outs``, puzzles without a fault are also played out among the strongest players.
    """
    for puzzle in sorted(puzzles, key=lambda puzzle: (puzzle.game, puzzle.source.seed, puzzle.source.game)):
        checked = _check_puzzle(puzzle)
        if play_outs and not checked.wrong and not agrees(puzzle):
            checked = replace(checked, wrong="play-outs")
        yield checked
        if tell:
            tell()


def _check_puzzle(puzzle: Puzzle) -> Checked:
    position, adapter = PuzzlePosition(puzzle), adapter_of(puzzle.game)
    wrong, gap = "moves", 0.0
    if len(position.moves) == len(puzzle.chances):
        luck = luck_of(puzzle.game, puzzle.source, "check")
        solved = adapter.solve(position.view, position.moves, luck)
        gap = solved.gap
        wrong = _find_fault(puzzle, solved, adapter.holds(solved))
    return Checked(puzzle.id, puzzle.game, puzzle.theme, puzzle.level, puzzle.certainty, gap, wrong)


def _find_fault(puzzle: Puzzle, solved: Solved, holds: bool) -> str:
    if not _from_its_source(puzzle):
        return "source"
    if solved.best != puzzle.best or not holds:
        return "best"
    apart = max(abs(POINT * one - other) for one, other in zip(solved.chances, puzzle.chances, strict=True))
    if puzzle.certainty != "sampled" and apart > 1:
        return "chances"
    return ""


def _from_its_source(puzzle: Puzzle) -> bool:
    """Return True if the id is that of the source, and the machine game reaches the position on that line.

    The game is only played again if the source replays.
    """
    source, rules = puzzle.source, game_named(puzzle.game)
    if puzzle.id != id_of(puzzle.game, source) or puzzle.version != rules.version:
        return False
    return not source.replays or replayed(puzzle)


def replayed(puzzle: Puzzle) -> bool:
    """Return True if the puzzle's machine game, played today, reaches its position on that line."""
    source, rules = puzzle.source, game_named(puzzle.game)
    record = _record(puzzle.game, source.seed, source.game)
    if record.header.players != source.players or len(record.steps) < source.line - 1:
        return False
    state = next(islice(replay(record), source.line - 2, None))
    return bool(state.mover >= 0 and rules.view(state, state.mover) == view_from(rules, puzzle.view))


_record = lru_cache(maxsize=1)(game_of)
"""Keeps the last game: puzzles of one game are checked one after the other."""
