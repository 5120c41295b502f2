"""Puzzles: the overview, one puzzle at a real table, and the value of the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from datetime import UTC, date
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple

import msgspec
from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.params import FromPath

from kontor.analysis import is_analysed
from kontor.game import Refusal
from kontor.puzzles import progress as progresses
from kontor.puzzles.adapter import adapter_of as puzzle_adapter
from kontor.puzzles.adapter import games_with_puzzles, has_puzzles
from kontor.puzzles.collection import puzzle_named, puzzles_of
from kontor.puzzles.daily import days_until, puzzle_of_day
from kontor.puzzles.explaining import MoveToExplain, explain, outlooks_of
from kontor.puzzles.progress import GameProgress, Progress
from kontor.puzzles.values import Puzzle, PuzzlePosition
from kontor.studies.pages import puzzles as puzzle_pages
from kontor.studies.pages.analysis import address_of_view
from kontor.studies.site import StudiesSite, TheStudiesSite
from kontor.tables.pages.position import BoardPosition, PositionPage, show_position
from kontor.thinking import NoAnswer
from kontor.thinking.thinkers import Asker
from kontor.web.adapter import adapter_of, web_adapters
from kontor.web.addresses import origin_of
from kontor.web.http.faults import NoPage, refusal_response
from kontor.web.http.limits import RateLimited
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor, cookie_for, cookie_of
from kontor.web.http.site import in_acting_thread, in_reading_thread, redirect
from kontor.web.pages.refused import Refused
from kontor.web.pages.visitor import Visitor
from kontor.web.pages.whole_page import WholePage

SOLVED: Final = "kontor-puzzles"
"""The cookie with the progress of somebody without a name."""

_ARCHIVED: Final = 28
"""Days of the archive that are listed."""

_LONGEST_WAIT: Final = 4.0
"""Seconds for which a page waits for the explanation before it is shown without one."""


# ------------------------------------------------------------------------------------------------------- progress


def _progress(request: AnyRequest, site: StudiesSite, visitor: Visitor) -> Progress:
    """Return the progress of a person from the database, or of others from their cookie.

    A person who has just given their name brings along the progress in their cookie.
    """
    cookie = cookie_of(request, SOLVED)[:4096]
    if visitor.id is None:
        return progresses.decode(cookie)
    return progresses.decode(site.solving.of(visitor.id) or cookie)


def _record_answer(
    request: AnyRequest, site: StudiesSite, visitor: Visitor, puzzle: Puzzle, move: int, day: date | None
) -> list[Cookie]:
    """Record an answer; return the cookie with it, for visitors without a name."""
    today = _today(site)

    def add_answer(text: str) -> str:
        progress = progresses.decode(text or cookie_of(request, SOLVED)[:4096])
        before = progress.get(puzzle.game, GameProgress())
        now = progresses.answered(before, puzzle, move, today, day == today)
        return progresses.encode(progress | {puzzle.game: now})

    if visitor.id is None:
        return [cookie_for(visitor, SOLVED, add_answer(""))]
    site.solving.change(visitor.id, add_answer)
    return []


def _today(site: StudiesSite) -> date:
    """Return the date by the clock of the server, in universal time: the same for everybody."""
    return site.now().astimezone(UTC).date()


# ------------------------------------------------------------------------------------------------------- overview


class Shelf(msgspec.Struct, frozen=True, kw_only=True):
    """The puzzles of a game on the overview."""

    game: str
    title: str
    own: puzzle_pages.OwnLevel | None
    today: puzzle_pages.DayShown | None
    days: Sequence[puzzle_pages.DayShown]
    """The days before."""
    questions: Sequence[puzzle_pages.QuestionShown]


class PuzzlesPage(WholePage, frozen=True, kw_only=True):
    """The context of the overview of all puzzles."""

    template: ClassVar = "puzzles/puzzles.html"

    shelves: Sequence[Shelf]


@get("/puzzles")
@in_reading_thread
def overview(request: AnyRequest, site: TheStudiesSite, visitor: TheVisitor) -> Response[str]:
    """Return the page of today's puzzles, the archive, the themes, and the visitor's level."""
    progress, today = _progress(request, site, visitor), _today(site)
    shelves = [_shelf(visitor, game, progress.get(game, GameProgress()), today) for game in _games()]
    return site.page(visitor, PuzzlesPage(shelves=shelves))


def _games() -> list[str]:
    return [game for game in games_with_puzzles() if game in web_adapters() and puzzles_of(game)]


def _shelf(visitor: Visitor, game: str, progress: GameProgress, today: date) -> Shelf:
    words = visitor.words
    days = [_day(visitor, game, day, progress) for day in days_until(today, _ARCHIVED)]
    return Shelf(
        game=game,
        title=adapter_of(game).title,
        own=puzzle_pages.level(words, progress, today),
        today=days[0] if days else None,
        days=days[1:],
        questions=puzzle_pages.questions(words, game, progress),
    )


def _day(visitor: Visitor, game: str, day: date, progress: GameProgress) -> puzzle_pages.DayShown:
    puzzle = puzzle_of_day(game, day)
    return puzzle_pages.DayShown(
        address=f"/puzzles/{game}/{day.isoformat()}",
        day=visitor.words.day(day),
        question=puzzle_pages.question(visitor.words, puzzle),
        lost=puzzle_pages.lost_by(visitor.words, progress.answer_to(puzzle.id)),
    )


class PuzzleRow(msgspec.Struct, frozen=True):
    """A puzzle in a list: what it asks, and what the reader's answer lost."""

    id: str
    level: int
    question: str
    lost: str


