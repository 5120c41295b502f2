"""Processes that leave the cores to others."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Final

_OF_SESSION: Final = Path("/proc/self/autogroup")
"""Linux shares the cores among sessions first, by a niceness of theirs, and then within each (sched(7),
*The autogroup feature*): in a session of its own a process is not nice to anybody."""

_PAUSE: Final = 0.15
"""Seconds: the sessions of a whole system change their niceness at most once in a tenth of one."""

_TRIES: Final = 5


def lower_priority(nice: int) -> None:
    """This process, and the session that it leads, by so much (0 to 19). Where a system knows no such thing, all
    stays as it is."""
    if hasattr(os, "nice"):
        os.nice(nice)
    if hasattr(os, "getsid") and os.getsid(0) == os.getpid():
        _lower_session(nice)


def _lower_session(nice: int) -> None:
    for _ in range(_TRIES):
        try:
            _OF_SESSION.write_text(str(nice))
        except BlockingIOError:
            time.sleep(_PAUSE)
        except OSError:  # no such feature, or a container that lets nothing be written there
            return
        else:
            return
