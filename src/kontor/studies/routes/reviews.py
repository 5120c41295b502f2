"""The review of a game that is over: the curve of chances, the costliest moves, luck and skill, every decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Final, Literal, get_args

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from kontor.analysis import is_analysed
from kontor.errors import NotAllowed
from kontor.game import Value
from kontor.plugins import game_named
from kontor.records import Record, replay
from kontor.review import Account, Decision, ExplainedDecision, Review, ReviewText, check, commented, percent, signed
from kontor.review.values import WORTH_TELLING
from kontor.studies.reviews import Busy, Progress, Reviews
from kontor.studies.site import StudiesSite, TheStudiesSite
from kontor.tables.pages.replay import Replayed, ReplayedPage, Stop, stop_of, table_at
from kontor.tables.pages.seating import names_of
from kontor.tables.values import TableInfo
from kontor.tables.views import VisibleLog
from kontor.thinking.thinkers import Asker
from kontor.web.adapter import adapter_of
from kontor.web.addresses import origin_of
from kontor.web.http.faults import NoPage
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import in_acting_thread, in_reading_thread, redirect
from kontor.web.live.hub import TooManyStreams
from kontor.web.pages.visitor import Visitor
from kontor.web.pages.whole_page import WholePage
from kontor.words import Words

LEFT: Final = 64
RIGHT: Final = 520
TOP: Final = 12
BOTTOM: Final = 232
"""The edges of the area in which the curves are drawn."""

_LABEL: Final = 24
"""The least distance between two names at the ends of curves."""

_NARROW: Final = 3
"""The least width of a piece of the curve that can be clicked."""

_LONGEST: Final = 10
"""The most characters of a name for which there is room."""

_CHANCES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
_MOST_ROUNDS: Final = 14
"""The most numbers of rounds for which there is room below the curves."""

_SEEN: Final = 0.0005
"""The least cost shown; a lower one would read 0.0."""

_DEAR: Final = 0.05
_DECIDING: Final = 3
"""The most moves that are said to have decided a game."""

_COSTLY: Final = 0.02
"""The least cost for which a move is highlighted."""


# ------------------------------------------------------------------------------------------------------ what is shown


class ChanceLine(Value, frozen=True):
    """The drawn curve of a seat's chances. ``label`` is the height of the name."""

    seat: int
    name: str
    short: str
    path: str
    end: int
    label: int


class AxisMark(Value, frozen=True):
    """A label on an axis."""

    at: int
    text: str


class ChanceCurve(Value, frozen=True):
    """The curves of the seats' chances.

    ``numbers`` has the same as a table: for each round, the chances of all seats. Without hidden information one line
    is enough, because the other would mirror it.
    """

    title: str
    lines: tuple[ChanceLine, ...]
    rounds: tuple[AxisMark, ...]
    chances: tuple[AxisMark, ...]
    numbers: tuple[tuple[str, tuple[str, ...]], ...]
    parts: tuple[CurvePart, ...]


class ChanceSummary(Value, frozen=True):
    """Derivation of a seat's chance."""

    name: str
    start: str
    moves: str
    given: str
    luck: str
    amended: str
    end: str
    played: tuple[str, ...]


class DearestMoves(Value, frozen=True):
    """The costliest moves of a seat."""

    seat: int
    name: str
    explained: tuple[ExplainedDecision, ...]


class DecisionRow(Value, frozen=True):
    """A decision in the table of all; ``weight`` is 0 to 2."""

    step: int
    seat: int
    name: str
    chance: str
    played: str
    cost: str
    better: str
    weight: int


class DecisionRound(Value, frozen=True):
    """The decisions of a round."""

    number: int
    exact: bool
    rows: tuple[DecisionRow, ...]


class CurvePart(Value, frozen=True):
    """A piece of the curve that links to a moment.

    ``at`` is its left edge, ``wide`` its width, ``line`` the line of the log.
    """

    at: int
    wide: int
    line: int


class FinishedReview(Value, frozen=True, kw_only=True):
    """A review that is done: ``finished``."""

    hidden: bool
    """True if the game has hidden information: then luck can't be told from the others' moves."""
    sure: str
    """A sentence about the certainty of the values."""
    names: Sequence[str]
    curve: ChanceCurve
    sums: Sequence[ChanceSummary]
    reader: int
    """The seat of the person who looks."""
    decided: Sequence[ExplainedDecision]
    """The moves that decided the game."""
    dearest: Sequence[DearestMoves]
    """The costliest mistakes of each seat, the reader's first."""
    rounds: Sequence[DecisionRound]


