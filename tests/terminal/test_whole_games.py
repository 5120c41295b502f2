"""Whole games at one terminal: nothing secret is shown to others, and leaving loses nothing."""

import io
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from random import Random

import pytest
from rich.cells import cell_len
from rich.console import Console

from kontor.game import Refusal
from kontor.games.dutchman.rules.chart import read_chart
from kontor.games.dutchman.rules.components import MOST_SILVER
from kontor.games.dutchman.rules.state import Options, Shuffle, State
from kontor.games.dutchman.terminal import chart as chart_drawing
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.recording import RecordWriter
from kontor.records import read, verify
from kontor.terminal.adapter import TerminalAdapter
from kontor.terminal.begin import GamePlan, begin
from kontor.terminal.play import Session
from kontor.terminal.prompt import Keyboard, Leave
from kontor.terminal.screen import WIDTH, Screen
from kontor.terminal.seats import SeatAssignment, seats_from
from terminal.sessions import DUTCHMAN_ADAPTER, NAMES, SHANGHAIEN_ADAPTER, WORDS, printed, steps_of


def seat_list(given: list[str], adapter: TerminalAdapter = SHANGHAIEN_ADAPTER) -> list[tuple[str, str]]:
    return [(seat.name, seat.player) for seat in seats_from(given, adapter)]


def test_seats_are_people_or_machine_players(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "mina")
    assert seat_list([]) == [("Mina", "person"), ("Anna", "casual")]
    assert seat_list(["Anna"]) == [("Anna", "person"), ("Bernd", "casual")]
    assert seat_list(["random", "Anna"]) == [("Bernd", "random"), ("Anna", "person")]
    assert [name for name, _ in seat_list([], DUTCHMAN_ADAPTER)] == ["Mina", "Karin", "Helga", "Karl"]
    assert seat_list(["Anna", "Bernd = random"]) == [("Anna", "person"), ("Bernd", "random")]


@pytest.mark.parametrize("given", [["Anna", "anna"], ["Anna", ""], ["Anna", "Bernd=clever"]])
def test_seats_that_cannot_be_are_refused(given: list[str]) -> None:
    with pytest.raises(Refusal):
        seats_from(given, SHANGHAIEN_ADAPTER)


def shoes_on_the_rack(text: str) -> list[int]:
    """Return the horseshoes on the last rack shown.

    The format is ``rack gold 45 30 silver 20×2 1``, which may go on in the next lines.
    """
    shoes = re.findall(r"(\d+)(?:×(\d+))?", re.split(r"\n(?!\d|silver)", text.rsplit("\nrack ", 1)[1])[0])
    return [int(shoe) for shoe, count in shoes for _ in range(int(count or 1))]


class Robot:
    """A player that follows the screen, and checks it before each answer."""

    def __init__(self, seed: int, out: io.StringIO, check: Callable[[str], None]) -> None:
        self._random = Random(seed)
        self._out = out
        self._check = check
        self._answers = 0

    def isatty(self) -> bool:
        return False

    def readline(self) -> str:
        text = self._out.getvalue()
        self._check(text)
        self._answers += 1
        assert self._answers < 3000, text[-2000:]
        lines = [line for line in text[-5000:].splitlines() if not line.startswith("?")]
        return f"{self._answer(lines)}\n"

    def _answer(self, lines: list[str]) -> str:
        begins = max(place for place, line in enumerate(lines) if re.match(r"[SH]\d+\w? ", line))
        hint = " ".join(lines[begins:])
        if "Enter or yes" in hint:
            return "yes"
        if "who pays" in hint:
            return "nobody"
        if "two shares to put back" in hint:
            return hint.rsplit(maxsplit=1)[-1]
        if "a destination" in hint:
            return self._random.choice(["none", "1", "2"])
        if "a number, or the name" in hint:
            return self._random.choice(["1", "2"])
        words = hint.partition(" ")[2].split(" · ")
        word = self._random.choice(words)
        if word.startswith("or play"):
            return str(self._random.choice(shoes_on_the_rack("\n".join(lines))))
        if word.startswith("joker"):
            return f"joker {word.split()[1]} {self._random.choice(['nudge', 'both', 'reroll'])}"
        if word.startswith("nudge"):
            return self._random.choice(word.split()[1:])
        return word.removeprefix("Enter or ").partition(" earns")[0]


