"""Pages about strength: the best players of each game, and what each person shows of themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, ClassVar, Final

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from kontor.challenges.pages import rematch_address
from kontor.intervals import half_width
from kontor.people.texts import LONGEST_GUEST_NAME
from kontor.people.values import Person
from kontor.players.levels import level_name, marked
from kontor.ratings.calibration import AT_ONCE
from kontor.ratings.calibration_figure import CalibrationFigure, calibration_figure
from kontor.ratings.curves import Curve, lost_curve, lost_each, rating_curve
from kontor.ratings.finding_people import FoundPeople
from kontor.ratings.site import RatingsSite, TheRatingsSite
from kontor.ratings.values import (
    PARTS,
    BestPage,
    ChanceClass,
    Companion,
    GameHistory,
    Meeting,
    PersonRating,
    PlayedTally,
    Profile,
    ReviewedGame,
)
from kontor.review.review_text import percent
from kontor.tables.finished_games import GameFilter, PeopleFilter
from kontor.tables.pages.cards import Card, card
from kontor.tables.values import TableInfo
from kontor.web.adapter import adapter_of, web_adapters
from kontor.web.forms import Form
from kontor.web.http.faults import NoPage, refused_on_your_page, require_game, require_person_id
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import in_acting_thread, in_reading_thread, redirect
from kontor.web.pages.visitor import Visitor
from kontor.web.pages.whole_page import WholePage
from kontor.words import Words

_RECENT: Final = 20
"""Games whose records are listed on one's own page."""

_SHOWN_GAMES: Final = 8
"""Games on a person's page; the archive has the others."""

_A_PAGE: Final = 50
"""People on one page of the best."""

_FIRST_ROWS: Final = 8
"""People of each game on the page of all games."""


class Ranking(msgspec.Struct, frozen=True, kw_only=True):
    """The first of the best players of a game."""

    game: str
    title: str
    page: BestPage
    levels: Mapping[str, str]
    """The names of the computer players in the list, by their levels."""
    own: PersonRating | None


class PeoplePage(WholePage, frozen=True, kw_only=True):
    """The context of the page of the people who play here."""

    template: ClassVar = "ratings/people.html"

    rankings: Sequence[Ranking]
    listed: bool
    """True if the reader chose to be listed."""
    name: str
    """The part of a name that was searched; empty without a search."""
    matches: FoundPeople | None
    """The people of such a name."""


@get("/people")
@in_reading_thread
def people(request: AnyRequest, site: TheRatingsSite, visitor: TheVisitor) -> Response[str]:
    """Return the page of the people who play here: the best of each game, and those found by name."""
    rankings = [_ranking(site, visitor, game, 0, _FIRST_ROWS) for game in web_adapters()]
    name = Form(request.query_params.multi_items()).text("name", LONGEST_GUEST_NAME)
    matches = site.people_search.named(name, visitor.id) if name else None
    return site.page(
        visitor, PeoplePage(rankings=rankings, listed=_is_listed(site, visitor), name=name, matches=matches)
    )


class RankingPage(WholePage, frozen=True, kw_only=True):
    """The context of a page of the best players of a game."""

    template: ClassVar = "ratings/best.html"

    game: str
    title: str
    page: BestPage
    levels: Mapping[str, str]
    """The names of the computer players on the page, by their levels."""
    own: PersonRating | None
    listed: bool
    """True if the reader chose to be listed."""
    nth: int
    """The number of the page, from 1."""


@get("/best/{game:str}")
@in_reading_thread
def best_page(request: AnyRequest, site: TheRatingsSite, visitor: TheVisitor, game: FromPath[str]) -> Response[str]:
    """Return a page of the best players of a game, of those who chose to be listed."""
    require_game(game)
    number = max(1, Form(request.query_params.multi_items()).number("page", 1))
    ranking = _ranking(site, visitor, game, (number - 1) * _A_PAGE, _A_PAGE)
    listed = _is_listed(site, visitor)
    return site.page(visitor, RankingPage(**msgspec.structs.asdict(ranking), listed=listed, nth=number))


def _ranking(site: RatingsSite, visitor: Visitor, game: str, first: int, most: int) -> Ranking:
    """Return a part of the list of the best players of a game, with the visitor's own rating."""
    page = site.ratings.best(game, visitor.id, first, most)
    ratings = site.ratings.of(visitor.id) if visitor.id else ()
    return Ranking(
        game=game,
        title=adapter_of(game).title,
        page=page,
        levels={row.level: marked(level_name(visitor.words, row.level)) for row in page.rows if row.level},
        own=next((rating for rating in ratings if rating.game == game), None),
    )


