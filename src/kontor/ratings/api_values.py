"""The JSON values of the API about people's pages."""

from __future__ import annotations

from kontor.game import Value
from kontor.ratings.values import Companion, GameHistory, Meeting, Part, PersonRating, RatingDay, ReviewedGame


class PersonPage(Value, frozen=True):
    """The page of a person: the ``parts`` that they show, and their contents.

    ``meetings`` are the games that the caller has played with them. In reviewed games, results are between 0 and 1,
    and losses are in parts of a victory.
    """

    name: str
    parts: tuple[Part, ...]
    results: tuple[GameHistory, ...]
    ratings: tuple[PersonRating, ...]
    curve: tuple[RatingDay, ...]
    reviewed: tuple[ReviewedGame, ...]
    companions: tuple[Companion, ...]
    meetings: tuple[Meeting, ...]
