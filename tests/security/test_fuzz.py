"""Strangers' bytes at every decoder: they are refused in words, or accepted; a refusal changes nothing.

No test here requires a speed. But one small thing that takes longer than PROCESSOR_TIME_LIMIT would stop the server,
and is a successful attack.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from random import Random
from typing import Any, Final

import httpx
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from folders import with_database
from kontor import records
from kontor.fair import FairDice, commitment
from kontor.game import CHANCE, OVER, BadOptions, Refusal
from kontor.games.dutchman.rules.bargain import Payments
from kontor.games.dutchman.rules.chart import read_chart
from kontor.people.texts import chat_of, check_salt, label_of, name_of
from kontor.plugins import game_named
from kontor.records import Record, Step
from kontor.server.composition import KontorServer
from kontor.tables.pages.opening import plan_of
from kontor.tables.values import Plan, SeatPlan, Share
from kontor.web.adapter import adapter_of, web_adapters
from kontor.web.forms import Form
from kontor.web.http.limits import Limits
from kontor.web.http.site import local_path
from kontor.web.pages.languages import language_of, languages
from security.strangers import MOVES, ODD_TEXT, OPTIONS, damage, numbers, texts, with_examples
from timeouts import HANG_TIMEOUT
from web.conftest import Served
from web.guests import Guest, open_shanghaien

PROCESSOR_TIME_LIMIT: Final = 5.0
"""Seconds of processor time, which other processes on the machine do not count towards."""


@contextmanager
def not_for_ever() -> Iterator[None]:
    begun = time.thread_time()
    yield
    assert time.thread_time() - begun < PROCESSOR_TIME_LIMIT


def refused_or_done(attempt: Callable[[], object]) -> str:
    """Return the sentence of the refusal; empty if it was done. Any other exception fails the test."""
    with not_for_ever():
        try:
            attempt()
        except Refusal as refusal:
            return refusal.sentence
    return ""


def seats_of(game: str) -> tuple[SeatPlan, ...]:
    """Return seats with Anna on the first; the others are open to anyone."""
    return (SeatPlan("me"), *[SeatPlan("open")] * (game_named(game).seats(OPTIONS[game]) - 1))


# ----------------------------------------------------------------------------------------------------------- moves


@pytest.mark.parametrize("game", MOVES)
def test_whatever_is_sent_as_a_move_is_played_or_refused_and_then_nothing_has_happened(
    service: KontorServer, game: str
) -> None:
    people = [service.people.guest(name)[0].id for name in ("Anna", "Bernd", "Carla")]
    random = Random(1)
    table = ""

    def new_table() -> str:
        opened = service.opening.open(people[0], Plan(game, OPTIONS[game], seats_of(game)))
        for seat in range(1, game_named(game).seats(OPTIONS[game])):
            service.opening.sit(opened, seat, people[seat])
        return opened

    @with_examples(40)
    @given(move=st.sampled_from(MOVES[game]).flatmap(damage))
    def check(move: Any) -> None:
        nonlocal table
        if not table or service.tables.info(table).status == "over":
            table = new_table()
        mover = service.tables.info(table).mover
        assert mover is not None
        before = service.tables.view(table).look(mover)
        if refused_or_done(lambda: service.moves.play(table, mover, before.number, move)):
            after = service.tables.view(table).look(mover)
            assert (after.number, after.view) == (before.number, before.view)
            legal = before.moves[random.randrange(len(before.moves))]  # on to another moment
            service.moves.play(table, mover, before.number, legal)
        else:
            assert service.tables.info(table).number > before.number

    check()


FORM_WORDS: Final = ("lay", "kontor", "smith", "roll", "propose", "sail", "name", "put", "place", "nudge:2:3", "red")


@pytest.mark.parametrize("game", web_adapters())
def test_whatever_a_form_says_is_a_move_or_refused(game: str) -> None:
    ducats = [f"{way}{at}" for way in ("gets", "pays") for at in range(8)]
    fields = st.sampled_from(["move", "shoe", "put", "to", "colour", *ducats])
    several = st.lists(numbers.map(str)).map(" ".join)
    values = st.one_of(texts, st.sampled_from(FORM_WORDS), several)

    @with_examples(100)
    @given(form=st.dictionaries(fields, values, max_size=8))
    def check(form: dict[str, str]) -> None:
        moves: list[Any] = []
        if not refused_or_done(lambda: moves.append(adapter_of(game).move_of(form))):
            msgspec.convert(msgspec.to_builtins(moves[0]), game_named(game).move)

    check()


# --------------------------------------------------------------------------------------------------- opening a table

CHART: Final = (
    'holland = "Holland"', "short = []", "[ships]", "[[long]]", "[[island]]", "from = [0, 0]", "to = [4, 4]",
    'name = "X"', "at = [1, 1]", "red = [[0, 1], [1, 2], [3, 4]]", "blue = [[9, 9]]", "x = 1", "a.b.c = 1", "[a.b]",
    "a = 1979-05-27T07:32:00Z", 'a = """', "a = '''", "a = {b = 1}", "a = inf", "a = nan", "a = 0x" + "f" * 900,
    "a = " + "9" * 990, "a = " + "[" * 400, "\ud800", "\x00", "#",
)  # fmt: skip
"""Lines of charts, valid and invalid."""


