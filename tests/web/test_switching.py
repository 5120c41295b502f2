"""Threads of a server give way sooner than Python lets them, as long as it serves."""

from __future__ import annotations

import sys

import pytest

from kontor.web.server.switching import SWITCH_INTERVAL, short_switch_interval


def test_threads_give_way_sooner_while_a_server_runs() -> None:
    before = sys.getswitchinterval()
    with short_switch_interval():
        assert sys.getswitchinterval() == pytest.approx(SWITCH_INTERVAL)
    assert sys.getswitchinterval() == before
