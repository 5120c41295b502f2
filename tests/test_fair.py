"""Fair dice, compared with docs/fair-dice.md: its worked example, and a verifier written from it alone."""

import hashlib
import hmac
import json
import random
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kontor import records
from kontor.fair import SEED_BYTES, FairDice, commitment, message, new_seed, reading, salt_commitment
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.plugins import games
from profiles import scale_examples
from records.made import EXAMPLE, OPTIONS, at_random, play_record

PAGE = (Path(__file__).parents[1] / "docs" / "fair-dice.md").read_text("utf-8")
SEED = bytes(range(32))


def draw_numbers(dice: FairDice, line: int, n: int, times: int) -> list[int]:
    below = dice.below(line)
    return [below(n) for _ in range(times)]


# ------------------------------------------------------------------------------------------------------ the dice


def test_the_same_questions_get_the_same_answers() -> None:
    dice = FairDice(SEED, ("a", "b"))
    below = dice.below(7)
    first = [below(n) for n in range(1, 200)]
    below = FairDice(SEED, ("a", "b")).below(7)
    assert [below(n) for n in range(1, 200)] == first


@pytest.mark.parametrize(
    ("seed", "salts", "line"),
    [
        (bytes(32), ("a", "b"), 7), (SEED, ("a", "c"), 7), (SEED, ("b", "a"), 7), (SEED, ("ab", ""), 7),
        (SEED, ("", "ab"), 7), (SEED, ("a", "b", ""), 7), (SEED, ("a\0\0\0\1b",), 7), (SEED, ("a", "b"), 8),
        (SEED, ("a", "b"), 7 + 2**32),
    ],
)  # fmt: skip
def test_another_seed_other_salts_and_another_line_give_another_stream(
    seed: bytes, salts: tuple[str, ...], line: int
) -> None:
    one = draw_numbers(FairDice(SEED, ("a", "b")), 7, 1000, 20)
    other = draw_numbers(FairDice(seed, salts), line, 1000, 20)
    assert sum(a == b for a, b in zip(one, other, strict=True)) < 5


@given(
    one=st.tuples(st.lists(st.text(max_size=6), max_size=4).map(tuple), st.integers(0, 2**64 - 1)),
    other=st.tuples(st.lists(st.text(max_size=6), max_size=4).map(tuple), st.integers(0, 2**64 - 1)),
)
def test_different_questions_are_never_written_alike(
    one: tuple[tuple[str, ...], int], other: tuple[tuple[str, ...], int]
) -> None:
    assert (message(*one, 0) == message(*other, 0)) == (one == other)