@pytest.fixture(autouse=True)
def _no_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fix the seeds of the dice and the computer players."""
    monkeypatch.setattr("kontor.terminal.begin.new_seed", lambda: bytes(32))
    monkeypatch.setattr("kontor.terminal.play.Random", lambda: Random(1))


def play_whole(
    monkeypatch: pytest.MonkeyPatch,
    plan: GamePlan,
    seed: int,
    check: Callable[[Session, str], None] = lambda session, text: None,
) -> str:
    """Play a game to its end with a robot; return the output."""
    out = io.StringIO()
    sessions: list[Session] = []
    monkeypatch.setattr("sys.stdin", Robot(seed, out, lambda text: check(sessions[0], text)))
    screen = Screen(Console(file=out, width=WIDTH, markup=False, emoji=False, highlight=False))
    sessions.append(begin(WORDS, screen, Keyboard(screen), plan))
    try:
        sessions[0].run()
    finally:
        sessions[0].close()
    return out.getvalue()


@pytest.mark.parametrize("seed", range(2))
def test_a_whole_game_of_shanghaien(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, seed: int) -> None:
    seats = [SeatAssignment("Anna", "person"), SeatAssignment("Bernd", "person" if seed else "random")]
    path = tmp_path / "game.jsonl"
    out = play_whole(
        monkeypatch, GamePlan(SHANGHAIEN_ADAPTER, ShanghaienOptions(first_trick="nudge"), seats, path), seed
    )
    result = verify(read(path)).result
    assert result
    assert out.count(" is over: ") == 8
    points = [int(line.split()[-1]) for line in out.splitlines() if line.startswith("points")]
    assert points == [result.points[0]]
    assert "Hand the keyboard" not in out  # nothing is hidden in Shanghaien


@pytest.mark.parametrize(("seats", "people"), [(3, 3), (4, 1), (5, 2), (6, 6)])
def test_pass_and_play_never_shows_anothers_secrets(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, seats: int, people: int
) -> None:
    """Check that the screen since the curtain holds no golden horseshoe of others, at every prompt."""
    checked = 0

    def check(session: Session, text: str) -> None:
        nonlocal checked
        state: State = session._state
        screen = re.split("Press Enter to (?:go on|begin).", text)[-1].rsplit("Hand the keyboard to ", 1)[-1]
        if people > 1:
            assert screen.startswith(NAMES[state.mover])
        lays = [lain for revealed in state.revealed for lain in revealed.lays]
        public = {merchant.cash for merchant in state.merchants} | {total for _, total in state.rolls}
        public |= {state.lucky or 0, 30, 40}
        for lain in lays:
            public |= {*lain.horseshoes, lain.reading}
        for seat, merchant in enumerate(state.merchants):
            if seat != state.mover:
                secret = {shoe for shoe in (*merchant.rack, *(merchant.lay or ())) if shoe > MOST_SILVER}
                hidden = secret - set(merchant.known) - public
                checked += len(hidden)
                betrayed = hidden & numbers_in(screen)
                assert not betrayed, f"{NAMES[seat]} has {betrayed}\n{screen}"
        assert shoes_on_the_rack(screen) == list(state.merchants[state.mover].rack)

    table = [SeatAssignment(name, "person" if seat < people else "random") for seat, name in enumerate(NAMES[:seats])]
    path = tmp_path / "game.jsonl"
    out = play_whole(monkeypatch, GamePlan(DUTCHMAN_ADAPTER, Options(players=seats), table, path), seats, check)
    assert verify(read(path)).result
    assert checked > 50
    assert ("Hand the keyboard" in out) == (people > 1)


def numbers_in(text: str) -> set[int]:
    """Return the numbers that could be those of horseshoes."""
    others = ("chests", "stones", "shares", "Round", "  Lucky number")  # values, dice, and sums of the own lay
    lines = [line for line in text.splitlines() if not line.startswith(others) and "lucky number" not in line]
    counted = r"= +\d+|\d+ +below|∩ *\d+|\d+ +horseshoes?|[A-Z]\w+ +\d+ \d \d +\d+"  # and the table of merchants
    plain = re.sub(counted, "", " ".join(lines))
    return {int(number) for number in re.findall(r"\d+", plain)}


def test_what_a_smith_draws_and_a_merchant_exchanges_is_told_to_them_alone() -> None:
    for _, seen, after in steps_of(DUTCHMAN_ADAPTER, Options(players=3), seed=4, watcher=1):
        text = " ".join(DUTCHMAN_ADAPTER.describe_event(WORDS, NAMES, seen.before, seen.event, seen.after))
        assert "New in the rack of Anna" not in text
        assert not re.search(r"(Anna|Carla) (plays a Kontor card and draws|puts \w+ and|lays [\d ]+ face down)", text)
        if isinstance(seen.event.action, Shuffle):
            assert not after.round


def test_leaving_at_any_prompt_and_going_on_loses_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Compare the table and the record before leaving and after going on."""
    path = tmp_path / "game.jsonl"
    seats = [SeatAssignment(name, "person") for name in NAMES[:3]]
    plan = GamePlan(DUTCHMAN_ADAPTER, Options(players=3, starter=0), seats, path)

    class Stop(Robot):
        left = 25

        def readline(self) -> str:
            self.left -= 1
            return super().readline() if self.left else "q\n"

    out = io.StringIO()
    monkeypatch.setattr("sys.stdin", Stop(3, out, lambda text: None))
    screen = Screen(Console(file=out, width=WIDTH, markup=False, emoji=False, highlight=False))
    session = begin(WORDS, screen, Keyboard(screen), plan)
    with pytest.raises(Leave):
        session.run()
    before = session._state
    session.close()
    written = path.read_bytes()
    again = Session(WORDS, screen, Keyboard(screen), path, RecordWriter.resume(path))
    assert again._state == before
    assert path.read_bytes() == written
    for watcher in (None, 0, 1, 2):
        assert again._chronicle.rounds(watcher) == session._chronicle.rounds(watcher)
    again.close()


def test_a_chart_of_ones_own_is_drawn(tmp_path: Path) -> None:
    text = files("kontor.games.dutchman.rules").joinpath("chart.toml").read_text("utf-8")
    chart = read_chart(text.replace("Madeira", "中国の島"))
    for line in printed(chart_drawing.page(WORDS, chart)):
        assert cell_len(line) <= WIDTH
