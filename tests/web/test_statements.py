"""Database queries of one move: few statements, in one transaction."""

from collections import defaultdict
from pathlib import Path
from threading import get_ident
from typing import Any, Final

import pytest
from sqlalchemy import Engine, event

from kontor.games.shanghaien.rules import Options
from kontor.games.shanghaien.web.ahead import RollAhead
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.tables.values import Plan, SeatPlan
from web.conftest import Served
from web.guests import Guest, Page, seat_friend


def act(guest: Guest, page: Page) -> None:
    """Play the first of the moves shown, as a page with a stream does."""
    move = page.moves[0]
    fields = {**move.form.fields, move.name: move.value}
    answer = guest.post(move.form.action, fields, **{"hx-request": "true", "x-kontor-live": "yes"})
    assert answer.status == 204, answer.html


def statements_of_a_move(place: Place) -> list[str]:
    """Return the first words of each statement and commit of a move, in order, at a table in memory.

    Of three moves it is the one with the fewest: a table is read again if a clock or somebody's presence was written
    just before.
    """
    with Served(place) as served, served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        return min((_executed_in_a_move(anna, bernd) for _ in range(3)), key=len)


def _executed_in_a_move(anna: Guest, bernd: Guest) -> list[str]:
    by_thread: defaultdict[int, list[str]] = defaultdict(list)  # the clocks use other threads

    def hear(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        by_thread[get_ident()].append(" ".join(statement.split()[:2]))

    def commit(connection: Any) -> None:
        by_thread[get_ident()].append("COMMIT")

    path = seat_friend(anna, bernd, starter="0")
    act(anna, anna.get(path))  # the roll, which also loads the table into memory
    page = anna.get(path)
    event.listen(Engine, "before_cursor_execute", hear)
    event.listen(Engine, "commit", commit)
    act(anna, page)
    event.remove(Engine, "before_cursor_execute", hear)
    event.remove(Engine, "commit", commit)
    (executed,) = [statements for statements in by_thread.values() if "INSERT INTO" in statements]
    return executed


WHO: Final = ["SELECT people.id,"]
HELD: Final = ["SELECT tables.id,"]
WRITTEN: Final = ["UPDATE tables", "INSERT INTO", "COMMIT"]


def test_in_a_folder_a_move_is_written_and_nothing_but_who_it_is_is_asked(tmp_path: Path) -> None:
    assert statements_of_a_move(tmp_path) == [*WHO, "BEGIN IMMEDIATE", *WRITTEN[:-1], "PRAGMA user_version", "COMMIT"]


@pytest.mark.postgresql
def test_in_postgresql_a_move_is_one_question_and_one_transaction(database: str) -> None:
    assert statements_of_a_move(database) == [*WHO, "BEGIN ISOLATION", *HELD, *WRITTEN]


def test_what_a_page_shows_of_moves_given_ahead_costs_at_most_one_statement(place: Place) -> None:
    with KontorServer.open(place) as service:
        people = [service.people.guest(name)[0].id for name in ("Anna", "Bernd")]
        plan = Plan("shanghaien", Options(), (SeatPlan("me"), SeatPlan("open")))
        table = service.opening.open(people[0], plan)
        service.opening.sit(table, 1, people[1])
        executed: list[str] = []

        def hear(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
            executed.append(" ".join(statement.split()[:2]))

        def executed_for_pages() -> list[str]:
            executed.clear()
            views = [service.tables.view(table, person) for person in (*people, None)]
            event.listen(Engine, "before_cursor_execute", hear)
            for view in views:
                service.moves_ahead.marks_of(view)
            event.remove(Engine, "before_cursor_execute", hear)
            return executed

        each_asks = ["SELECT moves_ahead.table_id,"] * 2
        assert executed_for_pages() == ([] if isinstance(place, Path) else each_asks), "a folder knows of no moves"
        mover = service.tables.info(table).mover
        assert mover is not None
        service.moves_ahead.give(table, people[1 - mover], [RollAhead(1, 0)])
        assert executed_for_pages() == each_asks
    with KontorServer.open(place) as service:
        assert executed_for_pages().count(each_asks[0]) == 2, "a new start knows of them, too"
