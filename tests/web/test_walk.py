"""Whole course of use: people play over days, close everything, and hear of their turn by each channel once.

Then they come back on another device.
"""

import base64
import hmac
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from guests import query
from kontor.tables.enqueuing import DELAY
from notifying.mailbox import Mailbox
from notifying.receiver import Posted, Receiver
from notifying.serving import Serving, serves
from notifying.test_notifications import texts
from notifying.test_push import Browser as Subscribed
from timeouts import waited_for
from web.browsers import Chromium, Hand, come_in, new_page, no_complaints, table_of, unfold
from web.guests import Guest, open_shanghaien
from web.guests import Page as Shown
from web.test_installed import replace_push_service

pytestmark = [pytest.mark.browser, pytest.mark.process]


def move_until_her_turn(bernd: Guest, path: str) -> None:
    """Move for him until it is her turn."""
    while (page := bernd.get(path)).moves:
        bernd.press(page.moves[0])


def moves(page: Page, folder: Path) -> None:
    """Move for her until it is his turn."""
    hand = Hand(page)
    while True:
        ((mover, number),) = query(folder / "server", "SELECT mover, number FROM tables")
        if mover != 1:
            return
        page.reload()
        hand.wait_for_line(number)
        page.locator('button[name="move"]:visible').first.click()
        hand.wait_for_line(waited_for(lambda: _number(folder) > number and _number(folder)))  # noqa: B023 (called at once)


def _number(folder: Path) -> int:
    ((number,),) = query(folder / "server", "SELECT number FROM tables")
    return int(number)


def link_of(page: Shown) -> str:
    """Return the link by which the second seat is taken."""
    return page.html.split('id="link-2" readonly value="')[1].split('"')[0]


@pytest.mark.extended  # the usual run shows each way by itself
@pytest.mark.long
def test_somebody_who_has_closed_everything_hears_once_by_each_way_and_comes_back_elsewhere(
    chromium: Chromium, tmp_path: Path
) -> None:
    subscribed = Subscribed()
    with Mailbox() as mailbox, Receiver(tmp_path) as receiver:
        mail = ("--smtp", mailbox.url, "--mail-from", "Kontor <kontor@games.example>")
        offered = (*mail, "--webhooks", "--push-contact", "mailto:me@games.example")
        with serves(tmp_path, receiver, *offered) as served, Guest(served.address, "Bernd") as bernd:
            page = new_page(chromium, served.address)
            replace_push_service(page, *subscribed.given, endpoint=f"{receiver.origin}/push/1")
            with no_complaints(page):
                come_in(page, "Anna")
                path = open_shanghaien(bernd, starter="0", pace="slow", hours="72")
                page.goto(link_of(bernd.press(bernd.get(path).button("invite-2"))))
                page.click("#sit")
                expect(page.locator("#board")).to_be_visible()
                for _ in range(2):  # once on each of two days
                    move_until_her_turn(bernd, path)
                    moves(page, tmp_path)
                    served.tick(days=1)
                page.goto("/you")
                code, secret = _arranges(page, mailbox, receiver)
                _tries(page, mailbox, receiver, subscribed)
            page.goto("about:blank")  # closes everything

            served.tick(days=1)
            move_until_her_turn(bernd, path)
            served.tick(seconds=DELAY / 1000 + 1)
            waited_for(lambda: mailbox.letters and len(receiver.posted) >= 2)
            served.tick(hours=12)
            _nothing_waits(served, tmp_path)
            (letter,) = mailbox.take()
            pushed, posted = sorted(receiver.take(), key=lambda one: one.path, reverse=True)
            table = f"{served.address}{path}"
            sentence = "Bernd has moved. It is your turn. You have 3 days left."
            assert letter["Subject"] == "Your turn: Shanghaien"
            plain, _ = texts(letter)
            text, footer = re.split("^-- $", plain.replace("\r\n", "\n"), maxsplit=1, flags=re.MULTILINE)
            assert text.split("\n") == [sentence, "", f"To the table: {table}", "", ""]
            assert re.findall(r"https?://[^/]+(/[a-z]+)", footer) == ["/you", "/unsubscribe"]
            body = _check_signature(posted, secret)
            data = {
                "game": "shanghaien",
                "table": path[8:],
                "url": table,
                "text": f"Your turn: Shanghaien {sentence}",
            }
            assert (body["type"], body["data"]) == ("turn", data)
            notification = {
                "title": "Your turn: Shanghaien",
                "body": sentence,
                "url": table,
                "tag": path[8:],
                "waiting": 1,
            }
            assert subscribed.read(pushed.body) == notification

            _delivers(page, served.address, notification)
            page.context.close()

            page = new_page(chromium, served.address)
            with no_complaints(page):
                page.goto("/return")
                page.fill("#code", code.lower().replace("-", " "))
                page.click("#return")
                page.click(f'main a[href="{path}"]')
                assert table_of(page) == path[8:]
                moves(page, tmp_path)
                served.tick(minutes=1)
                _nothing_waits(served, tmp_path)
                assert (mailbox.take(), receiver.take()) == ([], []), "he has no way, and she has moved herself"
            page.context.close()