class CalibrationPage(WholePage, frozen=True, kw_only=True):
    """The context of the page that compares the chances of favourites with their victories."""

    template: ClassVar = "ratings/calibration.html"

    game: str
    title: str
    total: ChanceClass | None
    """All games in one class; None as long as there are too few."""
    classes: Sequence[ChanceClass]
    figure: CalibrationFigure
    score: str
    even_score: str
    first: str
    """The day on which the first of the games ended."""
    last: str
    needed: int
    """The number of games that are needed, and added at once."""
    percent: Callable[[float], str]
    """A function that returns a chance as a percentage."""


@get("/best/{game:str}/calibration")
@in_reading_thread
def calibration_page(site: TheRatingsSite, visitor: TheVisitor, game: FromPath[str]) -> Response[str]:
    """Return the page about what the ratings of a game are worth."""
    require_game(game)
    calibration, words = site.ratings.calibration(game), visitor.words
    page = CalibrationPage(
        game=game,
        title=adapter_of(game).title,
        total=calibration.total,
        classes=calibration.classes,
        figure=calibration_figure(calibration),
        score=words.thousandths(calibration.score or 0),
        even_score=words.thousandths(calibration.even_score or 0),
        first=words.day(calibration.first) if calibration.first else "",
        last=words.day(calibration.last) if calibration.last else "",
        needed=AT_ONCE,
        percent=lambda chance: percent(words, chance),
    )
    return site.page(visitor, page)


def _is_listed(site: RatingsSite, visitor: Visitor) -> bool:
    """Return True if the visitor chose to be listed among the best."""
    profile = site.ratings.profile(visitor.id) if visitor.id else None
    return bool(profile and profile.listed)


