"""What a server refuses, and why it cannot open. Each is a Refusal: a sentence to be said in the reader's language.

What the rules of a game refuse stays what it is: IllegalMove, with the number of the rule.
"""

from __future__ import annotations

from kontor.game import BadOptions, Refusal


class NoTable(Refusal):
    """There is no such table; or it has gone, since nobody came."""


class NoSeat(Refusal):
    """The table has no such seat."""


class NotAllowed(Refusal):
    """Not for this person, or not at this table."""


class NotNow(Refusal):
    """Possible, but before or after the game."""


class SeatTaken(Refusal):
    """Somebody else was quicker, or the person sits at the table already."""


class BadInvitation(Refusal):
    """A seat that needs an invitation, and another one or none was shown."""


class BadLink(Refusal):
    """A link to another device that was used, has run out, or never was."""


class BadCode(Refusal):
    """A typed code that was mistyped, has run out, or was replaced."""


class BadPasskey(Refusal):
    """A passkey that nobody here has, or that did not prove what it should."""


class NoReport(Refusal):
    """There is no such report."""


class BadName(Refusal):
    """A name that cannot be shown."""


class BadText(Refusal):
    """A text that is empty, too long, or holds what cannot be shown."""


class BadPlan(BadOptions):
    """A table that cannot be opened like that. What the game's options lack is told by BadOptions itself."""


class TooMany(Refusal):
    """More of something than one person may have."""


class NotYourTurn(Refusal):
    """Another seat is to move."""


class StoodIn(Refusal):
    """A computer player stands in for the person, who must come back first."""


class NoHint(Refusal):
    """The judge failed, or took too long."""


class Malformed(Refusal):
    """What was sent is no move of this game at all."""


class Unreadable(Refusal):
    """The table's log cannot be played by this program, for it was played by other rules."""


class StorageFailure(Refusal):
    """The database could not write or read: a full disk, a lost volume or connection. Nothing of it has happened,
    unless the sentence says otherwise."""


class DatabaseDamaged(StorageFailure):
    """The database is damaged; the operator must restore a backup."""


class DatabaseMoved(StorageFailure):
    """The database's files are not in their place any more; the operator must put them back."""


class Conflict(Refusal):
    """Another move came first. ``number`` is that of the table's last line now."""

    def __init__(self, number: int) -> None:
        super().__init__("", "Something has changed at the table. Please look again.")
        self.number = number


class CannotOpen(Refusal):
    """Why a server cannot open."""


class Unwritable(CannotOpen):
    """The folder, the file or the database cannot be had, or not be written."""


class NoAddress(CannotOpen):
    """What was given is no address of a PostgreSQL database."""


class NoDriver(CannotOpen):
    """The package by which PostgreSQL is spoken to is not installed."""


class InUse(CannotOpen):
    """Another process has this server open."""


class NotADatabase(CannotOpen):
    """The file is no database, is damaged, or is the database of something else."""


class NoDatabase(CannotOpen):
    """The database is missing from a folder where there was one."""


class NewerDatabase(CannotOpen):
    """The database was made by a newer Kontor."""


class NothingToCopy(CannotOpen):
    """There is no server to be copied."""


class NotEmpty(CannotOpen):
    """A copy is to be put where people live already."""


class BadCopy(Refusal):
    """A backup that is damaged, cut off, or none at all."""


class NewerCopy(BadCopy):
    """A backup that was written by a newer Kontor."""


class FileThere(Refusal):
    """A backup is never written over another file."""
