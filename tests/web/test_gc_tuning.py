"""Garbage collector: its runs are short, in nobody's way, and nothing is cycles for ever."""

import gc
import weakref
from collections.abc import Iterator

import pytest
import uvicorn
from anyio.from_thread import start_blocking_portal

from kontor.server.gc_tuning import SHORT_COLLECTIONS, Collector, no_gc
from kontor.server.serving import _Server
from kontor.web.live.hub import Hub


class Cycle:
    """Garbage that only a cycle collector finds."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(scope="module", autouse=True)
def exempt_again() -> Iterator[None]:
    """Collect what these tests leave, and exempt the rest once more: to look through it takes half a second."""
    yield
    gc.unfreeze()
    gc.collect()
    gc.freeze()


@pytest.fixture
def collector() -> Iterator[Collector]:
    with no_gc():
        yield Collector()


def garbage() -> weakref.ref[Cycle]:
    return weakref.ref(Cycle())


def test_what_outlived_a_full_collection_is_left_out_of_the_next(collector: Collector) -> None:
    cycle = Cycle()
    reference = weakref.ref(cycle)
    collector.collect_all()
    del cycle
    gc.collect()
    assert reference() is not None


def test_nothing_is_collected_before_it_is_due(collector: Collector) -> None:
    gc.collect()
    reference = garbage()
    cycles = [Cycle() for _ in range(10 * gc.get_threshold()[0])]
    assert reference() is not None, "Python collects nothing by itself"
    collector.collect_due()
    assert reference() is None
    reference = garbage()
    collector.collect_due()
    assert reference() is not None, "too little is new"
    del cycles


def test_a_server_collects_at_its_ticks() -> None:
    server = _Server(uvicorn.Config("a:page"), Hub(most=1), lambda: None)
    with no_gc(), start_blocking_portal() as portal:
        gc.collect()
        reference = garbage()
        cycles = [Cycle() for _ in range(2 * gc.get_threshold()[0])]
        portal.call(server.on_tick, 1)
        assert reference() is None
        del cycles


def test_all_generations_are_collected_in_time(collector: Collector) -> None:
    young, middle, _ = gc.get_threshold()
    gc.collect()
    cycle, reference = Cycle(), garbage()
    old = weakref.ref(cycle)
    collector.collect_due()
    gc.collect(1)
    del cycle  # it has outlived two collections: only a full one finds it
    for _ in range(2 * middle * middle):
        cycles = [Cycle() for _ in range(2 * young)]
        collector.collect_due()
        del cycles
    assert (reference(), old()) == (None, None)


def test_while_a_server_is_loaded_nothing_is_looked_at() -> None:
    with no_gc():
        with no_gc():
            assert not gc.isenabled()
        assert not gc.isenabled(), "one in another changes nothing"
    assert gc.isenabled()


@pytest.mark.long
def test_garbage_that_outlived_a_full_collection_goes_in_the_end(collector: Collector) -> None:
    cycle = Cycle()
    reference = weakref.ref(cycle)
    collector.collect_all()
    del cycle
    for _ in range(SHORT_COLLECTIONS - 1):
        collector.collect_all()
    assert reference() is not None, "it was left out"
    collector.collect_all()
    assert reference() is None
