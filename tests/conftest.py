"""What holds in every test: nothing is said that the catalogues could not say, and nothing has to be quick."""

from __future__ import annotations

import gc
import re
from collections import Counter
from collections.abc import Iterator
from inspect import signature

import httpx
import pytest
from hypothesis import settings

from catalogues import said
from kontor.game import Refusal
from kontor.words import Words
from postgresql import Server, server
from profiles import PROFILE
from timeouts import HANG_TIMEOUT
from turns import LAST_GROUP

settings.load_profile(PROFILE)

# What comes while tests are collected, stays: to look through it for garbage takes a third of the time.
gc.disable()

# HTTPX gives up after five seconds, which a busy machine may need: all its functions share this default.
_usual: httpx.Timeout = signature(httpx.get).parameters["timeout"].default
_usual.connect = _usual.read = _usual.write = _usual.pool = HANG_TIMEOUT

# HTTPX reads all the certificates there are, anew for each client: a hundredth of a second or three. Here they are
# read once.
_certificates = httpx.create_ssl_context()
_functions = (httpx.get, httpx.options, httpx.head, httpx.post, httpx.put, httpx.delete)
for _function in (*_functions, httpx.Client.__init__):
    assert _function.__kwdefaults__
    _function.__kwdefaults__["verify"] = _certificates

_say, _count, _refuse = Words.say, Words.count, Refusal.__init__
_known: set[str] = set()
_unknown: set[str] = set()


def _heard(*sentences: str) -> None:
    _unknown.update(sentence for sentence in sentences if sentence and sentence not in _known)


def _saying(words: Words, sentence: str, /, **details: object) -> str:
    _heard(sentence)
    return _say(words, sentence, **details)


def _counting(words: Words, singular: str, plural: str, n: int, /, **details: object) -> str:
    _heard(singular, plural)
    return _count(words, singular, plural, n, **details)


def _refusing(refusal: Refusal, rule: str, reason: str, **details: object) -> None:
    _heard(reason)
    _refuse(refusal, rule, reason, **details)


_BEYOND_PYTHON = ("browser", "fault", "postgresql", "process")
_BY_FIXTURE = {"chromium": "browser", "firefox": "browser", "postgres": "postgresql", "database": "postgresql"}


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """``./test --quick`` leaves out what these markers name; the others are written where the tests are.

    Where several processes share the tests, large groups and long tests come first, and then all that use more than
    Python: one that began late would keep all waiting. Then there are small ones to share, and at the end those that
    want a quiet machine (:data:`turns.LAST`).
    """
    for item in items:
        assert isinstance(item, pytest.Function)
        marks = {mark for fixture, mark in _BY_FIXTURE.items() if fixture in item.fixturenames}
        if re.search(r"[-[ ]postgresql\b", item.name):
            marks.add("postgresql")
        if "faults" in item.path.parts:
            marks.add("fault")
        for mark in sorted(marks):
            item.add_marker(mark)
    yield
    if hasattr(config, "workerinput"):
        sizes = Counter(map(_group, items))
        items.sort(key=lambda item: (_group(item) == LAST_GROUP, -sizes[_group(item)], _turn(item)))


def _turn(item: pytest.Item) -> int:
    """Return which tests begin before others: those with a smaller number."""
    if item.get_closest_marker("long"):
        return 0
    return 1 if any(map(item.get_closest_marker, _BEYOND_PYTHON)) else 2


def _group(item: pytest.Item) -> str:
    """Return the name of the tests that run in one process with this one; its own where there are no others."""
    marker = item.get_closest_marker("xdist_group")
    return marker.args[0] if marker else item.nodeid


def pytest_collection_finish() -> None:
    """What is there by now stays until the end: the collector of garbage need not look through it again and again,
    which takes a tenth of the processor."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def listening() -> Iterator[None]:
    """Listens to all that is said, also by servers that a test has open."""
    _known.update(said())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Words, "say", _saying)
        patch.setattr(Words, "count", _counting)
        patch.setattr(Refusal, "__init__", _refusing)
        yield


@pytest.fixture(autouse=True)
def no_sentence_outside_the_catalogues(listening: None) -> Iterator[None]:
    """Sentences come from calls in the source, or are marked there; one that was put together is in no catalogue.

    What the catalogues have is exactly what is collected from the source: ``test_catalogues.py`` holds them to it.
    """
    _unknown.clear()
    yield
    assert not _unknown, "said, but in no catalogue: mark() them where they are written, and run tests/catalogues.py"


@pytest.fixture(scope="session")
def postgres(listening: None) -> Iterator[Server]:
    """A PostgreSQL server for all tests of a process. Where it is not installed, they are skipped; under CI they
    fail."""
    with server() as started:
        yield started


@pytest.fixture
def database(postgres: Server) -> Iterator[str]:
    """The address of a database that nobody else uses, with an empty server in it."""
    name = postgres.create()
    yield postgres.address(name)
    postgres.drop(name)
