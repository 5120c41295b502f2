"""Commands that are typed at a table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from litestar import Response

from kontor.errors import NotNow
from kontor.tables.pages.commands import MOST_TYPED, TypingPlayer, after_move, answer_to
from kontor.tables.pages.confirming import confirms_moves
from kontor.tables.pages.table_context import CommandAnswer
from kontor.tables.pages.table_page import PageRequest, rules_now, viewing_seat
from kontor.tables.routes.actions import TableAction
from kontor.tables.routes.forms import TableForm, table_form
from kontor.tables.routes.responses import table_response
from kontor.tables.views import TableView
from kontor.web.adapter import adapter_of
from kontor.web.pages.visitor import Visitor


@table_form(TableAction.COMMAND)
def command(sent: TableForm) -> Response[Any]:
    """Do a typed command: a move, or a request to read something. The page that is returned shows the answer."""
    sent.require_seat()
    site, table, form, page_request = sent.site, sent.table, sent.form, sent.page_request
    player = _typing_player(sent.visitor, site.tables.view(table, sent.person), page_request)
    answer = answer_to(player, form.text("typed", MOST_TYPED), form.text("asked", MOST_TYPED))
    if answer.move is not None:
        number, undone = form.number("number"), form.number("undone")
        site.moves.play(table, player.seat, number, answer.move, undone, page_request.undo)
        now = site.tables.view(table, sent.person)
        answer = after_move(replace(player, now=now, look=now.look(player.seat)), player.look.number)
    if sent.visitor.script:
        return site.page(sent.visitor, CommandAnswer(answer=answer))
    page_request = replace(page_request, answer=answer, sent={"typed": answer.asks})
    return table_response(site, sent.visitor, table, page_request)


def _typing_player(visitor: Visitor, now: TableView, page_request: PageRequest) -> TypingPlayer:
    """Return the person who types, with the view of their page. Raises NotNow while they are shown nothing."""
    seat, curtain = viewing_seat(now, page_request.seat)
    if now.info.status == "waiting" or curtain is not None or seat is None:
        raise NotNow("", "There is nothing to be seen yet.")
    words, adapter, look = visitor.words, adapter_of(now.info.game), now.look(seat)
    confirms = confirms_moves(visitor.person, now.info.pace)
    return TypingPlayer(words, adapter, now, look, seat, rules_now(words, adapter, look), confirms)


ROUTES = (command,)
