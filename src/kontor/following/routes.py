"""Routes of following: the people whom one follows, following somebody, and no longer doing so."""

from __future__ import annotations

from functools import partial
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from kontor.following.pages import FollowedPage, followed_row
from kontor.following.site import FollowingSite, TheFollowingSite
from kontor.following.store import MOST_FOLLOWED
from kontor.web.http.faults import refusal_response, require_person_id
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.sessions import TheForm, TheVisitor
from kontor.web.http.site import in_acting_thread, in_reading_thread, redirect
from kontor.web.pages.refused import Refused
from kontor.web.pages.visitor import Visitor

HERE = "/people/following"


@get(HERE)
@in_reading_thread
def followed(site: TheFollowingSite, visitor: TheVisitor) -> Response[str]:
    """Return the page of the people whom one follows, with what they do just now."""
    return _page(site, visitor)


def _page(site: FollowingSite, visitor: Visitor, refusal: Refused | None = None) -> Response[str]:
    people = site.following.followed_by(require_person_id(visitor))
    rows = [followed_row(visitor.words, person) for person in people]
    return site.page(visitor, FollowedPage(rows=rows, most=MOST_FOLLOWED, refused=refusal))


@post("/people/{handle:str}/follow")
@in_acting_thread
def follow(site: TheFollowingSite, visitor: TheVisitor, form: TheForm, handle: FromPath[str]) -> Response[Any]:
    """Follow the person of a page, or stop following them; return there, or to the list."""
    person = require_person_id(visitor)
    try:
        site.spend("name", visitor)
        if form.get("follow") == "no":
            site.following.unfollow(person, handle)
        else:
            site.following.follow(person, handle)
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, partial(_page, site, visitor))
    return redirect(HERE if form.get("list") else f"/people/{handle}")


ROUTES = (followed, follow)
