"""Texts of strangers at the terminal: invisible characters are not printed, and a record with them is valid."""

import unicodedata
from pathlib import Path
from random import Random

import msgspec
import pytest

from kontor import records
from kontor.cli import run
from kontor.fair import commitment, sources
from kontor.game import CHANCE, OVER, BadOptions, Result
from kontor.games.shanghaien.rules import SHANGHAIEN, Options
from kontor.records import Record, Step
from kontor.terminal.adapter import adapter_named
from kontor.terminal.screen import Screen
from kontor.terminal.seats import names_shown, seats_from
from kontor.visible_text import escape_hidden, visible

TAGS = "\U000e0061\U000e0062"
ASTRONAUT = "👩\u200d🚀"
NAMES = (f"Anna{TAGS} {ASTRONAUT}", "Be\ue000r\u00adnd\u200c ☎\ufe0f")
"""Names of a record, which can hold neither control characters nor signs that turn the direction of text."""

UNSEEN = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")


def unseen_in(printed: str) -> set[str]:
    """Return the invisible characters in a text, except line ends."""
    return {letter for letter in printed if unicodedata.category(letter) in UNSEEN or letter == "\ufe0f"} - {"\n"}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a whole game between people with these names."""
    seed, options, random = bytes(32), Options(), Random(1)
    header = records.new_header(
        SHANGHAIEN,
        options,
        seats=NAMES,
        players=("person", "person"),
        salts=(f"salt{TAGS}", ""),
        commitment=commitment(seed),
    )
    source = sources(SHANGHAIEN, records.dice_of(header, seed))
    steps, state = list[Step](), SHANGHAIEN.start(options)
    while state.mover != OVER:
        if state.mover == CHANCE:
            action = SHANGHAIEN.chance(state).draw(source(state, len(steps) + 2))
        else:
            action = random.choice(SHANGHAIEN.moves(state))
        steps.append(Step(state.mover, action))
        state = SHANGHAIEN.play(state, action)
    ended = records.ended(Record(header, tuple(steps)), seed, SHANGHAIEN.result(state) or Result((), ()))
    file = tmp_path_factory.mktemp("record") / "game.jsonl"
    file.write_bytes(records.encode(ended))
    return file


@pytest.mark.parametrize(
    "command", [("verify",), ("replay", "--all"), ("replay", "--all", "--seat", "anna 👩🚀")], ids="".join
)
def test_names_of_a_record_are_printed_without_what_nobody_sees(
    record: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    assert run([command[0], str(record), *command[1:]]) == 0
    printed = capsys.readouterr().out
    assert printed
    assert unseen_in(printed) == set()


def test_a_refusal_quotes_them_without_it(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = record.read_bytes().splitlines(keepends=True)
    turn = next(at for at, line in enumerate(lines) if line.startswith(b'{"seat":0'))
    lines[turn] = lines[turn].replace(b'"seat":0', b'"seat":1')
    broken = tmp_path / "broken\u202e\x1b[2J.jsonl"
    broken.write_bytes(b"".join(lines))
    assert run(["verify", str(broken)]) == 1
    printed = capsys.readouterr().err
    assert "Anna 👩🚀" in printed
    assert unseen_in(printed) == set()


def test_whatever_a_game_draws_is_printed_without_it(capsys: pytest.CaptureFixture[str]) -> None:
    Screen().show(f"a\x1b[2Jb\u202ec{TAGS}\ud800", adapter_named("shanghaien").title)
    printed = capsys.readouterr().out
    assert printed.startswith("a�[2Jb�c�\n")
    assert unseen_in(printed) == set()


def test_names_that_look_alike_then_are_told_apart() -> None:
    assert names_shown(("Anna", f"Anna{TAGS}", "\u200d", ASTRONAUT)) == ("Anna", "Anna 2", "�", "👩🚀")
    with pytest.raises(BadOptions, match="Two seats"):
        seats_from(["Anna", f"Anna{TAGS}"], adapter_named("shanghaien"))


def test_letters_that_are_seen_stay() -> None:
    for text in ("Zoë", "安娜", "Ἄννα", "نیما", "एना", "👍🏽", "50\u00a0%", "l’été\u202f!"):
        assert visible(text) == text


def test_json_for_programs_means_the_same_and_is_harmless_at_a_terminal() -> None:
    data = {"name": NAMES[0], "said": "a\u202eb\x7f\x9b2J\U000f0000é"}
    printed = escape_hidden(msgspec.json.format(msgspec.json.encode(data), indent=2).decode())
    assert unseen_in(printed) == set()
    assert msgspec.json.decode(printed) == data
