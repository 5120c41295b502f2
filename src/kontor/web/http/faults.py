"""Error responses: a page with a sentence, or JSON for programs. Neither contains a secret."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, wraps
from typing import Any, ClassVar, Final

from litestar import MediaType, Response
from litestar.exceptions import HTTPException

from kontor.game import Refusal
from kontor.storage.errors import StorageFailure
from kontor.web.adapter import web_adapters
from kontor.web.http.api_values import Trouble
from kontor.web.http.lanes import ServerBusy
from kontor.web.http.limits import RateLimited
from kontor.web.http.refusals import TURNED_DOWN, describe_refusal, retry_after, status_of
from kontor.web.http.sessions import FORM_TOKEN, SENT_FORM, AnyRequest, MissingScope, StaleForm, visitor_of
from kontor.web.http.site import Given, Site, site_of
from kontor.web.live.hub import TooManyStreams
from kontor.web.negotiation import wants_json
from kontor.web.pages.refused import Refused
from kontor.web.pages.template_context import TemplateContext
from kontor.web.pages.visitor import Visitor, nobody
from kontor.web.pages.whole_page import RefusedForm, WholePage
from kontor.words import mark
from kontor.work.failures import safe_traceback

_LOG = logging.getLogger("kontor.web")


class NoPage(Exception):
    """Raised if there is nothing at an address."""


class NoName(Exception):
    """Raised if somebody must give their name before they can do this."""


def require_person_id(visitor: Visitor) -> str:
    """Return the id of the person. Raises NoName."""
    if visitor.person is None:
        raise NoName
    return visitor.person.id


def require_game(game: str) -> str:
    """Return the name, if it is that of a game with pages. Raises NoPage."""
    if game not in web_adapters():
        raise NoPage
    return game


@dataclass(frozen=True)
class Fault:
    """An error to be reported: a status, a sentence, and more for programs."""

    status: int
    sentence: str
    rule: str = ""
    seconds: int = 0


_BY_STATUS: Final = {
    400: mark("The request could not be understood. Go back and try again."),
    401: mark("Programs need their token here."),
    404: mark("There is nothing here. The table may have been deleted."),
    405: mark("This cannot be done here."),
    413: mark("That is too much data. Send less."),
    415: mark("The request could not be understood. Go back and try again."),
}


def fault_of(visitor: Visitor, thrown: Exception) -> Fault:
    """Return the error to report to the visitor for an exception."""
    words = visitor.words
    if isinstance(thrown, Refusal):
        return Fault(status_of(thrown), words.reason(thrown), thrown.rule, retry_after(thrown))
    if isinstance(thrown, RateLimited):
        refusal = describe_refusal(words, "", thrown)
        return Fault(status_of(thrown), refusal.sentence, seconds=refusal.seconds)
    if isinstance(thrown, StaleForm):
        return Fault(403, words.say("This page was out of date, so nothing was changed. Please reload it."))
    if isinstance(thrown, NoName):
        return Fault(403, words.say("Tell us your name first."))
    if isinstance(thrown, ServerBusy):
        busy = words.say("Many people want something just now, and moves go first. Try again in a few seconds.")
        return Fault(503, busy, seconds=thrown.seconds)
    if isinstance(thrown, TooManyStreams):
        return Fault(503, words.say("The server is full. Please try again in a minute."), seconds=60)
    status = 404 if isinstance(thrown, NoPage) else thrown.status_code if isinstance(thrown, HTTPException) else 500
    if isinstance(thrown, RecursionError | UnicodeDecodeError):
        status = 400  # JSON that is nested too deep, or not UTF-8
    if status >= 500:
        return Fault(status, words.say("Something went wrong on our side. Your game is safe; please try again."))
    return Fault(status, words.say(_BY_STATUS.get(status, _BY_STATUS[400])))


def handle(request: AnyRequest, thrown: Exception) -> Response[Any]:
    """Return the response to a request that raised an exception."""
    site = site_of(request.scope)
    visitor = visitor_of(request, site.people)
    fault = fault_of(visitor, thrown)
    if fault.status == 500:
        # Log only the place of the error: the request and the error's own message may contain a secret.
        route = request.scope.get("path_template", "")
        fields = {"method": request.method, "route": route, "error": safe_traceback(thrown)}
        _LOG.error("a request failed", extra=fields)
    headers = {"retry-after": str(fault.seconds)} if fault.seconds else {}
    if isinstance(thrown, HTTPException):
        thrown_headers = {name.lower(): value for name, value in (thrown.headers or {}).items()}
        if allow := thrown_headers.get("allow"):
            headers["allow"] = allow_header(allow.split(", "))
    path = request.scope["path"]
    if wants_json(path, request.scope["headers"]):
        if isinstance(thrown, NoName) and path.startswith("/api/"):
            fault = Fault(401, visitor.words.say(_BY_STATUS[401]))
            headers["www-authenticate"] = "Bearer"
        trouble = Trouble(fault.status, fault.sentence, fault.rule)
        if isinstance(thrown, MissingScope):
            trouble = Trouble(fault.status, fault.sentence, scope=thrown.scope)
            headers["www-authenticate"] = f'Bearer error="insufficient_scope", scope="{thrown.scope}"'  # RFC 6750
        return Response(trouble, status_code=fault.status, headers=headers, media_type=MediaType.JSON)
    visitor = _readable_visitor(visitor)
    if visitor.script:
        context: TemplateContext = RefusedForm(refused=Refused(fault.sentence))
    else:
        context = _fault_page(request, thrown, fault)
    return site.page(visitor, context, status=fault.status, headers=headers)


def _readable_visitor(visitor: Visitor) -> Visitor:
    """Return the visitor, or the same without a name if the database can't be reached."""
    try:
        visitor.person  # noqa: B018 (it is looked up here)
    except StorageFailure:
        return replace(visitor, find_person=nobody)
    return visitor


