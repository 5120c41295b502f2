"""Chart room of the Holländer in a real browser: its sizes, keys and script."""

import json
from importlib.resources import files
from random import Random
from typing import Final

import pytest
from playwright.sync_api import Page

from kontor.games.dutchman import words as dutchman_words
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules.bargain import Proposal
from kontor.games.dutchman.rules.chart import sea_of
from kontor.games.dutchman.rules.components import HORSESHOES
from kontor.games.dutchman.rules.horseshoes import highest_first
from kontor.games.dutchman.web.hand import due, net, signed_ducats
from profiles import first_cases
from web.browsers import Chromium
from web.dutchman_positions import STATIC, WORDS, at_turns, events, html, mover_html, places
from web.elements import read

COMMON: Final = files("kontor.web.pages").joinpath("static")

SHEETS: Final = (
    COMMON.joinpath("kontor.css"),
    files("kontor.tables").joinpath("static").joinpath("table.css"),
    STATIC.joinpath("dutchman.css"),
)


def test_h7_the_script_reads_lays_as_the_rules_do(chromium: Chromium) -> None:
    random = Random(7)
    cases = []
    for _ in range(3000):
        shoes = random.sample(HORSESHOES, random.choice((1, 2, 3, 4, 6, 9, 14)))
        golden = [shoe for shoe in shoes if shoe > 20][:1]
        lay = highest_first([*golden, *(shoe for shoe in shoes if shoe <= 20)])
        if lay:
            cases.append((lay, random.randrange(21, 50, 2)))
    [reader] = read(mover_html(at_turns("action")[0])).find("output", id="df-reading")
    sentences = {name: reader[f"data-{name}"] for name in ("exact", "below", "over", "nothing")}
    sentences |= {f"{name}Sum": reader[f"data-{name}-sum"] for name in ("exact", "below", "over")}
    source = STATIC.joinpath("dutchman.js").read_text("utf-8")
    tab = chromium.new_page()
    readings = tab.evaluate(
        """async ([source, cases, say]) => {
          const { read } = await import("data:text/javascript," + encodeURIComponent(source));
          return JSON.stringify(cases.map(([lay, lucky]) => read(lay, lucky, say)));
        }""",
        [source, cases, sentences],
    )
    tab.close()
    assert json.loads(readings) == [dutchman_words.read(WORDS, lay, lucky) for lay, lucky in cases]


def laid_out(tab: Page, text: str) -> None:
    """Show the board as on a table's page, below an empty bar."""
    sheets = "".join(sheet.read_text("utf-8") for sheet in SHEETS)
    head = f'<meta name="viewport" content="width=device-width"><style>{sheets}</style>'
    board = f'<div class="heading"></div><div class="course"><section id="board">{text}</section></div>'
    tab.set_content(
        f'<!doctype html>{head}<body class="dutchman at-table"><main><div id="table">{board}</div></main>'
    )


def open_with_script(tab: Page, text: str) -> None:
    """Show the board, and wait until its script has begun."""
    laid_out(tab, text)
    tab.add_script_tag(content=STATIC.joinpath("dutchman.js").read_text("utf-8"), type="module")
    tab.locator("#df-table[tabindex]").wait_for()


@pytest.mark.parametrize("width", [360, 820])
def test_nothing_scrolls_sideways_and_what_is_pressed_is_large_enough(chromium: Chromium, width: int) -> None:
    tab = chromium.new_page(viewport={"width": width, "height": 740})
    place_of_step = {state.step: (state, steps) for state, steps in places() if len(state.merchants) == 6}
    for state, steps in place_of_step.values():
        seat = state.mover if state.mover >= 0 else 0
        moves = DUTCHMAN.moves(state) if seat == state.mover else ()
        laid_out(tab, html(DUTCHMAN.view(state, seat), moves, events(steps, seat)))
        tab.evaluate("for (const drawer of document.querySelectorAll('details')) drawer.open = true")
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), state.step
        small = tab.evaluate(
            """[...document.querySelectorAll("button, label.df-take, label.df-way, label.df-berth, summary")]
              .filter((one) => one.checkVisibility())
              .map((one) => [one.id || one.className, one.getBoundingClientRect()])
              .filter(([, box]) => box.width < 43.5 || box.height < 43.5)
              .map(([name, box]) => `${name} ${box.width} × ${box.height}`)"""
        )
        assert small == [], state.step
    tab.close()


ROUND_THE_CHART: Final = """() => {
  const table = document.getElementById("df-table"), told = document.getElementById("df-glance"), ways = {};
  const press = (key) => table.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const waiting = [[]];
  while (waiting.length) {
    const way = waiting.shift();
    for (const arrow of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
      ["Escape", "ArrowDown", ...way, arrow].forEach(press);
      const spot = document.querySelector(".df-spot.looked-at");
      if (told.textContent !== spot.querySelector("title").textContent) throw new Error(spot.id);
      if (!(spot.id in ways)) waiting.push(ways[spot.id] = [...way, arrow]);
    }
  }
  press("Escape");
  return ways;
}"""
"""Script that returns the keys that lead from the Dutchman to every field."""


def test_h8_the_chart_is_looked_round_and_chosen_from_by_the_arrow_keys(chromium: Chromium) -> None:
    tab = chromium.new_page(viewport={"width": 1000, "height": 800})
    for state in first_cases(1, at_turns("sail")[:3]):
        open_with_script(tab, mover_html(state))
        tab.locator("#df-table").focus()
        ways = tab.evaluate(ROUND_THE_CHART)
        keys = {field.name: f"{field.at[0]}-{field.at[1]}" for field in state.options.chart.fields}
        assert set(ways) == {f"df-spot-{key}" for key in keys.values()}
        for to in state.sea.ahead[state.dutchman][state.came_from]:
            for key in ("Escape", "ArrowDown", *ways[f"df-spot-{keys[to]}"], "Enter"):
                tab.keyboard.press(key)
            assert "can sail here" in (tab.locator("#df-glance").text_content() or "")
            assert tab.locator(f"#df-to-{keys[to]}").is_checked()
    tab.close()


