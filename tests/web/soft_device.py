"""Device that keeps passkeys, for the tests: it sends what a browser sends, correct or with a fault."""

import base64
import json
import os
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

_PRESENT_AND_VERIFIED = 0x05
_ATTESTED = 0x40


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "==")


class SoftDevice:
    """Device with one passkey. Its public attributes can be changed before it answers."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.host = origin.partition("://")[2].partition(":")[0]
        self.id = os.urandom(32)
        self.user = b""
        self.counter = 0
        self.key = ec.generate_private_key(ec.SECP256R1())

    def create(self, options: dict[str, Any]) -> str:
        """Return the response of ``navigator.credentials.create``."""
        self.user = decode(options["user"]["id"])
        numbers = self.key.public_key().public_numbers()
        point = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        attested = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(point)
        statement = {"fmt": "none", "attStmt": {}, "authData": self._data(_ATTESTED) + attested}
        client = self._client("webauthn.create", options["challenge"])
        return self._answer(clientDataJSON=client, attestationObject=cbor2.dumps(statement))

    def get(self, options: dict[str, Any]) -> str:
        """Return the response of ``navigator.credentials.get``."""
        self.counter += 1
        client, data = self._client("webauthn.get", options["challenge"]), self._data()
        signature = self.key.sign(data + sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._answer(clientDataJSON=client, authenticatorData=data, signature=signature, userHandle=self.user)

    def _data(self, flags: int = 0) -> bytes:
        count = self.counter.to_bytes(4, "big")
        return sha256(self.host.encode()).digest() + bytes([_PRESENT_AND_VERIFIED | flags]) + count

    def _client(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _answer(self, **parts: bytes) -> str:
        response = {name: encode(part) for name, part in parts.items()}
        return json.dumps(
            {"id": encode(self.id), "rawId": encode(self.id), "type": "public-key", "response": response}
        )
