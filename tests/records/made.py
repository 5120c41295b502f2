"""Records to read, to forge and to go on with, and how they were made."""

import json
import random
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from kontor import records
from kontor.endings import How, early_end
from kontor.fair import commitment, salt_commitment, sources
from kontor.game import CHANCE, OVER, AnyGame, Result
from kontor.games.shanghaien.rules import SHANGHAIEN, Options
from kontor.games.shanghaien.rules.components import TRICKS, TrickCounts
from kontor.games.shanghaien.rules.state import Both, Shanghai
from kontor.plugins import games
from kontor.records import BadRecord, Header, Record, Step, decode, encode
from profiles import scale_examples

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA = Path(__file__).parents[2] / "src" / "kontor" / "record.schema.json"
PAGE = DOCS / "record.md"
SHOWN = DOCS / "example.jsonl"
Chooser = Callable[[AnyGame, Any], Any]


def play_record(
    game: AnyGame,
    options: Any,
    choose: Chooser,
    seed: bytes,
    salts: tuple[str, ...] | None = None,
    salt_commitments: tuple[str, ...] = (),
    *,
    duplicate: bool = False,
    stepped: bool = False,
) -> Record:
    """Return the record of a whole game with fair dice."""
    count = game.seats(options)
    header = records.new_header(
        game,
        options,
        seats=["Anna", "Bernd", "Karin", "Helga", "Klaus", "Reiner"][:count],
        players=["person", "greedy", "random", "random", "random", "random"][:count],
        salts=salts if salts is not None else ("",) * count,
        commitment=commitment(seed),
        salt_commitments=salt_commitments,
        duplicate=duplicate,
    )
    if stepped:
        header = replace(header, record=records.STEPPED_VERSION)
    source = sources(game, records.dice_of(header, seed))
    steps: list[Step] = []
    state = game.start(options)
    while state.mover != OVER:
        line = len(steps) + 2
        action = game.chance(state).draw(source(state, line)) if state.mover == CHANCE else choose(game, state)
        steps.append(Step(state.mover, action))
        state = game.play(state, action)
    return records.ended(Record(header, tuple(steps)), seed, game.result(state) or Result((), ()))


def at_random(number: int) -> Chooser:
    chooser = random.Random(number)
    return lambda game, state: chooser.choice(game.moves(state))


def choose_shortest(game: AnyGame, state: Any) -> Any:
    """Choose a move that ends each round of Shanghaien as soon as possible."""
    moves = game.moves(state)
    return next((move for move in (Shanghai(), Both()) if move in moves), moves[0])


EXAMPLE = play_record(SHANGHAIEN, Options(), choose_shortest, bytes(range(32)), ("zwölf Hufeisen", ""))
"""The record in the documents."""
LINES = encode(EXAMPLE).splitlines(keepends=True)
SEED = bytes(range(32))


def shanghaien_options() -> st.SearchStrategy[Options]:
    cuts = st.lists(st.integers(0, 8), min_size=2, max_size=2).map(sorted)
    return st.builds(
        Options,
        tricks=cuts.map(lambda cut: TrickCounts(cut[0], cut[1] - cut[0], 8 - cut[1])),
        starter=st.sampled_from([None, 0, 1]),
        first_trick=st.sampled_from([None, *TRICKS]),
    )


def dutchman_options() -> st.SearchStrategy[Any]:
    """Return a strategy for options, by the name of the type only: the game may not be there yet."""
    options = games()["dutchman"].options
    count = st.integers(3, 6)
    return count.flatmap(
        lambda players: st.builds(
            options,
            players=st.just(players),
            starter=st.none() | st.integers(0, players - 1),
            circles=st.integers(0, 5),
        )
    )


OPTIONS: dict[str, Callable[[], st.SearchStrategy[Any]]] = {
    "shanghaien": shanghaien_options,
    "dutchman": dutchman_options,
}
"""Strategies for the options of each game."""
each_game = pytest.mark.parametrize("game", list(games().values()), ids=list(games()))
some = settings(
    deadline=None,
    max_examples=scale_examples(25),
    suppress_health_check=[HealthCheck.data_too_large, HealthCheck.too_slow],
)


