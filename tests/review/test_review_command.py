"""``kontor review``: its output, its readers, and its refusals."""

import json
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from kontor.cli import run
from kontor.records import write
from review.games import dutchman_record, shanghaien_record

pytestmark = pytest.mark.usefixtures("simple_judges")


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Run in an empty folder, in English, without colours."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def tavern(tmp_path: Path) -> Path:
    path = tmp_path / "tavern.jsonl"
    write(path, shanghaien_record("a-draw.txt"))
    return path


@pytest.fixture
def voyage(tmp_path: Path) -> Path:
    path = tmp_path / "voyage.jsonl"
    write(path, dutchman_record("three-players.txt"))
    return path


def review_lines(capsys: pytest.CaptureFixture[str], *arguments: object) -> list[str]:
    """Return the printed lines; all of them fit 80 columns."""
    assert run(["review", *map(str, arguments)]) == 0
    output = capsys.readouterr()
    assert not output.err
    lines = output.out.splitlines()
    assert all(len(line) <= 80 for line in lines)
    return lines


def test_a_review_tells_decisions_curves_dearest_moves_luck_and_skill(
    tavern: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = review_lines(capsys, tavern)
    text = "\n".join(lines)
    decisions = [line for line in lines if re.match(r" +\d+  (Anna|Bernd) ", line)]
    assert len(decisions) > 40
    marked = [line for line in decisions if re.search("[○◐●]", line)]
    assert marked
    assert all(float(re.findall(r"\d+\.\d", line)[0]) >= 2 for line in marked)
    assert "Anna’s chance of winning, round by round" in text
    assert "Bernd’s chance of winning" not in text
    assert [line for line in lines if re.fullmatch(r" +1 +2 +3 .*8", line)]
    assert len([line for line in lines if re.search("[▁▂▃▄▅▆▇█]{3}", line)]) == 4
    assert text.index("The costliest mistakes of Anna") < text.index("The costliest mistakes of Bernd")
    sums = [line.replace("\N{NO-BREAK SPACE}", "").split() for line in lines if re.match(r" (Anna|Bernd) +\d+", line)]
    (_, start, own, others, luck, amended, end), (_, _, given, _, unlucky, against, _) = sums
    assert amended[1:] == against[1:]
    assert (start, end) == ("50%", "50%")
    assert others == given.replace("−", "+")
    assert {luck[0], unlucky[0]} == {"+", "−"}
    assert own[0] == "−"


def test_a_review_of_one_seat_tells_nothing_of_the_others(voyage: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "\n".join(review_lines(capsys, voyage, "--seat", "helga"))
    assert "The costliest mistakes of Helga" in text
    assert "Helga’s chance of winning" in text
    assert not re.search(r"\d+  (Karin|Anne) ", text)
    assert "The costliest mistakes of Karin" not in text
    assert "from what the player could know at the time" in " ".join(text.split())


@pytest.mark.long
def test_a_review_as_json_holds_every_number(tavern: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["review", str(tavern), "--json"]) == 0
    review = json.loads(capsys.readouterr().out)
    assert review["game"] == "shanghaien"
    assert review["hidden"] is False
    for decision in review["decisions"]:
        assert decision["cost"] == pytest.approx(decision["best"]["chance"] - decision["played"]["chance"])
    for account in review["accounts"]:
        change = account["luck"] + account["given"] - account["lost"] + account["amended"]
        assert account["end"] - account["start"] == pytest.approx(change)


def test_what_cannot_be_reviewed_is_refused_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unfinished = tmp_path / "unfinished.jsonl"
    write(unfinished, replace(dutchman_record("three-players.txt"), ending=None))
    assert run(["review", str(unfinished)]) == 1
    assert capsys.readouterr().err == "This game is not over yet: you can review it afterwards.\n"
    write(tmp_path / "over.jsonl", shanghaien_record("a-draw.txt"))
    assert run(["review", str(tmp_path / "over.jsonl"), "--seat", "Xaver"]) == 2
    assert "Nobody at this table is called Xaver" in capsys.readouterr().err
