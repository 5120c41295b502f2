"""A failing row of the outbox: for any reason, it keeps no other from being sent."""

from __future__ import annotations

import msgspec
import pytest
from sqlalchemy import update

from guests import post_mail, query
from kontor.notifying import outcomes
from kontor.notifying.due_rows import Outcome
from kontor.notifying.notifier import Notifier
from kontor.notifying.sending import Failed
from kontor.notifying.texts import Message
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.storage.schema import outbox
from kontor.tables.enqueuing import DELAY
from kontor.tables.transactions import TableChange
from kontor.tables.values import Mail
from notifying.test_notifications import Players, in_both
from notifying.test_notifications import place as place
from notifying.test_notifications import players as players


def mail_arrives(players: Players) -> bool:
    """Return True if a code requested now is sent."""
    post_mail(players.service, Mail("carla@mail.example", "your code", ("hello",)))
    return "your code" in [str(mail["Subject"]) for mail in players.mails()]


class LeavingWebhook:
    """A webhook whose owner deletes their account while it is being answered."""

    def __init__(self, service: KontorServer, person: str, name: str) -> None:
        self._service, self._person, self._name = service, person, name
        self.calls = 0
        self.fails = False

    def send(self, message: Message) -> None:
        self.calls += 1
        self._service.leaving.leave(self._person, self._name)
        if self.fails:
            raise Failed


@in_both
@pytest.mark.parametrize("fails", [False, True], ids=["answered", "failed"])
def test_an_account_deleted_while_its_webhook_is_answered_ends_nothing(players: Players, fails: bool) -> None:
    service = players.service
    table = players.table()
    hook = LeavingWebhook(service, players.anna.id, "Anna")
    hook.fails = fails
    service.ways.add(players.anna.id, "webhook", "https://hooks.example/anna", "", "en", "https://games.example")
    players.notifier = Notifier(
        service, {"mail": players.notifier._ways["mail"], "webhook": hook.send}, str.title, leads=lambda: True
    )
    players.until(table, players.anna)
    players.clock.tick(seconds=DELAY / 1000 + 1)
    players.mails()
    assert hook.calls == 1
    assert mail_arrives(players)
    assert query_outbox(players) == []


def query_outbox(players: Players) -> list[object]:
    with players.service._transactions.reading() as db:
        return list(db.exec_driver_sql("SELECT id FROM outbox"))


@in_both
def test_a_row_that_does_not_decode_waits_and_the_others_are_sent(players: Players, place: Place) -> None:
    post_mail(players.service, Mail("anna@mail.example", "spoilt", ("hello",)))
    query(place, "UPDATE outbox SET mail = 'no JSON'")
    assert mail_arrives(players)
    assert query(place, "SELECT count(*) FROM outbox") == [(1,)], "it is kept"
    players.clock.tick(seconds=61)
    mended = msgspec.json.encode(Mail("anna@mail.example", "mended", ("hello",))).decode()
    with players.service._transactions.changing() as change:
        change.db.execute(update(outbox).values(mail=mended))
    assert [str(mail["Subject"]) for mail in players.mails()] == ["mended"]


@in_both
def test_a_game_that_is_not_installed_any_more_ends_nothing(players: Players, place: Place) -> None:
    def title_of(game: str) -> str:
        if game == "shanghaien" and uninstalled:
            raise KeyError(game)
        return game.title()

    uninstalled = True
    table = players.table()
    players.confirm_mail(players.anna, "anna@mail.example")
    players.notifier = Notifier(
        players.service, {"mail": players.notifier._ways["mail"]}, title_of, leads=lambda: True
    )
    players.until(table, players.anna)
    assert players.tell() == []
    assert mail_arrives(players)
    players.clock.tick(seconds=61)
    assert players.mails() == []
    uninstalled = False
    players.clock.tick(minutes=10)
    assert [str(mail["Subject"]) for mail in players.mails()] == ["Your turn: Shanghaien"]


def test_an_outcome_that_cannot_be_noted_is_not_sent_again_and_again(
    players: Players, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle = outcomes.settle

    def fail(change: TableChange, outcome: Outcome) -> None:
        if outcome.kind == "sent":
            raise ValueError("as an IntegrityError that nobody foresaw")
        settle(change, outcome)

    monkeypatch.setattr("kontor.notifying.outbox.settle", fail)
    assert mail_arrives(players)
    assert mail_arrives(players)
    players.clock.tick(hours=1)
    assert players.mails() == []
    assert query(place, "SELECT count(*) FROM outbox") == [(0,)]
