"""The page ``docs/verify.html`` as readers see and use it."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.records import Record, encode
from records.made import EXAMPLE, SHOWN, WITHOUT, choose_shortest, play_record
from web.browsers import WIDTH
from web.test_axe import AXE


def test_a_record_is_chosen_and_the_page_says_whether_it_holds(page: Page, tmp_path: Path) -> None:
    verdict, seed = page.locator("#found"), page.locator("#seed")
    page.locator("#file").set_input_files(SHOWN)
    expect(verdict).to_contain_text("It holds: the dice are as promised.")
    expect(verdict).to_contain_text("All 39 shuffles and rolls follow from the seed")
    expect(verdict).to_contain_text("Result: Anna 8, Bernd 8.")
    expect(verdict).to_contain_text("Anna: “zwölf Hufeisen”")
    expect(verdict).to_contain_text("Compare the fingerprint below")
    page.locator("#noted").fill(f" {EXAMPLE.header.commitment}")
    expect(verdict).to_contain_text("The fingerprint is the one that you noted.")
    page.locator("#noted").fill("00" * 32)
    expect(verdict).to_contain_text("Line 1: The fingerprint is not the one that you noted.")
    page.locator("#noted").fill("")
    page.locator("#phrase").fill("545D 60D6 ")
    expect(verdict).to_contain_text("The eight digits of all shares are those that you noted.")
    page.locator("#phrase").fill("545d 60d7")
    expect(verdict).to_contain_text("Line 1: The eight digits of all shares are not those that you noted.")
    page.locator("#phrase").fill("")
    expect(seed).to_be_hidden()

    forged = tmp_path / "forged.jsonl"
    forged.write_text(SHOWN.read_text("utf-8").replace('"low":3,"high":4', '"low":4,"high":4', 1), "utf-8")
    page.locator("#file").set_input_files(forged)
    expect(verdict).to_contain_text("It does not hold.")
    expect(verdict).to_contain_text("Line 5: According to the seed,")

    left = tmp_path / "left.jsonl"
    left.write_bytes(encode(Record(EXAMPLE.header, EXAMPLE.steps[:30])))
    page.locator("#file").set_input_files(left)
    expect(verdict).to_contain_text("Nothing is wrong, but the seed is missing.")
    assert EXAMPLE.ending
    seed.fill(EXAMPLE.ending.seed.upper())
    expect(verdict).to_contain_text("It holds: the dice are as promised.")
    expect(verdict).to_contain_text("The game was abandoned.")


def test_where_nobody_gave_a_share_it_says_so(page: Page) -> None:
    without = play_record(SHANGHAIEN, ShanghaienOptions(), choose_shortest, bytes(32))
    warning = "No player added a contribution: the dealer could have tried several seeds."
    for record, says in ((without, True), (EXAMPLE, False)):
        page.evaluate("text => show('game.jsonl', verify(text))", encode(record).decode())
        assert (warning in page.locator("#found").inner_text()) == says


def test_a_record_can_be_dropped_anywhere(page: Page) -> None:
    page.evaluate(
        """text => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([text], "dropped.jsonl"));
            document.querySelector("h1").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
        }""",
        encode(EXAMPLE).decode(),
    )
    expect(page.locator("#found")).to_contain_text("dropped.jsonl")
    expect(page.locator("#found")).to_contain_text("It holds")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fits_a_phone_and_axe_has_nothing_to_complain_of(page: Page, theme: Any) -> None:
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": WIDTH, "height": 740})
    page.evaluate(AXE)
    record = encode(EXAMPLE).decode()
    strict = encode(WITHOUT).decode()
    for text in (record, record.replace("Anna", "A" * 60), record[:3000], strict):
        page.evaluate("text => show('x'.repeat(200), verify(text))", text)
        assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH
        complaints = "async () => (await axe.run()).violations.map(({ id, help }) => `${id}: ${help}`)"
        assert page.evaluate(complaints) == []
