"""The tutorials. Each step has an address; the move that it asks for leads to the next."""

from __future__ import annotations

from functools import partial
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from kontor.game import Refusal
from kontor.lessons.pages import answer_to, highlight_step, lesson_context, lesson_of
from kontor.lessons.site import LessonsSite, TheLessonsSite
from kontor.web.adapter import adapter_of, web_adapters
from kontor.web.forms import Form
from kontor.web.http.faults import NoPage, refusal_response
from kontor.web.http.limits import RateLimited
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import in_reading_thread, redirect
from kontor.web.negotiation import is_head_only
from kontor.web.operation.metrics import LESSON_STEPS
from kontor.web.pages.refused import Refused
from kontor.web.pages.visitor import Visitor


def _steps(game: str) -> int:
    """Return the number of steps in a game's tutorial. Raises NoPage."""
    if game not in web_adapters() or adapter_of(game).lesson is None:
        raise NoPage
    return len(lesson_of(game).steps)


@get("/learn/{game:str}", sync_to_thread=False)
def begin(request: AnyRequest, game: FromPath[str]) -> Response[None]:
    """Redirect to the first step of a game's tutorial."""
    _steps(game)
    return _to(request, game, 1)


@get("/learn/{game:str}/{number:int}/next", sync_to_thread=False)
def go_on(request: AnyRequest, game: FromPath[str], number: FromPath[int]) -> Response[None]:
    """Redirect to the next step without a move: from a step that only shows something, or that is skipped."""
    if not 1 <= number < _steps(game):
        raise NoPage
    return _to(request, game, number + 1)


def _to(request: AnyRequest, game: str, number: int) -> Response[None]:
    """Redirect to a step and count it; pages of steps are not counted, because reloading one is no progress."""
    if not is_head_only(request.scope):
        LESSON_STEPS.labels(game, str(number)).inc()
    return redirect(f"/learn/{game}/{number}")


@get("/learn/{game:str}/{number:int}")
@in_reading_thread
def look(site: TheLessonsSite, visitor: TheVisitor, game: FromPath[str], number: FromPath[int]) -> Response[str]:
    """Return the page of a step, before its move."""
    if not 1 <= number <= _steps(game):
        raise NoPage
    return _page(site, visitor, game, number, {})


def _page(
    site: LessonsSite,
    visitor: Visitor,
    game: str,
    number: int,
    sent: Form | dict[str, str],
    refusal: Refused | None = None,
) -> Response[str]:
    last = number == _steps(game)
    response = site.page(
        "learn/lesson.html",
        visitor,
        commitment=site.opening.next_commitment(visitor.id) if last and visitor.id else "",
        next=f"/learn/{game}/{number}",
        **lesson_context(site.pages, visitor, game, number, refusal, sent),
    )
    response.content = highlight_step(response.content, lesson_of(game).steps[number - 1])
    return response


@post("/learn/{game:str}/{number:int}")
@in_reading_thread
def move(
    request: AnyRequest,
    site: TheLessonsSite,
    visitor: TheVisitor,
    form: TheForm,
    game: FromPath[str],
    number: FromPath[int],
) -> Response[Any]:
    """Check a move: the right one leads to the next step, another one is refused with the reason."""
    if not 1 <= number < _steps(game):
        raise NoPage
    again = partial(_page, site, visitor, game, number, form)
    try:
        site.spend("move", visitor)
        other = answer_to(game, number, adapter_of(game).move_of(form))
    except (Refusal, RateLimited) as thrown:
        return refusal_response(site, visitor, thrown, again, game)
    if not other:
        return _to(request, game, number + 1)
    refusal = Refused(visitor.words.say(other))
    response = site.page("refused.html", visitor, refused=refusal) if visitor.script else again(refusal)
    response.status_code = 422
    return response


@get("/learn/{game:str}/tips")
@in_reading_thread
def tips(site: TheLessonsSite, visitor: TheVisitor, game: FromPath[str]) -> Response[str]:
    """Return the explanations at a table of the game, for the script that shows them."""
    if game not in web_adapters():
        raise NoPage
    return site.page("learn/tips.html", visitor, room=adapter_of(game))


ROUTES = (begin, go_on, look, tips, move)
