"""The tutorials. Each step has an address; the move that it asks for leads to the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from litestar import Response, get, post
from litestar.params import FromPath

from kontor.analysis import is_analysed
from kontor.game import Refusal
from kontor.lessons.pages import LessonRequest, answer_to, highlight_step, lesson_of, lesson_page
from kontor.lessons.site import LessonsSite, TheLessonsSite
from kontor.web.adapter import adapter_of, web_adapters
from kontor.web.http.faults import NoPage, refusal_response, require_game
from kontor.web.http.limits import RateLimited
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import in_reading_thread, redirect
from kontor.web.lessons import Tip
from kontor.web.negotiation import is_head_only
from kontor.web.operation.metrics import LESSON_STEPS
from kontor.web.pages.refused import Refused
from kontor.web.pages.template_context import TemplateContext
from kontor.web.pages.visitor import Visitor
from kontor.web.pages.whole_page import RefusedForm, WholePage


def _steps(game: str) -> int:
    """Return the number of steps in a game's tutorial. Raises NoPage."""
    if game not in web_adapters() or adapter_of(game).lesson is None:
        raise NoPage
    return len(lesson_of(game).steps)


class LearnPage(WholePage, frozen=True, kw_only=True):
    """The context of the page of all that teaches the games."""

    template: ClassVar = "learn/learn.html"

    analysed: Sequence[str]
    """The games that have an analysis board."""


@get("/learn")
@in_reading_thread
def learn(site: TheLessonsSite, visitor: TheVisitor) -> Response[str]:
    """Return the page of all that teaches the games."""
    return site.page(visitor, LearnPage(analysed=[game for game in web_adapters() if is_analysed(game)]))


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
    return _page(site, visitor, LessonRequest(game, number))


def _page(site: LessonsSite, visitor: Visitor, request: LessonRequest) -> Response[str]:
    last = request.number == _steps(request.game)
    commitment = site.opening.next_commitment(visitor.id) if last and visitor.id else ""
    response = site.page(visitor, lesson_page(site.pages, visitor, request, commitment))
    response.content = highlight_step(response.content, lesson_of(request.game).steps[request.number - 1])
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

    def again(refusal: Refused) -> Response[str]:
        return _page(site, visitor, LessonRequest(game, number, form, refusal))

    try:
        site.spend("move", visitor)
        other = answer_to(game, number, adapter_of(game).move_of(form))
    except (Refusal, RateLimited) as thrown:
        return refusal_response(site, visitor, thrown, again, game)
    if not other:
        return _to(request, game, number + 1)
    refusal = Refused(visitor.words.say(other))
    response = site.page(visitor, RefusedForm(refused=refusal)) if visitor.script else again(refusal)
    response.status_code = 422
    return response


class TipTexts(TemplateContext, frozen=True, kw_only=True):
    """The context of all tips of a game."""

    template: ClassVar = "learn/tips.html"

    tips: Sequence[Tip]


@get("/learn/{game:str}/tips")
@in_reading_thread
def tips(site: TheLessonsSite, visitor: TheVisitor, game: FromPath[str]) -> Response[str]:
    """Return the explanations at a table of the game, for the script that shows them."""
    require_game(game)
    return site.page(visitor, TipTexts(tips=adapter_of(game).tips))


ROUTES = (learn, begin, go_on, look, tips, move)
