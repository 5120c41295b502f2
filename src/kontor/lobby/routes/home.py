"""The lobby, and the form for a new table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Final

from litestar import Response, get, post
from litestar.params import FromPath
from markupsafe import Markup

from kontor.challenges.pages import (
    ChallengeCard,
    CompanionLink,
    DeclinedLine,
    challenge_card,
    companion_links,
    declined_line,
)
from kontor.lobby.first_page import FirstPageLine, SeekRow, champion_lines, puzzle_lines, seek_rows, tournament_lines
from kontor.lobby.living import Frame
from kontor.lobby.pages import SeekForm, seek_form, shown_ratings
from kontor.lobby.site import LobbySite, TheLobbySite
from kontor.notifying.values import WayKind
from kontor.players.levels import levels, likeness, usual
from kontor.tables.pages.cards import Card, card, own_cards
from kontor.tables.pages.opening import OpeningForm, choices, plan_against, plan_of, plan_with_friends, share_of
from kontor.tables.values import NO_SHARE, Lobby, Plan, TableInfo
from kontor.web.adapter import web_adapters
from kontor.web.addresses import origin_of
from kontor.web.forms import Form
from kontor.web.http.faults import NoPage, refusal_response, require_game
from kontor.web.http.newcomers import drop_new_session, player_of, redirect_player
from kontor.web.http.refusals import TURNED_DOWN
from kontor.web.http.sessions import AnyRequest, TheForm, TheVisitor
from kontor.web.http.site import in_acting_thread, in_reading_thread
from kontor.web.pages import previews
from kontor.web.pages.previews import Preview
from kontor.web.pages.refused import Refused
from kontor.web.pages.render import Pages
from kontor.web.pages.visitor import Visitor
from kontor.web.pages.whole_page import WholePage

_SHOWN: Final = 8
"""Tables in each list of the lobby; the others are found by searching."""


class LobbyPage(WholePage, frozen=True, kw_only=True):
    """The context of the lobby."""

    template: ClassVar = "lobby/lobby.html"

    form: Mapping[str, str]
    """The form for a game with computer players that was refused; else empty."""
    refused: Refused | None
    levels: Mapping[str, Mapping[str, str]]
    """The computer players by their levels, for each game."""
    commitment: str
    """The commitment to the dice of the next table; empty for a visitor without a name."""
    challenges: Sequence[ChallengeCard]
    """The challenges that wait for the reader's answer."""
    declined: Sequence[DeclinedLine]
    """The reader's own challenges that were declined."""
    mine: Sequence[Card]
    finished: Sequence[Card]
    open: Sequence[Card]
    """Tables with a free seat."""
    more_open: bool
    """True if there are more of them."""
    watchable: Sequence[Card]
    more_watchable: bool
    offers_code: bool
    """True if a recovery code is offered."""
    unreached: Sequence[WayKind]
    """The kinds of notification channels that no longer work."""
    waiting_for_me: int
    """The number of tables at which it is the person's turn."""
    seek: SeekForm
    frames: Mapping[str, Frame]
    """The first frame of each game that brings a recorded one."""
    drawings: Sequence[Markup]
    """The drawings that these share."""
    living_css: Sequence[str]
    """The addresses of the styles of these games."""
    seeks: Sequence[SeekRow]
    puzzles: Sequence[FirstPageLine]
    tournaments: Sequence[FirstPageLine]
    champions: Sequence[FirstPageLine]


@get("/")
@in_reading_thread
def lobby(request: AnyRequest, site: TheLobbySite, visitor: TheVisitor) -> Response[str]:
    """Return the lobby: one's own tables, free seats, and games to watch."""
    preview = previews.of_server(visitor.words, site.pages, site.base(request))
    return _lobby(site, visitor, {}, preview=preview)


def _lobby(
    site: LobbySite,
    visitor: Visitor,
    form: Mapping[str, str],
    refusal: Refused | None = None,
    preview: Preview | None = None,
) -> Response[str]:
    words, person = visitor.words, visitor.id
    lists: Lobby = site.listing.lobby(person, _SHOWN + 1)
    challenges = site.challenges.open_to(person) if person else ()
    challenged = {challenge.table.id for challenge in challenges}
    mine = [info for info in site.listing.my_tables(person) if info.id not in challenged] if person else []
    talk = site.listing.latest_talk(person or "", [info.id for info in mine])
    finished = site.listing.finished(person, limit=6) if person else ()
    mine_ids = {info.id for info in (*mine, *finished)} | challenged

    ratings = shown_ratings(site, [*mine, *lists.open[:_SHOWN], *lists.watchable[:_SHOWN]])

    def cards(tables: tuple[TableInfo, ...]) -> list[Card]:
        return [card(words, info, ratings) for info in tables[:_SHOWN] if info.id not in mine_ids]

    news = site.news.get(site.now(), site.tournaments, site.ratings)
    living = [game for game in web_adapters() if site.living_games.count(game)]
    page = LobbyPage(
        frames={game: site.living_games.frame(site.pages, visitor, game, 0) for game in living},
        drawings=[site.book_pictures.drawings(site.pages, game, visitor) for game in living],
        living_css=_living_css(site.pages, living),
        seeks=seek_rows(words, site.seeking.waiting(person)),
        puzzles=puzzle_lines(words, site.now()),
        tournaments=tournament_lines(words, news),
        champions=champion_lines(words, news),
        preview=preview,
        form=form,
        refused=refusal,
        levels={game: {level: likeness(words, level) for level in levels(game)} for game in web_adapters()},
        commitment=site.opening.next_commitment(person) if person else "",
        challenges=[challenge_card(words, challenge) for challenge in challenges],
        declined=[declined_line(words, one) for one in site.challenges.declined(person)] if person else [],
        mine=own_cards(words, mine, talk, ratings),
        finished=[card(words, info) for info in finished],
        open=cards(lists.open),
        more_open=len(lists.open) > _SHOWN,
        watchable=cards(lists.watchable),
        more_watchable=len(lists.watchable) > _SHOWN,
        offers_code=bool(finished) and person is not None and site.recovery.is_offered(person),
        unreached=site.ways.unreached(person) if person else (),
        waiting_for_me=sum(info.my_turn for info in mine),
        seek=seek_form(words, {}, site.seeking.count_waiting()),
    )
    return site.page(visitor, page)


