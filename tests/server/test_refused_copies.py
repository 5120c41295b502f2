"""Backups and servers that are refused: those that are damaged, forged, or of a newer Kontor."""

import gzip
import zlib
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random

import msgspec
import pytest

from guests import query
from kontor.server.composition import KontorServer
from kontor.server.copies import MovedDatabase, back_up, move, restore
from kontor.server.copies.lines import FORMAT, BackupFooter, TableChecksum
from kontor.storage import Place
from kontor.storage.errors import (
    BadCopy,
    CannotOpen,
    InUse,
    NewerCopy,
    NewerDatabase,
    NotADatabase,
    NotEmpty,
    NothingToCopy,
)
from kontor.storage.sqlite import DATABASE

from .copying import from_each_to_each, furnish, one_of, rows


@pytest.fixture(scope="module")
def backup(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    file = tmp_path_factory.mktemp("backup") / "monday.kontor"
    back_up(folder, file)
    return file.read_bytes()


def refusal_of(kind: type[Exception], file: Path, held: bytes, place: Path) -> str:
    """Return the refusal of such a file; nothing may be left where it was to be restored."""
    file.write_bytes(held)
    with pytest.raises(kind) as refusal:
        restore(file, place)
    assert not place.exists()
    return str(refusal.value)


def test_a_file_that_is_cut_off_is_refused_wherever_it_is_cut(backup: bytes, file: Path, tmp_path: Path) -> None:
    cuts = [0, 1, *Random(1).sample(range(len(backup)), 60), len(backup) - 1]
    for cut in cuts:
        refusal_of(BadCopy, file, backup[:cut], tmp_path / "house")


def test_a_file_in_which_a_byte_is_wrong_is_refused(backup: bytes, file: Path, tmp_path: Path) -> None:
    """Change single bytes of a backup.

    The reader ignores parts of the gzip header, for example the time of writing. And some bits only fill a byte.
    """
    random = Random(2)
    refusals = 0
    for at in [0, 1, 2, *random.sample(range(10, len(backup)), 60)]:
        wrong = bytearray(backup)
        wrong[at] ^= random.randrange(1, 256)
        if not same_content(bytes(wrong), backup):
            refusal_of(BadCopy, file, bytes(wrong), tmp_path / "house")
            refusals += 1
    assert refusals >= 60


def same_content(compressed: bytes, other: bytes) -> bool:
    """Return True if two gzip files have the same content."""
    try:
        return gzip.decompress(compressed) == gzip.decompress(other)
    except (OSError, EOFError, zlib.error):
        return False


def test_what_is_no_backup_is_refused(file: Path, tmp_path: Path) -> None:
    for held in (b"Dear diary,\n", gzip.compress(b""), gzip.compress(b"Dear diary,\n"), gzip.compress(b"[1]\n"), b""):
        assert "not a Kontor backup" in refusal_of(BadCopy, file, held, tmp_path / "house")


def compress_lines(lines: list[bytes]) -> bytes:
    """Return the lines compressed, unchanged."""
    return gzip.compress(b"".join(line + b"\n" for line in lines))


def add_digests(lines: list[bytes]) -> bytes:
    """Return the lines with a foot of correct digests, as a forger would."""
    tables: dict[str, list[bytes]] = {}
    for line in lines:
        if line.startswith(b"["):
            tables[[*tables][-1]].append(line + b"\n")
        elif b'"table"' in line:
            tables[msgspec.json.decode(line)["table"]] = []
    sums = {name: TableChecksum(len(rows), sha256(b"".join(rows)).hexdigest()) for name, rows in tables.items()}
    total = sha256(b"".join(line + b"\n" for line in lines)).hexdigest()
    return compress_lines([*lines, msgspec.json.encode(BackupFooter(sums, total))])


def test_lines_that_are_changed_lost_or_moved_are_found(backup: bytes, file: Path, tmp_path: Path) -> None:
    lines = gzip.decompress(backup).splitlines()
    random = Random(3)
    for at in random.sample(range(len(lines) - 1), 30):
        refusal_of(BadCopy, file, compress_lines([*lines[:at], *lines[at + 1 :]]), tmp_path / "house")
        refusal_of(BadCopy, file, compress_lines([*lines[:at], lines[at], *lines[at:]]), tmp_path / "house")
        moved = [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]
        refusal_of(BadCopy, file, compress_lines(moved), tmp_path / "house")
    refusal_of(BadCopy, file, compress_lines([*lines, lines[-1]]), tmp_path / "house")
    (before,) = [at for at, line in enumerate(lines) if b"Bernd" in line and line.startswith(b"[")][:1]
    changed = [*lines[:before], lines[before].replace(b"Bernd", b"Berta"), *lines[before + 1 :]]
    refusal_of(BadCopy, file, compress_lines(changed), tmp_path / "house")


FORGED: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "a table is missing": lambda lines: without_table(lines, "chat"),
    "a table is not ours": lambda lines: [*lines, b'{"type":"table","table":"diary","columns":["day"]}'],
    "a table comes twice": lambda lines: [*lines, *of(lines, "chat")],
    "what is referred to is missing": lambda lines: without_rows(lines, "people"),
    "a column is missing": lambda lines: [line.replace(b'"name","created",', b'"created",') for line in lines],
    "a value is of another kind": lambda lines: [
        b"[[7]," + line[1:] if line[:2] == b'["' else line for line in lines
    ],
    "a value is missing": lambda lines: [cut_short(line) for line in lines],
    "a row comes twice": lambda lines: [twice for line in lines for twice in [line] * (1 + line.startswith(b"["))],
}


