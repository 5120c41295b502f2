"""The webhook of a table: what is posted, to whom, how often, and who sets it up and removes it."""

from __future__ import annotations

import base64
import hmac
import json
from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise
from random import Random
from typing import Any, Final
from zipfile import ZipFile

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from accounts.test_leaving import find_rows
from guests import MACHINE, ME, OPEN, Clock, dutchman, play_one, play_out, query, quick, shanghaien
from kontor.accounts.archive import pack_data
from kontor.errors import BadText, NotAllowed, NotNow, TooMany
from kontor.notifying import table_hooks
from kontor.notifying.notifier import Notifier
from kontor.notifying.outcomes import REFUSED_FOR, WAITS
from kontor.notifying.table_hooks import NewWebhook
from kontor.notifying.texts import Message, TablePostText
from kontor.notifying.values import WebhookForm
from kontor.notifying.webhook import Webhooks, _body_of
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.tables.values import Mail, Pace
from kontor.words import Words
from notifying.receiver import Receiver

BASE: Final = "https://games.example"
DISCORD: Final = {0: "123456789012345678", 1: "<@223456789012345678>"}


@pytest.fixture(scope="module")
def receiver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Receiver]:
    with Receiver(tmp_path_factory.mktemp("receiver")) as receiver:
        yield receiver


class Channel:
    """Anna and Bernd at a table, and the server of a chat to which its webhook posts."""

    def __init__(self, service: KontorServer, clock: Clock, receiver: Receiver) -> None:
        self.service, self.clock, self.receiver, self.random = service, clock, receiver, Random(1)
        self.hooks = Webhooks(receiver.poster(), clock)
        self.notifier = Notifier(service, {"table": self.hooks.send_of_table}, str.title, leads=lambda: True)
        self.anna, self.bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd"))
        receiver.take()

    def table(self, **more: Any) -> str:
        """Return a table at which Anna and Bernd play."""
        table = self.service.opening.open(self.anna, shanghaien(ME, OPEN, pace=Pace("slow", 24 * 3600), **more))
        self.service.opening.sit(table, 1, self.bernd)
        return table

    def set_up(self, table: str, form: WebhookForm = "discord", mentions: dict[int, str] | None = None) -> None:
        hook = NewWebhook(form, self.receiver.url, DISCORD if mentions is None else mentions, "en", BASE)
        self.service.table_webhooks.put(table, self.anna, hook)

    def beat(self, seconds: float = 61) -> list[Any]:
        """Let time pass and the server work; return what was posted."""
        self.clock.tick(seconds=seconds)
        self.service.upkeep.record_heartbeat()
        self.notifier.finish()
        return [json.loads(posted.body) for posted in self.receiver.take()]

    def play_until_other(self, table: str) -> int:
        """Play until another seat is to move; return it."""
        before = self.service.tables.info(table).mover
        while self.service.tables.info(table).mover == before:
            assert play_one(self.service, table, self.random)
        now = self.service.tables.info(table).mover
        assert now is not None
        return now


@pytest.fixture
def channel(service: KontorServer, clock: Clock, receiver: Receiver) -> Channel:
    return Channel(service, clock, receiver)


# ----------------------------------------------------------------------------------------------------- what is posted


def test_it_is_posted_whose_turn_it_is_and_they_are_mentioned(channel: Channel) -> None:
    table = channel.table()
    channel.set_up(table)
    mover = channel.service.tables.info(table).mover
    assert mover is not None
    (post,) = channel.beat()
    name, id_ = ("Anna", "Bernd")[mover], (DISCORD[0], DISCORD[1][2:-1])[mover]
    assert post == {
        "content": f"<@{id_}> **{name} is to move\\: Shanghaien**\n<{BASE}/tables/{table}>",
        "allowed_mentions": {"parse": [], "users": [id_]},
    }
    assert channel.beat() == [], "once"
    other = channel.play_until_other(table)
    (post,) = channel.beat()
    assert ("Anna", "Bernd")[other] in post["content"]


def test_a_table_posts_once_a_minute_at_most_and_then_the_last_state(channel: Channel) -> None:
    table = channel.table()
    channel.set_up(table)
    assert len(channel.beat(10)) == 1
    posts = 0
    for _ in range(24):
        channel.play_until_other(table)
        posts += len(channel.beat(10))
    assert posts <= 4
    last = channel.beat()
    mover = channel.service.tables.info(table).mover
    assert mover is not None
    if last:
        assert ("Anna", "Bernd")[mover] in last[0]["content"]


