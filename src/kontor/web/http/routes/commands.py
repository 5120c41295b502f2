"""Commands that are typed at a table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from litestar import Response, post
from litestar.params import FromPath

from kontor.errors import NotNow
from kontor.tables.table_views import TableView
from kontor.web.adapter import adapter_of
from kontor.web.http.routes.play import as_seat, table_response
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import Site, TheSite, in_moving_thread
from kontor.web.pages.commands import MOST_TYPED, Answer, TypingPlayer, after_move, answer_to
from kontor.web.pages.table_page import PageRequest, rules_now, viewing_seat
from kontor.web.pages.visitor import Visitor


@post("/tables/{table:str}/commands")
@in_moving_thread
def command(
    request: AnyRequest, site: TheSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Do a typed command: a move, or a request to read something. The page that is returned shows the answer."""
    typed, to_confirm = form.text("typed", MOST_TYPED), form.text("asked", MOST_TYPED)

    def act(game: str, seat: int, page_request: PageRequest) -> Response[Any]:
        player = _typing_player(visitor, site.service.tables.view(table, visitor.id), page_request)
        answer = answer_to(player, typed, to_confirm)
        if answer.move is not None:
            number, undone = form.number("number"), form.number("undone")
            site.service.moves.play(table, player.seat, number, answer.move, undone, page_request.undo)
            now = site.service.tables.view(table, visitor.id)
            answer = after_move(replace(player, now=now, look=now.look(player.seat)), player.look.number)
        return _answer_response(site, visitor, table, page_request, answer)

    return as_seat(request, site, visitor, form, table, "move", act)


def _typing_player(visitor: Visitor, now: TableView, page_request: PageRequest) -> TypingPlayer:
    """Return the person who types, with the view of their page. Raises NotNow while they are shown nothing."""
    seat, curtain = viewing_seat(now, page_request.seat)
    if now.info.status == "waiting" or curtain is not None or seat is None:
        raise NotNow("", "There is nothing to be seen yet.")
    words, adapter, look = visitor.words, adapter_of(now.info.game), now.look(seat)
    return TypingPlayer(words, adapter, now, look, seat, rules_now(words, adapter, look))


def _answer_response(
    site: Site, visitor: Visitor, table: str, page_request: PageRequest, answer: Answer
) -> Response[Any]:
    """Return only the answer to our script, else the whole page with it."""
    if visitor.script:
        return site.page("table/said_to_command.html", visitor, answer=answer)
    return table_response(site, visitor, table, replace(page_request, answer=answer, sent={"typed": answer.asks}))


ROUTES = (command,)
