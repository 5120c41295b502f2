"""Seeds, commitments and phrases that readers enter."""

import hashlib
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page

from guests import ME, OPEN, query
from kontor.fair import FairDice, commitment, salt_commitment
from kontor.game import shuffled
from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.records import Header, Record, encode
from kontor.server.composition import KontorServer
from kontor.tables.values import Plan, Share
from records.made import EXAMPLE, STRICT, WITHOUT


def test_the_seed_of_a_game_that_was_left_can_be_told(page: Page) -> None:
    text = encode(Record(EXAMPLE.header, EXAMPLE.steps[:30])).decode()
    assert EXAMPLE.ending
    changed = text.replace('["G2","A2"', '["A2","G2"')

    def verdict_with_seed(text: str, seed: str) -> tuple[str, int | None]:
        result = page.evaluate("([text, seed]) => verify(text, { seed })", [text, seed])
        return result["verdict"], result.get("line")

    assert verdict_with_seed(text, "") == ("open", None)
    assert verdict_with_seed(text, EXAMPLE.ending.seed) == ("holds", None)
    for seed in ("00" * 32, "0", EXAMPLE.ending.seed[:-1]):
        assert verdict_with_seed(text, seed) == ("wrong", 1)
    assert verdict_with_seed(changed, "") == ("open", None)
    assert verdict_with_seed(changed, EXAMPLE.ending.seed) == ("wrong", 3)


def test_a_commitment_that_was_noted_is_compared(page: Page) -> None:
    """Check that a noted commitment reveals a dealer who changed the seed, and everything that follows from it.

    Nothing else would reveal this.
    """
    text = encode(EXAMPLE).decode()
    script = "([text, noted]) => { const { verdict, line } = verify(text, { noted }); return [verdict, line]; }"
    assert page.evaluate(script, [text, EXAMPLE.header.commitment]) == ["holds", None]
    assert page.evaluate(script, [text, commitment(bytes(32))]) == ["wrong", 1]


NOT_DRAWN: Final = "By the eight digits that you noted, the seats were not drawn as line 1 draws them."


def by_place(header: Header, places: Sequence[int]) -> tuple[str, ...]:
    """Return the salts in the order of the places at the table; ``places[seat]`` is the seat's place."""
    return tuple(salt for _, salt in sorted(zip(places, header.salts, strict=True)))


def phrase(header: Header, places: Sequence[int]) -> str:
    """Return the phrase as docs/fair-dice.md defines it."""
    digits = hashlib.sha256("\n".join((header.commitment, *by_place(header, places))).encode()).hexdigest()
    return f"{digits[:4]} {digits[4:8]}"


def drawn_places(record: Record, places: Sequence[int]) -> tuple[int, ...]:
    """Return the places that the dice draw for the seats, if people sat at these places."""
    assert record.ending
    dice = FairDice(bytes.fromhex(record.ending.seed), by_place(record.header, places))
    return tuple(shuffled(range(len(places)), dice.below(1)))


def drawn_seats(service: KontorServer, folder: Path, number: int) -> tuple[Record, tuple[int, ...]]:
    """Return the record and the places of a game of three with strict dice and drawn seats.

    All players ended it early.
    """
    shares = [f"{number} {letter}" for letter in "abc"]
    people = [service.people.guest(name)[0].id for name in ("Anna", "Bernd", "Dora")]
    plan = Plan("dutchman", DutchmanOptions(3), (ME, OPEN, OPEN), order="random", dice="strict")
    query(folder, "UPDATE people SET next_seed = ?", bytes([number] * 32))
    first, *others = [Share(commitment=salt_commitment(share)) for share in shares]
    table = service.opening.open(people[0], plan, first)
    for seat, promise in enumerate(others, 1):
        service.opening.sit(table, seat, people[seat], share=promise)
    for person, share in zip(people, shares, strict=True):
        service.salts.reveal(table, person, share)
    service.early_endings.propose(table, service.opening.seats_of(table, people[0])[0], people[0])
    for person in people[1:]:
        service.early_endings.agree(table, person)
    places = service.tables.fair(table).places
    assert places
    return service.tables.record(table), places


def by_phrase(page: Page, record: Record, noted: str) -> list[Any]:
    """Return the page's verdict on a record, and its further result, for a person who noted this phrase."""
    told_of = "const told = verify(text, { phrase }); return [told.verdict, told.placed ?? told.reason];"
    script = f"([text, phrase]) => {{ {told_of} }}"
    result: list[Any] = page.evaluate(script, [encode(record).decode(), noted])
    return result


def test_the_eight_digits_that_were_noted_are_compared(page: Page) -> None:
    for record in (STRICT, WITHOUT, Record(STRICT.header, STRICT.steps[:9])):
        verdict = "holds" if record.ending else "open"
        noted = phrase(record.header, (0, 1))
        for written in (noted, noted.replace(" ", "")):
            assert by_phrase(page, record, written) == [verdict, "given"]
        assert by_phrase(page, record, "") == [verdict, ""]
        for wrong in ("0000 0000", noted[:4], f"{noted}0", "é"):
            assert by_phrase(page, record, wrong) == [
                "wrong",
                "The eight digits of all shares are not those that you noted.",
            ]
    assert by_phrase(page, EXAMPLE, "545d 60d6") == ["holds", "given"], "as docs/fair-dice.md says"


def test_the_eight_digits_tell_whether_the_seats_were_drawn(page: Page, tmp_path: Path) -> None:
    with KontorServer.open(tmp_path) as service:
        games = [drawn_seats(service, tmp_path, number) for number in range(8)]
    others = 0
    for record, places in games:
        noted = phrase(record.header, places)
        seated = "given" if places == (0, 1, 2) else "drawn"
        assert drawn_places(record, places) == places
        assert by_phrase(page, record, noted) == ["holds", seated]
        for order in permutations(range(3)):
            if order not in ((0, 1, 2), drawn_places(record, order)):
                assert by_phrase(page, record, phrase(record.header, order)) == ["wrong", NOT_DRAWN]
                others += 1
    assert {places == (0, 1, 2) for _, places in games} == {False, True}
    assert others > 20
