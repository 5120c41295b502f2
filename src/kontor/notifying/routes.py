"""Notification settings: the choices on a person's page, and unsubscribing without signing in."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from typing import Any, ClassVar, Final

from litestar import Response, get, post
from litestar.params import FromPath

from kontor.notifying.daily import USUAL_HOUR
from kontor.notifying.feeds import atom_of, calendar_of
from kontor.notifying.pages import check_webhook, describe_notifications
from kontor.notifying.site import NotifyingSite, TheNotifyingSite
from kontor.notifying.values import Frequency, Rhythm, WayKind
from kontor.notifying.ways import Feed
from kontor.notifying.webhook import new_secret
from kontor.tables.values import Mail
from kontor.web.forms import Form
from kontor.web.http.faults import NoPage, refused_on_your_page, require_person_id
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import in_acting_thread, in_reading_thread, redirect
from kontor.web.pages.visitor import Visitor
from kontor.web.pages.whole_page import WholePage
from kontor.words import Words

_PART = "notifications"
_HERE = f"/you?open={_PART}#{_PART}"

_FREQUENCY: Final = "frequency-"
"""Prefix of the fields for how often a channel is used; its id follows."""

_FREQUENCIES: Final[dict[str, Frequency]] = {"once": "once", "daily": "daily", "both": "both"}


def letter(words: Words, address: str, code: str) -> Mail:
    """Return the mail with the code that confirms an address."""
    return Mail(
        address,
        words.say("Your code for Kontor: {code}", code=code),
        (
            words.say("Type this code on your page, within ten minutes: {code}", code=code),
            words.say("If you did not ask for it, someone has mistyped their address. You need not do anything."),
        ),
    )


@post("/you/mail")
@in_acting_thread
@refused_on_your_page(_PART)
def claim(site: TheNotifyingSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Send a code to a mail address."""
    person = require_person_id(visitor)
    site.spend("mail", visitor)
    site.ways.claim_address(person, form.get("address", ""), partial(letter, visitor.words))
    return redirect(_HERE)