def of(lines: list[bytes], table: str) -> list[bytes]:
    """Return the heading of a table and its rows."""
    (at,) = [at for at, line in enumerate(lines) if line.startswith(b'{"type":"table","table":"%b"' % table.encode())]
    rest = lines[at + 1 :]
    return [lines[at], *rest[: next((at for at, line in enumerate(rest) if line.startswith(b"{")), len(rest))]]


def without_table(lines: list[bytes], table: str) -> list[bytes]:
    return [line for line in lines if line not in of(lines, table)]


def without_rows(lines: list[bytes], table: str) -> list[bytes]:
    return [line for line in lines if line not in of(lines, table)[1:]]


def of_another_kind(line: bytes) -> bytes:
    return b"[7" + line[line.index(b'"', 2) + 1 :] if line.startswith(b'["') else line


def cut_short(line: bytes) -> bytes:
    return line.rpartition(b",")[0] + b"]" if line.startswith(b"[") else line


def test_lines_that_are_no_server_are_refused_though_their_digests_are_right(
    backup: bytes, file: Path, empty_place: Place
) -> None:
    *lines, _ = gzip.decompress(backup).splitlines()
    for how, forge in FORGED.items():
        forged = forge(lines)
        assert forged != lines, how
        file.write_bytes(add_digests(forged))
        with pytest.raises(BadCopy):
            restore(file, empty_place)
    with KontorServer.open(empty_place) as service:
        assert service.listing.lobby().open == ()
    assert not rows(empty_place)["people"]
    file.write_bytes(backup)
    restore(file, empty_place)


def test_a_backup_of_a_newer_kontor_is_refused(backup: bytes, file: Path, tmp_path: Path) -> None:
    head, *lines, _ = gzip.decompress(backup).splitlines()
    newer = head.replace(b'"format":%d' % FORMAT, b'"format":%d' % (FORMAT + 1))
    assert "newer Kontor" in refusal_of(NewerCopy, file, add_digests([newer, *lines]), tmp_path / "house")
    revision = msgspec.json.decode(head)["revision"].encode()
    newer = head.replace(b'"revision":"%b"' % revision, b'"revision":"9999"')
    file.write_bytes(add_digests([newer, *lines]))
    with pytest.raises(NewerCopy, match="newer Kontor"):
        restore(file, tmp_path / "house")


def test_a_server_where_people_live_is_not_restored_over(
    service: KontorServer, place: Place, file: Path, tmp_path: Path
) -> None:
    with KontorServer.open(tmp_path / "other") as other:
        furnish(other)
    back_up(tmp_path / "other", file)
    service.people.guest("Anna")
    service.close()
    before = rows(place)
    with pytest.raises(NotEmpty):
        restore(file, place)
    with pytest.raises(NotEmpty):
        move(tmp_path / "other", place)
    assert rows(place) == before


def test_a_server_that_somebody_has_open_is_neither_moved_nor_restored_over(
    service: KontorServer, place: Place, empty_place: Place, file: Path
) -> None:
    with pytest.raises(InUse):
        move(place, empty_place)
    back_up(place, file)
    with pytest.raises(InUse):
        restore(file, place)


def test_where_there_is_no_server_there_is_nothing_to_back_up(empty_place: Place, file: Path, tmp_path: Path) -> None:
    with pytest.raises(NothingToCopy):
        back_up(empty_place, file)
    with pytest.raises(NothingToCopy):
        move(empty_place, tmp_path / "third")
    assert [*file.parent.iterdir()] == []
    assert not isinstance(empty_place, Path) or not empty_place.exists()
    assert not (tmp_path / "third").exists()


def test_what_is_no_server_is_not_backed_up(tmp_path: Path, file: Path) -> None:
    query(tmp_path, "CREATE TABLE diary (day TEXT)")
    with pytest.raises(NotADatabase):
        back_up(tmp_path, file)
    (tmp_path / DATABASE).write_bytes(b"Dear diary,\n" * 1000)
    with pytest.raises(CannotOpen):
        back_up(tmp_path, file)
    assert [*file.parent.iterdir()] == []


def test_a_server_of_a_newer_kontor_is_not_backed_up(place: Place, file: Path) -> None:
    KontorServer.open(place).close()
    query(place, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(NewerDatabase, match="9999"):
        back_up(place, file)
    assert [*file.parent.iterdir()] == []


@from_each_to_each
def test_games_that_are_not_what_their_log_says_are_told(furnished_place: Place, empty_place: Place) -> None:
    """Check that such games are moved all the same: nobody can play them here either."""
    over, playing = one_of(furnished_place, "over", "shanghaien"), one_of(furnished_place, "playing", "dutchman")
    query(furnished_place, "UPDATE tables SET mover = 1 - mover WHERE id = ?", playing)
    query(furnished_place, "UPDATE tables SET rules = 99 WHERE id = ?", over)
    moved = move(furnished_place, empty_place)
    assert moved == MovedDatabase(moved.copied, 3, moved.unplayable)
    assert set(moved.unplayable) == {over, playing}
    assert rows(empty_place) == rows(furnished_place)