class ReviewPlace(msgspec.Struct, frozen=True, kw_only=True):
    """A game whose review is shown, at a table or in a record: ``place``.

    The pages of its replay and of its review lie below its address.
    """

    game: str
    address: str
    home_text: str
    """The words of the link that leads to the game."""
    analysis: str
    """The address that leads to the analysis board; empty if the game's positions can't be analysed."""
    names: tuple[str, ...]
    """The names of the seats."""
    reader: int = 0
    """The seat of the person who looks."""

    @property
    def review(self) -> str:
        """Return the address of the review."""
        return f"{self.address}/review"


class GameReviewPage(WholePage, frozen=True, kw_only=True):
    """The context of the page of a review."""

    template: ClassVar = "reviews/review.html"

    place: ReviewPlace
    title: str
    failed: bool
    """True if there will be no review unless it is begun anew."""
    done: int
    """The positions that are judged by now, ``of`` so many."""
    of: int
    finished: FinishedReview | None
    """None while the review is computed, or if it has failed."""


def finished_review(
    words: Words, names: Sequence[str], reader: int, progress: Progress, review: Review
) -> FinishedReview:
    """Return a review that is done. ``reader`` is the seat of the person who looks."""
    teller = ReviewText(words, names, progress.record, review)
    return FinishedReview(
        hidden=review.hidden,
        sure=teller.sure(),
        names=names,
        curve=_curve(words, names, reader, review),
        sums=[_chance_summary(words, names, account, teller) for account in review.accounts],
        reader=reader,
        decided=[teller.explained(decision) for decision in _deciding_moves(review)],
        dearest=[
            DearestMoves(account.seat, names[account.seat], tuple(teller.dearest(account)))
            for account in sorted(review.accounts, key=lambda account: account.seat != reader)
        ],
        rounds=list(_rounds(words, names, review, teller)),
    )


def _deciding_moves(review: Review) -> list[Decision]:
    """Return the moves that decided the game: the costliest of all seats, in the order in which they were played."""
    dear = [decision for decision in review.decisions if decision.cost >= WORTH_TELLING]
    dear.sort(key=lambda decision: -decision.cost)
    return sorted(dear[:_DECIDING], key=lambda decision: decision.step)


def _chance_summary(words: Words, names: Sequence[str], account: Account, teller: ReviewText) -> ChanceSummary:
    return ChanceSummary(
        names[account.seat],
        percent(words, account.start),
        signed(words, -account.lost),
        signed(words, account.given),
        signed(words, account.luck),
        signed(words, account.amended),
        percent(words, account.end),
        tuple(teller.played_how(account)),
    )


def _rounds(words: Words, names: Sequence[str], review: Review, teller: ReviewText) -> Iterator[DecisionRound]:
    for number, decisions in review.rounds():
        rows = tuple(_row(words, names, decision, teller) for decision in decisions)
        yield DecisionRound(number, all(decision.exact for decision in decisions), rows)


def _row(words: Words, names: Sequence[str], decision: Decision, teller: ReviewText) -> DecisionRow:
    costs = decision.cost >= _SEEN
    return DecisionRow(
        step=decision.step,
        seat=decision.seat,
        name=names[decision.seat],
        chance=percent(words, decision.best.chance),
        played=teller.played(decision),
        cost=words.tenths(100 * decision.cost) if costs else "",
        better=teller.better(decision) if costs else "",
        weight=(decision.cost >= _COSTLY) + (decision.cost >= _DEAR),
    )


# --------------------------------------------------------------------------------------------------------- the curve


