"""The LRU cache, compared with a plain list of lookups."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kontor.lru_cache import LruCache

MOST, FEW = 3, 2


STEPS = st.tuples(st.sampled_from(("keep", "get", "forget")), st.integers(0, 6), st.integers(0, 5))


@given(st.lists(STEPS))
def test_what_was_asked_for_last_is_kept_and_few_of_what_is_done(steps: list[tuple[str, int, int]]) -> None:
    """Use numbers as things: greater is newer, and 4 and more is done. The model lists the last lookup last."""
    recent: LruCache[int, int] = LruCache(MOST, FEW, lambda thing: thing >= 4, lambda kept, thing: thing >= kept)
    model: list[tuple[int, int]] = []
    for what, key, thing in steps:
        known = dict(model).get(key)
        rest = [pair for pair in model if pair[0] != key]
        if what == "get":
            assert recent.get(key) == known, (steps, model)
            model = rest if known is None else [*rest, (key, known)]
        elif what == "forget":
            recent.forget(key)
            model = rest
        else:
            recent.keep(key, thing)
            model = [*rest, (key, thing if known is None else max(known, thing))]
            going = [pair for pair in model if pair[1] < 4][-MOST:]
            done = [pair for pair in model if pair[1] >= 4][-FEW:]
            model = [pair for pair in model if pair in going or pair in done]
        assert len(recent) == len(model), (steps, model)


def test_without_a_word_on_it_the_last_is_the_newest() -> None:
    recent: LruCache[str, int] = LruCache(1, 1, lambda thing: False)
    recent.keep("a", 2)
    recent.keep("a", 1)
    assert recent.get("a") == 1
