"""Tutorials: with the moves that it asks for, each can be finished in every language and with every kind of input."""

import re
from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from kontor.game import CHANCE, OVER, IllegalMove
from kontor.games.dutchman.rules.state import Kontor, Name
from kontor.games.dutchman.web.moves import fields_of
from kontor.games.shanghaien.rules.state import Place, Roll
from kontor.games.shanghaien.web.moves import field_of
from kontor.lessons.pages import SEAT, answer_to, lesson_of, moment_of
from kontor.web.adapter import adapter_of
from kontor.web.lessons import LessonStep
from kontor.web.operation.metrics import REGISTRY
from kontor.web.pages.languages import SOURCE, languages, words_in
from profiles import long_after
from random_steps import game_steps
from web.browsers import PHONE, Hand, Pages, known_as, table_of
from web.conftest import Served
from web.guests import Guest

GAMES: Final = ("dutchman", "shanghaien")
WAYS: Final[dict[str, dict[str, Any]]] = {
    "mouse": {"viewport": {"width": 1280, "height": 900}},
    "keys": {},
    "touch": PHONE,
    "no scripts": {"java_script_enabled": False},
}


@pytest.mark.parametrize("game", GAMES)
def test_every_step_is_a_moment_of_one_legal_game(game: str) -> None:
    rules, steps = adapter_of(game).game, lesson_of(game).steps
    assert 8 <= len(steps) <= 12
    for number, step in enumerate(steps, 1):
        state = moment_of(game, number).state
        assert bool(step.ask) == (step.move is not None) == bool(step.lit and step.move is not None)
        if step.move is not None:
            assert state.mover == SEAT
            assert step.move in rules.moves(state)
            assert len(rules.moves(state)) == 1 or step.other
            assert not answer_to(game, number, step.move)
    assert moment_of(game, len(steps)).state.mover == OVER


def test_what_is_told_of_the_rounds_that_went_by_quickly_is_true() -> None:
    bankrupt = [bool(merchant.bankrupt) for merchant in moment_of("dutchman", 12).state.merchants]
    assert bankrupt == [False, False, True]
    before, after = (moment_of("shanghaien", number).state.crews for number in (10, 11))
    assert (before[1].strength("C"), before[0].strength("C")) == (10, 0)
    assert after[0].strength("C") == 1


@pytest.mark.parametrize("game", GAMES)
def test_every_other_legal_move_is_answered_by_why_this_one_now(game: str) -> None:
    rules = adapter_of(game).game
    for number, step in enumerate(lesson_of(game).steps, 1):
        state = moment_of(game, number).state
        if step.move is None or state.mover == CHANCE:
            continue
        for move in list(rules.moves(state)[:20]):
            assert answer_to(game, number, move) == ("" if move == step.move else step.other)


def test_what_the_rules_refuse_is_refused_in_their_words() -> None:
    with pytest.raises(IllegalMove, match="Roll first") as refused:
        answer_to("shanghaien", 1, Place(4))
    assert refused.value.rule == "S6"
    with pytest.raises(IllegalMove):
        answer_to("dutchman", 3, Kontor())


def fields(game: str, move: Any) -> dict[str, str]:
    return fields_of(move) if game == "dutchman" else {"move": field_of(move)}


@pytest.mark.parametrize("language", long_after(2, languages()))
@pytest.mark.parametrize("game", GAMES)
def test_the_whole_in_every_language(served: Served, game: str, language: str) -> None:
    """Send plain forms, as the page does; check that each step has its own texts, and no others in English."""
    steps, words = lesson_of(game).steps, words_in(language)
    with served.guest(headers={"accept-language": language}) as anyone:
        page = anyone.get(f"/learn/{game}")
        for number, step in enumerate(steps, 1):
            assert page.path == f"/learn/{game}/{number}"
            sentences = [step.title, step.text, step.ask, steps[number - 2].done if number > 1 else ""]
            for sentence in filter(None, sentences):
                assert " ".join(words.say(sentence).split()) in page.text("lesson")
                assert language == SOURCE or len(sentence) < 10 or sentence not in page.text("lesson")
            for lit in step.lit:
                assert f'id="{lit}" data-asked' in page.html, (number, lit)
            if step.move is not None:
                page = sent(anyone, page, game, step.move)
            elif number < len(steps):
                page = anyone.get(f"/learn/{game}/{number}/next")


