"""Whole tournament: programs play by the API, each in a process of its own, and people in browsers.

A program is killed, a person leaves, and the standings are computed again in another way.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx
import pytest
from playwright.sync_api import Page, expect

from kontor import records
from kontor.fair import DuplicateDice
from kontor.game import CHANCE
from kontor.games.shanghaien.rules import Options
from kontor.games.shanghaien.rules.state import Shanghai
from kontor.plugins import game_named
from kontor.records import Record
from kontor.server.composition import utc_now
from kontor.tables.values import Pace
from kontor.tournaments import POINT, TournamentGame
from kontor.tournaments.values import TournamentPlan, TournamentView
from profiles import PROFILE
from timeouts import HANG_TIMEOUT, waited_for
from tournaments.test_standings import by_hand
from web.browsers import Chromium, Hand, Pages, come_in, no_complaints
from web.conftest import Served

pytestmark = [pytest.mark.browser, pytest.mark.process, pytest.mark.long]

PLAYER: Final = Path(__file__).parents[2] / "examples" / "tournament_player.py"

FULL: Final = PROFILE == "thorough"
"""True for the largest tournament: sixteen programs, four people, five rounds."""

PROGRAMS, PEOPLE, ROUNDS = (16, 4, 5) if FULL else (4, 2, 3)

IN_BROWSER: Final = 1000 if FULL else 4
"""Number of moves of each game that a person makes in the browser; the rest are made after closing it."""

BETWEEN_LOOKS: Final = 25
"""Lines at the tables of a round between two looks of a stranger."""

HOUR: Final = Pace("slow", 3600)
LIVE: Final = Pace("live", 60, 600)


class Time:
    """Clock of the server that can be put forward."""

    def __init__(self, served: Served) -> None:
        self._served = served
        self._ahead = timedelta()
        served.service._transactions.clock = self

    def __call__(self) -> datetime:
        return utc_now() + self._ahead

    def pass_time(self, span: timedelta) -> None:
        """Put the clock forward in steps that the server counts as time in which it ran."""
        until = self._ahead + span
        while self._ahead < until:
            self._ahead += timedelta(seconds=25)
            self._served.service.upkeep.record_heartbeat()


@contextmanager
def playing(address: str, tournament: str, count: int) -> Iterator[list[subprocess.Popen[str]]]:
    """Yield ``count`` programs, each of which joins the tournament."""
    with ExitStack() as stack:
        programs = []
        for number in range(1, count + 1):
            command = (
                sys.executable,
                "-P",
                str(PLAYER),
                f"{address}/tournaments/{tournament}",
                f"Robota {number:02}",
            )
            program = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
            stack.callback(program.kill)
            programs.append(program)
        yield programs


class Player:
    """Person with a browser."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.name = name
        self.hand = Hand(page)
        self.table = ""
        self.moves = 0
        self.moves_here = 0

    def join_tournament(self, tournament: str) -> None:
        self.page.goto(f"/tournaments/{tournament}")
        self.page.click("#join-go")
        expect(self.page.locator(".taking-part")).to_contain_text("You take part.")

    def goes(self, tournament: str, table: str) -> None:
        """Go to the table of the round from the page of the tournament."""
        self.page.goto(f"/tournaments/{tournament}")
        expect(self.page.locator("#ready")).to_be_visible()
        self.page.click("#play-1")
        expect(self.page.locator("#board")).to_be_visible()
        self.table, self.moves_here = table, 0

    def moves_if_it_is_their_turn(self, served: Served, random: Random) -> bool:
        """Make a move if it is their turn; return True if it was."""
        info = served.service.tables.info(self.table)
        if info.mover is None or info.seats[info.mover].name != self.name:
            return False
        look = served.service.tables.view(self.table).look(info.mover)
        ends = [move for move in look.moves if isinstance(move, Shanghai)]
        move = ends[0] if ends else look.moves[random.randrange(len(look.moves))]
        if self.moves_here < IN_BROWSER:
            self.hand.wait_for_line(look.number)
            self.hand.make(move)
        else:
            if self.moves_here == IN_BROWSER:
                self.page.goto("/health")
            served.service.moves.play(self.table, info.mover, look.number, move)
        self.moves += 1
        self.moves_here += 1
        return True


def open_tournament(served: Served, **more: Any) -> tuple[str, str]:
    """Open a tournament of Shanghaien; return its id and its opener, who does not take part."""
    host = served.service.people.guest("Host")[0].id
    given: dict[str, Any] = {"name": "Winter Cup", "game": "shanghaien", "system": "swiss", "sizes": (2,)}
    plan = TournamentPlan(options={2: Options()}, **{**given, "pace": HOUR, "fewest": 2, **more})
    return served.service.tournaments.open(host, plan), host