class ThemePage(WholePage, frozen=True, kw_only=True):
    """The context of a list of puzzles."""

    template: ClassVar = "puzzles/theme.html"

    game: str
    title: str
    chosen_key: str
    """The key of the question that all these puzzles ask; empty if they are all of the game."""
    rows: Sequence[PuzzleRow]
    questions: Sequence[puzzle_pages.QuestionShown]


@get("/puzzles/{game:str}")
@in_reading_thread
def list_of_game(
    request: AnyRequest, site: TheStudiesSite, visitor: TheVisitor, game: FromPath[str]
) -> Response[str]:
    """Return the page of all puzzles of a game, or of a theme."""
    _require_puzzles(game)
    key = request.query_params.get("theme", "")
    words, progress = visitor.words, _progress(request, site, visitor).get(game, GameProgress())
    puzzles = puzzle_pages.puzzles_asking(game, key)
    if not puzzles:
        raise NoPage
    rows = [
        PuzzleRow(
            puzzle.id,
            puzzle.level,
            puzzle_pages.question(words, puzzle),
            puzzle_pages.lost_by(words, progress.answer_to(puzzle.id)),
        )
        for puzzle in sorted(puzzles, key=lambda puzzle: (puzzle.level, puzzle.id))
    ]
    page = ThemePage(
        game=game,
        title=adapter_of(game).title,
        chosen_key=key,
        rows=rows,
        questions=puzzle_pages.questions(words, game, progress),
    )
    return site.page(visitor, page)


@get("/puzzles/{game:str}/next")
@in_reading_thread
def next_puzzle(request: AnyRequest, site: TheStudiesSite, visitor: TheVisitor, game: FromPath[str]) -> Response[Any]:
    """Redirect to a puzzle that was not answered yet, close to the visitor's level."""
    _require_puzzles(game)
    theme = _question_key(request.query_params.get("theme", ""), game)
    progress = _progress(request, site, visitor).get(game, GameProgress())
    puzzle = puzzle_pages.next_of(
        puzzle_pages.puzzles_asking(game, theme), progress, request.query_params.get("after", "")
    )
    query = f"?theme={theme}" if theme else ""
    return redirect(f"/puzzles/{game}/{puzzle.id}{query}" if puzzle else "/puzzles")


@get("/puzzles/{game:str}/daily")
@in_reading_thread
def daily(site: TheStudiesSite, visitor: TheVisitor, game: FromPath[str]) -> Response[Any]:
    """Redirect to today's puzzle, which has the date in its address."""
    _require_puzzles(game)
    return redirect(f"/puzzles/{game}/{_today(site).isoformat()}")


def _question_key(requested: str, game: str) -> str:
    """Return the key of the question whose puzzles are requested; empty for all."""
    return requested if requested in puzzle_adapter(game).questions else ""


def _require_puzzles(game: str) -> None:
    if game not in web_adapters() or not has_puzzles(game):
        raise NoPage


