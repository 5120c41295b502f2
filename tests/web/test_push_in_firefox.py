"""Real Web Push: Firefox subscribes with its push service, decrypts what we have sent there, and shows it."""

from pathlib import Path
from typing import Final

import pytest

from kontor.tables.enqueuing import DELAY
from notifying.receiver import Receiver
from notifying.serving import serves
from timeouts import waited_for
from web.firefox import IN_FIREFOX, firefox_path, run_firefox
from web.guests import Guest, seat_friend
from web.push_service import PushService
from web.test_walk import move_until_her_turn
from web.test_whole_firefox import ENTER

pytestmark = [pytest.mark.browser, pytest.mark.process, IN_FIREFOX]

REACHABLE: Final = {
    "dom__push__testing__allowInsecureServerURL": True,  # otherwise only wss://, with a certificate that it trusts
    "dom__push__connection__enabled": True,
    "remote__prefs__recommended": False,  # these would forbid the connection
    "network__manage-offline-status": False,
    "permissions__default__desktop-notification": 1,  # there is nobody to say yes
    "alerts__useSystemBackend": False,  # there is no desktop, so Firefox shows it by itself
}

SHOWN: Final = """navigator.serviceWorker.ready.then((ours) => ours.getNotifications()).then(
  (all) => all.map(({ title, body, data }) => [title, body, data.url]))"""


def test_it_subscribes_decrypts_and_shows_what_was_sent(tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    profile.mkdir()
    with (
        Receiver(tmp_path) as receiver,
        PushService(f"{receiver.origin}/push") as service,
        serves(tmp_path, receiver, "--push-contact", "mailto:me@games.example") as served,
        run_firefox(firefox_path(), profile, dom__push__serverURL=service.url, **REACHABLE) as firefox,
        Guest(served.address, "Anna") as anna,
        Guest(served.address, "Bernd") as bernd,
    ):
        firefox.known_as(served.address, anna.client.cookies["kontor"])
        firefox.go(f"{served.address}/you?open=notifications")
        firefox.click("#push-go")
        firefox.wait_for("document.querySelector('#notifications li') !== null")

        firefox.wait_for("document.readyState === 'complete'")
        firefox.evaluate("document.querySelector('#notifications li button[name=try]').focus()")
        firefox.type(ENTER)
        firefox.wait_for("document.getElementById('tried') !== null")
        (posted,) = waited_for(receiver.take)
        service.hand_on(posted.path, posted.body, "1")
        reached = [
            "Kontor can reach you",
            "This is how Kontor will tell you that it is your turn.",
            f"{served.address}/",
        ]
        assert waited_for(lambda: firefox.evaluate(SHOWN)) == [reached]

        path = seat_friend(bernd, anna, starter="0")
        firefox.go("about:blank")
        move_until_her_turn(bernd, path)
        served.tick(seconds=DELAY / 1000 + 1)
        (posted,) = waited_for(receiver.take)
        service.hand_on(posted.path, posted.body, "2")
        firefox.go(f"{served.address}/offline")
        turn = ["Your turn: Shanghaien", "Bernd has moved. It is your turn.", f"{served.address}{path}"]
        firefox.wait_for(f"{SHOWN}.then((shown) => shown.length === 2)")
        assert sorted(firefox.evaluate(SHOWN)) == [reached, turn]
