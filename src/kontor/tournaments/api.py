"""API routes for tournaments: find, open, join and leave them, and their standings."""

from __future__ import annotations

from typing import Annotated, Literal

from litestar import delete, get, post
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from kontor.plugins import game_named
from kontor.tables.routes.api_tables import CursorQuery
from kontor.tournaments.api_values import EnteringTournament, NewTournament, OpenedTournament, TournamentsFound
from kontor.tournaments.pages import is_of_pairs, options_of
from kontor.tournaments.site import TheTournamentsSite
from kontor.tournaments.values import TournamentFilter, TournamentPlan, TournamentView
from kontor.web.cursors import cursor_text, parse_cursor
from kontor.web.http.faults import require_person_id
from kontor.web.http.programs import PLAY, READ_OR_NOBODY, REFUSED, TheProgram, spending
from kontor.web.http.site import in_reading_thread


@get("/api/tournaments", responses=REFUSED, security=READ_OR_NOBODY)
@in_reading_thread
def tournaments(
    site: TheTournamentsSite,
    program: TheProgram,
    show: FromQuery[Literal["open", "running", "over"]] = "open",
    game: Annotated[str, QueryParameter(max_length=40)] = "",
    name: Annotated[str, QueryParameter(max_length=40, description="Part of the tournament's name.")] = "",
    after: CursorQuery = "",
) -> TournamentsFound:
    """Find public tournaments, the newest first, 24 a page; and one's own that are not over."""
    wanted = TournamentFilter(show, game, name, parse_cursor(after))
    page = site.tournaments.find(wanted, program.id)
    mine = site.tournaments.mine(program.id) if program.id else ()
    return TournamentsFound(mine, page.tournaments, cursor_text(page.after))


@post("/api/tournaments", responses=REFUSED, security=PLAY)
@spending("open")
def open_tournament(site: TheTournamentsSite, program: TheProgram, data: JSONBody[NewTournament]) -> OpenedTournament:
    """Open a tournament, without taking part in it."""
    game = game_named(data.game).name
    pairs = is_of_pairs(game)
    plan = TournamentPlan(
        name=data.name,
        game=game,
        system=data.system or ("swiss" if pairs else "tables"),
        sizes=data.sizes or ((2,) if pairs else (4, 3)),
        options=options_of(game),
        rounds=data.rounds,
        pace=data.pace,
        duplicate=data.duplicate,
        public=data.public,
        takeover=data.takeover,
        fewest=data.fewest,
        starts=data.starts,
        breaks=data.breaks,
        club=data.club,
        members_only=data.members_only,
    )
    return OpenedTournament(site.tournaments.open(require_person_id(program), plan))


@get("/api/tournaments/{tournament:str}", responses=REFUSED, security=READ_OR_NOBODY)
@in_reading_thread
def tournament(site: TheTournamentsSite, program: TheProgram, tournament: FromPath[str]) -> TournamentView:
    """Return a tournament: its entrants, the standings, all rounds with their tables, and one's own tables."""
    return site.tournaments.view(tournament, program.id)


@delete("/api/tournaments/{tournament:str}", responses=REFUSED, security=PLAY)
@spending("join")
def cancel_tournament(site: TheTournamentsSite, program: TheProgram, tournament: FromPath[str]) -> None:
    """Cancel a tournament that one has opened, before it begins."""
    site.tournaments.cancel(tournament, require_person_id(program))


@post("/api/tournaments/{tournament:str}/entrants", responses=REFUSED, security=PLAY)
@spending("join")
def join_tournament(
    site: TheTournamentsSite, program: TheProgram, tournament: FromPath[str], data: JSONBody[EnteringTournament]
) -> TournamentView:
    """Join a tournament, from the next round on. One's tables appear in ``my_tables``, and among one's own tables."""
    site.tournaments.join(tournament, require_person_id(program), data.salt)
    return site.tournaments.view(tournament, program.id)


@delete("/api/tournaments/{tournament:str}/entrants", responses=REFUSED, security=PLAY)
@spending("join")
def leave_tournament(site: TheTournamentsSite, program: TheProgram, tournament: FromPath[str]) -> None:
    """Leave a tournament; a computer player finishes the games that one is playing."""
    site.tournaments.leave(tournament, require_person_id(program))


@post("/api/tournaments/{tournament:str}/start", responses=REFUSED, security=PLAY)
@spending("join")
def start_tournament(site: TheTournamentsSite, program: TheProgram, tournament: FromPath[str]) -> TournamentView:
    """Start a tournament that one has opened."""
    site.tournaments.start(tournament, require_person_id(program))
    return site.tournaments.view(tournament, program.id)


ROUTES = (
    tournaments,
    open_tournament,
    tournament,
    cancel_tournament,
    join_tournament,
    leave_tournament,
    start_tournament,
)
