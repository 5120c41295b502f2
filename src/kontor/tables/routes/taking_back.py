"""Routes to take back moves by agreement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from litestar import Response, get
from litestar.params import FromPath

from kontor.game import Value
from kontor.tables.agreed_undo import SeenMoves
from kontor.tables.pages.seating import seats_still_mine
from kontor.tables.pages.taking_back import (
    TakingBackShown,
    describe_agreement,
    describe_lines,
    describe_taking_back,
    lines_to_return_to,
)
from kontor.tables.routes.actions import TableAction
from kontor.tables.routes.forms import TableForm, table_form
from kontor.tables.routes.responses import page_of, parse_seat
from kontor.tables.site import TablesSite, TheTablesSite
from kontor.tables.values import TableInfo
from kontor.tables.views import TableView
from kontor.web.adapter import adapter_of
from kontor.web.forms import Form
from kontor.web.http.faults import require_person_id
from kontor.web.http.sessions import AnyRequest, TheVisitor
from kontor.web.http.site import in_reading_thread, redirect
from kontor.web.pages.visitor import Visitor
from kontor.web.pages.whole_page import WholePage


class UndoableMoves(Value, frozen=True):
    """Moves that the reader can ask to take back: with the last one alone, or the whole last ``turn``."""

    turn: bool
    undo_to: int
    """The line to which the game would go back."""
    lines: Sequence[str]
    """The log that would go, in sentences."""


class TakeBackPage(WholePage, frozen=True, kw_only=True):
    """The context of the page on which moves are taken back."""

    template: ClassVar = "table/take_back.html"

    info: TableInfo
    title: str
    seat: int
    reason: str
    """A sentence that says why nothing can be taken back; else empty."""
    proposal: TakingBackShown | None
    lines: Sequence[str]
    """The log that would go if all agree to the proposal, in sentences."""
    choices: Sequence[UndoableMoves]
    agreeing: str
    """The consequences if the reader asks."""
    back: str


@get("/tables/{table:str}/take-back")
@in_reading_thread
def ask(request: AnyRequest, site: TheTablesSite, visitor: TheVisitor, table: FromPath[str]) -> Response[Any]:
    """Return the page that shows what would be taken back, with the buttons that ask for it, or answer."""
    now = site.tables.view(table, visitor.id)
    info, words = now.info, visitor.words
    mine = seats_still_mine(info)
    if info.status != "playing" or not mine:
        return redirect(f"/tables/{table}")
    requested = parse_seat(request.query_params.get("as"))
    seat = requested if requested in mine else mine[0]
    reason = _reason(site, visitor, info, seat)
    proposal = describe_taking_back(words, info)
    page = TakeBackPage(
        info=info,
        title=adapter_of(info.game).title,
        seat=seat,
        reason=reason,
        proposal=proposal,
        lines=describe_lines(words, now, seat, info.undo_to) if info.undo_to is not None else (),
        choices=() if reason or proposal else _choices(visitor, now, seat),
        agreeing=describe_agreement(words, info),
        back=f"/tables/{table}" + (f"?as={seat}" if len(info.mine) > 1 else ""),
    )
    return site.page(visitor, page)


def _reason(site: TablesSite, visitor: Visitor, info: TableInfo, seat: int) -> str:
    """Return a sentence that says why the reader can ask for nothing now; empty if they can."""
    if info.proposed is not None or info.pause_proposed is not None:
        return visitor.words.say("Someone has proposed something else: answer that first.")
    refusal = site.early_endings.refusal_to_undo(info.id, seat, require_person_id(visitor))
    return visitor.words.refuse(refusal) if refusal is not None else ""


def _choices(visitor: Visitor, now: TableView, seat: int) -> list[UndoableMoves]:
    """Return what the seat can ask to take back: its last move, and its last turn if that had more moves."""
    lines = zip((False, True), lines_to_return_to(now, seat), strict=True)
    return [
        UndoableMoves(turn, last, describe_lines(visitor.words, now, seat, last))
        for turn, last in lines
        if last is not None
    ]


def _seen_moves(form: Form) -> SeenMoves:
    """Return the moves that the page of this form showed."""
    undone, undo_to = (form.number(name) if name in form else None for name in ("undone", "undo_to"))
    return SeenMoves(undone, undo_to)


@table_form(TableAction.PROPOSE_UNDO)
def propose(sent: TableForm) -> Response[Any]:
    """Ask the others to agree that one's last move is taken back, or one's whole last turn."""
    turn = sent.form.get("turn") == "yes"
    sent.site.early_endings.propose(
        sent.table, sent.require_seat(), sent.person, "undo", turn=turn, seen=_seen_moves(sent.form)
    )
    return redirect(page_of(sent.table, sent.page_request))


@table_form(TableAction.AGREE_TO_UNDO)
def agree(sent: TableForm) -> None:
    """Agree that moves are taken back."""
    sent.site.early_endings.agree(sent.table, sent.person, "undo", _seen_moves(sent.form))


@table_form(TableAction.DECLINE_UNDO)
def decline(sent: TableForm) -> None:
    """Decline to take back moves, or withdraw one's own proposal."""
    sent.site.early_endings.decline(sent.table, sent.person, "undo")


ROUTES = (ask, propose, agree, decline)
