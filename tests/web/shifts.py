"""Layout shift of a page without input, as the browser itself measures it."""

from typing import Any, Final

from playwright.sync_api import Page

Shift = list[Any]
"""Score of a shift, the headline of the table at that time, and names of what moved."""

SHIFTS: Final = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    if (hadRecentInput) continue;
    const moved = sources.map(({ node, previousRect, currentRect }) => {
      const name = node?.id || node?.parentElement?.id || node?.className || node?.nodeName;
      return `${name} ${Math.round(currentRect.x - previousRect.x)}, ${Math.round(currentRect.y - previousRect.y)}`;
    });
    window.shifts.push([value, document.getElementById("now")?.textContent.trim(), ...moved]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
"""Script that collects the shifts of a page; it has to run before the page's own scripts."""


def watch_shifts(page: Page) -> None:
    """Let the page collect its layout shifts from its next navigation on."""
    page.add_init_script(SHIFTS)


def shifts_of(page: Page) -> list[Shift]:
    """Return the shifts of the page since it was opened, the largest first."""
    return sorted(page.evaluate("window.shifts"), key=lambda shift: -shift[0])