def _living_css(pages: Pages, games: Sequence[str]) -> list[str]:
    """Return the addresses of the styles that recorded games need: those of their boards, and their own."""
    names = [name for game in games for name in (f"{game}.css", f"{game}-living.css")]
    return [pages.assets.address(name) for name in names if pages.has(name)]


@get("/living/{game:str}/{number:int}")
@in_reading_thread
def living_frame(
    request: AnyRequest, site: TheLobbySite, visitor: TheVisitor, game: FromPath[str], number: FromPath[int]
) -> Response[str]:
    """Return a frame of a recorded game, counted from 0: a part of the first page."""
    if game not in web_adapters() or not 0 <= number < site.living_games.count(game):
        raise NoPage
    frame = site.living_games.frame(site.pages, visitor, game, number)
    return site.page(visitor, frame, headers={"cache-control": "private, max-age=86400"})


@post("/play")
@in_acting_thread
def play_now(site: TheLobbySite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Open a table with computer players, and redirect to it: the game begins at once."""
    game = require_game(form.get("game", ""))
    level = form.one_of("level", levels(game), usual(game))
    planned = partial(plan_against, game, level)
    return _open_and_redirect(site, visitor, game, form, planned, partial(_lobby, site, visitor, form))


@post("/play/friends")
@in_acting_thread
def play_friends(site: TheLobbySite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Open a table for friends, and redirect to it; its page shows the link that leads to all seats."""
    game = require_game(form.get("game", ""))
    planned, again = partial(plan_with_friends, game), partial(_lobby, site, visitor, form)
    return _open_and_redirect(site, visitor, game, form, planned, again, invites=True)


class OpenPage(WholePage, frozen=True, kw_only=True):
    """The context of the page for a new table."""

    template: ClassVar = "table/open.html"

    opening: OpeningForm
    companions: Sequence[CompanionLink]
    """The people with whom the reader has played, to be challenged."""
    commitment: str
    """The commitment to the dice of the table; empty for a visitor without a name."""
    refused: Refused | None


@get("/open/{game:str}")
@in_reading_thread
def opening(request: AnyRequest, site: TheLobbySite, visitor: TheVisitor, game: FromPath[str]) -> Response[str]:
    """Return the form for a new table."""
    return _form(site, visitor, game, {"way": request.query_params.get("way", "")})


def _form(
    site: LobbySite, visitor: Visitor, game: str, form: Mapping[str, str], refusal: Refused | None = None
) -> Response[str]:
    require_game(game)
    commitment = site.opening.next_commitment(visitor.id) if visitor.id else ""
    opening_form = choices(visitor.words, game, form)
    companions = companion_links(site.challenges.companions(visitor.id), game) if visitor.id else []
    page = OpenPage(opening=opening_form, companions=companions, commitment=commitment, refused=refusal)
    return site.page(visitor, page)


@post("/tables")
@in_acting_thread
def open_table(site: TheLobbySite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Open a table, and redirect to it."""
    game = require_game(form.get("game", ""))
    again = partial(_form, site, visitor, game, form)
    return _open_and_redirect(site, visitor, game, form, partial(plan_of, game, form), again)


def _open_and_redirect(
    site: LobbySite,
    visitor: Visitor,
    game: str,
    form: Form,
    planned: Callable[[], Plan],
    again: Callable[[Refused], Response[Any]],
    *,
    invites: bool = False,
) -> Response[Any]:
    """Open the planned table, and redirect to it. Its commitment was shown on the page before.

    Newcomers saw none, so nothing that they sent goes into the dice. If ``invites``, the table's page shows an
    invitation to all its seats.
    """
    player = None
    try:
        site.spend("open", visitor)
        plan = planned()
        if plan.machines_only:
            site.spend("machines", visitor)
        player = player_of(site, visitor)
        share, expected = (NO_SHARE, "") if player.token else (share_of(form), form.get("commitment", ""))
        table = site.opening.open(player.person, plan, share, expected, origin_of(visitor.address))
        query = f"?invitation={site.opening.invitation_to_table(table, player.person)}" if invites else ""
    except TURNED_DOWN as thrown:
        drop_new_session(site, player)
        return refusal_response(site, visitor, thrown, again, game)
    return redirect_player(visitor, player, f"/tables/{table}{query}")


ROUTES = (lobby, living_frame, play_now, play_friends, opening, open_table)