@post("/you/mail/confirm")
@in_acting_thread
@refused_on_your_page(_PART)
def confirm(request: AnyRequest, site: TheNotifyingSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Confirm a mail address with the code that was typed."""
    person = require_person_id(visitor)
    site.spend("notify", visitor)
    site.ways.confirm_address(person, form.get("code", ""), visitor.language, site.base(request))
    return redirect(_HERE)


@post("/you/mail/forget")
@in_acting_thread
def forget_mail(site: TheNotifyingSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Delete the mail address."""
    site.ways.forget_address(require_person_id(visitor))
    return redirect(_HERE)


@post("/you/mail/resume")
@in_acting_thread
@refused_on_your_page(_PART)
def resume_mail(request: AnyRequest, site: TheNotifyingSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Send mails to the address again."""
    person = require_person_id(visitor)
    site.ways.add(person, "mail", "", "", visitor.language, site.base(request))
    return redirect(_HERE)


@post("/you/notifications")
@in_acting_thread
@refused_on_your_page(_PART)
def choose(request: AnyRequest, site: TheNotifyingSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Save how often and when a person wants to be notified."""
    person = require_person_id(visitor)
    ways = [name.removeprefix(_FREQUENCY) for name in form if name.startswith(_FREQUENCY)]
    rhythms = {way: _chosen_rhythm(form, way) for way in ways}
    site.ways.choose(person, rhythms, visitor.language, site.base(request), zone=form.get("zone", ""))
    site.ways.choose_occasions(
        person, followed="followed" in form, challenged="challenged" in form, written="written" in form
    )
    return redirect(_HERE)


def _chosen_rhythm(form: Form, way: str) -> Rhythm:
    """Return the times that a person has chosen for one of their channels. A form without quiet hours has none."""
    lead = form.get(f"lead-{way}", "usual")
    quiet_from = form.number(f"quiet-from-{way}", -1)
    return Rhythm(
        _FREQUENCIES.get(form[f"{_FREQUENCY}{way}"], "never"),
        form.number(f"hour-{way}", USUAL_HOUR),
        None if lead == "usual" else form.number(f"lead-{way}", 0),
        max(0, quiet_from),
        form.number(f"quiet-to-{way}", 0) if quiet_from >= 0 else 0,
    )


@post("/you/ways")
@in_acting_thread
@refused_on_your_page(_PART)
def change_way(site: TheNotifyingSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Test a notification channel, switch it on again, or remove it."""
    person = require_person_id(visitor)
    if form.get("try"):
        site.spend("mail", visitor)
        site.ways.try_now(person, form["try"])
        return site.your_page(visitor, _PART, notified=describe_notifications(site, person, tried=True))
    if form.get("revive"):
        site.ways.revive(person, form["revive"])
    elif form.get("remove"):
        site.ways.remove(person, form["remove"])
    return redirect(_HERE)


@post("/you/webhook")
@in_acting_thread
@refused_on_your_page(_PART)
def webhook(request: AnyRequest, site: TheNotifyingSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Add an address to which notifications are posted."""
    person = require_person_id(visitor)
    kind: WayKind = "discord" if form.get("kind") == "discord" else "webhook"
    if kind not in site.offered_ways:
        raise NoPage
    secret = new_secret() if kind == "webhook" else ""
    site.spend("notify", visitor)
    url = form.get("webhook", "").strip()
    check_webhook(site, url)
    site.ways.add(person, kind, url, secret, visitor.language, site.base(request))
    return (
        site.your_page(visitor, _PART, notified=describe_notifications(site, person, secret=secret))
        if secret
        else redirect(_HERE)
    )


@post("/you/push")
@in_acting_thread
@refused_on_your_page(_PART)
def push(request: AnyRequest, site: TheNotifyingSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Notify this browser from now on, also while no page is open."""
    person = require_person_id(visitor)
    if not site.push_key:
        raise NoPage
    from kontor.notifying.push import checked_keys  # from an extra, installed if push is offered

    site.spend("notify", visitor)
    keys = checked_keys(form.get("p256dh", ""), form.get("auth", ""))
    site.ways.add(person, "push", form.get("endpoint", ""), keys, visitor.language, site.base(request))
    return redirect(_HERE)


@get("/you/push")
@in_reading_thread
def subscriptions(site: TheNotifyingSite, visitor: TheVisitor) -> Response[dict[str, Any]]:
    """Return what a browser needs to compare its subscription with those of the person, and to renew it.

    ``known`` maps the SHA-256 of each endpoint to whether it still takes notifications.
    """
    if not site.push_key:
        raise NoPage
    ways = site.ways.of(visitor.id).ways if visitor.id else ()
    endpoints = {sha256(way.address.encode()).hexdigest(): not way.dead for way in ways if way.kind == "push"}
    return Response({"key": site.push_key, "token": visitor.token, "known": endpoints})


@post("/you/push/renew")
@in_acting_thread
@refused_on_your_page(_PART)
def renew(site: TheNotifyingSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Replace a browser's old subscription by its new one."""
    person = require_person_id(visitor)
    if not site.push_key:
        raise NoPage
    from kontor.notifying.push import checked_keys  # from an extra, installed if push is offered

    site.spend("notify", visitor)
    keys = checked_keys(form.get("p256dh", ""), form.get("auth", ""))
    site.ways.renew(person, form.get("old", ""), form.get("endpoint", ""), keys)
    return Response(None, status_code=204)


@get("/you/waiting")
@in_reading_thread
def waiting(site: TheNotifyingSite, visitor: TheVisitor) -> Response[dict[str, int]]:
    """Return the number of tables where it is the person's turn, for the badge of the installed app."""
    return Response({"waiting": len(site.ways.turns(visitor.id)) if visitor.id else 0})


# ---------------------------------------------------------------------------------------------------------- the feed


@post("/you/feed")
@in_acting_thread
def make_feed(request: AnyRequest, site: TheNotifyingSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Create a secret address of the person's turns, in place of an earlier one; or delete it."""
    person = require_person_id(visitor)
    if form.get("feed") == "end":
        site.ways.end_feed(person)
        return redirect(_HERE)
    base = site.base(request)
    token = site.ways.new_feed(person, visitor.language, base)
    return site.your_page(visitor, _PART, notified=describe_notifications(site, person, feed=f"{base}/feed/{token}"))


@get("/feed/{token:str}/turns.ics")
@in_reading_thread
def calendar(
    request: AnyRequest, site: TheNotifyingSite, visitor: TheVisitor, token: FromPath[str]
) -> Response[bytes]:
    """Return the deadlines as a calendar."""
    return Response(calendar_of(_feed(site, token), site.base(request)), media_type="text/calendar")


@get("/feed/{token:str}/turns.atom")
@in_reading_thread
def atom(request: AnyRequest, site: TheNotifyingSite, visitor: TheVisitor, token: FromPath[str]) -> Response[bytes]:
    """Return the turns as an Atom feed."""
    return Response(atom_of(_feed(site, token), site.base(request)), media_type="application/atom+xml")


def _feed(site: NotifyingSite, token: str) -> Feed:
    feed = site.ways.feed(token)
    if feed is None:
        raise NoPage
    return feed


# --------------------------------------------------------------------------------------------- without signing in


class UnsubscribePage(WholePage, frozen=True, kw_only=True):
    """The context of the page that ends a notification channel."""

    template: ClassVar = "notifying/unsubscribe.html"

    done: bool
    leaving: str
    """The token of the channel."""


@get("/unsubscribe/{token:str}")
@in_reading_thread
def leaving(site: TheNotifyingSite, visitor: TheVisitor, token: FromPath[str]) -> Response[str]:
    """Ask whether to stop sending. Looking ends nothing, because mailboxes follow links."""
    return _leaving(site, visitor, token, done=False)


@post("/unsubscribe/{token:str}")
@in_acting_thread
def leave(site: TheNotifyingSite, visitor: TheVisitor, token: FromPath[str]) -> Response[str]:
    """End a notification channel, for the holder of one of its mails.

    It may be a person, or their mailbox by itself (RFC 8058).
    """
    site.limits.spend("notify", visitor.address)
    return _leaving(site, visitor, token, done=site.ways.stop(token))


def _leaving(site: NotifyingSite, visitor: Visitor, token: str, *, done: bool) -> Response[str]:
    return site.page(visitor, UnsubscribePage(done=done, leaving=token))


ROUTES = (
    *(claim, confirm, forget_mail, resume_mail, choose, change_way, webhook),
    *(push, subscriptions, renew, waiting),
    *(make_feed, calendar, atom, leaving, leave),
)