def _curve(words: Words, names: Sequence[str], reader: int, review: Review) -> ChanceCurve:
    last = max(1, review.steps)

    def across(step: int) -> int:
        return round(LEFT + (RIGHT - LEFT) * step / last)

    def down(chance: float) -> int:
        return round(BOTTOM - (BOTTOM - TOP) * chance)

    lines = []
    for account in review.accounts if review.hidden else [review.accounts[reader]]:
        # A chance holds until something changes it: a step, not a slope.
        path = f"M{across(0)} {down(account.start)}"
        path += "".join(f"H{across(spot.step)}V{down(spot.chance)}" for spot in account.curve[1:])
        name, end = names[account.seat], down(account.end)
        short = name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
        lines.append(ChanceLine(account.seat, name, short, path, end, end))
    every = -(-len(review.begins) // _MOST_ROUNDS)
    title = words.say("The chances of winning, round by round")
    if not review.hidden:
        title = words.say("{name}’s chance of winning, round by round", name=names[reader])
    return ChanceCurve(
        title=title,
        lines=tuple(_place_labels(lines)),
        rounds=tuple(AxisMark(across(step), str(number)) for number, step in enumerate(review.begins, 1))[::every],
        chances=tuple(AxisMark(down(chance), percent(words, chance)) for chance in _CHANCES),
        numbers=tuple(_numbers(words, review)),
        parts=tuple(_parts(review, across)),
    )


def _parts(review: Review, across: Callable[[int], int]) -> Iterator[CurvePart]:
    """Yield pieces of the curve, each linked to where a chance changes; too narrow ones are joined to the next."""
    steps = sorted({spot.step for account in review.accounts for spot in account.curve} - {0})
    left_edge = LEFT
    for step in steps:
        wide = across(step) - left_edge
        if wide >= _NARROW:
            yield CurvePart(left_edge, wide, step + 1)  # line 1 is the header
            left_edge += wide


def _place_labels(lines: Sequence[ChanceLine]) -> Iterator[ChanceLine]:
    """Yield the lines from the lowest up, with their names moved apart."""
    free = BOTTOM
    for line in sorted(lines, key=lambda line: (-line.end, -line.seat)):
        height = min(line.end, free)
        free = height - _LABEL
        yield ChanceLine(line.seat, line.name, line.short, line.path, line.end, height)


def _numbers(words: Words, review: Review) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the chances at the start of each round, and at the end."""
    for number, step in enumerate(review.begins, 1):
        yield str(number), tuple(percent(words, account.at(step)) for account in review.accounts)
    yield words.say("end"), tuple(percent(words, account.end) for account in review.accounts)


# ------------------------------------------------------------------------------------------------------------- routes


@get("/tables/{table:str}/review")
@in_reading_thread
def review_page(site: TheStudiesSite, visitor: TheVisitor, table: FromPath[str]) -> Response[str]:
    """Return the review of a game that is over, or its progress while it is computed. Raises NotNow, NotAllowed."""
    info = _info(site, visitor, table)
    progress = site.reviews.of(table) or start_review(site, visitor, site.reviews, table, site.tables.record(table))
    return site.page(visitor, shown_review(visitor.words, _place(visitor, info), progress))


def _place(visitor: Visitor, info: TableInfo) -> ReviewPlace:
    """Return a table whose game is reviewed."""
    table = f"/tables/{info.id}"
    return ReviewPlace(
        game=info.game,
        address=table,
        home_text=visitor.words.say("Back to the table"),
        analysis=f"{table}/analysis" if is_analysed(info.game) else "",
        names=names_of(visitor.words, info),
        reader=min(info.mine, default=0),
    )


def shown_review(words: Words, place: ReviewPlace, progress: Progress) -> GameReviewPage:
    """Return the page of a review, or of its progress."""
    finished = None
    if progress.review:
        finished = finished_review(words, place.names, place.reader, progress, progress.review)
    return GameReviewPage(
        place=place,
        title=adapter_of(place.game).title,
        failed=progress.failed,
        done=progress.done,
        of=progress.of,
        finished=finished,
    )


Shown = Literal["before", "played", "better"]
_SHOWN: Final[tuple[Shown, ...]] = get_args(Shown)


class MomentPage(ReplayedPage, frozen=True, kw_only=True):
    """The context of a decision of a review, on the board."""

    template: ClassVar = "log/moment.html"

    explained: ExplainedDecision
    name: str
    """The name of the person who decided."""
    show: Shown
    costs: bool
    """True if another move was better."""
    here: str
    """The address of this page."""
    review: str
    """The address of the review."""
    analysis: str
    """The address that leads to the analysis board; empty if the game's positions can't be analysed."""
    back: int | None
    """The step of the costly decision before this one, and ``on`` of the next; None if there is none."""
    on: int | None


@get("/tables/{table:str}/review/{step:int}")
@in_reading_thread
def moment_page(
    request: AnyRequest, site: TheStudiesSite, visitor: TheVisitor, table: FromPath[str], step: FromPath[int]
) -> Response[Any]:
    """Return the board of a decision: before it, after the move that was played, or after the best one."""
    info = _info(site, visitor, table)
    progress, place = site.reviews.of(table), _place(visitor, info)
    if not progress or not progress.review:
        return redirect(place.review)
    now = site.tables.view(table, visitor.id)
    reviewed_moment = ReviewedMoment(place, progress.record, progress.review, decision_of(progress.review, step))
    draw = partial(table_at, site.pages, visitor, now, reviewed_moment.decision.seat)
    return site.page(visitor, reviewed_moment.page(visitor.words, request.query_params.get("show", ""), now, draw))


def decision_of(review: Review, step: int) -> Decision:
    """Return the decision of a step. Raises NoPage."""
    try:
        return review.decision(step)
    except KeyError:
        raise NoPage from None


@dataclass(frozen=True)
class ReviewedMoment:
    """A decision of a reviewed game."""

    place: ReviewPlace
    record: Record
    review: Review
    decision: Decision

    def page(self, words: Words, requested: str, log: VisibleLog, draw: Callable[[Stop], Replayed]) -> MomentPage:
        """Return the page of the decision, which shows the board as ``requested``; ``draw`` draws it."""
        place, review, decision = self.place, self.review, self.decision
        usual: Shown = "better" if decision.cost >= _SEEN else "played"
        show = next((choice for choice in _SHOWN if choice == requested), usual)
        costly_steps = [row.step for row in review.decisions if row.cost >= _COSTLY]
        return MomentPage(
            replayed=draw(self._stop(show, log)),
            explained=ReviewText(words, place.names, self.record, review).explained(decision),
            name=place.names[decision.seat],
            show=show,
            costs=decision.cost >= _SEEN,
            here=f"{place.review}/{decision.step}",
            review=place.review,
            analysis=place.analysis,
            back=max((costly_step for costly_step in costly_steps if costly_step < decision.step), default=None),
            on=min((costly_step for costly_step in costly_steps if costly_step > decision.step), default=None),
        )

    def _stop(self, show: Shown, log: VisibleLog) -> Stop:
        """Return the game before the decision, after the move that was played, or after the best one."""
        decision = self.decision
        until = [line for line in log.events(decision.seat) if line.number <= decision.step]  # line 1 is the header
        if show == "before":
            return Stop(until[-1].number, decision.round, (until[-1],))
        move = decision.best.move if show == "better" else decision.played.move
        before = list(replay(self.record))[decision.step - 1]
        return stop_of(game_named(self.review.game), until, before, move, decision.seat)


@get("/tables/{table:str}/review.jsonl")
@in_reading_thread
def reviewed_record(site: TheStudiesSite, visitor: TheVisitor, table: FromPath[str]) -> Response[Any]:
    """Return the record as a file, with the review's comments between its lines; redirect if there is no review."""
    info = _info(site, visitor, table)
    progress = site.reviews.of(table)
    if not progress or not progress.review:
        return redirect(f"/tables/{table}/review")
    name = f"{info.game}-{info.created:%Y-%m-%d}-{info.id[:6]}-reviewed.jsonl"
    return record_file(commented(progress.record, progress.review), name)


def record_file(data: bytes, name: str) -> Response[bytes]:
    """Return a record as a file with a name."""
    return Response(
        data, media_type="application/jsonl", headers={"content-disposition": f'attachment; filename="{name}"'}
    )


@post("/tables/{table:str}/review")
@in_acting_thread
def begin_anew(site: TheStudiesSite, visitor: TheVisitor, form: TheForm, table: FromPath[str]) -> Response[Any]:
    """Start the review again, if it has failed."""
    _info(site, visitor, table)
    progress = site.reviews.of(table)
    if progress and progress.failed:
        start_review(site, visitor, site.reviews, table, site.tables.record(table))
    return redirect(f"/tables/{table}/review")


def _info(site: StudiesSite, visitor: Visitor, table: str) -> TableInfo:
    """Return the table. Raises NotAllowed if the visitor may not see its game."""
    info = site.tables.info(table, visitor.id)
    if not info.may_watch:
        raise NotAllowed("", "This game is for its players only.")
    return info


def start_review(site: StudiesSite, visitor: Visitor, reviews: Reviews, key: str, record: Record) -> Progress:
    """Start the review of a game, which ``reviews`` have by the ``key``, and return its progress.

    Raises NotReviewable for a game that is not over, RateLimited and TooManyStreams.
    """
    check(record)
    site.spend("review", visitor)
    try:
        return reviews.begin(key, record, Asker(origin_of(visitor.address), visitor.id or ""))
    except Busy as busy:
        raise TooManyStreams from busy


ROUTES = (review_page, moment_page, reviewed_record, begin_anew)
