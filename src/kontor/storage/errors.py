"""Failures of the database, and the reasons why a server or a copy can't be opened; each is a sentence for people."""

from __future__ import annotations

from kontor.game import Refusal


class StorageFailure(Refusal):
    """The database could not write or read: a full disk, a lost volume or connection.

    Nothing was changed, unless the sentence says otherwise.
    """


class DatabaseDamaged(StorageFailure):
    """The database is damaged; the operator must restore a backup."""


class DatabaseMoved(StorageFailure):
    """The database's files are not in their place any more; the operator must put them back."""


class CannotOpen(Refusal):
    """Reason why a server cannot open."""


class Unwritable(CannotOpen):
    """The folder, the file or the database can't be opened, or can't be written."""


class NoAddress(CannotOpen):
    """The argument is no address of a PostgreSQL database."""


class NoDriver(CannotOpen):
    """The package that connects to PostgreSQL is not installed."""


class InUse(CannotOpen):
    """Another process has this server open."""


class NotADatabase(CannotOpen):
    """The file is no database, is damaged, or is the database of something else."""


class NoDatabase(CannotOpen):
    """The database is missing from a folder where there was one."""


class NewerDatabase(CannotOpen):
    """The database was made by a newer Kontor."""


class NothingToCopy(CannotOpen):
    """There is no server to copy."""


class NotEmpty(CannotOpen):
    """The destination of a copy already has people in it."""


class BadCopy(Refusal):
    """A file that is a damaged backup, a cut-off backup, or none at all."""


class NewerCopy(BadCopy):
    """A backup that was written by a newer Kontor."""


class FileThere(Refusal):
    """A backup is never written over another file."""
