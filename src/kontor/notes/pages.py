"""The contents of the pages of private notes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from kontor.notes.values import ListedNote
from kontor.people.texts import name_said
from kontor.players.levels import marked, seat_name
from kontor.web.adapter import adapter_of
from kontor.web.pages.refused import Refused
from kontor.web.pages.whole_page import WholePage
from kontor.words import Words


class NotePage(WholePage, frozen=True, kw_only=True):
    """The context of the page of a note about a table."""

    template: ClassVar = "notes/note.html"

    game: str
    title: str
    table: str
    text: str
    most: int
    saved: bool
    """True if the note was just saved."""
    refused: Refused | None


class NoteRow(msgspec.Struct, frozen=True, kw_only=True):
    """A note as the list shows it."""

    table: str
    title: str
    others: str
    """The names of the others at the table."""
    day: str
    state: str
    text: str


class NotesPage(WholePage, frozen=True, kw_only=True):
    """The context of the list of one's own notes."""

    template: ClassVar = "notes/notes.html"

    rows: Sequence[NoteRow]
    most: int
    """The most rows; there may be older notes if there are so many."""


def note_row(words: Words, listed: ListedNote) -> NoteRow:
    """Return a note as the list shows it."""
    names = [
        marked(seat_name(words, name, player)) if player else name_said(words, name) for name, player in listed.others
    ]
    return NoteRow(
        table=listed.note.table,
        title=adapter_of(listed.game).title,
        others=words.all_of(names) if names else "",
        day=words.day(listed.note.at.date()),
        state=words.say("finished") if listed.over else words.say("in play"),
        text=listed.note.text,
    )
