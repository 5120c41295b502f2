"""The LRU cache, compared with a plain list of lookups."""

from hypothesis import given
from hypothesis import strategies as st

from kontor.lru_cache import LruCache

MOST, FEW = 3, 2


STEPS = st.tuples(st.sampled_from(("keep", "get", "forget")), st.integers(0, 6), st.integers(0, 5))


@given(st.lists(STEPS))
def test_what_was_asked_for_last_is_kept_and_few_of_what_is_done(steps: list[tuple[str, int, int]]) -> None:
    """Use numbers as things: greater is newer, and 4 and more is done. The model lists the last lookup last."""
    recent: LruCache[int, int] = LruCache(MOST, FEW, lambda thing: thing >= 4, lambda cached, thing: thing >= cached)
    model: list[tuple[int, int]] = []
    for operation, key, thing in steps:
        cached = dict(model).get(key)
        rest = [pair for pair in model if pair[0] != key]
        if operation == "get":
            assert recent.get(key) == cached, (steps, model)
            model = rest if cached is None else [*rest, (key, cached)]
        elif operation == "forget":
            recent.forget(key)
            model = rest
        else:
            recent.keep(key, thing)
            model = [*rest, (key, thing if cached is None else max(cached, thing))]
            going = [pair for pair in model if pair[1] < 4][-MOST:]
            done = [pair for pair in model if pair[1] >= 4][-FEW:]
            model = [pair for pair in model if pair in going or pair in done]
        assert len(recent) == len(model), (steps, model)


def test_without_a_word_on_it_the_last_is_the_newest() -> None:
    recent: LruCache[str, int] = LruCache(1, 1, lambda thing: False)
    recent.keep("a", 2)
    recent.keep("a", 1)
    assert recent.get("a") == 1