# ------------------------------------------------------------------------------------------------------ one puzzle


def _find_puzzle(site: StudiesSite, game: str, name: str) -> tuple[Puzzle, date | None]:
    """Return a puzzle by its id, or by a day that has begun, with that day. Raises NoPage."""
    _require_puzzles(game)
    puzzle = puzzle_named(game, name)
    if puzzle is not None:
        return puzzle, None
    try:
        day = date.fromisoformat(name)
        day_puzzle = puzzle_of_day(game, day)
    except (ValueError, KeyError):
        raise NoPage from None
    if day.isoformat() != name or day > _today(site):
        raise NoPage
    return day_puzzle, day


@get("/puzzles/{game:str}/{which:str}")
async def look(
    request: AnyRequest, site: TheStudiesSite, visitor: TheVisitor, game: FromPath[str], which: FromPath[str]
) -> Response[str]:
    """Return the page of a puzzle, and once it is answered, the value of each move."""
    puzzle, _ = _find_puzzle(site, game, which)
    move = await _answer(request=request, site=site, visitor=visitor, puzzle=puzzle)
    outlooks = None
    if move is not None:
        outlooks = await _outlooks(site, visitor, puzzle, puzzle_pages.move_to_compare(puzzle, move))
    render = partial(_render_page, request=request, site=site, visitor=visitor)
    return await render(game=game, name=which, puzzle_request=_PuzzleRequest(move, outlooks))


@in_reading_thread
def _answer(request: AnyRequest, site: StudiesSite, visitor: Visitor, puzzle: Puzzle) -> int | None:
    """Return the index of the move to be explained; None if the puzzle has yet to be solved.

    It is the move in the request, or the visitor's own answer.
    """
    if "again" in request.query_params:
        return None
    requested = request.query_params.get("move", "")
    if requested.isascii() and requested.isdigit() and len(requested) < 4 and int(requested) < len(puzzle.chances):
        return int(requested)
    answer = _progress(request, site, visitor).get(puzzle.game, GameProgress()).answer_to(puzzle.id)
    return answer.move if answer and answer.move < len(puzzle.chances) else None


async def _outlooks(site: StudiesSite, visitor: Visitor, puzzle: Puzzle, move: int) -> tuple[Any, Any] | None:
    """Return how the round goes on, as thinkers imagine it; None if they do not answer in time."""
    key = puzzle.game, puzzle.id, move
    explanation = site.explanations.get(key)
    if explanation is None:
        try:
            site.spend("hint", visitor)
            task = msgspec.msgpack.encode(MoveToExplain(*key))
            asker = Asker(origin_of(visitor.address), "")
            future = site.thinkers.submit(explain, task, asker, low_priority=True)
            # An explanation that comes too late is kept for the next visit.
            future.add_done_callback(partial(_cache_explanation, site.explanations, key))
            explanation = await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(future)), _LONGEST_WAIT)
        except (NoAnswer, RateLimited, Refusal, TimeoutError):
            return None
    return outlooks_of(puzzle.game, explanation)


def _cache_explanation(
    explanations: puzzle_pages.Explanations, key: tuple[str, str, int], future: Future[bytes]
) -> None:
    if not future.cancelled() and future.exception() is None:
        explanations.keep(key, future.result())


class _PuzzleRequest(NamedTuple):
    """A request for a puzzle's page: the move that it explains, a refusal of what was sent."""

    move: int | None = None
    outlooks: tuple[Any, Any] | None = None
    """Continuation of the round after the move and after the best one, as thinkers imagine it."""
    refusal: Refused | None = None
    sent: Mapping[str, str] = MappingProxyType({})


@in_reading_thread
def _render_page(
    request: AnyRequest, site: StudiesSite, visitor: Visitor, game: str, name: str, puzzle_request: _PuzzleRequest
) -> Response[str]:
    return _page(request, site, visitor, game, name, puzzle_request)


class PuzzlePage(PositionPage, frozen=True, kw_only=True):
    """The context of a puzzle, answered or not."""

    template: ClassVar = "puzzles/puzzle.html"

    day: str
    """The day whose puzzle this is; empty for others."""
    theme: str
    """The question of the puzzle; once it is answered, its theme."""
    level: int
    answer: puzzle_pages.AnswerShown | None
    """None until it is answered."""
    own: puzzle_pages.OwnLevel | None
    counted: bool
    """True if this answer counts for the reader's level."""
    share: str
    """A text to send to others; empty if there is nothing to tell."""
    more: str
    """The address of another puzzle."""
    again: str
    """The address of the puzzle without its answer."""
    analysis: str
    """The address of the position on the analysis board; empty if it has none."""
    why: str
    """The address of the page with the reasons."""


