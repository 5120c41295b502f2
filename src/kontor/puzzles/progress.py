"""Progress of a person with puzzles: their own level, the streak of daily puzzles, and their last answers."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from contextlib import suppress
from datetime import date, timedelta
from typing import Final

import msgspec
from msgspec.structs import replace

from kontor.game import Value
from kontor.puzzles.rating import Rating, rated
from kontor.puzzles.values import POINT, Puzzle

REMEMBERED: Final = 100
"""The most answers kept for each game, the last ones. A cookie has room for no more."""

_CHARACTERS: Final = 3800
"""The longest text: browsers drop longer cookies."""


class PuzzleAnswer(Value, frozen=True, array_like=True):
    """An answer to a puzzle: the index of the move, and the chance it gave away, in parts of POINT."""

    puzzle: str
    move: int
    lost: int


class GameProgress(Value, frozen=True, array_like=True):
    """Progress of a person in one game.

    ``day`` is the last day whose daily puzzle was answered on the day itself, ``streak`` how many days in a row that
    was. ``lost`` is the sum of all answers, in parts of POINT.
    """

    level: float = Rating().level
    deviation: float = Rating().deviation
    count: int = 0
    lost: int = 0
    streak: int = 0
    longest: int = 0
    day: str = ""
    answers: tuple[PuzzleAnswer, ...] = ()

    @property
    def rating(self) -> Rating:
        """Return the person's level, with its deviation."""
        return Rating(self.level, self.deviation)

    def answer_to(self, puzzle: str) -> PuzzleAnswer | None:
        """Return the person's answer to a puzzle; None if it is not kept."""
        return next((answer for answer in self.answers if answer.puzzle == puzzle), None)

    def streak_on(self, today: date) -> int:
        """Return the streak as of today: a missed day ends it, but today can still be answered."""
        return self.streak if self.day in (today.isoformat(), (today - timedelta(1)).isoformat()) else 0


Progress = dict[str, GameProgress]
"""Progress by game."""


def answered(progress: GameProgress, puzzle: Puzzle, move: int, today: date, daily: bool) -> GameProgress:
    """Return the progress after an answer. Only the first answer to a puzzle counts.

    ``daily`` says that it is today's puzzle.
    """
    counted = progress
    if progress.answer_to(puzzle.id) is None:
        rating = rated(progress.rating, puzzle.level, puzzle.score(move))
        answer = PuzzleAnswer(puzzle.id, move, round(POINT * puzzle.lost(move)))
        counted = replace(
            progress,
            level=round(rating.level, 1),
            deviation=round(rating.deviation, 1),
            count=progress.count + 1,
            lost=progress.lost + answer.lost,
            answers=(*progress.answers, answer)[-REMEMBERED:],
        )
    if daily and counted.day != today.isoformat():
        streak = counted.streak_on(today) + 1
        counted = replace(counted, streak=streak, longest=max(streak, counted.longest), day=today.isoformat())
    return counted


def encode(progress: Progress) -> str:
    """Return the progress as text for a cookie or a database; the oldest answers are dropped if it is too long."""
    shortened = progress
    while len(text := _text(shortened)) > _CHARACTERS:
        shortened = {
            game: replace(one, answers=one.answers[len(one.answers) // 4 + 1 :]) for game, one in shortened.items()
        }
    return text


def _text(progress: Progress) -> str:
    return urlsafe_b64encode(msgspec.msgpack.encode(progress)).decode().rstrip("=")


def decode(text: str) -> Progress:
    """Return the progress that a text encodes; an empty one if the text is invalid."""
    with suppress(ValueError, msgspec.DecodeError):
        return msgspec.msgpack.decode(urlsafe_b64decode(text + "=" * (-len(text) % 4)), type=Progress)
    return {}