def test_a_new_turn_of_the_same_seat_is_posted_and_the_next_move_of_a_turn_is_not(channel: Channel) -> None:
    table = channel.table()
    channel.set_up(table)
    mover = channel.service.tables.info(table).mover
    assert len(channel.beat()) == 1
    channel.play_until_other(table)
    assert channel.play_until_other(table) == mover
    assert len(channel.beat()) == 1
    assert play_one(channel.service, table, channel.random)
    assert channel.service.tables.info(table).mover == mover
    assert channel.beat() == []


def test_each_turn_against_a_computer_player_is_posted(channel: Channel) -> None:
    table = channel.service.opening.open(channel.anna, shanghaien(ME, MACHINE, pace=Pace("slow", 24 * 3600)))
    channel.set_up(table)
    machines = quick(channel.service)
    for _ in range(3):
        while channel.service.tables.info(table).mover != 0:
            machines.one_round()
        assert len(channel.beat()) == 1
        while channel.service.tables.info(table).mover == 0:
            assert play_one(channel.service, table, channel.random)


def test_setting_it_up_again_and_again_posts_no_more_often(channel: Channel) -> None:
    table = channel.table()
    posts = 0
    for number in range(12):
        channel.set_up(table, "json", {0: f"anna{number}"})
        posts += len(channel.beat(5))
    assert posts == 1


def test_nobody_is_mentioned_who_no_longer_sits_there(channel: Channel) -> None:
    service = channel.service
    carla = service.people.guest("Carla")[0].id
    table = service.opening.open(channel.anna, dutchman(ME, OPEN, OPEN))
    service.opening.sit(table, 1, channel.bernd)
    channel.set_up(table)
    service.opening.leave(table, channel.bernd)
    service.opening.sit(table, 1, carla)
    service.opening.sit(table, 2, service.people.guest("Dora")[0].id)
    while service.tables.info(table).mover != 1:
        assert play_one(service, table, channel.random)
    (post,) = channel.beat()
    assert post["content"].startswith("**Carla is to move")
    assert post["allowed_mentions"]["users"] == []


def test_people_are_mentioned_at_the_seats_that_were_drawn(channel: Channel) -> None:
    service = channel.service
    plan = replace(shanghaien(ME, OPEN, pace=Pace("slow", 24 * 3600)), order="random")
    drawn = set()
    for _ in range(8):
        table = service.opening.open(channel.anna, plan)
        channel.set_up(table, mentions={0: DISCORD[0]})
        service.opening.sit(table, 1, channel.bernd)
        names = [seat.name for seat in service.tables.info(table).seats]
        drawn.add(names.index("Anna"))
        while names[service.tables.info(table).mover or 0] != "Anna":
            channel.play_until_other(table)
        (post,) = channel.beat()
        assert "Anna" in post["content"]
        assert post["allowed_mentions"]["users"] == [DISCORD[0]]
        hook = service.table_webhooks.of(table, channel.anna)
        assert hook
        assert dict(hook.mentions) == {names.index("Anna"): DISCORD[0]}
        service.table_webhooks.remove(table, channel.anna)
    assert drawn == {0, 1}


def test_one_who_was_merged_is_mentioned_as_before(channel: Channel) -> None:
    table = channel.table()
    channel.set_up(table)
    phone = channel.service.people.guest("Bernd on the phone")[0].id
    channel.service.merging.merge(phone, channel.service.recovery.new_code(channel.bernd))
    while channel.service.tables.info(table).mover != 1:
        channel.play_until_other(table)
    (post,) = channel.beat()
    assert post["allowed_mentions"]["users"] == [DISCORD[1][2:-1]]