@with_examples(80)
@given(lines=st.lists(st.one_of(st.sampled_from(CHART), texts), max_size=12), ours=st.booleans())
def test_whatever_a_chart_file_says_it_is_a_chart_or_refused(lines: list[str], ours: bool) -> None:
    text = files("kontor.games.dutchman.rules").joinpath("chart.toml").read_text("utf-8") if ours else ""
    refusal = refused_or_done(lambda: read_chart(text + "\n".join(lines)))
    assert refusal or ours


@pytest.mark.parametrize(
    "text",
    [
        ".".join("a" * 30_000) + " = 1",
        "[" + ".".join("a" * 30_000) + "]",
        "\n".join(f"a.b{number} = 1" for number in range(5000)),
        "\n".join(".".join("a" * 490) + f".b{number} = 1" for number in range(20)),
        "a = " + "[" * 60_000,
        "a = 0x" + "f" * 60_000,
        "a = " + "9" * 60_000,
        "ships.red = [" + "[0, 0]," * 9000 + "]",
        "x" * 64_000,
    ],
    ids=range(9),
)
def test_a_chart_made_to_keep_us_busy_is_refused_at_once(text: str) -> None:
    with not_for_ever(), pytest.raises(BadOptions):
        read_chart(text)


@pytest.mark.parametrize("game", web_adapters())
def test_whatever_the_form_for_a_table_says_a_table_is_opened_or_it_is_refused(
    service: KontorServer, game: str
) -> None:
    names = [
        [
            "game", "circles", "starter", "first_trick", "chart", "pace", "seconds", "reserve", "hours", "watch",
            "stand_in", "takeover", "tempo", "order", "salt", "hints",
        ],
        [f"{field}-{chair}" for field in ("chair", "name") for chair in range(2, 8)],
        [f"tricks-{trick}" for trick in ("nudge", "both", "reroll", "joker")],
    ]  # fmt: skip
    fields = st.sampled_from([name for some in names for name in some])
    choices = [
        "machine-random", "machine-steady:99999", "machine-", "friend", "open", "here", "none", "live", "slow",
        "live-60-600", "yes", "no", "random",
    ]  # fmt: skip
    values = st.one_of(texts, st.sampled_from(choices), numbers.map(str))

    @with_examples(40)
    @given(form=st.dictionaries(fields, values, max_size=10))
    def check(form: dict[str, str]) -> None:
        person = service.people.guest("Anna")[0].id
        refusal = refused_or_done(
            lambda: service.opening.open(person, plan_of(game, _form(form)), Share(form.get("salt", "")))
        )
        assert len(service.listing.my_tables(person)) == (not refusal)

    check()


