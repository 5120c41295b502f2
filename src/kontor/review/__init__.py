"""The review of a finished game, move by move: what each decision cost, what was luck, and why.

Start with ``values`` (the data of a review), then ``reviewing``, ``judging`` and ``review_text``.
"""

from kontor.review.adapter import adapter_of
from kontor.review.comments import commented
from kontor.review.review_text import ExplainedDecision, ReviewText, assumed_opponents, percent, signed
from kontor.review.reviewing import check, judged, review
from kontor.review.serialisation import deserialise, serialise
from kontor.review.sharing import AnswerParts, Unanswered, by_thinkers
from kontor.review.values import Account, ChancePoint, Decision, NotReviewable, Review, TurningPoint

__all__ = [
    "Account",
    "AnswerParts",
    "ChancePoint",
    "Decision",
    "ExplainedDecision",
    "NotReviewable",
    "Review",
    "ReviewText",
    "TurningPoint",
    "Unanswered",
    "adapter_of",
    "assumed_opponents",
    "by_thinkers",
    "check",
    "commented",
    "deserialise",
    "judged",
    "percent",
    "review",
    "serialise",
    "signed",
]
