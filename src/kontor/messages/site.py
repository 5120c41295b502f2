"""Parts of a server that the routes of messages use."""

from __future__ import annotations

from dataclasses import dataclass

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from kontor.challenges.site import ChallengesSite
from kontor.messages.store import Messages


@dataclass(frozen=True, kw_only=True)
class MessagesSite(ChallengesSite):
    """A server on the web, with the conversations of its people."""

    messages: Messages


TheMessagesSite = NamedDependency[SkipValidation[MessagesSite]]
