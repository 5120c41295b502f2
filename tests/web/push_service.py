"""Push service of Firefox, which speaks the protocol of Mozilla's own: JSON over a WebSocket.

A browser says hello, and registers a channel for each subscription. It gets an address for it, to which messages are
posted (RFC 8030). They are passed on unchanged, because only the browser can decrypt them.
"""

import base64
import json
import threading
from contextlib import suppress
from typing import Any, Self

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

from timeouts import waited_for


class PushService:
    """Push service for browsers within a ``with`` block; ``address`` is the base of the channels' addresses."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._browsers: dict[str, ServerConnection] = {}
        """Browsers by their channels."""
        self.acknowledged: list[str] = []
        """Versions of messages that browsers have decrypted, and passed to their service workers."""
        self._server = serve(self._answer, "127.0.0.1", 0)
        self.url = f"ws://127.0.0.1:{self._server.socket.getsockname()[1]}/"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def hand_on(self, path: str, body: bytes, version: str) -> None:
        """Send a browser what was posted to its channel; return once the browser has decrypted it."""
        channel = path.rpartition("/")[2]
        data = base64.urlsafe_b64encode(body).rstrip(b"=").decode()
        message = {"messageType": "notification", "channelID": channel, "version": version, "data": data}
        self._browsers[channel].send(json.dumps(message | {"headers": {"encoding": "aes128gcm"}}))
        waited_for(lambda: version in self.acknowledged)

    def _answer(self, browser: ServerConnection) -> None:
        with suppress(ConnectionClosed):  # a browser that is killed doesn't say goodbye
            for text in browser:
                self._hear(browser, json.loads(text))

    def _hear(self, browser: ServerConnection, message: dict[str, Any]) -> None:
        match message.get("messageType"):
            case "hello":
                answer = {"uaid": "0" * 32, "status": 200, "use_webpush": True, "broadcasts": {}}
                browser.send(json.dumps({"messageType": "hello", **answer}))
            case "register":
                channel = message["channelID"]
                self._browsers[channel] = browser
                answer = {"channelID": channel, "status": 200, "pushEndpoint": f"{self._address}/{channel}"}
                browser.send(json.dumps({"messageType": "register", **answer}))
            case "ack":
                self.acknowledged += [update["version"] for update in message["updates"] if update.get("code") == 100]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
