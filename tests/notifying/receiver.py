"""A stranger's https server with a self-signed certificate. It keeps all that is posted to it."""

from __future__ import annotations

import ssl
import threading
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from kontor.notifying.public_https import Poster
from timeouts import HANG_TIMEOUT

NAME = "hooks.example"


@dataclass(frozen=True)
class Posted:
    """A request that was posted."""

    path: str
    headers: dict[str, str]
    body: bytes


class Receiver:
    """A server that responds with ``status`` (and ``headers``) for as long as a ``with`` block lasts."""

    def __init__(self, folder: Path) -> None:
        self.posted: list[Posted] = []
        self.status = 204
        self.headers: dict[str, str] = {}
        self.answers = threading.Event()
        """An event for which requests wait; it is set unless a test clears it."""
        self.answers.set()
        self.waiting: Counter[str] = Counter()
        """The number of requests waiting for a response, by path."""
        self.most_waiting: Counter[str] = Counter()
        self._lock = threading.Lock()
        self.certificate = _certificate(folder)
        self._trusts = ssl.create_default_context(cafile=str(self.certificate))
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["content-length"])
                body = self.rfile.read(length)
                if len(body) < length:
                    return  # the client has died
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.posted.append(Posted(self.path, headers, body))
                receiver.hold(self.path.partition("?")[0])
                self.send_response(receiver.status)
                for name, value in receiver.headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, *_: object) -> None:
                """Ignore errors of clients that have died, or found the certificate wrong."""

        self._server = Server(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate)
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def hold(self, path: str) -> None:
        """Wait until responses may be sent; count the requests that wait."""
        with self._lock:
            self.waiting[path] += 1
            self.most_waiting[path] = max(self.most_waiting[path], self.waiting[path])
        self.answers.wait(HANG_TIMEOUT)
        with self._lock:
            self.waiting[path] -= 1

    @property
    def origin(self) -> str:
        """Return the server's origin, by its name."""
        return f"https://{NAME}:{self.port}"

    @property
    def url(self) -> str:
        """Return a webhook URL as a person would give it."""
        return f"{self.origin}/hook?key=1"

    def poster(self) -> Poster:
        """Return a poster that may reach this non-public address, and trusts the certificate."""
        return Poster(lambda: self._trusts, lambda host, port: ["127.0.0.1"], lambda address: True)

    def take(self) -> list[Posted]:
        """Return the requests since the last call."""
        posted, self.posted = self.posted, []
        return posted

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _certificate(folder: Path) -> Path:
    """Write a certificate with its key into one file, and return the file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "certificate.pem"
    file.write_bytes(
        certificate.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return file
