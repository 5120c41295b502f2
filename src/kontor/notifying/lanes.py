"""Lanes of the outbox: each way of sending has its own, and each person a share of it.

A recipient that answers slowly holds up a few messages of its own lane, and no other lane.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, Literal, Protocol

from kontor.game import Value
from kontor.notifying.values import SendKind

Lane = Literal["codes", "mail", "webhooks", "push"]
"""``codes`` are mails that are good for ten minutes, to people who need not have a notification channel."""


class LaneShare(Value, frozen=True):
    """The most messages of a lane in flight: in all, to one person, and about tables opened from one network."""

    in_all: int
    of_person: int
    of_origin: int


SHARES: Final[Mapping[Lane, LaneShare]] = {
    "codes": LaneShare(16, 16, 16),
    "mail": LaneShare(32, 4, 16),
    "webhooks": LaneShare(16, 2, 6),
    "push": LaneShare(8, 2, 4),
}
"""By lane, in the order in which messages are taken. Codes have no person."""

_LANES: Final[Mapping[SendKind | None, Lane]] = {
    None: "codes",
    "mail": "mail",
    "webhook": "webhooks",
    "discord": "webhooks",
    "table": "webhooks",
    "push": "push",
}


def lane_of(kind: SendKind | None) -> Lane:
    """Return the lane for a kind of channel; None is a mail without one."""
    return _LANES[kind]


def kinds_of(lane: Lane) -> tuple[SendKind, ...]:
    """Return the kinds of channels of a lane; none for codes."""
    return tuple(kind for kind, its_lane in _LANES.items() if its_lane == lane and kind is not None)


class LaneMessage(Protocol):
    """A message to a person, about a table that was opened from a network (``origin``; 0: none)."""

    @property
    def kind(self) -> SendKind | None:
        """Return the kind of channel."""

    @property
    def person(self) -> str:
        """Return the id of the recipient, or ""."""

    @property
    def origin(self) -> int:
        """Return the number of the network."""


class LaneUse:
    """Counter of the messages of a lane that are in flight."""

    def __init__(self, lane: Lane, under_way: Iterable[LaneMessage]) -> None:
        self.share = SHARES[lane]
        of_lane = [message for message in under_way if lane_of(message.kind) == lane]
        self.number = len(of_lane)
        self._of_person = Counter(message.person for message in of_lane if message.person)
        self._of_origin = Counter(message.origin for message in of_lane if message.origin)

    def add(self, message: LaneMessage) -> bool:
        """Count one more message; return False, and count nothing, if there is no room for it."""
        if (
            self.number >= self.share.in_all
            or (message.person and self._of_person[message.person] >= self.share.of_person)
            or (message.origin and self._of_origin[message.origin] >= self.share.of_origin)
        ):
            return False
        self.number += 1
        self._of_person[message.person] += 1
        self._of_origin[message.origin] += 1
        return True

    def busy_people(self) -> list[str]:
        """Return the ids of people who have their full share in flight."""
        return [person for person, number in self._of_person.items() if number >= self.share.of_person]

    def busy_origins(self) -> list[int]:
        """Return the networks that have their full share in flight."""
        return [origin for origin, number in self._of_origin.items() if number >= self.share.of_origin]