def _arranges(page: Page, mailbox: Mailbox, receiver: Receiver) -> tuple[str, str]:
    """Switch on all channels; return her recovery code, and the webhook's secret."""
    unfold(page)
    page.click("#recovery-go")
    code = page.locator("#recovery-code").input_value()
    unfold(page)
    page.fill("#address", "anna@mail.example")
    page.click("#mail-go")
    page.fill("#mail-code", str(waited_for(mailbox.take)[0]["Subject"]).split()[-1])
    page.click("#mail-code-go")
    expect(page.locator("#notifications li", has_text="by e-mail")).to_be_visible()
    page.click("#push-go")
    expect(page.locator("#notifications li", has_text="in a browser")).to_be_visible()
    page.click("summary:has-text('webhook')")
    page.fill("#webhook", receiver.url)
    page.click("#webhook-go")
    secret = page.locator("#webhook-secret").input_value()
    return code, secret


def _tries(page: Page, mailbox: Mailbox, receiver: Receiver, subscribed: Subscribed) -> None:
    """Send a test message by each channel with its button."""
    for kind in ("by e-mail", "by webhook", "in a browser"):
        page.locator("#notifications li", has_text=kind).get_by_text("Send a test message").click()
        expect(page.locator("#tried")).to_be_visible()
        if kind == "by e-mail":
            assert waited_for(mailbox.take)[0]["Subject"] == "Kontor can reach you"
        else:
            (posted,) = waited_for(receiver.take)
            text = subscribed.read(posted.body) if kind == "in a browser" else json.loads(posted.body)["data"]["text"]
            assert "Kontor can reach you" in str(text)


def _delivers(page: Page, address: str, pushed: dict[str, object]) -> None:
    """Deliver a push message to the service worker, as the browser does after decrypting it.

    The headless shell may show no notification; Firefox shows it in ``test_push_in_firefox.py``.
    """
    (worker,) = page.context.service_workers
    worker.evaluate(
        """() => {
          delete WorkerNavigator.prototype.setAppBadge;  // which this browser has, and dies of
          self.shown = [];
          self.registration.showNotification = async (...given) => { self.shown.push(given); };
        }"""
    )
    devtools, registrations = page.context.new_cdp_session(page), list[str]()
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(registration["registrationId"] for registration in event["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    waited_for(lambda: registrations, pause=lambda: page.wait_for_timeout(10))
    delivered = {"origin": address, "registrationId": registrations[0], "data": json.dumps(pushed)}
    devtools.send("ServiceWorker.deliverPushMessage", delivered)
    seen = waited_for(lambda: worker.evaluate("self.shown"), pause=lambda: page.wait_for_timeout(10))
    about = {"body": pushed["body"], "tag": pushed["tag"], "data": {"url": pushed["url"]}}
    assert seen == [[pushed["title"], about]]


def _nothing_waits(served: Serving, folder: Path) -> None:
    waited_for(lambda: query(folder / "server", "SELECT COUNT(*) FROM outbox WHERE occasion <> 'reminder'") == [(0,)])


def _check_signature(posted: Posted, secret: str) -> dict[str, object]:
    """Return the body that was posted, after checking its signature as a receiver does."""
    signed = f"{posted.headers['webhook-id']}.{posted.headers['webhook-timestamp']}.".encode() + posted.body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    right = base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
    assert posted.headers["webhook-signature"] == f"v1,{right}"
    body: dict[str, object] = json.loads(posted.body)
    return body
