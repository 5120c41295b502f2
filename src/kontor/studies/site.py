"""Parts of a server that the routes of reviews, the analysis board and puzzles use."""

from __future__ import annotations

from dataclasses import dataclass, field

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from kontor.analysis.appraisals import PositionQuestions
from kontor.studies.pages.puzzles import Explanations
from kontor.studies.reviews import Reviews
from kontor.studies.solving import Solving
from kontor.tables.site import TablesSite
from kontor.thinking import Thinking


@dataclass(frozen=True, kw_only=True)
class StudiesSite(TablesSite):
    """A server on the web, with its reviews, analysis board and puzzles."""

    solving: Solving
    reviews: Reviews
    questions: PositionQuestions
    """The positions of the analysis board that are being judged."""
    thinkers: Thinking
    explanations: Explanations = field(default_factory=Explanations)


TheStudiesSite = NamedDependency[SkipValidation[StudiesSite]]