def start(served: Served, tournament: str, host: str, entrants: int) -> None:
    """Start the tournament once all have joined."""
    waited_for(lambda: served.service.tournaments.view(tournament).info.entrants == entrants)
    served.service.tournaments.start(tournament, host)


def number_of(view: TournamentView, name: str) -> int:
    return next(entrant.number for entrant in view.entrants if entrant.name == name)


def table_now(view: TournamentView, name: str) -> str:
    """Return the person's table in the last round, or an empty string for a bye."""
    number = number_of(view, name)
    return next((board.table or "" for board in view.rounds[-1].boards if number in board.entrants), "")


def waits_for(served: Served, table: str, name: str) -> bool:
    """Return True if the table waits for a person for whom no computer player has stood in yet.

    With a stand-in the game can end at any moment, and hours that pass then would be taken from the next round.
    """
    info = served.service.tables.info(table)
    return info.mover is not None and info.seats[info.mover].name == name and not info.seats[info.mover].stood_in


@pytest.mark.extended  # the usual run plays a duplicate round
def test_programs_and_people_play_a_tournament(chromium: Chromium, tmp_path: Path) -> None:
    random = Random(20)
    names = ("Anna", "Bernd", "Carla", "Dora")[:PEOPLE]
    with Served(tmp_path) as served, ExitStack() as stack:
        time, pages = Time(served), Pages(chromium, served.address)
        tournament, host = open_tournament(served, rounds=ROUNDS)
        programs = stack.enter_context(playing(served.address, tournament, PROGRAMS))
        people = []
        for name in names:
            page = stack.enter_context(pages())
            stack.enter_context(no_complaints(page))
            page.goto("/")
            come_in(page, name)
            people.append(Player(page, name))
            people[-1].join_tournament(tournament)
        start(served, tournament, host, PROGRAMS + PEOPLE)
        killed, leaver = "Robota 01", people[-1]
        here = list(people)
        for number in range(1, ROUNDS + 1):
            view = served.service.tournaments.view(tournament)
            assert (view.info.status, view.info.round) == ("running", number)
            for player in here:
                player.table = ""
                if table := table_now(view, player.name):
                    player.goes(tournament, table)
            late = table_now(view, killed)
            while served.service.tournaments.view(tournament).info.round == number:
                view = served.service.tournaments.view(tournament)
                if view.info.status != "running":
                    break
                if number == 2 and programs[0].poll() is None and served.service.tables.info(late).number > 12:
                    programs[0].kill()
                    programs[0].wait(HANG_TIMEOUT)
                if number == 2 and leaver in here and leaver.moves > 4 + len(people):
                    leaver.page.goto(f"/tournaments/{tournament}")
                    leaver.page.click("summary:has-text('Leave the tournament')")
                    leaver.page.click("#leave-go")
                    expect(leaver.page.locator("main")).to_contain_text("left")
                    here.remove(leaver)
                moved = [player.moves_if_it_is_their_turn(served, random) for player in here if player.table]
                boards = view.rounds[-1].boards
                waiting = [board.table for board in boards if board.points is None and board.table]
                if set(waiting) == {late} and waits_for(served, late, killed) and programs[0].poll() is not None:
                    time.pass_time(timedelta(hours=1, minutes=1))  # so that a computer player plays on
                if not any(moved):
                    here[0].page.wait_for_timeout(50) if here else None
        view = served.service.tournaments.view(tournament)
        assert view.info.status == "over"
        for program in programs[1:]:
            output, _ = program.communicate(timeout=HANG_TIMEOUT)
            assert (program.returncode, " points" in output) == (0, True)
        assert view.entrants[number_of(view, leaver.name) - 1].left
        is_right_by_hand(served, view)
        for player in here:
            player.page.goto(f"/tournaments/{tournament}")
            row = player.page.locator("table.ranks tr.mine").first
            place = next(
                standing.place for standing in view.standings if standing.entrant == number_of(view, player.name)
            )
            expect(row.locator("td").first).to_have_text(str(place))


