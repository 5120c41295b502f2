"""Puzzles as pages show them: what is asked, what each move is worth, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache
from threading import Lock
from typing import Any, Final

from kontor.game import Value
from kontor.players.levels import level_name
from kontor.puzzles import adapter as puzzle_adapters
from kontor.puzzles.collection import puzzle_named, puzzles_of
from kontor.puzzles.progress import GameProgress, PuzzleAnswer
from kontor.puzzles.values import AS_GOOD, POINT, Puzzle, PuzzlePosition
from kontor.review import adapter_of, assumed_opponents, percent
from kontor.words import Words

NAMES: Final = ("Anna", "Bernd", "Clara", "David", "Emma", "Frida")
"""Who sits at the table of a puzzle, as in the rule book's examples."""

_SHOWN: Final = 5
"""Moves that are told at once, the best first; the others are folded."""

_KEPT: Final = 500


class Explanations:
    """What thinkers have said of moves of puzzles, by game, puzzle and move: the last ones."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str, int], bytes] = {}
        self._lock = Lock()

    def get(self, key: tuple[str, str, int]) -> bytes | None:
        """What was said, if it is still known."""
        return self._kept.get(key)

    def keep(self, key: tuple[str, str, int], said: bytes) -> None:
        """Notes what was said."""
        with self._lock:
            while len(self._kept) >= _KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = said


def position_of(puzzle: Puzzle) -> PuzzlePosition:
    """A puzzle set up."""
    return _position(puzzle.game, puzzle.id)


@lru_cache(maxsize=64)
def _position(game: str, name: str) -> PuzzlePosition:
    puzzle = puzzle_named(game, name)
    assert puzzle is not None
    return PuzzlePosition(puzzle)


class MoveShown(Value, frozen=True):
    """A row of the list: a move, what it is worth, what it gives away, and how sure that is. ``bar`` is its width, of
    100. ``who`` are those who would make it."""

    text: str
    chance: str
    lost: str
    sure: str
    bar: int
    best: bool
    yours: bool
    who: str


class AnswerShown(Value, frozen=True):
    """What is told after the answer."""

    verdict: str
    good: bool
    better: str
    reasons: tuple[str, ...]
    explained: bool
    against: str
    rows: tuple[MoveShown, ...]
    others: tuple[MoveShown, ...]
    certainty: str
    source: str


def names_in(position: PuzzlePosition) -> tuple[str, ...]:
    """What the seats are called."""
    return NAMES[: position.game.seats(position.view.options)]


def theme(words: Words, puzzle: Puzzle) -> str:
    """What it is about: that tells much of the answer."""
    return words.say(puzzle_adapters.adapter_of(puzzle.game).themes[puzzle.theme])


def question(words: Words, puzzle: Puzzle) -> str:
    """What is asked, which gives nothing away."""
    adapter = puzzle_adapters.adapter_of(puzzle.game)
    return words.say(adapter.questions[adapter.asks[puzzle.theme]])


def shown(words: Words, puzzle: Puzzle, move: int, outlooks: tuple[Any, Any] | None) -> AnswerShown:
    """The answer to a move. ``outlooks`` are of the move that the best one is held against, and of the best."""
    position = position_of(puzzle)
    rows = list(_rows(words, position, move))
    first = [row for place, row in enumerate(rows) if place < _SHOWN or row.yours]
    against = compared(puzzle, move)
    why: list[str] = []
    if outlooks is not None:
        pair = (position.moves[against], outlooks[0]), (position.moves[puzzle.best], outlooks[1])
        why = adapter_of(puzzle.game).why(words, names_in(position), position.view, *pair)
    found = move == puzzle.best
    return AnswerShown(
        verdict=_verdict(words, puzzle, move),
        good=puzzle.lost(move) < AS_GOOD,
        better="" if found and len(puzzle.line) == 1 else words.say("Best: {moves}.", moves=_line(words, position)),
        reasons=tuple(why),
        explained=outlooks is not None,
        against=words.say("Why not {move}?", move=_said(words, position, against)) if found else "",
        rows=tuple(first),
        others=tuple(row for row in rows if row not in first),
        certainty=f"{_certainty(words, puzzle)} {assumed_opponents(words, puzzle.game)}".strip(),
        source=words.say(
            "From a game between {players} (seed {seed}, game {game}, line {line}).",
            players=words.all_of([level_name(words, player) for player in puzzle.source.players]),
            seed=puzzle.source.seed,
            game=puzzle.source.game,
            line=puzzle.source.line,
        ),
    )


def compared(puzzle: Puzzle, move: int) -> int:
    """With which move the best one is compared: that of the answer, or, where it was the best, the second."""
    if move != puzzle.best:
        return move
    others = [place for place in range(len(puzzle.chances)) if place != move]
    return max(others, key=puzzle.chances.__getitem__)


def _verdict(words: Words, puzzle: Puzzle, move: int) -> str:
    if move == puzzle.best:
        return words.say("The best move! Nothing lost.")
    lost = 100 * puzzle.lost(move)
    if puzzle.lost(move) < AS_GOOD:
        return words.count_tenths(
            "As good as the best move: {n} percentage point lost.",
            "As good as the best move: {n} percentage points lost.",
            lost,
        )
    return words.count_tenths(
        "This loses {n} percentage point of the chance of winning.",
        "This loses {n} percentage points of the chance of winning.",
        lost,
    )


def _said(words: Words, position: PuzzlePosition, place: int) -> str:
    return adapter_of(position.game.name).move(words, names_in(position), position.view, position.moves[place])


def _line(words: Words, position: PuzzlePosition) -> str:
    """The best line, as long as nothing else happens between."""
    game, state, told = position.game, position.state, []
    puzzle = position.puzzle
    for place in puzzle.line[: 1 if puzzle.certainty == "sampled" else None]:  # later moves were not weighed as well
        view, move = game.view(state, position.view.seat), game.moves(state)[place]
        told.append(adapter_of(game.name).move(words, names_in(position), view, move))
        state = game.play(state, move)
    return words.in_row(told)


def _rows(words: Words, position: PuzzlePosition, yours: int) -> Iterator[MoveShown]:
    puzzle = position.puzzle
    most = puzzle.chance(puzzle.best)
    for place in sorted(range(len(puzzle.chances)), key=lambda place: -puzzle.chances[place]):
        who = [level_name(words, player) for player, tried in puzzle.tried.items() if tried == place]
        lost, error = puzzle.lost(place), 1.96 * puzzle.error(place)
        yield MoveShown(
            text=_said(words, position, place),
            chance=percent(words, puzzle.chance(place)),
            lost=words.tenths(100 * lost) if lost else "",
            sure=words.say("±{n}", n=words.tenths(100 * error)) if error else "",
            bar=round(100 * puzzle.chance(place) / most) if most else 0,
            best=place == puzzle.best,
            yours=place == yours,
            who=words.in_row(who) if who else "",
        )


def _certainty(words: Words, puzzle: Puzzle) -> str:
    if puzzle.certainty == "exact":
        return words.say("These chances are exact: the round is the last, and solved to its end.")
    if puzzle.certainty == "learned":
        return words.say("The round is solved to its end; what it is worth for the rounds after it is learned.")
    return words.say(
        "Estimates from simulated rounds, by what this seat can know. ± is the 95% margin of error of the distance "
        "to the best move."
    )


# --------------------------------------------------------------------------------------------------------- overview


class QuestionShown(Value, frozen=True):
    """What is asked: how many puzzles, how many of them were answered."""

    key: str
    title: str
    puzzles: int
    answered: int


class DayShown(Value, frozen=True):
    """A day of the archive. ``lost`` says how it was answered; empty where it was not."""

    address: str
    day: str
    question: str
    lost: str


class OwnLevel(Value, frozen=True):
    """How somebody does in a game."""

    level: str
    count: int
    lost: str
    streak: int
    longest: int


def asking(game: str, key: str) -> list[Puzzle]:
    """The puzzles of a game that ask a question; all of them, if it is empty."""
    asks = puzzle_adapters.adapter_of(game).asks
    return [puzzle for puzzle in puzzles_of(game).values() if key in ("", asks[puzzle.theme])]


def questions(words: Words, game: str, progress: GameProgress) -> list[QuestionShown]:
    """The questions of a game."""
    found = []
    known = {answer.puzzle for answer in progress.answers}
    for key, title in puzzle_adapters.adapter_of(game).questions.items():
        these = [puzzle.id for puzzle in asking(game, key)]
        if these:
            found.append(QuestionShown(key, words.say(title), len(these), len(known.intersection(these))))
    return found


def level(words: Words, progress: GameProgress, today: date) -> OwnLevel | None:
    """Their own level; None for who has answered nothing yet."""
    if not progress.count:
        return None
    return OwnLevel(
        level=words.say("{level} ± {margin}", level=round(progress.level), margin=round(progress.rating.margin)),
        count=progress.count,
        lost=words.tenths(100 * progress.lost / POINT / progress.count),
        streak=progress.streak_on(today),
        longest=progress.longest,
    )


def lost_by(words: Words, answer: PuzzleAnswer | None) -> str:
    """What an answer gave away, in percentage points."""
    return words.tenths(100 * answer.lost / POINT) if answer else ""


def to_share(words: Words, title: str, day: date, lost: float, streak: int, url: str) -> str:
    """A line that tells how the puzzle of a day was solved, and gives nothing away."""
    told = words.count_tenths(
        "{game}, puzzle of {day}: {n} percentage point lost.",
        "{game}, puzzle of {day}: {n} percentage points lost.",
        100 * lost,
        game=title,
        day=words.day(day),
    )
    if streak > 1:
        told = f"{told} {words.count('{n} day in a row.', '{n} days in a row.', streak)}"
    return f"{told} {url}"


def next_of(puzzles: Sequence[Puzzle], progress: GameProgress, but: str = "") -> Puzzle | None:
    """The puzzle next to somebody's level that they have not answered."""
    known = {answer.puzzle for answer in progress.answers} | {but}
    left = [puzzle for puzzle in puzzles if puzzle.id not in known]
    return min(left, key=lambda puzzle: (abs(puzzle.level - progress.level), puzzle.id), default=None)
