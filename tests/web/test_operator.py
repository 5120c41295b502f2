"""``kontor people`` beside a running server: its effects are seen there at once."""

import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import msgspec
import pytest

from kontor.cli import run
from kontor.server.operator_requests import SOCKET
from timeouts import HANG_TIMEOUT
from web.guests import Guest, open_shanghaien, seat_friend
from web.test_serve import Process

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Process]:
    process = Process(folder)
    yield process
    code, complaints = process.end(signal.SIGTERM)
    assert (code, complaints) == (0, "")
    assert not (folder / SOCKET).exists(), "it goes with the process"


def people(folder: Path, *command: str) -> tuple[int, str, str]:
    with redirect_stdout(StringIO()) as output, redirect_stderr(StringIO()) as complaints:
        code = run(["--language", "en", "people", *command, "--data", str(folder)])
    assert "Traceback" not in complaints.getvalue()
    return code, output.getvalue(), " ".join(complaints.getvalue().split())


def test_the_operator_acts_while_people_play(server: Process, folder: Path) -> None:
    address = f"http://127.0.0.1:{server.port}"
    with Guest(address, "Anna") as anna, Guest(address, "Bernd") as bernd:
        table = seat_friend(anna, bernd)
        code, output, _ = people(folder, "find", "Bernd")
        assert code == 0
        person = output.split()[0]
        assert people(folder, "rename", person, "Berta") == (0, "Done.\n", "")
        assert bernd.get("/you").text("main").startswith("Berta")
        assert "Berta" in anna.get(table).text("main"), "also where it was in memory"
        assert "Bernd" not in anna.get(table).text("main")
        # A suspended person is signed out at the next request.
        assert people(folder, "suspend", person)[0] == 0
        assert bernd.get("/you").status == 403
        assert "suspended" in people(folder, "find", "Berta")[1]
        assert people(folder, "restore", person)[0] == 0
        assert bernd.get("/you").text("main").startswith("Berta")
        assert people(folder, "delete", person, "--yes")[0] == 0
        assert bernd.get("/you").status == 403
        assert "someone who left" in anna.get(table).text("main")
        assert people(folder, "find", person)[1] == "Nobody is called that.\n"
        acts = [msgspec.json.decode(line) for line in people(folder, "acts")[1].splitlines()]
        assert [(act["actor"], act["act"]) for act in reversed(acts)] == [
            ("operator", act) for act in ("rename", "suspend", "restore", "delete")
        ]
        # The others play on.
        assert open_shanghaien(anna)


def test_what_cannot_be_done_is_said_in_a_sentence(server: Process, folder: Path) -> None:
    for command in (("suspend", "nobody"), ("handled", "nothing"), ("rename", "nobody", "Anna")):
        code, output, complaint = people(folder, *command)
        assert (code, output) == (1, "")
        assert complaint.endswith(".")
    assert people(folder, "reports") == (0, "", "")


def test_the_socket_is_for_the_same_user_alone_and_survives_nonsense(server: Process, folder: Path) -> None:
    assert stat.S_IMODE((folder / SOCKET).stat().st_mode) == 0o600
    for sent in (b"\n", b"{}\n", b"x" * 100_000, b'{"type":"Shutdown"}\n', b"[" * 5000 + b"\n"):
        with socket.socket(socket.AF_UNIX) as asking:
            asking.connect(str(folder / SOCKET))
            try:
                asking.sendall(sent)
                answer = asking.makefile("rb").readline()
            except (BrokenPipeError, ConnectionResetError):
                continue
            assert b"another version" in answer, answer
    assert people(folder, "reports") == (0, "", "")


@pytest.mark.skipif(not hasattr(os, "setuid") or os.geteuid() != 0, reason="only root can be somebody else")
def test_another_user_of_the_machine_gets_no_answer(server: Process, folder: Path) -> None:
    """Check that another user gets no answer even if the folder and the socket are open to all."""
    program = (
        "import os, socket; os.setgroups([]); os.setgid(65534); os.setuid(65534);"
        "asking = socket.socket(socket.AF_UNIX); asking.connect('kontor.sock');"
        "\ntry: asking.sendall(b'{\"type\":\"Acts\"}\\n'); print(asking.makefile('rb').readline())"
        "\nexcept OSError: print(b'')"
    )
    before = stat.S_IMODE(folder.stat().st_mode)
    folder.chmod(0o755)
    (folder / SOCKET).chmod(0o666)
    try:
        command = [sys.executable, "-c", program]
        result = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=HANG_TIMEOUT, check=False
        )
    finally:
        folder.chmod(before)
        (folder / SOCKET).chmod(0o600)
    assert (result.stdout, result.stderr) == ("b''\n", "")


def test_after_a_kill_the_next_server_listens_again(tmp_path: Path) -> None:
    killed = Process(tmp_path)
    killed.process.kill()
    killed.process.communicate(timeout=HANG_TIMEOUT)
    assert (tmp_path / SOCKET).exists()
    assert people(tmp_path, "find", "Anna") == (0, "Nobody is called that.\n", ""), "of the folder itself"
    following = Process(tmp_path)
    with Guest(f"http://127.0.0.1:{following.port}", "Anna"):
        assert "Anna: since" in people(tmp_path, "find", "Anna")[1]
    assert following.end(signal.SIGTERM) == (0, "")
