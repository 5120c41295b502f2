"""Person at a table who types commands and presses nothing else."""

from typing import Any, Final

from playwright.sync_api import Page, expect

from kontor.games.dutchman.rules.state import Lay, Propose
from kontor.server.composition import KontorServer
from kontor.web.adapter import adapter_of
from kontor.words import Words
from web.browsers import Hand

ENGLISH: Final = Words("en")


def words_for(service: KontorServer, table: str, move: Any) -> str:
    """Return the command for a move of the mover."""
    info = service.tables.info(table)
    assert info.mover is not None
    look = service.tables.view(table).look(info.mover)
    names = [seat.name for seat in info.seats]
    question = adapter_of(info.game).question
    assert question
    for choice in question(ENGLISH, names, look.view, look.moves).choices:
        if choice.value == move:
            return choice.forms[0]
    match move:
        case Lay(shoes):
            return f"play {' '.join(map(str, shoes))}"
        case Propose(to, ducats):
            return f"{to}, {_terms([names[seat] for seat in look.view.bargain.tied], ducats)}"
    raise AssertionError(f"nothing is typed for {move}")


def _terms(names: list[str], ducats: tuple[int, ...]) -> str:
    """Return who pays whom, one payment after another."""
    owed = {name: -change for name, change in zip(names, ducats, strict=True) if change < 0}
    due = {name: change for name, change in zip(names, ducats, strict=True) if change > 0}
    payments = []
    for payer, left in owed.items():
        for receiver, wanted in due.items():
            paid = min(left, wanted)
            left, due[receiver] = left - paid, wanted - paid
            if paid:
                payments.append(f"{payer} pays {receiver} {paid}")
    return ", ".join(payments) or "nobody"


class Typist(Hand):
    """Person who opens the field for commands once, and stays in it."""

    def __init__(self, page: Page, service: KontorServer, table: str, *, scripts: bool = True) -> None:
        super().__init__(page, "keys", scripts=scripts)
        self._service = service
        self._table = table

    def make(self, move: Any) -> None:
        """Type the command for the move; confirm it if it is asked about once more."""
        state = self.page.locator("#state")
        before = state.get_attribute("data-version") or ""
        self.command(words_for(self._service, self._table, move))
        if self.page.locator('#typed-form [name="asked"]').input_value():
            self.command("")
        expect(state).not_to_have_attribute("data-version", before)
        expect(self.page.locator("#refused")).to_have_count(0)

    def command(self, typed: str) -> str:
        """Type a command; return the answer."""
        field, answers = self.page.locator("#typed-field"), self.page.locator("#typed-answer")
        if not field.is_visible():
            if self.scripts:  # without scripts, the command is sent by a form, which loads another page
                expect(self.page.locator("#connection")).to_have_attribute("data-is", "live")
            self.page.locator("#typed-open").click()
        field.fill(typed)
        if self.scripts:
            self.page.evaluate("document.getElementById('typed-answer').replaceChildren()")
            field.press("Enter")
            expect(answers.locator(".by-me + p")).to_have_count(1)
            expect(self.page.locator("#typed-form[data-busy]")).to_have_count(0)
            expect(field).to_be_focused()
        else:
            with self.page.expect_navigation():
                field.press("Enter")
        return answers.inner_text()
