"""Puzzles as pages show them: the question, the value of each move, and the reasons."""

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
from kontor.web.adapter import adapter_of as web_adapter_of
from kontor.web.pages.previews import Preview, image_of
from kontor.web.pages.render import Pages
from kontor.words import Words

NAMES: Final = ("Anna", "Bernd", "Clara", "David", "Emma", "Frida")
"""The names in a puzzle, as in the rule book's examples; the first is that of a solver without a name."""

_SHOWN: Final = 5
"""Number of moves shown at once, the best first; the others are folded."""

_MOST_CACHED: Final = 500


class Explanations:
    """A cache of the explanations that thinkers gave for moves of puzzles, by game, puzzle and move."""

    def __init__(self) -> None:
        self._cached: dict[tuple[str, str, int], bytes] = {}
        self._lock = Lock()

    def get(self, key: tuple[str, str, int]) -> bytes | None:
        """Return the explanation, if it is still cached."""
        return self._cached.get(key)

    def keep(self, key: tuple[str, str, int], explanation: bytes) -> None:
        """Cache an explanation; drop the oldest ones if there are too many."""
        with self._lock:
            while len(self._cached) >= _MOST_CACHED:
                del self._cached[next(iter(self._cached))]
            self._cached[key] = explanation


def position_of(puzzle: Puzzle) -> PuzzlePosition:
    """Return the position of a puzzle."""
    return _position(puzzle.game, puzzle.id)


@lru_cache(maxsize=64)
def _position(game: str, name: str) -> PuzzlePosition:
    puzzle = puzzle_named(game, name)
    assert puzzle is not None
    return PuzzlePosition(puzzle)


class MoveShown(Value, frozen=True):
    """A row of the list: a move, its chance, its loss, and the margin of error.

    ``bar`` is the width of its bar, 0 to 100. ``who`` names the players who would make it.
    """

    text: str
    chance: str
    lost: str
    sure: str
    bar: int
    best: bool
    yours: bool
    who: str


class AnswerShown(Value, frozen=True):
    """The evaluation of an answer: the verdict, the reasons, and the list of moves."""

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


def names_in(position: PuzzlePosition, solver: str = "") -> tuple[str, ...]:
    """Return the names of the seats; the solver has their own name, if they have one."""
    seats = position.game.seats(position.view.options)
    others = [name for name in NAMES[1:] if name != solver]
    names = [solver or NAMES[0], *others]
    return tuple(names[(seat - position.view.seat) % seats] for seat in range(seats))


def theme(words: Words, puzzle: Puzzle) -> str:
    """Return the theme of a puzzle, which reveals much of the answer."""
    return words.say(puzzle_adapters.adapter_of(puzzle.game).themes[puzzle.theme])


def question(words: Words, puzzle: Puzzle) -> str:
    """Return the question of a puzzle, which reveals nothing of the answer."""
    adapter = puzzle_adapters.adapter_of(puzzle.game)
    return words.say(adapter.questions[adapter.asks[puzzle.theme]])