def test_seeds_are_new_and_only_whole_ones_are_taken() -> None:
    seeds = {new_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert {len(seed) for seed in seeds} == {SEED_BYTES}
    with pytest.raises(ValueError, match="a seed has 32 bytes, not 31"):
        FairDice(bytes(31), ())
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


def test_a_commitment_to_a_salt_is_the_hash_of_its_utf_8() -> None:
    expected = "8db4863be83bfb05c33219bad4fd9a22adab14bfd669e42a77a1bfd679eeec7f"
    assert salt_commitment("zwölf Hufeisen") == expected
    assert salt_commitment("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"  # FIPS 180


def test_a_number_below_nothing_is_no_question() -> None:
    with pytest.raises(ValueError, match="no whole number from 0 to -1"):
        FairDice(SEED, ()).below(2)(0)


# ------------------------------------------------------------------------------------------------------- fairness


def test_every_answer_stands_for_equally_many_readings() -> None:
    for n in (*range(1, 2**10), 2**16 - 1, 2**16, 2**16 + 1, 10**9):
        size, fair = reading(n)
        assert 256**size >= n
        assert size == 0 or 256 ** (size - 1) < n
        assert fair % n == 0
        assert 256**size - fair < n
        if size == 1:  # all of them, counted
            assert set(Counter(x % n for x in range(256) if x < fair).values()) == {256 // n}


@pytest.mark.parametrize(
    "n", [2, 3, 5, 6, 7, 36, 43, 48, 60, 100, 129, 200, 256, 257, 1000, 49_152, 65_536, 65_537, 100_000, 12_345_678]
)
def test_answers_are_uniform(n: int) -> None:
    """Check by chi-square: a modulo without rejection fails by far.

    It gives some numbers below 200, 49,152 or 12,345,678 twice as often. Draws come from many lines, as in a game.
    """
    parts = min(n, 20)
    draws = 20_000
    counts = Counter(
        number * parts // n
        for line in range(2, 1002)
        for number in draw_numbers(FairDice(SEED, ("x", "")), line, n, draws // 1000)
    )
    square = 0.0
    for part in range(parts):
        share = (-(-(part + 1) * n // parts) - -(-part * n // parts)) / n  # of the numbers that fall in this part
        expected = draws * share
        square += (counts[part] - expected) ** 2 / expected
    assert square < 2 * parts + 25  # far beyond chance for up to 19 degrees of freedom


def test_a_biased_die_would_be_found() -> None:
    """Check that the bound of the test above finds a biased die."""
    chooser = random.Random(1)
    for n in (200, 49_152):
        size, _ = reading(n)
        counts = Counter(chooser.randrange(256**size) % n * 20 // n for _ in range(20_000))
        assert sum((counts[part] - 1000) ** 2 / 1000 for part in range(20)) > 65


def test_neighbouring_lines_know_nothing_of_each_other() -> None:
    first = [draw_numbers(FairDice(SEED, ("", "")), line, 6, 1)[0] for line in range(2, 7204)]
    counts = Counter(pairwise(first))
    assert len(counts) == 36
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 80


# ---------------------------------------------------------------------------- a verifier written from the document


class Stream:
    """A stream by "The stream of a line" and "Whole numbers"."""

    def __init__(self, seed: bytes, salts: list[str], line: int) -> None:
        self.seed, self.salts, self.line = seed, salts, line
        self.counter = 0
        self.bytes = b""

    def message(self) -> bytes:
        text = b"kontor-dice-1" + len(self.salts).to_bytes(4, "big")
        for salt in self.salts:
            text += len(salt.encode("utf-8")).to_bytes(4, "big") + salt.encode("utf-8")
        return text + self.line.to_bytes(8, "big") + self.counter.to_bytes(8, "big")

    def read(self, k: int) -> bytes:
        while len(self.bytes) < k:
            self.bytes += hmac.new(self.seed, self.message(), hashlib.sha256).digest()
            self.counter += 1
        taken, self.bytes = self.bytes[:k], self.bytes[k:]
        return taken

    def below(self, n: int) -> int:
        k = 0
        while 256**k < n:
            k += 1
        m = 256**k // n * n
        x = int.from_bytes(self.read(k), "big")
        while x >= m:
            x = int.from_bytes(self.read(k), "big")
        return x % n


def shanghaien_cards(options: dict[str, Any]) -> list[str]:
    sailors = [letter + value for letter in "ACDFGIST" for value in "12334"]
    return sailors + [trick for trick in ("both", "nudge", "reroll") for _ in range(options["tricks"][trick])]


def verify_shanghaien(lines: list[str]) -> int:
    """Return how many outcomes were recomputed, without the rules; fail where one differs."""
    header, *steps, ending = map(json.loads, lines)
    seed = bytes.fromhex(ending["seed"])
    assert hashlib.sha256(seed).hexdigest() == header["commitment"]
    cards = shanghaien_cards(header["options"])
    verified = 0
    for line, step in enumerate(steps, start=2):
        if "chance" not in step:
            continue
        below = Stream(seed, header["salts"], line).below
        if step["chance"] == "starter":
            assert step == {"chance": "starter", "seat": below(2)}, line
        elif step["chance"] == "row":
            assert step == {"chance": "row", "cards": [cards.pop(below(len(cards))) for _ in range(6)]}, line
        else:
            x = below(36)
            dice = sorted([x // 6 + 1, x % 6 + 1])
            assert step == {"chance": "dice", "low": dice[0], "high": dice[1]}, line
        verified += 1
    return verified


@settings(deadline=None, max_examples=scale_examples(50))
@given(data=st.data())
def test_a_verifier_written_from_the_document_verifies_whole_records(data: st.DataObject) -> None:
    options = data.draw(OPTIONS["shanghaien"]())
    seed = data.draw(st.binary(min_size=32, max_size=32))
    salts = data.draw(st.tuples(*[st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=9)] * 2))
    record = play_record(SHANGHAIEN, options, at_random(data.draw(st.integers(0, 99))), seed, salts)
    lines = records.encode(record).decode().splitlines()
    assert verify_shanghaien(lines) == records.verify(record).outcomes
    assert "cards" in lines[1] or "cards" in lines[2]
    forged = [line.replace('"low":1', '"low":2') for line in lines]
    if forged != lines:
        with pytest.raises(AssertionError):
            verify_shanghaien(forged)


@settings(deadline=None)
@given(
    seed=st.binary(min_size=32, max_size=32),
    salts=st.lists(st.text(max_size=9), max_size=6),
    line=st.integers(1, 2**64 - 1),
    questions=st.lists(st.integers(1, 2**70) | st.integers(1, 300), max_size=40),
)
def test_program_and_document_answer_alike(seed: bytes, salts: list[str], line: int, questions: list[int]) -> None:
    below, stream = FairDice(seed, tuple(salts)).below(line), Stream(seed, salts, line)
    assert [below(n) for n in questions] == [stream.below(n) for n in questions]


# ------------------------------------------------------------------------------------- the document's own numbers


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the table that begins with this heading."""
    lines = PAGE[PAGE.index(heading) :].splitlines()
    return [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines[2 : lines.index("")]]


def worked_example() -> dict[str, str]:
    (block,) = re.findall(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return {line[:12].strip(): line[12:] for line in block.splitlines()}


def test_the_document_says_how_numbers_are_read() -> None:
    table = rows("| n | k | m |")
    assert len(table) == 3
    for n, k, m in table:
        assert (int(k), int(m)) == reading(int(n))


def test_the_worked_example_can_be_recomputed() -> None:
    example = worked_example()
    seed = bytes.fromhex(example["seed"])
    stream = Stream(seed, json.loads(example["salts"]), int(example["line"]))
    assert example["commitment"] == hashlib.sha256(seed).hexdigest()
    assert example["message 0"] == stream.message().hex()
    assert example["block 0"] == stream.read(32).hex()
    assert example["block 1"] == stream.read(32).hex()


def test_the_worked_row_can_be_recomputed() -> None:
    example = worked_example()
    stream = bytes.fromhex(example["block 0"])
    cards = shanghaien_cards({"tricks": {"nudge": 3, "both": 2, "reroll": 3}})
    row = []
    for at, (n, byte, x, outcome, answer) in enumerate(rows("| n | bytes | x |")):
        size, fair = reading(int(n))
        assert size == 1
        assert int(n) == len(cards)
        assert int(byte, 16) == int(x) == stream[at]
        if int(x) >= fair:
            assert (outcome, answer) == (f"≥ {fair}, thrown away", "")
            continue
        card = cards.pop(int(x) % int(n))
        row.append(card)
        assert (outcome, answer.replace("`", "")) == (f"< {fair}", f"{int(x) % int(n)}: {card}")
    line = records.encode(EXAMPLE).decode().splitlines()[int(example["line"]) - 1]
    assert json.loads(line) == {"chance": "row", "cards": row}


def test_the_phrase_of_the_worked_example_can_be_recomputed() -> None:
    example = worked_example()
    text = "\n".join([example["commitment"], *json.loads(example["salts"])])
    digits = hashlib.sha256(text.encode()).hexdigest()
    assert f"it is `{digits[:4]} {digits[4:8]}`." in PAGE


def test_the_worked_example_is_that_of_the_record_in_the_other_document() -> None:
    example = worked_example()
    assert EXAMPLE.ending
    assert example["seed"] == EXAMPLE.ending.seed
    assert example["commitment"] == EXAMPLE.header.commitment
    assert json.loads(example["salts"]) == list(EXAMPLE.header.salts)


@pytest.mark.parametrize("name", games())
def test_the_draws_of_every_game_are_described(name: str) -> None:
    assert f"\n### Draws of {name}\n" in PAGE, f"docs/fair-dice.md should say how the outcomes of {name} are drawn"
    section = PAGE.split(f"\n### Draws of {name}\n")[1].split("\n#")[0]
    outcomes = getattr(games()[name].outcome, "__args__", (games()[name].outcome,))
    for outcome in outcomes:
        assert f"| `{outcome.__struct_config__.tag}` |" in section
