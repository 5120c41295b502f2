"""Garbage collector: its runs are short, and nothing is kept for ever."""

from __future__ import annotations

import gc
import weakref

import pytest

from kontor.server.gc_tuning import SHORT_THRESHOLD, no_gc, tuned_gc


class Cycle:
    """Garbage that only a cycle collector finds."""

    def __init__(self) -> None:
        self.itself = self


def test_what_outlived_a_look_is_left_out_of_the_next() -> None:
    with tuned_gc():
        gc.collect()
        assert gc.get_freeze_count() > 10_000
    assert gc.get_freeze_count() == 0, "afterwards all is as it was"


def test_while_a_server_is_loaded_nothing_is_looked_at() -> None:
    with no_gc():
        with no_gc():
            assert not gc.isenabled()
        assert not gc.isenabled(), "one in another changes nothing"
    assert gc.isenabled()


@pytest.mark.long
def test_garbage_that_outlived_a_look_goes_in_the_end() -> None:
    with tuned_gc():
        cycle = Cycle()
        reference = weakref.ref(cycle)
        gc.collect()
        del cycle
        for _ in range(SHORT_THRESHOLD - 1):
            gc.collect()
        assert reference() is not None, "it was left out"
        gc.collect()
        assert reference() is None
