"""Records of games that are going on: they go on wherever they stopped."""

import os
import stat
from pathlib import Path

import pytest

from kontor import recording, records
from kontor.game import CHANCE, Result
from kontor.games.shanghaien.rules import SHANGHAIEN, Options
from kontor.recording import RecordWriter
from kontor.records import BadRecord, Record, encode
from records.made import EXAMPLE, LINES, SEED, WHOLE


def test_a_record_written_while_playing_is_the_one_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    state = SHANGHAIEN.start(Options())
    with RecordWriter.begin(path, EXAMPLE.header, SEED) as writer:
        for step in EXAMPLE.steps:
            if state.mover == CHANCE:
                assert SHANGHAIEN.chance(state).draw(writer.dice.below(writer.line)) == step.action
            writer.append(step)
            assert records.read(path) == writer.record
            state = SHANGHAIEN.play(state, step.action)
        writer.finish(Result((8, 8), (0, 1)))
    assert path.read_bytes() == encode(EXAMPLE)
    assert list(tmp_path.iterdir()) == [path]  # the seed has been revealed


def test_seed_and_record_of_a_game_that_is_going_on_are_for_their_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with RecordWriter.begin(path, EXAMPLE.header, SEED):
        for file in (path, recording.seed_path(path)):
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert recording.seed_path(path).name == "game.jsonl.seed"
    assert SEED.hex() not in path.read_text()


def test_wherever_a_game_stops_it_goes_on(tmp_path: Path) -> None:
    """Stop after every byte of two lines: confirmed steps are there, and the same dice come again."""
    path = tmp_path / "game.jsonl"
    recording.save_seed(path, SEED)
    complete = encode(EXAMPLE)
    start = len(b"".join(LINES[:6]))
    for size in range(start, start + len(LINES[6] + LINES[7]) + 1):
        path.write_bytes(complete[:size])
        with RecordWriter.resume(path) as writer:
            steps = len(writer.record.steps)
            assert steps == complete[:size].count(b"\n") - 1
            for step in EXAMPLE.steps[steps:9]:
                writer.append(step)
        assert path.read_bytes() == b"".join(LINES[:10])


def test_a_game_that_stopped_just_before_its_ending_can_be_ended(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(b"".join(LINES[:-1]))
    recording.save_seed(path, SEED)
    with RecordWriter.resume(path) as writer:
        writer.finish(Result((8, 8), (0, 1)))
    assert records.verify(records.read(path)).dice


def test_a_game_that_is_over_cannot_go_on(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(encode(EXAMPLE))
    with pytest.raises(BadRecord, match="line 117: The game is over: it cannot go on"):
        RecordWriter.resume(path)


def test_a_game_cannot_go_on_without_its_seed_or_with_another(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(b"".join(LINES[:9]))
    with pytest.raises(BadRecord, match=r"line 1: The game cannot go on without its seed, and .*seed is missing"):
        RecordWriter.resume(path)
    for content in ("", "00" * 32, SEED.hex() + SEED.hex(), "no seed", "\udcff"):
        recording.seed_path(path).write_text(content, "utf-8", errors="surrogateescape")
        with pytest.raises(BadRecord, match=r"does not hold the seed that line 1 commits to"):
            RecordWriter.resume(path)


def test_a_game_with_forged_dice_cannot_go_on(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(LINES[0] + LINES[1].replace(b"1", b"0"))
    recording.save_seed(path, SEED)
    with pytest.raises(BadRecord, match="line 2: According to the seed"):
        RecordWriter.resume(path)


def test_no_game_and_no_seed_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(WHOLE)
    with pytest.raises(FileExistsError):
        RecordWriter.begin(path, EXAMPLE.header, SEED)
    assert path.read_bytes() == WHOLE
    assert not recording.seed_path(path).exists()
    path.unlink()
    recording.save_seed(path, bytes(32))
    with pytest.raises(FileExistsError):
        RecordWriter.begin(path, EXAMPLE.header, SEED)
    assert not path.exists()
    assert recording.seed_path(path).read_text() == "00" * 32 + "\n"


def test_a_header_must_commit_to_the_seed_that_is_kept(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="does not commit"):
        RecordWriter.begin(tmp_path / "game.jsonl", EXAMPLE.header, bytes(32))
    assert not list(tmp_path.iterdir())


def test_a_game_that_is_open_twice_is_not_written_by_both(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with RecordWriter.begin(path, EXAMPLE.header, SEED) as one, RecordWriter.resume(path) as other:
        other.append(EXAMPLE.steps[0])
        with pytest.raises(
            BadRecord, match="line 2: Someone else has written to this record: is the game open twice"
        ):
            one.append(EXAMPLE.steps[0])
    assert path.read_bytes() == b"".join(LINES[:2])


def test_a_full_disk_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    write = os.write
    free = 20

    def full(file: int, data: bytes) -> int:
        nonlocal free
        written = write(file, data[:free])
        free -= written
        if not written:
            raise OSError("No space left on device")
        return written

    with RecordWriter.begin(path, EXAMPLE.header, SEED) as writer:
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", full)
            with pytest.raises(OSError, match="No space left"):
                writer.append(EXAMPLE.steps[0])
        assert records.read(path) == writer.record == Record(EXAMPLE.header)
        writer.append(EXAMPLE.steps[0])
    assert path.read_bytes() == b"".join(LINES[:2])


def test_each_line_is_on_the_disk_before_the_game_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    synced: list[int] = []
    with RecordWriter.begin(path, EXAMPLE.header, SEED) as writer, monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: synced.append(os.fstat(file).st_size))
        writer.append(EXAMPLE.steps[0])
        writer.append(EXAMPLE.steps[1])
    assert synced == [len(b"".join(LINES[:2])), len(b"".join(LINES[:3]))]


def test_no_seed_is_shown_by_accident(tmp_path: Path) -> None:
    with RecordWriter.begin(tmp_path / "game.jsonl", EXAMPLE.header, SEED) as writer:
        texts = repr(writer) + repr(writer.dice) + repr(writer.record)
    assert SEED.hex() not in texts
    assert repr(SEED) not in texts
