"""Kills of the notifier at any moment (SIGKILL).

Its player is told of every game that has ended, by mail and by webhook, and everything that is sent twice has one id.

``KONTOR_TESTS=thorough .venv/bin/pytest -n0 -s tests/notifying/test_kills.py`` kills thirty times on either storage,
and says how many games, mails and posts there were.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random

import pytest

from folders import with_database
from guests import query
from kontor.server.composition import KontorServer, utc_now
from kontor.storage import Place
from kontor.tables.values import Mail
from notifying import victim
from notifying.mailbox import Mailbox
from notifying.receiver import Receiver
from profiles import PROFILE, extended_after
from timeouts import waited_for

pytestmark = [pytest.mark.process, pytest.mark.fault]

KILLS = 30 if PROFILE == "thorough" else 3


def _until_it_tells(process: BaseProcess, notes: Path, receiver: Receiver) -> None:
    size, posted = notes.stat().st_size, len(receiver.posted)
    waited_for(lambda: (notes.stat().st_size > size and len(receiver.posted) > posted) or not process.is_alive())


@pytest.mark.parametrize("storage", extended_after(1, ["sqlite", "postgresql"]))
def test_nothing_that_has_happened_is_forgotten_and_nothing_has_two_ids(
    storage: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    in_folder = storage == "sqlite"
    place: Place = with_database(tmp_path / "server") if in_folder else request.getfixturevalue("database")
    notes = tmp_path / "notes"
    notes.touch()
    context, random = get_context("forkserver"), Random(1)
    context.set_forkserver_preload(["notifying.victim"])
    with Mailbox() as mailbox, Receiver(tmp_path) as receiver:
        with KontorServer.open(place) as service:
            (anna, _), (bernd, _) = service.people.guest("Anna"), service.people.guest("Bernd")
            codes: list[str] = []

            def letter(to: str, code: str) -> Mail:
                codes.append(code)
                return Mail(to, "", ())

            service.ways.claim_address(anna.id, "a@mail.example", letter)
            service.ways.confirm_address(anna.id, codes[0], "en", "https://games.example")
            service.ways.add(anna.id, "webhook", receiver.url, "whsec_AAAA", "en", "https://games.example")
        query(place, "DELETE FROM outbox")
        certificate = tmp_path / "certificate.pem"
        orders = victim.Orders(place, utc_now(), anna.id, bernd.id, mailbox.url, certificate)
        for _ in range(KILLS):
            process = context.Process(target=victim.live, args=(orders, notes), daemon=True)
            process.start()
            _until_it_tells(process, notes, receiver)
            assert process.is_alive()
            time.sleep(random.random() * 0.3)
            process.kill()
            process.join()
        with KontorServer.open(place, orders.now) as service:
            notifier = orders.notifier(service)

            def is_done() -> bool:
                notifier.finish()
                # The player of a game that was left running by a kill may have been told: a reminder waits for days.
                return query(place, "SELECT COUNT(*) FROM outbox WHERE occasion <> 'reminder'") == [(0,)]

            waited_for(is_done)
        over = {table for (table,) in query(place, "SELECT id FROM tables WHERE status = 'over'")}
        mails, posts = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
        for mail in mailbox.letters:
            if "over" in mail["Subject"]:
                plain = mail.get_body(("plain",))
                assert plain
                table = plain.get_content().split("/tables/")[1].split()[0]
                mails[table].append(mail["Message-ID"])
        for posted in receiver.posted:
            body = json.loads(posted.body)
            if body["type"] == "over":
                posts[body["data"]["table"]].append(posted.headers["webhook-id"])
    acknowledged = set(notes.read_text().split())
    assert len(acknowledged) >= KILLS
    assert acknowledged <= over
    for sent in (mails, posts):
        assert set(sent) == over, "of each game that is over, and of no other"
        assert {table: len(set(ids)) for table, ids in sent.items()} == dict.fromkeys(over, 1)
    print(len(over), "games", sum(map(len, mails.values())), "mails", sum(map(len, posts.values())), "posts")  # noqa: T201