def sent(anyone: Guest, page: Any, game: str, move: Any) -> Any:
    """Return the page after a move, sent by the form on the page."""
    token = page.html.split('name="token" value="', 1)[1].split('"')[0]
    return anyone.post(page.path, {**fields(game, move), "token": token})


def test_another_move_keeps_one_where_one_is(stranger: Guest) -> None:
    page = sent(stranger, stranger.get("/learn/shanghaien/3"), "shanghaien", Place(5))
    assert page.path == "/learn/shanghaien/3"
    assert "worth only 1. The Spaniard is worth 4" in page.text("main")
    page = sent(stranger, stranger.get("/learn/shanghaien/3"), "shanghaien", Place(1))
    assert "You did not roll a 1." in page.text("main")
    page = sent(stranger, stranger.get("/learn/dutchman/8"), "dutchman", Name("violet 1"))
    assert "Name the island Curaçao." in page.text("main")


def test_there_is_no_step_beyond(stranger: Guest) -> None:
    for path in ("shanghaien/0", "shanghaien/13", "shanghaien/12/next", "chess", "chess/1", "chess/1/next"):
        assert stranger.client.get(f"/learn/{path}").status_code == 404


def count_lesson(game: str, number: int) -> float:
    return REGISTRY.get_sample_value("kontor_lesson_steps_total", {"game": game, "step": str(number)}) or 0


def test_steps_that_are_come_to_are_counted_by_number(stranger: Guest) -> None:
    """Count a step that is reached at the beginning, by a move or by a link, but not by a reload."""
    before = [count_lesson("shanghaien", number) for number in (1, 2, 3)]
    sent(stranger, stranger.get("/learn/shanghaien"), "shanghaien", Roll())
    stranger.get("/learn/shanghaien/2/next")
    for _ in range(2):
        stranger.get("/learn/shanghaien/3")
    assert [count_lesson("shanghaien", number) for number in (1, 2, 3)] == [one + 1 for one in before]


def test_the_ways_lead_there(anna: Guest) -> None:
    for path in ("/", "/open/shanghaien", "/rules/shanghaien"):
        assert 'href="/learn/shanghaien"' in anna.get(path).html


@pytest.mark.parametrize(
    ("game", "way"),
    [
        ("shanghaien", "keys"),
        ("dutchman", "no scripts"),
        ("dutchman", "touch"),
        pytest.param("shanghaien", "mouse", marks=pytest.mark.extended),
        pytest.param("shanghaien", "touch", marks=pytest.mark.extended),
        pytest.param("dutchman", "mouse", marks=pytest.mark.extended),
    ],
)
def test_the_whole_in_a_browser(pages: Pages, game: str, way: str) -> None:
    """Finish each tutorial on the picture with the mouse and by touch, one by keys, and one without scripts."""
    by: Any = "mouse" if way == "no scripts" else way
    steps = lesson_of(game).steps
    with pages(**WAYS[way]) as page:
        page.goto(f"/learn/{game}/1")
        hand = Hand(page, by, scripts=way != "no scripts")
        for number, step in enumerate(steps, 1):
            expect(page).to_have_url(re.compile(rf"/learn/{game}/{number}$"))
            if way == "touch":
                reads_first(page, step)
            if step.move is not None:
                hand.send(step.move)
            elif number < len(steps):
                hand.press(page.locator("#lesson-next"))
        expect(page.locator("#lesson-end, .lesson-end")).to_be_visible()