def test_nothing_is_posted_before_the_game_in_a_pause_and_for_computer_players(channel: Channel) -> None:
    service = channel.service
    waiting = service.opening.open(channel.anna, shanghaien(ME, OPEN))
    channel.set_up(waiting)
    assert channel.beat() == []
    machines = service.opening.open(channel.anna, shanghaien(ME, MACHINE))
    channel.set_up(machines)
    posts = channel.beat()
    assert len(posts) == (service.tables.info(machines).mover == 0)
    paused = channel.table()
    seat = service.tables.seats_of(paused, channel.anna).mine[0]
    service.early_endings.propose(paused, seat, channel.anna, "pause")
    service.early_endings.agree(paused, channel.bernd, "pause")
    channel.set_up(paused)
    assert channel.beat() == []


def test_the_end_is_told_with_its_result_and_then_the_webhook_is_gone(channel: Channel, place: Place) -> None:
    table = channel.table()
    channel.set_up(table)
    channel.beat()
    play_out(channel.service, table)
    (post,) = channel.beat()
    winners = channel.service.tables.info(table).result
    assert winners
    assert "The game is over" in post["content"]
    assert all(("Anna", "Bernd")[seat] in post["content"] for seat in winners.winners)
    assert post["allowed_mentions"] == {"parse": [], "users": []}
    assert channel.service.table_webhooks.of(table, channel.anna) is None
    assert query(place, "SELECT COUNT(*) FROM table_webhooks") == [(0,)]


def test_of_a_game_that_cannot_be_watched_the_result_is_not_told(channel: Channel) -> None:
    table = channel.table(watch=False)
    channel.set_up(table)
    assert "is to move" in channel.beat()[0]["content"]
    channel.service.early_endings.resign(table, 1, channel.bernd)
    (post,) = channel.beat()
    assert post["content"] == f"**The game is over\\: Shanghaien**\n<{BASE}/tables/{table}>"


def test_an_early_end_is_told(channel: Channel) -> None:
    table = channel.table()
    channel.set_up(table, "slack", {})
    channel.service.early_endings.resign(table, 1, channel.bernd)
    (post,) = channel.beat()
    assert post["text"].startswith("*The game is over: Shanghaien*\n")
    assert "Bernd" in post["text"]


def test_a_post_is_signed_and_says_to_programs_what_people_read(channel: Channel) -> None:
    table = channel.table()
    channel.set_up(table, "json", {0: "anna", 1: "bernd"})
    hook = channel.service.table_webhooks.of(table, channel.anna)
    assert hook
    channel.service.upkeep.record_heartbeat()
    channel.notifier.finish()
    (posted,) = channel.receiver.take()
    body = json.loads(posted.body)
    mover = channel.service.tables.info(table).mover
    assert mover is not None
    data = {"game": "shanghaien", "table": table, "url": f"{BASE}/tables/{table}", "turn": mover}
    names = (("Anna", "anna"), ("Bernd", "bernd"))[mover]
    assert body["data"] == data | {"text": f"{names[0]} is to move: Shanghaien", "mention": names[1]}
    signed = f"{posted.headers['webhook-id']}.{posted.headers['webhook-timestamp']}.".encode() + posted.body
    key = base64.b64decode(hook.secret.removeprefix("whsec_"))
    signature = base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
    assert posted.headers["webhook-signature"] == f"v1,{signature}"


NASTY = st.sampled_from(
    ["@everyone", "@here", "@all", "<!channel>", "<@&1>", "<@U012AB3CD>", "@channel", "<!here|x>", "&lt;"]
)


@given(
    names=st.lists(NASTY | st.text(max_size=12), min_size=1, max_size=3),
    form=st.sampled_from(["discord", "slack", "mattermost"]),
)
def test_no_name_mentions_anybody(names: list[str], form: WebhookForm) -> None:
    subject, *paragraphs = names
    mail = Mail("", subject, tuple(paragraphs), url=f"{BASE}/tables/x")
    post = TablePostText(form, "", 0, "turn 0")
    body = _body_of(Message("x", "table", "", "", mail, post=post), post, Clock()())
    text = str(body.get("content", body.get("text"))).removesuffix(f"<{BASE}/tables/x>")
    if form == "discord":
        assert body["allowed_mentions"] == {"parse": [], "users": []}
    elif form == "slack":
        assert "<" not in text
        assert ">" not in text
    else:
        assert all(after == "\u200b" for sign, after in pairwise(text) if sign == "@")


# ----------------------------------------------------------------------------------------------------------- who may


