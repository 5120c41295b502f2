"""axe on every page and at every moment of both games: no complaint in either theme, at desk and phone size."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from importlib.resources import files
from itertools import cycle
from random import Random
from typing import Final, Literal

import httpx
import pytest
from playwright.sync_api import BrowserContext, Page

from guests import FRIEND, ME, OPEN, shanghaien
from kontor.challenges.values import OpponentKey, Terms
from kontor.messages.values import CorrespondentKey
from kontor.tables.values import NO_SHARE
from kontor.tournaments.values import SeasonPlan
from profiles import IS_USUAL, extended_after
from records.made import EXAMPLE
from tournaments.test_tournaments import of_pairs, people, person_moves, tables_now
from web.browsers import BROWSER_TIMEOUT, Chromium
from web.conftest import Served
from web.guests import Guest, open_shanghaien, seat_friend
from web.positions import KINDS, SEED, moments, table_of

AXE: Final = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")

Look = tuple[Literal["light", "dark"], int, int]
"""Theme, and width and height of the window in pixels."""

LOOKS: Final[tuple[tuple[Look, Look], ...]] = (
    (("light", 1280, 800), ("dark", 360, 740)),
    (("dark", 1280, 800), ("light", 360, 740)),
)
"""Pairs of looks for the pages in turn: each pair has both themes and both sizes."""

LOOKS_OF_A_PAGE: Final[Sequence[Sequence[Look]]] = [[look] for pair in LOOKS for look in pair] if IS_USUAL else LOOKS
"""Looks for the pages in turn: pairs, and in ``./test`` one look for each page."""

LONG: Final = ("/rules/shanghaien", "/rules/dutchman", "/analysis/shanghaien/setup", "/analysis/dutchman/setup")
"""Pages that take long; the two of a kind have one template, and so share the two looks of a pair."""

_RUN: Final = """async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    await Promise.all(document.getAnimations().map((motion) => motion.finished.catch(() => {})));
    const { violations } = await axe.run({ resultTypes: ["violations"] });
    return violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id} (${help}): ${target.join(" ")}: ${failureSummary}`));
}"""

Browsing = Callable[[Guest | None], Page]


@pytest.fixture
def browsing(chromium: Chromium, served: Served) -> Iterator[Browsing]:
    """Yield a function that returns a page as a guest sees it, or as a person without a name."""
    contexts: list[BrowserContext] = []

    def page_of(guest: Guest | None) -> Page:
        context = chromium.new_context(base_url=served.address, reduced_motion="reduce")
        context.set_default_timeout(BROWSER_TIMEOUT)
        contexts.append(context)
        if guest:
            cookie = guest.client.cookies["kontor"]
            context.add_cookies([{"name": "kontor", "value": cookie, "url": served.address}])
        return context.new_page()

    yield page_of
    for context in contexts:
        context.close()


def complaints(page: Page, path: str, *looks: Look) -> list[str]:
    """Return the complaints of axe about a page in each of these looks."""
    page.goto(path)
    return complaints_here(page, *looks)


def complaints_here(page: Page, *looks: Look) -> list[str]:
    """Return the complaints of axe about a page as it stands, in each of these looks."""
    page.evaluate(AXE)
    listed, path = [], page.url
    for theme, width, height in looks:
        page.emulate_media(color_scheme=theme)
        page.set_viewport_size({"width": width, "height": height})
        listed += [f"{path}, {theme}, {width} wide: {finding}" for finding in page.evaluate(_RUN)]
    return listed


def shared_record(served: Served, guest: Guest) -> str:
    """Return the path of a record that a guest has brought and shares; they see it as its owner."""
    person, records = (
        served.service.people.holder_of_session(guest.client.cookies["kontor"]),
        served.service.own_records,
    )
    assert person
    record_id = records.keep(person.id, EXAMPLE)
    records.share(record_id, person.id)
    return f"/records/{records.find(record_id, person.id).info.link}"


def challenge_to_read(served: Served, guest: Guest) -> tuple[str, str, str]:
    """Let Carla challenge a guest, who follows her; return her page, and the forms of a challenge and an answer."""
    service, reader = served.service, served.service.people.holder_of_session(guest.client.cookies["kontor"])
    assert reader
    carla, dora = (service.people.guest(name)[0].id for name in ("Carla", "Dora"))
    handles = {one: service.ratings.show(one, listed=False, public=True).handle for one in (carla, dora, reader.id)}
    service.following.follow(reader.id, handles[carla])
    service.opening.open(carla, shanghaien(ME, OPEN))
    terms = Terms(shanghaien(ME, FRIEND), NO_SHARE, "", 0)
    service.challenges.send(carla, OpponentKey(handle=handles[reader.id]), terms)
    service.challenges.send(reader.id, OpponentKey(handle=handles[dora]), terms)
    (declined,) = service.challenges.open_to(dora)
    service.challenges.decline(declined.id, dora)
    (waiting,) = service.challenges.open_to(reader.id)
    return f"/people/{handles[carla]}", f"/challenges/to/{handles[carla]}", f"/challenges/{waiting.id}/counter"


def conversation_to_read(served: Served, table: str, *guests: Guest) -> str:
    """Let two guests at a table write to each other; return the page of their conversation."""
    service = served.service
    readers = [service.people.holder_of_session(guest.client.cookies["kontor"]) for guest in guests]
    reader, other = (person.id for person in readers if person)
    key = CorrespondentKey(table=table.rpartition("/")[2], seat=1)
    conversation = service.messages.write_to(reader, key, "Ahoi").conversation
    service.messages.write(conversation, other, "Moin")
    return f"/messages/{conversation}"


def clubs_to_read(served: Served, guest: Guest) -> tuple[str, str]:
    """Let a guest found a club; return its page, and the page of an invitation to another."""
    service = served.service
    reader = service.people.holder_of_session(guest.client.cookies["kontor"])
    assert reader
    other = service.people.guest("Dora")[0].id
    club, others = (
        service.clubs.create(reader.id, "Hafenrunde", "Dienstags"),
        service.clubs.create(other, "Alster", ""),
    )
    service.clubs.join(service.clubs.view(club, reader.id).invitation, other)
    service.tournaments.open(reader.id, of_pairs(club=club))
    return f"/clubs/{club}", f"/clubs/join/{service.clubs.view(others, other).invitation}"


def test_axe_sees_what_is_wrong(browsing: Browsing) -> None:
    page = browsing(None)
    page.goto("/rules")
    page.evaluate("document.getElementById('main').append(document.createElement('img'))")
    page.evaluate(AXE)
    (finding,) = page.evaluate(_RUN)
    assert finding.startswith("image-alt")


def test_nothing_to_complain_of_on_any_page(served: Served, browsing: Browsing) -> None:
    findings = []
    ways = cycle(LOOKS_OF_A_PAGE)
    stranger = browsing(None)
    with served.guest("Anna") as anna, served.guest() as bernd:
        table = seat_friend(anna, bernd, starter="0")
        waiting = open_shanghaien(anna)
        record = shared_record(served, anna)
        link = anna.press(anna.get(waiting).button("invite-2")).html.split('readonly value="')[1].split('"')[0]
        own = anna.press(anna.get("/you").button("device-go")).html
        device = own.split('readonly autofocus value="')[1].split('"')[0]
        for path in (
            "/",
            "/tables",
            "/records",
            record,
            "/tournaments",
            "/people?name=a",
            "/games",
            "/best/shanghaien",
            "/best/shanghaien/calibration",
            "/open/shanghaien",
            httpx.URL(link).path,
            httpx.URL(device).path,
            waiting,
            table,
        ):
            findings += complaints(stranger, path, *next(ways))
        challenge = challenge_to_read(served, anna)
        mine = (
            "/messages",
            conversation_to_read(served, table, anna, bernd),
            "/",
            "/people/following",
            "/clubs",
            *clubs_to_read(served, anna),
            "/notes",
            *challenge,
            "/you",
            "/you?open=holidays",
            "/you?open=own-moves",
            "/you?open=writers",
            "/best/dutchman",
            "/people/me",
            "/play/waiting",
            "/records",
            record,
            f"{record}/replay",
            "/seasons",
            "/tournaments/new/shanghaien",
            "/tournaments/new/dutchman",
            "/open/shanghaien",
            "/open/dutchman",
            waiting,
            f"{waiting}?seat=1&invitation={'x' * 43}",
        )
        read = (
            "/rules", "/learn", "/api", "/notices", "/return", "/you/leave", "/you/left", "/nothing/here",
            "/tables/nothing",
        )  # fmt: skip
        around = (
            f"{table}/fair", f"{table}/log", f"{table}/replay", f"{table}/people", f"{table}/pause",
            f"{table}/take-back", f"{table}/note", f"{table}/ahead",
        )  # fmt: skip
        page = browsing(anna)
        for path in (*mine, *read):
            findings += complaints(page, path, *next(ways))
        for path, look in zip(LONG, (look for pair in LOOKS for look in pair), strict=True):
            findings += complaints(page, path, look)
        anna.press(anna.get(table).moves[0])
        for path in around:
            findings += complaints(page, path, *next(ways))
    assert not findings, "\n".join(findings)


def test_nothing_to_complain_of_in_the_tutorials(browsing: Browsing) -> None:
    """Check steps that ask for a move, steps that only tell something, and the last; tables are checked below."""
    steps = {"shanghaien": (3, 7), "dutchman": (4, 9, 12)}
    stranger = browsing(None)
    ways = cycle(LOOKS_OF_A_PAGE)
    paths = [f"/learn/{game}/{step}" for game, numbers in steps.items() for step in numbers]
    findings = [finding for path in paths for finding in complaints(stranger, path, *next(ways))]
    assert not findings, "\n".join(findings)


def test_nothing_to_complain_of_about_a_tip(anna: Guest, stranger: Guest, browsing: Browsing) -> None:
    table = seat_friend(anna, stranger, starter="0")
    anna.press(anna.get(table).moves[0])
    page = browsing(anna)
    page.goto(table)
    page.locator("#tips").wait_for()
    findings = complaints(page, table, *LOOKS[1])
    assert not findings, "\n".join(findings)


def test_nothing_to_complain_of_about_a_hint(anna: Guest, stranger: Guest, browsing: Browsing) -> None:
    table = seat_friend(anna, stranger, starter="0", hints="yes")
    anna.press(anna.get(table).moves[0])
    page = browsing(anna)
    page.goto(table)
    page.locator("#hint-ask").click()
    page.locator("#hint-best").wait_for()
    findings = complaints(page, table, *LOOKS[0])
    assert not findings, "\n".join(findings)


@pytest.mark.parametrize("game", ["dutchman", "shanghaien"])
def test_nothing_to_complain_of_about_the_question_before_a_move(
    served: Served, browsing: Browsing, anna: Guest, game: str
) -> None:
    with served.guest("Bernd") as bernd, served.guest("Carla") as carla:
        table = table_of(served, [anna, bernd, carla] if game == "dutchman" else [anna, bernd], game)
    served.service.own_moves.choose(served.person_id(anna), ["slow"])
    page = browsing(anna)
    page.goto(f"/tables/{table}")
    for shoe in page.locator("#df-rack input").all()[:1]:
        shoe.check(force=True)
    page.locator("#df-lay, #sh-do-roll").click()
    page.locator("#confirm").wait_for()
    findings = [finding for pair in LOOKS for finding in complaints_here(page, *pair)]
    assert not findings, "\n".join(findings)


def test_nothing_to_complain_of_about_puzzles(browsing: Browsing) -> None:
    page = browsing(None)
    ways = cycle(LOOKS_OF_A_PAGE)
    day = "2026-11-03"
    paths = ("/puzzles", "/puzzles/dutchman", f"/puzzles/shanghaien/{day}", f"/puzzles/dutchman/{day}?move=0")
    findings = [finding for path in paths for finding in complaints(page, path, *next(ways))]
    assert not findings, "\n".join(findings)


@pytest.mark.parametrize("game", extended_after(1, ["dutchman", "shanghaien"]))
def test_nothing_to_complain_of_on_the_analysis_board(browsing: Browsing, game: str) -> None:
    page = browsing(None)
    page.goto(f"/analysis/{game}")
    findings, ways = [], cycle(LOOKS)
    while page.locator("#chance-draw").count():
        if page.locator("#choosing").count():
            page.goto(f"{page.url}&choose=F3+nudge")
            findings += complaints(page, page.url, *next(ways))
        steps = page.locator(".tried li").count()
        page.locator("#chance-draw").click()
        page.locator(f"#tried-{steps}[aria-current]").wait_for()
    page.locator("#weigh-on").click()
    page.locator("#weighed-moves").wait_for()
    findings += complaints(page, page.url, *next(ways))
    assert not findings, "\n".join(findings)


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("shanghaien", ("Anna", "Bernd")),
        pytest.param("dutchman", ("Anna", "Bernd", "Carla"), marks=pytest.mark.extended),
    ],
)
def test_nothing_to_complain_of_at_any_moment_of_a_game(
    served: Served, browsing: Browsing, monkeypatch: pytest.MonkeyPatch, game: str, names: tuple[str, ...]
) -> None:
    """Check the moments, and the pages about them, in the four looks in turn, and the end in a pair of them."""
    monkeypatch.setattr("kontor.tables.next_seeds.of_person", lambda *_: SEED)
    findings: list[str] = []
    seen: set[str] = set()
    ways = cycle(look for pair in LOOKS for look in pair)
    with ExitStack() as stack:
        guests = [stack.enter_context(served.guest(name)) for name in names]
        pages = [browsing(guest) for guest in guests]
        games = iter(range(30))
        while not seen >= KINDS[game]:
            table = table_of(served, guests, game)
            for mover in moments(served, table, Random(next(games)), seen):
                findings += complaints(pages[mover], f"/tables/{table}", next(ways))
                pages[mover].goto("/health")  # so that it doesn't follow the game to the next moment
        for path in ("", "/fair?verify=1"):
            findings += complaints(pages[0], f"/tables/{table}{path}", *LOOKS[1])
        for path in ("/replay", "/log"):
            findings += complaints(pages[0], f"/tables/{table}{path}", next(ways))
    assert not findings, "\n".join(findings)


def test_nothing_to_complain_of_at_a_tournament(served: Served, anna: Guest, browsing: Browsing) -> None:
    """Check the tournament's page before it begins, midway and at its end; for its opener, and for strangers."""
    service, findings = served.service, list[str]()
    person = service.people.holder_of_session(anna.client.cookies["kontor"])
    assert person
    mine, stranger = browsing(anna), browsing(None)
    tournament = service.tournaments.open(person.id, of_pairs(rounds=2))
    entered = (person.id, *people(service, "Berta", "Carl", "Dora", "Emil"))
    for person_id in entered:
        service.tournaments.join(tournament, person_id)
    path, random = f"/tournaments/{tournament}", Random(1)
    for status, pair in zip(("open", "running"), LOOKS, strict=True):
        if status == "running":
            service.tournaments.start(tournament, person.id)
        findings += [*complaints(mine, path, pair[0]), *complaints(stranger, path, pair[1])]
    while service.tournaments.view(tournament).info.status == "running":
        tables = tables_now(service.tournaments.view(tournament))
        while sum(person_moves(service, table, random) for table in tables):
            pass
        service.tournaments.go_on()
    findings += complaints(mine, path, *LOOKS[0])
    findings += complaints(mine, "/tournaments?show=over", *LOOKS[1])
    season = service.seasons.open(person.id, SeasonPlan("Winter", (10, 6, 3)))
    service.seasons.put(tournament, person.id, season)
    service.entrants_talk.say(tournament, entered[1], "See you tomorrow.")
    proposed = service.tournaments.open(person.id, of_pairs(approval=True))
    for person_id in entered:
        service.tournaments.join(proposed, person_id)
    service.tournaments.start(proposed, person.id)
    further = (f"/seasons/{season}", f"{path}/chat", f"/tournaments/{proposed}")
    for further_path, look in zip(further, cycle(LOOKS), strict=False):
        findings += complaints(mine, further_path, *look)
    assert not findings, "\n".join(findings)
