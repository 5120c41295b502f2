"""Games as plug-ins: docs/own-game.md, step by step, in an environment of its own.

The game that it installs is played at the terminal, by two browsers, by a program and by a learner.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import sleep
from typing import Any, Final

import httpx
import pytest
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from playwright.sync_api import Page, expect

from test_package import ROOT, copy_source, find_uv
from timeouts import HANG_TIMEOUT, waited_for
from web.browsers import Chromium, browsing, come_in
from web.guests import Guest

pytestmark = pytest.mark.xdist_group("own game")

PIG: Final = ROOT / "examples" / "pig"
PAGE: Final = (ROOT / "docs" / "own-game.md").read_text("utf-8")

MOST_LINES: Final = 360
"""Most lines of Python and templates that a simple game may take."""

NO_HINTS: Final = "There are no hints in a game of pig."


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


INSTALLING, TRANSLATING, PLAYING = blocks("sh")


# ---------------------------------------------------------------------------------------------------- the example


def test_a_simple_game_takes_few_lines() -> None:
    files = [file for kind in ("py", "html", "svg") for file in (PIG / "kontor_pig").rglob(f"*.{kind}")]
    assert len(files) > 8
    assert sum(len(file.read_text("utf-8").splitlines()) for file in files) <= MOST_LINES


def test_what_the_page_shows_is_the_example() -> None:
    source = [file.read_text("utf-8") for file in PIG.rglob("*.py")]
    for block in blocks("py"):
        assert any(block in text for text in source), block
    (entry,) = blocks("toml")
    assert entry in (PIG / "pyproject.toml").read_text("utf-8")


@pytest.mark.process
def test_the_rules_keep_their_own_tests() -> None:
    result = subprocess.run([sys.executable, "-m", "pytest", "-q"], cwd=PIG, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout


# ------------------------------------------------------------------------------------------------- the environment


@dataclass(frozen=True)
class Afternoon:
    """Clone in which the steps of the page are done, and the output of the first step."""

    clone: Path
    environment: dict[str, str]
    printed: str

    def shell(self, commands: str, typed: str = "", **more: str) -> str:
        """Return the output of commands, with ``typed`` as their input."""
        result = subprocess.run(
            ["bash", "-ec", commands],
            cwd=self.clone,
            env={**self.environment, **more},
            input=typed,
            capture_output=True,
            encoding="utf-8",
        )
        assert result.returncode == 0, f"{commands}\n{result.stdout}{result.stderr}"
        return result.stdout

    def kontor(self, *arguments: str, **more: str) -> str:
        """Return the output of the installed command."""
        return self.shell(shlex.join(["./own-kontor/bin/kontor", *arguments]), **more)


@pytest.fixture(scope="module")
def afternoon(tmp_path_factory: pytest.TempPathFactory) -> Afternoon:
    home = tmp_path_factory.mktemp("own-game")
    clone = home / "clone"
    copy_source(clone)
    environment = {
        **{name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")},
        "PATH": os.pathsep.join([str(Path(find_uv()).parent), os.environ["PATH"]]),
        "UV_PYTHON": sys.executable,
        "LANGUAGE": "en",
        "COLUMNS": "80",
        "NO_COLOR": "1",
    }
    made = Afternoon(clone, environment, "")
    return Afternoon(clone, environment, made.shell(INSTALLING))


@pytest.fixture(scope="module")
def address(afternoon: Afternoon) -> Iterator[str]:
    """Yield the address of the server that the last step of the page starts."""
    *_, serve = PLAYING.splitlines()
    assert " serve " in serve
    with subprocess.Popen(
        ["bash", "-c", f"exec {serve}"],
        cwd=afternoon.clone,
        env=afternoon.environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
            process.communicate(timeout=HANG_TIMEOUT)


@pytest.mark.process
def test_machine_players_play_each_other(afternoon: Afternoon) -> None:
    assert re.search(r"^ steady +100 ", afternoon.printed, re.MULTILINE), afternoon.printed
    assert re.search(r"^ random +100 ", afternoon.printed, re.MULTILINE), afternoon.printed
    again = ["simulate", "pig", "--games", "100", "--json"]
    alone, shared = (json.loads(afternoon.kontor(*again, "--jobs", jobs)) for jobs in ("1", "2"))
    assert alone["players"] == shared["players"]


@pytest.mark.process
def test_its_words_are_said_in_german(afternoon: Afternoon) -> None:
    afternoon.shell(TRANSLATING)
    folder = Path("kontor_pig/locale/de/LC_MESSAGES")
    for place in (PIG, afternoon.clone / "examples" / "pig"):
        with (place / folder / "kontor.po").open("rb") as written, (place / folder / "kontor.mo").open("rb") as file:
            collected, compiled = read_po(written), read_mo(file)
        translations = {message.id: message.string for message in collected if message.id}
        assert len(translations) > 30
        assert [sentence for sentence, german in translations.items() if not german] == []
        assert translations == {message.id: message.string for message in compiled if message.id}
        assert not collected.obsolete


@pytest.mark.process
def test_two_play_at_the_terminal_and_the_record_is_good(afternoon: Afternoon) -> None:
    *steps, _ = PLAYING.splitlines()
    install, play, verify, replay = steps
    afternoon.shell(install)
    played = afternoon.shell(play, typed="roll\nhold\n" * 400)
    assert "A turn begins with a roll" in played or "rolls a 1" not in played
    assert re.search(r"^\w+ won with 2\d points\.$", played, re.MULTILINE), played
    assert "Dice: all" in afternoon.shell(verify)
    output = afternoon.shell(replay)
    assert " holds and has 2" in output
    assert "Sieg für" in afternoon.kontor("replay", "--all", "pig.jsonl", LANGUAGE="de")


OPENSPIEL: Final = """
import pickle
import pyspiel
import kontor.environments.openspiel
from kontor.environments.encoders import opening
for name in ("pig", "pig(players=4,goal=20)"):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=2, serialize=True, verbose=False)
game = pyspiel.load_game("pig(players=3,goal=20,starter=1)")
position = pickle.loads(pickle.dumps(opening(game.encoder)))
assert position.mover == 1 and position.legal() == [0]
print("passed")
"""


@pytest.mark.process
def test_it_passes_openspiels_own_test(afternoon: Afternoon) -> None:
    afternoon.shell('uv pip install --python ./own-kontor ".[research]"')
    output = afternoon.shell("./own-kontor/bin/python -", typed=OPENSPIEL)
    assert output.splitlines()[-1] == "passed"


# ------------------------------------------------------------------------------------------------------ the server


def mover(pages: list[Page]) -> Page | None:
    """Return the page of the mover, or any page once the game is over; None if no page shows either yet."""
    for page in pages:
        if page.locator('#state[data-turn="mine"]').count() or page.locator("#ending").count():
            return page
    return None


@pytest.mark.extended
@pytest.mark.process
def test_two_browsers_play_to_the_end(afternoon: Afternoon, address: str, chromium: Chromium) -> None:
    with browsing(chromium, address) as hers, browsing(chromium, address) as his:
        come_in(hers, "Anna")
        hers.locator("#open-pig").click()
        hers.locator("#part-options > summary").click()
        hers.locator("#goal").fill("20")
        hers.locator("#open-it").click()
        hers.locator("#invite-2").click()
        his.goto(hers.locator("#link-2").input_value())
        his.locator("#name").fill("Bernd")
        his.locator("#sit").click()
        pages = [hers, his]
        for page in pages:
            expect(page.locator("#board")).to_be_visible()
        while not (page := waited_for(lambda: mover(pages))).locator("#ending").count():
            before = page.locator("#state").get_attribute("data-version") or ""
            page.keyboard.press("Shift")  # otherwise a button that has just replaced another can't be pressed yet
            page.locator("#pig button").last.click()
            expect(page.locator("#state")).not_to_have_attribute("data-version", before)
        for page in pages:
            expect(page.locator("#ending")).to_be_visible()
            expect(page.locator("#now")).to_contain_text(" won with ")
            expect(page.locator("#review-there")).to_have_count(0)
        with hers.expect_download() as downloading:
            hers.get_by_role("link", name="Download record").click()
        assert "Dice: all" in afternoon.kontor("verify", str(downloading.value.path()))
        hers.get_by_role("link", name="Replay the game").click()
        expect(hers.locator("#pig-points li")).to_have_count(2)
        expect(hers.locator("#review-there")).to_have_count(0)


_BETWEEN: Final = 0.2
"""Seconds between two requests of a program that has no stream; without a pause it would be refused."""


@pytest.mark.process
def test_a_program_plays_by_the_api(afternoon: Afternoon, address: str, tmp_path: Path) -> None:
    with httpx.Client(base_url=f"{address}/api/", timeout=HANG_TIMEOUT) as client:

        def call(path: str, **body: Any) -> Any:
            answer = client.post(path, json=body) if body else client.get(path)
            return answer.raise_for_status().json()

        client.headers["authorization"] = f"Bearer {call('people', name='Robota')['token']}"
        plan = {"game": "pig", "seats": [{"kind": "me"}, {"kind": "machine", "player": "casual"}]}
        refused = client.post("tables", json={**plan, "hints": True})
        assert (refused.status_code, refused.json()["reason"]) == (422, NO_HINTS)
        table = call("tables", **plan, options={"goal": 20, "starter": 0})["table"]

        def wait_for_turn() -> Any:
            info = call(f"tables/{table}")
            return info if info["my_turn"] or info["status"] == "over" else None

        while waited_for(wait_for_turn, pause=lambda: sleep(_BETWEEN))["status"] == "playing":
            number = call(f"tables/{table}/view")["number"]
            *_, move = call(f"tables/{table}/moves")["moves"]
            call(f"tables/{table}/moves", number=number, move=move)
        assert max(call(f"tables/{table}")["result"]["points"]) >= 20
        record = tmp_path / "game.jsonl"
        record.write_bytes(client.get(f"tables/{table}/record").content)
        assert "Dice: all" in afternoon.kontor("verify", str(record))


@pytest.mark.process
def test_moves_can_be_typed_on_the_page(address: str) -> None:
    with Guest(address, "Anna") as anna:
        page = anna.press(anna.get("/open/pig").button("open-it"), chair__2="machine-steady", starter="0", goal="20")
        page = anna.press(page.button("typed-go"), typed="hold")
        assert "A turn begins with a roll" in page.text("refused")
        page = anna.press(page.button("typed-go"), typed="r")
        assert "Anna rolls a" in page.text("typed-answer")


@pytest.mark.process
def test_where_nobody_judges_there_are_no_hints_and_no_reviews(address: str) -> None:
    with Guest(address, "Anna") as anna:
        assert anna.get("/open/shanghaien").has("hints")
        form = anna.get("/open/pig")
        assert not form.has("hints")
        against = {"chair__2": "machine-steady", "goal": "20"}
        page = anna.press(form.button("open-it"), hints="yes", **against)
        assert page.status == 422
        assert page.text("refused").startswith(NO_HINTS)
        table = anna.press(form.button("open-it"), **against)
        assert '/preview.png">' in table.html, "a game without a picture for links has ours"
        path = table.path
        page = anna.press(anna.get(f"{path}/end").button("resign"))
        assert page.has("ending")
        assert not page.has("review-there")
        review = anna.get(f"{path}/review")
        assert review.status == 422
        assert "There is nothing that can judge a game of pig." in review.text("main")