def describe_answer(
    words: Words, puzzle: Puzzle, move: int, outlooks: tuple[Any, Any] | None, solver: str = ""
) -> AnswerShown:
    """Return what is shown after a move.

    ``outlooks`` are those of the move compared with the best one, and of the best.
    """
    position = position_of(puzzle)
    rows = list(_rows(words, position, move))
    first = [row for place, row in enumerate(rows) if place < _SHOWN or row.yours]
    against = move_to_compare(puzzle, move)
    reasons: list[str] = []
    if outlooks is not None:
        pair = (position.moves[against], outlooks[0]), (position.moves[puzzle.best], outlooks[1])
        reasons = adapter_of(puzzle.game).why(words, names_in(position, solver), position.view, *pair)
    is_best = move == puzzle.best
    return AnswerShown(
        verdict=_verdict(words, puzzle, move),
        good=puzzle.lost(move) < AS_GOOD,
        better="" if is_best and len(puzzle.line) == 1 else words.say("Best: {moves}.", moves=_line(words, position)),
        reasons=tuple(reasons),
        explained=outlooks is not None,
        against=words.say("Why not {move}?", move=_move_text(words, position, against)) if is_best else "",
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


def move_to_compare(puzzle: Puzzle, move: int) -> int:
    """Return the move to compare with the best one: that of the answer, or the second best after a best one."""
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


def _move_text(words: Words, position: PuzzlePosition, place: int) -> str:
    return adapter_of(position.game.name).move(words, names_in(position), position.view, position.moves[place])


def _line(words: Words, position: PuzzlePosition) -> str:
    """Return the best line in words, up to another mover's action; of a sampled puzzle only its first move."""
    game, state, texts = position.game, position.state, []
    puzzle = position.puzzle
    for place in puzzle.line[: 1 if puzzle.certainty == "sampled" else None]:  # later moves are less sure
        view, move = game.view(state, position.view.seat), game.moves(state)[place]
        texts.append(adapter_of(game.name).move(words, names_in(position), view, move))
        state = game.play(state, move)
    return words.in_row(texts)


def _rows(words: Words, position: PuzzlePosition, answer: int) -> Iterator[MoveShown]:
    puzzle = position.puzzle
    most = puzzle.chance(puzzle.best)
    for place in sorted(range(len(puzzle.chances)), key=lambda place: -puzzle.chances[place]):
        players = [level_name(words, player) for player, tried in puzzle.tried.items() if tried == place]
        lost, error = puzzle.lost(place), 1.96 * puzzle.error(place)
        yield MoveShown(
            text=_move_text(words, position, place),
            chance=percent(words, puzzle.chance(place)),
            lost=words.tenths(100 * lost) if lost else "",
            sure=words.say("±{n}", n=words.tenths(100 * error)) if error else "",
            bar=round(100 * puzzle.chance(place) / most) if most else 0,
            best=place == puzzle.best,
            yours=place == answer,
            who=words.in_row(players) if players else "",
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
    """A question, with the number of puzzles that ask it, and of those answered."""

    key: str
    title: str
    puzzles: int
    answered: int


class DayShown(Value, frozen=True):
    """A day of the archive. ``lost`` says how it was answered; empty if it was not."""

    address: str
    day: str
    question: str
    lost: str


class OwnLevel(Value, frozen=True):
    """The level and the results of a person in a game."""

    level: str
    count: int
    lost: str
    streak: int
    longest: int


def puzzles_asking(game: str, key: str) -> list[Puzzle]:
    """Return the puzzles of a game that ask a question, or all of them if ``key`` is empty."""
    asks = puzzle_adapters.adapter_of(game).asks
    return [puzzle for puzzle in puzzles_of(game).values() if key in ("", asks[puzzle.theme])]


def questions(words: Words, game: str, progress: GameProgress) -> list[QuestionShown]:
    """Return the questions of a game that have puzzles."""
    rows = []
    answered = {answer.puzzle for answer in progress.answers}
    for key, title in puzzle_adapters.adapter_of(game).questions.items():
        puzzle_ids = [puzzle.id for puzzle in puzzles_asking(game, key)]
        if puzzle_ids:
            rows.append(QuestionShown(key, words.say(title), len(puzzle_ids), len(answered.intersection(puzzle_ids))))
    return rows


def level(words: Words, progress: GameProgress, today: date) -> OwnLevel | None:
    """Return a person's level and results; None if they have answered nothing yet."""
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
    """Return the loss of an answer, in percentage points; empty without an answer."""
    return words.tenths(100 * answer.lost / POINT) if answer else ""


def to_share(words: Words, title: str, day: date, lost: float, streak: int, url: str) -> str:
    """Return a line that tells how the puzzle of a day was solved, and nothing of the answer."""
    text = words.count_tenths(
        "{game}, puzzle of {day}: {n} percentage point lost.",
        "{game}, puzzle of {day}: {n} percentage points lost.",
        100 * lost,
        game=title,
        day=words.day(day),
    )
    if streak > 1:
        text = f"{text} {words.count('{n} day in a row.', '{n} days in a row.', streak)}"
    return f"{text} {url}"


def next_of(puzzles: Sequence[Puzzle], progress: GameProgress, but: str = "") -> Puzzle | None:
    """Return the unanswered puzzle next to a person's level, other than ``but``; None if there is none."""
    answered = {answer.puzzle for answer in progress.answers} | {but}
    left = [puzzle for puzzle in puzzles if puzzle.id not in answered]
    return min(left, key=lambda puzzle: (abs(puzzle.level - progress.level), puzzle.id), default=None)


def preview_of(words: Words, pages: Pages, game: str, day: date | None, base: str, here: str) -> Preview:
    """Return the preview of a puzzle: the game and the day, but nothing of the answer."""
    title = web_adapter_of(game).title
    puzzle_title = words.say("{game}: a puzzle", game=title)
    if day:
        puzzle_title = words.say("{game}: puzzle of {day}", game=title, day=words.day(day))
    description = words.say("Find the best move: you are told what each is worth, and why.")
    return Preview(puzzle_title, description, f"{base}{here}", image_of(pages, base, game))
