"""The commands ``verify`` and ``replay``."""

import re
from pathlib import Path

import pytest

from kontor.cli import run
from kontor.endings import early_end
from kontor.records import Record, ended_early, read, write
from records.made import WITHOUT


def test_of_a_game_that_was_ended_early_it_is_told_how(
    game_over: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    complete = read(game_over)
    assert complete.ending
    left = Record(complete.header, complete.steps[:6])
    early = ended_early(left, bytes.fromhex(complete.ending.seed), early_end("resigned", 1, 2))
    write(tmp_path / "early.jsonl", early)
    sentence = f"{complete.header.seats[1]} has resigned: {complete.header.seats[0]} wins."
    for command in (["verify"], ["replay", "--all"]):
        assert run([*command, str(tmp_path / "early.jsonl")]) == 0
        assert capsys.readouterr().out.rstrip().endswith(sentence)


def test_verify_says_what_was_verified(game_over: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(game_over)]) == 0
    out = capsys.readouterr().out
    assert re.search(r"Moves: all \d+ steps follow the rules\.", out)
    assert re.search(r"Dice: all \d+ outcomes of chance follow from the seed\.", out)
    assert "Commitment: the seed is the one that line 1 commits to." in out
    assert re.search(r"Result: random \d has \d+ and random \d has \d+\.", out)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "is the one that was promised. The game began without the contribution of Bernd. Result: "),
        ("de", "Jeder Beitrag ist der, der versprochen wurde. Die Partie hat ohne den Beitrag von Bernd begonnen."),
        ("fr", "bien celle qui avait été promise. La partie a commencé sans la contribution de Bernd."),
        ("it", "Ogni contributo è proprio quello promesso. La partita è iniziata senza il contributo di Bernd."),
        (
            "ja",
            "ダイスに加えられた値は、どれも約束されたものと一致します。 ゲームはBerndの値を加えずに始まりました。",
        ),
    ],
)
def test_verify_says_whose_share_was_left_out(
    capsys: pytest.CaptureFixture[str], language: str, sentence: str
) -> None:
    write(Path("strict.jsonl"), WITHOUT)
    assert run(["--language", language, "verify", "strict.jsonl"]) == 0
    output = "".join(capsys.readouterr().out.split())  # without the line breaks
    assert "".join(sentence.split()) in output


def test_replay_prints_a_whole_game_or_steps_through_it(
    game_over: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["replay", str(game_over), "--all"]) == 0
    everything = capsys.readouterr().out
    assert everything.count(" is over: ") == 8
    assert re.search(r"(wins by \d+ to \d+|A draw, \d+ all)\.\n$", everything)
    with Path("keys").open("w+") as keys:
        keys.write("n\nb\nback\nwhat\nn\nq\n")
        keys.seek(0)
        monkeypatch.setattr("sys.stdin", keys)
        assert run(["replay", str(game_over)]) == 0
    stepped = re.findall(r"Step (\d+) of", capsys.readouterr().out)
    assert stepped[0] == "0"
    assert int(stepped[2]) == int(stepped[1]) - 1
    assert int(stepped[4]) == int(stepped[1])


def test_replay_opens_all_hands_only_when_the_game_is_over(voyage: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", str(voyage), "--all"]) == 0
    opened = capsys.readouterr().out
    assert len(re.findall(r"^(?:greedy|random 1|random 2) +[BYGORV] \d", opened, re.M)) > 10
    assert run(["replay", str(voyage), "--all", "--seat", "GREEDY"]) == 0
    own = capsys.readouterr().out
    assert not re.search(r"random \d plays a Kontor card and draws|random \d lays [\d ]+ face down", own)
    unfinished = voyage.with_name("left.jsonl")
    unfinished.write_bytes(b"".join(voyage.read_bytes().splitlines(keepends=True)[:40]))
    assert run(["replay", str(unfinished), "--all"]) == 0
    public = capsys.readouterr().out
    assert not re.search(r"draws|face down|^rack|New in the rack", public, re.M)
    assert run(["replay", str(voyage), "--seat", "Nobody"]) == 2
