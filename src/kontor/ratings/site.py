"""Parts of a server that the routes of ratings use."""

from __future__ import annotations

from dataclasses import dataclass

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from kontor.messages.site import MessagesSite
from kontor.ratings.finding_people import PeopleSearch
from kontor.ratings.histories import Histories
from kontor.ratings.reviewed_seats import ReviewedSeats
from kontor.ratings.stored_ratings import StoredRatings


@dataclass(frozen=True, kw_only=True)
class RatingsSite(MessagesSite):
    """A server on the web, with its ratings."""

    ratings: StoredRatings
    histories: Histories
    reviewed_seats: ReviewedSeats
    people_search: PeopleSearch


TheRatingsSite = NamedDependency[SkipValidation[RatingsSite]]
