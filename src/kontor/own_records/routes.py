"""Routes of people's own records: the list, bringing one, its page, replay and review, and the link for others."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath

from kontor.analysis import is_analysed
from kontor.errors import NotAllowed, NotNow, Unreadable
from kontor.own_records.checking import MOST_BYTES, checked_record
from kontor.own_records.log import RecordLog
from kontor.own_records.pages import (
    RecordPage,
    RecordsPage,
    address_of,
    card_of,
    describe_checks,
    describe_outcome,
    file_name,
    is_reviewable,
    record_at,
    replay_links,
    review_place,
    seats_of,
)
from kontor.own_records.site import OwnRecordsSite, TheOwnRecordsSite
from kontor.own_records.store import MOST_RECORDS, readable
from kontor.own_records.values import BroughtRecord
from kontor.records import Record, verify
from kontor.review import commented
from kontor.studies.pages.analysis import address_of as analysis_address
from kontor.studies.reviews import Progress
from kontor.studies.routes.reviews import ReviewedMoment, decision_of, record_file, shown_review, start_review
from kontor.tables.pages.replay import replay_page, stops_of
from kontor.tables.routes.responses import parse_seat
from kontor.web.http.faults import NoPage, refusal_response, require_person_id
from kontor.web.http.newcomers import Player, drop_new_session, player_of, redirect_player
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.sessions import AnyRequest, TheBody, TheForm, TheVisitor, large_form_of
from kontor.web.http.site import in_acting_thread, in_reading_thread, redirect
from kontor.web.pages.refused import Refused
from kontor.web.pages.visitor import Visitor

MOST_BODY: Final = 4 * MOST_BYTES
"""The most bytes of the form that brings a record: browsers send a pasted character in up to three."""


# ------------------------------------------------------------------------------------------- the list, and bringing


def _list(site: OwnRecordsSite, visitor: Visitor, typed: str = "", refusal: Refused | None = None) -> Response[str]:
    records = site.own_records.of_person(visitor.id) if visitor.id else ()
    page = RecordsPage(
        cards=[card_of(visitor.words, record) for record in records],
        typed=typed,
        most=MOST_BYTES // 1024,
        most_records=MOST_RECORDS,
        refused=refusal,
    )
    return site.page(visitor, page)


@get("/records")
@in_reading_thread
def records(site: TheOwnRecordsSite, visitor: TheVisitor) -> Response[str]:
    """Return the list of the visitor's records, with the form for another."""
    return _list(site, visitor)


@post("/records", request_max_body_size=MOST_BODY)
@in_acting_thread
def bring(request: AnyRequest, site: TheOwnRecordsSite, visitor: TheVisitor, sent: TheBody) -> Response[Any]:
    """Check a record, keep it for the visitor, and redirect to it."""
    form = large_form_of(request, visitor, sent)
    text = form.get("record", "")
    text = text if text.strip() else form.get("file", "")
    player: Player | None = None
    try:
        site.spend("bring", visitor)
        record = checked_record(text)
        player = player_of(site, visitor)
        record_id = site.own_records.keep(player.person, record)
    except TURNED_DOWN as thrown:
        drop_new_session(site, player)
        return refusal_response(site, visitor, thrown, partial(_list, site, visitor, text[:MOST_BYTES]))
    return redirect_player(visitor, player, f"/records/{record_id}")


# -------------------------------------------------------------------------------------------- a record and its game


def _find_record(site: OwnRecordsSite, visitor: Visitor, key: str) -> BroughtRecord:
    """Return the record of an address. Raises NoRecord."""
    return site.own_records.find(key, visitor.id)


@get("/records/{key:str}")
@in_reading_thread
def record_page(
    request: AnyRequest, site: TheOwnRecordsSite, visitor: TheVisitor, key: FromPath[str]
) -> Response[str]:
    """Return the page of a record: of one's own, or of one that is shared by a link. Raises NoRecord."""
    words, brought = visitor.words, _find_record(site, visitor, key)
    info = brought.info
    record, checked, fault = None, [], ""
    try:
        record = readable(brought.data)
        checked = describe_checks(words, verify(record))
    except Unreadable as unreadable:
        fault = words.reason(unreadable)
    page = RecordPage(
        card=card_of(words, info),
        address=address_of(brought),
        name=info.name,
        seats=seats_of(words, info),
        outcome=describe_outcome(words, info),
        checked=checked,
        fault=fault,
        reviewable=record is not None and is_reviewable(record),
        mine=brought.mine,
        may_download=brought.mine or info.summary.is_over,
        shared_link=f"{site.base(request)}/records/{info.link}" if info.link else "",
    )
    return site.page(visitor, page)


@get("/records/{key:str}/replay")
@in_reading_thread
def replay(request: AnyRequest, site: TheOwnRecordsSite, visitor: TheVisitor, key: FromPath[str]) -> Response[Any]:
    """Return the game of a record at any point; of a game that is not over only what is public."""
    brought = _find_record(site, visitor, key)
    log = RecordLog(readable(brought.data))
    seat = parse_seat(request.query_params.get("as"))
    seat = seat if log.is_over and seat is not None and seat < len(brought.info.summary.seats) else None
    stops = stops_of(log.events(seat))
    if not stops:
        return redirect(address_of(brought))
    draw = partial(record_at, site.pages, visitor, brought, log, seat)
    page = replay_page(request.query_params, replay_links(visitor.words, brought), seat, stops, draw)
    return site.page(visitor, page)


