"""Parts of a server that the routes of challenges use."""

from __future__ import annotations

from dataclasses import dataclass

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from kontor.challenges.store import Challenges
from kontor.following.site import FollowingSite


@dataclass(frozen=True, kw_only=True)
class ChallengesSite(FollowingSite):
    """A server on the web, with the challenges of its people."""

    challenges: Challenges


TheChallengesSite = NamedDependency[SkipValidation[ChallengesSite]]