def box_of(tab: Page, part: str) -> dict[str, float]:
    """Return the edges of an element."""
    box = tab.locator(part).bounding_box()
    assert box, part
    return {"left": box["x"], "top": box["y"], "right": box["x"] + box["width"], "bottom": box["y"] + box["height"]}


def test_on_a_phone_the_chart_comes_first_and_the_buttons_are_at_the_foot(chromium: Chromium) -> None:
    tab = chromium.new_page(viewport={"width": 360, "height": 740})
    for step in ("action", "sail", "name", "propose", "answer", "show"):
        laid_out(tab, mover_html(at_turns(step)[0]))
        tops = [box_of(tab, part)["top"] for part in ("#df-sheet", "#df-stones", ".df-ask", ".df-do", ".df-drawers")]
        assert tops == sorted(tops), step
        assert box_of(tab, ".df-do")["bottom"] <= 740, step
        assert box_of(tab, ".df-drawers")["top"] >= 740, "they are a second screen"
    tab.close()


@pytest.mark.parametrize("size", [(1366, 768), (1366, 650), (1920, 1080)])
def test_on_a_desk_the_question_and_the_hand_stand_beside_the_chart(
    chromium: Chromium, size: tuple[int, int]
) -> None:
    tab = chromium.new_page(viewport={"width": size[0], "height": size[1]})
    for state in at_turns("action", "sail", "answer")[:6]:
        laid_out(tab, mover_html(state))
        chart = box_of(tab, ".df-board")
        for part in (".df-people", ".df-question", "#df-own", "#df-hand .df-do"):
            assert box_of(tab, part)["left"] > chart["right"]
            assert box_of(tab, part)["bottom"] <= size[1], "what is pressed is seen without scrolling"
        assert box_of(tab, ".df-chests")["bottom"] > size[1] - 20, "the chart and the chests use the height"
    tab.close()


def test_in_a_window_nearly_square_the_hand_lies_under_the_chests(chromium: Chromium) -> None:
    tab = chromium.new_page(viewport={"width": 1100, "height": 900})
    for state in at_turns("action", "sail", "answer")[:6]:
        laid_out(tab, mover_html(state))
        assert box_of(tab, "#df-own")["top"] > box_of(tab, ".df-chests")["bottom"]
        assert box_of(tab, ".df-question")["left"] > box_of(tab, ".df-board")["right"]
        assert box_of(tab, "#df-hand .df-do")["bottom"] <= 900
    tab.close()


def test_h9_what_a_proposal_comes_to_is_said_to_whoever_answers_it(chromium: Chromium) -> None:
    """Compare the server's words to those who answer with the script's words to the proposer."""
    (state,) = at_turns("propose")[:1]
    assert state.bargain is not None
    own = state.bargain.tied.index(state.mover)
    other = (own + 1) % len(state.bargain.tied)
    ducats = tuple({own: 4, other: -4}.get(place, 0) for place in range(len(state.bargain.tied)))
    tab = chromium.new_page(viewport={"width": 1100, "height": 900})
    open_with_script(tab, mover_html(state))
    view = DUTCHMAN.view(state, state.mover)
    ships = sea_of(view.options.chart).ship
    sentences = []
    for to in view.ahead:
        tab.locator(f'#df-where input[value="{to}"]').check(force=True)
        for gets in ("4", ""):
            tab.locator(f"#df-ducats-{other}").fill(f"-{gets}" if gets else "")
            terms = ducats if gets else (0,) * len(ducats)
            sentence = net(WORDS, view, Proposal(state.mover, to, terms))
            assert tab.locator("#df-net").inner_text() == sentence
            met = ships[to]
            stake = -dutchman_words.value(view, met) * view.shares.count(met) if met else due(view, None)
            if gets and stake:
                sign = "+" if stake > 0 else "−"
                assert sentence == f"+4 {sign} {abs(stake)} = {signed_ducats(4 + stake)} for you"
            sentences.append(sentence)
    tab.close()
    assert {"=" in sentence for sentence in sentences} == {True, False}


def test_h9_ducats_are_stepped_one_by_one_and_the_own_share_is_the_balance(chromium: Chromium) -> None:
    state = next(state for state in at_turns("propose") if state.bargain and len(state.bargain.tied) > 1)
    assert state.bargain is not None
    tied = state.bargain.tied
    own = tied.index(state.mover)
    other = (own + 1) % len(tied)
    tab = chromium.new_page(viewport={"width": 1366, "height": 768})
    open_with_script(tab, mover_html(state))
    balance, field = tab.locator("#df-balance"), tab.locator(f"#df-ducats-{other}")
    for button, number, amount, rest in (
        ("more", "1", "gets 1", "pays 1"),
        ("less", "", "", "0"),
        ("less", "-1", "pays 1", "gets 1"),
    ):
        tab.locator(f"#df-{button}-{other}").click()
        assert field.input_value() == number
        assert tab.locator(f"#df-amount-{other}").inner_text() == amount
        assert balance.inner_text() == rest
    cash = state.merchants[tied[other]].cash
    for _ in range(cash + 3):
        tab.locator(f"#df-less-{other}").click(force=True)  # it is shown as disabled in the end
    assert field.input_value() == (str(-cash) if cash else ""), "nobody pays more than they have"
    field.fill(str(state.merchants[state.mover].cash + 1))
    assert balance.inner_text() == f"You have only {state.merchants[state.mover].cash}."
    tab.close()
