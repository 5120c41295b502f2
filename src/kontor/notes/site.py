"""Parts of a server that the routes of notes use."""

from __future__ import annotations

from dataclasses import dataclass

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from kontor.notes.store import Notes
from kontor.tables.site import TablesSite


@dataclass(frozen=True, kw_only=True)
class NotesSite(TablesSite):
    """A server on the web, with the private notes of people."""

    notes: Notes


TheNotesSite = NamedDependency[SkipValidation[NotesSite]]
