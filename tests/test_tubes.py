"""Tubes between processes: what is put in finds its way, with its file; nobody waits; who dies loses nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from kontor.tubes import MOST, Ends, Tube, Tubes


@pytest.fixture
def tubes() -> Iterator[Tubes]:
    with closing(Tubes(3)) as tubes:
        yield tubes


def inherited(ends: Ends) -> Ends:
    """As a process has them that was begun with them: files of its own."""
    return msgspec.structs.replace(ends, inbox=os.dup(ends.inbox), ways=tuple(os.dup(way) for way in ends.ways))


@pytest.fixture
def three(tubes: Tubes) -> Iterator[list[Tube]]:
    ends = [Tube(inherited(tubes.ends(place))) for place in range(3)]
    yield ends
    for end in ends:
        end.close()


def test_what_is_put_in_comes_out_where_it_should_in_its_order(three: list[Tube]) -> None:
    for message in (b"one", b"", b"x" * MOST):
        assert three[0].put(1, message)
    assert three[2].put(1, b"of another")
    assert [three[1].take() for _ in range(4)] == [(b"one", []), (b"", []), (b"x" * MOST, []), (b"of another", [])]
    assert three[1].take() is three[0].take() is three[2].take() is None


def test_an_open_file_comes_along(three: list[Tube], tmp_path: Path) -> None:
    with (tmp_path / "letter").open("wb") as letter:
        assert three[0].put(2, b"a letter", [letter.fileno()])
    given = three[2].take()
    assert given
    (file,) = given[1]
    os.write(file, b"Ahoy")
    os.close(file)
    assert (tmp_path / "letter").read_bytes() == b"Ahoy"


def test_nobody_waits_for_room(three: list[Tube]) -> None:
    fitted = 0
    while three[0].put(1, b"x" * 1000):
        fitted += 1
    assert fitted > 50
    assert three[1].take() == (b"x" * 1000, [])
    assert three[0].put(1, b"y" * 1000), "now there is room again"
    assert not three[0].put(2, b"x" * 10_000_000)


def test_what_is_in_the_inbox_of_one_that_dies_waits_for_the_next(tubes: Tubes, three: list[Tube]) -> None:
    three[1].close()
    assert three[0].put(1, b"patience")
    with closing(Tube(inherited(tubes.ends(1)))) as next_one:
        assert next_one.take() == (b"patience", [])