def random_record(data: st.DataObject, game: AnyGame) -> Record:
    options = data.draw(OPTIONS[game.name](), label="options")
    number = data.draw(st.integers(0, 2**32), label="the players' number")
    seed = data.draw(st.binary(min_size=32, max_size=32), label="seed")
    salt = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=records.LONGEST_SALT)
    salts = data.draw(st.tuples(*[salt] * game.seats(options)), label="salts")
    committed: tuple[str, ...] = ()
    if data.draw(st.booleans(), label="duplicate"):
        stepped = data.draw(st.booleans(), label="stepped")
        return play_record(game, options, at_random(number), seed, duplicate=True, stepped=stepped)
    if data.draw(st.booleans(), label="strict"):
        committed, salts = reveal(salts, data.draw(st.tuples(*[SHARES] * len(salts)), label="shares"))
    return play_record(game, options, at_random(number), seed, salts, committed)


SHARES = st.sampled_from(["revealed", "left out", "none"])
"""The possible fates of a salt."""


def reveal(salts: tuple[str, ...], shares: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the commitments of the seats, and the salts with which the game begins."""
    pairs = list(zip(salts, shares, strict=True))
    committed = tuple("" if share == "none" else salt_commitment(salt) for salt, share in pairs)
    return committed, tuple(salt if share == "revealed" else "" for salt, share in pairs)


def refusal_of(data: bytes) -> BadRecord:
    """Return the refusal of a file that is read and verified."""
    with pytest.raises(BadRecord) as caught:
        records.verify(decode(data))
    return caught.value


def ended_early(game: AnyGame, steps: int = 20, how: How = "resigned", seat: int = 1) -> Record:
    """Return a random game, ended after at least ``steps`` steps, when a seat is to move."""
    complete = play_record(game, game.options(), at_random(1), SEED)
    states = list(records.replay(complete))
    steps = next(at for at in range(steps, len(states)) if states[at].mover >= 0)
    left = Record(complete.header, complete.steps[:steps])
    return records.ended_early(left, SEED, early_end(how, seat, len(complete.header.seats)))


def early_changed(old: str, new: str) -> bytes:
    """Return a game that was ended early, with a text replaced."""
    text = encode(ended_early(SHANGHAIEN)).decode()
    assert old in text
    return text.replace(old, new, 1).encode()


HERS, HIS = "zwölf Hufeisen", "Anker"
STRICT = play_record(
    SHANGHAIEN, Options(), choose_shortest, SEED, (HERS, HIS), (salt_commitment(HERS), salt_commitment(HIS))
)
"""A record in which both have revealed their salts."""
WITHOUT = play_record(SHANGHAIEN, Options(), choose_shortest, SEED, (HERS, ""), STRICT.header.salt_commitments)
"""A record in which Bernd has not: the game began without his salt."""


def stop_game(record: Record, steps: int) -> tuple[Record, Record]:
    """Return the game left after about ``steps`` steps, when a seat is to move; and ended early there."""
    assert record.ending
    states = list(records.replay(record))[:-1]
    steps = max(at for at, state in enumerate(states) if state.mover >= 0 and at <= max(steps, 5))
    left = Record(record.header, record.steps[:steps])
    seats = len(record.header.seats)
    return left, records.ended_early(left, bytes.fromhex(record.ending.seed), early_end("agreed", 0, seats))


WHOLE = encode(EXAMPLE)


def header_with(**parts: Any) -> Header:
    return records.new_header(
        **{
            "game": SHANGHAIEN,
            "options": Options(),
            "seats": ["Anna", "Bernd"],
            "players": ["person", "random"],
            "salts": ["", ""],
            "commitment": commitment(SEED),
            **parts,
        }
    )


def shipped_schema() -> Draft202012Validator:
    schema = json.loads((files("kontor") / "record.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)
