"""API routes for following, with the same contents as its page."""

from __future__ import annotations

from litestar import delete, get, post
from litestar.params import FromPath

from kontor.following.site import TheFollowingSite
from kontor.following.values import FollowedPerson
from kontor.web.http.faults import require_person_id
from kontor.web.http.programs import PLAY, READ, REFUSED, TheProgram, spending
from kontor.web.http.site import in_reading_thread


@get("/api/me/following", responses=REFUSED, security=READ)
@in_reading_thread
def my_following(site: TheFollowingSite, program: TheProgram) -> tuple[FollowedPerson, ...]:
    """Return the people whom one follows, with what they do just now in public."""
    return site.following.followed_by(require_person_id(program))


@post("/api/people/{handle:str}/follow", responses=REFUSED, security=PLAY, status_code=204)
@spending("name")
def follow_person(site: TheFollowingSite, program: TheProgram, handle: FromPath[str]) -> None:
    """Follow the person of a page. They are not told."""
    site.following.follow(require_person_id(program), handle)


@delete("/api/people/{handle:str}/follow", responses=REFUSED, security=PLAY)
@spending("name")
def unfollow_person(site: TheFollowingSite, program: TheProgram, handle: FromPath[str]) -> None:
    """Stop following the person of a page, whether it is still shown or not."""
    site.following.unfollow(require_person_id(program), handle)


ROUTES = (my_following, follow_person, unfollow_person)