@get("/records/{key:str}/analysis")
@in_reading_thread
def analysis(request: AnyRequest, site: TheOwnRecordsSite, visitor: TheVisitor, key: FromPath[str]) -> Response[Any]:
    """Redirect to the analysis board with the position after a line. Raises NotNow for a game that is not over."""
    brought = _find_record(site, visitor, key)
    if not is_analysed(brought.info.game):
        raise NoPage
    if not brought.info.summary.is_over:
        raise NotNow("", "This game is not over yet: you can review it afterwards.")
    line = request.query_params.get("at", "")
    steps = int(line) - 1 if line.isascii() and line.isdigit() and 0 < len(line) < 6 else 0
    seat = parse_seat(request.query_params.get("as"))
    return redirect(analysis_address(readable(brought.data), max(0, steps), seat))


@get("/records/{key:str}/record.jsonl")
@in_reading_thread
def download(site: TheOwnRecordsSite, visitor: TheVisitor, key: FromPath[str]) -> Response[Any]:
    """Return the record as a file. Raises NotAllowed for others while the game is not over: it holds all secrets."""
    brought = _find_record(site, visitor, key)
    if not (brought.mine or brought.info.summary.is_over):
        raise NotAllowed("", "This game is not over: only what is public is shown.")
    return record_file(brought.data, file_name(brought))


# ------------------------------------------------------------------------------------------------------- the review


def _review(site: OwnRecordsSite, visitor: Visitor, brought: BroughtRecord) -> Progress:
    """Return the progress of a record's review, which begins if nobody has requested it."""
    progress = site.record_reviews.of(brought.info.id)
    return progress or _start(site, visitor, brought, readable(brought.data))


def _start(site: OwnRecordsSite, visitor: Visitor, brought: BroughtRecord, record: Record) -> Progress:
    return start_review(site, visitor, site.record_reviews, brought.info.id, record)


@get("/records/{key:str}/review")
@in_reading_thread
def review(site: TheOwnRecordsSite, visitor: TheVisitor, key: FromPath[str]) -> Response[str]:
    """Return the review of a record, or its progress while it is computed. Raises NotReviewable."""
    brought = _find_record(site, visitor, key)
    progress = _review(site, visitor, brought)
    return site.page(visitor, shown_review(visitor.words, review_place(visitor.words, brought), progress))


@post("/records/{key:str}/review")
@in_acting_thread
def review_anew(site: TheOwnRecordsSite, visitor: TheVisitor, form: TheForm, key: FromPath[str]) -> Response[Any]:
    """Start the review again, if it has failed."""
    brought = _find_record(site, visitor, key)
    progress = site.record_reviews.of(brought.info.id)
    if progress and progress.failed:
        _start(site, visitor, brought, progress.record)
    return redirect(f"{address_of(brought)}/review")


@get("/records/{key:str}/review/{step:int}")
@in_reading_thread
def review_moment(
    request: AnyRequest, site: TheOwnRecordsSite, visitor: TheVisitor, key: FromPath[str], step: FromPath[int]
) -> Response[Any]:
    """Return the board of a decision: before it, after the move that was played, or after the best one."""
    brought = _find_record(site, visitor, key)
    progress, place = site.record_reviews.of(brought.info.id), review_place(visitor.words, brought)
    if not progress or not progress.review:
        return redirect(place.review)
    moment = ReviewedMoment(place, progress.record, progress.review, decision_of(progress.review, step))
    log = RecordLog(progress.record)
    draw = partial(record_at, site.pages, visitor, brought, log, moment.decision.seat)
    return site.page(visitor, moment.page(visitor.words, request.query_params.get("show", ""), log, draw))


@get("/records/{key:str}/review.jsonl")
@in_reading_thread
def reviewed_record(site: TheOwnRecordsSite, visitor: TheVisitor, key: FromPath[str]) -> Response[Any]:
    """Return the record as a file, with the review's comments between its lines; redirect if there is no review."""
    brought = _find_record(site, visitor, key)
    progress = site.record_reviews.of(brought.info.id)
    if not progress or not progress.review:
        return redirect(f"{address_of(brought)}/review")
    return record_file(commented(progress.record, progress.review), file_name(brought, "-reviewed"))


# ------------------------------------------------------------------------------------------- what its owner may do


@post("/records/{key:str}/name")
@in_acting_thread
def rename(site: TheOwnRecordsSite, visitor: TheVisitor, form: TheForm, key: FromPath[str]) -> Response[Any]:
    """Give one's record another name."""
    site.spend("bring", visitor)
    site.own_records.rename(key, require_person_id(visitor), form.get("name", ""))
    return redirect(f"/records/{key}")


@post("/records/{key:str}/link")
@in_acting_thread
def share(site: TheOwnRecordsSite, visitor: TheVisitor, form: TheForm, key: FromPath[str]) -> Response[Any]:
    """Let others see one's record by a link, or take the link back."""
    site.spend("bring", visitor)
    person = require_person_id(visitor)
    if form.get("link") == "none":
        site.own_records.stop_sharing(key, person)
    else:
        site.own_records.share(key, person)
    return redirect(f"/records/{key}#share")


@post("/records/{key:str}/delete")
@in_acting_thread
def delete(site: TheOwnRecordsSite, visitor: TheVisitor, form: TheForm, key: FromPath[str]) -> Response[Any]:
    """Delete one's record."""
    site.spend("bring", visitor)
    site.own_records.delete(key, require_person_id(visitor))
    return redirect("/records")


ROUTES = (
    *(records, bring, record_page, replay, analysis, download),
    *(review, review_anew, review_moment, reviewed_record),
    *(rename, share, delete),
)