@post("/you/profile")
@in_acting_thread
@refused_on_your_page("showing")
def save_profile(site: TheRatingsSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Save what the person shows to others."""
    person = require_person_id(visitor)
    site.spend("name", visitor)
    parts = [part for part in PARTS if part in form.get("part", "").split()]
    site.ratings.show(person, listed="listed" in form, public="public" in form, parts=parts)
    return redirect("/you?open=showing#showing")


# ------------------------------------------------------------------------------------------------------ one person


@dataclass(frozen=True)
class ReviewedPlay:
    """Accuracy of somebody's play, from ``games`` reviewed games.

    ``lost`` is what they lost per decision, with its unit. For the ``counted`` games in which luck can be measured,
    ``result`` and ``adjusted`` are the mean results with it and without. ``off`` is the uncertainty of the latter.
    """

    games: int
    lost: str
    curve: Curve
    counted: int
    result: str
    adjusted: str
    off: str


def reviewed_play(words: Words, games: Sequence[ReviewedGame]) -> ReviewedPlay | None:
    """Return how well somebody has played a game; None if no game of theirs was reviewed."""
    if not games:
        return None
    measured = [(game.result, game.adjusted) for game in games if game.adjusted is not None]
    adjusted = [without for _, without in measured]
    off = half_width(adjusted) if len(adjusted) > 1 else 0.0
    return ReviewedPlay(
        len(games),
        words.count_tenths("{n} percentage point", "{n} percentage points", lost_each(games)[0]),
        lost_curve(words, games),
        len(measured),
        percent(words, fmean(result for result, _ in measured)) if measured else "",
        percent(words, fmean(adjusted)) if measured else "",
        words.tenths(100 * off) if off else "",
    )


@dataclass(frozen=True)
class PlayedGame:
    """The section about one game on a person's page."""

    game: str
    rating: PersonRating | None
    curve: Curve | None
    history: GameHistory | None
    play: ReviewedPlay | None


class DatedCard(msgspec.Struct, frozen=True):
    """A game that is over, the day on which it ended, and how it can be played again."""

    card: Card
    day: str
    rematch: str
    """The address at which its reader can challenge the other player again; empty if they can't."""
    mine: bool
    """True if the reader sat there."""


class Acquaintance(msgspec.Struct, frozen=True):
    """The handle by which a reader can follow and challenge the person of a page."""

    handle: str
    followed: bool
    """True if the reader follows them."""


class ProfilePage(WholePage, frozen=True, kw_only=True):
    """The context of a person's page."""

    template: ClassVar = "ratings/person.html"

    person: Person
    own: bool
    """True if the reader is this person."""
    public: str
    """The part of the address by which others see the page; empty if they do not."""
    base: str
    """The server's address."""
    sections: Sequence[PlayedGame]
    companions: Sequence[Companion]
    finished: Sequence[DatedCard]
    percent: Callable[[PlayedTally], str]
    """A function that returns the share of games that were won."""
    acquaintance: Acquaintance | None
    """The way to follow and challenge the person; None on one’s own page."""
    meetings: Sequence[Meeting]
    """Games that the reader has played with this person."""
    shown_games: Sequence[DatedCard]
    """The last games of this person that anybody may watch."""
    games_address: str
    """The address of all of them; empty if they are not shown."""


@get("/people/me")
@in_reading_thread
def own_page(request: AnyRequest, site: TheRatingsSite, visitor: TheVisitor) -> Response[str]:
    """Return the person's own page, with all parts, including those hidden from others."""
    return _person_page(
        request, site, visitor, Person(require_person_id(visitor), visitor.person.name if visitor.person else "")
    )


@get("/people/{handle:str}")
@in_reading_thread
def person_page(
    request: AnyRequest, site: TheRatingsSite, visitor: TheVisitor, handle: FromPath[str]
) -> Response[str]:
    """Return the page of a person who shows it."""
    person = site.histories.page_owner(handle, visitor.id)
    if person is None:
        raise NoPage
    return _person_page(request, site, visitor, person)


def _person_page(request: AnyRequest, site: RatingsSite, visitor: Visitor, person: Person) -> Response[str]:
    words, is_own = visitor.words, person.id == visitor.id
    profile = site.ratings.profile(person.id)
    parts = PARTS if is_own else profile.parts if profile else ()
    history = site.histories.of(person.id, own=is_own)
    ratings = {one.game: one for one in site.ratings.of(person.id)} if "rating" in parts else {}
    played = {one.game: one for one in history.games} if "results" in parts else {}
    days = site.ratings.curve(person.id) if "rating" in parts else ()
    reviewed = site.reviewed_seats.of(person.id) if "play" in parts else ()
    sections = []
    for game in web_adapters():
        game_days = [day for day in days if day.game == game]
        play = reviewed_play(words, [one for one in reviewed if one.game == game])
        if game in ratings or game in played or play:
            curve = rating_curve(words, game_days) if game_days else None
            sections.append(PlayedGame(game, ratings.get(game), curve, played.get(game), play))
    finished = site.listing.finished(person.id, limit=_RECENT) if is_own else ()
    handle = profile.handle if profile and "games" in parts else ""
    page = ProfilePage(
        person=person,
        own=is_own,
        public=profile.handle if is_own and profile and profile.public else "",
        base=site.base(request),
        sections=sections,
        companions=history.companions if "companions" in parts else (),
        finished=[_finished_game(words, info) for info in finished],
        percent=lambda tally: percent(words, tally.won / tally.games),
        acquaintance=_acquaintance(site, visitor, person, profile),
        meetings=site.histories.meetings(person.id, visitor.id) if visitor.id and not is_own else (),
        shown_games=_shown_games(site, visitor, person.id) if handle and not is_own else (),
        games_address=f"/games?person={handle}" if handle else "",
    )
    return site.page(visitor, page)


def _finished_game(words: Words, info: TableInfo) -> DatedCard:
    assert info.ended
    return DatedCard(card(words, info), words.day(info.ended.date()), rematch_address(info), bool(info.mine))


def _acquaintance(
    site: RatingsSite, visitor: Visitor, person: Person, profile: Profile | None
) -> Acquaintance | None:
    """Return how the reader can follow and challenge the person of a page; None if it is their own."""
    if profile is None or person.id == visitor.id:
        return None
    return Acquaintance(profile.handle, visitor.id is not None and site.following.is_following(visitor.id, person.id))


def _shown_games(site: RatingsSite, visitor: Visitor, person: str) -> list[DatedCard]:
    """Return the last games of a person that anybody may watch."""
    wanted = GameFilter(people=PeopleFilter((person,)))
    page = site.finished_games.find(wanted, visitor.id, _SHOWN_GAMES)
    return [_finished_game(visitor.words, finished.table) for finished in page.games]


ROUTES = (people, best_page, calibration_page, save_profile, own_page, person_page)
