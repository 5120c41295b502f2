"""Forgeries: records with something changed, as a dealer or a player might."""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from random import Random
from typing import Any, Final

from kontor.fair import commitment, salt_commitment

Lines = list[dict[str, Any]]


def write_lines(lines: Lines, *, anew: bool = False) -> str:
    """Return the lines as text; with ``anew``, the digest is computed again, as a careful forger would."""
    texts = [json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines]
    if anew and "digest" in lines[-1]:
        digest = hashlib.sha256("".join(texts[:-1]).encode()).hexdigest()
        texts[-1] = texts[-1].replace(lines[-1]["digest"], digest)
    return "".join(texts)


def find_leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the places of numbers and texts in a line: container and key."""
    for key, part in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(part, dict | list):
            yield from find_leaves(part)
        else:
            yield value, key


def other_value(value: Any, random: Random) -> Any:
    """Return another value of the same sort."""
    match value:
        case None | bool():
            return random.choice((0, "nudge"))
        case int():
            return value + random.choice((-1, 1, 1, 10))
        case str() if len(value) == 64:
            return value[:-1] + ("0" if value[-1] != "0" else "1")
        case _:
            words = (
                "left", "right", "blue", "violet", "nudge", "both", "A3", "I4", "Holland", "Java", "", "roll",
                "pass",
            )  # fmt: skip
            return random.choice([word for word in words if word != value])


def change_chance(lines: Lines, random: Random) -> None:
    line = random.choice([line for line in lines if "chance" in line])
    inside, key = random.choice([(inside, key) for inside, key in find_leaves(line) if key != "chance"])
    inside[key] = other_value(inside[key], random)


def change_order(lines: Lines, random: Random) -> None:
    """Swap two things of an outcome."""
    line = random.choice([line for line in lines if line.get("chance") in ("row", "deal", "shuffle", "share")])
    inside = random.choice([part for part in line.values() if isinstance(part, list) and part] or [[0]])
    one, other = (random.randrange(len(inside)) for _ in "ab")
    inside[one], inside[other] = inside[other], inside[one]


def change_move(lines: Lines, random: Random) -> None:
    moves = [line for line in lines if "move" in line]
    if moves:
        inside, key = random.choice(list(find_leaves(random.choice(moves))))
        inside[key] = other_value(inside[key], random)


def change_header(lines: Lines, random: Random) -> None:
    """Change any value of the first line: a salt, the commitment, an option, the version."""
    inside, key = random.choice(list(find_leaves(lines[0])))
    inside[key] = other_value(inside[key], random)


def change_salt(lines: Lines, random: Random) -> None:
    salts = lines[0]["salts"]
    salts[random.randrange(len(salts))] += "!"


def change_commitments(lines: Lines, random: Random) -> None:
    """Change the commitments to the salts.

    One is another seat's, or of another salt, or empty, or missing, or there is one too many. Or all of them are
    empty or missing.
    """
    header = lines[0]
    committed = header.get("salt_commitments") or [""] * len(header["seats"])
    at = random.randrange(len(committed))
    other = random.choice(
        (committed[at - 1], salt_commitment("another"), "", committed[at].upper(), committed[at][1:])
    )
    ways: tuple[list[str], ...] = (
        [*committed[:at], other, *committed[at + 1 :]],
        [*committed[:at], *committed[at + 1 :]],
        [*committed, other],
        [""] * len(committed),
        [],
    )
    started = {"started": header.pop("started")} if "started" in header else {}
    header |= {"salt_commitments": random.choice(ways)} | started
    if random.random() < 0.2:
        del header["salt_commitments"]


def change_version(lines: Lines, random: Random) -> None:
    lines[0]["record"] = random.choice([version for version in range(5) if version != lines[0]["record"]])


def change_ending(lines: Lines, random: Random) -> None:
    """Change the seed, the result, the early end or the digest; in a game without an ending, the last step."""
    inside, key = random.choice(list(find_leaves(lines[-1])))
    inside[key] = other_value(inside[key], random)


def change_chart(lines: Lines, random: Random) -> None:
    """Remove, double or replace a line or a field of the sea chart."""
    if chart := lines[0]["options"].get("chart"):
        part = chart[random.choice(("short", "long", "fields"))]
        at = random.randrange(len(part))
        part[at : at + 1] = random.choice(([], [part[at]] * 2, [part[at - 1]]))


def swap_seed(lines: Lines, random: Random) -> None:
    """Replace the seed and its commitment, as a dealer would who wanted other dice."""
    if "seed" in lines[-1]:
        seed = random.randbytes(32)
        lines[-1]["seed"], lines[0]["commitment"] = seed.hex(), commitment(seed)


def drop(lines: Lines, random: Random) -> None:
    del lines[random.randrange(1, len(lines))]


def double(lines: Lines, random: Random) -> None:
    at = random.randrange(1, len(lines))
    lines.insert(at, lines[at])


def swap_lines(lines: Lines, random: Random) -> None:
    at = random.randrange(1, max(2, len(lines) - 1))
    lines[at : at + 2] = lines[at : at + 2][::-1]


def reorder(lines: Lines, random: Random) -> None:
    """Reverse the fields of a line, or remove or add one."""
    at = random.randrange(len(lines))
    fields = list(lines[at].items())
    lines[at] = dict(random.choice((fields[::-1], fields[:-1], [*fields, ("more", 1)])))


FORGERIES: Final[tuple[Callable[[Lines, Random], None], ...]] = (
    change_chance, change_chance, change_order, change_move, change_move, change_header, change_salt,
    change_commitments, change_version, change_ending, change_chart, swap_seed, drop, double, swap_lines, reorder,
)  # fmt: skip


def misspell(text: str, random: Random) -> str:
    """Return the same lines in another spelling, or incomplete."""
    lines = text.splitlines(keepends=True)
    at = random.randrange(len(lines))
    line = lines[at]
    lines[at] = random.choice(
        (
            line.replace(":", ": ", 1),
            line.replace('"', '"\\u0041', 1),
            line.replace('"', '"\\n', 1),
            line.replace('"', '"\u202e', 1),
            line.replace("{", '{"seat":0,', 1),
            line[: len(line) // 2],
            line[:-1],
            "\n" + line,
            "[]\n",
            "7\n" + line,
            "\ufeff" + line,
            line.replace("\n", "\r\n"),
            line.replace("1", "1.0", 1),
            line.replace("1", "1e400", 1),
            line.replace(":", ":" + "[" * 30_000, 1),
            line.replace("}", ',"x":"' + "y" * 70_000 + '"}', 1),
        )
    )
    return "".join(lines)


def forge(texts: Sequence[str], count: int, random: Random) -> Iterator[str]:
    """Yield ``count`` forgeries: one of the records with something changed."""
    while count:
        text = random.choice(texts)
        if random.random() < 0.1:
            forgery = misspell(text, random)
        else:
            lines = deepcopy([json.loads(line) for line in text.splitlines()])
            if not any(line.get("chance") in ("row", "deal") for line in lines):
                continue
            random.choice(FORGERIES)(lines, random)
            forgery = write_lines(lines, anew=random.random() < 0.6)
        if forgery != text:
            count -= 1
            yield forgery
