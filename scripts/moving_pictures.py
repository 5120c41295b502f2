"""Records the film of each game again: some moves at a table, as a browser shows them.

PYTHONPATH=tests:. .venv/bin/python scripts/moving_pictures.py

It needs Debian's Chromium and ffmpeg. The dice are those of tests, so the same moves come out each time.
"""

from __future__ import annotations

import base64
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from kontor.games.dutchman.rules import Options as Dutchman
from kontor.games.shanghaien.rules import Options as Shanghaien
from kontor.players import player_named
from web.browsers import MOVING, browsing, chromium_path
from web.conftest import Served
from web.tables import Table, brought_there, open_known_table

PICTURES: Final = Path(__file__).parent.parent / "docs" / "pictures"
SIZE: Final = {"width": 1200, "height": 900}
WIDTH: Final = 800


@dataclass(frozen=True)
class Scene:
    """The recording of a game: its players, its start, the number of moves, and milliseconds after each."""

    game: str
    options: Any
    players: int
    seed: int
    begins: Callable[[Any], bool]
    moves: int
    pause: int
    theme: Literal["light", "dark"]


SCENES: Final = (
    Scene(
        "shanghaien",
        Shanghaien(starter=0),
        2,
        7,
        lambda view: view.round == 3 and view.step == "turn",
        14,
        1100,
        "dark",
    ),
    Scene(
        "dutchman",
        Dutchman(players=4, starter=0, circles=2),
        4,
        5,
        lambda view: view.round == 3 and view.step == "action",
        16,
        1100,
        "light",
    ),
)


def record(page: Page, table: Table, scene: Scene, frames: Path) -> list[tuple[Path, float]]:
    """Return the pictures that the browser draws while the players move, each with the time when it was drawn."""
    taken: list[tuple[Path, float]] = []
    devtools = page.context.new_cdp_session(page)

    def keep(frame: dict[str, Any]) -> None:
        picture = frames / f"{len(taken):04}.jpeg"
        picture.write_bytes(base64.b64decode(frame["data"]))
        taken.append((picture, frame["metadata"]["timestamp"]))
        devtools.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    devtools.on("Page.screencastFrame", keep)
    devtools.send("Page.startScreencast", {"format": "jpeg", "quality": 95})
    random, greedy = Random(1), player_named(scene.game, "greedy")
    page.wait_for_timeout(scene.pause)
    for _ in range(scene.moves):
        table.play(greedy(table.view, table.moves, random))
        page.wait_for_timeout(scene.pause)
    devtools.send("Page.stopScreencast")
    return taken


def board(page: Page) -> str:
    """Hide the tips; return the place of the board on the page, as a crop filter for ffmpeg."""
    never = page.locator("#tips-never")
    if never.is_visible():
        never.click()
        expect(never).to_be_hidden()
    box = page.locator("#board").bounding_box()
    assert box
    height = min(box["height"], SIZE["height"] - box["y"])
    return f"crop={box['width']:.0f}:{height:.0f}:{box['x']:.0f}:{box['y']:.0f}"


def encode(taken: list[tuple[Path, float]], crop: str, out: Path) -> None:
    """Encode the pictures as a film, and the first one as the still to show until the film runs."""
    ends = [drawn for _, drawn in taken[1:]] + [taken[-1][1] + 1.5]
    lines = [
        f"file {picture}\nduration {max(end - drawn, 0.001):.3f}"
        for (picture, drawn), end in zip(taken, ends, strict=True)
    ]
    listed = taken[0][0].with_name("frames.txt")
    listed.write_text("\n".join([*lines, f"file {taken[-1][0]}", ""]))
    ffmpeg = shutil.which("ffmpeg")
    assert ffmpeg, "ffmpeg is missing"
    quiet = [ffmpeg, "-y", "-loglevel", "error"]
    small = f"{crop},scale={WIDTH}:-2:flags=lanczos"
    vp9 = ["-c:v", "libvpx-vp9", "-crf", "36", "-b:v", "0", "-g", "600", "-pix_fmt", "yuv420p", "-deadline", "good"]
    film = [*quiet, "-f", "concat", "-safe", "0", "-i", str(listed), "-vf", f"{small},fps=15", *vp9, "-an"]
    subprocess.run([*film, f"{out}.webm"], check=True)  # noqa: S603
    still = [*quiet, "-i", str(taken[0][0]), "-vf", small, "-c:v", "libwebp", "-quality", "80", f"{out}.webp"]
    subprocess.run(still, check=True)  # noqa: S603


def main() -> None:
    """Record both films."""
    with TemporaryDirectory() as folder, Served(Path(folder)) as served, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        for scene in SCENES:
            with pytest.MonkeyPatch.context() as patch:
                table = open_known_table(served.service, patch, scene.game, scene.options, scene.players, scene.seed)
            brought_there(table, scene.game, scene.begins)
            look = {"viewport": SIZE, "color_scheme": scene.theme, **MOVING}
            with browsing(chromium, served.address, table.token, **look) as page:
                page.goto(table.path)
                expect(page.locator("#connection")).to_have_attribute("data-is", "live")
                frames = Path(folder) / scene.game
                frames.mkdir()
                crop = board(page)
                encode(record(page, table, scene, frames), crop, PICTURES / f"moving-{scene.game}")
        chromium.close()


if __name__ == "__main__":
    main()