def test_one_who_sits_there_sets_it_up_and_all_there_know_of_it_and_can_remove_it(channel: Channel) -> None:
    service, table = channel.service, channel.table()
    stranger = service.people.guest("Carla")[0].id
    channel.set_up(table)
    own, others = (service.table_webhooks.of(table, person) for person in (channel.anna, channel.bernd))
    assert own
    assert others
    assert (own.mine, own.address, dict(own.mentions)) == (
        True,
        channel.receiver.url,
        {0: DISCORD[0], 1: DISCORD[1][2:-1]},
    )
    assert (others.mine, others.address, others.secret, dict(others.mentions)) == (False, "", "", {})
    assert (others.host, others.name) == ("hooks.example", "Anna")
    hook = NewWebhook("slack", "https://hooks.slack.com/x", {}, "en", BASE)
    with pytest.raises(NotNow, match="already"):
        service.table_webhooks.put(table, channel.bernd, hook)
    for act in (service.table_webhooks.of, service.table_webhooks.remove):
        with pytest.raises(NotAllowed):
            act(table, stranger)
    with pytest.raises(NotAllowed):
        service.table_webhooks.put(table, stranger, hook)
    service.table_webhooks.remove(table, channel.bernd)
    assert channel.beat() == []
    notices = [line.kind for line in service.tables.view(table, channel.bernd).chat_lines()]
    assert notices[-2:] == ["webhook", "no webhook"]
    service.table_webhooks.put(table, channel.bernd, hook)


@pytest.mark.parametrize(
    ("form", "id_"),
    [
        *(("discord", id_) for id_ in ("everyone", "12", "&123456789012345678", "1" * 22)),
        *(("slack", id_) for id_ in ("channel", "!here", "anna", "u012ab3cd")),
        *(
            ("mattermost", id_)
            for id_ in ("all", "@channel", "here", "Anna B", "@@anna", "channel.", "all_", "here-", "channel.-x")
        ),
        ("json", "a b"),
    ],
)
def test_only_ids_of_people_can_be_mentioned(channel: Channel, form: WebhookForm, id_: str) -> None:
    table = channel.table()
    with pytest.raises(BadText, match="not the id of a person"):
        channel.set_up(table, form, {0: id_})
    channel.set_up(table, form, {7: id_, 0: " "})


@pytest.mark.parametrize(
    "address", ["", "http://hooks.example", "https://127.0.0.1/x", "https://a b", "https://x:y@z.example"]
)
def test_an_address_that_is_not_public_https_is_refused(channel: Channel, address: str) -> None:
    with pytest.raises(BadText):
        channel.service.table_webhooks.put(channel.table(), channel.anna, NewWebhook("json", address, {}, "en", BASE))


def test_one_person_has_webhooks_at_so_many_tables_and_none_at_those_that_are_over(
    channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_hooks, "MOST_WEBHOOKS", 2)
    first, second, third = (channel.table() for _ in range(3))
    for table in (first, second, second):
        channel.set_up(table)
    with pytest.raises(TooMany):
        channel.set_up(third)
    channel.service.early_endings.resign(first, 1, channel.bernd)
    channel.set_up(third)
    with pytest.raises(NotNow):
        channel.set_up(first)


# ---------------------------------------------------------------------------------------------------------- failures


def test_what_fails_is_tried_again_with_the_state_of_then_and_people_there_see_why(channel: Channel) -> None:
    table = channel.table()
    channel.set_up(table)
    channel.receiver.status = 500
    try:
        assert len(channel.beat()) == 1
        other = channel.play_until_other(table)
        assert channel.beat(20) == [], "one waits already"
        hook = channel.service.table_webhooks.of(table, channel.bernd)
        assert hook
        assert hook.failure
        assert (hook.failure.reason, hook.failure.detail, hook.dead) == ("busy", "HTTP 500", False)
    finally:
        channel.receiver.status = 204
    (post,) = channel.beat(WAITS[0] / 1000)
    assert ("Anna", "Bernd")[other] in post["content"]
    hook = channel.service.table_webhooks.of(table, channel.bernd)
    assert hook
    assert hook.failure is None
    assert channel.beat() == []


