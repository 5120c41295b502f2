"""Refusals of a server. Each is a sentence in the reader's language.

What the rules of a game refuse stays an IllegalMove, with the number of the rule.
"""

from __future__ import annotations

from kontor.game import BadOptions, Refusal


class NoTable(Refusal):
    """There is no such table; or it was deleted, since nobody came."""


class NoSeat(Refusal):
    """The table has no such seat."""


class NotAllowed(Refusal):
    """The action is not for this person, or not at this table."""


class NotNow(Refusal):
    """The action is possible, but before or after the game."""


class SeatTaken(Refusal):
    """Another person was quicker, or the person sits at the table already."""


class BadInvitation(Refusal):
    """A seat needs an invitation, and the request had another one or none."""


class BadLink(Refusal):
    """A link to another device was used, has expired, or never existed."""


class BadCode(Refusal):
    """A typed code was mistyped, has expired, or was replaced."""


class BadPasskey(Refusal):
    """A passkey is unknown here, or did not prove what it should."""


class NoRecord(Refusal):
    """There is no such record, or it is not shared any more."""


class NoConversation(Refusal):
    """There is no such conversation, or it is not one of this person."""


class NoClub(Refusal):
    """There is no such club, or it is not one that this person may see."""


class NoReport(Refusal):
    """There is no such report."""


class BadName(Refusal):
    """A name that cannot be shown."""


class BadText(Refusal):
    """A text that is empty, too long, or holds what cannot be shown."""


class BadPlan(BadOptions):
    """A table that can't be opened like that. For faults in the game's options BadOptions itself is raised."""


class TooMany(Refusal):
    """More of something than one person may have."""


class NotYourTurn(Refusal):
    """Another seat is to move."""


class StoodIn(Refusal):
    """A computer player stands in for the person, who must come back first."""


class NoHint(Refusal):
    """The judge failed, or took too long."""


class Malformed(Refusal):
    """The data sent is no move of this game at all."""


class Unreadable(Refusal):
    """This program can't replay the table's log, for the game was played by other rules."""


class Conflict(Refusal):
    """Another move came first. ``number`` is the number of the table's last line now."""

    def __init__(self, number: int) -> None:
        super().__init__("", "Something has changed at the table. Please look again.")
        self.number = number