def _page(
    request: AnyRequest, site: StudiesSite, visitor: Visitor, game: str, name: str, puzzle_request: _PuzzleRequest
) -> Response[str]:
    words, move = visitor.words, puzzle_request.move
    puzzle, day = _find_puzzle(site, game, name)
    position = puzzle_pages.position_of(puzzle)
    here = f"/puzzles/{game}/{name}"
    theme = _question_key(request.query_params.get("theme", ""), game)
    theme_field = f"&theme={theme}" if theme else ""
    progress = _progress(request, site, visitor).get(game, GameProgress())
    solver, answer = visitor.person.name if visitor.person else "", None
    if move is not None:
        answer = puzzle_pages.describe_answer(words, puzzle, move, puzzle_request.outlooks, solver)
    board_position = BoardPosition(
        game=game,
        names=puzzle_pages.names_in(position, solver),
        view=position.view,
        moves=() if answer else position.moves,
        address=here,
        fields={"theme": theme} if theme else {},
        headline=answer.verdict if answer else "",
        sent=puzzle_request.sent,
        refused=puzzle_request.refusal,
    )
    own_answer, today, base = progress.answer_to(puzzle.id), _today(site), site.base(request)
    share = ""
    if answer and day is not None and own_answer is not None:
        streak = progress.streak_on(today) if day == today else 0
        lost = puzzle.lost(own_answer.move)
        share = puzzle_pages.to_share(words, adapter_of(game).title, day, lost, streak, f"{base}{here}")
    page = PuzzlePage(
        preview=puzzle_pages.preview_of(words, site.pages, game, day, base, here),
        position=show_position(site.pages, visitor, board_position),
        day=words.day(day) if day else "",
        theme=puzzle_pages.theme(words, puzzle) if answer else puzzle_pages.question(words, puzzle),
        level=puzzle.level,
        answer=answer,
        own=puzzle_pages.level(words, progress, today),
        counted=own_answer is not None and own_answer.move == move,
        share=share,
        more=f"/puzzles/{game}/next?after={puzzle.id}{theme_field}",
        again=f"{here}?again=1{theme_field}",
        analysis=_analysis(game, position),
        why=f"{here}?move={move}{theme_field}",
    )
    return site.page(visitor, page)


def _analysis(game: str, position: PuzzlePosition) -> str:
    """Return the address of the position on the analysis board, where cards that the seat can't know are dealt anew.

    It is empty if the game has no analysis, or if the position can't be expressed.
    """
    return (address_of_view(game, position.view) or "") if is_analysed(game) else ""


@post("/puzzles/{game:str}/{which:str}")
@in_acting_thread
def solve(
    request: AnyRequest,
    site: TheStudiesSite,
    visitor: TheVisitor,
    form: TheForm,
    game: FromPath[str],
    which: FromPath[str],
) -> Response[Any]:
    """Record an answer, and redirect to the page that shows its value. An illegal move is refused, as at a table."""
    puzzle, day = _find_puzzle(site, game, which)

    def again(refusal: Refused) -> Response[str]:
        return _page(request, site, visitor, game, which, _PuzzleRequest(refusal=refusal, sent=form))

    try:
        site.spend("move", visitor)
        position = puzzle_pages.position_of(puzzle)
        move = adapter_of(game).move_of(form)
        place = position.place_of(move)
        if place is None:
            position.game.play(position.state, move)  # says which rule refuses it
            raise Refusal("", "There is no such move.")
    except TURNED_DOWN as thrown:
        return refusal_response(site, visitor, thrown, again, game)
    cookies = _record_answer(request, site, visitor, puzzle, place, day)
    theme = _question_key(form.get("theme", ""), game)
    query = f"&theme={theme}" if theme else ""
    return redirect(f"/puzzles/{game}/{which}?move={place}{query}", cookies)


ROUTES = (overview, list_of_game, next_puzzle, daily, look, solve)
