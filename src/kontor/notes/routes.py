"""Routes of private notes: the note about a table, and the list of one's own."""

from __future__ import annotations

from functools import partial
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from kontor.notes.pages import NotePage, NotesPage, note_row
from kontor.notes.site import NotesSite, TheNotesSite
from kontor.notes.store import LONGEST, MOST_LISTED
from kontor.web.adapter import adapter_of
from kontor.web.http.faults import refusal_response, require_person_id
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import in_acting_thread, in_reading_thread, redirect
from kontor.web.pages.refused import Refused
from kontor.web.pages.visitor import Visitor


@get("/notes")
@in_reading_thread
def own_notes(site: TheNotesSite, visitor: TheVisitor) -> Response[str]:
    """Return the list of one's own notes."""
    rows = site.notes.listed(require_person_id(visitor))
    return site.page(visitor, NotesPage(rows=[note_row(visitor.words, listed) for listed in rows], most=MOST_LISTED))


@get("/tables/{table:str}/note")
@in_reading_thread
def note(request: AnyRequest, site: TheNotesSite, visitor: TheVisitor, table: FromPath[str]) -> Response[str]:
    """Return the page of one's note about a table."""
    text = site.notes.of(table, require_person_id(visitor))
    return _page(site, visitor, table, text, saved=request.query_params.get("saved") == "yes")


def _page(
    site: NotesSite,
    visitor: Visitor,
    table: str,
    text: str,
    refusal: Refused | None = None,
    *,
    saved: bool = False,
) -> Response[str]:
    game = site.tables.info(table, visitor.id).game
    title = adapter_of(game).title
    page = NotePage(game=game, title=title, table=table, text=text, most=LONGEST, saved=saved, refused=refusal)
    return site.page(visitor, page)


@post("/tables/{table:str}/note")
@in_acting_thread
def write(site: TheNotesSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]) -> Response[Any]:
    """Save one's note about a table; an empty one is deleted."""
    person = require_person_id(visitor)
    text = form.get("text", "")
    try:
        site.spend("chat", visitor)
        site.notes.write(table, person, text)
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, partial(_page, site, visitor, table, text))
    return redirect(f"/tables/{table}/note?saved=yes")


ROUTES = (own_notes, note, write)
