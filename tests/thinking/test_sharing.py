"""Thinkers that are shared: asked by a socket as if they were one's own, whatever becomes of either side."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import sleep

import pytest

from kontor.thinking import NoAnswer, Thinkers
from kontor.thinking.sharing import Borrowed, lend
from patience import HANG_TIMEOUT, waited_for

from . import work


@pytest.fixture
def thinkers() -> Iterator[Thinkers]:
    with Thinkers(1) as thinkers:
        yield thinkers


def borrowed(thinkers: Thinkers) -> tuple[Borrowed, Thread]:
    """Somebody who asks, and the thread that hears them."""
    ours, theirs = socket.socketpair()
    thread = Thread(target=lend, args=(thinkers, ours), daemon=True)
    thread.start()
    return Borrowed(theirs), thread


def test_they_answer_as_if_they_were_ones_own(thinkers: Thinkers) -> None:
    (one, _), (other, _) = borrowed(thinkers), borrowed(thinkers)
    with one, other:
        assert one.submit(work.echo, b"\x00" * 1_000_000).result(HANG_TIMEOUT) == b"\x00" * 1_000_000
        futures = [asker.submit(work.echo, bytes([number])) for number in range(50) for asker in (one, other)]
        assert [future.result(HANG_TIMEOUT) for future in futures] == [bytes([number // 2]) for number in range(100)]
        mine = thinkers.submit(work.whoami, b"0").result(HANG_TIMEOUT)
        assert one.submit(work.whoami, b"0").result(HANG_TIMEOUT) == mine, "it is the same process"
        with pytest.raises(NoAnswer, match=r"^ValueError at work\.py") as failed:
            other.submit(work.fail, b"42").result(HANG_TIMEOUT)
        assert "42" not in str(failed.value)


def test_what_is_patient_lets_others_go_first_and_what_is_not_wanted_is_not_thought(
    thinkers: Thinkers, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    (one, _), (other, _) = borrowed(thinkers), borrowed(thinkers)
    with one, other:
        signal_file = tmp_path / "signal"
        busy = one.submit(work.until, os.fsencode(signal_file))
        patient = one.submit(work.note, f"{notes}|patient".encode(), patient=True)
        unwanted = one.submit(work.note, f"{notes}|unwanted".encode())
        assert waited_for(lambda: work.begun_with(signal_file).exists() and thinkers.waiting() == 2)
        assert unwanted.cancel()
        assert waited_for(lambda: thinkers.waiting() == 1), "the thinkers have heard of it"
        signal_file.touch()
        busy.result(HANG_TIMEOUT)
        other.submit(work.note, f"{notes}|prompt".encode())
        patient.result(HANG_TIMEOUT)
        assert one.submit(work.echo, b"").result(HANG_TIMEOUT) == b""
    assert "unwanted" not in notes.read_text()


def test_what_one_who_has_gone_had_asked_is_forgotten(thinkers: Thinkers, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    asker, thread = borrowed(thinkers)
    signal_file = tmp_path / "signal"
    thinkers.submit(work.until, os.fsencode(signal_file))
    future = asker.submit(work.note, f"{notes}|gone".encode())
    assert waited_for(lambda: work.begun_with(signal_file).exists() and thinkers.waiting() == 1)
    asker.stop()
    thread.join(HANG_TIMEOUT)
    assert not thread.is_alive()
    with pytest.raises(CancelledError):
        future.result(HANG_TIMEOUT)
    signal_file.touch()
    assert thinkers.submit(work.echo, b"on").result(HANG_TIMEOUT) == b"on"
    assert not notes.exists()


def test_when_the_thinkers_have_gone_nothing_is_answered_as_if_nobody_knew() -> None:
    ours, theirs = socket.socketpair()
    with Borrowed(theirs) as asker:
        future = asker.submit(work.echo, b"")
        ours.close()
        with suppress(NoAnswer):
            for _ in range(HANG_TIMEOUT * 100):
                asker.submit(work.echo, b"")
                sleep(0.01)
        with pytest.raises(NoAnswer, match="gone"):
            asker.submit(work.echo, b"")
        assert not future.done()
    assert future.cancelled()
