"""Rules for every test: no sentence is used that the catalogues lack, and no time limit of HTTPX applies."""

import gc
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from inspect import signature
from typing import Any

import httpx
import pytest
from hypothesis import settings
from sqlalchemy import Engine
from sqlalchemy.util import LRUCache

from catalogues import catalogue_sentences, source_sentences
from kontor.game import Refusal
from kontor.web.pages import assets
from kontor.words import Words
from postgresql import Server, server
from profiles import PROFILE
from timeouts import HANG_TIMEOUT
from turns import LAST_GROUP

settings.load_profile(PROFILE)

pytest_plugins = ["servers", "web.visitors"]

# Objects made during collection stay: to look through them for garbage takes a third of the time.
gc.disable()

# HTTPX gives up after five seconds, which a busy machine may need. All its functions share this default.
_usual: httpx.Timeout = signature(httpx.get).parameters["timeout"].default
_usual.connect = _usual.read = _usual.write = _usual.pool = HANG_TIMEOUT

# HTTPX reads all certificates anew for each client, which takes 10 to 30 ms. Here they are read once.
_certificates = httpx.create_ssl_context()
_functions = (httpx.request, httpx.get, httpx.options, httpx.head, httpx.post, httpx.put, httpx.delete)
for _function in (*_functions, httpx.Client.__init__):
    assert _function.__kwdefaults__
    _function.__kwdefaults__["verify"] = _certificates


class _Statements(LRUCache[Any, Any]):
    """Statements as SQL, shared by all engines: one of its own for each takes a quarter of the time of many tests."""

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get((type(key[0]), *key[1:]), default)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__((type(key[0]), *key[1:]), value)


_statements = _Statements(2000)

_say, _count, _refuse = Words.say, Words.count, Refusal.__init__
_sentences: set[str] = set()
_unknown: set[str] = set()


def _note(*sentences: str) -> None:
    _unknown.update(sentence for sentence in sentences if sentence and sentence not in _sentences)


def _saying(words: Words, sentence: str, /, **details: object) -> str:
    _note(sentence)
    return _say(words, sentence, **details)


def _counting(words: Words, singular: str, plural: str, n: int, /, **details: object) -> str:
    _note(singular, plural)
    return _count(words, singular, plural, n, **details)


def _refusing(refusal: Refusal, rule: str, reason: str, **details: object) -> None:
    _note(reason)
    _refuse(refusal, rule, reason, **details)


_FEATURES = (
    *("accounts", "challenges", "following", "holidays", "lobby", "notifying", "own_records", "people", "ratings"),
    *("tables", "tournaments"),
)
_ON_BOTH = (
    *("test_mailboxes.py", "test_seeking.py", "test_visits.py"),  # their statements differ by the kind of database
    *("test_clearing.py", "test_move.py", "test_races.py", "test_stored_ratings.py"),  # about transactions and sizes
)
"""Files of features whose tests run on PostgreSQL in ``./test`` too."""

_ON_ONE = ("test_clock_jumps.py", "test_kill.py")
"""Files beside features that do not: in ``faults``, two servers on PostgreSQL are killed and stopped anyway."""

_BEYOND_PYTHON = ("browser", "fault", "postgresql", "process")
_BY_FIXTURE = {"chromium": "browser", "firefox": "browser", "postgres": "postgresql", "database": "postgresql"}


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Order the tests; ``--quick`` leaves out those with the markers named here, others are marked in the tests.

    Where several processes share the tests, large groups and long tests come first, and then all that use more than
    Python. One that began late would keep all waiting. Then there are small ones to share, and at the end those that
    want a quiet machine (:data:`turns.LAST`).
    """
    for item in items:
        assert isinstance(item, pytest.Function)
        marks = {mark for fixture, mark in _BY_FIXTURE.items() if fixture in item.fixturenames}
        if re.search(r"[-[ ]postgresql\b", item.name):
            marks.add("postgresql")
        if "faults" in item.path.parts:
            marks.add("fault")
        if "training" in item.path.parts and item.get_closest_marker("long"):
            marks.add("extended")
        if _repeats_on_postgresql(item):
            marks.add("extended")
        for mark in sorted(marks):
            item.add_marker(mark)
    yield
    if hasattr(config, "workerinput"):
        sizes = Counter(map(_group, items))
        items.sort(key=lambda item: (_group(item) == LAST_GROUP, -sizes[_group(item)], _turn(item)))


def _repeats_on_postgresql(item: pytest.Function) -> bool:
    """Return True for the second run of such a test: it has passed in SQLite, and ``./test --all`` runs both."""
    is_second = hasattr(item, "callspec") and item.callspec.params.get("place") == "postgresql"
    is_of_feature = item.path.parent.name in _FEATURES and item.path.name not in _ON_BOTH
    return is_second and (is_of_feature or item.path.name in _ON_ONE)


def _turn(item: pytest.Item) -> int:
    """Return a test's rank in the order: tests with a smaller number begin first."""
    if item.get_closest_marker("long"):
        return 0
    return 1 if any(map(item.get_closest_marker, _BEYOND_PYTHON)) else 2


def _group(item: pytest.Item) -> str:
    """Return the name of the group of tests that share a process with this one; its own id if there are no others."""
    marker = item.get_closest_marker("xdist_group")
    return marker.args[0] if marker else item.nodeid


def pytest_collection_finish() -> None:
    """Exempt the objects made so far from garbage collection, which otherwise takes a tenth of the processor time."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Collect all garbage, then exempt what is left: pytest looks through it five times before it ends.

    It does so for exceptions in finalizers, which are raised here too and reported by it.
    """
    for _ in range(5):
        if not gc.collect():
            break
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def listening() -> Iterator[None]:
    """Record all sentences in use, also those of servers that a test keeps open."""
    _sentences.update(catalogue_sentences())
    with pytest.MonkeyPatch.context() as patch:
        # Each application shortens and compresses all static files, which takes 50 ms. Here each file is done once.
        patch.setattr(assets, "_asset", cache(assets._asset))
        patch.setattr(Words, "say", _saying)
        patch.setattr(Words, "count", _counting)
        patch.setattr(Refusal, "__init__", _refusing)
        patch.setattr(Engine, "_compiled_cache", property(lambda _: _statements, lambda *_: None), raising=False)
        yield


@pytest.fixture(autouse=True)
def no_sentence_outside_the_catalogues(listening: None) -> Iterator[None]:
    """Fail a test that uses a sentence outside the catalogues.

    Sentences come from calls in the source, or are marked there; a sentence put together at run time is in no
    catalogue. New sentences of the source may be missing there until the release.
    """
    _unknown.clear()
    yield
    # Collecting the sentences of the source takes a while.
    unmarked = _unknown and _unknown - source_sentences()
    assert not unmarked, "said, but not collected: mark() these sentences where they are written"


@pytest.fixture(scope="session")
def postgres(listening: None) -> Iterator[Server]:
    """Start a PostgreSQL server for all tests of a process.

    Where PostgreSQL is not installed, the tests are skipped; under CI they fail.
    """
    with server() as started:
        yield started


@pytest.fixture
def database(postgres: Server) -> Iterator[str]:
    """Return the address of a database of its own with an empty server in it."""
    name = postgres.create()
    yield postgres.address(name)
    postgres.drop(name)
