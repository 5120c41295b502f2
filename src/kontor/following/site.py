"""Parts of a server that the routes of following use."""

from __future__ import annotations

from dataclasses import dataclass

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from kontor.following.store import Following
from kontor.tables.site import TablesSite


@dataclass(frozen=True, kw_only=True)
class FollowingSite(TablesSite):
    """A server on the web, with the people whom each one follows."""

    following: Following


TheFollowingSite = NamedDependency[SkipValidation[FollowingSite]]