def test_a_second_try_has_the_same_id_only_if_it_tells_the_same(channel: Channel) -> None:
    table = channel.table()
    channel.set_up(table, "json", {})
    ids: list[str] = []

    def beat(seconds: float) -> None:
        channel.clock.tick(seconds=seconds)
        channel.service.upkeep.record_heartbeat()
        channel.notifier.finish()
        ids.extend(posted.headers["webhook-id"] for posted in channel.receiver.take())

    channel.receiver.status = 500
    try:
        beat(61)
        beat(WAITS[0] / 1000)
        channel.play_until_other(table)
    finally:
        channel.receiver.status = 204
    beat(WAITS[1] / 1000)
    first, again, other = ids
    assert first == again != other


@pytest.mark.parametrize("status", [404, 403])
def test_a_webhook_that_is_gone_or_refuses_for_days_is_switched_off(channel: Channel, status: int) -> None:
    table = channel.table()
    channel.set_up(table)
    channel.receiver.status = status
    try:
        channel.beat()
        if status == 403:
            channel.beat(REFUSED_FOR / 1000)
            channel.beat(REFUSED_FOR / 1000)
    finally:
        channel.receiver.status = 204
    hook = channel.service.table_webhooks.of(table, channel.anna)
    assert hook
    assert hook.dead
    channel.play_until_other(table)
    assert channel.beat(24 * 3600) == []
    channel.set_up(table)
    assert len(channel.beat()) == 1, "it is switched on by setting it up again"


@pytest.mark.parametrize("failing", ["before the end", "at the end", "for days"])
def test_a_webhook_that_fails_is_gone_with_the_game_too(channel: Channel, place: Place, failing: str) -> None:
    table = channel.table()
    channel.set_up(table)
    channel.receiver.status = 500 if failing == "for days" else 404
    try:
        if failing == "before the end":
            channel.beat()
        channel.service.early_endings.resign(table, 1, channel.bernd)
        channel.beat()
        for wait in WAITS if failing == "for days" else ():
            channel.beat(wait / 1000)
    finally:
        channel.receiver.status = 204
    assert query(place, "SELECT COUNT(*) FROM table_webhooks") == [(0,)]


@pytest.mark.parametrize("status", [410, 500, 204])
def test_a_post_under_way_says_nothing_of_a_webhook_that_was_changed_meanwhile(channel: Channel, status: int) -> None:
    table = channel.table()
    channel.set_up(table, "json", {})
    new = NewWebhook("json", f"{channel.receiver.url}?new", {}, "en", BASE)
    changing = iter([new])

    def send(message: Message) -> None:
        for hook in changing:
            channel.service.table_webhooks.put(table, channel.anna, hook)
        channel.hooks.send_of_table(message)

    channel.notifier = Notifier(channel.service, {"table": send}, str.title, leads=lambda: True)
    channel.receiver.status = status
    try:
        assert len(channel.beat()) == 1
    finally:
        channel.receiver.status = 204
    hook = channel.service.table_webhooks.of(table, channel.anna)
    assert hook
    assert (hook.address, hook.dead, hook.failure) == (new.address, False, None)
    assert len(channel.beat()) == 1, "the new address hears of this turn"


# ------------------------------------------------------------------------------------- people who leave or become one


def test_a_webhook_goes_with_its_person_and_is_silent_while_they_are_suspended(
    channel: Channel, place: Place
) -> None:
    table = channel.table()
    channel.set_up(table)
    channel.service.operating.suspend(channel.anna)
    assert channel.beat() == []
    channel.service.operating.restore(channel.anna)
    channel.play_until_other(table)
    assert len(channel.beat()) == 1
    channel.service.leaving.leave(channel.anna, "Anna")
    assert not find_rows(place, channel.receiver.url)
    assert channel.beat() == []


def test_a_webhook_is_merged_and_exported_with_its_person(channel: Channel) -> None:
    service, table = channel.service, channel.table()
    channel.set_up(table)
    phone = service.people.guest("Anni")[0].id
    service.merging.merge(phone, service.recovery.new_code(channel.anna))
    hook = service.table_webhooks.of(table, phone)
    assert hook
    assert hook.mine
    with ZipFile(BytesIO(pack_data(Words("en"), service, phone))) as archive:
        (own,) = msgspec.json.decode(archive.read("person.json"))["table_webhooks"]
    assert (own["table"], own["form"], own["address"]) == (table, "discord", channel.receiver.url)