_WRITTEN: Final = ("text", "typed", "name", "salt", "label", "chart")
"""Prefixes of the names of fields into which people write text."""


class FaultPage(WholePage, frozen=True, kw_only=True):
    """The context of the page that says that a request failed."""

    template: ClassVar = "fault.html"

    sentence: str
    needs_name: bool
    """True if the visitor has to give a name first."""
    written: Sequence[str]
    """The texts that were written into the form: they are shown if the form's page can't be."""
    again: Mapping[str, str]
    """The fields with which the form can be sent again; empty if it can't be."""


def _fault_page(request: AnyRequest, thrown: Exception, fault: Fault) -> FaultPage:
    """Return the page about a fault.

    A form that may not be ours, or came from a person without a name, can't be sent again.
    """
    sent: Mapping[str, str] = request.scope.get("state", {}).get(SENT_FORM, {})
    fields = {name: value for name, value in sent.items() if name != FORM_TOKEN}
    return FaultPage(
        sentence=fault.sentence,
        needs_name=isinstance(thrown, NoName),
        written=[value for name, value in fields.items() if name.startswith(_WRITTEN) and value.strip()],
        again={} if isinstance(thrown, StaleForm | NoName) else fields,
    )


def allow_header(methods: Iterable[str]) -> str:
    """Return the header ``Allow`` for routes of these methods: HEAD works for every GET."""
    unique = set(methods)
    return ", ".join(sorted(unique | ({"HEAD"} if "GET" in unique else set())))


def refusal_response(
    site: Site,
    visitor: Visitor,
    thrown: Refusal | RateLimited,
    page: Callable[[Refused], Response[Any]],
    game: str = "",
) -> Response[Any]:
    """Return the response to a form that was refused.

    Our script gets only the sentence, which it shows beside the form. Other clients get ``page(refused)``: the page
    of the form, with everything that was written.
    """
    refusal = describe_refusal(visitor.words, game, thrown)
    response = site.page(visitor, RefusedForm(refused=refusal)) if visitor.script else page(refusal)
    response.status_code = status_of(thrown)
    if seconds := retry_after(thrown):
        response.headers["retry-after"] = str(seconds)
    return response


def refused_on_your_page(
    section: str,
) -> Callable[[Callable[Given, Response[Any]]], Callable[Given, Response[Any]]]:
    """Return a decorator for routes of forms on the page of one's own data: it shows refusals in their section."""

    def wrap(route: Callable[Given, Response[Any]]) -> Callable[Given, Response[Any]]:
        @wraps(route)
        def handle(*args: Given.args, **kwargs: Given.kwargs) -> Response[Any]:
            try:
                return route(*args, **kwargs)
            except TURNED_DOWN as refusal:
                site: Any = kwargs["site"]
                visitor: Any = kwargs["visitor"]
                return refusal_response(site, visitor, refusal, partial(site.your_page, visitor, section))

        return handle

    return wrap
