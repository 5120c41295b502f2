"""Strangers who play on the picture: they press what they see, at its place in the window."""

from typing import Any, Final

from playwright.sync_api import Locator, expect

from web.browsers import Hand

ADJUSTING_TIME: Final = 450
"""Milliseconds that a person needs to see what has appeared; a sooner press is taken for the half of a double one."""

MIDDLE: Final = """(one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return `out of the window, at ${x}, ${y}`;
  const hit = document.elementFromPoint(x, y);
  return hit && (one.contains(hit) || hit.contains(one)) ? [x, y] : `under ${hit?.id || hit?.className}`;
}"""
"""Script that returns the middle of an element in the window, or why a pointer can't reach it."""


class Stranger(Hand):
    """A person who knows no names of buttons, and scrolls nowhere."""

    def make(self, move: Any) -> None:
        """Make a move, and wait until the page has answered."""
        self.page.wait_for_timeout(ADJUSTING_TIME)
        super().make(move)

    def send(self, move: Any) -> None:
        """Make a move on the picture, where that offers it."""
        self._choose(move)
        lit = self._lit(move)
        self._press(lit if lit.count() else self._button(move))

    def _press(self, button: Locator) -> None:
        sheet = button.evaluate("button => button.closest('[popover]')?.id")
        if sheet:
            self._hit(self.page.locator(f'[popovertarget="{sheet}"]:not([popovertargetaction])').first)
            expect(button).to_be_visible()
            self.page.wait_for_timeout(ADJUSTING_TIME)
        self._hit(button)

    def _hit(self, element: Locator) -> None:
        """Press the middle of an element, wherever that lies in the window."""
        expect(element).to_be_visible()
        place = element.evaluate(MIDDLE)
        assert not isinstance(place, str), f"{element} is {place}"
        if self.by == "touch":
            self.page.touchscreen.tap(*place)
        else:
            self.page.mouse.click(*place)

    def _tick(self, field: Locator) -> None:
        self._hit(self.page.locator(f"label:has(#{field.get_attribute('id')})"))
        expect(field).to_be_checked()

    def _destination(self, to: str) -> None:
        field = self.page.locator(f'#df-where input[value="{to}"]')
        self._hit(self.page.locator(f'.df-berth[for="{field.get_attribute("id")}"]'))
        expect(field).to_be_checked()

    def _fill(self, field: str, text: str) -> None:
        ducats = int(text)
        step = self.page.locator(f"#{field.replace('ducats', 'more' if ducats > 0 else 'less')}")
        for _ in range(abs(ducats)):
            self._hit(step)
        expect(self.page.locator(f"#{field}")).to_have_value(text)