def is_right_by_hand(served: Served, view: TournamentView) -> None:
    """Check the winner of each game by its record, and compute the places in another way."""
    games, byes = [], []
    for round_ in view.rounds:
        sitting = sorted(number for board in round_.boards for number in board.entrants)
        assert len(sitting) == len(set(sitting))
        for board in round_.boards:
            numbers = tuple(map(str, board.entrants))
            if len(numbers) == 1:
                byes.append((round_.number, numbers[0]))
                continue
            assert board.table
            record = served.service.tables.record(board.table)
            assert records.verify(record).dice
            *_, last = records.replay(record)
            result = game_named("shanghaien").result(last)
            if result is None:
                info = served.service.tables.info(board.table)
                assert info.early, "each game was played to its end, or forfeited"
                forfeited = info.early.seat
                assert view.entrants[board.entrants[forfeited] - 1].left
                points = (0, POINT) if forfeited == 0 else (POINT, 0)
            else:
                mine, other = result.points
                points = (POINT, 0) if mine > other else (0, POINT) if other > mine else (POINT // 2, POINT // 2)
            assert board.points == tuple(won / POINT for won in points)
            games.append(TournamentGame(round_.number, numbers, points, result.points if result else ()))
    pairs = [frozenset(game.seats) for game in games]
    assert len(set(pairs)) == len(pairs), "nobody met the same person twice"
    names = [str(entrant.number) for entrant in view.entrants]
    standings = [(standing.place, str(standing.entrant)) for standing in view.standings]
    assert sorted(standings) == sorted(by_hand(names, games, byes, len(view.rounds)))


# -------------------------------------------------------------------------------------------------------- duplicate


def luck_of(record: Record) -> dict[tuple[Any, int], bytes]:
    """Return the outcomes of a record by occasion, and by how often it came before, as the dice count."""
    game, times, outcomes = game_named(record.header.game), dict[Any, int](), {}
    dice = records.dice_of(record.header, bytes(32))
    assert isinstance(dice, DuplicateDice)
    for before, step in zip(records.replay(record), record.steps, strict=False):
        if step.seat == CHANCE:
            occasion = game.occasion(before)
            series = dice.series(occasion)
            times[series] = times.get(series, 0) + 1
            outcomes[occasion, times[series]] = records.encode_line(step)
    return outcomes


@pytest.mark.parametrize(
    ("pace", "version", "most"),
    [
        pytest.param(HOUR, records.DUPLICATE_VERSION, 20, marks=pytest.mark.extended),
        (LIVE, records.STEPPED_VERSION, 9),
    ],
)
def test_in_a_duplicate_round_all_tables_have_the_same_dice(
    tmp_path: Path, pace: Pace, version: int, most: int
) -> None:
    with Served(tmp_path) as served:
        tournament, host = open_tournament(served, rounds=1, duplicate=True, public=False, pace=pace)
        with playing(served.address, tournament, 4) as programs:
            start(served, tournament, host, 4)
            while served.service.tournaments.view(tournament).info.status == "running":
                nothing_is_seen(served, tables_of(served, tournament))
                play_a_while(served, tournament)
            tables = tables_of(served, tournament)
            assert len(tables) == 4
            for program in programs:
                program.communicate(timeout=HANG_TIMEOUT)
        lucks = []
        for table in tables:
            file = tmp_path / f"{table}.jsonl"
            file.write_bytes(httpx.get(f"{served.address}/api/tables/{table}/record").raise_for_status().content)
            record = records.read(file)
            assert records.verify(record).dice
            assert record.header.record == version
            lucks.append(luck_of(record))
        command = (Path(sys.executable).with_name("kontor"), "verify", file)
        verified = subprocess.run(command, check=True, capture_output=True, text=True)
        assert "outcomes of chance follow from the seed" in verified.stdout
        same = set(lucks[0]).intersection(*lucks)
        assert len([occasion for (occasion, _) in same if occasion[0] == "row"]) == 8
        assert len(same) > most
        for occasion in same:
            assert len({luck[occasion] for luck in lucks}) == 1
        seats = [[seat.name for seat in served.service.tables.info(table).seats] for table in tables]
        assert sorted(map(tuple, seats)) == sorted(tuple(reversed(pair)) for pair in seats), "from both sides"


def tables_of(served: Served, tournament: str) -> list[str]:
    """Return the tables of the first round; the second game of a match comes after the first."""
    boards = served.service.tournaments.view(tournament).rounds[0].boards
    return [board.table for board in boards if board.table]


def play_a_while(served: Served, tournament: str) -> None:
    """Wait until the tables have gone on for some lines, or the round is over."""
    before = lines_of(served, tournament)

    def has_gone_on() -> bool:
        is_over = served.service.tournaments.view(tournament).info.status != "running"
        return is_over or lines_of(served, tournament) > before + BETWEEN_LOOKS

    waited_for(has_gone_on)


def lines_of(served: Served, tournament: str) -> int:
    return sum(served.service.tables.info(table).number for table in tables_of(served, tournament))


def nothing_is_seen(served: Served, tables: Sequence[str]) -> None:
    """Check that a stranger sees none of these tables while one of the games goes on."""
    seen = {}
    for table in tables:
        address = f"{served.address}/api/tables/{table}"
        seen[table] = [httpx.get(f"{address}/{part}").status_code for part in ("view", "events", "record", "fair")]
        seen[table].append(httpx.get(f"{served.address}/tables/{table}/replay").status_code)
    if any(served.service.tables.info(table).status != "over" for table in tables):
        assert {status for one in seen.values() for status in one} <= {403, 409}, json.dumps(seen)
