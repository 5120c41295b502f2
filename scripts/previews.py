"""Draws the preview pictures that other sites show beside a link to us.

.venv/bin/python scripts/previews.py

It draws one for each game, from its sign, and one for the server. It needs Chromium; with pngquant the pictures are
half as large.
"""

from __future__ import annotations

import shutil
from importlib import resources
from pathlib import Path

from playwright.sync_api import sync_playwright
from png_files import pack

from kontor.plugins import plugins
from kontor.web.adapter import web_adapters

PAGES = Path(__file__).parent.parent / "src" / "kontor" / "web" / "pages"
STYLE = """
html { height: 100%; }
body { box-sizing: border-box; height: 100%; margin: 0; padding: 16px; display: grid; justify-items: center;
  align-content: center; background: var(--paper); }
body.sea { background: color-mix(in srgb, var(--sea) 60%, var(--paper)); }
body::after { content: ""; position: fixed; inset: 16px; border: 2px solid var(--line); border-radius: 10px; }
svg.vignette { width: 832px; height: 390px; max-height: none; margin: 0; }
svg.mark { width: 340px; height: 340px; }
h1 { font-size: 84px; line-height: 1.1; margin: 24px 0 0; }
p { font-size: 34px; line-height: 1.2; margin: 0; color: var(--ink-2); letter-spacing: .04em; }
"""


def sign_of(package: str) -> str:
    """Return the sign of a game; a game may include one of ours."""
    text = resources.files(package).joinpath("web", "templates", "sign.svg").read_text().strip()
    if text.startswith("{% include"):
        return (PAGES / "templates" / text.split('"')[1]).read_text()
    return text


def main() -> None:
    """Write the pictures into the folders of static files."""
    css = (PAGES / "static" / "kontor.css").read_text()
    base = (PAGES / "static").as_uri() + "/"
    mark = (PAGES / "templates" / "mark.svg").read_text()
    drawn = {PAGES / "static" / "preview.png": ("sea", mark, "Kontor", "")}
    for game, plugin in plugins().items():
        static = Path(str(resources.files(plugin.package))) / "web" / "static"
        adapter = web_adapters()[game]
        drawn[static / f"{game}-preview.png"] = (adapter.tone, sign_of(plugin.package), adapter.title, "Kontor")
    with sync_playwright() as playwright:
        path = shutil.which("chromium-headless-shell")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1200, "height": 630}, color_scheme="light")
        for picture, (tone, sign, title, below) in drawn.items():
            page.goto(base + "kontor.css")  # so that the font beside it can be loaded
            head = f'<base href="{base}"><style>{css}{STYLE}</style>'
            page.set_content(f'{head}<body class="{tone}">{sign}<h1>{title}</h1><p>{below}</p>')
            page.evaluate("document.fonts.ready")
            page.screenshot(path=picture)
            pack(picture)
        browser.close()


if __name__ == "__main__":
    main()
