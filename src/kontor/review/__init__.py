"""The review of a game that is over, move by move: what each decision cost, what was luck, and why.

Start with ``values`` (what a review tells), then ``reviewing``, ``judging`` and ``telling``.
"""

from kontor.review.packing import packed, unpacked
from kontor.review.reviewing import check, review
from kontor.review.sharing import Share, Unanswered, alone, by_thinkers
from kontor.review.telling import Explained, Teller, percent, signed
from kontor.review.values import Account, Decision, NotReviewable, Review, Spot, Turning

__all__ = [
    "Account",
    "Decision",
    "Explained",
    "NotReviewable",
    "Review",
    "Share",
    "Spot",
    "Teller",
    "Turning",
    "Unanswered",
    "alone",
    "by_thinkers",
    "check",
    "packed",
    "percent",
    "review",
    "signed",
    "unpacked",
]
