"""Hashes and whole numbers that the page computes itself."""

import hashlib
import hmac
from random import Random
from typing import Final

from playwright.sync_api import Page

from kontor.fair import FairDice

STANDARD: Final = {
    "": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq": (
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    "a" * 1_000_000: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
}
"""Examples of FIPS 180 for SHA-256."""


def test_its_hashes_are_those_of_the_standards(page: Page) -> None:
    for message, digest in STANDARD.items():
        assert page.evaluate("text => hex(sha256(utf8.encode(text)))", message) == digest
    # RFC 4231, test case 2.
    hashed = page.evaluate("hex(hmac(utf8.encode('Jefe'), utf8.encode('what do ya want for nothing?')))")
    assert hashed == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    random = Random(4231)
    messages = [random.randbytes(length) for length in range(200)]
    keys = [random.randbytes(length) for length in (0, 1, 32, 63, 64, 65, 131)]
    hashed = page.evaluate(
        "([keys, all]) => keys.map((key) => all.map((text) => hex(hmac(unhex(key), unhex(text)))))",
        [[key.hex() for key in keys], [text.hex() for text in messages]],
    )
    assert hashed == [[hmac.new(key, text, hashlib.sha256).hexdigest() for text in messages] for key in keys]


def test_it_reads_whole_numbers_as_the_document_says(page: Page) -> None:
    random = Random(3)
    for salts in (("zwölf Hufeisen", ""), (), ("", "a\0", "幽霊船 ⚓")):
        seed, line = random.randbytes(32), random.choice((2, 117, 2**40))
        questions = [*range(1, 70), 255, 256, 257, 65_535, 65_536, 65_537, 2**32, 2**53 - 1]
        below = FairDice(seed, salts).below(line)
        script = "([seed, salts, line, all]) => all.map(belowOf(unhex(seed), salts, line))"
        assert page.evaluate(script, [seed.hex(), salts, line, questions]) == [below(n) for n in questions]