def test_a_wrong_move_is_answered_on_the_spot(pages: Pages) -> None:
    with pages() as page:
        page.goto("/learn/shanghaien/3")
        page.locator("#sh-do-place-5").click()
        expect(page.locator("#refused")).to_contain_text("The Spaniard is worth 4")
        page.locator("#sh-do-place-4").click()
        expect(page).to_have_url(re.compile("/learn/shanghaien/4$"))
        page.go_back()
        expect(page.locator("#lesson-title")).to_have_text("Place one die")


def reads_first(page: Page, step: LessonStep) -> None:
    """Check that on a phone the text comes first, and then, after a tap, the table and what is asked for."""
    page.evaluate("new Promise(requestAnimationFrame)")
    expect(page.locator("#lesson-title")).to_be_in_viewport()
    assert not page.evaluate("scrollY")
    if step.move is not None:
        page.locator("#lesson-there").tap()
        expect(page.locator("#now")).to_be_in_viewport()
        expect(page.locator(f"#{step.lit[1 if step.lit[0].startswith('df-spot') else 0]}")).to_be_in_viewport()


@pytest.mark.parametrize("game", GAMES)
def test_it_ends_at_a_real_table(served: Served, pages: Pages, game: str) -> None:
    with served.guest("Anna") as anna, pages(anna) as page:
        page.goto(f"/learn/{game}/{len(lesson_of(game).steps)}")
        page.locator("#lesson-play").click()
        expect(page).to_have_url(re.compile("/tables/"))
        info = served.service.tables.info(table_of(page))
        assert {seat.player for seat in info.seats if seat.player} == {"casual"}


# ------------------------------------------------------------------------------------------------------------- tips


def at_table(served: Served, anna: Guest, page: Page) -> None:
    opened = anna.press(anna.get("/open/shanghaien").button("open-it"), chair__2="here", name__2="Helga", starter="0")
    known_as(page, served.address, anna)
    page.goto(opened.path)
    expect(page.locator("#board")).to_be_visible()


def test_a_first_time_is_explained_once(served: Served, pages: Pages) -> None:
    with served.guest("Anna") as anna, pages(anna) as page:
        at_table(served, anna, page)
        expect(page.locator("#tips")).to_be_hidden()
        page.locator("#sh-do-roll").click()
        expect(page.locator("#tips [data-tip='number']")).to_be_visible()
        page.locator("#tip-read").click()
        expect(page.locator("#tips")).to_be_hidden()
        assert page.evaluate("localStorage.getItem('kontor-tips')") == "number"
        page.reload()
        expect(page.locator("#sh-tray")).to_be_visible()
        expect(page.locator("#tips")).to_be_hidden()


def test_tips_are_put_away_for_good(served: Served, pages: Pages) -> None:
    with served.guest("Anna") as anna, pages(anna) as page:
        at_table(served, anna, page)
        page.locator("#sh-do-roll").click()
        page.locator("#tips-never").click()
        expect(page.locator("#sh-tray")).to_be_visible()
        expect(page.locator("#tips")).to_have_count(0)
        assert "data-tips" not in page.content()


def test_without_scripts_a_tip_stands_on_the_page_until_it_is_put_away(anna: Guest) -> None:
    opened = anna.press(anna.get("/open/shanghaien").button("open-it"), chair__2="here", name__2="Helga", starter="0")
    page = anna.press(anna.get(opened.path).button("sh-do-roll"))
    assert 'data-tip="number"' in page.html
    page = anna.press(page.button("tips-never"))
    assert 'id="tips"' not in page.html
    assert "data-tips" not in page.html


@pytest.mark.parametrize("game", GAMES)
def test_every_tip_has_its_moment(game: str) -> None:
    """Play random games, and check the views of the mover."""
    adapter, seen = adapter_of(game), set[str]()
    rules, random = adapter.game, Random(1)
    for _ in range(20):
        for state, _, _ in game_steps(rules, rules.start(rules.options()), random):
            if state.mover != CHANCE:
                view = rules.view(state, state.mover)
                seen |= {tip.name for tip in adapter.tips if tip.when(view)}
    assert seen == {tip.name for tip in adapter.tips}
