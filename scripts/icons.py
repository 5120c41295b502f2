"""Draws the icons of the web app from our mark: .venv/bin/python scripts/icons.py (needs Chromium)."""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

STATIC = Path(__file__).parent.parent / "src" / "kontor" / "web" / "pages" / "static"
MARGIN = {"icon-192": (192, 0), "icon-512": (512, 0), "icon-maskable": (512, 0.12)}
"""Width of each icon, and the share of it left free at each side.

Only the middle of a maskable icon is sure to be seen.
"""


def main() -> None:
    """Write the icons beside the mark."""
    mark = (STATIC / "kontor.svg").read_text()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium-headless-shell"))
        for name, (width, margin) in MARGIN.items():
            page = browser.new_page(viewport={"width": width, "height": width})
            ground = "#2b2118" if margin else "transparent"
            rules = f"body{{margin:0;background:{ground}}}svg{{display:block;padding:{margin:.0%};width:100%}}"
            style = f"<style>*{{box-sizing:border-box}}{rules}</style>"
            page.set_content(style + mark)
            page.screenshot(path=STATIC / f"{name}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
