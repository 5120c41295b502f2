"""Debian's Firefox, driven by its own Marionette protocol: JSON over a socket, after the length of it in bytes.

Playwright drives only its own builds of Firefox. The tests need little of it: a page, its elements, and a mouse.
"""

import json
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from timeouts import HANG_TIMEOUT, waited_for

PREFERENCES: Final = {
    "marionette.port": 0,  # any free port
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.enabled": False,
    "browser.newtabpage.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "browser.safebrowsing.downloads.remote.enabled": False,
    "extensions.getAddons.cache.enabled": False,
    "intl.accept_languages": "en",
}


IN_FIREFOX: Final = pytest.mark.xdist_group("firefox")
"""Mark for tests in Firefox: they run in one process, because it takes long to start."""


class Firefox:
    """Firefox with one window."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._stream = connection.makefile("rb")
        self._message_id = 0
        self._read()  # it introduces itself first
        self._do("WebDriver:NewSession", capabilities={})

    # ------------------------------------------------------------------------------------------------------- actions

    def go(self, address: str) -> None:
        self._do("WebDriver:Navigate", url=address)

    def known_as(self, address: str, token: str) -> None:
        """Sign the browser in on a server by the token of a session."""
        self.go(f"{address}/health")
        self._do("WebDriver:AddCookie", cookie={"name": "kontor", "value": token})

    def resize(self, width: int, height: int) -> None:
        self._do("WebDriver:SetWindowRect", width=width, height=height)

    def press(self, x: float, y: float) -> None:
        """Move the mouse to a point, press its button and release it."""
        move = {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0}
        button = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        mouse = {
            "type": "pointer",
            "id": "mouse",
            "parameters": {"pointerType": "mouse"},
            "actions": [move, {"type": "pause", "duration": 50}, *button],
        }
        self._do("WebDriver:PerformActions", actions=[mouse])

    def type(self, keys: str) -> None:
        """Press keys, one after another, in the element with the focus."""
        pressed = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._do("WebDriver:PerformActions", actions=[{"type": "key", "id": "keys", "actions": pressed}])

    def click(self, selector: str) -> None:
        box = self.box(selector)
        self.press(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    # ---------------------------------------------------------------------------------------------- reading the page

    def evaluate(self, expression: str, *given: Any) -> Any:
        """Return the value of a JavaScript expression; ``given`` are its ``arguments``."""
        return self._do("WebDriver:ExecuteScript", script=f"return {expression}", args=list(given))["value"]

    def wait_for(self, expression: str, *given: Any) -> None:
        waited_for(lambda: self.evaluate(expression, *given))

    def box(self, selector: str) -> dict[str, float]:
        """Scroll an element into view, and return its box within the window."""
        rectangle: dict[str, float] = self.evaluate(
            """(() => {
              const element = document.querySelector(arguments[0]);
              element.scrollIntoView({ block: "center", behavior: "instant" });
              const { x, y, width, height } = element.getBoundingClientRect();
              return { x, y, width, height };
            })()""",
            selector,
        )
        return rectangle

    # --------------------------------------------------------------------------------------------------- the protocol

    def quit(self) -> None:
        self._do("Marionette:Quit", flags=["eForceQuit"])
        self._stream.close()
        self._connection.close()

    def _do(self, command: str, **parameters: Any) -> Any:
        self._message_id += 1
        message = json.dumps([0, self._message_id, command, parameters]).encode()
        self._connection.sendall(b"%d:%b" % (len(message), message))
        _, answered, error, result = self._read()
        assert answered == self._message_id
        assert error is None, f"{command}: {error}"
        return result

    def _read(self) -> Any:
        length = b""
        while (digit := self._stream.read(1)) != b":":
            assert digit, "Firefox has gone"
            length += digit
        return json.loads(self._stream.read(int(length)))


def firefox_path() -> str:
    """Return the path of Firefox. Without it a test is skipped; under CI it fails."""
    path = shutil.which("firefox-esr")
    if path is None:
        reason = "firefox-esr is not installed: nothing is tried in Firefox (apt-get install firefox-esr)"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return path


@contextmanager
def run_firefox(program: str, profile: Path, **more: Any) -> Iterator[Firefox]:
    """Yield a headless Firefox with a new profile; ``more`` are preferences, with ``__`` for their dots."""
    preferences = {**PREFERENCES, **{name.replace("__", "."): value for name, value in more.items()}}
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in preferences.items()]
    profile.joinpath("user.js").write_text("\n".join(lines), "utf-8")
    command = (program, "--headless", "--no-remote", "--marionette", "--profile", str(profile))
    environment = {**os.environ, "HOME": str(profile)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            firefox = Firefox(_connect(profile / "MarionetteActivePort"))
            yield firefox
            firefox.quit()
        finally:
            process.kill()


def _connect(port: Path) -> socket.socket:
    """Return a connection to the port that Firefox wrote down when it began to listen."""
    number = waited_for(lambda: port.read_text().strip() if port.exists() else None)
    connection = socket.create_connection(("127.0.0.1", int(number)))
    connection.settimeout(HANG_TIMEOUT)
    return connection