def _form(fields: dict[str, str]) -> Form:
    return Form(fields.items())


@pytest.mark.parametrize("game", OPTIONS)
def test_whatever_is_sent_as_options_they_are_played_or_refused(service: KontorServer, game: str) -> None:
    straight = msgspec.json.decode(msgspec.json.encode(OPTIONS[game]))

    @with_examples(40)
    @given(options=damage(straight))
    def check(options: Any) -> None:
        person = service.people.guest("Anna")[0].id
        refusal = refused_or_done(lambda: service.opening.open(person, Plan(game, options, seats_of(game))))
        assert len(service.listing.my_tables(person)) == (not refusal)

    check()


# ---------------------------------------------------------------------------------------------------------- records


def record_of(game: str) -> bytes:
    """Return the file of a game played to its end."""
    rules, seed, random = game_named(game), bytes(32), Random(1)
    seats = rules.seats(OPTIONS[game])
    salts = ("salt",) * seats
    header = records.new_header(
        rules, OPTIONS[game], seats=["Anna", "Bernd", "Carla"][:seats], players=["person"] * seats, salts=salts,
        commitment=commitment(seed),
    )  # fmt: skip
    dice, state, steps = FairDice(seed, salts), rules.start(OPTIONS[game]), list[Step]()
    while state.mover != OVER:
        if state.mover == CHANCE:
            action: Any = rules.chance(state).draw(dice.below(len(steps) + 2))
        else:
            moves = rules.moves(state)
            action = moves[random.randrange(len(moves))]
        steps.append(Step(state.mover, action))
        state = rules.play(state, action)
    result = rules.result(state)
    assert result
    return records.encode(records.ended(Record(header, tuple(steps)), seed, result))


