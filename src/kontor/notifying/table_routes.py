"""Routes of the webhook of a table: its page, and the forms that set it up and remove it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Final

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath
from markupsafe import Markup

from kontor.notifying.failure_texts import describe_failure
from kontor.notifying.pages import check_webhook
from kontor.notifying.site import NotifyingSite, TheNotifyingSite
from kontor.notifying.table_hooks import NewWebhook
from kontor.notifying.values import TableWebhookInfo, WebhookForm
from kontor.tables.pages.seating import names_of
from kontor.web.forms import Form
from kontor.web.http.faults import NoPage, refusal_response, require_person_id
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import in_acting_thread, in_reading_thread, redirect
from kontor.web.pages.refused import Refused
from kontor.web.pages.visitor import Visitor
from kontor.web.pages.whole_page import WholePage
from kontor.words import Words, mark

_FORMS: Final[dict[WebhookForm, str]] = {
    "discord": "Discord",
    "slack": "Slack",
    "mattermost": "Mattermost",
    "json": mark("another program (JSON, signed)"),
}

_MENTION: Final = "mention-"
"""Prefix of the fields for ids to mention; the number of the seat follows."""


class MentionField(msgspec.Struct, frozen=True):
    """The field for the id of the person at a seat."""

    seat: int
    name: str
    id: str


class TableWebhookPage(WholePage, frozen=True, kw_only=True):
    """The context of the page of a table's webhook."""

    template: ClassVar = "notifying/table_webhook.html"

    game: str
    table: str
    hook: TableWebhookInfo | None
    failure: Markup | str
    """Since when and why nothing is delivered; empty if all is."""
    forms: Mapping[str, str]
    form: str
    """The form that is chosen."""
    address: str
    """The address as it was written, or as it is."""
    mentions: Sequence[MentionField]
    over: bool
    saved: bool
    """True if it was just set up or changed."""
    refused: Refused | None


@get("/tables/{table:str}/webhook")
@in_reading_thread
def webhook_page(
    request: AnyRequest, site: TheNotifyingSite, visitor: TheVisitor, table: FromPath[str]
) -> Response[str]:
    """Return the page of a table's webhook, for a person who sits there."""
    return _page(site, visitor, table, saved="saved" in request.query_params)


def _page(
    site: NotifyingSite,
    visitor: Visitor,
    table: str,
    sent: Form | None = None,
    refusal: Refused | None = None,
    *,
    saved: bool = False,
) -> Response[str]:
    if "table" not in site.offered_ways:
        raise NoPage
    person, words = require_person_id(visitor), visitor.words
    hook = site.table_webhooks.of(table, person)
    info = site.tables.info(table, person)
    chosen: WebhookForm = "discord" if hook is None or not hook.mine else hook.form
    mentions = {} if hook is None else hook.mentions
    page = TableWebhookPage(
        game=info.game,
        table=table,
        hook=hook,
        failure=describe_failure(words, hook.failure) if hook and hook.failure else "",
        forms=_forms(words),
        form=chosen if sent is None else _form_of(sent),
        address=(hook.address if hook else "") if sent is None else sent.get("webhook", ""),
        mentions=[
            MentionField(seat, name, mentions.get(seat, "") if sent is None else sent.get(f"{_MENTION}{seat}", ""))
            for seat, name in enumerate(names_of(words, info))
            if not info.seats[seat].player and info.seats[seat].taken
        ],
        over=info.status == "over",
        saved=saved,
        refused=refusal,
    )
    return site.page(visitor, page)


def _forms(words: Words) -> dict[str, str]:
    return {form: words.say(label) if form == "json" else label for form, label in _FORMS.items()}


def _form_of(sent: Form) -> WebhookForm:
    return sent.one_of("form", tuple(_FORMS), "json")


@post("/tables/{table:str}/webhook")
@in_acting_thread
def set_up(
    request: AnyRequest, site: TheNotifyingSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]
) -> Response[Any]:
    """Set up the webhook of a table, or change one's own."""
    if "table" not in site.offered_ways:
        raise NoPage
    person, address = require_person_id(visitor), form.get("webhook", "").strip()
    numbered = {name.removeprefix(_MENTION): value for name, value in form.items() if name.startswith(_MENTION)}
    mentions = {
        int(seat): id_ for seat, id_ in numbered.items() if seat.isascii() and seat.isdigit() and len(seat) < 3
    }
    hook = NewWebhook(_form_of(form), address, mentions, visitor.language, site.base(request))
    try:
        site.spend("notify", visitor)
        check_webhook(site, address)
        site.table_webhooks.put(table, person, hook)
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, partial(_page, site, visitor, table, form))
    return redirect(f"/tables/{table}/webhook?saved=yes")


@post("/tables/{table:str}/webhook/remove")
@in_acting_thread
def remove(site: TheNotifyingSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]) -> Response[Any]:
    """Remove the webhook of a table."""
    person = require_person_id(visitor)
    try:
        site.spend("notify", visitor)
        site.table_webhooks.remove(table, person)
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, partial(_page, site, visitor, table, None))
    return redirect(f"/tables/{table}/webhook")


ROUTES = (webhook_page, set_up, remove)
