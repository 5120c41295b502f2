"""``kontor serve`` with what a test cannot have: servers of strangers in the world, and passing days.

``python -m notifying.serving CERTIFICATE CLOCK …`` serves like ``kontor serve …``. It resolves every name to this
machine, trusts the certificate alone, and its clock is put forward by the seconds in the file ``CLOCK``. This is only
possible here, in the tests: the real program has no option and no variable for it.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from folders import with_database
from kontor.cli.serve import main
from kontor.notifying import posting
from kontor.server.composition import KontorServer, utc_now
from kontor.words import Words
from notifying.receiver import Receiver
from web.test_serve import LANGUAGE


class Serving:
    """A server in a process of its own, and its clock."""

    def __init__(self, address: str, clock: Path) -> None:
        self.address = address
        self._clock = clock
        self._ahead = 0.0

    def tick(self, **span: float) -> None:
        """Put the clock forward."""
        self._ahead += timedelta(**span).total_seconds()
        new = self._clock.with_suffix(".new")
        new.write_text(str(self._ahead))
        new.replace(self._clock)


@contextmanager
def serves(folder: Path, receiver: Receiver, *options: str) -> Iterator[Serving]:
    """Run a server for as long as the block lasts."""
    clock = folder / "clock"
    clock.write_text("0")
    data = ("--port", "0", "--thinkers", "1", "--data", str(with_database(folder / "server")))
    command = (sys.executable, "-m", "notifying.serving", str(receiver.certificate), str(clock), *data, *options)
    environment = {**LANGUAGE, "PYTHONPATH": ":".join(filter(None, sys.path))}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout
            yield Serving(process.stdout.readline().strip(), clock)
        finally:
            process.kill()


if __name__ == "__main__":
    certificate, clock, *arguments = sys.argv[1:]
    setattr(posting, "COMMAND", (sys.executable, "-P", "-m", "notifying.posting", certificate))  # noqa: B010

    def now() -> datetime:
        return utc_now() + timedelta(seconds=float(Path(clock).read_text()))

    setattr(KontorServer, "open", partial(KontorServer.open, now=now))  # noqa: B010
    sys.exit(main(arguments, Words("en")))
