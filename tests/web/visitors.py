"""Guests of the server that a test takes as ``served``; their browsers run no scripts."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from web.guests import Guest


def _visitor(name: str) -> Callable[[Any], Iterator[Guest]]:
    """Return the fixture of a guest with this name; an empty one is not yet given."""

    @pytest.fixture
    def visitor(served: Any) -> Iterator[Guest]:
        with served.guest(name) as guest:
            yield guest

    return visitor


anna = _visitor("Anna")
bernd = _visitor("Bernd")
carla = _visitor("Carla")
stranger = _visitor("")