@pytest.mark.parametrize("game", OPTIONS)
def test_whatever_a_record_holds_it_is_verified_or_refused(game: str) -> None:
    lines = record_of(game).splitlines(keepends=True)
    assert records.verify(records.decode(b"".join(lines))).dice

    @st.composite
    def damage_record(draw: st.DrawFn) -> bytes:
        damaged = list(lines)
        at = draw(st.sampled_from([0, 1, 2, 3, len(lines) // 2, len(lines) - 1]))
        how = draw(st.integers(0, 6))
        if how == 0:
            del damaged[at]
        elif how == 1:
            damaged.insert(at, draw(st.sampled_from(lines)))
        elif how == 2:
            damaged[at] = draw(st.binary(max_size=60)) + b"\n"
        elif how == 3:
            place = draw(st.integers(0, len(damaged[at]) - 1))
            damaged[at] = damaged[at][:place] + draw(st.binary(max_size=3)) + damaged[at][place + 1 :]
        else:
            straight = msgspec.json.decode(damaged[at])
            damaged[at] = msgspec.json.encode(_no_halves(draw(damage(straight)))) + b"\n"
        return b"".join(damaged)

    @with_examples(50)
    @given(data=st.one_of(damage_record(), st.binary(max_size=200)))
    def check(data: bytes) -> None:
        refusal = refused_or_done(lambda: records.verify(records.decode(data)))
        assert refusal or data.strip() == b"".join(lines).strip()

    check()


def _no_halves(value: Any) -> Any:
    """Return the value without surrogates, which JSON cannot hold."""
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    if isinstance(value, list):
        return [_no_halves(each) for each in value]
    if isinstance(value, dict):
        return {_no_halves(name): _no_halves(each) for name, each in value.items()}
    return value


# ------------------------------------------------------------------------------------------------- words and tokens


@with_examples(150)
@given(text=texts)
def test_whatever_somebody_writes_is_made_fit_or_refused(text: str) -> None:
    for fit in (name_of, chat_of, check_salt, label_of):
        fitted: list[str] = []

        def attempt(fit: Callable[[str], str] = fit, fitted: list[str] = fitted) -> None:
            fitted.append(fit(text))

        if refused_or_done(attempt):
            continue
        made = fitted[0]
        made.encode()
        assert not set(made) & set("\x00\r\x1b\u2028\u2029\u202e\u2066\ufeff")
        assert "\n" not in made or fit is chat_of


@with_examples(30)
@given(text=texts, seat=st.one_of(st.none(), st.integers(-5, 99), st.just(2**70)))
def test_nobody_is_known_by_a_token_or_an_id_that_was_made_up(
    service_of_one: tuple[KontorServer, str, str], text: str, seat: Any
) -> None:
    service, table, stranger = service_of_one
    assert service.people.use_session(text)[0] is None
    assert service.people.of_api_token(text) is None
    before = service.tables.info(table)
    tries: list[Callable[[], object]] = [
        lambda: service.people.claim_device(text),
        lambda: service.opening.sit(table, seat if seat is not None else 1, stranger, text),
        lambda: service.opening.sit(text, 1, stranger, text),
        lambda: service.moves.play(table, seat or 0, 1, {"move": "roll"}),
        lambda: service.moves.play(text, 0, 1, {"move": "roll"}),
        lambda: service.opening.leave(table, stranger),
        lambda: service.opening.fill(table, 1, stranger, text),
        lambda: service.opening.invitation(table, 1, stranger),
        lambda: service.talk.say(table, stranger, text),
        lambda: service.opening.rematch(table, stranger),
        lambda: service.tables.view(text).look(seat),
        lambda: service.tables.record(table),
    ]
    for attempt in tries:
        with pytest.raises(Refusal):
            attempt()
    service.people.revoke(stranger, text)
    assert service.tables.info(table) == before


@pytest.fixture(scope="module")
def service_of_one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[KontorServer, str, str]]:
    """Open a server; yield it, Anna's table with a chair kept for a friend, and a person who is not the friend."""
    with KontorServer.open(with_database(tmp_path_factory.mktemp("house"))) as service:
        anna = service.people.guest("Anna")[0].id
        plan = Plan("shanghaien", OPTIONS["shanghaien"], (SeatPlan("me"), SeatPlan("friend")), watch=False)
        yield service, service.opening.open(anna, plan), service.people.guest("Mallory")[0].id


@with_examples(120)
@given(chosen=texts, accepted=st.lists(st.one_of(texts, st.sampled_from(["de", "de;q=nan", "*;q=0", "fr-CH;q=0.9"]))))
def test_whatever_a_browser_says_of_its_languages_there_is_one(chosen: str, accepted: list[str]) -> None:
    assert language_of(chosen, ",".join(accepted)) in languages()


@with_examples(120)
@given(
    path=st.one_of(
        texts,
        st.lists(st.sampled_from(["/", "\\", "//", ".", "..", ":", "@", "[", "]", "a", "\t", "?"])).map("".join),
    )
)
def test_nobody_is_sent_to_another_site(path: str) -> None:
    target = httpx.URL("https://kontor.example/name").join(httpx.URL(local_path(path)))
    assert target.host == "kontor.example"
    assert local_path(path).startswith("/")
    assert local_path(path)[1:2] not in ("/", "\\")


@with_examples(80)
@given(address=st.one_of(texts, st.ip_addresses().map(str)), limit=st.sampled_from(["move", "chat"]))
def test_whatever_an_address_is_it_is_counted(address: str, limit: str) -> None:
    Limits().spend(limit, address, "somebody")


# ------------------------------------------------------------------------------------------------------- on the wire


def test_bodies_of_every_kind_are_answered_and_change_nothing(served: Served, anna: Guest) -> None:
    table = open_shanghaien(anna, chair__2="here", name__2="Bernd").removeprefix("/tables/")
    person = served.service.people.use_session(anna.client.cookies["kontor"])[0]
    assert person
    bearer = {"authorization": f"Bearer {served.service.people.api_token(person.id)}"}
    deep = b'{"number":1,"move":' + b'{"a":' * 12_000 + b"1" + b"}" * 12_000 + b"}"
    bombs = [
        deep,
        b"[" * 60_000,
        b'{"number":1,"move":{"move":"place","die":' + b"9" * 60_000 + b"}}",
        b'{"number":1,"move":{"move":"place","die":1e999999}}',
        b'{"number":1e3,"move":{"move":"roll"}}',
        b'{"number":1,"move":{"move":"lay","horseshoes":[' + b"45," * 20_000 + b"1]}}",
        b'{"number":1,"number":2,"move":{"move":"roll"},"move":{"move":"roll"}}',
        b'{"number":1,"move":{' + b",".join(b'"%d":1' % number for number in range(8000)) + b"}}",
        b'\xff\xfe{"number":1}',
        b'{"number":1,"move":{"move":"\xed\xa0\x80"}}',
        b'{"number":1,"move":{"move":"\\ud800"}}',
        b"\x1f\x8b\x08\x00\x00\x00\x00\x00",
        b"",
        b"null",
        b'"' + b"\\u0000" * 10_000 + b'"',
    ]
    before = served.service.tables.info(table).number
    for path in ("moves", "chat", "seats/0", "hint", "seats/1/machine"):
        for body in bombs:
            for kind in ({"content-type": "application/json"}, {"content-encoding": "gzip"}, {}):
                answer = anna.client.post(f"/api/tables/{table}/{path}", content=body, headers={**bearer, **kind})
                assert 400 <= answer.status_code < 500, (path, body[:40], answer.text)
    assert served.service.tables.info(table).number == before
    for path in ("/api/tables", "/api/people"):
        for body in bombs:
            answer = anna.client.post(path, content=body, headers=bearer)
            assert 400 <= answer.status_code < 500, (path, body[:40], answer.text)


def test_cookies_queries_and_headers_of_every_kind_are_answered(served: Served) -> None:
    random = Random(1)
    odd = [
        text.encode("utf-8", "replace").replace(b"\r", b"").replace(b"\n", b"").replace(b"\x00", b"")[:1000]
        for text in ODD_TEXT
    ]
    with served.guest("Anna") as anna, httpx.Client(timeout=HANG_TIMEOUT) as anybody:
        table = open_shanghaien(anna, chair__2="machine-random")
        session = anna.client.cookies["kontor"].encode()
        for value in odd:
            paths = [
                "/", table, f"{table}/log", f"{table}/replay", f"{table}/fair", f"/api{table}", f"/api{table}/view",
            ]  # fmt: skip
            path = random.choice(paths)
            params = dict.fromkeys(("as", "at", "seat", "have", "start", "limit", "since", "invitation"), value)
            cookie = random.choice([b"kontor=" + value, b"kontor=" + session + b"; kontor-theme=" + value, value])
            headers = [
                (b"cookie", cookie), (b"accept-language", value), (b"last-event-id", value),
                (b"authorization", b"Bearer " + value), (b"hx-request", value), (b"x-forwarded-for", value),
                (b"x-forwarded-proto", value),
            ]  # fmt: skip
            stripped = [(name, content.strip()) for name, content in headers]
            answer = anybody.get(served.address + path, params=params, headers=stripped)
            assert answer.status_code < 500, (path, value[:40], answer.text)


@pytest.mark.parametrize("start", [0, 10**6, 10**9])
def test_of_millions_of_proposals_those_that_were_asked_for_are_made(start: int) -> None:
    ways = Payments((200,) * 6)
    assert ways.count > start + 1000
    with not_for_ever():
        assert all(ways.possible(ways.ducats(at)) for at in range(start, start + 1000))
